//! HLO text: real programs of the TPU compiler against what lines and characters say, texts by hand,
//! and every error.

use layout::shape::Size;
use layout::shape::limits::MAX_NESTING;
use layout::{ElementType, Shape};
use layout_hlo::{Error, Module, Occurrence, Role};
use layout_tests::lists::numbers;
use layout_tests::{data, fuzz, table};
use static_assertions::assert_type_eq_all;

/// The text without strings and comments, the slow and simple way; bytes keep their places.
fn blank(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    let (mut in_string, mut in_comment, mut escaped) = (false, false, false);
    while let Some(c) = chars.next() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = c == '\\' && !escaped;
            out.push(' ');
        } else if in_comment {
            if c == '*' && chars.next_if_eq(&'/').is_some() {
                in_comment = false;
                out.push(' ');
            }
            out.push(' ');
        } else {
            in_string = c == '"';
            in_comment = c == '/' && chars.peek() == Some(&'*');
            out.push(if in_string || in_comment { ' ' } else { c });
        }
    }
    out
}

/// Arrays, tokens and opaque values in a text without strings: an element type and `[`.
fn arrays_in(text: &str) -> usize {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '['));
    let names =
        words.flat_map(|word| word.split_inclusive('[')).filter_map(|w| w.strip_suffix('['));
    names
        .filter(|name| {
            matches!(*name, "token" | "opaque")
                || ElementType::ALL.iter().any(|element| element.name() == *name)
        })
        .count()
}

fn with_role(text: &str, role: Role) -> impl Iterator<Item = Occurrence<'_>> {
    fuzz::hlo_shapes(text).into_iter().filter(move |found| found.role == role)
}

fn instructions(text: &str) -> Vec<Occurrence<'_>> {
    with_role(text, Role::Instruction).collect()
}

#[test]
fn every_shape_of_real_programs() {
    let mut total = 0;
    for (name, text) in data::programs("hlo") {
        let blank = blank(&text);
        assert_eq!(blank.len(), text.len());
        let shapes = fuzz::hlo_shapes(&text);
        let found = shapes.iter().map(|found| arrays_in(found.text())).sum::<usize>();
        assert_eq!(found, arrays_in(&blank), "{name}");
        for found in shapes {
            // What XLA prints is canonical, but for the layouts that it leaves out in signatures.
            let signature = found.computation.is_some() && found.instruction.is_none();
            if !signature {
                assert_eq!(found.parse().unwrap().to_string(), found.text(), "{name}");
            }
            total += 1;
        }
        fuzz::hlo(&text);
    }
    // Lines with ` = `, headers and their parameters, counted by another program.
    assert_eq!(total, 1594);
}

/// The shape in front of an opcode and what is behind it: they are separated by the first blank outside
/// of parentheses.
fn shape_and_rest(text: &str) -> (&str, &str) {
    let mut depth = 0;
    let end = text.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ' ' && depth == 0
    });
    text.split_at(end.unwrap())
}

#[test]
fn instructions_of_real_programs() {
    for (name, text) in data::programs("hlo") {
        let mut found = instructions(&text).into_iter();
        let mut computation = "";
        for (number, line) in text.lines().enumerate() {
            if let Some(header) = line.strip_suffix('{') {
                let (first, _) = header.trim_start_matches("ENTRY ").split_once(' ').unwrap();
                computation = &first[1..];
            }
            let Some(line) = line.strip_prefix("  ") else { continue };
            let (called, value) = line.split_once(" = ").unwrap();
            let (shape, rest) = shape_and_rest(value);
            let (opcode, _) = rest[1..].split_once('(').unwrap();
            let found = found.next().unwrap();
            let instruction = found.instruction.unwrap();
            assert_eq!((found.line(), found.text()), (number + 1, shape), "{name}");
            assert_eq!(instruction.opcode, opcode, "{name}");
            assert_eq!(called.trim_start_matches("ROOT "), format!("%{}", instruction.name));
            assert_eq!(called.starts_with("ROOT "), instruction.is_root, "{name}: {called}");
            assert_eq!(found.computation.unwrap().name, computation, "{name}: {called}");
        }
        assert!(found.next().is_none(), "{name}");
    }
}

