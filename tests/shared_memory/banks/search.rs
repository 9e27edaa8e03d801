//! The swizzle and the padding with the fewest wavefronts, against all of them.

use layout::ArrayShape;
use layout::shape::{Size, Swizzle, SwizzleUnit};
use layout_gpu::banks::{Access, Remedy, search};
use layout_tests::lists::array;
use layout_tests::random::Random;

/// Wavefronts of all accesses, and memory, unless an access is not valid.
fn cost(shape: &ArrayShape, accesses: &[Access]) -> Option<(usize, Size)> {
    let each = accesses.iter().map(|access| access.addresses(shape).ok());
    let wavefronts = each.map(|found| found.map(|found| found.wavefronts())).sum::<Option<_>>()?;
    Some((wavefronts, shape.padded_elements().unwrap()))
}

fn cost_of(remedy: Option<Remedy>) -> Option<(usize, Size)> {
    let slots = remedy.and_then(|found| found.shape.padded_elements());
    assert_eq!(remedy.map(|found| found.slots), slots);
    remedy.map(|found| (found.wavefronts, found.slots))
}

/// The layout with `L` so that whole blocks of a swizzle are in memory.
fn swizzled(dims: [Size; 2], bits: Size, swizzle: Swizzle) -> Option<ArrayShape> {
    let [rows, columns] = dims;
    let text = format!("u{bits}[{rows},{columns}]");
    let plain = array(&text).with_swizzle(swizzle);
    let block = swizzle.block();
    plain.ok().or_else(|| format!("{text}{{1,0:L({block})}}, swizzle = {swizzle}").parse().ok())
}

#[test]
fn the_search_finds_the_fewest_wavefronts_of_all_swizzles_and_widths() {
    let mut random = Random::new(27);
    let (mut improved, mut impossible) = (0, 0);
    for _ in 0..150 {
        let bits = *random.pick(&[8, 16, 32, 64]);
        let dims = [random.below_size(31) + 2, *random.pick(&[8, 16, 20, 32, 33, 64])];
        let shape = array(&format!("u{bits}[{},{}]", dims[0], dims[1]));
        let accesses = (0..1 + random.below(2)).map(|_| {
            let rows = dims[0];
            let bytes = *random.pick(&[1, 2, 4, 8, 16]);
            let elements = (bytes as Size * 8 / bits).max(1);
            let units = (dims[1] / elements).max(1);
            let (a, b) = (1 << random.below(6), 1 << random.below(6));
            let text = format!(
                "lane / {a} % {rows}, lane {} {b} % {units} * {elements}",
                random.pick(&["*", "%", "/"])
            );
            Access::parse(&text, bytes).unwrap()
        });
        let accesses = accesses.collect::<Vec<_>>();
        let best = |shapes: &mut dyn Iterator<Item = ArrayShape>| {
            shapes.filter_map(|shape| cost(&shape, &accesses)).min()
        };
        let (unit, numbers) = (SwizzleUnit::Elements, || 0u8..12);
        let swizzles = numbers().flat_map(|b| numbers().map(move |m| (b, m)));
        let swizzles = swizzles.flat_map(|(b, m)| (-11i8..12).map(move |s| (b, m, s)));
        let swizzles = swizzles.filter_map(|(b, m, s)| Swizzle::new(unit, b, m, s).ok());
        // Elements of a lane stay together, wherever they are.
        let widest = accesses.iter().map(|access| access.bytes() as Size * 8 / bits).max().unwrap();
        let swizzles = swizzles.filter(|one| one.is_none() || 1 << one.base() >= widest);
        // More bits than the offsets have only take memory.
        let top = (dims[0] * dims[1]).next_power_of_two();
        let swizzles = swizzles.filter(|swizzle| swizzle.period() <= top);
        let swizzles = best(&mut swizzles.filter_map(|swizzle| swizzled(dims, bits, swizzle)));
        let widths = (0..3 * 128 * 8 / bits)
            .filter(|more| *more == 0 || (dims[1] + more).is_multiple_of(widest.max(1)));
        let width = |more| {
            let (rows, columns) = (dims[0], dims[1]);
            let width = columns + more;
            array(&format!("u{bits}[{rows},{columns}]{{1,0:PAD({rows},{width})}}"))
        };
        let paddings = best(&mut widths.map(width));
        let Ok(found) = search(&shape, &accesses) else {
            assert_eq!((swizzles, paddings), (None, None), "{shape}");
            impossible += 1;
            continue;
        };
        assert_eq!(cost_of(found.swizzle), swizzles, "{shape} {found:?}");
        assert_eq!(cost_of(found.padding), paddings, "{shape} {found:?}");
        for remedy in [found.swizzle, found.padding].into_iter().flatten() {
            let (wavefronts, _) = cost(&remedy.shape, &accesses).unwrap();
            assert_eq!(remedy.wavefronts, wavefronts, "{shape}");
            assert!(found.best().unwrap().wavefronts <= wavefronts, "{shape}");
            let ideal =
                accesses.iter().map(|access| access.addresses(&remedy.shape).unwrap().ideal());
            assert_eq!(remedy.conflicts, wavefronts - ideal.sum::<usize>(), "{shape}");
        }
        improved += usize::from(cost_of(found.swizzle) < cost(&shape, &accesses));
    }
    assert!(improved > 20 && impossible > 5, "{improved} {impossible}");
}
