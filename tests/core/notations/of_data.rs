//! Every layout of `tests/data`, in every notation and back: the same memory, or a refusal that the table counts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Display};
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use layout::digit_order::DigitOrder;
use layout::notation::{Cute, Einops, Jax, LinalgPack, Mosaic, Numpy, OneDnn, Packs, Pjrt, Tvm};
use layout::packed_format::PackedFormat;
use layout::{ArrayShape, Shape, Size};
use layout_tests::naive::unflatten;
use layout_tests::random::Random;

/// The files below a folder.
fn files(folder: &Path, each: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, each) } else { each(&path) }
    }
}

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
    files(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data"), &mut |path| {
        let Ok(text) = fs::read_to_string(path) else { return };
        if path.extension().is_some_and(|extension| extension == "hlo") {
            layout::hlo::shapes(&text).for_each(|found| add(found.text()));
        } else {
            text.split(['"', '\n']).for_each(&mut add);
        }
    });
    for example in PackedFormat::ALL.iter().flat_map(PackedFormat::examples) {
        add(&example.to_string());
    }
    shapes
}

/// How often each notation said a layout, and how often it or its reader did not and why.
#[derive(Default)]
struct Counts(BTreeMap<(&'static str, String), usize>);

impl Counts {
    fn count(&mut self, notation: &'static str, what: impl Into<String>) {
        *self.0.entry((notation, what.into())).or_default() += 1;
    }

    /// Prints what a notation says of a shape and reads it again.
    fn check<X: Display, E: Debug>(
        &mut self,
        notation: &'static str,
        shape: &ArrayShape,
        said: Result<X, impl Debug>,
        read: impl FnOnce(&X, &ArrayShape) -> Result<ArrayShape, E>,
    ) {
        let bare = layout::xla::set_to_default_layout(&shape.without_tiles()).unwrap();
        let said = match said {
            Ok(said) => said,
            Err(error) => return self.count(notation, format!("not said: {}", kind(&error))),
        };
        match read(&said, &bare) {
            Ok(found) => {
                assert!(is_same(&found, shape), "{notation}: {shape} is {said} is {found}");
                self.count(notation, "read");
            }
            Err(error) => self.count(notation, format!("not read: {}", kind(&error))),
        }
    }
}

/// The name of an error's variant.
fn kind(error: &impl Debug) -> String {
    let text = format!("{error:?}");
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_owned()
}

/// Reads a text, which prints the same again.
fn again<T: FromStr<Err: Display> + Display>(said: &impl Display) -> T {
    let text = said.to_string();
    let read = text.parse::<T>().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read.to_string(), text);
    read
}

/// Whether two layouts put the elements of an array in the same places. Padding after the last element, which notations
/// of offsets leave out, may differ.
fn is_same(a: &ArrayShape, b: &ArrayShape) -> bool {
    if a.same_bytes(b).is_ok() {
        return true;
    }
    let Some(elements) = a.elements().filter(|elements| *elements > 0) else {
        // Of unknown sizes, the digits for every size decide.
        let digits = |shape| DigitOrder::of(shape).map(|order| order.digits().to_vec());
        return a.elements() == Some(0) || digits(a) == digits(b);
    };
    let dims = a.dims().iter().map(|dim| dim.size().unwrap()).collect::<Vec<_>>();
    let (a, b) = (a.digits().unwrap(), b.digits().unwrap());
    let mut random = Random::new(5);
    let all = (0..elements.min(1000)).chain([elements - 1]);
    let some = (0..1000).map(|_| random.below_size(elements));
    all.chain(some).all(|number: Size| {
        let index = unflatten(number, &dims);
        a.offset(&index) == b.offset(&index)
    })
}

/// What each notation makes of the layouts of the data, and how often. Each refusal has its reason:
/// - `Ragged`: CuTe has no tiles that extend past the array; padded up, it has.
/// - `Hole`: a tile that pads a dimension of size 1, or what another tile has cut, spreads elements apart. Such strides
///   are printed, but no order of digits has them.
/// - `Indivisible`: the same padding, where digits or blocks have to divide one another.
/// - `CrossesDimensions`, `Combined`: `*` makes sums of dimensions, which only numpy, JAX and PJRT can say.
/// - `Ascending`: a tag reads the blocks of a dimension as descending.
/// - `Order`: Mosaic's first tile covers the last dimensions in their order.
/// - `TileTooLong`: Mosaic and packs put no dimensions before those of the array.
/// - `Untiled`: there is no pack without a tile.
/// - `Widened`, `Tail`, `ElementSize`: these notations do not say `PAD`, `L` or `E`.
/// - `Empty`, `UnknownSize`: CuTe has no modes of size 0, and strides need sizes.
const EXPECTED: &[(&str, &str, usize)] = &[
    ("CuTe", "not read: Hole", 794),
    ("CuTe", "not said: CrossesDimensions", 28),
    ("CuTe", "not said: Empty", 107),
    ("CuTe", "not said: Indivisible", 50),
    ("CuTe", "not said: Ragged", 2162),
    ("CuTe", "not said: UnknownSize", 20),
    ("CuTe", "read", 4565),
    ("CuTe, padded", "not read: Hole", 1063),
    ("CuTe, padded", "not said: CrossesDimensions", 28),
    ("CuTe, padded", "not said: Empty", 107),
    ("CuTe, padded", "not said: Indivisible", 50),
    ("CuTe, padded", "not said: UnknownSize", 20),
    ("CuTe, padded", "read", 6458),
    ("JAX", "not said: Tail", 100),
    ("JAX", "not said: Widened", 3),
    ("JAX", "read", 7623),
    ("Mosaic", "not said: Combined", 322),
    ("Mosaic", "not said: Indivisible", 224),
    ("Mosaic", "not said: Order", 2464),
    ("Mosaic", "not said: TileTooLong", 170),
    ("Mosaic", "not said: UnknownSize", 1),
    ("Mosaic", "read", 4545),
    ("PJRT", "not said: ElementSize", 772),
    ("PJRT", "not said: Tail", 100),
    ("PJRT", "not said: Widened", 3),
    ("PJRT", "read", 6851),
    ("TVM", "not said: Ascending", 502),
    ("TVM", "not said: Combined", 273),
    ("TVM", "not said: Indivisible", 411),
    ("TVM", "not said: Tail", 136),
    ("TVM", "not said: Widened", 3),
    ("TVM", "read", 6401),
    ("einops", "not said: Combined", 273),
    ("einops", "not said: Indivisible", 411),
    ("einops", "not said: Tail", 136),
    ("einops", "not said: Widened", 3),
    ("einops", "read", 6903),
    ("linalg.pack", "not said: Combined", 318),
    ("linalg.pack", "not said: Tail", 100),
    ("linalg.pack", "not said: TileTooLong", 166),
    ("linalg.pack", "not said: UnknownSize", 20),
    ("linalg.pack", "not said: Untiled", 639),
    ("linalg.pack", "not said: Widened", 3),
    ("linalg.pack", "read", 6480),
    ("numpy", "not said: UnknownSize", 20),
    ("numpy", "read", 7706),
    ("oneDNN", "not said: Ascending", 502),
    ("oneDNN", "not said: Combined", 273),
    ("oneDNN", "not said: Indivisible", 411),
    ("oneDNN", "not said: Tail", 136),
    ("oneDNN", "not said: Widened", 3),
    ("oneDNN", "read", 6401),
    ("packs", "not said: Combined", 318),
    ("packs", "not said: Tail", 100),
    ("packs", "not said: TileTooLong", 166),
    ("packs", "not said: UnknownSize", 20),
    ("packs", "not said: Untiled", 639),
    ("packs", "not said: Widened", 3),
    ("packs", "read", 6480),
];

#[test]
fn layouts_of_the_data() {
    let shapes = shapes();
    let mut counts = Counts::default();
    for text in &shapes {
        let shape: &ArrayShape = &text.parse().unwrap();
        counts
            .check("oneDNN", shape, OneDnn::of(shape), |x, array| again::<OneDnn>(x).layout(array));
        counts.check("TVM", shape, Tvm::of(shape), |x, array| again::<Tvm>(x).layout(array));
        counts
            .check("einops", shape, Einops::of(shape), |x, array| again::<Einops>(x).layout(array));
        counts.check("CuTe", shape, Cute::of(shape), |x, array| again::<Cute>(x).layout(array));
        counts.check("CuTe, padded", shape, Cute::padded_of(shape), |x, array| {
            again::<Cute>(x).layout(array)
        });
        counts
            .check("Mosaic", shape, Mosaic::of(shape), |x, array| again::<Mosaic>(x).layout(array));
        counts.check("packs", shape, Packs::of(shape), |x, array| again::<Packs>(x).layout(array));
        counts.check("linalg.pack", shape, LinalgPack::of(shape), |x, array| {
            x.to_string().parse::<Packs>().unwrap().layout(array)
        });
        counts.check("numpy", shape, Numpy::of(shape), |x, array| {
            Numpy::layout(&x.to_string(), array).map_err(Box::new)
        });
        counts.check("JAX", shape, Jax::of(shape), |x, array| again::<Jax>(x).layout(array));
        counts.check("PJRT", shape, Pjrt::of(shape).map(Numbers), |x, array| x.0.layout(array));
    }
    let found = counts.0.iter().map(|((notation, what), count)| (*notation, &**what, *count));
    let found = found.collect::<Vec<_>>();
    assert_eq!(found, EXPECTED, "of {} layouts", shapes.len());
}

/// PJRT's numbers, which have no text.
struct Numbers(Pjrt);

impl Display for Numbers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}
