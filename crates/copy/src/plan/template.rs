//! The loops of a copy between layouts whose sizes may be known at the call only.

use crate::loops::{Loop, MAX_LOOPS, Plan};
use crate::plan::kernel::WIDEST;
use layout_core::analysis::{Amount, Counts};
use layout_core::base::{MAX_DIMS, least};
use layout_core::{Digits, Size};

/// Loops in the caller's code at most. Copies with more of them are not made in the caller's code.
pub const LEVELS: usize = 8;

/// A digit that both layouts share, as a [`Loop`] is, with strides that may depend on sizes.
#[derive(Clone, Copy, Debug)]
pub struct TemplateLoop {
    /// Its dimension.
    pub dim: u8,
    /// The size of its dimension, if it is known before the call.
    pub size: Option<Size>,
    /// Whether it counts to the end of its dimension, not to its extent.
    pub is_top: bool,
    /// Whether it has all of its values for any values of the others.
    pub is_whole: bool,
    /// What it counts along its dimension.
    pub unit: Size,
    /// How many values it has at most.
    pub extent: Size,
    /// Elements from one value to the next, in the source and in the destination.
    pub strides: [Amount; 2],
}

impl TemplateLoop {
    /// One value.
    pub const NONE: TemplateLoop = TemplateLoop {
        dim: 0,
        size: Some(1),
        is_top: false,
        is_whole: true,
        unit: 1,
        extent: 1,
        strides: [Amount::ONE; 2],
    };
}

/// The loops of all plans of two layouts, for any sizes: digits are compared once, by the compiler. The loops of a
/// dimension stand together, the most minor first.
// A `Plan` has numbers, a template has `Amount`s, products of numbers and of sizes that the call brings. Two layouts as types
// share one template as a constant: `plan` puts sizes in and compares no digits again. Layouts as values have no template:
// their plan is made of their digits at once.
#[derive(Clone, Copy, Debug)]
pub struct PlanTemplate {
    /// The loops.
    pub(crate) loops: [TemplateLoop; MAX_LOOPS],
    /// How many there are.
    pub(crate) len: usize,
    /// Sizes of the dimensions; the largest one where a size is known at the call only.
    sizes: [Size; MAX_DIMS],
    /// The dimensions whose sizes are known at the call only, as bits.
    varying: u16,
    is_source_tiled: bool,
    /// The loops in the order of the destination's memory, the outermost first, where the caller's code has them.
    pub(super) levels: [u8; LEVELS],
    /// How many these are; 0 if the caller's code has none.
    pub(crate) depth: usize,
    /// Whether strides of the source and of the destination are the caller's, and may be 0 and below 0, in two's complement.
    pub(crate) are_any: [bool; 2],
}

