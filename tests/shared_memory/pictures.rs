//! Pictures of shared memory and of fragments, read as text.

use std::collections::HashMap;

use layout::__private::core::native;
use layout::shape::Size;
use layout_gpu::banks::{Access, BANKS, LANES};
use layout_gpu::fragment::{Holder, Instruction, Operand};
use layout_picture::gpu;
use layout_tests::lists::array;
use layout_tests::pictures::{cells, well_formed};
use layout_tests::table;

/// Each word of the tile is at the address and in the bank that its element says, and each lane has its words in it and in
/// the wavefronts.
#[test]
fn banks() {
    for columns in table::of("pictured_banks", "access") {
        let [tile, access, bytes, base] = &columns[..] else { panic!("{columns:?}") };
        let [bytes, base] = [bytes, base].map(|number| number.parse::<usize>().unwrap());
        let shape = array(tile);
        let (digits, bits) = (shape.digits().unwrap(), shape.element_bits());
        let access = if access.is_empty() {
            Access::new(&[Some([]); LANES], bytes).unwrap().at(base)
        } else {
            Access::parse(access, bytes).unwrap().at(base)
        };
        let addresses = access.addresses(&shape).unwrap();
        let svg = gpu::banks(&shape, &[access]).unwrap();
        well_formed(&svg);
        let mut words = [0; LANES];
        let mut served = HashMap::new();
        for cell in cells(&svg) {
            let lanes = cell.key.as_deref().unwrap_or("").split_whitespace();
            let lanes = lanes.map(|lane| lane.parse::<usize>().unwrap()).collect::<Vec<_>>();
            let (what, place) = cell.hint.split_once(" at byte ").unwrap_or(("", &cell.hint));
            let numbers = place.split(|c: char| !c.is_ascii_digit()).filter(|it| !it.is_empty());
            let numbers = numbers.map(|it| it.parse::<Size>().unwrap()).collect::<Vec<_>>();
            let word = if what.is_empty() { numbers[0] } else { numbers[0] / 4 };
            assert_eq!(word % BANKS as Size, numbers[1], "{tile}: {}", cell.hint);
            for lane in lanes {
                let start = addresses.addresses()[lane].unwrap() / 4;
                assert!((start..start + bytes.div_ceil(4) as Size).contains(&word), "{tile}");
                words[lane] += usize::from(!what.is_empty());
                *served.entry((lane, word)).or_insert(0) += usize::from(what.is_empty());
            }
            if let Some(index) = what.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
                let index = index.split(',').filter(|it| !it.is_empty());
                let index = index.map(|it| it.parse().unwrap()).collect::<Vec<Size>>();
                let first = base + digits.offset(&index).unwrap() * bits / 8;
                assert!((first..first + bits.div_ceil(8)).contains(&numbers[0]), "{}", cell.hint);
            }
        }
        assert_eq!(words, [bytes.div_ceil(4); LANES], "{tile}");
        assert!(served.values().all(|times| *times == 1), "{tile}: {served:?}");
    }
    let wrong = Access::parse("lane, 0", 4).unwrap();
    assert!(gpu::banks(&array("f32[8]"), &[wrong]).is_err());
    assert!(gpu::banks(&array("f32[8]"), &[]).is_ok());
}

/// Each element is in the cell of its holder.
#[test]
fn fragments() {
    for operand in [Operand::A, Operand::B, Operand::D] {
        for fragment in [
            Instruction::mma([16, 8, 16], 16).operand(operand).unwrap(),
            Instruction::wmma(1, 16, false).operand(operand).unwrap(),
        ] {
            let title = "a <b> & \"c\"";
            let svg = gpu::fragment(title, &fragment);
            well_formed(&svg);
            assert!(!svg.contains("<b>"));
            let mut count = 0;
            for cell in cells(&svg) {
                let index = cell.index.unwrap();
                let index = index.split(',').map(|it| it.parse().unwrap()).collect::<Vec<Size>>();
                let Holder { warp, lane, register, .. } = fragment.holder(&index).unwrap();
                assert_eq!(cell.key, Some(format!("{warp}.{lane}")));
                assert!(cell.hint.ends_with(&format!("lane {lane}, register {register}")));
                count += 1;
            }
            assert_eq!(count, native(fragment.dims().iter().product()));
        }
    }
}
