fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let m = layout_hlo::Module::parse(&text).unwrap();
        let m = m.memory().unwrap();
        println!("P\t{}\t{}", path, m.cycles.unwrap_or(0));
        for c in &m.copies {
            println!(
                "C\t{}\t{}\t{}\t{}\t{}\t{}\t{:?}\t{}",
                c.instruction, c.opcode, c.times, c.bytes, c.cycles, c.is_guess, c.leads, c.source
            );
        }
        for a in &m.advice {
            println!(
                "A\t{:?}\t{:?}\t{:?}\t{}\t{}\t{}\t{}\t{:?}",
                a.place,
                a.pair,
                a.major_to_minor,
                a.saves_cycles,
                a.instructions.join(","),
                a.is_stored_transposed,
                a.is_sure,
                a.python
            );
        }
    }
}
