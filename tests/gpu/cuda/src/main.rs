//! Launches the kernels in Rust on an NVIDIA GPU: checks what they compute against the library on the host, and measures
//! copies against the driver's own. Where there is no GPU it shows a kernel's PTX.
//!
//! `cargo run --release -p cuda -- kernels.ptx`; the README says how to make the PTX.

mod gpu;

use std::error::Error;

use cudarc::driver::{CudaContext, sys};

fn main() -> Result<(), Box<dyn Error>> {
    let help = "tests/gpu/README.md says how to make the PTX";
    let file = std::env::args().nth(1).ok_or(format!("usage: cuda kernels.ptx; {help}"))?;
    let ptx = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}; {help}"))?;
    // SAFETY: This opens a library and closes it.
    let has_driver = unsafe { sys::is_culib_present() };
    match has_driver.then(|| CudaContext::new(0)) {
        Some(Ok(context)) => gpu::run(&context, &ptx),
        Some(Err(error)) => show(&ptx, &error.to_string()),
        None => show(&ptx, "there is no CUDA driver"),
    }
}

/// Shows what would be launched.
fn show(ptx: &str, reason: &str) -> Result<(), Box<dyn Error>> {
    println!("SKIPPED: no kernel was launched, because {reason}");
    let name = "to_tiled_ragged";
    let start = ptx.find(&format!(".visible .entry {name}(")).ok_or_else(|| {
        format!("the PTX has no kernel {name}: was it made from tests/gpu/kernels?")
    })?;
    let end = ptx[start..].find("\n}").map_or(ptx.len(), |length| start + length + 2);
    println!("{}", &ptx[start..end]);
    Ok(())
}
