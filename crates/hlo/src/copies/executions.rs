//! How often each computation is executed, and what the compiler says that it costs.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use crate::program::Program;
use crate::program::opcode::Opcode;

/// How often each computation is executed.
#[derive(Debug)]
pub(crate) struct Executions {
    /// Of each computation. 0: it stands for what one instruction does, or nothing calls it.
    pub times: Vec<u64>,
    /// Whether each computation is in a loop.
    pub in_loops: Vec<bool>,
    /// Of each loop, by its instruction, how often its body is executed each time. `None`: the text does not say it, it counts once.
    pub iterations: BTreeMap<usize, Option<u64>>,
}

/// A loop that is being executed, and the one around it.
#[derive(Clone, Copy)]
struct Loop<'l> {
    operation: usize,
    outer: Option<&'l Loop<'l>>,
}

impl Executions {
    /// Of a program that has a [`Timeline`](crate::lifetimes::Timeline): its calls are neither too deep nor too many.
    pub(crate) fn new(program: &Program<'_>) -> Executions {
        let count = program.computations.len();
        let (times, in_loops) = (vec![0; count], vec![false; count]);
        let mut new = Executions { times, in_loops, iterations: BTreeMap::new() };
        new.count(program, program.entry, 1, None);
        new
    }

    /// Loops whose number of iterations the text does not say.
    pub(crate) fn unknown(&self) -> usize {
        self.iterations.values().filter(|it| it.is_none()).count()
    }

    fn count(
        &mut self,
        program: &Program<'_>,
        computation: usize,
        times: u64,
        outer: Option<&Loop<'_>>,
    ) {
        self.times[computation] = self.times[computation].saturating_add(times);
        self.in_loops[computation] |= outer.is_some();
        for operation in program.computations[computation].operations.clone() {
            let opcode = program.opcode(operation);
            let (times, attributes) = match opcode {
                Opcode::While => {
                    let iterations = program.iterations(operation, outer);
                    self.iterations.entry(operation).or_insert(iterations);
                    (times.saturating_mul(iterations.unwrap_or(1)), &["body"][..])
                }
                Opcode::Call => (times, &["to_apply"][..]),
                Opcode::Conditional => {
                    (times, &["branch_computations", "true_computation", "false_computation"][..])
                }
                _ => continue,
            };
            let inner = Loop { operation, outer };
            let outer = if opcode == Opcode::While { Some(&inner) } else { outer };
            for called in
                attributes.iter().flat_map(|attribute| program.called(operation, attribute))
            {
                self.count(program, called, times, outer);
            }
        }
    }
}

