//! Arguments that are copied at each call, since the program writes to them and no result takes their memory.

use alloc::format;
use alloc::vec::Vec;

use crate::copies::Place;
use crate::memory::advice::{Advice, AdviceKind, tuple};
use crate::memory::{Argument, Memory};
use crate::program::opcode::{Opcode, ValuePlace};

impl Memory<'_> {
    /// What returning such arguments saves, beside those whose memory a result can take.
    pub(crate) fn advise_returns(&self, donation: Option<&Advice>) -> Vec<Advice> {
        let least = self.hbm.peak_bytes / 100;
        let large = self.arguments.iter().filter(|it| it.bytes > least && !it.is_donated);
        let returned = |argument: &Argument<'_>| {
            let place = Place::Parameter(argument.number);
            let can_be_donated = donation.is_some_and(|it| it.places.contains(&place));
            let parameter = self.program.parameter(argument.number)?;
            let copy = self.copy_to_write(parameter)?;
            let donated = tuple(&[self.module.argument_of(argument.number)]);
            (!can_be_donated).then(|| Advice {
                names: Vec::from([self.name(place)]),
                saves_bytes: i64::try_from(argument.bytes).unwrap_or(i64::MAX),
                saves_cycles: self.program.cycles(copy).map_or(0, |(cycles, _)| cycles),
                instructions: Vec::from([self.program.operations[copy].name.into()]),
                python: format!("jax.jit(f, donate_argnums={donated})"),
                ..Advice::new(AdviceKind::Return, Vec::from([place]))
            })
        };
        large.filter_map(returned).collect()
    }

    /// The copy of a parameter that something writes to.
    fn copy_to_write(&self, parameter: usize) -> Option<usize> {
        let users = self.users.of(parameter).iter().map(|user| *user as usize);
        let mut copies = users.filter(|user| self.program.opcode(*user).is_copy());
        copies.find(|copy| self.is_written(*copy))
    }

    /// Whether a loop or an update in place writes to what an operation makes.
    pub(crate) fn is_written(&self, operation: usize) -> bool {
        let is_update = |user: usize| {
            let opcode = self.program.opcode(user);
            opcode.memory() == ValuePlace::Updated
                && self.program.operand(user, 0) == Some(operation)
        };
        let mut users = self.users.of(operation).iter().map(|user| *user as usize);
        self.written_by(operation).is_some() || users.any(is_update)
    }

    /// The loop that writes to what an operation makes.
    pub(crate) fn written_by(&self, operation: usize) -> Option<usize> {
        let program = self.program;
        // Not by calls: chains of bitcasts are as long as a text makes them.
        let mut open = Vec::from([operation]);
        while let Some(made) = open.pop() {
            for user in self.users.of(made).iter().map(|user| *user as usize) {
                match program.opcode(user) {
                    Opcode::CopyDone | Opcode::Bitcast => open.push(user),
                    Opcode::Tuple => {
                        let part = self.users.numbers(made, user).next()?;
                        let mut loops = self.users.whole(user).iter().copied();
                        let is_writer = |it: &usize| {
                            program.opcode(*it) == Opcode::While && !program.is_invariant(*it, part)
                        };
                        if let Some(found) = loops.find(is_writer) {
                            return Some(found);
                        }
                    }
                    _ => {}
                }
            }
        }
        None
    }
}
