//! The languages, and the words in which they differ.

named! {
    /// A language that the functions of a layout can be written in.
    ///
    /// GLSL, HLSL and SPIR-V come from WGSL: [naga](https://docs.rs/naga) translates it.
    ///
    /// # Examples
    /// ```
    /// use layout_gpu::code::Language;
    ///
    /// assert_eq!(Language::from_name("wgsl"), Some(Language::Wgsl));
    /// assert_eq!(Language::OpenCl.to_string(), "OpenCL");
    /// ```
    #[non_exhaustive]
    pub enum Language {
        /// WGSL, the shaders of WebGPU.
        Wgsl = "WGSL",
        /// C99 and later, and C++.
        // Not `C`: rustc writes `C<16>` for the number of a layout's type only while nothing else is named `C`.
        C99 = "C" | "C99",
        /// CUDA C++, by nvcc, NVRTC or clang.
        Cuda = "CUDA",
        /// HIP C++.
        Hip = "HIP",
        /// OpenCL C 1.2 and later.
        OpenCl = "OpenCL",
        /// The Metal shading language.
        Metal = "Metal",
        /// Affine maps of MLIR.
        Mlir = "MLIR",
    }
}

impl Language {
    /// Whether indices of 64 bits can be asked for. MLIR's have the width of its type `index`, so that there is
    /// nothing to choose.
    pub(crate) const fn has_64_bits(self) -> bool {
        !matches!(self, Language::Wgsl | Language::Mlir)
    }

    pub(crate) const fn words(self, bits: usize) -> &'static Words {
        match (self, bits) {
            (Language::Wgsl, _) => &Words::WGSL,
            (Language::Mlir, _) => &Words::MLIR,
            (Language::C99, 64) => &Words { integer: "uint64_t", suffix: "ull", ..Words::C },
            (Language::C99, _) => &Words::C,
            (Language::Cuda | Language::Hip, 64) => {
                &Words { integer: "unsigned long long", suffix: "ull", ..Words::CUDA }
            }
            (Language::Cuda | Language::Hip, _) => &Words::CUDA,
            (Language::OpenCl | Language::Metal, 64) => {
                &Words { integer: "ulong", suffix: "ul", ..Words::OPENCL }
            }
            (Language::OpenCl | Language::Metal, _) => &Words::OPENCL,
        }
    }
}

/// How a language of functions writes what it says.
pub(crate) struct Words {
    /// Whether it has expressions only, without variables.
    pub is_affine: bool,
    /// Whether types follow names, as in WGSL, or precede them, as in C.
    pub types_follow: bool,
    /// Lines at the top.
    pub preamble: &'static str,
    /// What precedes a function.
    pub function: &'static str,
    /// The type of coordinates and offsets.
    pub integer: &'static str,
    /// What follows a number of this type.
    pub suffix: &'static str,
    /// What follows a number of 64 bits, if the language has them.
    pub wide_suffix: Option<&'static str>,
    /// Integer division and its remainder.
    pub divide: &'static str,
    pub modulo: &'static str,
    /// A variable that does not change.
    pub constant: &'static str,
    /// A variable that does.
    pub variable: &'static str,
}

impl Words {
    const WGSL: Words = Words {
        is_affine: false,
        types_follow: true,
        preamble: "",
        function: "fn ",
        integer: "u32",
        suffix: "u",
        wide_suffix: None,
        divide: " / ",
        modulo: " % ",
        constant: "let ",
        variable: "var ",
    };

    /// Of expressions; MLIR's maps have no functions.
    const MLIR: Words =
        Words { is_affine: true, suffix: "", divide: " floordiv ", modulo: " mod ", ..Words::WGSL };

    const C: Words = Words {
        types_follow: false,
        preamble: "\n#include <stdbool.h>\n#include <stdint.h>\n",
        function: "static inline ",
        integer: "uint32_t",
        suffix: "u",
        wide_suffix: Some("ull"),
        constant: "const ",
        variable: "",
        ..Words::WGSL
    };

    /// NVRTC has no headers of its own, so none is included.
    const CUDA: Words = Words {
        preamble: "",
        function: "static __host__ __device__ inline ",
        integer: "unsigned int",
        ..Words::C
    };

    const OPENCL: Words =
        Words { preamble: "", integer: "uint", wide_suffix: Some("ul"), ..Words::C };
}
