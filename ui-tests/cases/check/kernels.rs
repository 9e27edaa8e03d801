//! Layouts that a kernel's bound refuses, each with one difference.

use layout::element::BF16;
use layout::{AnyLayout, Layout, TiledBy, View, layout, order, tiles};

fn kernel<L: TiledBy<order!(1, 0), tiles!((8,128)(2,1))>, T>(_: View<L, T>) {}
fn sum<L: Layout<2> + TiledBy<order!(1, 0), tiles!((8,128)(2,1))>>() {}
fn without_tiles<L: TiledBy<order!(1, 0)>>() {}
fn of_element<L: AnyLayout<Element = BF16> + TiledBy<order!(1, 0), tiles!((8,128))>>() {}

struct Weights<'a, L: TiledBy<order!(1, 0), tiles!((8,128)(2,1))>> {
    view: View<'a, L, u16>,
}

trait Model {
    type Weights: TiledBy<order!(1, 0), tiles!((8,128)(2,1))>;
}
struct Small;
impl Model for Small {
    type Weights = layout!(BF16[?,1024]{1,0:T(8,128)});
}

fn untiled(_: Weights<layout!(BF16[512,1024]{1,0})>) {}
fn other_rank(view: View<layout!(BF16[?,16,1024]{2,1,0:T(8,128)(2,1)}), u16>) {
    kernel(view);
}
fn other_order(view: View<layout!(BF16[?,1024]{0,1:T(8,128)(2,1)}), u16>) {
    kernel(view);
}
fn other_tiles(view: View<layout!(BF16[?,1024]{1,0:T(8,128)}), u16>) {
    kernel(view);
}
fn bounded(view: View<layout!(BF16[12,<=1000]{1,0:T(8,128)(2,1)}), u16>) {
    kernel(view);
}
fn explicit_padding(view: View<layout!(BF16[12,1000]{1,0:PAD(12,1024)T(8,128)(2,1)}), u16>) {
    kernel(view);
}
fn tail_padding(view: View<layout!(BF16[12,1000]{1,0:T(8,128)(2,1)L(4096)}), u16>) {
    kernel(view);
}
fn wide(view: View<layout!(PRED[12,1000]{1,0:T(8,128)(2,1)E(16)}), u16>) {
    kernel(view);
}
fn packed(view: View<layout!(S4[12,1000]{1,0:T(8,128)(2,1)E(4)}), i8>) {
    kernel(view);
}

fn order_of_other_rank<L: Layout<2> + TiledBy<order!(2, 1, 0)>>() {}

fn main() {
    without_tiles::<layout!(F32[?,1024])>();
    without_tiles::<layout!(F32[?,1024]{1,0:T(8,128)})>();
    sum::<layout!(BF16[512,1024]{1,0:T(8,128)})>();
    of_element::<layout!(F32[512,1024]{1,0:T(8,128)})>();
}
