//! Every shape of a text, without a heap.

use core::iter::FusedIterator;

use crate::reading::found::Occurrence;
use crate::reading::scan::{Event, Scanner};

/// Iterator over every shape of a text, in order; made by [`shapes`].
#[derive(Clone, Debug)]
pub struct Shapes<'a>(Scanner<'a>);

/// Finds every shape in HLO text, without a heap. The shapes are not parsed.
///
/// Shapes are in `entry_computation_layout`, in the first line of a computation, after the `=` of an
/// instruction, and, if XLA was told to print them, before operands and in attributes. Strings and comments
/// are skipped. Where an instruction needs a shape, any text in its place counts as one; among operands and
/// attributes, a shape begins with a known element type, `token[` or `opaque[`, or is a tuple of these.
///
/// Any text is accepted: one that is not HLO has no shapes.
///
/// # Examples
/// ```
/// use layout::hlo::{Role, self};
///
/// let text = "\
/// HloModule m
/// ENTRY %main (x: f32[4,1000]) -> f32[1000,4] {
///   %x = f32[4,1000]{1,0:T(4,128)} parameter(0), metadata={op_name=\"f32[2] is no shape here\"}
///   ROOT %t = f32[1000,4]{1,0:T(8,128)} transpose(%x), dimensions={1,0}
/// }";
/// let results = hlo::shapes(text).filter(|shape| shape.role() == Role::Instruction);
/// let lines = results.map(|found| {
///     let opcode = found.instruction().map(|instruction| instruction.opcode());
///     (found.line(), found.column(), found.text(), opcode)
/// });
/// assert!(lines.eq([
///     (3, 8, "f32[4,1000]{1,0:T(4,128)}", Some("parameter")),
///     (4, 13, "f32[1000,4]{1,0:T(8,128)}", Some("transpose")),
/// ]));
/// ```
pub fn shapes(text: &str) -> Shapes<'_> {
    Shapes(Scanner::new(text))
}

impl<'a> Iterator for Shapes<'a> {
    type Item = Occurrence<'a>;

    fn next(&mut self) -> Option<Occurrence<'a>> {
        loop {
            if let Event::Shape(found) = self.0.next()? {
                return Some(found);
            }
        }
    }
}

impl FusedIterator for Shapes<'_> {}
