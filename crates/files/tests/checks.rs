//! `--check` finds the first wrong element of a file, whoever wrote it: here it was written by the naive definition, and
//! then elements were exchanged, lost, or put where a wrong plan would put them.

mod folder;
mod naive;

use std::fs;
use std::path::Path;

use folder::{Folder, bytes, conversion, has, python, rows};
use layout::ArrayShape;
use layout_files::{
    Change, Check, Conversion, Coverage, Difference, Error, ErrorKind, Format, Share, TensorFile,
};
use naive::{Naive, converted, get, set};

fn checked(
    source: &Path,
    target: &Path,
    texts: [&str; 2],
    check: Check,
) -> Result<Coverage, Error> {
    let change = folder::change(texts[0], texts[1]);
    let file = TensorFile::open(source)?;
    conversion(&file, Format::Raw, &change)?.check(target, check, &mut |_| ())
}

/// What a check finds.
#[track_caller]
fn difference(result: Result<Coverage, Error>) -> Difference {
    let error = result.expect_err("a file that is wrong");
    match error.kind() {
        ErrorKind::Check(difference) => (**difference).clone(),
        _ => panic!("{error}"),
    }
}

/// Asserts that both ways of checking find the first slot that differs, and nothing where none does.
#[track_caller]
fn finds(folder: &Folder, texts: [&str; 2], right: &[u8], found: &[u8]) {
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    fs::write(&target, found).unwrap();
    let [from, to] = texts.map(Naive::new);
    let wrong = (0..to.slots).find(|&slot| get(right, to.bits, slot) != get(found, to.bits, slot));
    for check in [Check::All, Check::Sample] {
        let result = checked(&source, &target, texts, check);
        let Some(slot) = wrong else {
            let Coverage { values, of, .. } = result.unwrap();
            assert_eq!((values, of), (to.slots as u64, to.slots as u64), "{texts:?}");
            continue;
        };
        let difference = difference(result);
        let index = to.indices().find(|index| to.slot(index) == slot);
        let source = index.as_ref().map(|index| (from.slot(index) * from.bits) as u64);
        let index = index.map(|index| index.iter().map(|&at| at as u64).collect::<Vec<_>>());
        assert_eq!((&difference.index, difference.source_bit), (&index, source), "{texts:?}");
        assert_eq!(difference.target_bit, (slot * to.bits) as u64, "{texts:?}");
        let values = [right, found].map(|memory| get(memory, to.bits, slot));
        assert_eq!([difference.expected, difference.found], values, "{texts:?}");
    }
}

#[test]
fn the_first_wrong_element() {
    let folder = Folder::new("wrong");
    for texts in rows(include_str!("pairs/checked.txt")) {
        let [from, to] = texts.map(Naive::new);
        let content = bytes(from.bytes());
        folder.write("source.bin", &content);
        let right = converted(&content, [&from, &to]);
        finds(&folder, texts, &right, &right);
        // Each slot, or some: an element that is lost, padding that is not zero.
        for slot in (0..to.slots).step_by(to.slots / 20 + 1) {
            let mut found = right.clone();
            let changed = get(&found, to.bits, slot) ^ 1 << (slot % to.bits);
            set(&mut found, to.bits, slot, changed);
            finds(&folder, texts, &right, &found);
            // A later one too.
            let last = !get(&right, to.bits, to.slots - 1);
            set(&mut found, to.bits, to.slots - 1, last);
            finds(&folder, texts, &right, &found);
        }
        // Two elements exchanged, the first and the last of each row of slots.
        for slot in (0..to.slots).step_by(to.slots / 7 + 1) {
            let mut found = right.clone();
            let pair = [slot, (slot * 5 + 3) % to.slots];
            let values = pair.map(|slot| get(&right, to.bits, slot));
            set(&mut found, to.bits, pair[0], values[1]);
            set(&mut found, to.bits, pair[1], values[0]);
            finds(&folder, texts, &right, &found);
        }
        // All of it as it was, or nothing.
        for wrong in [content, vec![0; right.len()], vec![0xff; right.len()]] {
            let mut found = right.clone();
            let count = found.len().min(wrong.len());
            found[..count].copy_from_slice(&wrong[..count]);
            finds(&folder, texts, &right, &found);
        }
    }
}

