//! What reshapes and transposes do to dimensions.

use layout::Size;
use layout::shape::Dim::Static;
use layout::xla::{
    dims_unmodified_by_reshape, inserted_or_deleted_size_one_dims, normalized_transpose,
};
use layout::{ArrayShape, ElementType, permutation};
use layout_tests::naive::unflatten;
use layout_tests::random::Random;

use super::array;

#[test]
fn reshapes_and_transposes_of_dimensions() {
    let f32s = |dims: &[Size]| {
        ArrayShape::new(ElementType::F32, &dims.iter().map(|&dim| Static(dim)).collect::<Vec<_>>())
            .unwrap()
    };
    let unmodified = |from: &[Size], to: &[Size]| {
        let pairs = dims_unmodified_by_reshape(&f32s(from), &f32s(to)).unwrap();
        (pairs.from.to_vec(), pairs.to.to_vec())
    };
    assert_eq!(unmodified(&[1, 1, 1, 1], &[1, 1, 1]), (vec![0, 1, 2], vec![0, 1, 2]));
    assert_eq!(unmodified(&[4, 1, 3, 5, 6, 7], &[2, 6, 1, 5, 1, 42]), (vec![3], vec![3]));
    assert_eq!(unmodified(&[1, 4, 2], &[4, 2, 1]), (vec![1, 2], vec![0, 1]));
    assert_eq!(unmodified(&[2, 0, 3], &[2, 3, 0]), (vec![0], vec![0]));
    assert_eq!(dims_unmodified_by_reshape(&f32s(&[2]), &f32s(&[3])), None);
    let changes =
        inserted_or_deleted_size_one_dims(&f32s(&[9, 1, 4]), &f32s(&[1, 9, 4, 1])).unwrap();
    assert_eq!((changes.deleted.to_vec(), changes.inserted.to_vec()), (vec![1], vec![0, 3]));
    assert_eq!(inserted_or_deleted_size_one_dims(&f32s(&[9, 1, 4]), &f32s(&[3, 1, 12])), None);

    for (from, list, dims, order) in [
        (&[10, 1, 11, 32][..], &[3, 1, 0, 2][..], &[32, 110][..], &[1, 0][..]),
        (&[50, 20, 30], &[1, 2, 0], &[600, 50], &[1, 0]),
        (&[64, 128, 1], &[0, 2, 1], &[8192], &[0]),
        (&[8, 32768, 16], &[0, 2, 1], &[8, 16, 32768], &[0, 2, 1]),
        (&[8, 32, 32, 32, 16], &[0, 4, 1, 2, 3], &[8, 16, 32768], &[0, 2, 1]),
        (&[4096, 4096, 128, 16], &[3, 0, 1, 2], &[16, 2147483648], &[1, 0]),
        (&[1, 32, 1, 3, 1, 64, 1], &[6, 1, 4, 5, 2, 3, 0], &[32, 64, 3], &[0, 2, 1]),
        (&[100, 1, 10, 32, 2], &[2, 1, 3, 0, 4], &[320, 100, 2], &[1, 0, 2]),
        (&[1, 1], &[1, 0], &[], &[]),
    ] {
        let (found, permutation) = normalized_transpose(&f32s(from), list).unwrap();
        assert_eq!((&*found, &*permutation), (dims, order), "{from:?} {list:?}");
    }
    assert_eq!(normalized_transpose(&array("f32[2,3]{0,1}"), &[1, 0]), None);
    assert_eq!(normalized_transpose(&f32s(&[2, 3]), &[1, 1]), None);
}

/// Pairs of equal dimensions with as much in front of them, and transposes with fewer dimensions that are the same.
#[test]
fn dimensions_against_naive_ones() {
    let mut random = Random::new(9);
    let mut pairs_found = 0;
    for _ in 0..2000 {
        let factors = (0..5).map(|_| 1 + random.below_size(4)).collect::<Vec<_>>();
        let mut joined = || {
            let mut dims = vec![1];
            for factor in &factors {
                if random.below(3) > 0 {
                    dims.push(1);
                }
                *dims.last_mut().unwrap() *= factor;
            }
            dims
        };
        let (from, to) = (joined(), joined());
        let shapes = [&from, &to].map(|dims| {
            let dims = dims.iter().map(|&dim| Static(dim)).collect::<Vec<_>>();
            ArrayShape::new(ElementType::F32, &dims).unwrap()
        });
        let pairs = dims_unmodified_by_reshape(&shapes[0], &shapes[1]).unwrap();
        let longer = |(i, j): (&usize, &usize)| (from[*i] > 1).then_some((*i, *j));
        let found = pairs.from.iter().zip(pairs.to.iter()).filter_map(longer).collect::<Vec<_>>();
        let mut naive = Vec::new();
        for i in 0..from.len() {
            for j in 0..to.len() {
                let front = from[..i].iter().product::<Size>() == to[..j].iter().product::<Size>();
                if front && from[i] == to[j] && from[i] > 1 {
                    naive.push((i, j));
                }
            }
        }
        assert_eq!(found, naive, "{from:?} {to:?}");
        pairs_found += found.len();
        assert!(pairs.from.iter().zip(pairs.to.iter()).all(|(i, j)| from[*i] == to[*j]));

        let mut list = (0..from.len()).collect::<Vec<_>>();
        for i in (1..list.len()).rev() {
            list.swap(i, random.below(i + 1));
        }
        let (dims, order) = normalized_transpose(&shapes[0], &list).unwrap();
        assert!(dims.iter().all(|&dim| dim > 1));
        assert!(order.windows(2).all(|pair| pair[0] + 1 != pair[1]), "{from:?} {list:?}");
        let whole = transposed_numbers(&from, &list);
        let back = permutation::inverse(&order).unwrap();
        let source = permutation::apply(&dims, &back).unwrap();
        assert_eq!(transposed_numbers(&source, &order), whole, "{from:?} {list:?}");
    }
    assert!(pairs_found > 2000, "{pairs_found}");
}

/// The row-major numbers of an array's elements in the order of its transpose.
fn transposed_numbers(dims: &[Size], list: &[usize]) -> Vec<Size> {
    let to = list.iter().map(|&dim| dims[dim]).collect::<Vec<_>>();
    (0..dims.iter().product())
        .map(|number| {
            let index = permutation::apply_inverse(&unflatten(number, &to), list).unwrap();
            index.iter().zip(dims).fold(0, |number, (i, dim)| number * dim + i)
        })
        .collect()
}
