//! Tiles and runs on several threads, against those on one.

use layout::{AnyLayout, WithDims, element, layout};
use rayon::prelude::*;

fn threads() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("threads can be started")
}

fn runs<L: AnyLayout<Element = element::U32, Width = element::Bits<32>>>(a: WithDims<L>) {
    let mut buffer = a.filled(0);
    buffer.as_mut_slice().iter_mut().zip(0..).for_each(|(x, slot)| *x = slot);
    let view = buffer.as_view();
    let expected = view.runs().collect::<Vec<_>>();
    // Threads give what they have in the order of memory.
    let found = threads().install(|| view.par_runs().collect::<Vec<_>>());
    assert_eq!(found, expected, "{a:?}");
    let expected = expected.into_iter().map(|(run, _)| run).collect::<Vec<_>>();

    let mut view = buffer.as_view_mut();
    let found = threads().install(|| {
        let runs = view.par_runs_mut().map(|(run, elements)| {
            elements.iter_mut().for_each(|x| *x += 1);
            run
        });
        runs.collect::<Vec<_>>()
    });
    assert_eq!(found, expected, "{a:?}");
    for (slot, x) in buffer.as_slice().iter().enumerate() {
        assert_eq!(*x as usize, slot + usize::from(!a.is_padding(slot)), "{a:?} slot {slot}");
    }
    // A search ends where something is found.
    let some = buffer.as_view().par_runs().find_any(|(run, _)| run.offset > 0).is_some();
    assert_eq!(some, buffer.runs().any(|(run, _)| run.offset > 0), "{a:?}");
}

fn tiles<L: AnyLayout<Element = element::U32, Width = element::Bits<32>>>(a: WithDims<L>) {
    let mut buffer = a.filled(0);
    buffer.as_mut_slice().iter_mut().zip(0..).for_each(|(x, slot)| *x = slot);
    let view = buffer.as_view();
    let expected = view.tiles().map(|tile| (tile.origin(), tile.extent(), tile.as_slice()));
    let expected = expected.collect::<Vec<_>>();
    let found = view.par_tiles().map(|tile| (tile.origin(), tile.extent(), tile.as_slice()));
    assert_eq!(found.len(), view.tiles().len(), "{a:?}");
    assert_eq!(threads().install(|| found.collect::<Vec<_>>()), expected, "{a:?}");
    let mut view = buffer.as_view_mut();
    threads().install(|| {
        view.par_tiles_mut()
            .for_each(|tile| tile.into_mut_slice().iter_mut().for_each(|x| *x *= 2));
    });
    for (number, (place, tile)) in
        view.tiles_mut().map(|t| (t.origin(), t.into_mut_slice())).enumerate()
    {
        let start = number * tile.len();
        assert!(
            tile.iter().zip(start..).all(|(x, slot)| *x as usize == 2 * slot),
            "{a:?} {place:?}"
        );
    }
    let blocks =
        buffer.blocks_mut::<0>().map(|block| (block.offset(), block.into_mut_slice().len()));
    let mut blocks = blocks.collect::<Vec<_>>();
    blocks.reverse();
    assert!(
        buffer.blocks::<0>().rev().map(|b| (b.offset(), b.as_slice().len())).eq(blocks),
        "{a:?}"
    );
}

#[test]
fn runs_on_threads() {
    macro_rules! all {
        ($($layout:ty, $dims:expr;)*) => {$(
            runs(<$layout>::with_dims($dims).expect("sizes that go with the layout"));
        )*};
    }
    all! {
        layout!(U32[]), [];
        layout!(U32[50000]), [50000];
        layout!(U32[300,500]{0,1}), [300, 500];
        layout!(U32[300,500]{1,0:T(8,128)}), [300, 500];
        layout!(U32[301,77]{0,1:T(7,5)(3,2)}), [301, 77];
        layout!(U32[200,130]{1,0:T(8,128)(2,1)}), [200, 130];
        // Slot by slot, and runs that touch.
        layout!(U32[20,30,40]{2,1,0:T(*,2,8)}), [20, 30, 40];
        layout!(U32[33,44]{1,0:T(3,4)(5)}), [33, 44];
        layout!(U32[5,3000]{1,0:PAD(9,6000)L(100000)}), [5, 3000];
        layout!(U32[?,500]{1,0:T(8,128)}), [300, 500];
        layout!(U32[?,?]{0,1}), [3, 5000];
        layout!(U32[?,?]{0,1}), [0, 5000];
        layout!(U32[<=400,50]{1,0:T(8,128)}), [70, 50];
        layout!(U32[0,5]{1,0:T(8,128)}), [0, 5];
    }
}

#[test]
fn tiles_on_threads() {
    macro_rules! all {
        ($($layout:ty, $dims:expr;)*) => {$(
            tiles(<$layout>::with_dims($dims).expect("sizes that go with the layout"));
        )*};
    }
    all! {
        layout!(U32[300,500]{1,0:T(8,128)}), [300, 500];
        layout!(U32[3,30,50]{0,2,1:T(8,4)(2,1)}), [3, 30, 50];
        layout!(U32[30]{0:T(4,8)}), [30];
        layout!(U32[?,500]{1,0:T(8,128)}), [300, 500];
        layout!(U32[<=400,50]{1,0:T(8,128)}), [70, 50];
        layout!(U32[0,5]{1,0:T(8,128)}), [0, 5];
    }
}
