//! Orders of digits against the memory that they say, and back from layouts.

use layout::ArrayShape;
use layout::bitcast::same_bytes;
use layout::shape::analysis::DimDigit;
use layout::shape::{Size, limits};
use layout_notation::digit_order::{DigitOrder, NotThisLayout};
use layout_tests::amount::times;
use layout_tests::data;
use layout_tests::lists::{array, floats, list, permutations};
use layout_tests::naive::{every_index, offsets};
use layout_tests::random::Random;
use layout_tests::table::{self, or_name};

/// The offset that an order says, by nothing but its definition.
fn offset(digits: &[DimDigit], dims: &[Size], index: &[Size]) -> Size {
    let blocks = |dim| -> Size {
        digits.iter().filter(|digit| digit.dim == dim).filter_map(|digit| digit.size).product()
    };
    digits.iter().fold(0, |offset, digit| {
        let whole = index[digit.dim] / digit.weight;
        match digit.size {
            Some(size) => offset * size + whole % size,
            None => offset * dims[digit.dim].div_ceil(blocks(digit.dim)) + whole,
        }
    })
}

/// The layout of an order has its memory, and the same order.
fn check(rank: usize, digits: &[DimDigit], dims: &[Size]) -> ArrayShape {
    let order = DigitOrder::new(rank, digits).unwrap();
    let layout = order.layout(&floats(dims)).unwrap_or_else(|error| panic!("{digits:?}: {error}"));
    let expected = every_index(dims).map(|index| offset(digits, dims, &index)).collect::<Vec<_>>();
    assert_eq!(offsets(&layout), expected, "{digits:?} as {layout}");
    let back = match digits.iter().any(|digit| digit.size.is_none()) {
        true => DigitOrder::of(&layout),
        false => DigitOrder::sized_of(&layout),
    };
    let back = back.unwrap_or_else(|error| panic!("{layout}: {error}"));
    let again = back.layout(&floats(dims)).unwrap();
    assert_eq!(same_bytes(&again, &layout), Ok(()), "{layout} and {again}");
    assert!(again.tiles().len() <= layout.tiles().len(), "{layout} and {again}");
    layout
}

/// Digits of some dimensions, in a random order; with rests in front if `rests` is set.
fn random_digits(random: &mut Random, rests: bool) -> (usize, Vec<DimDigit>, Vec<Size>) {
    let rank = 1 + random.below(4);
    let mut digits = Vec::new();
    let mut dims: Vec<Size> = vec![1; rank];
    for (dim, dim_size) in dims.iter_mut().enumerate() {
        for _ in 0..random.below(4) {
            let size = 2 + random.below_size(3);
            digits.push(DimDigit { dim, weight: *dim_size, size: Some(size) });
            *dim_size *= size;
        }
    }
    random.shuffle(&mut digits);
    if rests {
        let in_front = random.order(rank);
        let rests = in_front.iter().map(|&dim| DimDigit { dim, weight: dims[dim], size: None });
        digits.splice(0..0, rests.collect::<Vec<_>>());
        for dim_size in &mut dims {
            *dim_size = 1 + random.below_size(3 * *dim_size);
        }
    }
    (rank, digits, dims)
}

#[test]
fn random_orders() {
    let mut random = Random::new(14);
    let (mut most, mut refused) = (0, 0);
    for number in 0..2000 {
        let (rank, digits, dims) = random_digits(&mut random, number % 2 == 0);
        if dims.iter().product::<Size>() > 1 << 14 {
            continue;
        }
        let layout = DigitOrder::new(rank, &digits).unwrap().layout(&floats(&dims));
        if layout == Err(NotThisLayout::TooManyTiles) {
            assert!(digits.len() > 7, "{digits:?}");
            refused += 1;
            continue;
        }
        most = most.max(check(rank, &digits, &dims).tiles().len());
    }
    assert!(most >= 4, "the orders are not simple: {most} tiles");
    assert!(refused < 200, "{refused} orders are refused");
}

