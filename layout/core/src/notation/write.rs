//! Writing lists of other notations.

use core::fmt;

/// Writes the items with a separator between them.
pub(super) fn separated<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    items: impl IntoIterator<Item = T>,
    separator: &str,
) -> fmt::Result {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            f.write_str(separator)?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

/// A tuple in Python; a single item is followed by a comma.
pub(super) struct PythonTuple<I>(pub(super) I);

impl<T: fmt::Display, I: ExactSizeIterator<Item = T> + Clone> fmt::Display for PythonTuple<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        separated(f, self.0.clone(), ", ")?;
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}
