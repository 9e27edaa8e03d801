use layout::{Copier, Strided, layout};

type Rows = layout!(F32[?,?]);
type Columns = layout!(F32[?,?]{0,1});
type Panels<const NR: usize> = layout!(F32[?,?]{0,1:T(NR,1)});

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Rows that are packed together, so that a panel of them stays in the first cache.
const DEPTH: usize = 256;

/// Packs a matrix of `[k, n]` elements into panels of `NR` columns, in blocks of rows.
pub fn prepack_b<const NR: usize>(
    b: &[f32],
    [k, n]: [usize; 2],
    strides: [usize; 2],
) -> Result<Vec<f32>> {
    let width = n.next_multiple_of(NR);
    let mut packed = Vec::with_capacity(k * width);
    let blocks = packed.spare_capacity_mut()[..k * width].chunks_mut(DEPTH * width);
    for (block, row) in blocks.zip((0..k).step_by(DEPTH)) {
        let dims = [DEPTH.min(k - row), n];
        let source = &b[row * strides[0]..];
        if strides == [n, 1] {
            Copier::<Rows, Panels<NR>>::new().run(dims, source, block, 0.0)?;
        } else if strides == [1, dims[0]] {
            Copier::<Columns, Panels<NR>>::new().run(dims, source, block, 0.0)?;
        } else {
            let source = Strided::new(source, dims, strides.map(|stride| stride as isize))?;
            source.write_to::<Panels<NR>, _>(block, 0.0)?;
        }
    }
    // SAFETY: each block has been written.
    unsafe { packed.set_len(k * width) };
    Ok(packed)
}
