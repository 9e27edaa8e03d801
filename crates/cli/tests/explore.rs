//! `layout explore`: with the page, if there is one, and without.
#![cfg(unix)]

#[path = "../../files/tests/folder/mod.rs"]
mod folder;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use folder::Folder;

/// The status, the output and the errors of `layout explore`, where `xdg-open` is a script.
fn explore(
    folder: &Folder,
    opener: Option<&str>,
    arguments: &[&str],
) -> (Option<i32>, String, String) {
    let programs = folder.path("programs");
    let _ = fs::remove_dir_all(&programs);
    fs::create_dir(&programs).unwrap();
    for name in ["xdg-open", "open"] {
        let Some(script) = opener else { continue };
        let place = programs.join(name);
        fs::write(&place, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_layout"))
        .arg("explore")
        .args(arguments)
        .current_dir(folder.path(""))
        .env("PATH", &programs)
        .env("TMPDIR", folder.path(""))
        .output()
        .unwrap();
    let [out, error] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code(), out, error)
}

#[cfg(not(has_page))]
#[test]
fn without_the_page() {
    let found = explore(&Folder::new("explore"), Some("exit 0"), &["f32[3]"]);
    let error = "error: this command was built without the page\n  \
                 = help: in a clone, `cargo run -p tiled-layout-web` writes it; then build the command again\n";
    assert_eq!(found, (Some(2), String::new(), error.to_owned()));
}

#[cfg(has_page)]
#[test]
fn with_the_page() {
    let folder = Folder::new("explore");
    let text = |name: &str| fs::read_to_string(folder.path(name)).unwrap();
    let out = |words: &[&str]| {
        let found = explore(&folder, None, &[words, &["--out", "a.html"]].concat());
        assert_eq!(found, (Some(0), "a.html: written\n".to_owned(), String::new()));
        text("a.html")
    };
    let empty = out(&[]);
    assert!(empty.starts_with("<!doctype html>") && empty.contains("content=\"\""));
    assert!(
        out(&["onednn:nChw16c", "f32[2,40,5,7]"])
            .contains("content=\"onednn:nChw16c f32[2,40,5,7]\"")
    );
    // A text is never markup.
    let hostile = out(&["f32[3]\"><script>alert('&amp;')</script>"]);
    assert!(hostile.contains("content=\"f32[3]&quot;>&lt;script>alert('&amp;amp;')&lt;/script>\""));

    let (status, place, _) = explore(&folder, Some("echo \"$1\" > opened; exit 0"), &["f32[3]"]);
    assert_eq!((status, text("opened")), (Some(0), place.clone()));
    assert!(text(place.trim_end()).contains("content=\"f32[3]\""));

    let (status, out, error) = explore(&folder, Some("exit 3"), &[]);
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert!(
        error.starts_with("error: no browser opened: ") && error.contains("exit status: 3"),
        "{error}"
    );
    let (_, page) = error.trim_end().rsplit_once(' ').unwrap();
    assert!(text(page).contains("content=\"\""));
    assert!(explore(&folder, None, &[]).2.contains("No such file"));

    fs::write(folder.path("step.hlo"), "HloModule step\n").unwrap();
    let error = "error: step.hlo is a compiled program\n  \
                 = help: drop the file on the page, which `layout explore` opens\n";
    assert_eq!(explore(&folder, None, &["step.hlo"]), (Some(2), String::new(), error.to_owned()));
}
