//! Texts as constants, and through small windows: the same as those of values.

use layout::{ArrayShape, layout};
use layout_gpu::code;
use layout_gpu::code::{Code, Language};
use layout_tests::code::cases;

type Ragged = layout!(F32[300,500]{1,0:T(8,128)});
type Combined = layout!(BF16[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)});
type Unknown = layout!(F32[?,<=20,500]{2,1,0:T(8,128)(2,1)});

fn text(shape: &ArrayShape, language: Language, name: &str, bits: usize) -> String {
    Code::of(shape, language).name(name).index_bits(bits).text().unwrap().to_string()
}

#[test]
fn names_of_ones_own() {
    const WEIGHTS: &str = code!(Ragged, Wgsl, "weights");
    assert_eq!(WEIGHTS, text(Ragged::SHAPE, Language::Wgsl, "weights", 32));
    assert_eq!(code!(Unknown, Cuda), text(Unknown::SHAPE, Language::Cuda, "layout", 32));
    let wide = code!(layout!(F32[65536,65536]), OpenCl, "matrix", index_bits = 64);
    let shape: ArrayShape = "f32[65536,65536]".parse().unwrap();
    assert_eq!(wide, text(&shape, Language::OpenCl, "matrix", 64));
    assert_eq!(
        code!(Combined, C99, index_bits = 64),
        text(Combined::SHAPE, Language::C99, "layout", 64)
    );
}

/// The text is written in parts, and its length is that of the whole.
#[test]
fn written_in_parts() {
    for case in cases() {
        let text = Code::of(&case.shape, Language::Wgsl).name(&case.name).text().unwrap();
        let whole = text.to_string();
        assert_eq!((whole.len(), whole.is_ascii()), (text.len(), true), "{}", case.shape);
        assert!(whole.ends_with("}\n") && !whole.contains("\n\n\n"), "{whole}");
    }
    let dims = vec!["<=2"; 16].join(",");
    let long: ArrayShape = format!(
        "f32[{dims}]{{{}:T(2,2,2)(*,2,1)}}",
        (0..16).map(|i| i.to_string()).collect::<Vec<_>>().join(",")
    )
    .parse()
    .unwrap();
    let text = Code::of(&long, Language::Cuda).text().unwrap();
    assert!(text.len() > 4096);
    assert_eq!(text.to_string().len(), text.len());
}
