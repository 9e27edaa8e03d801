// Arrays whose layout is known at run time only.

use layout::dynamic::{DynLayout, DynView};

struct Mine;

fn main() {}

fn indexed(view: DynView<'_, f32>) -> f32 {
    view[1] + view[(1, 2)]
}

fn sliced(view: DynView<'_, f32>) {
    let _ = view.slice(1..2);
}

fn stored(layout: &DynLayout) {
    let _ = layout.view(&[Mine]);
}
