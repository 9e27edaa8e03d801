//! From parameters forward and from results backward to the operations that move them into another layout.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use crate::copies::dim_digits::{DimDigits, sizes};
use crate::copies::executions::Executions;
use crate::copies::{LayoutCopy, Place, Step};
use crate::lifetimes::usage::VMEM;
use crate::program::opcode::{Elements, Opcode, ValuePlace};
use crate::program::{Program, Users};
use layout_core::{ArrayShape, ElementType};

/// The operations that only change a layout, and why.
#[derive(Debug)]
pub(crate) struct Copies<'m> {
    /// Those of the most cycles first.
    pub copies: Vec<LayoutCopy<'m>>,
    pub cycles: Option<u64>,
    pub unknown_loops: usize,
    pub causes: Vec<Cause>,
    /// Of each parameter.
    pub others: Vec<OtherUsers>,
}

/// Operations on the way from a parameter that are followed.
pub(crate) const MAX_DEPTH: usize = 60;

/// An operation that another layout of a parameter or result would spare, or make cheaper.
#[derive(Clone, Debug)]
pub(crate) struct Cause {
    pub place: Place,
    pub operation: usize,
    /// The layout in which there is nothing to move: the dimensions, the major one first. Empty if no order is that.
    pub target: Vec<usize>,
    pub kind: MoveKind,
    /// The cycles of all executions that it would spare.
    pub save: u64,
    /// The way there leads through operations that work element by element.
    pub by_element: bool,
    pub is_guess: bool,
    /// Users of the moved array, if that lies in the memory of the chip.
    pub prefetched_for: usize,
}

/// How an operation moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveKind {
    /// It does nothing else.
    Whole,
    /// It is a fusion that also computes, of this operand.
    Inner { of: usize },
    /// It takes or writes one slice in each iteration of a loop, and the slices do not lie together.
    Slices,
}

/// Other users of a parameter, which the layout matters to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OtherUsers {
    /// Such as kernels, which need the layout as it is, or results.
    pub hard: bool,
    pub flexible: bool,
}

pub(crate) struct Tracer<'t, 'a> {
    pub program: &'t Program<'a>,
    pub users: &'t Users,
    pub executions: &'t Executions,
    /// The computation of each operation.
    computations: Vec<u32>,
    pub causes: Vec<Cause>,
    /// The parameter or result that is being followed, and its array.
    place: Place,
    array: ArrayShape,
    seen: BTreeSet<usize>,
    others: OtherUsers,
    depth: usize,
}

impl<'t, 'a> Tracer<'t, 'a> {
    pub(crate) fn new(
        program: &'t Program<'a>,
        users: &'t Users,
        executions: &'t Executions,
    ) -> Tracer<'t, 'a> {
        let mut computations = vec![0; program.operations.len()];
        for (number, computation) in program.computations.iter().enumerate() {
            computations[computation.operations.clone()].fill(number as u32);
        }
        Tracer {
            program,
            users,
            executions,
            computations,
            causes: Vec::new(),
            place: Place::Parameter(0),
            array: ArrayShape::scalar(ElementType::PRED),
            seen: BTreeSet::new(),
            others: OtherUsers::default(),
            depth: 0,
        }
    }

    /// Begins to follow a parameter or result.
    pub(crate) fn begin(&mut self, place: Place, array: ArrayShape) {
        (self.place, self.array) = (place, array);
        self.seen.clear();
        self.others = OtherUsers::default();
    }

    pub(crate) fn times(&self, operation: usize) -> u64 {
        self.executions.times[self.computations[operation] as usize]
    }

    fn users(&self, operation: usize) -> impl Iterator<Item = usize> {
        self.users.of(operation).iter().map(|user| *user as usize)
    }

    /// The users that take a part of a tuple.
    fn takers(&self, tuple: usize, part: usize) -> impl Iterator<Item = usize> {
        self.users.takers(tuple, part).iter().copied()
    }

    pub(crate) fn opcode(&self, operation: usize) -> Opcode {
        self.program.opcode(operation)
    }

    /// Follows a parameter forward.
    pub(crate) fn parameter(&mut self, number: usize) -> OtherUsers {
        let operation = self.program.parameters[number];
        let Some(parameter) = self.program.array(operation) else { return OtherUsers::default() };
        self.begin(Place::Parameter(number), parameter);
        self.forward(operation, &DimDigits::new(&parameter), Step::Same);
        self.others
    }

