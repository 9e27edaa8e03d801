use layout::{Strided, StridedMut};

/// Transposes a matrix of elements of any type.
pub fn transpose<T: Copy + 'static>(input: &[T], output: &mut [T], width: usize, height: usize) {
    let (dims, long) = ([height, width], "the slices hold the matrix");
    let rows = Strided::new(input, dims, [width as isize, 1]).expect(long);
    rows.relayout_to_strided(&mut StridedMut::new(output, dims, [1, height as isize]).expect(long));
}
