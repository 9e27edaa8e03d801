//! Offsets in 32 bits on GPUs: their PTX has no call, no division, and no arithmetic of 64 bits.
//!
//! Needs `core` for `nvptx64-nvidia-cuda`: rustup's, or Debian's compiler where `.ci/targets` or `.ci/gpu` has unpacked it.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use layout_tests::{build, listing};

const TARGET: &str = "nvptx64-nvidia-cuda";

/// Cargo with a compiler for the target; what there is not, otherwise.
fn cargo() -> Result<Command, String> {
    let repository =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are in a folder");
    let mut cargo = build::cargo();
    cargo.arg("rustc");
    if build::has_target(TARGET) {
        return Ok(cargo);
    }
    let debian = repository.join("target/debian");
    let compiler = debian.join("usr/bin/rustc");
    if !compiler.exists() || !debian.join("have/rust-web-src").exists() {
        return Err(format!(
            "no `core` for {TARGET}: `rustup target add {TARGET}`, or let `.ci/gpu` unpack Debian's compiler"
        ));
    }
    let libraries = [debian.join("usr/lib/x86_64-linux-gnu"), debian.join("usr/lib/llvm-22/lib")];
    let libraries = std::env::join_paths(libraries).expect("paths without colons");
    cargo.env("RUSTC", compiler).env("RUSTC_BOOTSTRAP", "1").env("LD_LIBRARY_PATH", libraries);
    cargo.arg("-Zbuild-std=core");
    Ok(cargo)
}

/// The PTX of a crate that depends on the library alone.
fn ptx(mut cargo: Command) -> String {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ptx");
    std::fs::create_dir_all(&folder).expect("the folder is ours");
    let manifest = format!(
        "[package]\nname = \"ptx\"\nedition = \"2024\"\n[workspace]\n[lib]\npath = {:?}\n[dependencies]\n\
         layout = {{ package = \"tiled-layout\", path = {:?}, default-features = false }}\n",
        tests.join("types/ptx_functions.rs"),
        tests.with_file_name("layout"),
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("the folder is ours");
    // The versions of this workspace; cargo leaves out what is not needed.
    std::fs::copy(tests.with_file_name("Cargo.lock"), folder.join("Cargo.lock"))
        .expect("there is a lock file");
    cargo.args(["--release", "--lib", "--target", TARGET, "--target-dir"]);
    cargo.arg(folder.join("target")).current_dir(&folder);
    listing::of_crate(&mut cargo, &["-Ctarget-cpu=sm_80"], &folder.join("functions.ptx"))
}

/// The instructions of each function.
fn functions(ptx: &str) -> HashMap<&str, Vec<&str>> {
    let mut functions = HashMap::new();
    for text in ptx.split(".visible .func").skip(1) {
        // The result, if there is one, is in parentheses before the name.
        let (head, body) = text.split_once("\n{").expect("a function has a body");
        let head = head.trim_start();
        let head =
            head.strip_prefix('(').map_or(head, |rest| rest.split_once(')').expect("it ends").1);
        let name = head.trim_start().split('(').next().expect("a name").trim();
        let body = body.split_once("\n}").expect("a body ends").0;
        let is_instruction = |line: &&str| !line.is_empty() && !line.starts_with(['.', '/', '$']);
        functions.insert(name, body.lines().map(str::trim).filter(is_instruction).collect());
    }
    functions
}

/// The instructions that a function in 32 bits should not have.
fn faults<'a>(function: &str, instructions: &[&'a str]) -> Vec<&'a str> {
    let is_fault = |line: &&&str| {
        // A predicate comes first.
        let name = line.split_whitespace().find(|word| !word.starts_with('@')).unwrap_or_default();
        let divides = name.starts_with("div") || name.starts_with("rem");
        let multiplies = name.starts_with("mul") || name.starts_with("mad");
        let is_wide = [".s64", ".u64", ".b64"].iter().any(|width| name.contains(width));
        // A walk over digits, where dimensions are combined, shifts and compares in 64 bits. So are unknown sizes rounded up:
        // the sum may have 33.
        let may_be_wide = function == "combined_index_u32" || function.starts_with("unknown");
        name.starts_with("call")
            || (is_wide && (divides || multiplies || !may_be_wide))
            || (divides && !function.contains("divides"))
    };
    instructions.iter().filter(is_fault).copied().collect()
}

#[test]
fn offsets_in_32_bits() {
    let cargo = match cargo() {
        Ok(cargo) => cargo,
        Err(reason) => {
            println!("SKIPPED: {reason}");
            return;
        }
    };
    let ptx = ptx(cargo);
    let functions = functions(&ptx);
    let narrow = functions.iter().filter(|(name, _)| name.ends_with("_u32")).collect::<Vec<_>>();
    assert_eq!(narrow.len(), 6 * 3 + 3, "{:?}", functions.keys());
    for (name, instructions) in narrow {
        let faults = faults(name, instructions);
        assert!(faults.is_empty(), "{name}: {faults:#?}\n{instructions:#?}");
    }

    // The controls show that each fault is found.
    let control = |name: &str| faults(name, &functions[name]);
    for name in ["tiles_offset_usize", "packed_offset_usize", "batch_offset_usize"] {
        assert!(control(name).iter().any(|line| line.contains("64")), "{name}: {ptx}");
    }
    assert!(control("control_calls").iter().any(|line| line.starts_with("call")), "{ptx}");
    assert!(control("control_of_quotients").iter().any(|line| line.starts_with("div")), "{ptx}");
}
