//! Copies between the bytes of two arrays.

use std::ops::Range;
use std::sync::Mutex;
use std::thread;

use layout::{ArrayShape, ElementType, Padding, Relayout};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use crate::error::{argument, refusal, refused};
use crate::layout::Layout;

/// Bytes of the destination that are worth a thread.
const SHARE: usize = 1 << 20;

/// Shares for each thread, so that none waits long for the slowest.
const SHARES: usize = 4;

/// Copies an array from one layout to another: both arrays are the bytes of memory. The other threads of Python run
/// meanwhile.
#[pyfunction]
pub(crate) fn copy(
    py: Python<'_>,
    from: &Layout,
    to: &Layout,
    source: &Bound<'_, PyArray1<u8>>,
    out: &Bound<'_, PyArray1<u8>>,
    #[pyo3(from_py_with = argument)] threads: i64,
) -> PyResult<()> {
    let [from, to] = [from, to].map(|layout| zero_extended(&layout.shape));
    let relayout = Relayout::new(&from, &to).map_err(refusal)?;
    let Some(threads) = usize::try_from(threads).ok().filter(|threads| *threads > 0) else {
        return Err(refused("a copy needs a thread", "`threads=1`, or as many as the machine has"));
    };
    let range = |array: &Bound<'_, PyArray1<u8>>| -> PyResult<Range<usize>> {
        let start = array.data() as usize;
        Ok(start..start + array.len()?)
    };
    let [from, to] = [range(source)?, range(out)?];
    if from.start < to.end && to.start < from.end {
        return Err(refused(
            "the output overlaps the array",
            "give memory of its own, or leave `out` away",
        ));
    }
    let in_use = |error| refused(format!("the memory of the arrays: {error}"), "copy it first");
    let (source, mut out) =
        (source.try_readonly().map_err(in_use)?, out.try_readwrite().map_err(in_use)?);
    let (source, out) = (source.as_slice()?, out.as_slice_mut()?);
    py.detach(|| {
        run(&relayout, source, out, threads)?;
        clear_above(&relayout, out);
        Ok(())
    })
    .map_err(|error: String| refusal(error))
}

/// The same layout of unsigned numbers: numpy's integers of fewer bits than a byte have zeros above them.
fn zero_extended(shape: &ArrayShape) -> ArrayShape {
    let element = match shape.element_type() {
        ElementType::S1 => ElementType::U1,
        ElementType::S2 => ElementType::U2,
        ElementType::S4 => ElementType::U4,
        other => other,
    };
    shape.with_element_type(element).unwrap_or(*shape)
}

/// Clears what bytes hold above narrow numbers: on a device it may be their sign, and numpy compares all bits.
fn clear_above(relayout: &Relayout, out: &mut [u8]) {
    let element = relayout.source().element_type();
    let are_bytes =
        [relayout.source(), relayout.destination()].iter().all(|side| side.element_bits() == 8);
    if are_bytes && element.bits() < 8 && element != ElementType::PRED {
        let mask = (1 << element.bits()) - 1;
        out.iter_mut().for_each(|byte| *byte &= mask);
    }
}

fn run(relayout: &Relayout, source: &[u8], out: &mut [u8], threads: usize) -> Result<(), String> {
    let to = relayout.destination();
    let padding = match to.fill().and_then(|fill| fill.bits(to.element_type())) {
        Some(value) => Padding::Fill(value),
        None => Padding::Zero,
    };
    let threads = threads.min(out.len() / SHARE + 1);
    if threads == 1 {
        return relayout.run(source, out, padding).map_err(|error| error.to_string());
    }
    let mut rest = out;
    let bytes = rest.len().div_ceil(threads * SHARES).max(SHARE);
    let shares = relayout.parts(bytes).map(|part| {
        let (share, after) = std::mem::take(&mut rest).split_at_mut(part.len());
        rest = after;
        (part, share)
    });
    let shares = Mutex::new(shares.collect::<Vec<_>>());
    let next = || shares.lock().ok().and_then(|mut shares| shares.pop());
    let failed = Mutex::new(None);
    let work = || {
        while let Some((part, share)) = next() {
            if let Err(error) = relayout.run_part(part, source, share, padding)
                && let Ok(mut failed) = failed.lock()
            {
                *failed = Some(error.to_string());
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Where the system gives no more threads, the others do its work.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    failed.into_inner().unwrap_or_default().map_or(Ok(()), Err)
}
