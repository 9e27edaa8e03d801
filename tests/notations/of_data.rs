//! Every layout of `tests/data`, in every notation and back: the same memory, or a refusal that the table counts.

use layout::bitcast::same_bytes;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::fs;

use layout::shape::Size;
use layout::{ArrayShape, Shape};
use layout_formats::packed_format::PackedFormat;
use layout_notation::digit_order::DigitOrder;
use layout_notation::notation::{Jax, NotExpressible};
use layout_tests::lists::dims;
use layout_tests::naive::unflatten;
use layout_tests::random::Random;
use layout_tests::table::{self, or_none};
use layout_tests::{files, notations};

/// The arrays of every shape that stands in a file: on a line, in quotes or in a program. Then those of packed formats.
fn shapes() -> BTreeSet<String> {
    let mut shapes = BTreeSet::new();
    let mut add = |text: &str| {
        let mut arrays = Vec::new();
        // What is not a shape adds none.
        if Shape::for_each_array(text, |_, array| arrays.push(array.to_string())).is_ok() {
            shapes.extend(arrays);
        }
    };
    for path in files::below("tests/data") {
        let Ok(text) = fs::read_to_string(files::root().join(&path)) else { continue };
        if path.extension().is_some_and(|extension| extension == "hlo") {
            layout_hlo::for_each_shape(&text, |found| add(found.text())).unwrap();
        } else {
            text.split(['"', '\n']).for_each(&mut add);
        }
    }
    for example in PackedFormat::ALL.iter().flat_map(PackedFormat::examples) {
        add(&example.to_string());
    }
    shapes
}

/// How often each notation said a layout, and how often it or its reader did not and why.
#[derive(Default)]
pub(crate) struct Counts(pub(crate) BTreeMap<(String, String), usize>);

impl Counts {
    fn count(&mut self, notation: &str, what: impl Into<String>) {
        *self.0.entry((notation.to_owned(), what.into())).or_default() += 1;
    }

    /// How many layouts a notation said, of which the reader says so.
    pub(crate) fn of(&self, notation: &str, what: &str) -> usize {
        let own = self.0.iter().filter(|((name, said), _)| name == notation && said.contains(what));
        own.map(|(_, count)| count).sum()
    }

    /// Prints what every notation says of a shape, and reads it again for the bare array.
    pub(crate) fn check(&mut self, shape: &ArrayShape, bare: &ArrayShape) {
        for notation in notations::all() {
            self.one(notation.name, notation.says_end(), shape, notation.of(shape), |text| {
                let read = notation.read(text).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(read.to_string(), text);
                read.layout(bare)
            });
        }
        if let Ok(jax) = Jax::of(shape) {
            let read = jax.layout(bare).map(|read| (*read.tiles(), read.element_bits()));
            assert_eq!(read, Ok((*shape.tiles(), shape.element_bits())), "{shape}");
        }
    }

    fn one<E: Debug>(
        &mut self,
        notation: &str,
        says_end: bool,
        shape: &ArrayShape,
        said: Result<String, NotExpressible>,
        read: impl FnOnce(&str) -> Result<ArrayShape, E>,
    ) {
        let said = match said {
            Ok(said) => said,
            Err(error) => return self.count(notation, format!("not said: {}", kind(&error))),
        };
        match read(&said) {
            Ok(found) => {
                let is_same = is_same(&found, shape, says_end);
                assert!(is_same, "{notation}: {shape} is {said} is {found}");
                self.count(notation, "read");
            }
            Err(error) => panic!("{notation}: {shape} is {said}: {error:?}"),
        }
    }
}

/// The name of an error's variant.
fn kind(error: &impl Debug) -> String {
    let text = format!("{error:?}");
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_owned()
}

/// Arrays of which every element is looked at.
const FEW: Size = 5000;

/// Whether two layouts put the elements of an array in the same places. Padding after the last element, which some
/// notations leave out, may differ then.
fn is_same(a: &ArrayShape, b: &ArrayShape, says_end: bool) -> bool {
    if same_bytes(a, b).is_ok() {
        return true;
    }
    let Some(elements) = a.elements().filter(|elements| *elements > 0) else {
        // Of unknown sizes, the digits for every size decide.
        let digits = |shape| DigitOrder::of(shape).map(|order| order.digits().to_vec());
        return a.elements() == Some(0) || digits(a) == digits(b);
    };
    let dims = dims(a);
    let (a, b) = (a.digits().unwrap(), b.digits().unwrap());
    let mut random = Random::new(5);
    let all = (0..elements.min(FEW)).chain([elements - 1]);
    let some = (0..1000).map(|_| random.below_size(elements));
    !says_end
        && all.chain(some).all(|number: Size| {
            let index = unflatten(number, &dims);
            a.offset(&index) == b.offset(&index)
        })
}

/// What each notation makes of the layouts of the data, and how often: the table says it, and the reasons of refusals.
#[test]
fn layouts_of_the_data() {
    let shapes = shapes();
    let mut counts = Counts::default();
    for text in &shapes {
        let shape: &ArrayShape = &text.parse().unwrap();
        let bare = shape.without_tiles().with_default_order().unwrap();
        counts.check(shape, &bare);
    }
    println!("{} layouts", shapes.len());
    table::check("notations_of_data", &mut |notation, what| {
        or_none(counts.0.remove(&(notation.to_owned(), what[0].to_owned())))
    });
    assert!(counts.0.is_empty(), "{:?}", counts.0);
}
