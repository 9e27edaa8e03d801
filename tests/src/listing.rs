//! Assembly listings: functions, and loops in them.

use std::path::Path;
use std::process::Command;

use crate::build::run;

/// The listing of the crate that `cargo rustc` compiles.
///
/// # Panics
/// If it does not compile.
pub fn of_crate(cargo: &mut Command, arguments: &[&str], listing: &Path) -> String {
    cargo.args(["--", "-Ccodegen-units=1"]).args(arguments);
    run(cargo.arg(format!("--emit=asm={}", listing.display())));
    read(listing)
}

/// A listing that the compiler wrote.
///
/// # Panics
/// If it cannot be read.
pub fn read(listing: &Path) -> String {
    std::fs::read_to_string(listing).expect("rustc wrote the listing")
}

/// The lines of a function, after its name.
///
/// # Panics
/// If there is no such function.
pub fn function<'a>(listing: &'a str, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
    let (_, body) = listing.split_once(&format!("\n{name}:")).expect("the function is there");
    let (body, _) = body.split_once(".cfi_endproc").expect("it ends");
    body.lines().map(str::trim)
}

/// The first and the last line of each loop: from a label to a branch, whose last operand it is.
pub fn loops(lines: &[&str]) -> Vec<[usize; 2]> {
    let back = |(last, line): (usize, &&str)| {
        let label = line.split_whitespace().last()?;
        let first = lines[..last].iter().position(|line| line.strip_suffix(':') == Some(label))?;
        Some([first, last])
    };
    lines.iter().enumerate().filter_map(back).collect()
}
