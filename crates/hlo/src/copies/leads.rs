//! From parameters forward and from results backward to the operations that move them into another layout.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::copies::atoms::{Atoms, sizes};
use crate::copies::executions::Executions;
use crate::copies::{Place, Step};
use crate::program::{Program, Users};
use layout_core::ArrayShape;

/// Operations on the way from a parameter that are followed.
pub(crate) const MAX_DEPTH: usize = 60;

/// An operation that another layout of a parameter or result would spare, or make cheaper.
#[derive(Clone, Debug)]
pub(crate) struct Lead {
    pub place: Place,
    pub operation: usize,
    /// The layout in which there is nothing to move: the dimensions, the major one first. Empty if no order is that.
    pub target: Vec<usize>,
    pub via: Via,
    /// The cycles of all executions that it would spare.
    pub save: u64,
    /// The way leads through operations that work element by element.
    pub by_element: bool,
    pub is_guess: bool,
    /// Users of the moved array, if that lies in the memory of the chip.
    pub prefetched_for: usize,
}

/// How an operation moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Via {
    /// It does nothing else.
    Whole,
    /// It is a fusion that also computes, of this operand.
    Inner { of: usize },
    /// It takes or writes one slice in each iteration of a loop, and the slices do not lie together.
    Slices,
}

/// Other users of a parameter, which the layout matters to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Others {
    /// Such as kernels, which need the layout as it is, or results.
    pub hard: bool,
    pub flexible: bool,
}

pub(crate) struct Tracer<'t, 'a> {
    pub program: &'t Program<'a>,
    pub users: &'t Users,
    pub executions: &'t Executions,
    /// The computation of each operation.
    pub computations: &'t [u32],
    pub leads: Vec<Lead>,
}

/// A parameter that is followed.
pub(crate) struct Trace {
    pub place: Place,
    pub parameter: ArrayShape,
    seen: BTreeSet<usize>,
    others: Others,
    depth: usize,
}

impl Trace {
    pub(crate) fn new(place: Place, parameter: ArrayShape) -> Trace {
        Trace { place, parameter, seen: BTreeSet::new(), others: Others::default(), depth: 0 }
    }
}

impl Tracer<'_, '_> {
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

    pub(crate) fn opcode(&self, operation: usize) -> &str {
        self.program.operations[operation].opcode
    }

    /// Follows a parameter forward.
    pub(crate) fn parameter(&mut self, number: usize) -> Others {
        let operation = self.program.parameters[number];
        let Some(parameter) = self.program.array(operation) else { return Others::default() };
        let mut trace = Trace::new(Place::Parameter(number), parameter);
        self.forward(operation, &Atoms::new(&parameter), Step::Same, &mut trace);
        trace.others
    }

    fn forward(&mut self, from: usize, atoms: &Atoms, strength: Step, trace: &mut Trace) {
        if !trace.seen.insert(from) || trace.depth > MAX_DEPTH {
            return;
        }
        trace.depth += 1;
        if self.program.root(self.program.entry) == from {
            trace.others.hard = true;
        }
        for user in self.users(from).collect::<BTreeSet<_>>() {
            self.visit(from, user, atoms, strength, trace);
        }
        trace.depth -= 1;
    }

    fn visit(
        &mut self,
        from: usize,
        user: usize,
        atoms: &Atoms,
        strength: Step,
        trace: &mut Trace,
    ) {
        match self.opcode(user) {
            "optimization-barrier" => return self.forward(user, atoms, strength, trace),
            "tuple" => return self.through_tuple(from, user, atoms, strength, trace),
            "slice-start" => {
                // A prefetch in pieces, which are joined.
                let joined = self.users(user).flat_map(|done| self.users(done)).next();
                if let Some(joined) = joined.filter(|it| self.is_whole_again(from, *it, trace)) {
                    return self.forward(joined, atoms, strength, trace);
                }
            }
            "copy-done" => return self.forward(user, atoms, strength, trace),
            "bitcast" => {
                let next = self.program.step(user, from, atoms);
                // Bytes of the whole, which are cast back: the parts are those of before.
                let is_bytes = self.program.array(user).is_some_and(|it| it.rank() == 1);
                let atoms = next.map(|it| it.0).or_else(|| is_bytes.then(|| atoms.clone()));
                if let Some(atoms) = atoms {
                    return self.forward(user, &atoms, strength, trace);
                }
            }
            _ => {}
        }
        if let Some(moved) = self.program.moved(user) {
            let step = self.program.step(user, from, atoms);
            // Where the parts cannot be told apart, no order is the one.
            let atoms = step.map_or_else(Atoms::default, |it| it.0);
            let order = moved.to.major_to_minor();
            self.lead(user, &atoms, &order, Via::Whole, strength, trace);
            return;
        }
        let is_slice = self.opcode(user) == "dynamic-slice";
        if is_slice && self.slices(user, user, from, atoms, trace) {
            return;
        }
        match self.program.step(user, from, atoms) {
            Some((atoms, next)) if next != Step::Move => {
                self.forward(user, &atoms, strength.max(next), trace)
            }
            step => match self.opcode(user) {
                "fusion" if step.is_none() => {
                    trace.others.flexible = true;
                    self.inside(user, user, from, atoms, trace);
                }
                "custom-call" => trace.others.hard = true,
                _ => trace.others.flexible = true,
            },
        }
    }

