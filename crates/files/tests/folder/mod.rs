//! Folders for the files of a test, and what is done to files in one line. The tests of the command have it too.
#![allow(dead_code, reason = "not each test calls each function")]

#[allow(unreachable_pub, reason = "it is a module of the tests' library too")]
#[path = "../../../../tests/src/random.rs"]
pub(crate) mod random;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use layout_files::{Change, Conversion, Error, Format, Share, TensorFile};

/// Bytes of which neighbours differ.
pub(crate) fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect()
}

/// The rows of a table.
pub(crate) fn rows<const N: usize>(table: &str) -> impl Iterator<Item = [&str; N]> {
    let rows = table.lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| row.split(" | ").collect::<Vec<_>>().try_into().expect("as many columns"))
}

/// A folder that goes when the test ends.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        static FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let (process, number) = (std::process::id(), FOLDERS.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("layout-{name}-{process}-{number}"));
        fs::create_dir_all(&path).expect("the folder for temporary files can be written");
        Folder(path)
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    /// Writes a file: its path.
    pub(crate) fn write(&self, file: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(file);
        fs::write(&path, bytes).expect("it can be written");
        path
    }

    /// Writes a safetensors file of tensors: name, type and dimensions, each with its part of the bytes.
    pub(crate) fn safetensors(
        &self,
        file: &str,
        tensors: &[(&str, &str, &[usize])],
        bytes: &[u8],
    ) -> PathBuf {
        let mut end = 0;
        let entries = tensors.iter().map(|(name, dtype, dims)| {
            let (start, width) = (end, dtype.trim_start_matches(|c: char| !c.is_ascii_digit()));
            end += dims.iter().product::<usize>() * width.parse::<usize>().expect("bits") / 8;
            entry(name, dtype, &format!("{dims:?}").replace(' ', ""), [start, end])
        });
        let mut header = format!("{{{}}}", entries.collect::<Vec<_>>().join(","));
        header += &" ".repeat(header.len().next_multiple_of(8) - header.len());
        assert_eq!(end, bytes.len());
        self.with_header(file, &header, bytes)
    }

    /// Writes a safetensors file with this text as its header, and these bytes after it.
    pub(crate) fn with_header(&self, file: &str, header: &str, bytes: &[u8]) -> PathBuf {
        let length = (header.len() as u64).to_le_bytes();
        self.write(file, [&length[..], header.as_bytes(), bytes].concat())
    }

    /// The temporary file of a target that is being written.
    pub(crate) fn temporary(&self, target: &str) -> PathBuf {
        let is_own = |name: &String| {
            let rest = name.strip_prefix(target).and_then(|rest| rest.strip_suffix(".tmp"));
            rest.is_some_and(|number| number.len() == 17)
        };
        self.path(&self.names().into_iter().find(is_own).expect("a temporary file"))
    }

    /// Names of what is in it.
    pub(crate) fn names(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"));
        let mut names = names.collect::<Vec<_>>();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A tensor in the header of a safetensors file.
pub(crate) fn entry<T: std::fmt::Debug>(
    name: &str,
    dtype: &str,
    dims: &str,
    offsets: [T; 2],
) -> String {
    let [start, end] = offsets;
    format!(
        "\"{name}\":{{\"dtype\":\"{dtype}\",\"shape\":{dims},\"data_offsets\":[{start:?},{end:?}]}}"
    )
}

/// A file that Python wrote: `tests/data/files/make.py`.
pub(crate) fn python(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/files").join(file)
}

/// A change from one layout to another one.
pub(crate) fn change(from: &str, to: &str) -> Change {
    Change::new(from.parse().unwrap(), to.parse().unwrap())
}

/// A conversion of each tensor of a file.
pub(crate) fn conversion<'a>(
    file: &'a TensorFile,
    format: Format,
    change: &Change,
) -> Result<Conversion<'a>, Error> {
    Conversion::new(file, format, |_| Ok(Some(change.clone())))
}

/// Converts each tensor of a file.
pub(crate) fn convert(source: &Path, target: &Path, from: &str, to: &str) -> Result<(), Error> {
    convert_by(source, target, &change(from, to))
}

pub(crate) fn convert_by(source: &Path, target: &Path, change: &Change) -> Result<(), Error> {
    let file = TensorFile::open(source)?;
    let conversion = conversion(&file, Format::of_path(target), change)?;
    conversion.write(target, Share::WHOLE, &mut |_| ())
}

/// Writes the shares of a file: their paths.
pub(crate) fn write_shares(conversion: &Conversion<'_>, target: &Path, count: u32) -> Vec<PathBuf> {
    let shares = (1..=count).map(|number| {
        let share = Share::new(number, count).unwrap();
        conversion.write(target, share, &mut |_| ()).unwrap();
        share.path(target)
    });
    shares.collect()
}

/// Runs an example, which Cargo builds with the tests of its package.
pub(crate) fn example(name: &str, arguments: &[&OsStr]) -> Output {
    let test = std::env::current_exe().expect("the test has a path");
    let folder = test.ancestors().nth(2).expect("it lies in a folder of tests");
    let program = folder.join("examples").join(name);
    Command::new(program).args(arguments).output().expect("the example is built")
}

/// Undoes a conversion by the file's record.
pub(crate) fn back(source: &Path, target: &Path) -> Result<(), Error> {
    let file = TensorFile::open(source)?;
    Conversion::back(&file, Format::of_path(target))?.write(target, Share::WHOLE, &mut |_| ())
}

#[track_caller]
pub(crate) fn same(found: &Path, expected: &Path) {
    assert!(fs::read(found).unwrap() == fs::read(expected).unwrap(), "{}", found.display());
}

/// Asserts that a text has another one in it.
#[track_caller]
pub(crate) fn has(text: impl ToString, expected: &str) {
    let text = text.to_string();
    assert!(text.contains(expected), "{text}");
}
