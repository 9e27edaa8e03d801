//! Every shape of a text, without a heap.

use core::iter::FusedIterator;

use crate::hlo::found::Occurrence;
use crate::hlo::scan::{Event, Scanner};

/// Every shape of a text, in the order in which they stand; what [`shapes`] gives.
#[derive(Clone, Debug)]
pub struct Shapes<'a>(Scanner<'a>);

/// Finds every shape in the text of an HLO module. The shapes themselves are not read.
///
/// Shapes stand in `entry_computation_layout`, in the first line of a computation, behind the `=` of
/// an instruction, and, as XLA prints it if asked to, in front of its operands and in its attributes.
/// What stands in strings and comments is passed over. Where an instruction has to have a shape, what
/// stands there is taken for one; among operands and attributes a shape is what begins with a known
/// element type, `token[` or `opaque[`, and tuples of these.
///
/// Takes any text: what is no HLO has no shapes.
///
/// # Examples
/// ```
/// use layout_core::hlo::{Role, self};
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
