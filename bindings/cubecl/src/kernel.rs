//! The layout in a kernel.

use std::marker::PhantomData;

use cubecl::prelude::*;
use cubecl::std::tensor::layout::{Coords1d, Layout, LayoutExpand};

use crate::coords::IndexCoords;
use crate::plan::{Digit, Number, Plan, Swizzle};

/// A layout in a kernel: a [`Layout`] of cubecl-std from the coordinates `C` of an element to its slot in memory.
///
/// A kernel takes it as a parameter, for which [`XlaLayoutLaunch`](crate::XlaLayoutLaunch) is the argument, inside a
/// view (`ViewArg::new_array::<XlaLayout<C>>`), or makes it of a type ([`of`](XlaLayout::of)). All arithmetic is in
/// 32 bits. Divisions by powers of two are shifts, remainders masks.
///
/// Positions are in elements, dimension 0 first. Out of bounds the slot is unspecified, and
/// [`to_source_pos_checked`](Layout::to_source_pos_checked) says so. The slots of a layout for
/// [vectors](crate::XlaLayoutLaunch::with_vector_size) are vectors. There are as many `CoordsDyn` as the array has dimensions; else
/// compiling the kernel panics.
///
/// # Examples
/// ```
/// use cubecl::prelude::*;
/// use cubecl::std::tensor::layout::{Coords2d, Layout};
/// use layout::layout;
/// use layout_cubecl::XlaLayout;
///
/// /// Sets the padding to zero.
/// #[cube(launch)]
/// fn clear_padding(memory: &mut [f32], layout: XlaLayout<Coords2d>) {
///     let slot = ABSOLUTE_POS;
///     if layout.is_padding(slot) {
///         memory[slot] = 0.0;
///     }
/// }
///
/// fn main() {
///     // The functions run on the host too.
///     type A = layout!(F32[3,5]{1,0:T(2,2)});
///     let a = XlaLayout::<Coords2d>::of::<2, A>();
///     assert_eq!(a.to_source_pos((2, 3)), 17);
///     assert_eq!(a.to_pos_checked(17), ((2, 3), true));
///     assert!(a.is_padding(9) && !a.is_in_bounds((3, 0)));
/// }
/// ```
#[derive(CubeType, Clone)]
pub struct XlaLayout<C: IndexCoords> {
    pub(crate) arguments: Sequence<u32>,
    #[cube(comptime)]
    pub(crate) plan: Plan,
    #[cube(comptime)]
    pub(crate) coords: PhantomData<fn() -> C>,
}

#[cube]
impl<C: IndexCoords> Layout for XlaLayout<C> {
    type Coordinates = C;
    type SourceCoordinates = Coords1d;

    fn to_source_pos(&self, pos: Self::Coordinates) -> Self::SourceCoordinates {
        let offset = self.offset(&C::into_sequence(pos));
        divided(offset, comptime!(self.plan.vector_size as u32)) as usize
    }

    fn to_source_pos_checked(&self, pos: Self::Coordinates) -> (Self::SourceCoordinates, bool) {
        let in_bounds = self.is_in_bounds(pos.clone());
        (self.to_source_pos(pos), in_bounds)
    }

    fn shape(&self) -> Self::Coordinates {
        let mut sizes = Sequence::new();
        #[unroll]
        for dim in 0..comptime!(self.plan.rank()) {
            sizes.push(number(&self.arguments, comptime!(self.plan.dims[dim])));
        }
        C::from_sequence(sizes)
    }

    fn is_in_bounds(&self, pos: Self::Coordinates) -> bool {
        self.contains(&C::into_sequence(pos))
    }
}

#[cube]
impl<C: IndexCoords> XlaLayout<C> {
    /// The layout that a type states, without a launch argument. It does not compile if the layout has another rank
    /// than the coordinates, or more than `u32::MAX` elements in memory.
    pub fn of<const R: usize, L: layout::Layout<R>>() -> Self {
        XlaLayout::<C> {
            arguments: Sequence::new(),
            plan: comptime!(Plan::of::<C, R, L>()),
            coords: comptime!(PhantomData),
        }
    }

