//! Small programs whose copies, loops and advice can be told by hand. Memory alone is in `data/tables/hlo.txt`.

use layout_hlo::{AdviceKind, ErrorKind, Module, Place, ReportOptions};
use layout_tests::random::Random;
use layout_tests::{data, fuzz};

/// A module of an entry with these lines, and computations before it.
fn module(before: &str, header: &str, lines: &[&str]) -> String {
    let lines = lines.iter().map(|line| format!("  {line}\n")).collect::<String>();
    format!(
        "HloModule m, is_scheduled=true{header}\n\n{before}\nENTRY %main (p: f32[256]) -> f32[256] {{\n{lines}}}\n"
    )
}

/// Bytes of arguments, results and temporaries at the peak, in arrays of 1 KiB, on a TPU.
fn peak(before: &str, header: &str, lines: &[&str]) -> [u64; 3] {
    let text = module(before, header, lines).replace("f32[256]{0}", "f32[256]{0:T(256)}");
    peak_of(&text.replace("f32[256]{0:S(5)}", "f32[256]{0:T(256)S(5)}"))
}

fn peak_of(text: &str) -> [u64; 3] {
    let module = Module::parse(text).unwrap();
    let peak = module.memory().unwrap().hbm;
    [peak.arguments_bytes, peak.results_bytes, peak.temporaries_bytes].map(|bytes| bytes / 1024)
}

const P: &str = "%p = f32[256]{0} parameter(0)";

/// A copy in a computation that is called twice is executed twice.
#[test]
fn copies_of_computations_called_twice() {
    let f = "%f { %x = f32[64,32]{1,0} parameter(0) ROOT %y = f32[64,32]{0,1} copy(%x), backend_config={\"estimated_cycles\":\"7\"} }\n";
    let call = "f32[64,32]{0,1} call(%q), to_apply=%f";
    let lines = [
        "%q = f32[64,32]{1,0} parameter(0)",
        &format!("%a = {call}"),
        &format!("ROOT %b = {call}"),
    ];
    let text = module(f, "", &lines);
    let module = Module::parse(&text).unwrap();
    let memory = module.memory().unwrap();
    let times = memory.copies().iter().map(|copy| (copy.instruction, copy.times));
    assert!(times.eq([("y", 2)]) && memory.cycles() == Some(14), "{memory}");
}

/// The advice on layouts of a program for a TPU with these lines: places, orders and cycles.
fn advice(header: &str, lines: &[&str]) -> Vec<(Place, Vec<usize>, u64)> {
    let text = module("", header, lines).replace("(p: f32[256]) -> f32[256]", "");
    let module = Module::parse(&text).unwrap();
    let memory = module.memory().unwrap();
    let own = memory.advice().iter().cloned();
    let layouts = own.filter(|it| it.kind == AdviceKind::Layout);
    layouts.map(|it| (it.places[0], it.major_to_minor, it.saves_cycles)).collect()
}

