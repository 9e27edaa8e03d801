//! A conversion that is killed.

#[path = "../../files/tests/folder/mod.rs"]
mod folder;

use std::fs;
use std::process::{Command, Stdio};

use folder::{Folder, same};

fn layout(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_layout"));
    command.args(arguments).current_dir(folder.path("")).stdin(Stdio::null());
    command
}

/// It works, and complains of nothing.
#[track_caller]
fn works(folder: &Folder, arguments: &[&str]) {
    let output = layout(folder, arguments).output().expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

fn is_half_written(folder: &Folder) -> bool {
    folder.names().iter().any(|name| name.ends_with(".tmp"))
}

/// Killed at any moment, the target is what it was or whole, its record is its own, and the next run works.
#[test]
fn killed_in_the_middle() {
    let folder = Folder::new("killed");
    let content = (0..32 << 20).map(|at| (at * 7 + (at >> 12)) as u8).collect::<Vec<_>>();
    folder.write("source.bin", content);
    let from = ["--from", "f32[2048,4096]", "--to"];
    let convert = |to| [&["convert", "source.bin", "new.bin"], &from[..], &[to]].concat();
    let layouts = ["{0,1}", "{1,0:T(8,128)}"].map(convert);
    let sidecar = folder.path("new.bin.layout.json");
    works(&folder, &layouts[0]);
    let mut killed = [0; 2];
    for run in 0..60 {
        let before = fs::read(&sidecar).unwrap();
        let mut child = layout(&folder, &layouts[(run + 1) % 2]).spawn().expect("it runs");
        // While it writes, or as soon as the sidecar is new.
        let is_due = || match run % 3 {
            0 => is_half_written(&folder),
            _ => fs::read(&sidecar).unwrap() != before,
        };
        while !is_due() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let _ = child.kill();
        let is_killed = !child.wait().unwrap().success();
        assert!(!is_killed || folder.path("new.bin.layout.lock").exists());
        killed[usize::from(run % 3 > 0)] += usize::from(is_killed);
        works(&folder, &["convert", "new.bin", "back.bin"]);
        same(&folder.path("back.bin"), &folder.path("source.bin"));
        if killed.iter().all(|count| *count >= 3) {
            break;
        }
    }
    assert!(killed[0] > 0, "it was never killed in the middle");
    works(&folder, &layouts[1]);
    assert!(!is_half_written(&folder));
}