    /// The offset of an element.
    fn offset(&self, index: &Sequence<u32>) -> u32 {
        let mut sums = Sequence::<u32>::new();
        #[unroll]
        for i in 0..comptime!(self.plan.sums.len()) {
            let sum = comptime!(self.plan.sums[i]);
            let mut parts = Sequence::new();
            if comptime!(sum.major.is_some()) {
                let major = digit(index, &sums, comptime!(sum.major.unwrap()));
                parts.push(times(&self.arguments, major, comptime!(sum.factor)));
            }
            if comptime!(sum.minor.is_some()) {
                parts.push(digit(index, &sums, comptime!(sum.minor.unwrap())));
            }
            sums.push(total(&parts));
        }
        let mut parts = Sequence::new();
        #[unroll]
        for i in 0..comptime!(self.plan.terms.len()) {
            let term = comptime!(self.plan.terms[i]);
            let value = digit(index, &sums, comptime!(term.digit));
            parts.push(times(&self.arguments, value, comptime!(term.stride)));
        }
        swizzled(total(&parts), comptime!(self.plan.swizzle))
    }

    fn contains(&self, index: &Sequence<u32>) -> bool {
        let mut below = Sequence::<bool>::new();
        #[unroll]
        for dim in 0..comptime!(self.plan.rank()) {
            below.push(index[dim] < number(&self.arguments, comptime!(self.plan.dims[dim])));
        }
        all(&below)
    }

    /// The index of the element at an offset; of padding the index of another element, or one out of bounds.
    fn index(&self, offset: u32) -> Sequence<u32> {
        let linear = swizzled(offset, comptime!(self.plan.swizzle));
        let rank = comptime!(self.plan.rank());
        let count = comptime!(self.plan.sums.len());
        // The last sum first: each uses earlier ones.
        let mut sums = Sequence::new();
        #[unroll]
        for i in 0..count {
            let source = comptime!(rank + count - 1 - i);
            sums.push(self.source(linear, &sums, source));
        }
        let mut index = Sequence::new();
        #[unroll]
        for dim in 0..rank {
            index.push(self.source(linear, &sums, dim));
        }
        index
    }

    /// A coordinate or a sum of the element at an offset before the swizzle, from the sums that use it, the last first.
    fn source(&self, offset: u32, sums: &Sequence<u32>, #[comptime] source: usize) -> u32 {
        let mut parts = Sequence::new();
        #[unroll]
        for i in 0..comptime!(self.plan.terms.len()) {
            let term = comptime!(self.plan.terms[i]);
            if comptime!(term.digit.source == source) {
                let above = divided_by(&self.arguments, offset, comptime!(term.stride));
                let digit = match comptime!(term.bound) {
                    Option::Some(bound) => remainder_by(&self.arguments, above, bound),
                    Option::None => above,
                };
                parts.push(times_constant(digit, comptime!(term.digit.div)));
            }
        }
        let count = comptime!(self.plan.sums.len());
        #[unroll]
        for i in 0..count {
            let sum = comptime!(self.plan.sums[count - 1 - i]);
            if comptime!(is_of(sum.major, source)) {
                let digit = divided_by(&self.arguments, sums[i], comptime!(sum.factor));
                parts.push(times_constant(digit, comptime!(sum.major.unwrap().div)));
            }
            if comptime!(is_of(sum.minor, source)) {
                let digit = if comptime!(sum.major.is_some()) {
                    remainder_by(&self.arguments, sums[i], comptime!(sum.factor))
                } else {
                    sums[i]
                };
                parts.push(times_constant(digit, comptime!(sum.minor.unwrap().div)));
            }
        }
        total(&parts)
    }

    /// Whether an index that was found for an offset is that of the element there.
    fn is_element(&self, offset: u32, index: &Sequence<u32>) -> bool {
        let size = number(&self.arguments, comptime!(self.plan.size));
        let mut conditions = Sequence::<bool>::new();
        conditions.push(swizzled(offset, comptime!(self.plan.swizzle)) < size);
        conditions.push(self.contains(index));
        if comptime!(!self.plan.is_bijective) {
            conditions.push(self.offset(index) == offset);
        }
        all(&conditions)
    }

    /// The number of vectors in memory, padding included; of elements, if the layout was not given a vector size.
    pub fn slots(&self) -> usize {
        let slots = number(&self.arguments, comptime!(self.plan.slots));
        divided(slots, comptime!(self.plan.vector_size as u32)) as usize
    }

    /// The position of the element, or of the first element of the vector, that is number `slot` in memory.
    /// Unspecified for padding.
    pub fn to_pos(&self, slot: usize) -> C {
        C::from_sequence(self.index(self.first_offset(slot)))
    }

