//! `formats!` makes of the table of a family its values and its types; `row` says what a row has.

macro_rules! formats {
    ($($rows:tt)*) => {
        rows! { $($rows)* }
        types! { $($rows)* }
    };
}

/// The values of a family.
macro_rules! rows {
    ($(
        $base:ident $name:literal $dims:literal [$($other:literal),*] $what:literal
        $(
            $alias:ident $of:ident
            [$($($parameter:ident $(% $multiple:literal)? =)? $size:literal),*]
            $layout:tt $(for $elements:ident)?
        ),+;
    )*) => {
        pub(in crate::packed_format) const FORMATS: &[Row] = &[$(Row {
            name: $name,
            aliases: &[$($other),*],
            what: $what,
            dims: $dims,
            forms: &[$($crate::packed_format::row::Form {
                elements: elements!($of $($elements)?),
                multiples: &[
                    $(size_multiple!($($parameter $(% $multiple)?)?)),*
                ],
                text: concat!(stringify!($of), stringify!([$($size),*]), stringify!($layout)),
            }),+],
            ..$base
        }),*];
    };
}

macro_rules! elements {
    ($of:ident) => {
        &[layout_core::ElementType::$of]
    };
    ($of:ident $list:ident) => {
        $list
    };
}

macro_rules! size_multiple {
    () => {
        $crate::packed_format::row::FIXED
    };
    ($parameter:ident) => {
        1
    };
    ($parameter:ident % $multiple:literal) => {
        $multiple
    };
}

/// The types of a family: aliases of `Array`.
macro_rules! types {
    ($(
        $base:ident $name:literal $dims:literal [$($other:literal),*] $what:literal
        $(
            $alias:ident $of:ident
            [$($($parameter:ident $(% $multiple:literal)? =)? $size:literal),*]
            $layout:tt $(for $elements:ident)?
        ),+;
    )*) => {$($(
        alias! {
            [
                #[doc = concat!("`", $name, "`, for example of `", stringify!($of), stringify!([$($size),*]), "`: ", $what, ".")]
                #[doc = ""]
                #[doc = concat!("Named `", $name, "` as a [`PackedFormat`](crate::packed_format::PackedFormat).")]
            ]
            $alias $of [$($($parameter,)?)*] [$(dim!([$($parameter)?] $size),)*] [$([$($($multiple)?)?])*] $layout
        }
    )+)*

        /// The types at the sizes of their examples.
        #[cfg(test)]
        pub(in crate::packed_format) fn types() -> std::vec::Vec<$crate::packed_format::tests::ExampleType> {
            std::vec![$($($crate::packed_format::tests::example_type(
                $name,
                core::marker::PhantomData::<example!($alias $of [$($($parameter = $size)?)*] $layout)>,
            )),+),*]
        }
    };
}

#[cfg(test)]
macro_rules! example {
    ($alias:ident $of:ident [$($parameter:ident = $size:literal)*] {$($order:literal),* $(: T $(($($tile:literal),*))+)?}) => {
        $alias<layout::element::$of, $($size),*>
    };
    ($alias:ident $of:ident [$($parameter:ident = $size:literal)*] $packed:tt) => {
        $alias<$($size),*>
    };
}

/// One type. With `E(n)` it has the element type of the table, and otherwise a parameter.
macro_rules! alias {
    (
        [$(#[$doc:meta])*] $alias:ident $of:ident [$($parameter:ident,)*] [$($dim:ty,)*] $multiples:tt
        {$($order:literal),* $(: T $(($($tile:literal),*))+)?}
    ) => {
        $(#[$doc])*
        pub type $alias<E, $(const $parameter: usize),*> = layout::Array<
            E,
            ($($dim,)*),
            ($(layout::types::C<$order>,)*),
            layout::types::Tiles<($($(($(layout::types::C<$tile>,)*),)+)?)>,
            properties!([] $multiples),
        >;
    };
    (
        [$(#[$doc:meta])*] $alias:ident $of:ident [$($parameter:ident,)*] [$($dim:ty,)*] $multiples:tt
        {$($order:literal),* : $(T $(($($tile:literal),*))+)? E($bits:literal)}
    ) => {
        $(#[$doc])*
        pub type $alias<$(const $parameter: usize),*> = layout::Array<
            layout::element::$of,
            ($($dim,)*),
            ($(layout::types::C<$order>,)*),
            layout::types::Tiles<($($(($(layout::types::C<$tile>,)*),)+)?)>,
            properties!([$bits] $multiples),
        >;
    };
}

/// A dimension: a parameter, or else a fixed size.
macro_rules! dim {
    ([$parameter:ident] $size:literal) => { layout::types::C<{ $parameter }> };
    ([] $size:literal) => { layout::types::C<$size> };
}

macro_rules! properties {
    ([$($bits:literal)?] [$([])*]) => { ($(layout::types::property::ElementSize<$bits>,)?) };
    ($bits:tt [$([$($multiple:literal)?])*]) => {
        layout::types::property::MultiplesOf<
            properties!($bits []),
            ($(multiple!($($multiple)?),)*),
        >
    };
}

macro_rules! multiple {
    () => { layout::types::C<1> };
    ($multiple:literal) => { layout::types::C<$multiple> };
}