#[test]
fn entries_of_real_programs() {
    let mut summary = Vec::new();
    for (name, text) in data::programs("hlo") {
        let module = Module::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        // The header, by its text alone.
        let (_, rest) = text.split_once("entry_computation_layout={").unwrap();
        let (layout, _) = rest.split_once("}, allow_spmd").unwrap();
        let (parameters, result) = layout.split_once("->").unwrap();
        let parameters: Shape = parameters.parse().unwrap();
        let layout = module.entry_computation_layout().unwrap();
        assert_eq!(Shape::Tuple(layout.parameter_shapes().into()), parameters, "{name}");
        assert_eq!(layout.result(), result, "{name}");
        // What was compiled has the layouts of its header.
        let shapes = module.parameters().iter().map(|parameter| parameter.shape());
        assert!(shapes.eq(layout.parameter_shapes()), "{name}");
        assert_eq!(module.result(), result.parse().unwrap(), "{name}");
        assert_eq!(*module.computation_layout(), *layout, "{name}");
        for parameter in module.parameters() {
            let line = format!("parameter({})", parameter.number());
            let (_, entry) = text.split_once("\nENTRY ").unwrap();
            let line = entry.lines().find(|text| text.contains(&line)).unwrap();
            assert!(line.contains(&format!("%{} = ", parameter.name())), "{name}");
            let op_name = parameter.op_name().unwrap();
            assert!(line.contains(&format!("op_name=\"{op_name}\"")), "{name}");
        }
        let bytes = |shape: &Shape| shape.as_array().unwrap().bytes().unwrap();
        let parameters = layout.parameter_shapes().iter().map(bytes).sum::<Size>();
        let results = layout.result_shapes().iter().map(bytes).sum::<Size>();
        let count = layout.parameters().len() as Size;
        let counts = [count, parameters, results].map(|it| it.to_string());
        summary.push([&[module.name().to_owned()][..], &counts].concat());
    }
    // By a program that knows nothing of this one.
    assert_eq!(summary, table::of("entries", "entry"));
}

fn texts(shapes: &[Shape]) -> Vec<String> {
    shapes.iter().map(ToString::to_string).collect()
}

/// All that is found in two texts by hand: what was written there before is read too.
#[test]
fn the_old_and_the_short_syntax() {
    for (name, text) in ["old_syntax", "short_syntax"].into_iter().zip(data::hlo_by_hand()) {
        fuzz::hlo(&text);
        let module = Module::parse(&text).unwrap();
        assert!(module.entry_computation_layout().is_none());
        let mut said = format!("module {}, entry {}\n", module.name(), module.entry_name());
        for parameter in module.parameters() {
            let (name, op_name) = (parameter.name(), parameter.op_name().unwrap_or("no name"));
            said += &format!("parameter {name}, {op_name}: {}\n", parameter.shape());
        }
        for result in module.computation_layout().result_shapes() {
            said += &format!("result {result}\n");
        }
        for found in fuzz::hlo_shapes(&text) {
            let (line, column) = (found.line(), found.column());
            said += &format!("{line}:{column} {:?} {}\n", found.role, found.text());
        }
        data::assert_snapshot(&format!("hlo_by_hand/{name}.txt"), &said);
    }
}

/// A module with this entry computation, from line 3 on.
fn module(entry: &str) -> String {
    format!("HloModule m\nENTRY main {{\n{entry}\n}}")
}

/// Where an error is, and the first line of what it says.
fn said(error: &Error) -> String {
    let message = error.message().to_string();
    format!("{}:{} {}", error.line(), error.column(), message.lines().next().unwrap())
}

