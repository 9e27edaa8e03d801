//! What reshapes and transposes do to dimensions.

use layout::Size;
use layout::permutation;
use layout::xla::{dims_unmodified_by_reshape, normalized_transpose};
use layout_tests::lists::{array, list, permutations};
use layout_tests::naive::{flatten, unflatten};
use layout_tests::random::Random;

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
        let shapes = [&from, &to].map(|dims| array(&format!("f32[{}]", list(dims))));
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

        let by = random.order(from.len());
        let (dims, order) = normalized_transpose(&shapes[0], &by).unwrap();
        assert!(dims.iter().all(|&dim| dim > 1));
        assert!(order.windows(2).all(|pair| pair[0] + 1 != pair[1]), "{from:?} {by:?}");
        let whole = transposed_numbers(&from, &by);
        let back = permutation::inverse(&order).unwrap();
        let source = permutation::apply(&dims, &back).unwrap();
        assert_eq!(transposed_numbers(&source, &order), whole, "{from:?} {by:?}");
    }
    assert!(pairs_found > 2000, "{pairs_found}");
}

/// The row-major numbers of an array's elements in the order of its transpose.
fn transposed_numbers(dims: &[Size], list: &[usize]) -> Vec<Size> {
    let to = list.iter().map(|&dim| dims[dim]).collect::<Vec<_>>();
    (0..dims.iter().product())
        .map(|number| {
            let index = permutation::apply_inverse(&unflatten(number, &to), list).unwrap();
            flatten(&index, dims)
        })
        .collect()
}

#[test]
fn laws_of_permutations() {
    use permutation::{apply, apply_inverse, compose, inverse, is_identity, is_permutation};

    let list = [7, 5, 6];
    for p in permutations(3) {
        let back = inverse(&p).unwrap();
        assert!(is_identity(&compose(&p, &back).unwrap()));
        assert!(is_identity(&compose(&back, &p).unwrap()));
        let there = apply(&list, &p).unwrap();
        assert_eq!(apply_inverse(&there, &p).unwrap(), list);
        for q in permutations(3) {
            let both = compose(&p, &q).unwrap();
            assert_eq!(apply(&there, &q).unwrap(), apply(&list, &both).unwrap());
        }
    }
    let found = (0..27).filter(|n| is_permutation(&[n / 9, n / 3 % 3, n % 3])).count();
    assert_eq!(found, permutations(3).len());
    assert!(compose(&[0, 1], &[0]).is_none() && compose(&[0, 0], &[0, 1]).is_none());
    assert!(apply(&[1, 2], &[2, 0]).is_none());
    assert!(!is_permutation(&[0; 17]) && !is_identity(&[1, 0]));
}
