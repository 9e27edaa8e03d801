//! The arrays of a program that have memory of their own.

use alloc::vec;
use alloc::vec::Vec;

use crate::program::module::Module;
use layout_core::{ArrayShape, Shape};

/// Opcodes whose result has no memory of its own.
const OTHERS_MEMORY: [&str; 6] =
    ["bitcast", "get-tuple-element", "optimization-barrier", "parameter", "tuple", "while"];

/// An array that an instruction of a program produces.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Produced<'b> {
    /// The name of the instruction.
    pub instruction: &'b str,
    /// What it does: `fusion`, `copy`.
    pub opcode: &'b str,
    /// Its line in the text, counted from 1.
    pub line: usize,
    /// Where the array is in the instruction's value: the numbers of parts of tuples.
    pub place: &'b [usize],
    /// The array.
    pub array: &'b ArrayShape,
}

impl Module<'_> {
    /// Calls with each array that an instruction produces and that has memory of its own, in the order of the text. Inside of
    /// fusions, and of what is applied to elements, nothing is in memory.
    ///
    /// # Examples
    /// ```
    /// let text = "\
    /// HloModule m
    /// ENTRY %main (x: f32[4,1000]) -> f32[1000,4] {
    ///   %x = f32[4,1000]{1,0:T(4,128)} parameter(0)
    ///   ROOT %t = f32[1000,4]{1,0:T(8,128)} transpose(%x), dimensions={1,0}
    /// }";
    /// let module = layout::hlo::Module::parse(text)?;
    /// let mut lines = Vec::new();
    /// module.for_each_buffer(|buffer| lines.push((buffer.line, buffer.array.bytes())));
    /// assert_eq!(lines, [(4, Some(512_000))]);
    /// # Ok::<(), layout::hlo::Error>(())
    /// ```
    pub fn for_each_buffer(&self, mut each: impl FnMut(Produced<'_>)) {
        let program = &self.program;
        // Computations that stand for what one instruction does.
        let mut is_applied = vec![false; program.computations.len()];
        for (number, operation) in program.operations.iter().enumerate() {
            for (attribute, computation) in program.calls(number) {
                is_applied[computation] |= operation.opcode == "fusion"
                    || attribute == "to_apply" && operation.opcode != "call";
            }
        }
        let own = program.computations.iter().zip(is_applied).filter(|(_, is_applied)| !is_applied);
        let mut own = own.flat_map(|(own, _)| own.operations.clone()).collect::<Vec<_>>();
        own.sort_by_key(|it| program.operations[*it].at(self.text));
        let (mut line, mut last) = (1, 0);
        for operation in own.into_iter().map(|it| &program.operations[it]) {
            let (instruction, opcode) = (operation.name, operation.opcode);
            if OTHERS_MEMORY.contains(&opcode) || opcode.ends_with("-done") {
                continue;
            }
            let at = operation.at(self.text);
            line += self.text[last..at].matches('\n').count();
            last = at;
            let mut is_first = true;
            let _ = Shape::for_each_array(operation.shape, |place, array| {
                // Its other parts are the source and what it waits for.
                if is_first || opcode != "copy-start" {
                    each(Produced { instruction, opcode, line, place, array });
                }
                is_first = false;
            });
        }
    }
}