impl PlanTemplate {
    /// One element.
    pub const NONE: &'static PlanTemplate = &PlanTemplate {
        loops: [TemplateLoop::NONE; MAX_LOOPS],
        len: 0,
        sizes: [1; MAX_DIMS],
        varying: 0,
        is_source_tiled: false,
        levels: [0; LEVELS],
        depth: 1,
        are_any: [false; 2],
    };

    /// A loop for each dimension, with any strides on both sides.
    pub const fn of_rank(rank: usize) -> PlanTemplate {
        let mut template = PlanTemplate { len: rank, varying: u16::MAX, ..*PlanTemplate::NONE };
        each!(for dim in 0..rank {
            template.loops[dim] = TemplateLoop {
                dim: dim as u8,
                size: None,
                is_top: true,
                is_whole: false,
                unit: 1,
                extent: Size::MAX,
                strides: [Amount::unknown(dim); 2],
            };
        });
        template
    }

    /// Of two layouts of one array; dimensions of which `varying` has a bit have sizes that are known at the call only. `None`
    /// if the layouts share no split, or none that is known before the sizes are.
    ///
    /// `keeps_dims`: no dimensions are counted as one, so that an index can be told.
    pub const fn new(
        [src, dst]: [&Digits; 2],
        varying: u16,
        keeps_dims: bool,
    ) -> Option<PlanTemplate> {
        if src.elements() == 0 {
            return None;
        }
        let Some(mut plan) = Plan::common_digits(src, dst) else { return None };
        let are_known = src.size_amount().known().is_some() && dst.size_amount().known().is_some();
        if keeps_dims {
            plan.tidy();
        } else if varying == 0 && are_known {
            // Of other dimensions nobody knows whether the one goes on where the other ends.
            plan.coalesce();
        }
        let mut template = PlanTemplate {
            len: plan.len as usize,
            sizes: plan.sizes,
            varying,
            is_source_tiled: plan.is_source_tiled,
            ..*PlanTemplate::NONE
        };
        each!(for i in 0..template.len {
            let (Loop { unit, extent, src: from, dst: to }, dim) = (plan.loops[i], plan.dims[i]);
            let size = plan.sizes[dim as usize];
            let (is_top, is_known) = (extent >= size.div_ceil(unit), varying >> dim & 1 == 0);
            let is_whole = is_known && (is_top || size.is_multiple_of(unit * extent));
            let size = if is_known { Some(size) } else { None };
            let (Some(from), Some(to)) =
                (with_unknowns(src, dim, unit, from), with_unknowns(dst, dim, unit, to))
            else {
                return None;
            };
            let strides = [from, to];
            template.loops[i] = TemplateLoop { dim, size, is_top, is_whole, unit, extent, strides };
        });
        Some(template)
    }

    /// Whether both sides have more elements of `size` bytes side by side than are moved as one, so that plans are of runs: these never exchange bits.
    pub const fn has_runs(&self, size: usize) -> bool {
        each!(for number in 0..self.len {
            let TemplateLoop { is_top, extent, strides: [src, dst], .. } = &self.loops[number];
            let is_long = *is_top || Size::saturating_mul(*extent, size as Size) > WIDEST;
            if is_long && src.is_same(Amount::ONE) && dst.is_same(Amount::ONE) {
                return true;
            }
        });
        false
    }

    /// The plan of an array of such sizes, none of which is 0, with the unknown counts of both layouts. Made in place: it is large.
    pub fn plan(&self, dims: &[Size], counts: [&Counts; 2], element: Size) -> Plan {
        // Of known sizes dimensions may be joined.
        let mut sizes = self.sizes;
        for (dim, size) in dims.iter().enumerate().filter(|(dim, _)| self.varying >> dim & 1 == 1) {
            sizes[dim] = *size;
        }
        let mut plan = Plan::without_loops(&sizes);
        plan.is_source_tiled = self.is_source_tiled;
        for of_template in &self.loops[..self.len] {
            let TemplateLoop { dim, is_top, unit, extent, strides: [src, dst], .. } = *of_template;
            let size = sizes[usize::from(dim)];
            // The digits of a dimension end where it does.
            if size <= unit {
                continue;
            }
            let left = size.div_ceil(unit);
            let extent = if is_top { left } else { least(left, extent) };
            let [src, dst] = [src.value(counts[0]), dst.value(counts[1])];
            let at = usize::from(plan.len);
            // Where a count is 1, a digit can go on as the one before it.
            if let Some(last) = at.checked_sub(1).map(|last| &mut plan.loops[last])
                && plan.dims[at - 1] == dim
                && [src, dst] == [last.src, last.dst].map(|step| step.wrapping_mul(last.extent))
            {
                last.extent = least(last.extent * extent, size.div_ceil(last.unit));
                continue;
            }
            plan.dims[at] = dim;
            plan.loops[at] = Loop { unit, extent, src, dst };
            plan.len += 1;
        }
        plan.coalesce();
        plan.choose(element);
        plan
    }
}

/// The stride of the digit of a layout that counts `unit` along a dimension, given its known factor. `None` if the layout has
/// sums and unknown sizes.
const fn with_unknowns(digits: &Digits, dim: u8, unit: Size, factor: Size) -> Option<Amount> {
    if digits.size_amount().known().is_some() {
        return Some(Amount::of(factor));
    }
    if !digits.sums().is_empty() {
        return None;
    }
    each!(for term in digits.terms() {
        let digit = &term.digit;
        let is_below = match digit.modulus() {
            Some(modulus) => unit / digit.div() < modulus,
            None => true,
        };
        if digit.source == dim as usize && digit.div() <= unit && is_below {
            return Some(term.stride.with_factor(factor));
        }
    });
    None
}