    fn forward(&mut self, from: usize, digits: &DimDigits, strength: Step) {
        if !self.seen.insert(from) || self.depth > MAX_DEPTH {
            return;
        }
        self.depth += 1;
        if self.program.root(self.program.entry) == from {
            self.others.hard = true;
        }
        for user in self.users(from).collect::<BTreeSet<_>>() {
            self.visit(from, user, digits, strength);
        }
        self.depth -= 1;
    }

    fn visit(&mut self, from: usize, user: usize, digits: &DimDigits, strength: Step) {
        match self.opcode(user) {
            Opcode::Tuple => return self.through_tuple(from, user, digits, strength),
            Opcode::SliceStart => {
                // A prefetch in pieces, which are joined.
                let joined = self.users(user).flat_map(|done| self.users(done)).next();
                if let Some(joined) = joined.filter(|it| self.is_whole_again(from, *it)) {
                    return self.forward(joined, digits, strength);
                }
            }
            Opcode::Bitcast => {
                let next = self.program.step(user, from, digits, 0);
                // Bytes of the whole, which are cast back: the parts are those of before.
                let is_bytes = self.program.array(user).is_some_and(|it| it.rank() == 1);
                let digits = next.map(|it| it.0).or_else(|| is_bytes.then(|| digits.clone()));
                if let Some(digits) = digits {
                    return self.forward(user, &digits, strength);
                }
            }
            opcode if opcode == Opcode::CopyDone || opcode.memory() == ValuePlace::Passed => {
                return self.forward(user, digits, strength);
            }
            _ => {}
        }
        if let Some(moved) = self.program.moved(user) {
            let step = self.program.step(user, from, digits, 0);
            // Where the parts cannot be told apart, no order is the one.
            let digits = step.map_or_else(DimDigits::default, |it| it.0);
            let order = moved.to.major_to_minor();
            self.note_cause(user, &digits, &order, MoveKind::Whole, strength);
            return;
        }
        let is_slice = self.opcode(user) == Opcode::DynamicSlice;
        if is_slice && self.slices(user, user, from, digits) {
            return;
        }
        match self.program.step(user, from, digits, 0) {
            Some((digits, next)) if next != Step::Move => {
                if self.opcode(user).is_copy() {
                    // It keeps the layout: no other one spares it.
                    self.note_cause(user, &DimDigits::default(), &[], MoveKind::Whole, strength);
                }
                self.forward(user, &digits, strength.max(next))
            }
            step => match self.opcode(user) {
                Opcode::Fusion if step.is_none() => {
                    self.others.flexible = true;
                    self.inside(user, user, from, digits);
                }
                Opcode::CustomCall => self.others.hard = true,
                _ => self.others.flexible = true,
            },
        }
    }

    /// Whether pieces of a value are joined to an array of its dimensions.
    fn is_whole_again(&self, from: usize, joined: usize) -> bool {
        let [a, b] = [from, joined].map(|it| self.program.array(it).map(|array| sizes(&array)));
        // The pieces may be bytes.
        let is_whole = a == b || b == Some(sizes(&self.array));
        self.program.operations[joined].joins_slices() && is_whole
    }

    /// To the users of a part of a tuple, also those in a loop and after it.
    fn through_tuple(&mut self, from: usize, tuple: usize, digits: &DimDigits, strength: Step) {
        if self.program.root(self.program.entry) == tuple {
            self.others.hard = true;
        }
        let users = self.users;
        for part in users.numbers(from, tuple) {
            let mut next = self.takers(tuple, part).collect::<Vec<_>>();
            for &user in users.whole(tuple) {
                match self.opcode(user) {
                    Opcode::While => {
                        let body = self.program.called(user, "body").next();
                        let parameter = body.and_then(|it| {
                            self.program.computations[it]
                                .operations
                                .clone()
                                .find(|it| self.opcode(*it) == Opcode::Parameter)
                        });
                        next.extend(parameter.into_iter().flat_map(|it| self.takers(it, part)));
                        if self.program.is_invariant(user, part) {
                            next.extend(self.takers(user, part));
                        }
                    }
                    opcode if opcode.memory() == ValuePlace::Passed => {
                        next.extend(self.takers(user, part));
                    }
                    _ => {}
                }
            }
            for taker in next {
                self.forward(taker, digits, strength);
            }
        }
    }

