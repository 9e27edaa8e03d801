//! The offset: the program of steps as statements.

use crate::analysis::steps::{
    FIRST_COORDINATE, FIRST_COUNT, FIRST_PRODUCT, FIRST_SUM, MAX_STEPS, OFFSET, ONE, REST, Step,
    Steps, VALUE, ZERO,
};
use crate::analysis::unknown::Unknowns;
use crate::code::writer::{Returns, Variable, Writer, coordinate, count, sum};

impl Writer<'_> {
    /// The function from coordinates to an offset.
    pub(crate) const fn offset(&mut self) {
        let steps = Steps::new(self.digits);
        self.function(Returns::Integer, "_offset");
        self.coordinates();
        self.sizes(Returns::Integer);
        let used = Used::of(&steps);
        let counts = self.closure(used.counts);
        self.unused(!used.coordinates, !counts);
        self.quotients(counts);

        // Of `offset` and of `rest`.
        let mut is_begun = [false; 2];
        let mut i = 0;
        while i < steps.len {
            let step = steps.steps[i];
            match step.at.to {
                _ if !used.steps[i] => {}
                VALUE => {}
                to @ (OFFSET | REST) => {
                    // `offset = offset * 4 + 0`, and then a digit is added: one line.
                    let joins = step.at.b == ZERO
                        && i + 1 < steps.len
                        && steps.steps[i + 1].at.b == to
                        && steps.steps[i + 1].at.to == to
                        && steps.steps[i + 1].at.a != to;
                    let name = if to == REST { "rest" } else { "offset" };
                    if i + 1 + joins as usize == steps.len {
                        self.line();
                        self.str("return ");
                    } else if is_begun[(to == REST) as usize] {
                        self.line();
                        self.str(name);
                        self.str(" = ");
                    } else {
                        self.declare_named(is_last_write(&steps, i + joins as usize), name);
                        is_begun[(to == REST) as usize] = true;
                    }
                    self.value(&steps, i);
                    if joins {
                        i += 1;
                        self.str(" + ");
                        self.term(&steps.steps[i]);
                    }
                    self.end();
                }
                to if to >= FIRST_PRODUCT || is_last_write(&steps, i) => {
                    self.declare(true, register(to));
                    self.value(&steps, i);
                    self.end();
                }
                _ => {}
            }
            i += 1;
        }
        if !used.offset {
            self.line();
            self.str("return ");
            self.number(0);
            self.end();
        }
        self.end_function();
    }

    /// What a step computes.
    const fn value(&mut self, steps: &Steps, number: usize) {
        let step = &steps.steps[number];
        let b = step.at.b;
        let is_sum = (b == OFFSET || b == REST) && b == step.at.to && step.at.a != b;
        if step.at.a == ZERO || is_sum {
            // The sum so far first.
            self.operand(b);
            if step.at.a != ZERO {
                self.str(" + ");
                self.term(step);
            }
            return;
        }
        self.term(step);
        if b == ZERO {
            return;
        }
        self.str(" + ");
        if b == VALUE || b == step.at.to {
            // Computed by an earlier step for this one alone.
            each!(for from in (0..number).rev() {
                if steps.steps[from].at.to == b {
                    self.term(&steps.steps[from]);
                    return;
                }
            });
        }
        self.operand(b);
    }

    /// `a / div % modulus * mul * by`.
    const fn term(&mut self, step: &Step) {
        self.operand(step.at.a);
        if step.div != 1 {
            self.str(" / ");
            self.number(step.div as u64);
        }
        if step.modulus != 0 {
            self.str(" % ");
            self.number(step.modulus as u64);
        }
        if step.mul != 1 {
            self.str(" * ");
            self.number(step.mul as u64);
        }
        if step.at.by != ONE {
            self.str(" * ");
            self.operand(step.at.by);
        }
    }

    const fn operand(&mut self, operand: u8) {
        match operand {
            ZERO => self.number(0),
            ONE => self.number(1),
            OFFSET => self.str("offset"),
            REST => self.str("rest"),
            _ => self.variable(register(operand)),
        }
    }
}

/// The variable that a register is written as.
const fn register(register: u8) -> Variable {
    if register >= FIRST_PRODUCT {
        Variable { letter: "p", number: (register - FIRST_PRODUCT) as usize }
    } else if register >= FIRST_SUM {
        sum((register - FIRST_SUM) as usize)
    } else if register >= FIRST_COUNT {
        count((register - FIRST_COUNT) as usize)
    } else {
        coordinate((register - FIRST_COORDINATE) as usize)
    }
}

/// Whether no later step writes the same register: one before that is a part of it.
const fn is_last_write(steps: &Steps, number: usize) -> bool {
    each!(for i in number + 1..steps.len {
        if steps.steps[i].at.to == steps.steps[number].at.to {
            return false;
        }
    });
    true
}

/// What the steps read: a bit for each coordinate and for each count.
struct Used {
    /// Whether the offset depends on what a step writes.
    steps: [bool; MAX_STEPS],
    coordinates: u64,
    counts: Unknowns,
    /// Whether they write the offset.
    offset: bool,
}

impl Used {
    const fn of(steps: &Steps) -> Used {
        let mut used = Used { steps: [false; _], coordinates: 0, counts: 0, offset: false };
        let mut registers = [false; 1 << u8::BITS];
        registers[OFFSET as usize] = true;
        each!(for i in (0..steps.len).rev() {
            let at = steps.steps[i].at;
            if registers[at.to as usize] {
                used.steps[i] = true;
                used.offset |= at.to == OFFSET;
                used.add(at.a);
                used.add(at.by);
                used.add(at.b);
                registers[at.a as usize] = true;
                registers[at.by as usize] = true;
                registers[at.b as usize] = true;
            }
        });
        used
    }

    const fn add(&mut self, register: u8) {
        if register >= FIRST_SUM || register < FIRST_COORDINATE {
            return;
        }
        if register < FIRST_COUNT {
            self.coordinates |= 1 << (register - FIRST_COORDINATE);
        } else {
            self.counts |= 1 << (register - FIRST_COUNT);
        }
    }
}
