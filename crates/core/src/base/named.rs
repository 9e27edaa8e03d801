//! Enumerations whose values have names.

/// `named! { pub enum Tpu { V2 = "v2", V7x = "v7x" | "tpu7x", } }`: an enum with `ALL`, `name`, `from_name` and `Display`.
///
/// Each value has one name, and further ones after `|` by which `from_name` finds it too. Case does not count in names.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    (
        $(#[$about:meta])*
        $visible:vis enum $Enum:ident {
            $($(#[$doc:meta])* $Value:ident = $name:literal $(| $other:literal)*,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $visible enum $Enum {
            $($(#[$doc])* $Value,)*
        }

        impl $Enum {
            /// All of them, in their order.
            $visible const ALL: &'static [$Enum] = &[$($Enum::$Value,)*];

            /// The names of all, with commas between them, for messages.
            $visible const NAMES: &'static str = concat!($(", ", $name),*).split_at(2).1;

            /// The name.
            $visible const fn name(self) -> &'static str {
                match self {
                    $($Enum::$Value => $name,)*
                }
            }

            /// Finds one by its name, in any case.
            $visible const fn from_name(name: &str) -> Option<$Enum> {
                const NAMES: &[(&str, $Enum)] =
                    &[$(($name, $Enum::$Value), $(($other, $Enum::$Value),)*)*];
                $crate::each!(for (own, value) in NAMES {
                    if name.eq_ignore_ascii_case(own) {
                        return Some(*value);
                    }
                });
                None
            }
        }

        impl core::fmt::Display for $Enum {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
