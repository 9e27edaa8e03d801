//! Layouts whose generated functions are run, and what they have to answer.

use std::fmt::Write as _;

use layout::__private::core::native;
use layout::ArrayShape;
use layout::shape::{Digits, Dim, Size};
use layout_gpu::code::{Code, Language};

use crate::corpus;
use crate::data;
use crate::lists::{array, dims, numbers};
use crate::naive::{Naive, unflatten};
use crate::pairs;
use crate::random::Random;
use crate::table;

/// Slots just past the end that are asked for too.
const PAST_THE_END: usize = 3;

/// The largest offsets of 32 bits, which are asked for too.
const LARGEST: usize = 8;

/// Stands for the offset of coordinates that are said to be out of bounds.
pub const OUTSIDE: u32 = u32::MAX;

/// A layout with the sizes of its dimensions.
#[derive(Clone, Debug)]
pub struct Case {
    /// What its functions are named.
    pub name: String,
    /// The layout; some of its sizes may be unknown.
    pub shape: ArrayShape,
    /// The sizes: of a bounded dimension those that are valid.
    pub dims: Vec<Size>,
}

impl Case {
    /// A layout from its text.
    ///
    /// # Panics
    /// If it is not one, or does not take the sizes.
    pub fn new(number: usize, text: &str, dims: &[Size]) -> Case {
        let shape = array(text);
        assert!(shape.with_dims(dims).is_ok(), "{text} of {dims:?}");
        Case { name: format!("case{number}"), shape, dims: dims.to_vec() }
    }

    /// The digits, with all sizes known.
    fn digits(&self) -> (Digits, usize) {
        let known = self.shape.with_dims(&self.dims).expect("the sizes go with the layout");
        let digits = known.digits().expect("the sizes are known");
        let slots = known.padded_elements().expect("the sizes are known");
        (digits.with_dims(&self.dims), native(slots))
    }

    /// Slots of memory.
    pub fn slots(&self) -> usize {
        self.digits().1
    }

    /// The offsets that are asked for.
    pub fn offsets(&self) -> impl Iterator<Item = u64> {
        let largest = (0..LARGEST as u64).map(|number| u64::from(u32::MAX) - number);
        (0..(self.slots() + PAST_THE_END) as u64).chain(largest)
    }

    /// How many these are, and which one a number stands for: a condition, the offset if it holds, and else.
    pub fn offset_of(&self, number: &str) -> (usize, [String; 3]) {
        let end = self.slots() + PAST_THE_END;
        let largest = format!("{}u - ({number} - {end}u)", u32::MAX);
        (end + LARGEST, [format!("{number} < {end}u"), number.to_owned(), largest])
    }

    /// Number of elements.
    pub fn elements(&self) -> usize {
        native(self.dims.iter().product())
    }

    /// The sizes that are arguments, each after a comma: `, 3, 5`. A suffix follows each.
    pub fn size_arguments(&self, suffix: &str) -> Vec<String> {
        let dims = self.shape.dims().iter().zip(&self.dims);
        dims.filter(|(dim, _)| dim.is_dynamic())
            .map(|(_, size)| format!("{size}{suffix}"))
            .collect()
    }

    /// Whether the number of slots is a function and not a constant.
    pub fn has_unknown_slots(&self) -> bool {
        // A dimension of size 0 leaves no slots, whatever the others are.
        self.shape.dims().contains(&Dim::Unbounded)
            && !self.shape.dims().iter().any(|dim| dim.size() == Some(0))
    }

    /// Whether some sizes are arguments.
    pub fn has_arguments(&self) -> bool {
        self.shape.dims().iter().any(|dim| dim.is_dynamic())
    }

