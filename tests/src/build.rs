//! The library as it was built for the tests, to compile other files against it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The built library.
#[derive(Debug)]
pub struct Library {
    rlib: PathBuf,
    deps: PathBuf,
}

impl Library {
    /// Builds the library in a profile, or finds it built.
    ///
    /// # Panics
    /// If cargo does not build it.
    pub fn build(profile: &str) -> Library {
        let mut cargo = cargo();
        cargo.args(["build", "-p", "tiled-layout", "--message-format=json", "--profile", profile]);
        let messages = run(cargo.current_dir(env!("CARGO_MANIFEST_DIR")));
        let rlib = messages
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter(|message| message["target"]["name"] == "layout")
            .flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default())
            .filter_map(|file| file.as_str().map(PathBuf::from))
            .find(|file| file.extension().is_some_and(|extension| extension == "rlib"))
            .expect("cargo names the library that it built");
        let folder = rlib.parent().expect("a file is in a folder");
        let deps = if folder.ends_with("deps") { folder.to_owned() } else { folder.join("deps") };
        Library { rlib, deps }
    }

    /// Compiles a source that depends on the library alone: what a function finds in the file that is made of it.
    ///
    /// # Panics
    /// If it does not compile.
    pub fn compiled<T>(
        &self,
        source: &str,
        arguments: &[&str],
        find: impl FnOnce(&Path) -> T,
    ) -> T {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("layout-tests-{}-{number}", std::process::id());
        let [file, output] =
            [".rs", ".out"].map(|end| std::env::temp_dir().join(name.clone() + end));
        std::fs::write(&file, source).expect("there is a folder for temporary files");
        run(&mut self.command(&file, &output, arguments));
        let found = find(&output);
        for file in [file, output] {
            std::fs::remove_file(file).expect("the file is ours");
        }
        found
    }

    /// The command that compiles a file.
    pub fn command(&self, file: &Path, output: &Path, arguments: &[&str]) -> Command {
        let mut command = rustc();
        command
            .args(["--edition=2024", "-Ccodegen-units=1"])
            .args(arguments)
            .arg("-o")
            .arg(output)
            .arg("--extern")
            .arg(format!("layout={}", self.rlib.display()))
            .arg("-L")
            .arg(format!("dependency={}", self.deps.display()))
            .arg(file);
        command
    }
}

/// The cargo that builds the tests.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// What a command prints.
///
/// # Panics
/// If it fails: with what it says.
pub fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints UTF-8")
}

/// Whether the compiler has the standard library of a target.
///
/// # Panics
/// If there is no compiler.
pub fn has_target(target: &str) -> bool {
    let sysroot = run(rustc().args(["--print", "sysroot"]));
    Path::new(sysroot.trim()).join("lib/rustlib").join(target).exists()
}
