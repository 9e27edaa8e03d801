//! Tensor maps. More of them are rows of `data/tables/gpu.txt`.

use layout::ArrayShape;
use layout::shape::Size;
use layout_gpu::tensor_map::TensorMap;
use layout_tests::{lists, table};
use serde_json::{Value, json};

use crate::shared::{array, element, mode, number, numbers, rows};

/// The array of a row with its strides: `PAD` widens each dimension to the stride of the one before it.
fn strided(row: &Value) -> ArrayShape {
    let (dims, strides) = (numbers(&row["shape"]), numbers(&row["strides_elements"]));
    assert_eq!(strides.last(), Some(&1), "{row}");
    let mut widths = strides.windows(2).map(|pair| pair[0] / pair[1]).collect::<Vec<_>>();
    widths.insert(0, dims[0]);
    let plain = array(element(&row["dtype"]), &dims).to_string();
    let widths = widths.iter().map(Size::to_string).collect::<Vec<_>>().join(",");
    let shape = plain.replace('}', &format!(":PAD({widths})}}")).parse::<ArrayShape>().unwrap();
    for (dim, stride) in strides.iter().enumerate().filter(|(dim, _)| dims[*dim] > 1) {
        let mut index = vec![0; dims.len()];
        index[dim] = 1;
        assert_eq!(shape.digits().unwrap().offset(&index), Some(*stride), "{row}");
    }
    shape
}

/// The map of a row of Triton, after a check of the number of copies.
fn triton_map(row: &Value) -> TensorMap {
    let (of, block) = (element(&row["dtype"]), numbers(&row["block"]));
    let swizzle = mode(number(&row["swizzle_bytes"]));
    // Of a block it moves a span of the swizzle along the last dimension by one copy, and at most 256 along the others.
    let mut dims = block.iter().map(|size| *size.min(&256)).collect::<Vec<_>>();
    if !swizzle.is_none() {
        *dims.last_mut().unwrap() = swizzle.block() / of.bytes();
    }
    let copies = block.iter().zip(&dims).map(|(size, of_tile)| size.div_ceil(*of_tile));
    assert_eq!(copies.product::<Size>(), number(&row["copies"]), "{row}");
    let tile = array(of, &dims).with_swizzle(swizzle).unwrap();
    let map = TensorMap::new(&strided(row), &tile).unwrap_or_else(|error| panic!("{row}: {error}"));
    if row["padding"] == "nan" { map.with_nan_fill().unwrap() } else { map }
}

#[test]
fn triton_arguments() {
    for row in rows("tensor_maps", "triton_tma_arguments") {
        assert_eq!(row["transposed"], false, "{row}");
        let map = triton_map(&row);
        let found = json!({
            "data_type": map.data_type,
            "rank": map.rank,
            "global_dim": &map.global_dim[..map.rank],
            "global_strides_bytes": &map.global_strides[..map.rank - 1],
            "box_dim": &map.box_dim[..map.rank],
            "element_strides": vec![1; map.rank],
            "interleave": 0,
            "swizzle": map.swizzle,
            "l2_promotion": map.l2_promotion,
            "oob_fill": map.oob_fill,
        });
        assert_eq!(row["cuTensorMapEncodeTiled"], found, "{row}");
    }
}

#[test]
fn triton_replaces_fields() {
    let by_place = |numbers: Vec<u64>| {
        let places = numbers.iter().enumerate();
        places.map(|(place, number)| (place.to_string(), json!(number))).collect::<Value>()
    };
    let wide = |numbers: &[u32]| numbers.iter().map(|number| u64::from(*number)).collect();
    for row in rows("tensor_maps", "triton_tensormap") {
        let map = triton_map(&row);
        let mut found = json!({
            "rank": map.rank - 1,
            "box_dim": by_place(wide(&map.box_dim[..map.rank])),
            "global_dim": by_place(map.global_dim[..map.rank].to_vec()),
            "global_stride": by_place(map.global_strides[..map.rank - 1].to_vec()),
            "element_stride": by_place(vec![1; map.rank]),
        });
        let [elemtype, swizzle_mode, swizzle_atomicity] = map.replace;
        // Fields that are 0 are not written.
        for (name, value) in [
            ("elemtype", elemtype),
            ("swizzle_mode", swizzle_mode),
            ("swizzle_atomicity", swizzle_atomicity),
            ("fill_mode", map.oob_fill),
        ] {
            if value != 0 {
                found[name] = json!(value);
            }
        }
        assert_eq!(row["tensormap"], found, "{row}");
    }
}

