//! Layouts of JAX's Mosaic GPU against what JAX answers.

use layout::ArrayShape;
use layout::bitcast::same_bytes;
use layout_formats::packed_format::{MosaicGpu, ThreadDim};

use super::{agrees, lines, memory};
use layout_tests::lists;
use layout_tests::naive::unflatten;

#[test]
fn tiled_layouts() {
    let mut found = std::collections::BTreeSet::new();
    for line in lines("fragments") {
        let Some(name) = &line.tiled else { continue };
        let tiled = MosaicGpu::find(name).unwrap_or_else(|| panic!("{name}"));
        let array: ArrayShape = line.tiling_layout.as_ref().unwrap().parse().unwrap();
        assert_eq!(*array.tiles(), tiled.tiles(), "{name}");
        let shape = tiled.layout(&array).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(agrees(&line, &shape), "{name}: {shape}");
        let expected: ArrayShape = line.layout.as_ref().unwrap().parse().unwrap();
        assert_eq!(same_bytes(&shape, &expected), Ok(()), "{name}");
        threads(&tiled, &array, &shape);
        found.insert(tiled.name());
    }
    assert!(MosaicGpu::ALL.iter().all(|tiled| found.contains(tiled.name())));
}

/// Where nothing is replicated, offsets are threads and values.
fn threads(tiled: &MosaicGpu, array: &ArrayShape, shape: &ArrayShape) {
    let dims = tiled.warp_dims().iter().chain(tiled.lane_dims());
    let copies = dims.map(|dim| match dim {
        ThreadDim::Replicated(copies) => *copies,
        ThreadDim::Dim(_) => 1,
    });
    let dims = lists::dims(array);
    let threads = 128 / copies.product::<usize>();
    let values = memory(shape).len() / threads;
    let digits = shape.digits().unwrap();
    let mut last = 0;
    for number in 0..dims.iter().product() {
        let index = unflatten(number, &dims);
        let (thread, value) = tiled.thread_and_value_of(array, &index).unwrap();
        let offset = digits.offset(&index).unwrap();
        assert_eq!(value, offset % values, "{tiled} {index:?}");
        assert!(thread < 128, "{tiled} {index:?}");
        if threads == 128 {
            assert_eq!(thread, offset / values, "{tiled} {index:?}");
        }
        last = last.max(thread);
    }
    assert!(last >= threads - 1, "{tiled}");
    assert_eq!(tiled.thread_and_value_of(array, &dims), None);
}
