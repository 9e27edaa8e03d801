fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let m = layout_hlo::Module::parse(&text).unwrap();
    let (t, a, r, _) = m.debug_peak(args.len() > 2);
    println!("{} {} {}", t, a, r);
}