    /// What the functions say, by the library: for each element in row-major order its offset; for each slot and some
    /// past the end whether there is an element, its coordinates, and whether it is padding; for each dimension whether
    /// coordinates past it are in bounds; the elements, the slots, and whether the sizes go with the layout.
    ///
    /// # Panics
    /// If a number takes more than 32 bits.
    pub fn expected(&self) -> Vec<u32> {
        let (digits, slots) = self.digits();
        let rank = self.dims.len();
        let word = |number: Size| u32::try_from(number).expect("the cases are small");
        let mut words = Vec::new();
        for number in 0..self.elements() {
            words.push(word(digits.offset_unchecked(&unflatten(number as Size, &self.dims))));
        }
        for slot in self.offsets() {
            let index = digits.index(slot as Size);
            words.push(u32::from(index.is_some()));
            match &index {
                Some(index) => words.extend(index.iter().map(|&coordinate| word(coordinate))),
                None => words.extend(std::iter::repeat_n(0, rank)),
            }
            words.push(u32::from(slot < slots as u64 && index.is_none()));
        }
        words.extend(std::iter::repeat_n(0, rank));
        words.extend([word(self.elements() as Size), word(slots as Size), 1]);
        words
    }
}

/// The cases: XLA's vectors, some of the TPU compiler's constants, random layouts as they are and with some sizes
/// unknown, and what is at an edge.
///
/// # Panics
/// If the data cannot be read.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::<Case>::new();
    let mut add = |text: &str, dims: &[Size]| cases.push(Case::new(cases.len(), text, dims));
    let texts = data::offset_vectors().into_iter().map(|line| line.layout);
    let linear = data::tpu_linear().into_iter().filter(|line| line.padded_elements <= 4096);
    for text in texts.chain(linear.map(|line| line.layout).step_by(8)) {
        let dims = dims(&array(&text));
        add(&text, &dims);
    }
    for table::Row { columns, .. } in table::rows("edges") {
        add(&columns[0], &numbers::<Size>(&columns[1]));
    }
    for (shape, dims) in corpus::shapes() {
        let slots = shape.with_dims(&dims).expect("sizes that go with it").padded_elements();
        if slots <= Some(1500) {
            add(&shape.to_string(), &dims);
        }
    }
    let mut random = Random::new(13);
    let mut count = 0;
    while count < 160 {
        let naive = layout(&mut random);
        if naive.size_within(1500).is_none() {
            continue;
        }
        count += 1;
        let element = *random.pick(&["f32", "bf16", "s4", "f64", "pred"]);
        add(&naive.text(element), &naive.dims);
        // What PAD widens is not unknown.
        let naive = Naive { padded: None, ..naive };
        let kinds = naive.dims.iter().map(|_| random.below(3)).collect::<Vec<_>>();
        let more = naive.dims.iter().map(|_| random.below(3)).collect::<Vec<_>>();
        let text = naive.text_with(element, "", |dim, size| match kinds[dim] {
            0 => "?".to_owned(),
            1 => format!("<={}", size + more[dim] as Size),
            _ => size.to_string(),
        });
        if array(&text).with_dims(&naive.dims).unwrap().padded_elements() <= Some(3000) {
            add(&text, &naive.dims);
        }
    }
    cases
}

/// A random layout of few elements.
fn layout(random: &mut Random) -> Naive {
    let rank = random.below(5);
    let largest = [1, 60, 14, 8, 5][rank];
    let dims = (0..rank).map(|_| match random.below(40) {
        0 => 0,
        _ => 1 + random.below(largest) as Size,
    });
    let dims = dims.collect::<Vec<_>>();
    let layout = pairs::layout(random, &dims, true);
    pairs::swizzled(random, layout)
}