impl Program<'_> {
    /// The cycles that the compiler estimates for an operation; whether that is a placeholder, 100 for each step.
    pub(crate) fn cycles(&self, operation: usize) -> Option<(u64, bool)> {
        let config = self.operations[operation].attributes.inside("backend_config");
        let cycles = config.find("estimated_cycles")?.parse().ok()?;
        let bounds = config.numbers("iteration_bounds");
        let steps = bounds.into_iter().flatten().fold(1, u64::saturating_mul);
        Some((cycles, cycles > 0 && cycles == steps.saturating_mul(100)))
    }

    /// Back from copies and bitcasts to what is copied.
    fn before_copies(&self, mut operation: usize) -> usize {
        while self.opcode(operation).is_copy()
            && let Some(operand) = self.operand(operation, 0)
        {
            operation = operand;
        }
        operation
    }

    /// What the body of a loop returns as an element of what it carries.
    pub(crate) fn returned(&self, while_: usize, element: usize) -> Option<usize> {
        let root = self.root(self.called(while_, "body").next()?);
        (self.opcode(root) == Opcode::Tuple).then(|| self.operand(root, element)).flatten()
    }

    /// Whether a loop leaves an element of what it carries as it is.
    pub(crate) fn is_invariant(&self, while_: usize, element: usize) -> bool {
        let returned =
            self.returned(while_, element).and_then(|it| self.part(self.before_copies(it)));
        returned.is_some_and(|(of, part)| part == element && self.opcode(of) == Opcode::Parameter)
    }

    /// The value of an integer that is known before the program runs.
    fn constant(&self, operation: usize, inside: Option<&Loop<'_>>) -> Option<i64> {
        let operation = self.before_copies(operation);
        match self.opcode(operation) {
            Opcode::Constant => self.operations[operation].arguments.trim().parse().ok(),
            _ => self.part(operation).and_then(|(of, part)| self.element(of, part, inside)),
        }
    }

    /// The value of an element of a tuple, a loop's also from outside of it.
    fn element(&self, of: usize, part: usize, inside: Option<&Loop<'_>>) -> Option<i64> {
        let of = self.before_copies(of);
        match self.opcode(of) {
            Opcode::Tuple => self.constant(self.operand(of, part)?, inside),
            Opcode::While if self.is_invariant(of, part) => {
                self.element(self.operand(of, 0)?, part, inside)
            }
            Opcode::Parameter => {
                let Loop { operation, outer } = *inside?;
                let init =
                    self.operand(operation, 0).filter(|_| self.is_invariant(operation, part))?;
                self.element(init, part, outer)
            }
            _ => None,
        }
    }

    /// The operation of this opcode that is this one, or the root of this fusion, or that part of its root; with its
    /// operands, those of a fusion's parameters outside of it.
    fn fused(&self, operation: usize, opcode: Opcode) -> Option<(usize, [usize; 2])> {
        let mut operation = self.before_copies(operation);
        let mut part = None;
        if let Some((of, number)) = self.part(operation) {
            (operation, part) = (of, Some(number));
        }
        let is_fusion = self.opcode(operation) == Opcode::Fusion;
        let mut found = self.maker(operation)?;
        if let Some(part) = part.filter(|_| is_fusion) {
            found = self.operand(found, part)?;
        }
        let outside = |number| {
            let own = self.before_copies(self.operand(found, number)?);
            let parameter = self.operations[own].parameter().filter(|_| is_fusion);
            parameter.map_or(Some(own), |number| self.operand(operation, number))
        };
        (self.opcode(found) == opcode).then_some((found, [outside(0)?, outside(1)?]))
    }

    /// How often a loop's body is executed, if the text says it.
    fn iterations(&self, while_: usize, outer: Option<&Loop<'_>>) -> Option<u64> {
        let config = self.operations[while_].attributes.inside("backend_config");
        if let Some(mut count) = config.numbers("known_trip_count") {
            return count.next();
        }
        let this = Loop { operation: while_, outer };
        let condition = self.root(self.called(while_, "condition").next()?);
        let (compare, [a, b]) = self.fused(condition, Opcode::Compare)?;
        let counter = |operation| {
            let (of, part) = self.part(self.before_copies(operation))?;
            (self.opcode(of) == Opcode::Parameter && !self.is_invariant(while_, part))
                .then_some(part)
        };
        let (element, limit, is_turned) = match counter(a) {
            Some(element) => (element, b, false),
            None => (counter(b)?, a, true),
        };
        let limit = self.constant(limit, Some(&this))?;
        let start = self.element(self.operand(while_, 0)?, element, outer)?;
        let (_, [a, b]) = self.fused(self.returned(while_, element)?, Opcode::Add)?;
        let (own, other) = if counter(a) == Some(element) { (a, b) } else { (b, a) };
        let step = self.constant(other, Some(&this)).filter(|_| counter(own) == Some(element))?;
        let distance = i128::from(limit) - i128::from(start);
        let step = i128::from(step);
        // Upwards or downwards, up to the limit or past it.
        let (sign, more) = match (self.operations[compare].attributes.get("direction")?, is_turned)
        {
            ("LT", false) | ("GT", true) => (1, 0),
            ("LE", false) | ("GE", true) => (1, 1),
            ("GT", false) | ("LT", true) => (-1, 0),
            ("GE", false) | ("LE", true) => (-1, 1),
            ("NE", _) => (step.signum(), 0),
            _ => return None,
        };
        let (distance, step) = (distance * sign + more, step * sign);
        if step <= 0 {
            return None;
        }
        let count = (distance.max(0) + step - 1) / step;
        u64::try_from(count).ok()
    }
}
