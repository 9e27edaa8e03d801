//! The machine, in words.

use std::fs;

/// The processor as it calls itself, its cores and its caches, as far as Linux tells.
pub fn description() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line =
            info.lines().find(|line| line.split(':').next().is_some_and(|of| of.trim() == name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let mut words = vec![field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned())];
    if let Some((family, model)) = field("cpu family").zip(field("model")) {
        words[0] += &format!(" (family {family}, model {model})");
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    words.push(format!("{cores} core{}", if cores == 1 { "" } else { "s" }));
    for number in 0..8 {
        let of = |name: &str| {
            let path = format!("/sys/devices/system/cpu/cpu0/cache/index{number}/{name}");
            Some(fs::read_to_string(path).ok()?.trim().to_owned())
        };
        let (Some(level), Some(kind), Some(size)) = (of("level"), of("type"), of("size")) else {
            break;
        };
        if kind != "Instruction" {
            let size = match size.strip_suffix('K').and_then(|size| size.parse::<usize>().ok()) {
                Some(size) if size >= 1024 => format!("{} MiB", size / 1024),
                Some(size) => format!("{size} KiB"),
                None => size,
            };
            words.push(format!("L{level} {size}"));
        }
    }
    words.push(format!("best vectors {:?}", layout::copies::InstructionSet::best()));
    words.join(", ")
}
