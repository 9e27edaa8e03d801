//! The plan of two layouts that share no digits: the general path.

use crate::dependencies::Dependencies;
use crate::loops::{Kernel, Plan};
use crate::stretch::Stretch;
use layout_core::__private::Region;
use layout_core::analysis::DigitsView;
use layout_core::base::{MAX_DIMS, Size, least};

/// Elements that are too few for a vector.
const FEW: Size = 8;

impl Plan {
    /// Plans the copy of a part of an array, wherever its cuts are, to an array or to a part of one: by the general path.
    pub const fn of_part(src: &DigitsView<'_>, dst: &DigitsView<'_>) -> Plan {
        let mut plan = Plan::without_loops(dst.dims);
        if dst.is_empty() {
            plan.count_none();
        } else {
            plan.along(src, dst);
        }
        plan
    }

    /// One loop without values.
    const fn count_none(&mut self) {
        self.kernel = Kernel::Strided;
        self.loops[0].extent = 0;
        self.sizes[0] = 0;
        (self.len, self.element_loops) = (1, 1);
    }

    /// This general plan for a part of the destination, which has elements. A part is not shared among threads.
    #[must_use]
    pub const fn within(mut self, region: &Region) -> Plan {
        let mut is_all = true;
        each!(for dim in 0..MAX_DIMS {
            is_all &= region.start[dim] == 0 && region.limit[dim] == self.sizes[dim];
        });
        if !is_all {
            (self.starts, self.sizes) = (region.start, region.limit);
            self.loops[0].extent = 1;
        }
        self
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
