//! Layouts in CuTe's text, read without the library.

use layout::shape::Size;

/// A layout in CuTe's text, evaluated at a number of its mode: `((8,2),4):((1,64),8)`.
#[derive(Debug)]
pub(crate) enum Cute {
    Number(Size),
    Modes(Vec<Cute>),
}

impl Cute {
    pub(crate) fn parse(text: &str) -> (Cute, Cute) {
        let (shape, stride) = text.split_once(':').unwrap();
        let one = |text: &str| Cute::read(&mut text.bytes().collect::<Vec<_>>().as_slice());
        (one(shape), one(stride))
    }

    fn read(text: &mut &[u8]) -> Cute {
        if text[0] != b'(' {
            let digits = text.iter().take_while(|c| c.is_ascii_digit()).count();
            let (number, rest) = text.split_at(digits);
            *text = rest;
            return Cute::Number(std::str::from_utf8(number).unwrap().parse().unwrap());
        }
        let mut modes = Vec::new();
        while text[0] != b')' {
            *text = &text[1..];
            modes.push(Cute::read(text));
        }
        *text = &text[1..];
        Cute::Modes(modes)
    }

    pub(crate) fn mode(&self, number: usize) -> &Cute {
        match self {
            Cute::Modes(modes) => &modes[number],
            Cute::Number(_) => self,
        }
    }

    pub(crate) fn size(&self) -> Size {
        match self {
            Cute::Number(size) => *size,
            Cute::Modes(modes) => modes.iter().map(Cute::size).product(),
        }
    }

    /// The offset of a colexicographic number.
    pub(crate) fn offset(&self, stride: &Cute, number: Size) -> Size {
        match (self, stride) {
            (Cute::Number(_), Cute::Number(stride)) => number * stride,
            (Cute::Modes(modes), Cute::Modes(strides)) => {
                let mut rest = number;
                let mut offset = 0;
                for (mode, stride) in modes.iter().zip(strides) {
                    offset += mode.offset(stride, rest % mode.size());
                    rest /= mode.size();
                }
                offset
            }
            other => panic!("{other:?}"),
        }
    }

    /// Sizes and strides without the parentheses, the fastest first.
    pub(crate) fn digits(&self, stride: &Cute) -> Vec<(Size, Size)> {
        match (self, stride) {
            (Cute::Number(size), Cute::Number(stride)) => vec![(*size, *stride)],
            (Cute::Modes(modes), Cute::Modes(strides)) => {
                modes.iter().zip(strides).flat_map(|(mode, stride)| mode.digits(stride)).collect()
            }
            other => panic!("{other:?}"),
        }
    }
}