#[test]
fn worked_examples() {
    let parameter = "ROOT p = f32[2] parameter(0)";
    let [_, short] = data::hlo_by_hand();
    let short = instructions(&short);
    let wrong = |text: &str| {
        fuzz::hlo(text);
        let error = Module::parse(text).unwrap_err();
        assert!(error.to_string().contains("help: "), "{text}\n{error}");
        said(&error)
    };
    table::check("hlo", &mut |question, columns| {
        let [text] = columns else { panic!("a text") };
        let lines = text.replace("\\n", "\n").replace("\\r", "\r");
        match question {
            "entry" => wrong(&module(&lines)),
            "text" => wrong(&lines),
            "entry_computation_layout" => wrong(&module(parameter).replacen(
                '\n',
                &format!(", entry_computation_layout={{{text}}}\n"),
                1,
            )),
            "shapes" => {
                let entry = module(&lines);
                assert!(Module::parse(&entry).is_ok(), "{entry}");
                let found = fuzz::hlo_shapes(&entry);
                found.iter().map(|found| found.text()).collect::<Vec<_>>().join(" ")
            }
            "reads" => {
                fuzz::hlo(&lines);
                let module =
                    Module::parse(&lines).unwrap_or_else(|error| panic!("{text}: {error}"));
                let parameters = module.parameters().iter().map(|it| it.shape_text());
                let layout = module.computation_layout();
                let shapes = parameters.chain([layout.result()]).collect::<Vec<_>>();
                format!("{} {}", module.entry_name(), shapes.join(" "))
            }
            "memory" => {
                let text = fuzz::scheduled(text);
                fuzz::hlo(&text);
                let module = Module::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
                match module.memory() {
                    Ok(memory) => {
                        let hbm = &memory.hbm;
                        let bytes = [hbm.arguments_bytes, hbm.results_bytes, hbm.temporaries_bytes];
                        let in_vmem = Some(memory.vmem.peak_bytes).filter(|bytes| *bytes > 0);
                        let all = bytes.into_iter().chain(in_vmem);
                        let all = all.map(|bytes| bytes.to_string()).collect::<Vec<_>>().join(" ");
                        match hbm.constants_bytes {
                            0 => all,
                            bytes => format!("{all} constants {bytes}"),
                        }
                    }
                    Err(error) => said(&error),
                }
            }
            "root" => Module::parse(&lines).unwrap().result().to_string(),
            "name" => {
                let metadata = format!("metadata={{op_type=\"x\" op_name=\"{text}\"}}");
                let module = module(&format!("{parameter}, {metadata}"));
                format!("{:?}", Module::parse(&module).unwrap().parameters()[0].op_name().unwrap())
            }
            "instruction" => {
                let found = &short[numbers::<usize>(text)[0]];
                let (computation, instruction) =
                    (found.computation.unwrap(), found.instruction.unwrap());
                let names = [computation.name, instruction.name, instruction.opcode];
                format!("{}, {}", found.line(), names.join(", "))
            }
            _ => panic!("unknown question"),
        }
    });
}

#[test]
fn texts_of_anything() {
    for text in ["", "\n", "((((", "}}}}", "\"", "\\", "HloModule", "ENTRY {", "= = =", "b(b(b("] {
        fuzz::hlo(text);
    }
    // Nothing takes longer than the text is long.
    for piece in fuzz::pieces("repeated in hlo") {
        for start in ["", "HloModule m\nENTRY main {\n", "HloModule m\nENTRY main {\nx = "] {
            let text = [start, &piece.repeat(100_000)].concat();
            assert!(fuzz::hlo_shapes(&text).len() < text.len());
            assert!(Module::parse(&text).is_err(), "{piece}");
        }
    }
}

/// `inner` in so many pairs of brackets.
fn nested([open, close]: [&str; 2], inner: &str, depth: usize) -> String {
    [&open.repeat(depth), inner, &close.repeat(depth)].concat()
}

