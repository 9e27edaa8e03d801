//! Launches the kernels in Rust on an NVIDIA GPU: checks what they compute against the library on the host, and measures
//! copies against the driver's own and against a plain copy kernel. Where there is no GPU it shows a kernel's PTX.
//!
//! `cargo run --release -p cuda -- kernels.ptx`; the README says how to make the PTX.

mod gpu;

use std::error::Error;
use std::process::ExitCode;

use cudarc::driver::{CudaContext, sys};

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: cuda kernels.ptx; gpu/README.md says how to make the PTX");
        return ExitCode::FAILURE;
    };
    let ptx = match std::fs::read_to_string(&file) {
        Ok(ptx) => ptx,
        Err(error) => {
            eprintln!("{file}: {error}; gpu/README.md says how to make the PTX");
            return ExitCode::FAILURE;
        }
    };
    // SAFETY: This opens a library and closes it.
    let context = if unsafe { sys::is_culib_present() } {
        CudaContext::new(0).map_err(|error| error.to_string())
    } else {
        Err("there is no CUDA driver".to_owned())
    };
    let result = match context {
        Ok(context) => gpu::run(&context, &ptx),
        Err(reason) => show(&ptx, &reason),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Shows what would be launched.
fn show(ptx: &str, reason: &str) -> Result<(), Box<dyn Error>> {
    println!("SKIPPED: no kernel was launched, because {reason}");
    let kernels = ptx
        .lines()
        .filter_map(|line| line.strip_prefix(".visible .entry ")?.strip_suffix('('))
        .collect::<Vec<_>>();
    println!("Kernels in PTX: {}", kernels.join(", "));
    let name = "to_tiled_ragged";
    let start = ptx
        .find(&format!(".visible .entry {name}("))
        .ok_or_else(|| format!("the PTX has no kernel {name}: was it made from gpu/kernels?"))?;
    let end = ptx[start..].find("\n}").map_or(ptx.len(), |length| start + length + 2);
    println!("{}", &ptx[start..end]);
    Ok(())
}