    /// Looks for moves inside of a fusion, whose cycles are those of the one that is executed.
    fn inside(&mut self, executed: usize, fusion: usize, from: usize, digits: &DimDigits) {
        let program = self.program;
        let body = program.followed(fusion).filter(|_| self.depth <= MAX_DEPTH);
        let Some(body) = body else { return };
        self.depth += 1;
        let is_custom = program.operations[fusion].attributes.get("kind") == Some("kCustom");
        let is_own = |it: &usize| {
            let number = program.operations[*it].parameter();
            number.is_some_and(|number| program.operand(fusion, number) == Some(from))
        };
        let parameters = program.computations[body].operations.clone().filter(is_own);
        let mut open = parameters.map(|it| (it, digits.clone())).collect::<Vec<_>>();
        while let Some((at, digits)) = open.pop() {
            for user in self.users(at).collect::<BTreeSet<_>>() {
                if !self.seen.insert(user) {
                    continue;
                }
                let opcode = program.opcode(user);
                if opcode == Opcode::DynamicSlice && self.slices(executed, user, at, &digits) {
                    continue;
                }
                // What a gather's fusion reshapes is only how it counts.
                if is_custom && opcode.elements() == Elements::Moved {
                    continue;
                }
                match program.step(user, at, &digits, 0) {
                    Some((digits, Step::Move)) if opcode != Opcode::Fusion => {
                        let Some(to) = program.array(user) else { continue };
                        let kind = MoveKind::Inner { of: from };
                        self.note_cause(executed, &digits, &to.major_to_minor(), kind, Step::Same);
                    }
                    Some((digits, next)) if next != Step::Move => open.push((user, digits)),
                    _ if opcode == Opcode::Fusion => self.inside(executed, user, at, &digits),
                    _ => {}
                }
            }
        }
        self.depth -= 1;
    }

    /// Notes a slice of one in a loop whose elements do not lie together.
    fn slices(&mut self, executed: usize, slice: usize, of: usize, digits: &DimDigits) -> bool {
        let (Some(whole), Some(part)) = (self.program.array(of), self.program.array(slice)) else {
            return false;
        };
        let Some(order) = sliced_first(&whole, &part) else { return false };
        if self.computations[executed] as usize == self.program.entry {
            return false;
        }
        self.note_cause(executed, digits, &order, MoveKind::Slices, Step::Same);
        true
    }

    /// Notes an operation that moves a value of these parts, which would lie in this order without it.
    pub(crate) fn note_cause(
        &mut self,
        operation: usize,
        digits: &DimDigits,
        order: &[usize],
        kind: MoveKind,
        strength: Step,
    ) {
        let program = self.program;
        let cycles = || program.cycles(operation).map_or(0, |it| it.0);
        let tenths = |count: u128| (u128::from(cycles()) * count / 10) as u64;
        let (cycles, is_guess) = match kind {
            MoveKind::Whole => program.cost(operation),
            MoveKind::Inner { of } => {
                let bytes = program.array(of).and_then(|it| it.bytes()).unwrap_or(0) as u64;
                (tenths(3).min(bytes / 200), false)
            }
            MoveKind::Slices => (tenths(6), false),
        };
        let is_on_chip = kind == MoveKind::Whole
            && program.array(operation).is_some_and(|it| it.memory_space() == VMEM);
        self.causes.push(Cause {
            place: self.place,
            operation,
            target: digits.order(order, &self.array).unwrap_or_default(),
            kind,
            save: cycles.saturating_mul(self.times(operation)),
            by_element: strength == Step::ByElement,
            is_guess,
            prefetched_for: if is_on_chip { self.users.of(operation).len() } else { 0 },
        });
    }
}

/// The dimensions in memory with the one first that a slice has one of, if that is not the first already.
pub(crate) fn sliced_first(whole: &ArrayShape, slice: &ArrayShape) -> Option<Vec<usize>> {
    let (all, own) = (sizes(whole), sizes(slice));
    let mut cut = (0..all.len().min(own.len())).filter(|dim| all[*dim] != own[*dim]);
    let dim = cut.next().filter(|dim| own[*dim] == 1 && all.len() == own.len())?;
    let mut order = whole.major_to_minor().to_vec();
    if cut.next().is_some() || order.iter().find(|it| all[**it] != 1) == Some(&dim) {
        return None;
    }
    order.retain(|it| *it != dim);
    order.insert(0, dim);
    Some(order)
}