/// A program in C that writes what the functions of all cases say, as 32-bit numbers of this machine: of each case what
/// [`Case::expected`] has. Its functions have indices of so many bits.
///
/// # Panics
/// If a case has no text in the language.
pub fn c_program(cases: &[Case], language: Language, index_bits: usize) -> String {
    let mut text = String::new();
    let mut calls = String::new();
    for case in cases {
        let name = &case.name;
        let code = Code::of(&case.shape, language).name(name).index_bits(index_bits).text();
        text += &code.unwrap_or_else(|error| panic!("{}: {error}", case.shape)).to_string();
        let rank = case.dims.len();
        let sizes = case.size_arguments("u");
        let list = |first: Vec<String>| [first, sizes.clone()].concat().join(", ");
        let coordinates = (0..rank).map(|dim| format!("i{dim}")).collect::<Vec<_>>();
        writeln!(text, "\nstatic void run_{name}(void) {{").unwrap();
        if case.elements() > 0 {
            for (dim, size) in case.dims.iter().enumerate() {
                writeln!(text, "    for (unsigned i{dim} = 0; i{dim} < {size}u; ++i{dim})")
                    .unwrap();
            }
            let arguments = list(coordinates);
            let value =
                format!("{name}_in_bounds({arguments}) ? {name}_offset({arguments}) : {OUTSIDE}u");
            writeln!(text, "        word({value});").unwrap();
        }
        let (count, [condition, near, far]) = case.offset_of("number");
        let arguments = list(vec!["offset".to_owned()]);
        let coordinate = |dim| format!("        word(index.is_element ? index.i{dim} : 0);\n");
        let coordinates = (0..rank).map(coordinate).collect::<String>();
        text += &format!(
            "    for (unsigned number = 0; number < {count}u; ++number) {{
        const unsigned offset = {condition} ? {near} : {far};
        const {name}_Index index = {name}_index({arguments});
        word(index.is_element);
{coordinates}        word({name}_is_padding({arguments}));
    }}\n"
        );
        for arguments in case.past_each_dimension("u") {
            writeln!(text, "    word({name}_in_bounds({}));", list(arguments)).unwrap();
        }
        for value in case.size_calls(&list(Vec::new())) {
            writeln!(text, "    word({value});").unwrap();
        }
        text += "}\n\n";
        writeln!(calls, "    run_{name}();").unwrap();
    }
    format!(
        "#include <stdint.h>\n#include <stdio.h>\n\nstatic void word(uint64_t value) {{\n    \
         const uint32_t low = (uint32_t)value;\n    fwrite(&low, sizeof low, 1, stdout);\n}}\n\n\
         {text}int main(void) {{\n{calls}    return 0;\n}}\n"
    )
}

impl Case {
    /// Coordinates that are past one dimension and 0 along the others.
    pub fn past_each_dimension(&self, suffix: &str) -> Vec<Vec<String>> {
        let coordinate = |past: usize, dim: usize| match past == dim {
            true => format!("{}{suffix}", self.dims[dim]),
            false => format!("0{suffix}"),
        };
        let rank = self.dims.len();
        (0..rank).map(|past| (0..rank).map(|dim| coordinate(past, dim)).collect()).collect()
    }

    /// The elements, the slots, and whether the sizes go with the layout.
    pub fn size_calls(&self, arguments: &str) -> [String; 3] {
        let name = &self.name;
        let call = |has: bool, function: &str, constant: String| match has {
            true => format!("{name}_{function}({arguments})"),
            false => constant,
        };
        [
            call(self.has_arguments(), "elements", format!("{name}_ELEMENTS")),
            call(self.has_unknown_slots(), "padded_elements", format!("{name}_PADDED_ELEMENTS")),
            call(self.has_arguments(), "fits", "true".to_owned()),
        ]
    }
}

/// Compares the answers to all cases.
///
/// # Panics
/// At the first difference.
pub fn compare(cases: &[Case], answers: &[u32], by: &str) {
    let mut at = 0;
    for case in cases {
        let expected = case.expected();
        let end = (at + expected.len()).min(answers.len());
        let found = &answers[at..end];
        if found != expected {
            let same = found.iter().zip(&expected).take_while(|(a, b)| a == b).count();
            panic!(
                "{by}: {} of {:?}: word {same} of {} ({} elements, {} slots) is {:?}, and {:?} by the library",
                case.shape,
                case.dims,
                expected.len(),
                case.elements(),
                case.slots(),
                found.get(same),
                expected.get(same),
            );
        }
        at = end;
    }
    assert_eq!(at, answers.len(), "{by}: more answers than questions");
}
