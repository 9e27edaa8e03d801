//! What is written and read of chosen layouts, and what is wrong with others.

use layout_notation::notation::Numpy;
use layout_tests::cute::Text;
use layout_tests::lists::array;
use layout_tests::notations::named;
use layout_tests::table::{self, or_message, or_name};

use crate::cute::check;

#[test]
fn worked_examples() {
    table::check("notations", &mut |question, columns| match (question, columns) {
        ("numpy", [layout]) => or_message(Numpy::of(&array(layout))),
        ("numpy inverse", [layout]) => Numpy::of(&array(layout)).unwrap().inverse().to_string(),
        ("holes", [layout]) => {
            let text = named("cute").of(&array(layout)).unwrap();
            let read = check(&text, &Text::new(&text).dims()).unwrap();
            format!("{text}, {read}")
        }
        (_, [layout]) => or_name(named(question).of(&array(layout))),
        (_, [text, of]) => {
            let notation = named(question.strip_prefix("read ").unwrap());
            let read = notation.read(&text.replace("\\n", "\n"));
            or_message(read.unwrap_or_else(|error| panic!("{error}")).layout(&array(of)))
        }
        _ => panic!("unknown question {question}"),
    });
}
