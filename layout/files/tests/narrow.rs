//! Bytes that become elements of fewer bits: none loses its value, unless it is asked for.

mod folder;

use std::fs;
use std::path::Path;

use folder::{Folder, raw, safetensors};
use layout::ArrayShape;
use layout_files::{Change, Conversion, Error, ErrorKind, Format, Share, TensorFile};

/// Converts the tensor of a raw file, keeping the low bits.
fn truncated(source: &Path, target: &Path, from: &str, to: &str) -> Result<(), Error> {
    let file = TensorFile::open(source)?;
    let change = Change::new(from.parse().unwrap(), to.parse().unwrap()).truncated();
    let conversion = Conversion::new(&file, Format::Raw, |_| Ok(Some(change.clone())))?;
    conversion.write_checked(target, Share::WHOLE, &mut |_| ())
}

/// Each byte by itself: it is refused if it is not a number of the element type, and else it comes back.
#[test]
fn each_byte_keeps_its_value_or_is_refused() {
    let folder = Folder::new("bytes");
    let [source, target, back] = ["in.bin", "out.bin", "back.bin"].map(|name| folder.path(name));
    for (element, bits, values) in [
        ("u4", 4, 0..16),
        ("s4", 4, -8..8),
        ("u2", 2, 0..4),
        ("s2", 2, -2..2),
        ("pred", 1, 0..2),
        ("f4e2m1fn", 4, 0..16),
    ] {
        let is_signed = values.start < 0;
        let number = |byte: u8| if is_signed { i32::from(byte as i8) } else { i32::from(byte) };
        let (fitting, others): (Vec<_>, Vec<_>) =
            (0..=255).partition(|&byte| values.contains(&number(byte)));
        let count = fitting.len();
        assert_eq!(count, 1 << bits);
        let (from, to) =
            (format!("{element}[{count}]"), format!("{element}[{count}]{{0:E({bits})}}"));
        fs::write(&source, &fitting).unwrap();
        raw(&source, &target, &from, &to).unwrap();
        assert_eq!(fs::metadata(&target).unwrap().len(), (count as u64 * bits).div_ceil(8));
        raw(&target, &back, &to, &from).unwrap();
        assert_eq!(fs::read(&back).unwrap(), fitting, "{element}");
        for byte in others {
            let mut bytes = fitting.clone();
            bytes[1] = byte;
            fs::write(&source, bytes).unwrap();
            let error = raw(&source, &target, &from, &to).unwrap_err();
            assert!(
                matches!(error.kind(), ErrorKind::Narrow { index, value, .. } if *index == [1] && *value == byte),
                "{error}"
            );
        }
    }
    assert!(!folder.names().iter().any(|name| name.ends_with("tmp")));
}

#[test]
fn the_message_says_what_to_do() {
    let folder = Folder::new("message");
    let [source, target] = ["in.bin", "out.bin"].map(|name| folder.path(name));
    let mut bytes = vec![7; 5 * 9];
    bytes[3 * 9 + 5] = 0x1f;
    fs::write(&source, &bytes).unwrap();
    for (element, hold, is_signed) in
        [("u4", "0x00 to 0x0f\n", false), ("s4", "0x00 to 0x07 and 0xf8 to 0xff\n", true)]
    {
        let [from, to] = ["", "{0,1:T(2,4)E(4)}"].map(|layout| format!("{element}[5,9]{layout}"));
        let error = raw(&source, &target, &from, &to).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "{}: tensor `in`: element [3, 5] is 0x1f, which 4 bits do not hold: they hold {hold}  = help: `--to` a layout without `E(4)` keeps the bytes; `--truncate` keeps the low 4 bits of each",
                source.display()
            )
        );
        assert_eq!(folder.names(), ["in.bin"]);
        truncated(&source, &target, &from, &to).unwrap();
        let back = folder.path("back.bin");
        raw(&target, &back, &to, &from).unwrap();
        let mut expected = bytes.clone();
        expected[3 * 9 + 5] = if is_signed { 0xff } else { 0x0f };
        assert_eq!(fs::read(back).unwrap(), expected);
        fs::remove_file(&target).unwrap();
        fs::remove_file(folder.path("out.bin.layout.json")).unwrap();
        fs::remove_file(folder.path("back.bin")).unwrap();
        fs::remove_file(folder.path("back.bin.layout.json")).unwrap();
    }
}

