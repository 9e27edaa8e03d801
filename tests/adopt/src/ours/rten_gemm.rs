use layout::{Copier, Padding, Strided, layout};

type Rows = layout!(F32[?,?]);
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
    let mut packed = vec![0.0; k * n.next_multiple_of(NR)];
    for (block, row) in packed.chunks_mut(DEPTH * n.next_multiple_of(NR)).zip((0..k).step_by(DEPTH)) {
        let dims = [DEPTH.min(k - row), n];
        let source = &b[row * strides[0]..];
        if strides == [n, 1] {
            Copier::<Rows, Panels<NR>>::new().run(dims, source, block, Padding::Leave)?;
        } else {
            let source = Strided::new(source, dims, strides.map(|stride| stride as isize))?;
            let panels = Panels::<NR>::with_dims(dims)?;
            source.relayout_to(&mut panels.view_mut(block)?, Padding::Leave);
        }
    }
    Ok(packed)
}
