//! The programs in a folder that XLA dumped.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use layout_hlo::{Bytes, Module};

use crate::commands::hlo::HELP;
use crate::file;
use crate::output::{Answer, Refusal};

/// How the names of programs after compilation end, and of those for which there was no memory.
const COMPILED: &str = "after_optimizations.txt";
const REFUSED: &str = "oom_intermediate_module.txt";

/// A program: its module's name, the file, and the bytes that have to fit.
struct Program {
    name: String,
    file: PathBuf,
    bytes: u64,
    peak: u64,
}

/// The programs of a folder, those that need most first.
fn read(folder: &Path) -> Result<Vec<Program>, Refusal> {
    let failed = |error| format!("{}: {error}", file::name(folder));
    let mut programs = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.display().to_string();
        if !name.ends_with(COMPILED) && !name.ends_with(REFUSED) {
            continue;
        }
        let text = file::read(&path, HELP)?;
        let module =
            Module::parse(&text).map_err(|error| format!("{}: {error}", file::name(&path)))?;
        let memory = super::memory(&path, &module)?;
        let (bytes, peak) = (memory.hbm.allocated_bytes, memory.hbm.peak_bytes);
        programs.push(Program { name: module.name().to_owned(), file: path.clone(), bytes, peak });
    }
    if programs.is_empty() {
        let help = format!(
            "XLA writes them with `XLA_FLAGS=--xla_dump_to=DIR`: `*{COMPILED}`, `*{REFUSED}`"
        );
        return Err(Refusal::new(format!("{}: no programs", file::name(folder)), help));
    }
    programs.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.file.cmp(&b.file)));
    Ok(programs)
}

/// The table of a folder's programs.
pub(super) fn programs(folder: &Path, limit: Option<u64>) -> Result<Answer, Refusal> {
    let programs = read(folder)?;
    let mut text = String::from("   to fit      peak\n");
    for Program { name, file, bytes, peak } in &programs {
        let over = match limit {
            Some(limit) if *bytes > limit => format!(", {} over", Bytes(bytes - limit)),
            _ => String::new(),
        };
        let file = file.file_name().unwrap_or_default().to_string_lossy();
        let refused = if file.ends_with(REFUSED) { ", the compiler ran out of memory" } else { "" };
        let file = layout_core::Visible(&file);
        let name = layout_core::Visible(name);
        let _ = writeln!(
            text,
            "{:>9} {:>9}  {name}  {file}{over}{refused}",
            Bytes(*bytes),
            Bytes(*peak)
        );
    }
    let is_yes = limit.is_none_or(|limit| programs.iter().all(|it| it.bytes <= limit));
    Ok(Answer { text, is_yes })
}

/// The files to compare: two files, or the modules of one name in two folders. Says which modules only one of them has.
pub(super) fn pairs(
    before: &Path,
    after: &Path,
    text: &mut String,
) -> Result<Vec<(PathBuf, PathBuf)>, Refusal> {
    if !before.is_dir() || !after.is_dir() {
        return Ok(vec![(before.to_owned(), after.to_owned())]);
    }
    // Of several modules of one name those that need most come first, and are compared with one another.
    let by_name = |programs: Vec<Program>| {
        let mut names = BTreeMap::<String, Vec<PathBuf>>::new();
        for Program { name, file, .. } in programs {
            names.entry(name).or_default().push(file);
        }
        names
    };
    let (old, mut new) = (by_name(read(before)?), by_name(read(after)?));
    let mut pairs = Vec::new();
    let mut gone = Vec::new();
    for (name, files) in old {
        let mut others = new.remove(&name).unwrap_or_default().into_iter();
        for file in files {
            match others.next() {
                Some(other) => pairs.push((file, other)),
                None => gone.push(file),
            }
        }
        new.insert(name, others.collect());
    }
    for file in gone {
        let _ = writeln!(text, "{}: gone", file::name(&file));
    }
    for file in new.into_values().flatten() {
        let _ = writeln!(text, "{}: new", file::name(&file));
    }
    Ok(pairs)
}
