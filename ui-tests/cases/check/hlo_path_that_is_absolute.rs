// Other people have other folders.
layout::hlo! {
    mod program = "/hlo/good.hlo";
}

fn main() {}