#[test]
fn layouts_that_are_advised() {
    const A: &str = "f32[64,32]{1,0:T(8,128)}";
    const B: &str = "f32[64,32]{0,1:T(8,128)}";
    let p = format!("%p = {A} parameter(0)");
    let copy = |to: &str, of: &str, cycles: u32| {
        format!("ROOT %r = {to} copy(%{of}), backend_config={{\"estimated_cycles\":\"{cycles}\"}}")
    };
    // One copy leads to the parameter and to the result: one of them is advised.
    let lines = [&*p, &*copy(B, "p", 5000)];
    let one = [(Place::Parameter(0), vec![1, 0], 5000)];
    assert_eq!(advice("", &lines), one);
    // What reads the parameter as it lies may lose half of the gain, and what is left is not felt in a long program.
    for (cycles, felt) in [(20_000, &one[..]), (300_000, &[])] {
        let cost = format!("backend_config={{\"estimated_cycles\":\"{cycles}\"}}");
        let lines = [
            &*p,
            &copy(B, "p", 5000).replace("ROOT %r", "%c"),
            "%z = f32[] constant(0)",
            &format!("%n = f32[64]{{0:T(128)}} reduce(%p, %z), dimensions={{1}}, {cost}"),
            "%d = f32[64]{0:T(128)} reduce(%c, %z), dimensions={1}",
            "ROOT %r = (f32[64]{0:T(128)}, f32[64]{0:T(128)}) tuple(%n, %d)",
        ];
        assert_eq!(advice("", &lines), felt);
    }
    // What takes the parameter both copied and as it lies needs a copy in either layout.
    let sum = format!("ROOT %r = {A} custom-call(%c, %p)");
    assert_eq!(advice("", &[&p, &copy(B, "p", 5000).replace("ROOT %r", "%c"), &sum]), []);
    // A result that is made in VMEM is still to be written to HBM without its copy: 16 KiB, 33 cycles. Longer work hides them.
    for (cycles, save, is_felt) in [(30, 530, false), (30, 540, true), (40, 530, true)] {
        let cost = format!("backend_config={{\"estimated_cycles\":\"{cycles}\"}}");
        let made = format!("%f = {} dot(%p), {cost}", B.replace(")}", ")S(1)}"));
        assert_eq!(!advice("", &[&p, &made, &copy(A, "f", save)]).is_empty(), is_felt, "{save}");
    }
    // Not where the user has chosen.
    assert_eq!(
        advice(", arg_layout_modes=\"{1,0}\"", &lines),
        [(Place::Result(0), vec![0, 1], 5000)]
    );
    let both = ", arg_layout_modes=\"{1,0}\", out_layout_modes=\"{0,1}\"";
    assert_eq!(advice(both, &lines), []);
    // In one memory with a parameter that a kernel needs as it is, half of the gain is taken to be lost.
    let t = format!("%t = {B} custom-call(%p)");
    let donated = ", input_output_alias={ {}: (0, {}, may-alias) }";
    assert_eq!(advice(donated, &[&p, &t, &copy(A, "t", 900)]), []);
    let more = [(Place::Parameter(0), vec![1, 0], 1100)];
    assert_eq!(advice(donated, &[&p, &t, &copy(A, "t", 1100)]), more);
    // Parts of a dimension that do not follow one another are no order of dimensions.
    let parts = "%b = f32[8,8,32]{2,1,0:T(8,128)} bitcast(%p)";
    let moved = copy("f32[8,8,32]{0,1,2:T(8,128)}", "b", 5000);
    let own = advice(", out_layout_modes=\"{2,1,0}\"", &[&p, parts, &moved]);
    assert_eq!(own, []);
}

/// A loop from `start` while it compares with `limit`, in steps, which carries an array.
fn loop_of(direction: &str, start: i64, limit: i64, step: i64) -> String {
    let body = format!(
        "%body (c: (s32[], f32[256])) -> (s32[], f32[256]) {{\n  \
           %c = (s32[], f32[256]{{0}}) parameter(0)\n  \
           %i = s32[] get-tuple-element(%c), index=0\n  \
           %x = f32[256]{{0}} get-tuple-element(%c), index=1\n  \
           %step = s32[] constant({step})\n  \
           %next = s32[] add(%i, %step)\n  \
           %y = f32[256]{{0}} reverse(%x), dimensions={{0}}\n  \
           %z = f32[256]{{0}} reverse(%y), dimensions={{0}}, backend_config={{\"estimated_cycles\":\"7\"}}\n  \
           ROOT %t = (s32[], f32[256]{{0}}) tuple(%next, %z)\n}}\n"
    );
    let condition = format!(
        "%cond (c.1: (s32[], f32[256])) -> pred[] {{\n  \
           %c.1 = (s32[], f32[256]{{0}}) parameter(0)\n  \
           %i.1 = s32[] get-tuple-element(%c.1), index=0\n  \
           %limit = s32[] constant({limit})\n  \
           ROOT %lt = pred[] compare(%i.1, %limit), direction={direction}\n}}\n"
    );
    let start = format!("%start = s32[] constant({start})");
    let lines = [
        P,
        &start,
        "%a = f32[256]{0} reverse(%p), dimensions={0}",
        "%init = (s32[], f32[256]{0}) tuple(%start, %a)",
        "%loop = (s32[], f32[256]{0}) while(%init), condition=%cond, body=%body",
        "%w = f32[256]{0} get-tuple-element(%loop), index=1",
        "ROOT %r = f32[] custom-call(%w)",
    ];
    module(&(body + &condition), "", &lines)
}

