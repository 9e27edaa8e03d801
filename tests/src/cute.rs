//! Layouts in CuTe's text, evaluated as CuTe does.

use layout::shape::Size;

use crate::naive::every_index;

/// A text with what it means: of each mode its integers with their strides, the one that varies fastest first.
#[derive(Debug)]
pub struct Text(pub Vec<Vec<(Size, Size)>>);

/// The integers of each mode of a tuple.
fn modes(tuple: &str) -> Vec<Vec<Size>> {
    let integers = |mode: &str| {
        let integers = mode.split(['(', ')', ',']).filter(|integer| !integer.is_empty());
        integers.map(|integer| integer.parse().unwrap()).collect()
    };
    let Some(tuple) = tuple.strip_prefix('(') else { return vec![integers(tuple)] };
    let mut depth = 0;
    let modes = tuple.strip_suffix(')').unwrap().split(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    modes.filter(|mode| !mode.is_empty()).map(integers).collect()
}

impl Text {
    /// Reads `((8,2),4):((1,64),8)`.
    ///
    /// # Panics
    /// If it is not a layout of CuTe.
    pub fn new(text: &str) -> Text {
        let (shape, stride) = text.split_once(':').unwrap();
        let (shapes, strides) = (modes(shape), modes(stride));
        assert!(shapes.iter().map(Vec::len).eq(strides.iter().map(Vec::len)), "{text}");
        let modes = shapes.into_iter().zip(strides);
        Text(modes.map(|(shape, stride)| shape.into_iter().zip(stride).collect()).collect())
    }

    /// The sizes of the modes.
    pub fn dims(&self) -> Vec<Size> {
        self.0.iter().map(|mode| mode.iter().map(|(size, _)| size).product()).collect()
    }

    /// The offset of an index: CuTe takes a coordinate apart colexicographically, and the last integer takes what is left.
    pub fn offset(&self, index: &[Size]) -> Size {
        let of_mode = |(mode, coordinate): (&Vec<(Size, Size)>, &Size)| -> Size {
            let mut left = *coordinate;
            let mut value = |at, size| {
                let value = if at + 1 == mode.len() { left } else { left % size };
                left /= size;
                value
            };
            mode.iter().enumerate().map(|(at, &(size, stride))| value(at, size) * stride).sum()
        };
        self.0.iter().zip(index).map(of_mode).sum()
    }

    /// The offsets in row-major order.
    pub fn offsets(&self, dims: &[Size]) -> Vec<Size> {
        every_index(dims).map(|index| self.offset(&index)).collect()
    }
}
