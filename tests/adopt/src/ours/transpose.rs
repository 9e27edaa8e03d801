use layout::{Padding, Strided, StridedMut};

/// Transposes a matrix of elements of any type.
pub fn transpose<T: Copy + 'static>(input: &[T], output: &mut [T], width: usize, height: usize) {
    let (dims, long) = ([height, width], "the slices hold the matrix");
    let rows = Strided::new(input, dims, [width as isize, 1]).expect(long);
    let mut columns = StridedMut::new(output, dims, [1, height as isize]).expect(long);
    rows.copy_to(&mut columns, Padding::Leave).expect("the same sizes");
}
