// What a program takes has the layout that its file says.
use layout::layout;

layout::hlo! {
    mod program = "hlo/good.hlo";
}

fn take(_: program::params::P0) {}

fn give(array: layout!(f32[3,5]{1,0:T(2,4)})) {
    take(array);
}

fn main() {}
