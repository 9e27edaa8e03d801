//! The digits that two layouts share.

use crate::loops::{Loop, MAX_LOOPS, Plan, PlanParts};
use layout_core::analysis::DigitsView;
use layout_core::base::least;
use layout_core::{Digits, Size};

impl Plan {
    /// The digits that two layouts of some elements share, as loops of no kernel; `None` if they share no split. The loops of
    /// a dimension stand together, the most minor first; each counts what all before it have values for.
    pub const fn common_digits(src: &Digits, dst: &Digits) -> Option<Plan> {
        let mut plan = Plan::without_loops(src.dims());
        if plan.split(&src.view(), &dst.view()) { Some(plan) } else { None }
    }

    /// Splits both layouts into common digits, the most minor of a dimension first. False if they
    /// share no split.
    pub(crate) const fn split(&mut self, src: &DigitsView<'_>, dst: &DigitsView<'_>) -> bool {
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
}
