//! Streaming stores by size, where the copy is read at once and where it is not.

use layout::copies::Settings;
use layout::types::{SameArray, StoredIn};
use layout::{Layout, Padding, Plan, layout};
use tiled_layout_peers::reference::{memcpy, streaming, sum, then_summed};
use tiled_layout_peers::report::{Column, Report, Role};
use tiled_layout_peers::timing::Way;

use crate::copies::by_types;
use crate::lines::Memory;

/// Bytes of a part.
const PART: usize = 256 << 10;

pub fn run(report: &mut Report) {
    let note = "f32 to `T(8,128)` with streaming stores and without, by the size of an array. The lines \
                \"then summed\" read the whole copy at once, the reference too. \
                Parts have 256 KiB; each is read when it is copied.";
    let columns = vec![
        Column::new("streaming", Role::Ceiling),
        Column::new("by default", Role::Here),
        Column::new("streams", Role::Variant),
        Column::new("no streams", Role::Variant),
        Column::new("in parts", Role::Variant),
    ];
    report.section("Streaming stores", note, columns);
    macro_rules! size {
        ($name:literal, $dims:tt) => {
            size::<layout!(F32 $dims), layout!(F32 $dims {1,0:T(8,128)})>(report, $name);
        };
    }
    size!("1 MiB", [256, 1024]);
    size!("2 MiB", [512, 1024]);
    size!("4 MiB", [1024, 1024]);
    size!("8 MiB", [2048, 1024]);
    size!("16 MiB", [4096, 1024]);
    size!("32 MiB", [8192, 1024]);
    size!("64 MiB", [16384, 1024]);
}

fn size<A: SameArray<B> + Layout<2>, B: Layout<2>>(report: &mut Report, name: &str)
where
    f32: StoredIn<A> + StoredIn<B>,
{
    let summed = format!("{name}, then summed");
    if !report.wants(&summed) {
        return;
    }
    let memory = Memory::<f32>::new::<A, B, 2>();
    let ways = || {
        let by_settings = |streams| {
            let settings = Settings { streams, threads: Some(false), ..Settings::default() };
            Some(by_types::<A, B, f32>(settings))
        };
        [
            Some(memcpy(A::ELEMENTS)),
            streaming(A::ELEMENTS),
            by_settings(None),
            by_settings(Some(true)),
            by_settings(Some(false)),
        ]
    };
    let plan = Plan::new(A::SHAPE, B::SHAPE).expect("layouts of one array");
    let in_parts = |then: fn(&[u8])| -> Option<Way<f32>> {
        let plan = plan.clone();
        Some(Box::new(move |src, dst| {
            let (src, dst) = (bytemuck::cast_slice(src), bytemuck::cast_slice_mut::<f32, u8>(dst));
            for part in plan.parts(PART) {
                let dst = &mut dst[part.clone()];
                let part = plan.part(part).expect("a part");
                part.run(src, dst, Padding::Zero).expect("long enough");
                then(dst);
            }
        }))
    };
    let mut copied = Vec::from(ways());
    copied.push(in_parts(|_| {}));
    memory.run(report, name, A::BYTES, 2, &copied);
    let mut read = Vec::from(ways().map(|way| way.map(then_summed)));
    read.push(in_parts(sum));
    memory.run(report, &summed, A::BYTES, 2, &read);
}
