//! What cannot be written is an error that says what to do.

use layout::ArrayShape;
use layout::code::{Code, CodeError, Language};

const C_FAMILY: [Language; 5] =
    [Language::C99, Language::Cuda, Language::Hip, Language::OpenCl, Language::Metal];

fn shape(text: &str) -> ArrayShape {
    text.parse().unwrap_or_else(|error| panic!("{text}:\n{error}"))
}

fn error(text: &str, language: Language, name: &str, bits: usize) -> String {
    let shape = shape(text);
    match Code::of(&shape, language).name(name).index_bits(bits).text() {
        Ok(_) => panic!("{text} in {language} as `{name}` is written"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn names() {
    let wrong =
        ["", "9a", "a-b", "_a", "a_", "a__b", "é", "a b", "a\n", "a;", "a.b", "\u{202e}a", "_"];
    for &language in Language::ALL {
        for name in wrong {
            let error = error("f32[3,5]", language, name, 32);
            assert!(error.contains("cannot be the name: write an ASCII letter"), "{error}");
            assert!(!error.contains(['\n', '\u{202e}']), "{error:?}");
        }
        for name in ["a", "A9", "a_b", "layout", "weights_2"] {
            assert!(Code::of(&shape("f32[3,5]"), language).name(name).text().is_ok(), "{name}");
        }
    }
    let long = "é".repeat(1000);
    let error = error("f32[3,5]", Language::C99, &long, 32);
    assert!(error.starts_with(&format!("`{}..` cannot", "é".repeat(30))), "{error}");
}

#[test]
fn reserved_words() {
    let reserved = |language, name| {
        let error = Code::of(&shape("f32[3]"), language).name(name).text().unwrap_err();
        assert!(matches!(error, CodeError::ReservedName { .. }), "{language} {name}");
        let message = error.to_string();
        assert!(message.ends_with(": choose another name") && message.contains(language.name()));
    };
    for language in C_FAMILY {
        for name in ["for", "int", "restrict", "template", "xor_eq"] {
            reserved(language, name);
        }
    }
    for name in ["fn", "while", "smooth", "yield", "alias"] {
        reserved(Language::Wgsl, name);
    }
    reserved(Language::Cuda, "threadIdx");
    reserved(Language::OpenCl, "kernel");
    reserved(Language::OpenCl, "uint4");
    reserved(Language::Metal, "half4x4");
    // The function that this would name is one of OpenCL.
    assert_eq!(
        error("f32[3]", Language::OpenCl, "get_global", 32),
        "`get_global_offset` is reserved in OpenCL: choose another name"
    );
    assert!(Code::of(&shape("f32[3]"), Language::C99).name("get_global").text().is_ok());
    assert!(Code::of(&shape("f32[3]"), Language::Mlir).name("for").text().is_ok());
}

#[test]
fn sizes_above_32_bits() {
    let most = "u8[4294967295]";
    let more = ["u8[4294967296]", "u8[4294967295]{0:T(2)}", "u8[4294967295]{0:L(4096)}"];
    for &language in Language::ALL {
        assert!(Code::of(&shape(most), language).text().is_ok(), "{language}");
        for text in more {
            if language == Language::Mlir {
                assert!(Code::of(&shape(text), language).text().is_ok(), "{text}");
                continue;
            }
            let error = error(text, language, "a", 32);
            assert!(
                error.starts_with(
                    "the layout takes 4294967296 slots, and an index of 32 bits counts 4294967295: "
                ),
                "{error}"
            );
            let advice =
                if language == Language::Wgsl { "split the array" } else { "ask for 64 bits" };
            assert!(error.contains(advice), "{error}");
        }
    }
    for language in C_FAMILY {
        let shape = shape("u8[4294967296,100]{1,0:T(8,128)}");
        let text = Code::of(&shape, language).index_bits(64).text().unwrap().to_string();
        assert!(text.contains("_PADDED_ELEMENTS 549755813888u"), "{text}");
    }
    assert_eq!(
        error("u8[0,4294967296]", Language::Wgsl, "a", 32),
        "dimension 1 has 4294967296 elements, and an index of 32 bits counts 4294967295: split the array, since WGSL \
         has no integers of 64 bits"
    );
    // A size that is not known has to be 1 at least.
    let error = error("u8[?,65536]{1,0:T(65537,65537)}", Language::C99, "a", 32);
    assert!(error.starts_with("the layout takes 4295098369 slots"), "{error}");
}

/// Bytes may be more than 32 bits count where slots are not.
#[test]
fn bytes_above_32_bits() {
    let shape = shape("f64[4294967295]");
    let text = |language: Language| Code::of(&shape, language).text().unwrap().to_string();
    assert!(text(Language::C99).contains("#define layout_BYTES 34359738360ull\n"));
    assert!(text(Language::OpenCl).contains("#define layout_BYTES 34359738360ul\n"));
    assert!(
        text(Language::Wgsl)
            .contains("\n// layout_BYTES would be 34359738360, above what 32 bits count\n")
    );
}

#[test]
fn widths() {
    for (language, bits, advice) in [
        (Language::Wgsl, 64, "leave the width out, or ask for 32"),
        (Language::Mlir, 64, "leave the width out, maps count in `index`"),
        (Language::C99, 16, "ask for 32 or 64"),
        (Language::Cuda, 0, "ask for 32 or 64"),
    ] {
        let expected = format!("there is no index of {bits} bits in {language}: {advice}");
        assert_eq!(error("f32[3]", language, "a", bits), expected);
    }
}
