// A program as StableHLO.
layout::hlo! {
    mod program = "hlo/stablehlo.hlo";
}

fn main() {}