#[test]
fn loops() {
    for (direction, start, limit, step, times) in [
        ("LT", 0, 10, 1, Some(10)),
        ("LT", 3, 10, 2, Some(4)),
        ("LE", 3, 10, 2, Some(4)),
        ("LE", 3, 11, 2, Some(5)),
        ("GT", 10, 0, -3, Some(4)),
        ("GE", 9, 0, -3, Some(4)),
        ("NE", 2, 8, 3, Some(2)),
        ("LT", 0, 10, -1, None),
        ("EQ", 0, 10, 1, None),
    ] {
        let text = loop_of(direction, start, limit, step);
        let module = Module::parse(&text).unwrap();
        let memory = module.memory().unwrap();
        // What is carried is dead between its last use and what takes its place.
        assert_eq!(memory.hbm.temporaries_bytes / 1024, 2, "{direction}");
        assert_eq!(
            memory.unknown_loops(),
            usize::from(times.is_none()),
            "{direction} {start} {limit}"
        );
        assert_eq!(
            memory.cycles(),
            Some(7 * times.unwrap_or(1)),
            "{direction} {start} {limit} {step}"
        );
    }
}

/// What is updated in a loop that carries it is in one place, in VMEM too.
#[test]
fn in_the_chips_memory() {
    const WHOLE: &str = "f32[256]{0:T(256)S(1)}";
    let text = loop_of("LT", 0, 10, 1)
        .replace("reverse(%y), dimensions={0}", "dynamic-update-slice(%x, %y, %i)");
    assert_eq!(peak_of(&text.replace("f32[256]{0}", "f32[256]{0:T(256)}"))[2], 2);
    let text = text.replace("f32[256]{0}", WHOLE);
    let module = Module::parse(&text).unwrap();
    // With the argument.
    assert_eq!(module.memory().unwrap().vmem.peak_bytes, 3072);
}

/// A limit that the loop carries along, copied each time.
#[test]
fn loops_with_a_limit_that_is_carried() {
    let text = loop_of("LT", 0, 10, 1)
        .replace("(s32[], f32[256]{0})", "(s32[], f32[256]{0}, s32[])")
        .replace(
            "%step =",
            "%same = s32[] get-tuple-element(%c), index=2\n  %kept = s32[] copy(%same)\n  %step =",
        )
        .replace("tuple(%next, %z)", "tuple(%next, %z, %kept)")
        .replace("%limit = s32[] constant(10)", "%limit = s32[] get-tuple-element(%c.1), index=2")
        .replace("%init =", "%ten = s32[] constant(10)\n  %init =")
        .replace("tuple(%start, %a)", "tuple(%start, %a, %ten)");
    let module = Module::parse(&text).unwrap();
    let memory = module.memory().unwrap();
    assert_eq!((memory.unknown_loops(), memory.cycles()), (0, Some(70)));
}

#[test]
fn arguments_that_a_result_could_take_over() {
    let text = "HloModule m, is_scheduled=true\n\n\
        ENTRY %main (a: f32[256], b: f32[256], n: f32[]) -> (f32[256], f32[]) {\n  \
          %a = f32[256]{0} parameter(0), metadata={op_name=\"state[\\'a\\']\"}\n  \
          %b = f32[256]{0} parameter(1), metadata={op_name=\"batch\"}\n  \
          %n = f32[] parameter(2), metadata={op_name=\"n\"}\n  \
          %r = f32[256]{0} add(%a, %b)\n  \
          %s = f32[] custom-call(%b)\n  \
          ROOT %t = (f32[256]{0}, f32[]) tuple(%r, %s)\n}\n";
    let module = Module::parse(text).unwrap();
    let memory = module.memory().unwrap();
    // `b` is used after the sum; `n` is too small to be worth a word.
    let [advice] = memory.advice() else { panic!("{:?}", memory.advice()) };
    assert_eq!((advice.kind, &advice.places[..]), (AdviceKind::Donate, &[Place::Parameter(0)][..]));
    assert_eq!((advice.names[0].as_str(), advice.saves_bytes), ("state", 1024));
    assert!(advice.python.starts_with("jax.jit(f, donate_argnums=(0,))"), "{}", advice.python);
}

#[test]
fn a_program_without_an_order_of_execution_is_refused() {
    let text =
        module("", "", &["ROOT %p = f32[256]{0} parameter(0)"]).replace(", is_scheduled=true", "");
    let module = Module::parse(&text).unwrap();
    let error = module.memory().unwrap_err();
    assert_eq!((error.kind(), error.line()), (&ErrorKind::NotScheduled, 1));
    assert!(error.help().to_string().contains("compile().as_text()"));
}

