//! Blocks of Pallas kernels: tiles and legal sizes by the rules as they are written down, over all small sizes. What the compiler
//! said of whole kernels is in `crates/cli/tests/pallas.rs`.

use layout::ElementType::{self, BF16, F4E2M1FN, F32, PRED, S2, S8, S32, U4};
use layout::shape::Size;
use layout::tpu::Tpu;
use layout_hlo::pallas::{
    BlockIndex, Body, Kernel, KernelAnswer, Legal, Operand, OperandRole, Reason, axis, block_bytes,
    largest_block, window, zero,
};
use layout_tests::table;
use serde_json::{Value, json};

/// Rows up to a small tile, columns up to 128; in one dimension up to a row of packed words.
fn bytes_by_hand(bits: Size, dims: &[Size]) -> Size {
    let packed = 32 / bits;
    let up = |size: Size, unit: Size| size.div_ceil(unit) * unit;
    let elements = match *dims {
        [length] => up(length, 128 * packed),
        [ref outer @ .., rows, columns] => {
            let mut tile = packed;
            while tile < rows.min(8) {
                tile *= 2;
            }
            outer.iter().product::<Size>() * up(rows, tile) * up(columns, 128)
        }
        [] => unreachable!(),
    };
    elements * bits / 8
}

const ELEMENTS: [(ElementType, Size); 7] =
    [(F32, 32), (PRED, 32), (BF16, 16), (S8, 8), (U4, 4), (F4E2M1FN, 4), (S2, 2)];

#[test]
fn bytes_of_all_small_blocks() {
    for (element, bits) in ELEMENTS {
        for rows in 1..=260 {
            assert_eq!(
                block_bytes(element, &[rows]),
                bytes_by_hand(bits, &[rows]),
                "{element}[{rows}]"
            );
            for columns in [1, 7, 127, 128, 129, 300] {
                for dims in [&[rows, columns][..], &[3, rows, columns], &[2, 1, rows, columns]] {
                    assert_eq!(
                        block_bytes(element, dims),
                        bytes_by_hand(bits, dims),
                        "{element}{dims:?}"
                    );
                }
            }
        }
    }
    assert_eq!(block_bytes(F32, &[Size::MAX, Size::MAX]), Size::MAX);
    assert_eq!(block_bytes(F32, &[1; 17]), Size::MAX);
    assert_eq!(window(S2, &[5000]).unwrap().to_string(), "s2[5000]{0:T(2048)(128)(16,1)E(2)}");
}

/// The verdict of one input with a block at index 0.
fn reason(element: ElementType, dims: &[Size], block: &[Size]) -> Option<Reason> {
    let block = block.iter().map(|size| zero().block(*size)).collect::<Vec<_>>();
    let operands = [Operand::input(element, dims).block(&block)];
    Kernel::new(Tpu::V6e, &[1], &operands).refusal().map(|refusal| refusal.reason)
}

#[test]
fn the_nearest_legal_sizes() {
    for (element, of) in
        [(F32, 100), (BF16, 1000), (S8, 37), (BF16, 3000), (S32, 1), (U4, 5000), (S2, 5000)]
    {
        let cases: [&dyn Fn(Size) -> Option<Reason>; 3] = [
            &|size| reason(element, &[of, 128], &[size, 128]),
            &|size| reason(element, &[8, of], &[8, size]),
            &|size| reason(element, &[of], &[size]),
        ];
        for (number, verdict) in cases.iter().enumerate() {
            let is_legal = |size: &Size| {
                !matches!(verdict(*size), Some(Reason::LastTwo { .. } | Reason::Length { .. }))
            };
            for size in (0..300).chain([1023, 1025, 2047, 4097]) {
                let (Some(Reason::LastTwo { legal, .. }) | Some(Reason::Length { legal, .. })) =
                    verdict(size)
                else {
                    continue;
                };
                let found = Legal {
                    down: (1..size).rev().find(is_legal),
                    up: (size + 1..9000).find(is_legal),
                };
                assert_eq!(legal, found, "{element} {of}, case {number}, {size}");
            }
        }
    }
}

/// Rules at their edges, and the buffers that windows get by their index maps.
#[test]
fn answers() {
    table::check("pallas", &mut |question, columns| match (question, columns) {
        ("refusal", [kernel]) => {
            KernelAnswer::of(kernel).unwrap().reason.unwrap_or_else(|| "ok".into())
        }
        ("buffers", [tpu, grid, index]) => {
            let kernel = json!({
                "tpu": tpu, "grid": serde_json::from_str::<Value>(grid).unwrap(), "semantics": ["parallel"],
                "operands": [{"role": "in", "dtype": "f32", "array": [64, 128], "block": [8, 128], "index_map": [index, "0"]}],
            });
            (KernelAnswer::of(&kernel.to_string()).unwrap().windows[0] / 4096).to_string()
        }
        ("fault", [index]) => index.parse::<BlockIndex>().unwrap_err().at.to_string(),
        _ => unreachable!("{question}"),
    });
    assert!("(".repeat(100_000).parse::<BlockIndex>().is_err());
}

