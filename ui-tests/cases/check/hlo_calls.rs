//! Calls of `hlo!` that are not complete.

layout_hlo_macros::hlo! { mod program; }
layout_hlo_macros::hlo!("hlo/good.hlo");
layout_hlo_macros::hlo! { mod absolute = "/hlo/good.hlo"; }
layout_hlo_macros::hlo! { mod no_path = hlo/good.hlo; mod other = "hlo/also_missing.hlo"; }
layout_hlo_macros::hlo! { mod no_sign "hlo/good.hlo"; }
layout_hlo_macros::hlo! { mod type = "hlo/good.hlo"; }
layout_hlo_macros::hlo! { mod no_semicolon = "hlo/good.hlo" }
layout_hlo_macros::hlo! { pub }

fn main() {}
