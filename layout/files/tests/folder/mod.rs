//! Folders for the files of a test.

use std::fs;
use std::path::{Path, PathBuf};

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
