//! From results backward to the operations that move them into another layout.

use crate::copies::atoms::{Atoms, sizes};
use crate::copies::leads::{MAX_DEPTH, Trace, Tracer, Via, sliced_first};
use crate::copies::{Place, Step};

impl Tracer<'_, '_> {
    /// Follows a result backward to the operation that moves it.
    pub(crate) fn result(&mut self, number: usize) {
        let program = self.program;
        let root = program.root(program.entry);
        let first =
            if self.opcode(root) == "tuple" { program.operand(root, number) } else { Some(root) };
        let Some((mut at, result)) = first.and_then(|first| Some((first, program.array(first)?)))
        else {
            return;
        };
        let mut atoms = Atoms::new(&result);
        let trace = Trace::new(Place::Result(number), result);
        for _ in 0..MAX_DEPTH {
            if let Some((of, part)) = program.part(at) {
                match self.opcode(of) {
                    "while" if program.is_invariant(of, part) => {
                        let init =
                            program.operand(of, 0).filter(|init| self.opcode(*init) == "tuple");
                        let Some(next) = init.and_then(|init| program.operand(init, part)) else {
                            return;
                        };
                        at = next;
                        continue;
                    }
                    "while" => return self.written_slices(of, part, &atoms, &trace),
                    "tuple" => {
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
                    "reshape" => atoms.cut(&to, &from, false),
                    "copy" | "copy-start" => Some(atoms),
                    _ => None,
                };
                let Some(before) = before else { return };
                self.lead(at, &before, &from.major_to_minor(), Via::Whole, Step::Same, &trace);
                let is_on_chip = from.memory_space() == 1;
                let readers = if is_on_chip { self.users.of(operand).len() } else { 0 };
                self.leads.last_mut().into_iter().for_each(|lead| lead.prefetched_for = readers);
                return;
            }
            let step = program.step(at, operand, &Atoms::new(&from));
            match (self.opcode(at), step) {
                ("bitcast", _) => {
                    let Some(before) = atoms.cut(&to, &from, true) else { return };
                    atoms = before;
                }
                ("copy" | "copy-start" | "copy-done" | "optimization-barrier", _) => {}
                ("fusion", Some((_, Step::ByElement)))
                    if sizes(&from) == sizes(&to)
                        && program.operands(at).len() == 1
                        && self.users.of(operand).len() == 1 => {}
                _ => return,
            }
            at = operand;
        }
    }

    /// Notes a result that a loop writes in slices of one whose elements do not lie together.
    fn written_slices(&mut self, while_: usize, part: usize, atoms: &Atoms, trace: &Trace) {
        let program = self.program;
        let Some(executed) = program.returned(while_, part) else { return };
        let update = program.maker(executed);
        let Some(update) = update.filter(|it| self.opcode(*it) == "dynamic-update-slice") else {
            return;
        };
        let slice = program.operand(update, 1).and_then(|it| program.array(it));
        let order = program
            .array(update)
            .zip(slice)
            .and_then(|(whole, slice)| sliced_first(&whole, &slice));
        if let Some(order) = order {
            self.lead(executed, atoms, &order, Via::Slices, Step::Same, trace);
        }
    }
}