/// What a plan did that was wrong: of the tiles that end with the array, one of eight elements was copied.
#[test]
fn a_large_file_that_a_wrong_plan_wrote() {
    let folder = Folder::new("lost");
    let texts = ["u16[1000,1594]", "u16[1000,1594]{0,1:T(8)(2,1)}"];
    let [from, to] = texts.map(Naive::new);
    let content = bytes(from.bytes());
    let source = folder.write("source.bin", &content);
    let right = converted(&content, [&from, &to]);
    let target = folder.write("target.bin", &right);
    let all = to.slots as u64;
    let looked = checked(&source, &target, texts, Check::All).unwrap();
    assert_eq!((looked.values, looked.of), (all, all));
    // A sample says how many it looked at: most of its elements are different ones.
    let Coverage { values, of, .. } = checked(&source, &target, texts, Check::Sample).unwrap();
    assert!(of == all && (90_000..131_072 + 100).contains(&values), "{values}");

    let mut wrong = right.clone();
    let lost = to.indices().filter(|index| index[0] >= 993);
    lost.for_each(|index| set(&mut wrong, 16, to.slot(&index), 0));
    fs::write(&target, wrong).unwrap();
    let first = difference(checked(&source, &target, texts, Check::All));
    assert_eq!(first.index, Some(vec![993, 0]));
    let slots = [&from, &to].map(|layout| 16 * layout.slot(&[993, 0]) as u64);
    assert_eq!([first.source_bit.unwrap(), first.target_bit], slots);
    let sampled = difference(checked(&source, &target, texts, Check::Sample));
    assert!(sampled.index.is_some_and(|index| index[0] >= 993));
}

/// Elements that become wider get their sign, or zeros; padding is what the layout declares.
#[test]
fn widths_and_declared_padding() {
    let folder = Folder::new("widths");
    let hex = |text: &str| {
        let bytes = text.split(' ').map(|byte| u8::from_str_radix(byte, 16).expect("a byte"));
        bytes.collect::<Vec<_>>()
    };
    for [from, to, source, expected] in rows(include_str!("pairs/widths.txt")) {
        let expected = hex(expected);
        let (read, target) = (folder.write("source.bin", hex(source)), folder.path("target.bin"));
        // The copy agrees.
        folder::convert(&read, &target, from, to).unwrap();
        assert_eq!(fs::read(&target).unwrap(), expected, "{from} {to}");
        fs::remove_file(folder.path("target.bin.layout.json")).unwrap();
        let result = checked(&read, &target, [from, to], Check::All);
        result.unwrap_or_else(|error| panic!("{from} {to}: {error}"));
        // Each bit counts, those after the last element too.
        for bit in 0..8 * expected.len() {
            let mut found = expected.clone();
            found[bit / 8] ^= 1 << (bit % 8);
            fs::write(&target, &found).unwrap();
            let first = difference(checked(&read, &target, [from, to], Check::All));
            let width = to.parse::<ArrayShape>().unwrap().element_bits() as u64;
            let after = first.target_bit..first.target_bit + width.max(8);
            assert!(after.contains(&(bit as u64)), "{from} {to} {bit}: {first:?}");
            assert_eq!((first.expected ^ first.found).count_ones(), 1, "{from} {to} {bit}");
        }
    }
}

/// Sums of dimensions, swizzles and sizes with bounds have no naive definition here: the digits are compared with
/// themselves, but not with the plan.
#[test]
fn every_property() {
    let folder = Folder::new("properties");
    let target = folder.path("target.bin");
    for [from, to] in rows(include_str!("pairs/properties.txt")) {
        let [from_shape, to_shape] = [from, to].map(|text| text.parse::<ArrayShape>().unwrap());
        let source = folder.write("source.bin", bytes(from_shape.bytes().unwrap()));
        folder::convert(&source, &target, from, to).unwrap();
        let _ = fs::remove_file(folder.path("target.bin.layout.json"));
        checked(&source, &target, [from, to], Check::All).unwrap();
        let right = fs::read(&target).unwrap();
        let digits = to_shape.digits().unwrap();
        let bits = to_shape.element_bits();
        for slot in (0..8 * right.len() / bits).step_by(11) {
            let mut found = right.clone();
            set(&mut found, bits, slot, !get(&right, bits, slot));
            fs::write(&target, &found).unwrap();
            let first = difference(checked(&source, &target, [from, to], Check::All));
            let index = digits.index(slot);
            let index = index.map(|index| index.iter().map(|&at| at as u64).collect::<Vec<_>>());
            assert_eq!((first.index, first.target_bit), (index, (slot * bits) as u64), "{to}");
        }
    }
}

