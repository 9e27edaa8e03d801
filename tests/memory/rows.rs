//! Rows that lie in turns in memory: what `laws` does not ask of every layout.

use layout::{Buffer, layout};
use layout_tests::random::Random;

use crate::laws::evenly_spaced;

#[test]
fn strides_of_rows() {
    macro_rules! all {
        ($($layout:ty, $stride:expr;)*) => {$(
            assert_eq!(<$layout>::ROW_STRIDE, $stride);
            evenly_spaced(<$layout>::with_dims(<$layout>::DIMS).expect("its own"), $stride);
        )*};
    }
    all! {
        layout!(U32[20,300]{1,0:T(8,128)}), 1;
        layout!(U32[1,300]{1,0:T(8,128)(2,1)}), 2;
        layout!(U32[20,300]{0,1:T(8,128)(2,1)}), 2;
        layout!(U32[33,130]{1,0:T(32,128)(4,1)}), 4;
        layout!(U32[7,9]{1,0:T(6,4)(3,1)}), 3;
        layout!(U32[20,70]{1,0:T(16,32)(16,2)}), 1;
        layout!(U32[20,70]{1,0:T(16,32)(2,8)(2,1)}), 2;
        layout!(U32[16,64]{0,1:T(64,4)}), 1;
        layout!(U32[64,1]{1,0:T(8,128)(2,1)}), 1;
    }
    let random = &mut Random::new(22);
    type A = layout!(U32[?,<=300]{1,0:T(32,128)(4,1)});
    for _ in 0..12 {
        let dims = [random.below(40), random.below(300)];
        evenly_spaced(A::with_dims(dims).expect("they go with it"), 4);
    }
}

/// Rows can be used by several threads although their memory is interleaved.
#[test]
fn rows_go_to_threads() {
    type A = layout!(U16[16,256]{1,0:T(8,128)(2,1)});
    let mut buffer = Buffer::<A, u16>::zeroed();
    let mut view = buffer.as_view_mut();
    let (mut even, mut odd) = (Vec::new(), Vec::new());
    for row in view.rows_mut() {
        if row.index()[0] % 2 == 0 { even.push(row) } else { odd.push(row) }
    }
    std::thread::scope(|scope| {
        scope.spawn(|| even.into_iter().for_each(|row| row.into_iter().for_each(|(_, x)| *x += 1)));
        scope.spawn(|| {
            odd.iter_mut().for_each(|row| row.indexed_iter_mut().for_each(|(_, x)| *x += 2))
        });
    });
    assert!(buffer.as_view().indexed_iter().all(|([i, _], x)| *x == 1 + i as u16 % 2));
}

#[test]
fn an_element_past_the_end_of_a_row() {
    type A = layout!(U16[3,200]{1,0:T(8,128)(2,1)});
    let buffer = Buffer::<A, u16>::zeroed();
    let row = buffer.as_view().rows().last().expect("there are rows");
    let error = std::panic::catch_unwind(|| row[72]).expect_err("it has 72");
    let text = error.downcast_ref::<String>().expect("a text");
    assert_eq!(text, "element 72 is past the end of a row of 72");
}
