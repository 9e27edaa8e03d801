//! Bytes that become elements of fewer bits: none loses its value, unless it is asked for. The messages are in the
//! sessions of the command: `crates/cli/tests/sessions/convert.txt`.

mod folder;

use std::fs;

use folder::{Folder, change, conversion, convert};
use layout_files::{Conversion, ErrorKind, Format, Share, TensorFile};

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
        convert(&source, &target, &from, &to).unwrap();
        assert_eq!(fs::metadata(&target).unwrap().len(), (count as u64 * bits).div_ceil(8));
        convert(&target, &back, &to, &from).unwrap();
        assert_eq!(fs::read(&back).unwrap(), fitting, "{element}");
        for byte in others {
            let mut bytes = fitting.clone();
            bytes[1] = byte;
            fs::write(&source, bytes).unwrap();
            let error = convert(&source, &target, &from, &to).unwrap_err();
            assert!(
                matches!(error.kind(), ErrorKind::Narrow { index, value, .. } if *index == [1] && *value == byte),
                "{error}"
            );
        }
    }
    assert!(!folder.names().iter().any(|name| name.ends_with("tmp")));
}

/// Of the elements a share looks at its own.
#[test]
fn only_elements_of_the_share_count() {
    let folder = Folder::new("share");
    let mut bytes = vec![5; 8 << 20];
    *bytes.last_mut().unwrap() = 0x80;
    let (source, target) = (folder.write("in.bin", bytes), folder.path("out.bin"));
    let file = TensorFile::open(&source).unwrap();
    let change = change("u4[8388608]", "u4[8388608]{0:E(4)}");
    let conversion = conversion(&file, Format::Raw, &change).unwrap();
    conversion.write(&target, Share::new(1, 2).unwrap(), &mut |_| ()).unwrap();
    let error = conversion.write(&target, Share::new(2, 2).unwrap(), &mut |_| ()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Narrow { value: 0x80, .. }), "{error}");
}

/// Parts are made in memory that had others before.
#[test]
fn bits_after_the_last_element_are_zero() {
    let folder = Folder::new("last");
    let target = folder.path("out.safetensors");
    let mut tensors = ["a", "b", "c", "d", "e"].map(|name| (name, "U8", &[4][..]));
    tensors[4].2 = &[3];
    let bytes = [[15; 16].as_slice(), &[1, 2, 3]].concat();
    let source = folder.safetensors("in.safetensors", &tensors, &bytes);
    let file = TensorFile::open(&source).unwrap();
    let conversion = Conversion::new(&file, Format::Safetensors, |tensor| {
        let from = format!("u4[{}]", tensor.dims()[0]);
        Ok(Some(change(&from, &format!("{from}{{0:E(4)}}"))))
    });
    conversion.unwrap().write(&target, Share::WHOLE, &mut |_| ()).unwrap();
    let written = TensorFile::open(&target).unwrap();
    assert_eq!(written.bytes(written.tensor("e").unwrap()).unwrap(), [0x21, 0x03]);
}