/// A file of several tensors, in another format, of which one is copied; and its way back.
#[test]
fn files_that_were_written_before() {
    let folder = Folder::new("before");
    let [target, back] = ["new.safetensors", "back.safetensors"].map(|name| folder.path(name));
    let file = TensorFile::open(python("model.safetensors")).unwrap();
    let plan = |is_other: bool| {
        Conversion::new(&file, Format::Safetensors, |tensor| {
            if tensor.name() != "layers.0.w" {
                return Ok(None);
            }
            let from = tensor.layout().unwrap();
            let to = from.with_layout_text(if is_other { "{0,1}" } else { "{1,0:T(8,128)}" });
            Ok(Some(Change::new(from, to.unwrap())))
        })
        .unwrap()
    };
    let conversion = plan(false);
    let mut seen = 0;
    let written = conversion.write_checked(&target, Share::WHOLE, Check::All, &mut |_| ()).unwrap();
    let looked = conversion.check(&target, Check::All, &mut |bytes| seen += bytes).unwrap();
    assert_eq!((looked, looked.values), (written, 16 * 128 + 9 * 33 + 33 + 16 * 32));
    assert_eq!(seen, conversion.tensors().map(|tensor| tensor.bytes).sum::<u64>());
    {
        let new = TensorFile::open(&target).unwrap();
        let undo = Conversion::back(&new, Format::Safetensors).unwrap();
        undo.write(&back, Share::WHOLE, &mut |_| ()).unwrap();
        undo.check(&back, Check::All, &mut |_| ()).unwrap();
        has(
            undo.check(&target, Check::All, &mut |_| ()).unwrap_err(),
            "tensor `layers.0.w`: it has 8192 bytes instead of 1188",
        );
    }
    has(
        plan(true).check(&target, Check::All, &mut |_| ()).unwrap_err(),
        "tensor `layers.0.w`: it has 8192 bytes instead of 1188",
    );
    has(
        conversion.check(&python("rows.npy"), Check::All, &mut |_| ()).unwrap_err(),
        "it has 1 tensors, and this conversion makes 4",
    );
    // In the tensor that was copied.
    let new = TensorFile::open(&target).unwrap();
    let range = new.tensor("packed").unwrap().range().clone();
    let own = file.tensor("packed").unwrap().range().start;
    let mut content = fs::read(&target).unwrap();
    drop(new);
    content[range.start + 7] ^= 0x10;
    fs::write(&target, content).unwrap();
    fs::remove_file(folder.path("new.safetensors.layout.json")).unwrap();
    let error = conversion.check(&target, Check::Sample, &mut |_| ()).unwrap_err();
    assert_eq!((error.path(), error.tensor()), (&*target, Some("packed")));
    let bits = [own, range.start].map(|start| 8 * (start + 7) as u64);
    let first = difference(Err(error));
    assert_eq!((first.index, first.source_bit, first.target_bit), (None, Some(bits[0]), bits[1]));
}

/// Each share is compared, wherever it begins in the file.
#[test]
fn shares() {
    let folder = Folder::new("checked");
    let texts = ["bf16[1024,2048]", "bf16[1024,2048]{0,1:T(8,2)}"];
    let content = bytes(Naive::new(texts[0]).bytes());
    let file = TensorFile::open(folder.write("source.bin", &content)).unwrap();
    let conversion = conversion(&file, Format::Npy, &folder::change(texts[0], texts[1])).unwrap();
    let whole = folder.path("whole.npy");
    let all = conversion.write_checked(&whole, Share::WHOLE, Check::All, &mut |_| ()).unwrap();
    for check in [Check::All, Check::Sample] {
        let shares = (1..=3).map(|number| {
            let share = Share::new(number, 3).unwrap();
            conversion.write_checked(&folder.path("new.npy"), share, check, &mut |_| ()).unwrap()
        });
        let shares = shares.collect::<Vec<_>>();
        let sum = shares.iter().map(|looked| looked.of).sum::<u64>();
        assert_eq!(sum, all.of);
        assert!(shares.iter().all(|looked| (looked.values == looked.of) == (check == Check::All)));
    }
}