#[test]
fn nesting_at_its_limit() {
    let tuple = |depth| nested(["(", ")"], "f32[2]", depth);
    let too_deep = "more than 128 levels of nested tuples";
    for (entry, column) in [
        ("x = S add()", 5),
        ("y=f32[2]iota() x = f32[] add(S y)", 30),
        ("x = f32[] add(), a={S}", 21),
    ] {
        let text = |depth| module(&entry.replace('S', &tuple(depth)));
        assert!(Module::parse(&text(MAX_NESTING)).is_ok(), "{entry}");
        // One more is a shape all the same, and wrong at its innermost parenthesis.
        let error = Module::parse(&text(MAX_NESTING + 1)).unwrap_err();
        assert!(error.message().to_string().starts_with(too_deep), "{entry}: {error}");
        assert_eq!((error.line(), error.column()), (3, column + MAX_NESTING), "{entry}");
    }
    // The outermost brace of an array is only that of a layout if a number or colon follows.
    let operand = |depth| {
        let array = ["f32[2]", &nested(["{", "}"], "1", depth)].concat().replacen("{{", "{:{", 1);
        (module(&format!("y=f32[2]iota() x = f32[] add({array} y)")), array)
    };
    let (text, array) = operand(MAX_NESTING + 1);
    let operands = with_role(&text, Role::Operand);
    assert!(operands.map(|it| (it.line(), it.column(), it.text())).eq([(3, 30, &*array)]));
    let (text, _) = operand(MAX_NESTING + 2);
    assert!(Module::parse(&text).is_err());
    // Computations in braces and instructions among operands, on the stack of a thread.
    let computations =
        |depth| nested(["r = f32[] call(), to_apply={", "}"], "c = f32[] iota()", depth);
    let operands = |depth| ["x = f32[] ", &nested(["add(f32[] ", ")"], "iota()", depth)].concat();
    for nest in [&computations as &dyn Fn(usize) -> String, &operands] {
        assert!(Module::parse(&module(&nest(100))).is_ok());
        let error = Module::parse(&module(&nest(100_000))).unwrap_err();
        assert!(error.to_string().contains("more than 100 deep"), "{error}");
    }
}

/// Columns of what stands far along a line.
#[test]
fn columns_of_long_lines() {
    for count in [1, 20, 200] {
        let piece = |i| {
            format!("y{i}=f32[1]a() /*é*/ x{i} = f32[3]{{0}}add(f32[2] y{i}), a=\"é\" z{i}=c() ")
        };
        let pieces = (0..count).map(piece).collect::<String>();
        let text = format!("HloModule m\nENTRY e {{ {pieces}z = f23[4] add() }}");
        fuzz::hlo(&text);
        let (before, _) = text.lines().nth(1).unwrap().split_once("f23").unwrap();
        let error = Module::parse(&text).unwrap_err();
        assert_eq!((error.line(), error.column()), (2, before.chars().count() + 1));
    }
}

mod programs {
    layout_hlo_macros::hlo! {
        /// With names for all of its parameters.
        pub mod train_step = "data/hlo/v5e__train_step_bf16.hlo";
        #[doc(hidden)]
        pub(crate) mod lstm = "data/hlo/v5e__lstm_f32.hlo";
        pub(super) mod old_syntax = "data/hlo_by_hand/old_syntax.hlo";
    }
}

#[test]
fn types_of_programs() {
    use programs::train_step::{params, results};

    let [old, _] = data::hlo_by_hand();
    let programs = data::programs("hlo");
    let text = |name: &str| programs.iter().find(|(file, _)| file == name).unwrap().1.as_str();
    macro_rules! texts {
        ($module:path: $($name:ident)*) => {{
            use $module as list;
            [$(list::$name::TEXT),*]
        }};
    }

    let train_step = Module::parse(text("v5e__train_step_bf16.hlo")).unwrap();
    let layout = train_step.computation_layout();
    let by_number = texts!(params: P0 P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12 P13 P14);
    assert_eq!(by_number[..], texts(&layout.parameter_shapes()));
    let by_name = texts!(params: A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14);
    assert_eq!(by_name, by_number);
    let by_number = texts!(results: R0 R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13);
    assert_eq!(by_number[..], texts(&layout.result_shapes()));
    type W0 = layout::layout!(bf16[784,300]{0,1:T(8,128)(2,1)});
    assert_type_eq_all!(W0, params::P0, params::A0, results::R1);

    let lstm = Module::parse(text("v5e__lstm_f32.hlo")).unwrap();
    let by_name = texts!(programs::lstm::params: Xs Wx Wh B);
    assert_eq!(by_name[..], texts(&lstm.computation_layout().parameter_shapes()));

    use programs::old_syntax::{params as old_params, results as old_results};
    let old = Module::parse(&old).unwrap();
    let Shape::Tuple(parts) = old.parameters()[1].shape() else { panic!() };
    assert_eq!(old_params::p1::P0::TEXT, parts[0].to_string());
    type Parts = (old_params::p1::P0, layout::types::Token);
    assert_type_eq_all!(old_params::P1, Parts, old_params::StateLoop);
    assert_type_eq_all!(old_results::R1, ());
    assert_eq!(old_results::R2::TEXT, "s32[4]{0}");
}
