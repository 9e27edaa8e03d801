//! Element types: the one table of names and widths.

use crate::base::Piece::Quoted;
use crate::base::{Size, Text, edit_distance, equal, substr};

/// Calls `$callback!` with the table of element types: proto name, text name, bits, and the kind of their values: a
/// `Values`.
///
/// The widths are those of XLA's `primitive_util::BitWidth`; the six-bit floats are stored in
/// eight bits there.
#[doc(hidden)]
#[macro_export]
macro_rules! __for_each_element_type {
    ($callback:path) => {
        $callback! {
            PRED "pred" 1 (Unsigned),
            S1 "s1" 1 (Signed),
            S2 "s2" 2 (Signed),
            S4 "s4" 4 (Signed),
            S8 "s8" 8 (Signed),
            S16 "s16" 16 (Signed),
            S32 "s32" 32 (Signed),
            S64 "s64" 64 (Signed),
            U1 "u1" 1 (Unsigned),
            U2 "u2" 2 (Unsigned),
            U4 "u4" 4 (Unsigned),
            U8 "u8" 8 (Unsigned),
            U16 "u16" 16 (Unsigned),
            U32 "u32" 32 (Unsigned),
            U64 "u64" 64 (Unsigned),
            F4E2M1FN "f4e2m1fn" 4 (Float([0x2, 0x7, 0xf])),
            F6E2M3FN "f6e2m3fn" 8 (Float([0x08, 0x1f, 0x3f])),
            F6E3M2FN "f6e3m2fn" 8 (Float([0x0c, 0x1f, 0x3f])),
            F8E3M4 "f8e3m4" 8 (Float([0x30, 0x70, 0xf0])),
            F8E4M3 "f8e4m3" 8 (Float([0x38, 0x78, 0xf8])),
            F8E4M3FN "f8e4m3fn" 8 (Float([0x38, 0x7e, 0xfe])),
            F8E4M3FNUZ "f8e4m3fnuz" 8 (Float([0x40, 0x7f, 0xff])),
            F8E4M3B11FNUZ "f8e4m3b11fnuz" 8 (Float([0x58, 0x7f, 0xff])),
            F8E5M2 "f8e5m2" 8 (Float([0x3c, 0x7c, 0xfc])),
            F8E5M2FNUZ "f8e5m2fnuz" 8 (Float([0x40, 0x7f, 0xff])),
            // Powers of two from 2⁻¹²⁷ to 2¹²⁷, without sign and without 0.
            F8E8M0FNU "f8e8m0fnu" 8 (Float([0x7f, 0xfe, 0x00])),
            F16 "f16" 16 (Float([0x3c00, 0x7c00, 0xfc00])),
            BF16 "bf16" 16 (Float([0x3f80, 0x7f80, 0xff80])),
            F32 "f32" 32 (Float([0x3f80_0000, 0x7f80_0000, 0xff80_0000])),
            F64 "f64" 64 (Float([0x3ff0 << 48, 0x7ff0 << 48, 0xfff0 << 48])),
            C64 "c64" 64 (Complex(0x3f80_0000)),
            C128 "c128" 128 (Complex(0x3ff0 << 48)),
        }
    };
}

/// The kind of number that the bits of an element type encode.
#[derive(Clone, Copy)]
pub(super) enum Values {
    /// Integers without a sign, and truth values.
    Unsigned,
    /// Integers in two's complement.
    Signed,
    /// Real floats: the bits of one, of the highest value and of the lowest one, which are infinities where the type has
    /// them, as in XLA's `MaxValue` and `MinValue`.
    Float([u128; 3]),
    /// Complex numbers: the bits of one. The real part has the low bits.
    Complex(u128),
}

macro_rules! define {
    ($($variant:ident $name:literal $bits:literal ($values:expr),)*) => {
        named! {
            /// XLA's element types.
            #[derive(PartialOrd, Ord)]
            #[non_exhaustive]
            pub enum ElementType {
                $(
                    #[doc = concat!("`", $name, "`: ", $bits, "-bit elements.")]
                    $variant = $name,
                )*
            }
        }

        impl ElementType {
            /// The name in upper case, which is the name of the variant.
            pub const fn upper_name(self) -> &'static str {
                match self {
                    $(ElementType::$variant => stringify!($variant),)*
                }
            }

            /// Width of a value in bits (XLA's `BitWidth`).
            pub const fn bits(self) -> Size {
                match self {
                    $(ElementType::$variant => $bits,)*
                }
            }

            /// The kind of number that its bits encode.
            pub(super) const fn values(self) -> Values {
                use Values::*;
                match self {
                    $(ElementType::$variant => $values,)*
                }
            }
        }
    };
}

__for_each_element_type!(define);