/// Computations that call themselves are refused, and calls of calls end.
#[test]
fn circles_and_depths() {
    let circle = "%f (x: f32[256]) -> f32[256] {\n  %x = f32[256]{0} parameter(0)\n  \
        ROOT %g = f32[256]{0} fusion(%x), kind=kLoop, calls=%f\n}\n";
    let error = Module::parse(&module(circle, "", &[P])).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::UnknownComputation);
    for (nest, opcode) in [("kind=kLoop, calls", "fusion"), ("to_apply", "call")] {
        let mut before =
            "%f0 (x: f32[256]) -> f32[256] {\n  ROOT %x = f32[256]{0} parameter(0)\n}\n".to_owned();
        for i in 1..20_000 {
            before += &format!(
                "%f{i} (x: f32[256]) -> f32[256] {{\n  %x = f32[256]{{0}} parameter(0)\n  \
                 ROOT %y = f32[256]{{0}} {opcode}(%x), {nest}=%f{}\n}}\n",
                i - 1
            );
        }
        let root = format!("ROOT %r = f32[256]{{0}} {opcode}(%p), {nest}=%f19999");
        let text = module(&before, "", &[P, &root]);
        let module = Module::parse(&text).unwrap();
        let kind = module.memory().map_err(|error| *error.kind()).err();
        let refused = (opcode == "call").then_some(ErrorKind::TooManyCalls);
        assert_eq!(kind, refused);
    }
    // Calls of calls of calls: half a kilobyte would be executed for a year.
    let mut before = "%f0 { ROOT %x = f32[] constant(1) }\n".to_owned();
    for i in 1..30 {
        let call = format!("f32[] call(), to_apply=%f{}", i - 1);
        before += &format!("%f{i} {{ %x = {call} ROOT %y = {call} }}\n");
    }
    let text = module(&before, "", &[P, "ROOT %r = f32[] call(), to_apply=%f29"]);
    let error = Module::parse(&text).unwrap().memory().unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::TooManyCalls);
    // Of one memory with something that there is not.
    let wrong = module("", ", input_output_alias={ {}: (7, {}, may-alias) }", &[P]);
    let error = Module::parse(&wrong).unwrap().memory().unwrap_err();
    assert_eq!((error.kind(), error.line(), error.column()), (&ErrorKind::AliasPlace, 1, 52));
}

/// Letters of real programs lost, doubled and exchanged: nothing panics, and nothing takes long.
#[test]
fn damaged_programs() {
    let texts = [
        "peak/cond-v5e.hlo",
        "peak/int8-h100.hlo",
        "copies/v5e-conv_nchw.hlo",
        "programs/step.hlo",
    ];
    let mut random = Random::new(41);
    for text in texts.map(data::text) {
        for _ in 0..150 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len());
                let from = random.below(bytes.len());
                match random.below(3) {
                    0 => drop(bytes.remove(at)),
                    1 => bytes[at] = bytes[from],
                    _ => {
                        let end = (from + 40).min(bytes.len());
                        let piece = bytes[from..end].to_vec();
                        bytes.splice(at..at, piece);
                    }
                }
            }
            if let Ok(text) = String::from_utf8(bytes) {
                fuzz::hlo(&text);
            }
        }
    }
}

/// Not a bound on speed, but on how it grows: a chain of a hundred thousand equal arrays and a tuple of ten thousand, taken
/// apart in a loop, take no time that is felt.
#[test]
fn many_operations() {
    let mut lines = vec![P.to_owned(), "%x0 = f32[256]{0} negate(%p)".to_owned()];
    for i in 1..100_000 {
        lines.push(format!("%x{i} = f32[256]{{0}} add(%x{}, %p)", i - 1));
    }
    lines.push("ROOT %r = f32[256]{0} negate(%x99999)".to_owned());
    let lines = lines.iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(peak("", "", &lines), [1, 1, 1]);
    assert_eq!(peak_of(&module("", "", &lines)), [1, 1, 0]);

    let list =
        |item: &dyn Fn(usize) -> String| (0..10_000).map(item).collect::<Vec<_>>().join(", ");
    let shape = format!("({})", list(&|_| "f32[256]{0}".to_owned()));
    let parts = (0..10_000).map(|i| format!("%y{i} = f32[256]{{0}} negate(%p#{i}) "));
    let (parts, all) = (parts.collect::<String>(), list(&|i| format!("%y{i}")));
    let before = format!(
        "%c {{ %p = {shape} parameter(0) ROOT %c = pred[] custom-call() }}\n\
         %b {{ %p = {shape} parameter(0) {parts} ROOT %t = {shape} tuple({all}) }}\n"
    );
    let parameters = (0..10_000).map(|i| format!("%p{i} = f32[256]{{0}} parameter({i})"));
    let mut lines = parameters.collect::<Vec<_>>();
    lines.push(format!("%t = {shape} tuple({})", list(&|i| format!("%p{i}"))));
    lines.push(format!("ROOT %w = {shape} while(%t), condition=%c, body=%b"));
    let lines = lines.iter().map(String::as_str).collect::<Vec<_>>();
    let [arguments, results, _] = peak_of(&module(&before, "", &lines));
    assert_eq!((arguments, results), (10_000, 78));
}