/// Bytes of `int4` as the package `ml_dtypes` writes them.
#[test]
fn negative_numbers_with_zeros_above_them() {
    let folder = Folder::new("zeros");
    let [source, target] = ["in.bin", "out.bin"].map(|name| folder.path(name));
    fs::write(&source, [1, 0x0f, 7]).unwrap();
    let error = raw(&source, &target, "s4[3]", "s4[3]{0:E(4)}").unwrap_err().to_string();
    assert!(error.contains("element [1] is 0x0f") && error.contains("ml_dtypes"), "{error}");
    truncated(&source, &target, "s4[3]", "s4[3]{0:E(4)}").unwrap();
    assert_eq!(fs::read(&target).unwrap(), [0xf1, 0x07]);
}

/// Padding of the source is not an element, and of the elements a share looks at its own.
#[test]
fn only_elements_count_and_only_those_of_the_share() {
    let folder = Folder::new("padding");
    let [source, target] = ["in.bin", "out.bin"].map(|name| folder.path(name));
    fs::write(&source, [1, 2, 3, 0xff, 4, 5, 6, 0xee]).unwrap();
    let layouts = ["u4[2,3]{1,0:T(1,4)}", "u4[2,3]{1,0:E(4)}"];
    raw(&source, &target, layouts[0], layouts[1]).unwrap();
    assert_eq!(fs::read(&target).unwrap(), [0x21, 0x43, 0x65]);

    let mut bytes = vec![5; 8 << 20];
    *bytes.last_mut().unwrap() = 0x80;
    fs::write(&source, bytes).unwrap();
    let file = TensorFile::open(&source).unwrap();
    let [from, to] =
        ["u4[8388608]", "u4[8388608]{0:E(4)}"].map(|text| text.parse::<ArrayShape>().unwrap());
    let change = Change::new(from, to);
    let conversion = Conversion::new(&file, Format::Raw, |_| Ok(Some(change.clone()))).unwrap();
    conversion.write(&target, Share::new(1, 2).unwrap(), &mut |_| ()).unwrap();
    let error = conversion.write(&target, Share::new(2, 2).unwrap(), &mut |_| ()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Narrow { value: 0x80, .. }), "{error}");
}

/// Parts are made in memory that had others before.
#[test]
fn bits_after_the_last_element_are_zero() {
    let folder = Folder::new("last");
    let [source, target] = ["in.safetensors", "out.safetensors"].map(|name| folder.path(name));
    let tensors: [(&str, &str, &[usize]); 5] = [
        ("a", "U8", &[4]),
        ("b", "U8", &[4]),
        ("c", "U8", &[4]),
        ("d", "U8", &[4]),
        ("e", "U8", &[3]),
    ];
    safetensors(&source, &tensors, &[[15; 16].as_slice(), &[1, 2, 3]].concat());
    let file = TensorFile::open(&source).unwrap();
    let conversion = Conversion::new(&file, Format::Safetensors, |tensor| {
        let from = format!("u4[{}]", tensor.dims()[0]);
        let to = format!("{from}{{0:E(4)}}");
        Ok(Some(Change::new(from.parse().unwrap(), to.parse().unwrap())))
    });
    conversion.unwrap().write(&target, Share::WHOLE, &mut |_| ()).unwrap();
    let written = TensorFile::open(&target).unwrap();
    let tensor = written.tensor("e").unwrap();
    assert_eq!(written.bytes(tensor).unwrap(), [0x21, 0x03]);
}
