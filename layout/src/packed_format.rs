//! Packed formats by their names: as values ([`PackedFormat`]) and as types.
//!
//! The type of a format is an alias of [`Array`](crate::Array) with its sizes as parameters and, where it holds several, with its
//! element type: `Marlin<4096, 4096>`, `NChw16c<BF16, 1, 64, 56, 56>`. Where the format takes multiples alone, another size
//! does not compile: `Marlin<60, 4096>` is an error where a constant or a function of it is used.
//!
//! The modules have them by system or hardware: [`one_dnn`], [`ggml`], [`weights`], [`tensor`], [`instruction`], [`nvidia`] and
//! [`amd`]. All names stand here too.
//!
//! # Examples
//! ```
//! use layout::packed_format::{Fragment, Marlin, MmaM16n8k16A, PackedFormat};
//! use layout::{ArrayShape, PackedView, element::F16};
//!
//! type Weights = Marlin<64, 128>;
//! assert_eq!(Weights::TEXT, "u4[64,128]{1,0:T(16,8)(8,1)(8,2,1,2,1)(2,2,1,1,1)E(4)}");
//! let bytes = [0x21; 64 * 128 / 2];
//! let weights = PackedView::<Weights>::new(&bytes)?;
//! assert_eq!((weights.get([0, 0]), weights.get([8, 0])), (Some(1), Some(2)));
//!
//! // An operand in registers: the element at an offset is a value of a lane.
//! type A = Fragment<MmaM16n8k16A<F16>>;
//! const LANE: usize = A::lane_of([10, 7]);
//! assert_eq!((LANE, A::value_of([10, 7]), A::VALUES), (11, 3, 8));
//!
//! // At run time, and for layouts that come from elsewhere.
//! let shape: ArrayShape = "bf16[64,64]{0,1:T(64,32)(64,2)}".parse()?;
//! assert!(PackedFormat::of(&shape).any(|format| format.name() == "BA16a64b2a"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod fragment;

#[doc(inline)]
pub use layout_formats::packed_format::{
    BlockFormat, BlockPart, Family, MosaicGpu, NOT_LAYOUTS, NotALayout, PackedFormat,
    PackedFormatError, ThreadDim,
};

pub use fragment::Fragment;

/// Makes the types of a family from its table.
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
    )+)*};
}

/// One type. With `E(n)` it has the element type of the table, and otherwise a parameter.
macro_rules! alias {
    (
        [$(#[$doc:meta])*] $alias:ident $of:ident [$($parameter:ident,)*] [$($dim:ty,)*] $multiples:tt
        {$($order:literal),* $(: T $(($($tile:literal),*))+)?}
    ) => {
        $(#[$doc])*
        pub type $alias<E, $(const $parameter: usize),*> = crate::Array<
            E,
            ($($dim,)*),
            ($(crate::types::C<$order>,)*),
            crate::types::Tiles<($($(($(crate::types::C<$tile>,)*),)+)?)>,
            properties!([] $multiples),
        >;
    };
    (
        [$(#[$doc:meta])*] $alias:ident $of:ident [$($parameter:ident,)*] [$($dim:ty,)*] $multiples:tt
        {$($order:literal),* : $(T $(($($tile:literal),*))+)? E($bits:literal)}
    ) => {
        $(#[$doc])*
        pub type $alias<$(const $parameter: usize),*> = crate::Array<
            crate::element::$of,
            ($($dim,)*),
            ($(crate::types::C<$order>,)*),
            crate::types::Tiles<($($(($(crate::types::C<$tile>,)*),)+)?)>,
            properties!([$bits] $multiples),
        >;
    };
}

/// A dimension: a parameter, or else a fixed size.
macro_rules! dim {
    ([$parameter:ident] $size:literal) => { crate::types::C<{ $parameter }> };
    ([] $size:literal) => { crate::types::C<$size> };
}

macro_rules! properties {
    ([$($bits:literal)?] [$([])*]) => { ($(crate::types::property::ElementSize<$bits>,)?) };
    ($bits:tt [$([$($multiple:literal)?])*]) => {
        crate::types::property::MultiplesOf<
            properties!($bits []),
            ($(multiple!($($multiple)?),)*),
        >
    };
}

macro_rules! multiple {
    () => { crate::types::C<1> };
    ($multiple:literal) => { crate::types::C<$multiple> };
}

macro_rules! families {
    ($($(#[$doc:meta])* $module:ident $table:ident;)*) => {
        $(
            $(#[$doc])*
            pub mod $module {
                layout_formats::$table!(types);
            }
        )*

        $(pub use $module::*;)*
    };
}

families! {
    /// Formats of oneDNN that its kernels for AVX-512, AMX and Arm choose.
    one_dnn __one_dnn_formats;
    /// The codes of blocks of ggml, as `Q4_0_4_8`, without the scales between them.
    ggml __ggml_formats;
    /// Quantized weights as checkpoints and GPU kernels hold them: Marlin, AWQ and others.
    weights __weight_formats;
    /// Tiles of accelerators and displays.
    tensor __tensor_formats;
    /// Operands of CPU instructions that multiply matrices, and right-hand sides packed for them.
    instruction __instruction_formats;
    /// Operands of tensor cores of NVIDIA.
    nvidia __nvidia_formats;
    /// Operands of matrix cores of AMD.
    amd __amd_formats;
}
