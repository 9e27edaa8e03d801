//! How a copy between layouts that are known at run time is planned.

use layout_copy::__private::{Kernels, PaddingPlan, Plan, PreparedPlan};
use layout_copy::Settings;
use layout_copy::bitcast::OtherArray;
use layout_core::__private::{DigitsView, Tiling, native};
use layout_core::limits::{MAX_BOUNDS, MAX_TILE_DIMS, SHORT_BOUNDS, SHORT_TILE_DIMS};
use layout_core::{ArrayShape, Digits, Size, same_dimensions};

use crate::relayout::value::element_bits::ElementBits;
use crate::relayout::value::error::RelayoutPlanError;
use crate::relayout::value::{NO_STRIDES, Relayout, SidesStrides};

impl Relayout {
    /// Plans the copy of an array from one layout to another. A bounded dimension (`<=N`) is copied with all of
    /// its `N` elements.
    ///
    /// # Errors
    /// If the layouts have other dimensions or element types, a size that is not known, elements of sizes that
    /// are not copied, or more bytes than this machine addresses.
    pub fn new(from: &ArrayShape, to: &ArrayShape) -> Result<Relayout, RelayoutPlanError> {
        let bits = ElementBits::of([from, to])?;
        Relayout::between([from, to], &NO_STRIDES, bits)
    }

    /// Plans the copy of elements of so many bits.
    pub(in crate::relayout) fn between(
        [from, to]: [&ArrayShape; 2],
        strides: &SidesStrides,
        bits: ElementBits,
    ) -> Result<Relayout, RelayoutPlanError> {
        for shape in [from, to] {
            if let Some(error) = shape.unknown_size() {
                return Err(RelayoutPlanError::UnknownSize(error));
            }
        }
        if from.element_type() != to.element_type() || !same_dimensions(from, to) {
            return Err(RelayoutPlanError::OtherArray(OtherArray::new(from, to)));
        }
        let are_short = from.fields().is_short() && to.fields().is_short();
        if are_short {
            Relayout::tiled::<SHORT_BOUNDS, SHORT_TILE_DIMS>([from, to], strides, bits)
        } else {
            Relayout::tiled::<MAX_BOUNDS, MAX_TILE_DIMS>([from, to], strides, bits)
        }
    }

    /// Of shapes for whose tilings there is so much room. Sizes are known.
    #[inline(never)]
    fn tiled<const TERMS: usize, const PARTS: usize>(
        [from, to]: [&ArrayShape; 2],
        strides: &SidesStrides,
        bits: ElementBits,
    ) -> Result<Relayout, RelayoutPlanError> {
        // Digits are large: they are made in place.
        let (mut src, mut dst) = (Tiling::<TERMS, PARTS>::NONE, Tiling::<TERMS, PARTS>::NONE);
        let (src, dst) = (src.digits(from), dst.digits(to));
        let slots = [from.padded_elements_by(src), to.padded_elements_by(dst)];
        let digits = [&src.view(), &dst.view()];
        if strides.iter().all(Option::is_none) {
            Relayout::sized([from, to], digits, bits, slots)
        } else {
            Relayout::with_strides([from, to], digits, bits, slots, strides)
        }
    }

    /// Out of line, since digits are large.
    #[inline(never)]
    fn with_strides(
        shapes: [&ArrayShape; 2],
        digits: [&DigitsView<'_>; 2],
        bits: ElementBits,
        slots: [Size; 2],
        strides: &SidesStrides,
    ) -> Result<Relayout, RelayoutPlanError> {
        let strided = strides.map(|side| side.map(|side| side.digits(digits[0].dims)));
        let strided = strided.each_ref().map(|digits| digits.as_ref().map(Digits::view));
        let digits = [0, 1].map(|side| strided[side].as_ref().unwrap_or(digits[side]));
        let slots = [0, 1].map(|side| strides[side].map_or(slots[side], |of| of.slots as Size));
        let mut planned = Relayout::sized(shapes, digits, bits, slots)?;
        planned.set_strides(strides);
        Ok(planned)
    }

    fn sized(
        shapes: [&ArrayShape; 2],
        digits: [&DigitsView<'_>; 2],
        bits: ElementBits,
        slots: [Size; 2],
    ) -> Result<Relayout, RelayoutPlanError> {
        for (slots, bits) in slots.into_iter().zip(bits.0) {
            let bytes = (slots as u128 * bits as u128).div_ceil(8).min(Size::MAX as u128) as Size;
            // Of packed elements there can be more than this machine counts.
            if bytes.max(slots) > isize::MAX as Size {
                return Err(RelayoutPlanError::TooLarge { bytes });
            }
        }
        Ok(Relayout::planned(shapes, digits, bits, slots))
    }

    /// Large, so that it is made where the caller wants it.
    #[inline(never)]
    fn planned(
        [from, to]: [&ArrayShape; 2],
        digits: [&DigitsView<'_>; 2],
        bits: ElementBits,
        slots: [Size; 2],
    ) -> Relayout {
        let element = bits.element();
        let prepared = PreparedPlan::of(Plan::of(digits, element));
        let dst = digits[1];
        let has_padding = slots[1] > dst.elements();
        // What is copied stands last: then it is copied to its place at once.
        Relayout {
            kernels: Kernels::of(&prepared.plan, native(element)),
            padding: if has_padding { PaddingPlan::of(dst, slots[1]) } else { None },
            has_padding,
            bits,
            slots: slots.map(native),
            settings: Settings::default(),
            prepared,
            source: *from,
            destination: *to,
        }
    }

    fn set_strides(&mut self, strides: &SidesStrides) {
        let first = strides.map(|side| side.map_or(0, |side| side.first as Size));
        let mut plan = self.prepared.plan;
        plan.begin_at(first);
        self.kernels = Kernels::of(&plan, native(self.bits.element()));
        self.prepared = PreparedPlan::of(plan);
        if strides[1].is_some() {
            // What lies between elements is no padding.
            (self.has_padding, self.padding) = (false, None);
        }
    }
}
