//! The digits that two layouts share.

use crate::dependencies::Dependencies;
use crate::plan::loops::{Kernel, Loop, MAX_LOOPS, Plan, PlanParts};
use crate::stretch::Stretch;
use layout_core::__private::DigitsView;
use layout_core::Size;
use layout_core::base::width::least;
use layout_core::limits::MAX_DIMS;

/// Elements that are too few for a vector.
const FEW: Size = 8;

impl Plan {
    /// Splits both layouts into common digits, the most minor of a dimension first. False if they
    /// share no split.
    pub(super) const fn split(&mut self, src: &DigitsView<'_>, dst: &DigitsView<'_>) -> bool {
        let (mut a, mut b) = (PlanParts::NONE, PlanParts::NONE);
        let (Ok(()), Ok(())) = (a.resolve(src), b.resolve(dst)) else { return false };
        self.is_source_tiled = a.as_slice().len() > b.as_slice().len();
        each!(for dim in 0..src.rank() {
            if src.dim(dim) > 1 && !self.split_dim(&a, &b, dim, src.dim(dim)) {
                return false;
            }
        });
        true
    }

    const fn split_dim(&mut self, a: &PlanParts, b: &PlanParts, dim: usize, size: Size) -> bool {
        let mut at = 1;
        let (Some(mut x), Some(mut y)) = (a.find(dim, 1), b.find(dim, 1)) else { return false };
        loop {
            let (x_end, y_end) = (x.end(size), y.end(size));
            let next = least(x_end, y_end);
            if self.len as usize == MAX_LOOPS || (next != Size::MAX && !next.is_multiple_of(at)) {
                return false;
            }
            let to = if next == Size::MAX { size.next_multiple_of(at) } else { next };
            self.dims[self.len as usize] = dim as u8;
            self.loops[self.len as usize] = Loop {
                unit: at,
                extent: to / at,
                src: x.stride.wrapping_mul(at / x.div),
                dst: y.stride.wrapping_mul(at / y.div),
            };
            self.len += 1;
            if next == Size::MAX {
                return true;
            }
            if x_end == next {
                match a.find(dim, next) {
                    Some(part) => x = part,
                    None => return false,
                }
            }
            if y_end == next {
                match b.find(dim, next) {
                    Some(part) => y = part,
                    None => return false,
                }
            }
            at = next;
        }
    }

    /// Prepares the general path: chooses the dimension along which stretches of both layouts are
    /// longest and contiguous, and finds what is tied to it by sums.
    pub(super) const fn along(&mut self, src: &DigitsView<'_>, dst: &DigitsView<'_>) {
        self.kernel = Kernel::General;
        let mut best = (0, 0);
        let origin = [0; MAX_DIMS];
        each!(for dim in 0..src.rank() {
            let (a, b) = (Stretch::of(src, &origin, dim), Stretch::of(dst, &origin, dim));
            let length = least(a.length, b.length);
            let contiguous = 1 + (a.stride == 1) as usize + 2 * (b.stride == 1) as usize;
            // What is contiguous in both counts most, and few elements least.
            let score = (if length < FEW { 0 } else { contiguous }, length);
            if score.0 > best.0 || (score.0 == best.0 && score.1 > best.1) {
                best = score;
                self.dim = dim as u8;
            }
        });
        self.coupled_dims = tied(src, 1 << self.dim);
        loop {
            let both = tied(dst, tied(src, self.coupled_dims));
            if both == self.coupled_dims {
                break;
            }
            self.coupled_dims = both;
        }
        self.is_scattered = has_backward_strides(src) || has_backward_strides(dst);
        self.share_general(dst);
    }
}

const fn has_backward_strides(digits: &DigitsView<'_>) -> bool {
    each!(for term in digits.terms {
        if !term.digit.is_zero() && term.stride.factor.cast_signed() <= 0 {
            return true;
        }
    });
    false
}

/// The dimensions that some digit ties to those of a set, as bits, and the set itdigits.
const fn tied(digits: &DigitsView<'_>, mut set: u16) -> u16 {
    if !digits.swizzle.is_none() {
        return ((1u32 << digits.rank()) - 1) as u16;
    }
    let dependencies = Dependencies::new(digits.sums);
    each!(for term in digits.terms {
        let digit = dependencies.of(&term.digit) as u16;
        if digit & set != 0 {
            set |= digit;
        }
    });
    set
}
