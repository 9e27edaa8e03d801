//! Names: what may stand before `_offset` and the others.

use layout_core::base::text::equal;

use crate::code::error::{CodeError, Name};
use crate::code::language::Language;

/// Checks a name. C and C++ reserve names with `__` and those that begin with `_`, and the translations of WGSL go
/// there, so one rule is for all.
pub(crate) const fn check(name: &str, language: Language) -> Result<(), CodeError> {
    let bytes = name.as_bytes();
    let mut is_formed = !bytes.is_empty() && bytes[0].is_ascii_alphabetic();
    each!(for i in 0..bytes.len() {
        is_formed &= bytes[i].is_ascii_alphanumeric()
            || (bytes[i] == b'_' && i + 1 < bytes.len() && bytes[i + 1] != b'_');
    });
    if !is_formed {
        return Err(CodeError::Name(Name::new(name)));
    }
    if is_reserved(name, language) {
        return Err(CodeError::ReservedName { name: Name::new(name), language });
    }
    // Of the names that are made of this one, a single one is taken.
    if matches!(language, Language::OpenCl) && equal(name, "get_global") {
        return Err(CodeError::ReservedName { name: Name::new("get_global_offset"), language });
    }
    Ok(())
}

const fn is_reserved(name: &str, language: Language) -> bool {
    match language {
        Language::Wgsl => contains(WGSL, name),
        Language::C99 => contains(C, name),
        Language::Cuda | Language::Hip => contains(C, name) || contains(CUDA, name),
        Language::OpenCl => contains(C, name) || contains(OPENCL, name) || is_vector(name),
        Language::Metal => contains(C, name) || contains(METAL, name) || is_vector(name),
        Language::Mlir => false,
    }
}

const fn contains(words: &[&str], name: &str) -> bool {
    each!(for word in words {
        if word.len() == name.len() && equal(word, name) {
            return true;
        }
    });
    false
}

/// Whether it is a type of numbers of OpenCL and Metal, or of vectors or matrices of these.
const fn is_vector(name: &str) -> bool {
    let mut end = name.len();
    while end > 0 && (name.as_bytes()[end - 1].is_ascii_digit() || name.as_bytes()[end - 1] == b'x')
    {
        end -= 1;
    }
    match core::str::from_utf8(name.as_bytes().split_at(end).0) {
        Ok(scalar) => contains(SCALARS, scalar),
        Err(_) => false,
    }
}

const SCALARS: &[&str] = &[
    "bfloat", "bool", "char", "double", "float", "half", "int", "long", "short", "uchar", "uint",
    "ulong", "ushort",
];

/// Keywords of C23 and of C++23.
#[rustfmt::skip]
const C: &[&str] = &[
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
    "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return",
    "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit",
    "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
    "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline",
    "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
    "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
    "requires", "restrict", "return", "short", "signed", "sizeof", "static", "static_assert",
    "static_cast", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try",
    "typedef", "typeid", "typename", "typeof", "typeof_unqual", "union", "unsigned", "using",
    "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
];

const CUDA: &[&str] = &["blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize"];

#[rustfmt::skip]
const OPENCL: &[&str] = &[
    "complex", "constant", "event_t", "generic", "global", "imaginary", "image1d_t", "image2d_t",
    "image3d_t", "intptr_t", "kernel", "local", "pipe", "ptrdiff_t", "quad", "read_only",
    "read_write", "sampler_t", "size_t", "uintptr_t", "uniform", "write_only",
];

#[rustfmt::skip]
const METAL: &[&str] = &[
    "as_type", "constant", "device", "fragment", "kernel", "metal", "ptrdiff_t", "ray_data",
    "sampler", "size_t", "thread", "threadgroup", "threadgroup_imageblock", "vertex",
];

/// Keywords and reserved words of WGSL, but for `layout`, which is reserved: names that begin with it are not.
#[rustfmt::skip]
const WGSL: &[&str] = &[
    "alias", "break", "case", "const", "const_assert", "continue", "continuing", "default",
    "diagnostic", "discard", "else", "enable", "false", "fn", "for", "if", "let", "loop",
    "override", "requires", "return", "struct", "switch", "true", "var", "while",
    "NULL", "Self", "abstract", "active", "alignas", "alignof", "as", "asm", "asm_fragment",
    "async", "attribute", "auto", "await", "become", "cast", "catch", "class", "co_await",
    "co_return", "co_yield", "coherent", "column_major", "common", "compile", "compile_fragment",
    "concept", "const_cast", "consteval", "constexpr", "constinit", "crate", "debugger",
    "decltype", "delete", "demote", "demote_to_helper", "do", "dynamic_cast", "enum", "explicit",
    "export", "extends", "extern", "external", "fallthrough", "filter", "final", "finally",
    "friend", "from", "fxgroup", "get", "goto", "groupshared", "highp", "impl", "implements",
    "import", "inline", "instanceof", "interface", "lowp", "macro", "macro_rules", "match",
    "mediump", "meta", "mod", "module", "move", "mut", "mutable", "namespace", "new", "nil",
    "noexcept", "noinline", "nointerpolation", "non_coherent", "noncoherent", "noperspective",
    "null", "nullptr", "of", "operator", "package", "packoffset", "partial", "pass", "patch",
    "pixelfragment", "precise", "precision", "premerge", "priv", "protected", "pub", "public",
    "readonly", "ref", "regardless", "register", "reinterpret_cast", "require", "resource",
    "restrict", "self", "set", "shared", "sizeof", "smooth", "snorm", "static", "static_assert",
    "static_cast", "std", "subroutine", "super", "target", "template", "this", "thread_local",
    "throw", "trait", "try", "type", "typedef", "typeid", "typename", "typeof", "union", "unless",
    "unorm", "unsafe", "unsized", "use", "using", "varying", "virtual", "volatile", "wgsl",
    "where", "with", "writeonly", "yield",
];
