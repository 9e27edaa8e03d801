//! Two threads against one, and against two copies in order side by side.

use layout::copies::Settings;
use layout::types::{SameArray, StoredIn};
use layout::{Layout, layout};
use rayon::{ThreadPool, ThreadPoolBuilder};
use tiled_layout_peers::reference::{memcpy, side_by_side, stream, streaming};
use tiled_layout_peers::report::{Column, Report, Role};

use crate::copies::by_types;
use crate::lines::{LARGE, Memory, Sample};

/// Threads that the library finds when it looks for them.
pub fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started")
}

pub fn run(report: &mut Report) {
    pool(2).install(|| sections(report));
}

fn sections(report: &mut Report) {
    let note = "Two threads (feature `rayon`) against one, and against halves of the \
                array copied in order by two threads side by side.";
    let columns = vec![
        Column::new("streaming", Role::Variant),
        Column::new("2 × memcpy", Role::Variant),
        Column::new("2 × streaming", Role::Ceiling),
        Column::under("1 thread", Role::Variant, 0),
        Column::under("2 threads", Role::Here, 2),
    ];
    report.section("Two threads", note, columns);

    macro_rules! lines {
        ($($name:literal, $stored:ty: ($($from:tt)*) ($($to:tt)*);)*) => {
            $(line::<layout!($($from)*), layout!($($to)*), $stored>(report, $name);)*
        };
    }
    lines! {
        "f32 to T(8,128)", f32: (F32[4096,4096]) (F32[4096,4096]{1,0:T(8,128)});
        "f32 from T(8,128)", f32: (F32[4096,4096]{1,0:T(8,128)}) (F32[4096,4096]);
        "bf16 to T(8,128)(2,1)", u16: (BF16[8192,4096]) (BF16[8192,4096]{1,0:T(8,128)(2,1)});
        "i8 to T(32,128)(4,1)", i8: (S8[8192,8192]) (S8[8192,8192]{1,0:T(32,128)(4,1)});
        "f32 transpose", f32: (F32[4096,4096]) (F32[4096,4096]{0,1});
        "4093×4099 f32 transpose", f32: (F32[4093,4099]) (F32[4093,4099]{0,1});
        "i8 to {0,1:T(32,128)(4,1)}", i8: (S8[8192,8192]) (S8[8192,8192]{0,1:T(32,128)(4,1)});
        "512² f32 to T(8,128)", f32: (F32[512,512]) (F32[512,512]{1,0:T(8,128)});
    }
}

fn line<A, B, T>(report: &mut Report, name: &str)
where
    A: SameArray<B> + Layout<2>,
    B: Layout<2>,
    T: Sample + StoredIn<A> + StoredIn<B>,
{
    if !report.wants(name) {
        return;
    }
    let bytes = A::ELEMENTS * size_of::<T>();
    let is_large = bytes >= LARGE;
    let by_threads = |threads| {
        let settings = Settings { threads: Some(threads), ..Settings::default() };
        Some(by_types::<A, B, T>(settings))
    };
    let ways = [
        Some(memcpy(A::ELEMENTS)),
        is_large.then(|| streaming(A::ELEMENTS)).flatten(),
        Some(side_by_side(A::ELEMENTS, |src, dst| dst.copy_from_slice(src))),
        is_large.then(|| side_by_side(A::ELEMENTS, stream)),
        by_threads(false),
        by_threads(true),
    ];
    Memory::new::<A, B, 2>().run(report, name, bytes, 4, &ways);
}