/// Names of instructions say nothing of the user's arguments: each parameter is one, by its number.
#[test]
fn arguments_without_names() {
    for [a, b] in [["param.0", "param.1"], ["x.1", "x.2"], ["a", "b"]] {
        let text = format!(
            "HloModule m, is_scheduled=true\n\nENTRY %e {{\n  %{a} = s32[4]{{0}} parameter(0)\n  \
             %{b} = f32[1024]{{0}} parameter(1)\n  ROOT %r = f32[1024]{{0}} negate(%{b})\n}}\n"
        );
        let module = Module::parse(&text).unwrap();
        let memory = module.memory().unwrap();
        let [advice] = memory.advice() else { panic!("{:?}", memory.advice()) };
        assert!(advice.python.starts_with("jax.jit(f, donate_argnums=(1,))"), "{}", advice.python);
    }
}

/// A copy by a fusion that reshapes has both shapes, and cycles that the compiler does not print are a guess.
#[test]
fn what_a_report_says_of_copies() {
    let f = "%f { %x = f32[64,32]{0,1} parameter(0) %b = f32[32,8,8]{2,1,0} bitcast(%x) \
        ROOT %t = f32[8,32,8]{2,1,0} transpose(%b), dimensions={1,0,2} }\n";
    let lines = [
        "%p = f32[64,32]{0,1} parameter(0)",
        "ROOT %r = f32[8,32,8]{2,1,0} fusion(%p), kind=kLoop, calls=%f",
    ];
    let text = module(f, "", &lines);
    let said = Module::parse(&text).unwrap().memory().unwrap().to_string();
    assert!(said.contains("`r`, f32[64,32] {0,1} to f32[8,32,8] {2,1,0}"), "{said}");
    // Advice is about copies that take a while: 4 MiB twice, of 800 bytes a cycle.
    let lines = [
        "%p = f32[1024,1024]{1,0} parameter(0)",
        "%q = f32[1024,1024]{1,0} custom-call(%p)",
        "ROOT %r = f32[1024,1024]{0,1} copy(%q)",
    ];
    let text = module("", "", &lines);
    let module = Module::parse(&text).unwrap();
    let memory = module.memory().unwrap();
    let guesses = memory.advice().iter().filter(|it| it.is_guess).map(|it| it.saves_cycles);
    assert!(guesses.eq([10_485]), "{:?}", memory.advice());
    let said = memory.to_string();
    assert!(said.contains("spares `r`, 4.00 MiB a call"), "{said}");
}