    /// Whether pieces of a value are joined to an array of its dimensions.
    fn is_whole_again(&self, from: usize, joined: usize, trace: &Trace) -> bool {
        let [a, b] = [from, joined].map(|it| self.program.array(it).map(|array| sizes(&array)));
        // The pieces may be bytes.
        let is_whole = a == b || b == Some(sizes(&trace.parameter));
        self.program.operations[joined].joins_slices() && is_whole
    }

    /// To the users of a part of a tuple, also those in a loop and after it.
    fn through_tuple(
        &mut self,
        from: usize,
        tuple: usize,
        atoms: &Atoms,
        strength: Step,
        trace: &mut Trace,
    ) {
        if self.program.root(self.program.entry) == tuple {
            trace.others.hard = true;
        }
        for (part, operand) in self.program.operands(tuple).enumerate() {
            if operand != from {
                continue;
            }
            let mut next = self.takers(tuple, part).collect::<Vec<_>>();
            for user in self.users(tuple).collect::<BTreeSet<_>>() {
                match self.opcode(user) {
                    "while" => {
                        let body = self.program.called(user, "body").next();
                        let parameter = body.and_then(|it| {
                            self.program.computations[it]
                                .operations
                                .clone()
                                .find(|it| self.opcode(*it) == "parameter")
                        });
                        next.extend(parameter.into_iter().flat_map(|it| self.takers(it, part)));
                        if self.program.is_invariant(user, part) {
                            next.extend(self.takers(user, part));
                        }
                    }
                    "optimization-barrier" => next.extend(self.takers(user, part)),
                    _ => {}
                }
            }
            for taker in next {
                self.forward(taker, atoms, strength, trace);
            }
        }
    }

    /// Looks for moves inside of a fusion, whose cycles are those of the one that is executed.
    fn inside(
        &mut self,
        executed: usize,
        fusion: usize,
        from: usize,
        atoms: &Atoms,
        trace: &mut Trace,
    ) {
        let program = self.program;
        let body = program.followed(fusion).filter(|_| trace.depth <= MAX_DEPTH);
        let Some(body) = body else { return };
        trace.depth += 1;
        let is_custom = program.operations[fusion].attributes.get("kind") == Some("kCustom");
        let numbers = program
            .operands(fusion)
            .enumerate()
            .filter(|(_, it)| *it == from)
            .map(|(number, _)| number);
        let numbers = numbers.collect::<Vec<_>>();
        let parameters = program.computations[body].operations.clone();
        let is_own = |it: &usize| {
            program.operations[*it].parameter().is_some_and(|number| numbers.contains(&number))
        };
        let mut open = parameters.filter(is_own).map(|it| (it, atoms.clone())).collect::<Vec<_>>();
        while let Some((at, atoms)) = open.pop() {
            for user in self.users(at).collect::<BTreeSet<_>>() {
                if !trace.seen.insert(user) {
                    continue;
                }
                let opcode = program.operations[user].opcode;
                if opcode == "dynamic-slice" && self.slices(executed, user, at, &atoms, trace) {
                    continue;
                }
                // What a gather's fusion reshapes is only how it counts.
                if is_custom && matches!(opcode, "transpose" | "reshape") {
                    continue;
                }
                match program.step(user, at, &atoms) {
                    Some((atoms, Step::Move)) if opcode != "fusion" => {
                        let Some(to) = program.array(user) else { continue };
                        let via = Via::Inner { of: from };
                        self.lead(executed, &atoms, &to.major_to_minor(), via, Step::Same, trace);
                    }
                    Some((atoms, next)) if next != Step::Move => open.push((user, atoms)),
                    _ if opcode == "fusion" => self.inside(executed, user, at, &atoms, trace),
                    _ => {}
                }
            }
        }
        trace.depth -= 1;
    }

    /// Notes a slice of one in a loop whose elements do not lie together.
    fn slices(
        &mut self,
        executed: usize,
        slice: usize,
        of: usize,
        atoms: &Atoms,
        trace: &mut Trace,
    ) -> bool {
        let (Some(whole), Some(part)) = (self.program.array(of), self.program.array(slice)) else {
            return false;
        };
        let Some(order) = sliced_first(&whole, &part) else { return false };
        if self.computations[executed] as usize == self.program.entry {
            return false;
        }
        self.lead(executed, atoms, &order, Via::Slices, Step::Same, trace);
        true
    }

    /// Notes an operation that moves a value of these parts, which would lie in this order without it.
    pub(crate) fn lead(
        &mut self,
        operation: usize,
        atoms: &Atoms,
        order: &[usize],
        via: Via,
        strength: Step,
        trace: &Trace,
    ) {
        let program = self.program;
        let cycles = || program.cycles(operation).map_or(0, |it| it.0);
        let tenths = |count: u128| (u128::from(cycles()) * count / 10) as u64;
        let (cycles, is_guess) = match via {
            Via::Whole => program.cost(operation),
            Via::Inner { of } => {
                let bytes = program.array(of).and_then(|it| it.bytes()).unwrap_or(0) as u64;
                (tenths(3).min(bytes / 200), false)
            }
            Via::Slices => (tenths(6), false),
        };
        let is_on_chip =
            via == Via::Whole && program.array(operation).is_some_and(|it| it.memory_space() == 1);
        self.leads.push(Lead {
            place: trace.place,
            operation,
            target: atoms.order(order, &trace.parameter).unwrap_or_default(),
            via,
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
