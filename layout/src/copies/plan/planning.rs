//! How a copy between places that are known at run time is planned.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;

#[cfg(feature = "alloc")]
use layout_copy::__private::packed;
use layout_copy::__private::{self as copying, PaddingPlan, PreparedPlan};
use layout_copy::Settings;
use layout_core::__private::{DigitsView, Tiling, native};
use layout_core::limits::{MAX_BOUNDS, MAX_TILE_DIMS, SHORT_BOUNDS, SHORT_TILE_DIMS};
use layout_core::{ArrayShape, Digits, Size};

use crate::copies::error::{CopyError, Side};
use crate::copies::plan::Plan;
use crate::copies::plan::element_bits::ElementBits;
use crate::copies::plan::placed::{Lies, Placed, SideStrides, strided_digits};

/// What is planned, but for digits and slots.
struct Sides<'a> {
    layouts: [&'a ArrayShape; 2],
    strides: [Option<SideStrides>; 2],
    bits: ElementBits,
}

impl Plan {
    /// Plans the copy of an array from one layout to another. A bounded dimension (`<=N`) is copied with all of
    /// its `N` elements.
    ///
    /// # Errors
    /// If the layouts have other dimensions or element types, a size that is not known, elements of sizes that
    /// are not copied, or more bytes than this machine addresses.
    pub fn new(from: &ArrayShape, to: &ArrayShape) -> Result<Plan, CopyError> {
        Plan::between(from, to)
    }

    /// Plans the copy of an array from one place to another: each is a layout, [strides](Placed::strides), or a
    /// [part of blocks](crate::copies::PartOfBlocks), of which the other side gives the sizes of the array.
    ///
    /// # Errors
    /// Those of [`new`](Self::new). If strides span more memory than there can be, are not one for each dimension, or if elements of the
    /// destination could share memory: see [`StridedMut::new`](crate::StridedMut::new). If the array is not whole blocks.
    pub fn between<'a>(
        from: impl Into<Placed<'a>>,
        to: impl Into<Placed<'a>>,
    ) -> Result<Plan, CopyError> {
        Plan::of(&[from.into(), to.into()])
    }

    fn of(places: &[Placed<'_>; 2]) -> Result<Plan, CopyError> {
        let [from, to] = places;
        let one = from.shape().or(to.shape()).ok_or(CopyError::Blocks)?;
        let [from, to] = [from, to].map(|place| place.shape().unwrap_or(one));
        if let Some(error) = from.unknown_size().or(to.unknown_size()) {
            return Err(error.into());
        }
        CopyError::check_array(from, to)?;
        let [source, destination] = places;
        let strides = [
            source.side_strides(Side::Source, from)?,
            destination.side_strides(Side::Destination, to)?,
        ];
        let layouts = places.each_ref().map(Placed::layout);
        let of_layouts = layouts.map(|layout| native(layout.element_bits()));
        let bits = match [source.element_bytes, destination.element_bytes] {
            [None, None] => ElementBits::of(of_layouts)?,
            [a, b] => ElementBits::of_bytes([a.or(b), b.or(a)].map(Option::unwrap_or_default))?,
        };
        for side in 0..2 {
            // Blocks have the elements of their layout.
            if matches!(places[side].lies, Lies::Part(_)) && bits.0[side] != of_layouts[side] {
                let [source, destination] = bits.0;
                return Err(CopyError::ElementBits { source, destination });
            }
        }
        let sides = Sides { layouts, strides, bits };
        if from.fields().is_short() && to.fields().is_short() {
            Plan::tiled::<SHORT_BOUNDS, SHORT_TILE_DIMS>([from, to], &sides)
        } else {
            Plan::tiled::<MAX_BOUNDS, MAX_TILE_DIMS>([from, to], &sides)
        }
    }

    /// Of shapes for whose tilings there is so much room. Sizes are known.
    #[inline(never)]
    fn tiled<const TERMS: usize, const PARTS: usize>(
        [from, to]: [&ArrayShape; 2],
        sides: &Sides<'_>,
    ) -> Result<Plan, CopyError> {
        // Digits are large: they are made in place.
        let (mut src, mut dst) = (Tiling::<TERMS, PARTS>::NONE, Tiling::<TERMS, PARTS>::NONE);
        let (src, dst) = (src.digits(from), dst.digits(to));
        let slots = [from.padded_elements_by(src), to.padded_elements_by(dst)];
        let digits = [&src.view(), &dst.view()];
        if sides.strides.iter().all(Option::is_none) {
            Plan::sized(sides, digits, slots)
        } else {
            Plan::with_strides(sides, digits, slots)
        }
    }

    /// Out of line, since digits are large.
    #[inline(never)]
    fn with_strides(
        sides: &Sides<'_>,
        digits: [&DigitsView<'_>; 2],
        slots: [Size; 2],
    ) -> Result<Plan, CopyError> {
        let strided = strided_digits(&sides.strides, sides.layouts, digits[0].dims);
        let strided = strided.each_ref().map(|digits| digits.as_ref().map(Digits::view));
        let digits_of = |side: usize| strided[side].as_ref().unwrap_or(digits[side]);
        let slots_of =
            |side: usize| sides.strides[side].map_or(slots[side], |strides| strides.slots as Size);
        let (digits, slots) = ([digits_of(0), digits_of(1)], [slots_of(0), slots_of(1)]);
        Plan::sized(sides, digits, slots)
    }

    fn sized(
        sides: &Sides<'_>,
        digits: [&DigitsView<'_>; 2],
        slots: [Size; 2],
    ) -> Result<Plan, CopyError> {
        for (slots, bits) in slots.into_iter().zip(sides.bits.0) {
            let bytes = (slots as u128 * bits as u128).div_ceil(8).min(Size::MAX as u128) as Size;
            // Of packed elements there can be more than this machine counts.
            if bytes.max(slots) > isize::MAX as Size {
                return Err(CopyError::TooLarge { bytes });
            }
        }
        Ok(Plan::planned(sides, digits, slots))
    }

    /// Large, so that it is made where the caller wants it.
    #[inline(never)]
    fn planned(
        &Sides { layouts: [from, to], strides, bits }: &Sides<'_>,
        digits: [&DigitsView<'_>; 2],
        slots: [Size; 2],
    ) -> Plan {
        let element = bits.element();
        let mut plan = copying::Plan::of(digits, element as Size);
        plan.begin_at(strides.map(|side| side.map_or(0, |side| side.first as Size)));
        let prepared = PreparedPlan::at_call(plan, element);
        #[cfg(feature = "alloc")]
        let blocks = match prepared.plan.has_layout_strides() {
            true => packed::blocks_to_keep(&prepared.plan, bits.widths(to)).map(Box::new),
            false => None,
        };
        let dst = digits[1];
        // What lies between elements at strides is not padding.
        let has_padding = strides[1].is_none() && slots[1] > dst.elements();
        // What is copied stands last: then it is copied to its place at once.
        Plan {
            padding: if has_padding { PaddingPlan::new(dst, slots[1]) } else { None },
            has_padding,
            bits,
            slots: slots.map(native),
            strides,
            settings: Settings::default(),
            #[cfg(feature = "alloc")]
            blocks,
            prepared,
            source: *from,
            destination: *to,
        }
    }
}
