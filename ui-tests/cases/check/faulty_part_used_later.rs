use layout::layout;

type A = layout!((F32[3,5]{1,0}, F32[3,5]{1,1}));

fn take<L, M>(_: Option<(L, M)>) {}

fn main() {
    take(None::<A>);
}
