fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let m = layout_hlo::Module::parse(&text).unwrap();
    let p = m.memory().unwrap().peak;
    println!("{} {} {} {}", p.bytes, p.arguments_bytes, p.results_bytes, p.is_in_vmem);
    if args.len() > 2 {
        for a in &m.memory().unwrap().advice {
            println!(
                "{:?} {:?} {} saves {} bytes {} cycles: {}",
                a.kind, a.place, a.name, a.saves_bytes, a.saves_cycles, a.python
            );
        }
    }
    if args.len() > 2 {
        println!(
            "{}",
            m.memory()
                .unwrap()
                .report(layout_hlo::ReportOptions { top: 12, frames: args.len() > 3 })
        );
    }
}
