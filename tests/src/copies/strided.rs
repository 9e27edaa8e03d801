//! Memory with strides of its own, on either side or on both.

use layout::__private::core::native;
use layout::Plan;
use layout::copies::Placed;

use super::case::{BEFORE, Case};
use super::paths::{Guarded, all_settings};
use crate::bits::{get, set, value};
use crate::naive::slots;
use crate::random::Random;
use crate::strides::Place;

/// Copies from strides to a layout, from a layout to strides, and between strides.
pub(super) fn strided(case: &Case, random: &mut Random) {
    let dims = case.pair.layouts[0].dims.iter().map(|size| native(*size)).collect::<Vec<_>>();
    let which = random.below(3);
    let places = [which != 1, which != 0];
    let places = [0, 1].map(|side| places[side].then(|| Place::random(&dims, side == 0, random)));
    let bits = case.pair.bits;
    let narrow = bits[0].min(bits[1]);
    let [source, destination] = [0, 1].map(|side| match &places[side] {
        Some(place) => Placed::strides(&case.shapes[side], &place.strides),
        None => Placed::from(&case.shapes[side]),
    });
    let plan = Plan::between(source, destination)
        .unwrap_or_else(|error| panic!("{error} {source:?} {destination:?}"));
    let from =
        places[0].as_ref().map_or_else(|| slots(&case.memories[0]), |place| place.slots.clone());
    // The source has numbers by its slots, so that those of elements that share memory agree.
    let mut source = vec![0xa5; plan.source_bytes()];
    for slot in &from {
        set(&mut source, *slot, bits[0], value(*slot as layout::shape::Size, narrow));
    }
    let padding = case.padding(random);
    let mut expected = match &places[1] {
        None => {
            // Padding as it is after the case's own copy; elements are written over.
            case.expected(padding)
        }
        Some(place) => vec![BEFORE; (place.length * bits[1]).div_ceil(8)],
    };
    let to =
        places[1].as_ref().map_or_else(|| slots(&case.memories[1]), |place| place.slots.clone());
    let is_signed = case.shapes[0].element_type().is_signed_integer();
    for (from, to) in from.iter().zip(&to) {
        let found = get(&source, *from, bits[0]) & u128::MAX >> (128 - narrow);
        let is_extended = bits[1] > bits[0] && is_signed && found >> (narrow - 1) == 1;
        let found = if is_extended { found | 0xff << narrow & 0xff } else { found };
        set(&mut expected, *to, bits[1], found);
    }
    for _ in 0..3 {
        let mut settings = *random.pick(all_settings());
        if random.below(8) > 0 {
            settings.threads = Some(false);
        }
        let plan = plan.clone().with_settings(settings);
        let mut dst = Guarded::new(expected.len(), random);
        plan.run_bytes(&source, dst.inner(), padding).unwrap();
        dst.check(&expected, || format!("{plan:?} with {padding:?} and {settings:?}"));
    }
}
