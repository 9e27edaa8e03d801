//! Memory, copies and advice of compiled programs, against what compilers said of them.

mod by_hand;
mod compilers;
mod devices;
mod forms;
mod growth;
mod report;
mod shardings;

use layout_hlo::{Memory, Module};

/// The memory of a program, which is kept for as long as the tests run.
fn memory(text: &str) -> Memory<'static> {
    let name = text.lines().next().unwrap_or_default();
    let module = Module::parse(text.to_owned().leak());
    let module = module.unwrap_or_else(|error| panic!("{name}: {error}"));
    let memory = Box::leak(Box::new(module)).memory();
    memory.unwrap_or_else(|error| panic!("{name}: {error}"))
}