/// How names begin in other systems, where XLA's begin otherwise: `int8` is `s8`, and `float8_e5m2` is `f8e5m2`. Of two that a
/// name begins with, the longer one stands first.
const BEGINNINGS: [(&str, &str); 7] = [
    ("bfloat", "bf"),
    ("complex", "c"),
    ("float", "f"),
    ("fp", "f"),
    ("uint", "u"),
    ("int", "s"),
    ("i", "s"),
];

/// Other names of other systems, and the types that they mean.
const ALIASES: [(&str, ElementType); 5] = [
    ("bool", ElementType::PRED),
    ("f4", ElementType::F4E2M1FN),
    ("half", ElementType::F16),
    ("float", ElementType::F32),
    ("double", ElementType::F64),
];

/// How names of floats begin where several element types have one width.
const FAMILIES: [&str; 2] = ["f8", "f6"];

/// No name in the table is longer, so no longer word is near one.
const LONGEST: usize = 13;

impl ElementType {
    /// Bytes of a value in memory without `E(n)`: its width, rounded up to whole bytes.
    pub const fn bytes(self) -> Size {
        self.bits().div_ceil(8)
    }

    /// The fewest bits that hold every value: 6 of the floats that XLA stores in 8.
    pub(crate) const fn least_bits(self) -> Size {
        match self.values() {
            Values::Float([one, highest, lowest]) => {
                (u128::BITS - (one | highest | lowest).leading_zeros()) as Size
            }
            _ => self.bits(),
        }
    }

    /// Whether one of its values is 0: the bits 0, except in a float without a sign, whose lowest value they are.
    pub const fn has_zero(self) -> bool {
        !matches!(self.values(), Values::Float([_, _, 0]))
    }

    /// Whether it is an integer with a sign.
    pub const fn is_signed_integer(self) -> bool {
        matches!(self.values(), Values::Signed)
    }

    /// Whether the type is a real floating-point type.
    #[doc(alias = "IsFloatingPointType")]
    pub const fn is_float(self) -> bool {
        matches!(self.values(), Values::Float(_))
    }

    /// How the names of the types begin that `name` can mean, if it is a word for several: `f8` of `fp8`.
    pub(crate) const fn family(name: &str) -> Option<&'static str> {
        let own = own_spelling(name);
        each!(for &family in &FAMILIES {
            if name.eq_ignore_ascii_case(family) || equal(own.as_str(), family) {
                return Some(family);
            }
        });
        None
    }

    /// The names that begin so, and go on with the format: "`f6e2m3fn`, `f6e3m2fn`".
    pub(crate) const fn list_of_family(prefix: &str) -> Text<160> {
        let mut list = Text::new();
        each!(for &element in Self::ALL {
            let name = element.name();
            let rest = prefix.len();
            let has_format = name.len() > rest && name.as_bytes()[rest] == b'e';
            if has_format && equal(substr(name, 0, rest), prefix) {
                say!(list, if list.is_empty() { "" } else { ", " }, Quoted(name));
            }
        });
        list
    }

    /// The type that a misspelled `name` probably means.
    pub(crate) const fn nearest(name: &str) -> Option<ElementType> {
        let own = own_spelling(name);
        if let Some(element) = Self::from_name(own.as_str()) {
            return Some(element);
        }
        each!(for &(alias, element) in &ALIASES {
            if name.eq_ignore_ascii_case(alias) || equal(own.as_str(), alias) {
                return Some(element);
            }
        });
        let (mut best, mut is_only) = (None, true);
        // Three edits are another word, and so is half of a short one.
        let mut least = if name.len() < 4 { 4 } else { 6 };
        each!(for &element in Self::ALL {
            let own = element.name();
            // `f8e8m0` lacks only the end of a long name, and `u4x` has more than the name.
            let is_cut = name.len() > 4 && begins(own, name);
            let edits = edit_distance::<{ LONGEST + 4 }>(name, own);
            let edits = if is_cut && edits > 2 { 2 } else { edits };
            let is_begun = is_cut || begins(name, own);
            let cost = edits.saturating_mul(2).saturating_add(!is_begun as usize);
            is_only = cost < least || is_only && cost > least;
            if cost < least {
                least = cost;
                best = Some(element);
            }
        });
        // Of `u6` nobody knows whether it is `u4` or `u8`.
        if is_only { best } else { None }
    }
}

/// A name of another system as XLA spells it, without `_`; empty if it begins otherwise than names there.
const fn own_spelling(name: &str) -> Text<32> {
    let mut own = Text::new();
    each!(for &(beginning, own_beginning) in &BEGINNINGS {
        if begins(name, beginning) {
            own.str(own_beginning);
            each!(for at in beginning.len()..name.len() {
                if name.as_bytes()[at] != b'_' {
                    own.byte(name.as_bytes()[at]);
                }
            });
            return own;
        }
    });
    own
}

/// Whether a text begins with another one, in any case.
const fn begins(text: &str, with: &str) -> bool {
    let length = with.len();
    length <= text.len() && substr(text, 0, length).eq_ignore_ascii_case(with)
}
