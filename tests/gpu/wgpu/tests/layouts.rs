//! The functions in WGSL of all layouts of `layout_tests::code`: through naga's validator and its translations, and run.

use std::fmt::Write as _;

use layout_gpu::code::{Code, Language};
use layout_tests::code::{Case, OUTSIDE, cases, compare};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use wgpu_example::Gpu;

/// Cases of one shader: a driver takes longer than twice as long for twice as many.
const BATCH: usize = 24;

const WORKGROUP: usize = 64;

/// A shader that answers for a few cases; the words of each lie one after another. The number of the case is the
/// workgroup's `y`.
fn shader(cases: &[Case]) -> String {
    let mut text = String::from(
        "@group(0) @binding(0) var<storage, read> zero: array<u32>;\n\
         @group(0) @binding(1) var<storage, read_write> words: array<u32>;\n\n",
    );
    let mut calls = String::new();
    let mut first = 0;
    for (number, case) in cases.iter().enumerate() {
        let code = Code::of(&case.shape, Language::Wgsl).name(&case.name).text();
        text += &code.unwrap_or_else(|error| panic!("{}: {error}", case.shape)).to_string();
        first = answer(&mut text, case, first);
        writeln!(calls, "        case {number}u: {{ run_{}(item); }}", case.name).unwrap();
    }
    text + &format!(
        "@compute @workgroup_size({WORKGROUP})\n\
         fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {{\n    \
         let item = group.x * {WORKGROUP}u + local + zero[0];\n    switch group.y {{\n{calls}        default: {{ }}\n    }}\n}}\n"
    )
}

/// The function that answers for one case, whose words begin at `first`. Returns where the next one's begin.
fn answer(text: &mut String, case: &Case, first: usize) -> usize {
    let name = &case.name;
    let (elements, rank) = (case.elements(), case.dims.len());
    let (slots, [condition, near, far]) = case.offset_of("number");
    // So that a compiler does not see the sizes.
    let sizes = case.size_arguments("u + zero[0]");
    let list = |first: Vec<String>| [first, sizes.clone()].concat().join(", ");
    writeln!(text, "\nfn run_{name}(item: u32) {{").unwrap();
    if elements > 0 {
        writeln!(text, "    if (item < {elements}u) {{").unwrap();
        let mut below = elements;
        for (dim, size) in case.dims.iter().enumerate() {
            below /= size;
            writeln!(text, "        let i{dim} = item / {below}u % {size}u;").unwrap();
        }
        let arguments = list((0..rank).map(|dim| format!("i{dim}")).collect());
        let value = format!(
            "select({OUTSIDE}u, {name}_offset({arguments}), {name}_in_bounds({arguments}))"
        );
        writeln!(text, "        words[{first}u + item] = {value};\n        return;\n    }}")
            .unwrap();
    }
    writeln!(text, "    let number = item - {elements}u;\n    if (number < {slots}u) {{").unwrap();
    let arguments = list(vec!["slot".to_owned()]);
    let at = first + elements;
    writeln!(text, "        let at = {at}u + number * {}u;", rank + 2).unwrap();
    writeln!(text, "        let slot = select({far}, {near}, {condition});").unwrap();
    writeln!(text, "        let index = {name}_index({arguments});").unwrap();
    writeln!(text, "        words[at] = u32(index.is_element);").unwrap();
    for dim in 0..rank {
        let value = format!("select(0u, index.i{dim}, index.is_element)");
        writeln!(text, "        words[at + {}u] = {value};", dim + 1).unwrap();
    }
    let value = format!("u32({name}_is_padding({arguments}))");
    writeln!(text, "        words[at + {}u] = {value};\n    }}", rank + 1).unwrap();
    let mut at = at + slots * (rank + 2);
    writeln!(text, "    if (number == {slots}u) {{").unwrap();
    let bounds = case
        .past_each_dimension("u")
        .into_iter()
        .map(|at| format!("{name}_in_bounds({})", list(at)));
    for value in bounds.chain(case.size_calls(&list(Vec::new()))) {
        writeln!(text, "        words[{at}u] = u32({value});").unwrap();
        at += 1;
    }
    *text += "    }\n}\n\n";
    at
}

#[test]
fn naga_takes_every_layout() {
    let cases = cases();
    assert!(cases.len() >= 600, "{}", cases.len());
    for cases in cases.chunks(BATCH) {
        let text = shader(cases);
        let module = naga::front::wgsl::parse_str(&text);
        let module = module.unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)));
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
        let info = info.unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)));
        translate(&module, &info);
    }
}

/// Writes the module in the languages that come from WGSL.
fn translate(module: &naga::Module, info: &naga::valid::ModuleInfo) {
    use naga::back::{glsl, hlsl, msl, spv};
    use naga::proc::BoundsCheckPolicies;

    let mut text = String::new();
    let options = glsl::Options { version: glsl::Version::Desktop(430), ..Default::default() };
    let pipeline = glsl::PipelineOptions {
        shader_stage: naga::ShaderStage::Compute,
        entry_point: "main".to_owned(),
        multiview: None,
    };
    let writer = glsl::Writer::new(
        &mut text,
        module,
        info,
        &options,
        &pipeline,
        BoundsCheckPolicies::default(),
    );
    writer.expect("there is GLSL").write().expect("there is GLSL");
    assert!(text.contains("uint case"), "{text}");

    let mut text = String::new();
    let (options, pipeline) = (hlsl::Options::default(), hlsl::PipelineOptions::default());
    hlsl::Writer::new(&mut text, &options, &pipeline)
        .write(module, info, None)
        .expect("there is HLSL");
    assert!(text.contains("uint case"), "{text}");

    let (options, pipeline) = (msl::Options::default(), msl::PipelineOptions::default());
    let (text, _) = msl::write_string(module, info, &options, &pipeline).expect("there is MSL");
    assert!(text.contains("uint case"), "{text}");

    let words = spv::write_vec(module, info, &spv::Options::default(), None);
    assert!(!words.expect("there is SPIR-V").is_empty());
}

#[test]
fn shaders_say_what_the_library_says() {
    let gpu = match Gpu::find() {
        Ok(gpu) => gpu,
        Err(error) => {
            println!("SKIPPED: no Vulkan device: {error}");
            return;
        }
    };
    let cases = cases();
    for cases in cases.chunks(BATCH) {
        let words = |case: &Case| case.expected().len();
        let items = |case: &Case| case.elements() + case.offset_of("number").0 + 1;
        let total = cases.iter().map(words).sum::<usize>();
        let groups = cases.iter().map(items).max().unwrap_or(0).div_ceil(WORKGROUP);
        let groups = [groups as u32, cases.len() as u32, 1];
        let bytes = gpu.run(&shader(cases), &[&[0; 4]], 4 * total, groups);
        let bytes = bytes.unwrap_or_else(|error| panic!("{error}"));
        compare(cases, bytemuck::cast_slice(&bytes), gpu.name());
    }
    println!("{} layouts on {}", cases.len(), gpu.name());
}
