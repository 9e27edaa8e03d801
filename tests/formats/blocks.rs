//! Whole blocks, bit by bit.

use layout::ArrayShape;
use layout_formats::packed_format::{BlockFormat, PackedFormat};

use super::lines;

/// Every bit of every code, as gguf's own dequantization finds it.
#[test]
fn bits_of_codes() {
    let lines = lines("ggml_bits");
    assert_eq!(lines.len(), 15);
    for line in lines {
        let format = BlockFormat::find(&line.format).unwrap();
        assert_eq!(line.block_bytes, Some(format.bytes()), "{format:?}");
        assert_eq!(
            (format.rows(), Some(format.elements())),
            (1, line.block_elements),
            "{format:?}"
        );
        for (element, expected) in line.bits.unwrap().iter().enumerate() {
            let mut bits =
                format.bits_of(format.elements(), [0, element]).unwrap().collect::<Vec<_>>();
            bits.sort_unstable();
            assert_eq!(bits, *expected, "{format:?}: element {element}");
        }
    }
}

/// The bits of a code come low to high, also where the block has them in another order.
#[test]
fn bits_in_their_order() {
    let mut count = 0;
    for line in lines("ggml") {
        let (Some(bits), Some(elements)) = (&line.bits, line.block_elements) else { continue };
        let format = BlockFormat::find(&line.format).unwrap();
        for (element, expected) in bits.iter().enumerate() {
            let found = format.bits_of(elements, [0, element]).unwrap().collect::<Vec<_>>();
            assert_eq!(found, *expected, "{format:?}: element {element}");
        }
        count += 1;
    }
    assert_eq!(count, 2);
}

/// Whole blocks as they stand in memory, repacked ones as well.
#[test]
fn whole_blocks() {
    let mut count = 0;
    for line in lines("ggml") {
        let (Some(name), Some(expected)) = (&line.block, &line.memory) else { continue };
        let format = BlockFormat::find(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let dims = line.dims.unwrap();
        let [rows, row] = if dims.len() == 1 { [1, dims[0]] } else { [dims[0], dims[1]] };
        let unit = line.unit_bits.unwrap();
        assert_eq!(format.bytes_of(rows, row), Some(expected.len() * unit / 8), "{name}");
        assert!(line.rows_together.is_none_or(|rows| rows == format.rows()), "{name}");
        let mut found = vec![None; expected.len()];
        for number in 0..rows * row {
            let mut bits = format.bits_of(row, [number / row, number % row]).unwrap();
            let first = bits.next().unwrap();
            assert_eq!(first % unit, 0, "{name}");
            assert!(bits.eq(first + 1..first + unit), "{name}");
            assert_eq!(found[first / unit].replace(number), None, "{name}");
        }
        assert_eq!(found, *expected, "{name}");
        count += 1;
    }
    assert_eq!(count, 25);
}

/// The parts of a block take each of its bits once.
#[test]
fn parts_cover_blocks() {
    for format in BlockFormat::all() {
        let mut taken = vec![0; format.bytes() * 8];
        for part in format.parts() {
            let layout = part.layout();
            let [rows, columns] = [0, 1].map(|dim| layout.dims()[dim].size().unwrap());
            assert_eq!(rows, format.rows(), "{format:?} {part}");
            for row in 0..rows {
                for column in 0..columns {
                    let bit = part.bit_of(format.elements(), [row, column]).unwrap();
                    for taken in &mut taken[bit..bit + layout.element_bits()] {
                        *taken += 1;
                    }
                }
            }
            assert_eq!(part.bit_of(format.elements(), [0, columns]), None);
            assert_eq!(part.bit_of(format.elements() + 1, [0, 0]), None);
            assert_eq!(part.bit_of(format.elements(), [usize::MAX, 0]), None);
            if let (Some(base), Some(pitch)) = (part.base(), part.pitch()) {
                let bits = layout.element_bits();
                assert_eq!((base * bits, pitch * bits), (part.base_bits(), part.pitch_bits()));
            }
        }
        assert!(taken.iter().all(|count| *count == 1), "{format:?}");
        assert_eq!(format.bytes_of(usize::MAX, format.elements()), None);
    }
}

/// Codes that are in one piece have the layout of the packed format with this name.
#[test]
fn codes_are_packed_formats() {
    let mut count = 0;
    for format in BlockFormat::all() {
        let Some(codes) = format.part("codes") else { continue };
        let packed = PackedFormat::find(format.name()).unwrap();
        let layout: ArrayShape = packed.layout(&codes.layout()).unwrap();
        assert_eq!(layout::bitcast::same_bytes(&layout, &codes.layout()), Ok(()), "{packed}");
        count += 1;
    }
    assert_eq!(count, 24);
}
