//! Layouts at the limits: each has a text in every language, or an error; nothing overflows.

use layout::ArrayShape;
use layout::shape::{Swizzle, SwizzleUnit};
use layout_gpu::code::{Code, CodeError, Language};
use layout_tests::extreme;
use layout_tests::random::Random;

#[test]
fn any_layout_is_written_or_refused() {
    let mut random = Random::new(2);
    let (mut written, mut refused, mut swizzled) = (0, 0, 0);
    for _ in 0..3000 {
        let Ok(mut shape) = extreme::text(&mut random).parse::<ArrayShape>() else { continue };
        // One whose blocks the memory has, but which may read any bits.
        let (bits, base) = (1 + random.below(3) as u8, random.below(4) as u8);
        let shift = bits as i8 + random.below(50) as i8;
        let swizzle = Swizzle::new(SwizzleUnit::Elements, bits, base, shift).unwrap();
        shape = shape.with_swizzle(swizzle).unwrap_or(shape);
        swizzled += usize::from(!shape.swizzle().is_none());
        for &language in Language::ALL {
            for bits in [32, 64] {
                match Code::of(&shape, language).index_bits(bits).text() {
                    Ok(text) => {
                        let whole = text.to_string();
                        assert_eq!(whole.len(), text.len(), "{shape}");
                        written += 1;
                        if bits == 32 && language != Language::Mlir {
                            check_numbers(&whole, &shape);
                        }
                    }
                    Err(CodeError::TooLarge { .. }) => {
                        assert!(bits == 32 && language != Language::Mlir, "{shape} in {language}");
                        refused += 1;
                    }
                    Err(CodeError::IndexBits { .. }) => {}
                    Err(error) => panic!("{shape} in {language}: {error}"),
                }
            }
        }
    }
    assert!(written > 3000 && refused > 3000, "{written} written, {refused} refused");
    assert!(swizzled > 300, "{swizzled} swizzled");
}

/// No number of 32 bits is larger than these hold.
fn check_numbers(text: &str, shape: &ArrayShape) {
    let code = text.lines().filter(|line| !line.starts_with("//"));
    for word in code.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')) {
        if let Some(Ok(number)) = word.strip_suffix('u').map(str::parse::<u64>) {
            assert!(number <= u64::from(u32::MAX), "{shape}: {word}");
        }
    }
}
