//! Printing what holds elements: views, buffers, slices.

use core::fmt;

/// How many elements `Debug` prints of an array; of a longer one, `..` follows.
const PRINTED: usize = 16;

/// Prints what holds elements, and the first of these.
pub(crate) fn debug<I, T: fmt::Debug>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    what: fmt::Arguments<'_>,
    elements: impl Iterator<Item = (I, T)>,
) -> fmt::Result {
    let mut elements = elements.map(|(_, element)| element);
    write!(f, "{name}({what} ")?;
    let mut list = f.debug_list();
    list.entries(elements.by_ref().take(PRINTED));
    match elements.next() {
        Some(_) => list.finish_non_exhaustive()?,
        None => list.finish()?,
    }
    f.write_str(")")
}
