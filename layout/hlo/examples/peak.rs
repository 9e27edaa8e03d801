fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let m = layout_hlo::Module::parse(&text).unwrap();
    let p = m.memory().unwrap().peak;
    println!("{} {} {} {}", p.bytes, p.arguments_bytes, p.results_bytes, p.is_in_vmem);
    if args.len() > 2 {
        println!("{} {}", p.instruction, p.source);
        for g in p.live.iter().take(25) { println!("{:?} {} x {} {} {} {}", g.kind, g.count, g.shape, g.bytes, g.padding_bytes, g.source); }
    }
}
