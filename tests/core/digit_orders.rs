//! Orders of digits against the memory that they say, and back from layouts.

use layout::digit_order::{DigitOrder, DigitOrderError, DimDigit};
use layout::{ArrayShape, Size, limits};
use layout_tests::naive::unflatten;
use layout_tests::random::Random;

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

fn shape(dims: &[Size]) -> ArrayShape {
    let dims = dims.iter().map(Size::to_string).collect::<Vec<_>>();
    format!("f32[{}]", dims.join(",")).parse().unwrap()
}

/// The layout of an order has its memory, and the same order.
fn check(rank: usize, digits: &[DimDigit], dims: &[Size]) -> ArrayShape {
    let order = DigitOrder::new(rank, digits).unwrap();
    let layout = order.layout(&shape(dims)).unwrap_or_else(|error| panic!("{digits:?}: {error}"));
    let prepared = layout.digits().unwrap();
    for number in 0..dims.iter().product() {
        let index = unflatten(number, dims);
        let expected = offset(digits, dims, &index);
        assert_eq!(prepared.offset(&index), Some(expected), "{digits:?} as {layout} at {index:?}");
    }
    let back = match digits.iter().any(|digit| digit.size.is_none()) {
        true => layout.digit_order(),
        false => layout.sized_digit_order(),
    };
    let back = back.unwrap_or_else(|error| panic!("{layout}: {error}"));
    let again = back.layout(&shape(dims)).unwrap();
    assert_eq!(again.same_bytes(&layout), Ok(()), "{layout} and {again}");
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
    for i in (1..digits.len()).rev() {
        digits.swap(i, random.below(i + 1));
    }
    if rests {
        let mut in_front = (0..rank).collect::<Vec<_>>();
        for i in (1..rank).rev() {
            in_front.swap(i, random.below(i + 1));
        }
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
        let layout = DigitOrder::new(rank, &digits).unwrap().layout(&shape(&dims));
        if layout == Err(DigitOrderError::TooManyTiles) {
            assert!(digits.len() > 7, "{digits:?}");
            refused += 1;
            continue;
        }
        most = most.max(check(rank, &digits, &dims).tiles().len());
    }
    assert!(most >= 4, "the orders are not simple: {most} tiles");
    assert!(refused < 200, "{refused} orders are refused");
}

/// Dimensions of any size among others whose size is given, in any order.
#[test]
fn some_sizes_are_given() {
    let mut random = Random::new(41);
    let mut found = [0; 2];
    for _ in 0..3000 {
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
        match DigitOrder::new(rank, &digits).unwrap().layout(&shape(&dims)) {
            Ok(_) => {
                check(rank, &digits, &dims);
                found[0] += 1;
            }
            Err(error) => {
                let is_after = digits.is_sorted_by_key(|digit| digit.size.is_some());
                assert_ne!(
                    is_after,
                    matches!(error, DigitOrderError::RestBehindDigit { .. }),
                    "{digits:?}"
                );
                found[1] += 1;
            }
        }
    }
    assert!(found[0] > 1500 && found[1] > 500, "{found:?}");
}

/// All orders of `n` digits of one dimension; the most tiles that one takes.
fn most_tiles(n: usize) -> usize {
    fn permutations(items: &mut Vec<usize>, from: usize, see: &mut impl FnMut(&[usize])) {
        if from == items.len() {
            return see(items);
        }
        for i in from..items.len() {
            items.swap(from, i);
            permutations(items, from + 1, see);
            items.swap(from, i);
        }
    }
    let array = shape(&[1 << n]);
    let mut most = 0;
    permutations(&mut (0..n).collect(), 0, &mut |order| {
        let digits = order.iter().map(|&bit| DimDigit { dim: 0, weight: 1 << bit, size: Some(2) });
        let digits = digits.collect::<Vec<_>>();
        let layout = DigitOrder::new(1, &digits).unwrap().layout(&array).unwrap();
        most = most.max(layout.tiles().len());
    });
    most
}

/// The fewest tiles are found: these numbers were found by another program that tried all keys.
#[test]
fn the_fewest_tiles() {
    assert_eq!((2..=7).map(most_tiles).collect::<Vec<_>>(), [2, 3, 4, 4, 5, 5]);
}

fn digit(dim: usize, weight: Size, size: Size) -> DimDigit {
    DimDigit { dim, weight, size: Some(size) }
}

fn rest(dim: usize, weight: Size) -> DimDigit {
    DimDigit { dim, weight, size: None }
}