/// The weight of a block is the product of those of its dimension that are more minor; that of a rest, of all.
#[test]
fn orders_of_blocks() {
    let mut random = Random::new(83);
    for _ in 0..1000 {
        let rank = 1 + random.below(3);
        let mut blocks = (0..rank).map(|dim| (dim, None)).collect::<Vec<_>>();
        blocks.extend(
            (0..random.below(8)).map(|_| (random.below(rank), Some(1 + random.below_size(4)))),
        );
        random.shuffle(&mut blocks);
        let product = |dim, after: usize| -> Size {
            let below = blocks[after..].iter().filter(|block| block.0 == dim);
            below.filter_map(|block| block.1).product()
        };
        let weighted = blocks.iter().enumerate().map(|(at, &(dim, size))| {
            let weight = product(dim, if size.is_none() { 0 } else { at + 1 });
            DimDigit { dim, weight, size }
        });
        let expected = DigitOrder::new(rank, &weighted.collect::<Vec<_>>()).unwrap();
        let order = DigitOrder::of_blocks(rank, &blocks).unwrap();
        assert_eq!(order.digits(), expected.digits(), "{blocks:?}");
    }
    let error = |rank, blocks: &[_]| DigitOrder::of_blocks(rank, blocks).unwrap_err();
    assert_eq!(error(17, &[(16, None)]), NotThisLayout::TooManyDimensions { rank: 17 });
    assert_eq!(error(1, &[(1, None)]), NotThisLayout::NoSuchDimension { dim: 1, rank: 1 });
    assert_eq!(error(1, &[(0, Some(0))]), NotThisLayout::DigitSize { dim: 0 });
    assert_eq!(error(1, &[(0, Some(1 << 32)); 2]), NotThisLayout::DigitSize { dim: 0 });
    assert_eq!(error(1, &[(0, None); 2]), NotThisLayout::DigitOverlap { dim: 0, weight: 1 });
    assert_eq!(error(1, &[(0, Some(2)); 49]), NotThisLayout::TooManyDigits);
    assert_eq!(error(1, &[(0, Some(2)); 65]), NotThisLayout::TooManyDigits);
}

/// Dimensions of any size among others whose size is given, in any order.
#[test]
fn some_sizes_are_given() {
    let mut random = Random::new(41);
    let mut found = [0; 2];
    for _ in 0..times(3000) {
        let (rank, mut digits, mut dims) = random_digits(&mut random, false);
        for (dim, size) in dims.iter_mut().enumerate() {
            let top = digits.iter_mut().filter(|digit| digit.dim == dim);
            if let Some(top) = top.max_by_key(|digit| digit.weight)
                && random.below(2) == 0
            {
                let blocks = top.weight;
                top.size = None;
                *size = 1 + random.below_size(3 * blocks);
            }
        }
        if random.below(2) == 0 {
            digits.sort_by_key(|digit| digit.size.is_some());
        }
        match DigitOrder::new(rank, &digits).unwrap().layout(&floats(&dims)) {
            Ok(_) => {
                check(rank, &digits, &dims);
                found[0] += 1;
            }
            Err(error) => {
                let is_after = digits.is_sorted_by_key(|digit| digit.size.is_some());
                assert_ne!(
                    is_after,
                    matches!(error, NotThisLayout::OpenAfterBlock { .. }),
                    "{digits:?}"
                );
                found[1] += 1;
            }
        }
    }
    assert!(found[0] > times(1500) && found[1] > times(500), "{found:?}");
}

/// Tiles and sizes in tiles of the layout of an order.
fn found(rank: usize, digits: &[DimDigit], dims: &[Size]) -> (usize, usize) {
    let layout = DigitOrder::new(rank, digits).unwrap().layout(&floats(dims)).unwrap();
    (layout.tiles().len(), layout.tiles().iter().map(|tile| tile.len()).sum())
}

/// All orders of `n` digits of up to three dimensions, of which the first has the most digits.
fn all_orders(n: usize, mut see: impl FnMut(usize, &[DimDigit], &[Size])) {
    for counts in (0..=n * (n + 1)).map(|at| [n - at / (n + 1), at % (n + 1)]) {
        let Some(last) = n.checked_sub(counts[0] + counts[1]) else { continue };
        if counts[0] < counts[1] || counts[1] < last {
            continue;
        }
        let counts = [counts[0], counts[1], last];
        let rank = counts.iter().filter(|&&count| count > 0).count();
        let dims = counts.map(|count| 1 << count);
        let digits = (0..rank).flat_map(|dim| (0..counts[dim]).map(move |bit| (dim, 1 << bit)));
        let digits = digits.map(|(dim, weight)| digit(dim, weight, 2)).collect::<Vec<_>>();
        for order in permutations(n) {
            let digits = order.iter().map(|&at| digits[at]).collect::<Vec<_>>();
            see(rank, &digits, &dims[..rank]);
        }
    }
}

/// Of the layouts of an order with the fewest tiles, the one with the fewest sizes in tiles is found: for every order of up
/// to seven digits, and for random ones with rests. The hashes are those of what a search over all keys and all orders of
/// dimensions found; of one dimension, another program found the same.
#[test]
fn the_fewest_tiles_and_sizes() {
    table::check("fewest_tiles", &mut |_, columns| {
        let (mut orders, mut all) = (0, Vec::new());
        let mut see = |rank, digits: &[DimDigit], dims: &[Size]| {
            let (tiles, sizes) = found(rank, digits, dims);
            all.extend([tiles as Size, sizes as Size]);
            orders += 1;
        };
        match columns[0].parse() {
            Ok(digits) => all_orders(digits, see),
            Err(_) => {
                let mut random = Random::new(23);
                for _ in 0..3000 {
                    let (rank, digits, dims) = random_digits(&mut random, true);
                    if rank <= 3 && digits.len() - rank <= 5 {
                        see(rank, &digits, &dims);
                    }
                }
            }
        }
        format!("{orders} {}", data::sha256(all))
    });
}

