//! The offset: the program of steps as statements.

// The program of steps is what is written, so that a shader computes what a type computes.

use layout_core::analysis::program::{
    FIRST_COORDINATE, FIRST_COUNT, FIRST_PRODUCT, FIRST_SUM, MAX_STEPS, OFFSET, ONE, OffsetProgram,
    REST, Step, VALUE, ZERO,
};
use layout_core::base::text::Piece;

use crate::code::writer::{TypeName, Variable, Writer, coordinate, count, sum};

impl Writer<'_> {
    /// The function from coordinates to an offset.
    pub(crate) const fn offset(&mut self) {
        let steps = OffsetProgram::new(self.digits);
        self.function(TypeName::Integer, "_offset");
        self.coordinates();
        self.sizes(TypeName::Integer);
        let used = Uses::of(&steps);
        let counts = self.closure(used.counts);
        self.unused(!used.coordinates, !counts);
        self.quotients(counts, false);

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
                    let is_last = i + 1 + joins as usize == steps.len;
                    if is_last && self.is_swizzled() {
                        self.declare(TypeName::Integer, true, Piece::Str("linear"));
                    } else if is_last {
                        self.line();
                        say!(self, "return ");
                    } else if is_begun[(to == REST) as usize] {
                        self.line();
                        say!(self, operand(to), " = ");
                    } else {
                        let is_constant = is_last_write(&steps, i + joins as usize);
                        self.declare(TypeName::Integer, is_constant, operand(to));
                        is_begun[(to == REST) as usize] = true;
                    }
                    self.value(&steps, i);
                    if joins {
                        i += 1;
                        say!(self, " + ");
                        self.term(&steps.steps[i]);
                    }
                    say!(self, ";\n");
                }
                to if to >= FIRST_PRODUCT || is_last_write(&steps, i) => {
                    self.declare(TypeName::Integer, true, operand(to));
                    self.value(&steps, i);
                    say!(self, ";\n");
                }
                _ => {}
            }
            i += 1;
        }
        if !used.offset {
            self.line();
            say!(self, "return ", 0usize, ";\n");
        } else if self.is_swizzled() {
            self.line();
            say!(self, "return ");
            self.swizzled(Piece::Str("linear"));
            say!(self, ";\n");
        }
        self.end_function();
    }

    /// What a step computes.
    const fn value(&mut self, steps: &OffsetProgram, number: usize) {
        let step = &steps.steps[number];
        let b = step.at.b;
        let is_sum = (b == OFFSET || b == REST) && b == step.at.to && step.at.a != b;
        if step.at.a == ZERO || is_sum {
            // The sum so far first.
            say!(self, operand(b));
            if step.at.a != ZERO {
                say!(self, " + ");
                self.term(step);
            }
            return;
        }
        self.term(step);
        if b == ZERO {
            return;
        }
        say!(self, " + ");
        if b == VALUE || b == step.at.to {
            // Computed by an earlier step for this one alone.
            each!(for from in (0..number).rev() {
                if steps.steps[from].at.to == b {
                    self.term(&steps.steps[from]);
                    return;
                }
            });
        }
        say!(self, operand(b));
    }

    /// `a / div % modulus * mul * by`.
    const fn term(&mut self, step: &Step) {
        say!(self, operand(step.at.a));
        self.divided(step.div, if step.modulus == 0 { None } else { Some(step.modulus) });
        self.times(step.mul);
        if step.at.by != ONE {
            say!(self, " * ", operand(step.at.by));
        }
    }
}

/// What a register is written as.
const fn operand(register: u8) -> Variable {
    match register {
        ZERO => Piece::Number(0),
        ONE => Piece::Number(1),
        OFFSET => Piece::Str("offset"),
        REST => Piece::Str("rest"),
        FIRST_PRODUCT.. => Piece::Numbered("p", (register - FIRST_PRODUCT) as usize),
        FIRST_SUM.. => sum((register - FIRST_SUM) as usize),
        FIRST_COUNT.. => count((register - FIRST_COUNT) as usize),
        _ => coordinate((register - FIRST_COORDINATE) as usize),
    }
}

/// Whether no later step writes the same register: one before that is a part of it.
const fn is_last_write(steps: &OffsetProgram, number: usize) -> bool {
    each!(for i in number + 1..steps.len {
        if steps.steps[i].at.to == steps.steps[number].at.to {
            return false;
        }
    });
    true
}

/// What the steps read: a bit for each coordinate and for each count.
struct Uses {
    /// Whether the offset depends on what a step writes.
    steps: [bool; MAX_STEPS],
    coordinates: u64,
    counts: u64,
    /// Whether they write the offset.
    offset: bool,
}

impl Uses {
    const fn of(steps: &OffsetProgram) -> Uses {
        let mut used = Uses { steps: [false; _], coordinates: 0, counts: 0, offset: false };
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