/// Attention makes scores, which no operand holds: a row for each of 2,048 queries, a column for each of 4,096 keys. On a v5e
/// the compiler needed 40.69M.
#[test]
fn values_that_no_operand_holds() {
    let [queries, keys] = [2048, 4096];
    let array = |role| Operand::new(role, BF16, &[4096, 128]);
    let block = |axis_of: usize, rows| [axis(axis_of).block(rows), zero().block(128)];
    let operands = [
        array(OperandRole::Input).block(&block(0, queries)),
        array(OperandRole::Input).block(&block(1, keys)),
        array(OperandRole::Input).block(&block(1, keys)),
        array(OperandRole::Output).block(&block(0, queries)),
    ];
    let kernel = Kernel::new(Tpu::V5e, &[2, 1], &operands);
    assert_eq!(kernel.refusal(), None);
    let scores = block_bytes(F32, &[queries, keys]);
    let bound = |values: &[Size]| kernel.intermediates(values).bound_bytes();
    assert_eq!(kernel.bound_bytes(), bound(&[scores, scores]));
    assert_eq!(bound(&[scores, scores]), bound(&[scores]) + scores);
    // A body that is known has no scores.
    assert_eq!(kernel.body(Body::Copy).bound_bytes(), bound(&[]));
    assert!(bound(&[scores]) > 40 << 20 && bound(&[]) < 16 << 20);
}

#[test]
fn limits_of_each_generation() {
    for (tpu, usual, most) in [
        (Tpu::V4, 16 << 20, 16 << 20),
        (Tpu::V5e, 16 << 20, 134_217_728),
        (Tpu::V5p, 16 << 20, 67_043_328),
        (Tpu::V6e, 32 << 20, 134_152_192),
        (Tpu::V7x, 32 << 20, 67_043_328),
    ] {
        // A use equal to the limit compiles.
        let [full, more] =
            [Size::MIN, 8].map(|rows| [Operand::scratch(F32, &[usual / 512 + rows, 128])]);
        let kernel = |operands| Kernel::new(tpu, &[1], operands);
        assert_eq!(kernel(&full).limit_bytes(), usual);
        assert_eq!(kernel(&full).refusal(), None);
        assert!(kernel(&more).refusal().is_some());
        assert_eq!(kernel(&full).vmem_limit(Size::MAX).limit_bytes(), most);
    }
}

#[test]
fn the_largest_block_is_the_best_of_all() {
    let sizes = [640, 96, 300];
    let is_accepted = |block: &[Size]| block.iter().product::<Size>() < 50_000 && block[1] >= 8;
    let below = |size: Size| {
        [size].into_iter().chain((0..10).map(|log| 1 << log).filter(move |power| *power < size))
    };
    let mut best = (0, 0);
    for m in below(640) {
        for n in below(96) {
            for k in below(300).filter(|k| is_accepted(&[m, n, *k])) {
                best = best.max((m * n * k, m.min(n).min(k)));
            }
        }
    }
    let [m, n, k, ..] = largest_block(&sizes, is_accepted).unwrap();
    assert_eq!((m * n * k, m.min(n).min(k)), best);
    assert_eq!(largest_block(&sizes, |_| false), None);
    assert_eq!(largest_block(&[], |_| true).map(|block| block[0]), Some(1));
}

/// Bodies that widen narrow elements in one dimension spill a register for each row of 128: a softmax of `u4` in blocks of
/// 131,072 took 4,329,472 bytes on v5e, and one of `bf16` in blocks of 524,288 took 18,878,464 on v6e.
#[test]
fn bounds_in_one_dimension() {
    for (tpu, element, length, used) in [
        (Tpu::V5e, U4, 8_192, 131_072),
        (Tpu::V5e, U4, 131_072, 4_329_472),
        (Tpu::V5e, S8, 131_072, 4_460_544),
        (Tpu::V6e, BF16, 524_288, 18_878_464),
    ] {
        let operands = [
            Operand::input(element, &[2 * length]).block(&[axis(0).block(length)]),
            Operand::output(BF16, &[2048]).block(&[axis(0).block(1024)]),
        ];
        let kernel = Kernel::new(tpu, &[2], &operands);
        assert!(kernel.bound_bytes() >= used && kernel.bound_bytes() < 4 * used);
    }
}