/// No other tiles are fewer: whatever tiles make an order of digits, its layout has no more.
#[test]
fn random_tiles_are_never_fewer() {
    let mut random = Random::new(57);
    let mut orders = 0;
    for _ in 0..times(20_000) {
        let mut text = format!("f32[8,16,12]{{{}:", list(&random.order(3)));
        for _ in 0..1 + random.below(3) {
            let sizes = (0..1 + random.below(6)).map(|_| [1, 2, 3, 4, 6, 8][random.below(6)]);
            let sizes = list(&sizes.collect::<Vec<Size>>());
            text += &format!("{}({sizes})", if text.contains('T') { "" } else { "T" });
        }
        let layout: ArrayShape = (text + "}").parse().unwrap();
        let Ok(order) = DigitOrder::sized_of(&layout) else { continue };
        let found = order.layout(&floats(&[8, 16, 12])).unwrap();
        let sizes =
            |layout: &ArrayShape| layout.tiles().iter().map(|tile| tile.len()).sum::<usize>();
        let cost = |layout| (ArrayShape::tiles(layout).len(), sizes(layout));
        assert!(cost(&found) <= cost(&layout), "{found} for {layout}");
        assert_eq!(same_bytes(&found, &layout), Ok(()));
        orders += 1;
    }
    assert!(orders > times(2000), "{orders}");
}

/// A layout that only an order of dimensions which nobody would try first has.
#[test]
fn an_order_of_dimensions_that_saves_a_tile() {
    let four: ArrayShape =
        "f32[6,8,12]{2,1,0:T(3,4,4)(2,3,3,2,2)(2,1,3,3,2,1)(3,1,1)}".parse().unwrap();
    let layout = DigitOrder::sized_of(&four).unwrap().layout(&floats(&[6, 8, 12])).unwrap();
    assert_eq!(same_bytes(&layout, &four), Ok(()));
    assert_eq!(layout.to_string(), "f32[6,8,12]{2,0,1:T(4,3,4)(2,1,3,2,3,2)(2,1,1,3,2,3,1)}");
}

fn digit(dim: usize, weight: Size, size: Size) -> DimDigit {
    DimDigit { dim, weight, size: Some(size) }
}

fn rest(dim: usize, weight: Size) -> DimDigit {
    DimDigit { dim, weight, size: None }
}

/// Digits as `dim:weight*size`, and as `dim:weight*` where the size is open.
fn digits(text: &str) -> Vec<DimDigit> {
    let digits = text.split(' ').filter(|digit| !digit.is_empty()).map(|digit| {
        let (dim, digit) = digit.split_once(':').unwrap();
        let (weight, size) = digit.split_once('*').unwrap();
        let size = (!size.is_empty()).then(|| size.parse().unwrap());
        DimDigit { dim: dim.parse().unwrap(), weight: weight.parse().unwrap(), size }
    });
    digits.collect()
}

#[test]
fn worked_examples() {
    table::check("digit_orders", &mut |question, columns| match (question, columns) {
        ("order", [rank, order]) => {
            let order = DigitOrder::new(rank.parse().unwrap(), &digits(order));
            or_name(order.map(|order| order.digits().len()))
        }
        ("layout", [order, text]) => {
            let array = array(text);
            or_name(DigitOrder::new(array.rank(), &digits(order)).unwrap().layout(&array))
        }
        ("of", [layout]) => {
            or_name(DigitOrder::of(&array(layout)).map(|order| order.digits().len()))
        }
        ("sized of", [layout]) => {
            or_name(DigitOrder::sized_of(&array(layout)).map(|order| order.digits().len()))
        }
        _ => panic!("unknown question"),
    });
}

#[test]
fn limits_of_orders() {
    let many = DigitOrder::new(1, &[digit(0, 1, 2); 49]);
    assert_eq!(many.unwrap_err(), NotThisLayout::TooManyDigits);
    // 32 digits in reverse: the sizes of five tiles and more.
    let reversed = (0..32).map(|bit| digit(0, 1 << bit, 2)).collect::<Vec<_>>();
    let long = array(&format!("s8[{}]", (1 as Size) << 32));
    let reversed = DigitOrder::new(1, &reversed).unwrap().layout(&long);
    assert_eq!(reversed, Err(NotThisLayout::TooManyTiles));
    let large = format!("f32[{}]", (limits::MAX_SIZE >> 5) + 1);
    let order = DigitOrder::new(1, &[rest(0, 1 << 58), digit(0, 1, 1 << 58)]).unwrap();
    let layout = order.layout(&large.parse().unwrap());
    assert!(matches!(layout, Err(NotThisLayout::Shape(_)) | Ok(_)), "{layout:?}");
    let huge = DigitOrder::new(1, &[rest(0, 3 << 60), digit(0, 1, 3 << 60)]).unwrap();
    assert!(matches!(huge.layout(&"f32[5]".parse().unwrap()), Err(NotThisLayout::Shape(_))));
}
