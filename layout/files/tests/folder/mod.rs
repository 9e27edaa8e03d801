//! Folders for the files of a test.

use std::fs;
use std::path::{Path, PathBuf};

use layout_files::{Change, Conversion, Error, ErrorKind, Format, Share, TensorFile};

/// A folder that goes when the test ends.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("layout-files-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("the folder for temporary files can be written");
        Folder(path)
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    /// The temporary file of a target that is being written.
    #[allow(dead_code, reason = "not each test looks")]
    pub(crate) fn temporary(&self, target: &str) -> PathBuf {
        let is_own = |name: &String| {
            let rest = name.strip_prefix(target).and_then(|rest| rest.strip_suffix(".tmp"));
            rest.is_some_and(|number| number.len() == 17)
        };
        self.path(&self.names().into_iter().find(is_own).expect("a temporary file"))
    }

    /// Names of what is in it.
    #[allow(dead_code, reason = "not each test looks")]
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

/// A file that Python wrote: `tests/data/files/make.py`.
#[allow(dead_code, reason = "not each test reads them")]
pub(crate) fn python(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/files").join(file)
}

/// Writes a safetensors file of tensors: name, type and dimensions, each with its part of the bytes.
#[allow(dead_code, reason = "not each test writes one")]
pub(crate) fn safetensors(path: &Path, tensors: &[(&str, &str, &[usize])], bytes: &[u8]) {
    let mut end = 0;
    let entries = tensors.iter().map(|(name, dtype, dims)| {
        let width = dtype.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<usize>();
        let (start, list) = (end, format!("{dims:?}").replace(' ', ""));
        end += dims.iter().product::<usize>() * width.expect("a type with its bits") / 8;
        format!(
            "\"{name}\":{{\"dtype\":\"{dtype}\",\"shape\":{list},\"data_offsets\":[{start},{end}]}}"
        )
    });
    let mut header = format!("{{{}}}", entries.collect::<Vec<_>>().join(","));
    header += &" ".repeat(header.len().next_multiple_of(8) - header.len());
    assert_eq!(end, bytes.len());
    let length = (header.len() as u64).to_le_bytes();
    fs::write(path, [&length[..], header.as_bytes(), bytes].concat()).expect("it can be written");
}

/// Writes the shares of a file of one tensor, which has another layout then: their paths.
#[allow(dead_code, reason = "not each test writes shares")]
pub(crate) fn shares(source: &Path, target: &Path, layouts: [&str; 2], count: u32) -> Vec<PathBuf> {
    let file = TensorFile::open(source).unwrap();
    let [from, to] = layouts.map(|layout| layout.parse().unwrap());
    let change = Change::new(from, to);
    let format = Format::of_path(target);
    let conversion = Conversion::new(&file, format, |_| Ok(Some(change.clone()))).unwrap();
    let shares = (1..=count).map(|number| {
        let share = Share::new(number, count).unwrap();
        conversion.write(target, share, &mut |_| ()).unwrap();
        share.path(target)
    });
    shares.collect()
}

/// Converts the tensor of a raw file.
#[allow(dead_code, reason = "not each test converts one")]
pub(crate) fn raw(source: &Path, target: &Path, from: &str, to: &str) -> Result<(), Error> {
    let file = TensorFile::open(source)?;
    let change = Change::new(from.parse().unwrap(), to.parse().unwrap());
    let conversion = Conversion::new(&file, Format::Raw, |_| Ok(Some(change.clone())))?;
    conversion.write(target, Share::WHOLE, &mut |_| ())
}

/// Undoes a conversion by the file's record.
#[allow(dead_code, reason = "not each test goes back")]
pub(crate) fn back(source: &Path, target: &Path) -> Result<(), Error> {
    let file = TensorFile::open(source)?;
    Conversion::back(&file, Format::of_path(target))?.write(target, Share::WHOLE, &mut |_| ())
}

#[track_caller]
#[allow(dead_code, reason = "not each test compares files")]
pub(crate) fn same(found: &Path, expected: &Path) {
    assert!(fs::read(found).unwrap() == fs::read(expected).unwrap(), "{}", found.display());
}

/// Asserts that a file's record is refused, with these texts.
#[track_caller]
#[allow(dead_code, reason = "not each test breaks records")]
pub(crate) fn refused(path: &Path, expected: &[&str]) {
    let error = TensorFile::open(path).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error.kind(), ErrorKind::Record(_)), "{text}");
    assert!(expected.iter().all(|expected| text.contains(expected)), "{text}");
}