    /// As [`to_pos`](XlaLayout::to_pos), and whether there is an element: not in padding, and not past the end.
    pub fn to_pos_checked(&self, slot: usize) -> (C, bool) {
        let offset = self.first_offset(slot);
        let index = self.index(offset);
        let is_element = self.is_element(offset, &index) & (slot < self.slots());
        (C::from_sequence(index), is_element)
    }

    /// Whether a slot of memory holds no element. `false` past the end.
    pub fn is_padding(&self, slot: usize) -> bool {
        let offset = self.first_offset(slot);
        !self.is_element(offset, &self.index(offset)) & (slot < self.slots())
    }

    /// The offset of the first element of a slot.
    fn first_offset(&self, slot: usize) -> u32 {
        times_constant(slot as u32, comptime!(self.plan.vector_size as u32))
    }
}

/// Whether a digit is taken of a source.
fn is_of(digit: Option<Digit>, source: usize) -> bool {
    digit.is_some_and(|digit| digit.source == source)
}

/// A number of the plan.
#[cube]
fn number(arguments: &Sequence<u32>, #[comptime] number: Number) -> u32 {
    match number {
        Number::Constant(value) => value.runtime(),
        Number::Argument(argument) => arguments[argument],
    }
}

/// An offset under the swizzle, and back.
#[cube]
fn swizzled(offset: u32, #[comptime] swizzle: Option<Swizzle>) -> u32 {
    match swizzle {
        Option::Some(bits) => offset ^ (((offset & bits.mask) << bits.left) >> bits.right),
        Option::None => offset,
    }
}

#[cube]
fn digit(index: &Sequence<u32>, sums: &Sequence<u32>, #[comptime] digit: Digit) -> u32 {
    let rank = comptime!(index.len());
    let source = if comptime!(digit.source < rank) {
        index[digit.source]
    } else {
        sums[comptime!(digit.source - rank)]
    };
    let whole = divided(source, comptime!(digit.div));
    match comptime!(digit.modulus) {
        Option::Some(modulus) => remainder(whole, modulus),
        Option::None => whole,
    }
}

/// The sum of all values. None is assigned to twice, so that no variable is left for the compiler to remove.
#[cube]
fn total(values: &Sequence<u32>) -> u32 {
    let count = comptime!(values.len());
    let mut totals = Sequence::<u32>::new();
    if comptime!(count == 0) {
        totals.push(0u32.runtime());
    } else {
        totals.push(values[0]);
    }
    #[unroll]
    for i in 1..count {
        let total = totals[comptime!(i - 1)] + values[i];
        totals.push(total);
    }
    totals[comptime!(totals.len() - 1)]
}

/// Whether all conditions hold, without a branch.
#[cube]
fn all(conditions: &Sequence<bool>) -> bool {
    let count = comptime!(conditions.len());
    let mut all = Sequence::<bool>::new();
    if comptime!(count == 0) {
        all.push(true.runtime());
    } else {
        all.push(conditions[0]);
    }
    #[unroll]
    for i in 1..count {
        let both = all[comptime!(i - 1)] & conditions[i];
        all.push(both);
    }
    all[comptime!(all.len() - 1)]
}

#[cube]
fn times(arguments: &Sequence<u32>, value: u32, #[comptime] by: Number) -> u32 {
    match by {
        Number::Constant(by) => times_constant(value, by),
        Number::Argument(argument) => value * arguments[argument],
    }
}

#[cube]
fn times_constant(value: u32, #[comptime] by: u32) -> u32 {
    if comptime!(by == 1) { value } else { value * by }
}

#[cube]
fn divided_by(arguments: &Sequence<u32>, value: u32, #[comptime] by: Number) -> u32 {
    match by {
        Number::Constant(by) => divided(value, by),
        Number::Argument(argument) => value / arguments[argument],
    }
}

#[cube]
fn remainder_by(arguments: &Sequence<u32>, value: u32, #[comptime] by: Number) -> u32 {
    match by {
        Number::Constant(by) => remainder(value, by),
        Number::Argument(argument) => value % arguments[argument],
    }
}

/// A quotient by a constant: a shift where there is one.
#[cube]
fn divided(value: u32, #[comptime] by: u32) -> u32 {
    if comptime!(by == 1) {
        value
    } else if comptime!(by.is_power_of_two()) {
        value >> comptime!(by.trailing_zeros())
    } else {
        value / by
    }
}

/// A remainder by a constant: a mask where there is one.
#[cube]
fn remainder(value: u32, #[comptime] by: u32) -> u32 {
    if comptime!(by.is_power_of_two()) { value & comptime!(by - 1) } else { value % by }
}