/// A loop that reads an array after it writes to it copies it in each round, and none of these copies changes a layout.
#[test]
fn copies_in_loops_that_keep_the_layout() {
    let program = |rows: u64, config: &str| {
        let array = format!("f32[{rows},1024]{{1,0}}");
        let carried = format!("(s32[], {array})");
        let body = format!(
            "%body (c: {carried}) -> {carried} {{\n %c = {carried} parameter(0)\n \
             %i = s32[] get-tuple-element(%c), index=0\n %x = {array} get-tuple-element(%c), index=1\n \
             %kept = {array} copy(%x)\n %y = {array} custom-call(%kept, %x), custom_call_target=\"f\"\n \
             ROOT %t = {carried} tuple(%i, %y)\n}}\n\n\
             %condition (c: {carried}) -> pred[] {{\n %c = {carried} parameter(0)\n \
             ROOT %go = pred[] custom-call(%c), custom_call_target=\"g\"\n}}\n\n"
        );
        format!(
            "HloModule m, is_scheduled=true\n\n{body}ENTRY %main (p: {array}) -> {carried} {{\n \
             %p = {array} parameter(0), metadata={{op_name=\"kv\"}}\n %zero = s32[] constant(0)\n \
             %t = {carried} tuple(%zero, %p)\n \
             ROOT %w = {carried} while(%t), condition=%condition, body=%body{config}\n}}\n"
        )
    };
    let rounds = ", backend_config={\"known_trip_count\":{\"n\":\"64\"}}";
    let text = program(8192, rounds);
    let module = Module::parse(&text).unwrap();
    let memory = module.memory().unwrap();
    let [copy] = memory.copies() else { panic!("{:?}", memory.copies()) };
    assert_eq!((copy.instruction, copy.bytes, copy.times), ("kept", 32 << 20, 64));
    assert!(copy.keeps_layout && copy.from == copy.to && copy.causes == [Place::Parameter(0)]);
    let said = memory.to_string();
    assert!(
        said.contains("32.0 MiB  64 times  `kept`, f32[8192,1024] {1,0} as it is  kv"),
        "{said}"
    );
    // Less than a MiB in all, and an array of 32 MiB in one round of a loop of unknown length.
    for (rows, config, count) in [(1, rounds, 0), (4, rounds, 1), (8192, "", 1)] {
        let text = program(rows, config);
        let module = Module::parse(&text).unwrap();
        assert_eq!(module.memory().unwrap().copies().len(), count, "{text}");
    }
}

#[test]
fn vmem_of_kernels() {
    let call = |name: &str, lists: &str| {
        let target = "custom_call_target=\"tpu_custom_call\"";
        let body = "\"custom_call_config\":{\"body\":\"TUz\"}";
        format!("{name} = f32[8]{{0}} custom-call(%p), {target}, backend_config={{{body}{lists}}}")
    };
    let list = |name: &str, size: u32| {
        let host = "{\"memory_space\":\"5\",\"size\":\"9\"}";
        format!(
            ",\"{name}\":[{host},{{\"memory_space\":\"1\",\"offset\":\"0\",\"size\":\"{size}\"}}]"
        )
    };
    let used = |size| list("used_scoped_memory_configs", size);
    let lines = [
        P.to_owned(),
        call("%small.1", &used(2048)),
        call("%silent", ",\"used_scoped_memory_configs\":[]"),
        call("%silent.1", &list("scoped_memory_configs", 1 << 24)),
        // Not of Pallas.
        call("%other", &used(4096)).replace("tpu_custom_call", "Sharding"),
        call("ROOT %large.2", &(list("scoped_memory_configs", 1 << 24) + &used(1 << 20))),
    ];
    let text = module("", "", &lines.each_ref().map(String::as_str));
    let module = Module::parse(&text).unwrap();
    let memory = module.memory().unwrap();
    let own = memory.kernels().iter().map(|it| (it.instruction, it.vmem_bytes, it.limit_bytes));
    assert!(own.eq([("large.2", 1 << 20, Some(1 << 24)), ("small.1", 2048, None)]));
    let said = "\nVMEM of Pallas kernels\n  1.00 MiB  of 16.0 MiB  `large.2`\n  2.00 KiB               `small.1`\n";
    assert!(memory.to_string().ends_with(said), "{memory}");
    let short = memory.report(ReportOptions { top: 1, ..ReportOptions::default() });
    assert!(short.ends_with("  … and 1 more kernel (`--top` lists more)\n"), "{short}");
}

/// Chains and paths as long as a text makes them: nothing is followed by calls inside of calls.
#[test]
fn long_chains_and_paths() {
    let mut lines = vec![P.to_owned(), "%x0 = f32[256]{0} copy(%p)".to_owned()];
    for i in 1..100_000 {
        lines.push(format!("%x{i} = f32[256]{{0}} bitcast(%x{})", i - 1));
    }
    let path = "a/".repeat(100_000);
    lines.push(format!("%y = f32[256]{{0}} reverse(%x99999), metadata={{op_name=\"{path}rev\"}}"));
    lines.push("ROOT %r = f32[] custom-call(%y)".to_owned());
    let text = module("", "", &lines.iter().map(String::as_str).collect::<Vec<_>>());
    let module = Module::parse(&text).unwrap();
    let memory = module.memory().unwrap();
    let tree = memory.report(ReportOptions { tree: true, ..ReportOptions::default() });
    assert!(tree.contains("  a/a/a/a/") && tree.len() < 4_000, "{}", tree.len());
    assert_eq!(memory.advice().len(), 0);
}
