//! The arrays of a program that have memory of their own.

use alloc::collections::BTreeSet;

use crate::reading::found::{Occurrence, Role};
use crate::reading::shapes::shapes;
use layout_core::ArrayShape;

/// Opcodes whose result has no memory of its own.
const OTHERS_MEMORY: [&str; 6] =
    ["bitcast", "get-tuple-element", "optimization-barrier", "parameter", "tuple", "while"];

/// Calls with each array that an instruction of a program produces and that has memory of its own: where it was found,
/// its place in a tuple, and its shape. Inside of fusions, and of what is applied to elements, nothing is in memory.
///
/// Shapes with errors are left out: [`Module::parse`](crate::Module::parse) reports them.
///
/// # Examples
/// ```
/// let text = "\
/// HloModule m
/// ENTRY %main (x: f32[4,1000]) -> f32[1000,4] {
///   %x = f32[4,1000]{1,0:T(4,128)} parameter(0)
///   ROOT %t = f32[1000,4]{1,0:T(8,128)} transpose(%x), dimensions={1,0}
/// }";
/// let mut lines = Vec::new();
/// layout::hlo::for_each_buffer(text, |found, _place, array| lines.push((found.line(), array.bytes())));
/// assert_eq!(lines, [(4, Some(512_000))]);
/// ```
pub fn for_each_buffer<'a>(
    text: &'a str,
    mut each: impl FnMut(&Occurrence<'a>, &[usize], &ArrayShape),
) {
    let applied = applied(text);
    for found in shapes(text) {
        let (Some(instruction), Some(computation)) = (found.instruction(), found.computation())
        else {
            continue;
        };
        let opcode = instruction.opcode();
        if found.role() != Role::Instruction
            || OTHERS_MEMORY.contains(&opcode)
            || opcode.ends_with("-done")
            || applied.contains(computation.name())
        {
            continue;
        }
        let mut is_first = true;
        let _ = found.for_each_array(|place, array| {
            // Its other parts are the source and what it waits for.
            if is_first || opcode != "copy-start" {
                each(&found, place, array);
            }
            is_first = false;
        });
    }
}

/// The computations that stand for what one instruction does: fused ones, and those that it applies to
/// elements.
fn applied(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for line in text.lines() {
        let called = if line.contains(" fusion(") {
            line.split_once(", calls=")
        } else if !line.contains(" call(") {
            line.split_once(", to_apply=")
        } else {
            None
        };
        if let Some((_, name)) = called {
            let name = name.trim_start_matches('%');
            let end = name.find([',', ' ', '}']).unwrap_or(name.len());
            names.insert(&name[..end]);
        }
    }
    names
}
