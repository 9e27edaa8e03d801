//! One program in the forms that XLA prints: the answers are the same.

use std::collections::HashMap;

use layout_hlo::{self as hlo, Memory, Module};
use layout_tests::data;

use crate::memory;

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
    assert_eq!((programs, changed), (155, 97));
}

/// The parts of a tuple's text, or the items of a list in parentheses.
fn items(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut items) = (0, 1, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if (c == ',' && depth == 1 || depth == 0) && i > start {
            items.push(text[start..i].trim());
            start = i + 1;
        }
    }
    items
}

/// How what runs beside the others is written.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// `async-start` of a computation that has the operation alone.
    Computation,
    /// The same, whose operands come with an `async-update`.
    Late,
}

/// The text with what is started as an operation, `slice-start`, in another form; and how many there are.
fn started(text: &str, form: Form) -> (String, usize) {
    let first_class =
        ["copy", "all-reduce", "all-gather", "collective-permute", "async", "send", "recv"];
    let (mut out, mut header, mut count) = (String::new(), 0, 0);
    let start = text.find("\n%").or(text.find("\nENTRY ")).unwrap() + 1;
    for line in text[start..].lines() {
        if !line.starts_with(' ') && line.ends_with('{') {
            header = out.len();
        }
        let own = line.split_once("-start(").filter(|_| line.starts_with("  %"));
        let own = own.and_then(|(left, right)| {
            let (name, left) = left.trim_start().split_once(" = ")?;
            let (shape, opcode) = left.rsplit_once(' ')?;
            let (operands, attributes) = right.split_once(')')?;
            (!first_class.contains(&opcode)).then_some((name, shape, opcode, operands, attributes))
        });
        let done = line.split_once("-done(%").filter(|_| line.starts_with("  "));
        let done = done.and_then(|(left, right)| {
            let (left, opcode) = left.rsplit_once(' ')?;
            (!first_class.contains(&opcode)).then(|| format!("{left} async-done(%{right}"))
        });
        match own {
            Some((name, shape, opcode, operands, attributes)) => {
                let parts = items(shape);
                let given = items(parts[0]);
                let named = (0..given.len()).map(|i| format!("%{}.p{i}", &name[1..]));
                let named = named.collect::<Vec<_>>();
                let mut body = format!("{name}.body (a: f32[]) -> f32[] {{\n");
                for (i, (own, shape)) in named.iter().zip(&given).enumerate() {
                    body += &format!("  {own} = {shape} parameter({i})\n");
                }
                let all = named.join(", ");
                body +=
                    &format!("  ROOT {name}.o = {} {opcode}({all}){attributes}\n}}\n\n", parts[1]);
                // What it calls stands before, and what calls it behind.
                out.insert_str(header, &body);
                header += body.len();
                let rest = parts[1..].join(", ");
                match form {
                    Form::Computation => {
                        out += &format!(
                            "  {name} = {shape} async-start({operands}), calls={name}.body\n"
                        );
                    }
                    Form::Late => {
                        out += &format!(
                            "  {name}.s = ((), {rest}) async-start(), calls={name}.body\n"
                        );
                        out += &format!("  {name} = {shape} async-update({name}.s, {operands})\n");
                    }
                }
                count += 1;
            }
            None => out.extend([done.as_deref().unwrap_or(line), "\n"]),
        }
    }
    ([&text[..start], &out].concat(), count)
}

#[test]
fn what_is_started_in_three_forms() {
    let mut counts = [0; 2];
    for (name, text) in data::programs("peak") {
        let said = |text: &str| {
            let Memory { hbm, vmem, peak_bytes, host_bytes, .. } = memory(text);
            (hbm.allocated_bytes, hbm.peak_bytes, vmem.peak_bytes, peak_bytes, host_bytes)
        };
        let own = said(&text);
        for (form, all) in [Form::Computation, Form::Late].into_iter().zip(&mut counts) {
            let (text, count) = started(&text, form);
            assert_eq!(own, said(&text), "{name}, {form:?}");
            *all += count;
        }
    }
    assert_eq!(counts, [512; 2]);
}
