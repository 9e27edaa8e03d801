//! The entry parameters and results of a compiled TPU program, each declared with `layout!`.

use layout::Shape;
use layout::layout;

const PROGRAM: &str = include_str!("kvcache_decode.hlo");

layout! {
    /// The query of one step.
    type Query = bf16[2,8,1,64]{3,1,2,0:T(8,128)(2,1)};
    /// Keys and values of the steps before.
    type Cache = bf16[2,8,1024,64]{2,3,1,0:T(8,128)(2,1)};
    /// The step's number.
    type Step = s32[]{:T(128)};
}

type Parameters = (Query, Cache, Cache, Query, Query, Step);
type Results = (Query, Cache, Cache);

/// What the tour says of a layout.
trait Describe {
    const TEXT: &'static str;
    fn describe(name: &str);
}

macro_rules! describe {
    ($($layout:ident($($index:expr),*))*) => {$(
        impl Describe for $layout {
            const TEXT: &'static str = $layout::TEXT;

            fn describe(name: &str) {
                println!("{name:>9}  {}", $layout::TEXT);
                println!(
                    "           {} elements, {} in memory, {} bytes ({} without padding)",
                    $layout::ELEMENTS,
                    $layout::PADDED_ELEMENTS,
                    $layout::BYTES,
                    $layout::UNPADDED_BYTES,
                );
                $(println!("           {:?} lies at {}", $index, $layout::offset($index));)*
            }
        }
    )*};
}

describe! {
    Query([0, 0, 0, 1], [1, 7, 0, 63])
    Cache([0, 0, 1, 0], [0, 0, 0, 1], [1, 7, 1023, 63])
    Step([0; 0])
}

/// A tuple of layouts, one after another.
trait DescribeAll {
    fn texts() -> Vec<&'static str>;
    fn describe(name: &str);
}

macro_rules! describe_all {
    ($($part:ident)*) => {
        impl<$($part: Describe),*> DescribeAll for ($($part,)*) {
            fn texts() -> Vec<&'static str> {
                vec![$($part::TEXT),*]
            }

            fn describe(name: &str) {
                let parts: &[fn(&str)] = &[$($part::describe),*];
                for (number, describe) in parts.iter().enumerate() {
                    describe(&format!("{name} {number}"));
                }
            }
        }
    };
}

describe_all! { A B C }
describe_all! { A B C D E F }

/// Prints every parameter and result, after a look whether the file says the same.
pub(crate) fn print() {
    let [parameters, results] = signature();
    assert_eq!(texts(&parameters), Parameters::texts(), "the file and the program agree");
    assert_eq!(texts(&results), Results::texts(), "the file and the program agree");
    Parameters::describe("param");
    Results::describe("result");
}

/// Parameters and results in the first line of the file: `entry_computation_layout={(..)->(..)}, `.
fn signature() -> [Shape; 2] {
    let (_, rest) = PROGRAM.split_once("entry_computation_layout={").expect("it is an HLO file");
    let (layout, _) =
        rest.split_once("}, allow_spmd").expect("the layout is not the last attribute");
    let (parameters, results) = layout.split_once("->").expect("it is an HLO file");
    [parameters, results].map(|text| text.parse().unwrap_or_else(|error| panic!("{error}")))
}

fn texts(shape: &Shape) -> Vec<String> {
    match shape {
        Shape::Tuple(parts) => parts.iter().map(ToString::to_string).collect(),
        other => vec![other.to_string()],
    }
}
