//! Tags of oneDNN and TVM, each with the memory that the library made of it.

use layout::bitcast::same_bytes;
use std::collections::BTreeSet;

use layout_notation::notation::{Notation, OneDnn, Tvm};
use layout_tests::data;
use layout_tests::lists::array;

use crate::packed::Packed;

/// Every name of `dnnl_format_tag_t` that is a format: read, printed, laid out, and found again.
#[test]
fn onednn() {
    let mut names = BTreeSet::new();
    let (mut texts, mut renamed) = (0, BTreeSet::new());
    for line in data::json::<Packed>("packed/onednn.jsonl") {
        for name in [&line.format].into_iter().chain(&line.also) {
            let tag: OneDnn = name.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(tag.to_string(), *name);
            let layout = tag.layout(&line.array()).unwrap();
            line.check(&layout);

            let found = OneDnn::of(&layout).unwrap();
            if found.to_string() != line.format {
                renamed.insert((line.format.clone(), found.to_string()));
            }
            let again: OneDnn = found.to_string().parse().unwrap();
            let back = again.layout(&line.array()).unwrap();
            assert_eq!(same_bytes(&back, &layout), Ok(()), "{name} as {found}");
            names.insert(name.clone());
            texts += 1;
        }
    }
    // Different names, and names at a size; none that oneDNN writes otherwise than by its rules.
    assert_eq!((names.len(), texts), (1671, 2302));
    assert!(renamed.is_empty(), "{renamed:?}");
}

#[test]
fn tvm() {
    let (mut checked, mut refused) = (0, Vec::new());
    for line in data::json::<Packed>("packed/tvm.jsonl") {
        let tag = line.format.parse::<Tvm>();
        // Tags in which a dimension has two blocks are TVM's by its grammar, though it refuses to convert to them.
        let Some(error) = &line.error else {
            let tag = tag.unwrap_or_else(|error| panic!("{}: {error}", line.format));
            let layout = tag.layout(&line.array()).unwrap();
            line.check(&layout);
            let found = Tvm::of(&layout).unwrap().to_string();
            let back = found.parse::<Tvm>().unwrap().layout(&line.array()).unwrap();
            assert_eq!(same_bytes(&back, &layout), Ok(()), "{} as {found}", line.format);
            let printed = tag.to_string();
            assert_eq!(printed.parse::<Tvm>().unwrap().to_string(), printed);
            assert!(line.format.ends_with(&printed), "{printed}");
            checked += 1;
            continue;
        };
        refused.push(line.format.clone());
        assert_eq!(tag.is_ok(), error.contains("more than one subordinate"), "{}", line.format);
    }
    assert_eq!(checked, 16);
    assert_eq!(refused, ["OIHW -> OIHW4i16o4i", "OIHW -> OIHW2i8o4i", "NK -> NKPACK"]);
}

#[test]
fn notations_by_name() {
    let tiled = array("f32[16,256]{1,0:T(8,128)}");
    for notation in Notation::ALL {
        let said = notation.of(&tiled).unwrap().to_string();
        let read = notation.read(&said).unwrap();
        assert_eq!(read.layout(&array("f32[16,256]")), Ok(tiled), "{notation}: {said}");
        assert_eq!(read.to_string(), said);
        let name = notation.name();
        assert_eq!(Notation::from_name(name), Some(*notation));
        assert_eq!(Notation::from_name(&name.to_uppercase()), Some(*notation));
        let text = notation.example();
        assert_eq!(notation.read(text).err().map(|error| error.to_string()), None, "{name}");
    }
    assert_eq!(Notation::from_name("nchw"), None);
}
