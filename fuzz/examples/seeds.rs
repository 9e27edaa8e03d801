//! Writes what the fuzzers start from to `fuzz/corpus`: a folder of inputs for each, and a dictionary beside it.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use layout_tests::fuzz;

fn main() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect();
    let inputs: [(&str, Vec<String>); 4] = [
        ("shapes", lines(include_str!("../seeds.txt"))),
        ("notations", lines(include_str!("../notations.txt"))),
        ("names", fuzz::format_names()),
        ("hlo", fuzz::programs()),
    ];
    let pieces: HashMap<String, Vec<String>> =
        serde_json::from_str(include_str!("../pieces.json")).expect("lists of texts");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (name, inputs) in inputs {
        let folder = corpus.join(name);
        fs::create_dir_all(&folder).expect("the folder can be made");
        for (number, input) in inputs.iter().enumerate() {
            fs::write(folder.join(format!("seed{number}")), input).expect("a file can be written");
        }
        let mut dictionary = String::new();
        for piece in &pieces[name] {
            let bytes = piece.bytes().map(|byte| format!("\\x{byte:02x}")).collect::<String>();
            writeln!(dictionary, "\"{bytes}\"").expect("text grows");
        }
        fs::write(corpus.join(name).with_extension("dict"), dictionary)
            .expect("a file can be written");
    }
    fs::create_dir_all(corpus.join("arithmetic")).expect("the folder can be made");
}
