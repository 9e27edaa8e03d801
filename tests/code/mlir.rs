//! Affine maps: read and evaluated here, and parsed by MLIR's own tool where it is installed.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use layout_gpu::code::{Code, Language};
use layout_tests::code::{Case, cases, compare};

/// An expression, read from the left and evaluated with the values of names.
struct Reader<'a> {
    rest: &'a str,
    values: &'a HashMap<String, i64>,
}

impl<'a> Reader<'a> {
    fn take(&mut self, text: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        word
    }

    /// The one of these that comes next.
    fn any(&mut self, of: &[&'static str]) -> Option<&'static str> {
        of.iter().copied().find(|text| self.take(text))
    }

    /// `product + product - product`.
    fn sum(&mut self) -> i64 {
        let mut value = if self.take("-") { -self.product() } else { self.product() };
        while let Some(operator) = self.any(&["+", "-"]) {
            let next = self.product();
            value += if operator == "+" { next } else { -next };
        }
        value
    }

    /// `atom * atom floordiv atom mod atom`, from left to right.
    fn product(&mut self) -> i64 {
        let mut value = self.atom();
        while let Some(operator) = self.any(&["*", "floordiv", "ceildiv", "mod"]) {
            let next = self.atom();
            value = match operator {
                "*" => value * next,
                "floordiv" => value.div_euclid(next),
                "ceildiv" => -(-value).div_euclid(next),
                _ => value.rem_euclid(next),
            };
        }
        value
    }

    fn atom(&mut self) -> i64 {
        if self.take("(") {
            let value = self.sum();
            assert!(self.take(")"), "{}", self.rest);
            return value;
        }
        let word = self.word();
        match word.parse() {
            Ok(number) => number,
            Err(_) => self.values[word],
        }
    }
}

/// An attribute of the text: names of its dimensions and symbols, and what follows.
struct Map<'a> {
    dims: Vec<&'a str>,
    symbols: Vec<&'a str>,
    body: &'a str,
}

impl<'a> Map<'a> {
    fn new(text: &'a str, name: &str, kind: &str, arrow: &str) -> Map<'a> {
        let (_, rest) = text.split_once(&format!("\n#{name} = {kind}<(")).expect("it is there");
        let (line, _) = rest.split_once(">\n").expect("it ends");
        let (head, body) = line.split_once(arrow).expect("an arrow");
        let (dims, symbols) = head.split_once(')').expect("a list");
        let list = |text: &'a str| {
            let text = text.trim().trim_start_matches('[').trim_end_matches(']');
            text.split(", ").filter(|name| !name.is_empty()).collect::<Vec<_>>()
        };
        Map { dims: list(dims), symbols: list(symbols), body }
    }

    /// The results for values of the dimensions and symbols.
    fn values(&self, dims: &[usize], symbols: &[usize]) -> Vec<i64> {
        assert_eq!((dims.len(), symbols.len()), (self.dims.len(), self.symbols.len()));
        let pairs = self.dims.iter().zip(dims).chain(self.symbols.iter().zip(symbols));
        let values = pairs.map(|(name, value)| ((*name).to_owned(), *value as i64)).collect();
        let mut reader = Reader { rest: self.body, values: &values };
        let mut results = Vec::new();
        assert!(reader.take("("));
        while !reader.take(")") {
            results.push(reader.sum());
            // Of a set.
            let _ = reader.take(">= 0") || reader.take("== 0");
            let _ = reader.take(",");
        }
        assert_eq!(reader.rest.trim(), "");
        results
    }
}

fn answers(case: &Case) -> Vec<u32> {
    let text = Code::of(&case.shape, Language::Mlir).name(&case.name).text().unwrap().to_string();
    let offset = Map::new(&text, &format!("{}_offset", case.name), "affine_map", " -> ");
    let index = Map::new(&text, &format!("{}_index", case.name), "affine_map", " -> ");
    let bounds = Map::new(&text, &format!("{}_in_bounds", case.name), "affine_set", " : ");
    let dims = case.shape.dims().iter().zip(&case.dims);
    let symbols = dims.filter(|(dim, _)| dim.is_dynamic()).map(|(_, size)| *size);
    let symbols = symbols.collect::<Vec<_>>();
    let is_inside = |at: &[usize]| bounds.values(at, &symbols).iter().all(|value| *value >= 0);
    let offset_of = |at: &[usize]| usize::try_from(offset.values(at, &symbols)[0]).unwrap();

    let mut words = Vec::new();
    for number in 0..case.elements() {
        let at = layout_tests::naive::unflatten(number, &case.dims);
        words.push(if is_inside(&at) { offset_of(&at) } else { usize::MAX });
    }
    let slots = case.slots();
    for slot in case.offsets().map(|slot| usize::try_from(slot).unwrap()) {
        // An array without slots has no counts to divide by.
        let found = (slots > 0).then(|| index.values(&[slot], &symbols));
        let found =
            found.map(|at| at.iter().map(|i| usize::try_from(*i).unwrap()).collect::<Vec<_>>());
        let found = found.filter(|at| is_inside(at) && offset_of(at) == slot);
        words.push(usize::from(found.is_some()));
        words.extend(found.as_deref().unwrap_or(&vec![0; case.dims.len()]));
        words.push(usize::from(slot < slots && found.is_none()));
    }
    for dim in 0..case.dims.len() {
        let mut past = vec![0; case.dims.len()];
        past[dim] = case.dims[dim];
        words.push(usize::from(is_inside(&past)));
    }
    // No map says the sizes.
    words.extend([case.elements(), slots, 1]);
    words.into_iter().map(|word| u32::try_from(word).unwrap_or(u32::MAX)).collect()
}

#[test]
fn maps_say_what_the_library_says() {
    // Reading an expression for each slot takes its time.
    for case in cases().into_iter().filter(|case| case.slots() <= 300) {
        compare(std::slice::from_ref(&case), &answers(&case), "MLIR");
    }
}

#[test]
fn mlir_reads_the_maps() {
    let tool = ["mlir-opt", "mlir-opt-14", "mlir-opt-15", "mlir-opt-16", "mlir-opt-19"]
        .into_iter()
        .find(|tool| Command::new(tool).arg("--version").output().is_ok());
    let Some(tool) = tool else {
        println!("SKIPPED: `mlir-opt` is not installed; the maps are evaluated here alone");
        return;
    };
    let mut text = String::new();
    let mut uses = String::new();
    for case in cases() {
        let name = &case.name;
        text += &Code::of(&case.shape, Language::Mlir).name(name).text().unwrap().to_string();
        // What is not used is not looked at.
        uses += &format!(
            "\"test.use\"() {{ a = #{name}_offset, b = #{name}_index, c = #{name}_in_bounds }} : () -> ()\n"
        );
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("maps.mlir");
    fs::write(&file, text + &uses).expect("the file can be written");
    let output = Command::new(tool).arg("--allow-unregistered-dialect").arg(&file).output();
    let output = output.expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
