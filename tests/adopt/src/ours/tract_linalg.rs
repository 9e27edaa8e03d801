use layout::{Copier, Strided, layout};

type Rows = layout!(S8[?,?]);
type Columns = layout!(S8[?,?]{0,1});
type Panels<const R: usize> = layout!(S8[?,?]{0,1:T(R,4)});

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Packs a matrix of `[k, mn]` elements with any strides into panels of `r` columns, four rows of a column side by side.
pub fn pack_view(
    r: usize,
    source: &[i8],
    dims: [usize; 2],
    strides: [isize; 2],
) -> Result<Vec<i8>> {
    match r {
        4 => pack::<4>(source, dims, strides),
        8 => pack::<8>(source, dims, strides),
        16 => pack::<16>(source, dims, strides),
        32 => pack::<32>(source, dims, strides),
        _ => Err("kernels have panels of 4, 8, 16 and 32 columns".into()),
    }
}

fn pack<const R: usize>(source: &[i8], dims: [usize; 2], strides: [isize; 2]) -> Result<Vec<i8>> {
    let [k, mn] = dims.map(|size| size as isize);
    let mut panels = Vec::new();
    if strides == [mn, 1] {
        Copier::<Rows, Panels<R>>::new().run(dims, source, &mut panels, 0)?;
    } else if strides == [1, k] {
        Copier::<Columns, Panels<R>>::new().run(dims, source, &mut panels, 0)?;
    } else {
        Strided::new(source, dims, strides)?.write_to::<Panels<R>, _>(&mut panels, 0)?;
    }
    Ok(panels)
}