#[test]
fn mosaic_arguments() {
    for row in rows("tensor_maps", "mosaic_tma_arguments") {
        let of = element(&row["dtype"]);
        let global = array(of, &numbers(&row["shape"]));
        let mut tile = array(of, &numbers(&row["slice"]));
        if !row["tile"].is_null() {
            let sizes = numbers(&row["tile"]);
            let text = format!(":T({},{})}}", sizes[0], sizes[1]);
            tile = tile.to_string().replace('}', &text).parse().unwrap();
        }
        let span = number(&row["swizzle_bytes"]);
        if span > 0 {
            tile = tile.with_swizzle(mode(span)).unwrap();
        }
        let map = TensorMap::new(&global, &tile);
        let map = map.unwrap_or_else(|error| panic!("{row}: {error}"));
        let expected = &row["arguments"];
        let reversed = |name: &str| numbers(&expected[name]).into_iter().rev().collect::<Vec<_>>();
        assert_eq!(map.rank, number(&expected["rank"]), "{row}");
        assert!(
            map.global_dim[..map.rank].iter().map(|n| *n as Size).eq(reversed("sizes")),
            "{row}"
        );
        assert!(map.box_dim[..map.rank].iter().map(|n| *n as Size).eq(reversed("box")), "{row}");
        let strides = reversed("strides_elements");
        assert_eq!(strides[0], 1, "{row}");
        let bytes = strides[1..].iter().map(|stride| stride * of.bytes());
        assert!(map.global_strides[..map.rank - 1].iter().map(|n| *n as Size).eq(bytes), "{row}");
        let span_of_map = [16, 32, 64, 128][map.swizzle as usize];
        assert_eq!(number(&expected["swizzle"]), span_of_map, "{row}");
    }
}

/// Every element of a box, copied as the arguments say, lands where the tile has it.
#[test]
fn copies_fill_the_tile() {
    for columns in table::of("copied_boxes", "box") {
        let [global, tile] = [0, 1].map(|at| lists::array(&columns[at]));
        let map = TensorMap::new(&global, &tile);
        let map = map.unwrap_or_else(|error| panic!("{global} {tile}: {error}"));
        let bytes = global.element_type().bytes();
        let (from, to) = (global.digits().unwrap(), tile.digits().unwrap());
        let unit = tile.swizzle();
        // A copy writes the box innermost dimension first, in lines as wide as the swizzle, which then moves them.
        let inner = map.box_dim[0] as Size;
        let line = if unit.is_none() { inner } else { unit.block() / bytes };
        let size = map.box_dim[..map.rank].iter().map(|size| *size as Size).product::<Size>();
        assert_eq!(Some(size), tile.elements(), "{global} {tile}");
        for written in 0..size {
            let (mut rest, mut read) = (written, 0);
            for (place, of_box) in map.box_dim[..map.rank].iter().enumerate() {
                let coordinate = rest % *of_box as Size;
                rest /= *of_box as Size;
                let stride = if place == 0 { bytes } else { map.global_strides[place - 1] as Size };
                read += coordinate * stride;
                assert!((coordinate as u64) < map.global_dim[place], "{global} {tile}");
            }
            let slot = written / inner * line + written % inner;
            let slot = unit.apply(slot * bytes) / bytes;
            let index = to.index(slot).unwrap();
            assert_eq!(
                from.offset(&index).map(|offset| offset * bytes),
                Some(read),
                "{global} {tile}"
            );
        }
    }
}
