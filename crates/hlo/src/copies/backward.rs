//! From results backward to the operations that move them into another layout.

use crate::copies::causes::{MAX_DEPTH, MoveKind, Tracer, sliced_first};
use crate::copies::dim_digits::{DimDigits, sizes};
use crate::copies::{Place, Step};
use crate::lifetimes::usage::VMEM;
use crate::program::opcode::{Opcode, ValuePlace};

impl Tracer<'_, '_> {
    /// Follows a result backward to the operation that moves it.
    pub(crate) fn result(&mut self, number: usize) {
        let program = self.program;
        let root = program.root(program.entry);
        let first = if self.opcode(root) == Opcode::Tuple {
            program.operand(root, number)
        } else {
            Some(root)
        };
        let Some((mut at, result)) = first.and_then(|first| Some((first, program.array(first)?)))
        else {
            return;
        };
        let mut digits = DimDigits::new(&result);
        self.begin(Place::Result(number), result);
        for _ in 0..MAX_DEPTH {
            if let Some((of, part)) = program.part(at) {
                match self.opcode(of) {
                    Opcode::While if program.is_invariant(of, part) => {
                        let init = program
                            .operand(of, 0)
                            .filter(|init| self.opcode(*init) == Opcode::Tuple);
                        let Some(next) = init.and_then(|init| program.operand(init, part)) else {
                            return;
                        };
                        at = next;
                        continue;
                    }
                    Opcode::While => return self.written_slices(of, part, &digits),
                    Opcode::Tuple => {
                        let Some(next) = program.operand(of, part) else { return };
                        at = next;
                        continue;
                    }
                    _ => return,
                }
            }
            let Some(operand) = program.operand(at, 0) else {
                return;
            };
            let (Some(from), Some(to)) = (program.array(operand), program.array(at)) else {
                return;
            };
            if program.moved(at).is_some() {
                let before = match self.opcode(at) {
                    Opcode::Reshape => digits.cut(&to, &from, false),
                    Opcode::Copy | Opcode::CopyStart => Some(digits),
                    _ => None,
                };
                let Some(before) = before else { return };
                self.note_cause(at, &before, &from.major_to_minor(), MoveKind::Whole, Step::Same);
                let is_on_chip = from.memory_space() == VMEM;
                let readers = if is_on_chip { self.users.of(operand).len() } else { 0 };
                self.causes.last_mut().into_iter().for_each(|cause| cause.prefetched_for = readers);
                return;
            }
            let step = program.step(at, operand, &DimDigits::new(&from), 0);
            match (self.opcode(at), step) {
                (Opcode::Bitcast, _) => {
                    let Some(before) = digits.cut(&to, &from, true) else { return };
                    digits = before;
                }
                (opcode, _) if opcode.is_copy() => {}
                (opcode, _) if opcode.memory() == ValuePlace::Passed => {}
                (Opcode::Fusion, Some((_, Step::ByElement)))
                    if sizes(&from) == sizes(&to)
                        && program.operands(at).len() == 1
                        && self.users.of(operand).len() == 1 => {}
                _ => return,
            }
            at = operand;
        }
    }

    /// Notes a result that a loop writes in slices of one whose elements do not lie together.
    fn written_slices(&mut self, while_: usize, part: usize, digits: &DimDigits) {
        let program = self.program;
        let Some(executed) = program.returned(while_, part) else { return };
        let update = program.maker(executed);
        let Some(update) = update.filter(|it| self.opcode(*it) == Opcode::DynamicUpdateSlice)
        else {
            return;
        };
        let slice = program.operand(update, 1).and_then(|it| program.array(it));
        let order = program
            .array(update)
            .zip(slice)
            .and_then(|(whole, slice)| sliced_first(&whole, &slice));
        if let Some(order) = order {
            self.note_cause(executed, digits, &order, MoveKind::Slices, Step::Same);
        }
    }
}