#[test]
fn what_is_no_order() {
    let error = |rank, digits: &[DimDigit]| DigitOrder::new(rank, digits).unwrap_err();
    assert_eq!(error(17, &[]), DigitOrderError::Rank { rank: 17 });
    assert_eq!(error(1, &[digit(1, 1, 2)]), DigitOrderError::NoSuchDimension { dim: 1, rank: 1 });
    assert_eq!(error(1, &[digit(0, 1, 0)]), DigitOrderError::Size { dim: 0 });
    assert_eq!(error(1, &[digit(0, 0, 2)]), DigitOrderError::Size { dim: 0 });
    assert_eq!(error(1, &[digit(0, 2, limits::MAX_SIZE)]), DigitOrderError::Size { dim: 0 });
    assert_eq!(error(1, &[digit(0, 2, 2)]), DigitOrderError::Gap { dim: 0, weight: 1 });
    assert_eq!(
        error(1, &[digit(0, 1, 2), digit(0, 4, 2)]),
        DigitOrderError::Gap { dim: 0, weight: 2 }
    );
    assert_eq!(
        error(1, &[digit(0, 1, 4), digit(0, 2, 4)]),
        DigitOrderError::Overlap { dim: 0, weight: 2 }
    );
    assert_eq!(
        error(1, &[digit(0, 1, 2), digit(0, 1, 3)]),
        DigitOrderError::Overlap { dim: 0, weight: 1 }
    );
    assert_eq!(
        error(1, &[rest(0, 1), digit(0, 2, 2)]),
        DigitOrderError::Overlap { dim: 0, weight: 1 }
    );
    let many = [digit(0, 1, 2); 49];
    assert_eq!(error(1, &many), DigitOrderError::TooManyDigits);
}

#[test]
fn what_is_no_layout() {
    let error = |digits: &[DimDigit], text: &str| {
        let array = text.parse::<ArrayShape>().unwrap();
        DigitOrder::new(array.rank(), digits).unwrap().layout(&array).unwrap_err()
    };
    assert_eq!(
        error(&[rest(0, 2), digit(0, 1, 2), rest(1, 1)], "f32[4,4]"),
        DigitOrderError::RestBehindDigit { dim: 1 }
    );
    assert_eq!(
        error(&[digit(0, 1, 5)], "f32[4]"),
        DigitOrderError::OtherSize { dim: 0, digits: 5, size: 4 }
    );
    assert_eq!(error(&[digit(0, 1, 5)], "f32[?]"), DigitOrderError::UnknownSize { dim: 0 });
    // 32 digits in reverse: the sizes of five tiles and more.
    let reversed = (0..32).map(|bit| digit(0, 1 << bit, 2)).collect::<Vec<_>>();
    assert_eq!(
        error(&reversed, &format!("s8[{}]", (1 as Size) << 32)),
        DigitOrderError::TooManyTiles
    );
    let large = format!("f32[{}]", (limits::MAX_SIZE >> 5) + 1);
    let order = DigitOrder::new(1, &[rest(0, 1 << 58), digit(0, 1, 1 << 58)]).unwrap();
    let layout = order.layout(&large.parse().unwrap());
    assert!(matches!(layout, Err(DigitOrderError::Shape(_)) | Ok(_)), "{layout:?}");
    let huge = DigitOrder::new(1, &[rest(0, 3 << 60), digit(0, 1, 3 << 60)]).unwrap();
    assert!(matches!(huge.layout(&"f32[5]".parse().unwrap()), Err(DigitOrderError::Shape(_))));
}

#[test]
fn layouts_without_an_order() {
    let error = |text: &str| text.parse::<ArrayShape>().unwrap().digit_order().unwrap_err();
    assert_eq!(error("f32[4,6]{1,0:T(*,2)}"), DigitOrderError::Combined);
    assert_eq!(error("f32[4,6]{1,0:T(4,6)(4)}"), DigitOrderError::Indivisible { tile: 1 });
    assert_eq!(error("f32[4,6]{1,0:PAD(5,6)}"), DigitOrderError::Widened);
    let sized = |text: &str| text.parse::<ArrayShape>().unwrap().sized_digit_order().unwrap_err();
    assert_eq!(sized("f32[3,5]{1,0:T(2,2)}"), DigitOrderError::Indivisible { tile: 0 });
    assert_eq!(sized("f32[?,5]"), DigitOrderError::UnknownSize { dim: 0 });
}
