//! Texts as people copy them, read by [`parse_any`]: the array, or what is marked in the text as it was given and why.

use layout_formats::parse_any;
use layout_tests::table;

#[test]
fn as_they_are_copied() {
    table::check("pasted", &mut |_, columns| match parse_any::array(columns[0]) {
        Ok(array) => array.to_string(),
        Err(error) => {
            let (place, message) = match error.faults() {
                [] => (String::new(), error.message()),
                [(range, fault), ..] => (format!("`{}`: ", &columns[0][range.clone()]), fault),
            };
            let parts = [&[message.what.clone()][..], &message.help].concat();
            format!("{place}{}", parts.join(": ").replace('\n', "\\n"))
        }
    });
}
