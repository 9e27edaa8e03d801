//! One program in the forms that XLA prints: the answers are the same.

use std::collections::HashMap;

use layout_hlo::{self as hlo, Memory, Module};
use layout_tests::data;

/// The text with parts of tuples as XLA prints them since July 2026: `%t#1` where a `get-tuple-element` was taken.
fn compact(text: &str) -> String {
    let mut out = String::new();
    let mut parts = HashMap::<&str, String>::new();
    for line in text.lines() {
        let own = line.strip_prefix("  %").and_then(|line| line.split_once(" = "));
        if own.is_none() && !line.starts_with("  ") {
            parts.clear();
        }
        let line = renamed(line, &parts);
        let get = own.zip(line.split_once(" get-tuple-element(%"));
        let part = get.and_then(|((name, _), (_, get))| Some((name, get.split_once("), index=")?)));
        match part {
            Some((name, (of, index))) => {
                let index = index.split(',').next().unwrap();
                parts.insert(name, format!("{of}#{index}"));
            }
            None => out.extend([&line, "\n"]),
        }
    }
    out
}

/// A line with other names after its percent signs.
fn renamed(line: &str, names: &HashMap<&str, String>) -> String {
    let mut pieces = line.split('%');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        let (name, rest) = piece.split_at(piece.find(|c| !is_word(c)).unwrap_or(piece.len()));
        out.extend(["%", names.get(name).map_or(name, String::as_str), rest]);
    }
    out
}

/// The text with each computation in braces where it is called, as `HloPrintOptions.canonical()` has it.
fn in_braces(text: &str) -> String {
    let start = text.find("\n%").or(text.find("\nENTRY ")).unwrap() + 1;
    let (mut bodies, mut body, mut name) = (HashMap::new(), String::new(), "");
    for line in text[start..].lines() {
        if let Some(header) = line.strip_prefix('%') {
            (name, body) = (header.split(' ').next().unwrap(), "{\n".to_owned());
        } else if line.starts_with("ENTRY ") {
            body = line.to_owned() + "\n";
        } else if line == "}" {
            bodies.insert(name, body.clone() + "}");
            name = "";
        } else {
            body.extend([&inlined(line, &bodies), "\n"]);
        }
    }
    [&text[..start], &bodies[""], "\n"].concat()
}

/// A line with bodies in place of names after `=%`, and in lists.
fn inlined(line: &str, bodies: &HashMap<&str, String>) -> String {
    let (operation, attributes) = line.split_at(line.find("), ").unwrap_or(line.len()));
    [operation, &renamed(attributes, bodies).replace("%{", "{")].concat()
}

/// All numbers that are said of a program, and which instructions, parameters and results they are about.
fn answer(memory: &Memory<'_>) -> String {
    let hbm = &memory.hbm;
    let mut out = format!(
        "{} {} {} {} {} {} {} {:?} {}\n",
        hbm.allocated_bytes,
        hbm.peak_bytes,
        hbm.arguments_bytes,
        hbm.results_bytes,
        memory.vmem.peak_bytes,
        memory.host_bytes,
        hbm.instruction,
        memory.cycles(),
        memory.unknown_loops()
    );
    for copy in memory.copies() {
        let hlo::LayoutCopy { instruction, from, to, cycles, times, causes, .. } = copy;
        out += &format!("{instruction} {from} {to} {cycles} {times} {causes:?}\n");
    }
    for advice in memory.advice() {
        let saves = (advice.saves_bytes, advice.saves_cycles);
        out += &format!("{} {saves:?} {:?}\n", advice.python, advice.instructions);
    }
    out
}

#[test]
fn one_program_in_three_forms() {
    let (mut programs, mut changed) = (0, 0);
    let folders = ["hlo", "peak", "copies", "programs"];
    let texts = folders.iter().flat_map(|folder| data::programs(folder)).collect::<Vec<_>>();
    for (name, text) in &texts {
        let said = |text: &str| {
            let module = Module::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            module.memory().map_or_else(|error| error.to_string(), |memory| answer(&memory))
        };
        let (own, compact) = (said(text), compact(text));
        assert_eq!(own, said(&compact), "{name}");
        assert_eq!(own, said(&in_braces(text)), "{name}");
        programs += 1;
        changed += usize::from(compact != *text);
    }
    assert_eq!((programs, changed), (117, 74));
}
