//! What is written and read of chosen layouts, and what is wrong with others.

use layout::ElementType;
use layout::shape::FaultKind;
use layout_notation::notation::{NotThisLayout, Numpy, Pjrt};
use layout_tests::lists::{array, numbers};
use layout_tests::notations::named;
use layout_tests::table::{self, or_message, or_name};

use crate::cute::{Text, check};

/// The layout of PJRT's numbers, or why there is none.
fn read_pjrt([dims, order, tile_dims, sizes]: [&str; 4]) -> String {
    let [dims, order, tile_dims] = [dims, order, tile_dims].map(numbers::<i64>);
    match Pjrt::shape(ElementType::BF16, &dims, &order, &tile_dims, &numbers(sizes)) {
        Err(NotThisLayout::Shape(fault)) => match fault.kind() {
            FaultKind::Overflow { .. } => format!("Overflow at {:?}", fault.place()),
            kind => format!("{kind:?} at {:?}", fault.place()),
        },
        Err(error @ NotThisLayout::TileDims { .. }) => format!("{error:?}"),
        shape => or_message(shape),
    }
}

#[test]
fn worked_examples() {
    table::check("notations", &mut |question, columns| match (question, columns) {
        ("numpy", [layout]) => or_message(Numpy::of(&array(layout))),
        ("numpy inverse", [layout]) => Numpy::of(&array(layout)).unwrap().inverse().to_string(),
        ("PJRT", [layout]) => or_name(Pjrt::of(&array(layout)).map(|_| "said")),
        ("holes", [layout]) => {
            let text = (named("CuTe").of)(&array(layout)).unwrap();
            let read = match check(&text, &Text::new(&text).dims()) {
                Err(NotThisLayout::Hole { .. }) => "not read",
                read => read.map(|_| "read").unwrap(),
            };
            format!("{text}, {read}")
        }
        ("read PJRT", [dims, order, tile_dims, sizes]) => {
            read_pjrt([dims, order, tile_dims, sizes])
        }
        (_, [layout]) => or_name((named(question).of)(&array(layout))),
        (_, [text, of]) => {
            let notation = named(question.strip_prefix("read ").unwrap());
            let read = (notation.read)(&text.replace("\\n", "\n"));
            or_message(read.unwrap_or_else(|error| panic!("{error}")).layout(&array(of)))
        }
        _ => panic!("unknown question {question}"),
    });
}
