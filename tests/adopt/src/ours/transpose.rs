use layout::layout;

type Rows = layout!(U8[?,?]);
type Columns = layout!(U8[?,?]{0,1});

/// Transposes a matrix of elements of any type.
pub fn transpose<T: Copy + 'static>(input: &[T], output: &mut [T], width: usize, height: usize) {
    let rows = Rows::with_dims([height, width]).expect("the matrix fits in memory");
    rows.relayout_any::<Columns, T>(input, output, None).expect("the slices hold the matrix");
}
