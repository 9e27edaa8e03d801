//! Copies between the bytes of two arrays: in parts, so that threads share them, and that Ctrl-C ends them.

use std::ops::Range;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use layout::{ArrayShape, ElementType, Padding, Plan};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use crate::error::{argument, refusal, refused};
use crate::layout::Layout;

/// Bytes of the destination that are worth a thread.
const SHARE: usize = 1 << 20;

/// Shares for each thread, so that none waits long for the slowest.
const SHARES: usize = 4;

/// Bytes of the pieces that parts are made of. A copy begins with one, since it may be a slow one.
const PIECE: usize = 128 << 10;

/// Bytes of the longest part: what comes may be slower than what was, as elements are after padding.
const MOST: usize = 8 << 20;

/// What a part should take.
const PART: Duration = Duration::from_millis(20);

/// How often signals are looked for. Where another thread of Python computes, it takes up to 5 ms to get its lock.
const SIGNALS: Duration = Duration::from_millis(50);

/// Copies an array from one layout to another: both arrays are the bytes of memory. The other threads of Python run
/// meanwhile. Where a signal raises an exception, as Ctrl-C does, the copy ends by it, and a part of `out` is written.
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
    let plan = Plan::new(&from, &to).map_err(refusal)?;
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
    py.detach(|| run(&plan, source, out, threads))
}

/// The layout with unsigned elements: numpy's integers of fewer bits than a byte have zeros above them.
fn zero_extended(shape: &ArrayShape) -> ArrayShape {
    let element = match shape.element_type() {
        ElementType::S1 => ElementType::U1,
        ElementType::S2 => ElementType::U2,
        ElementType::S4 => ElementType::U4,
        _ => return *shape,
    };
    shape.with_element_type(element).unwrap_or(*shape)
}

/// Clears what bytes hold above narrow numbers: on a device it may be their sign, and numpy compares all bits.
fn clear_above(plan: &Plan, out: &mut [u8]) {
    let element = plan.source().element_type();
    let are_bytes = [plan.source(), plan.destination()].iter().all(|side| side.element_bits() == 8);
    if are_bytes && element.bits() < 8 && element != ElementType::PRED {
        let mask = (1 << element.bits()) - 1;
        out.iter_mut().for_each(|byte| *byte &= mask);
    }
}

fn run(plan: &Plan, source: &[u8], out: &mut [u8], threads: usize) -> PyResult<()> {
    let to = plan.destination();
    let padding = match to.fill().and_then(|fill| fill.bits(to.element_type())) {
        Some(value) => Padding::Fill(value),
        None => Padding::Zero,
    };
    // The bits after the last element, where elements take less than a byte: the memory may be new.
    if to.element_bits() < 8
        && let Some(last) = out.last_mut()
    {
        *last = 0;
    }
    let threads = threads.min(out.len() / SHARE + 1);
    let longest = (out.len() / (threads * SHARES)).clamp(SHARE, MOST);
    // What is left; nothing if the copy ends early.
    let left = Mutex::new(Some((plan.parts(PIECE), out)));
    let next = |pieces: usize| {
        let mut left = left.lock().ok()?;
        let (parts, out) = left.as_mut()?;
        let mut parts = parts.by_ref().take(pieces);
        let Range { start, end } = parts.next()?;
        let end = parts.last().map_or(end, |last| last.end);
        let (share, after) = std::mem::take(out).split_at_mut(end - start);
        *out = after;
        Some((start..end, share))
    };
    let failed = Mutex::new(None);
    let fail = |error: PyErr| {
        if let (Ok(mut failed), Ok(mut left)) = (failed.lock(), left.lock()) {
            *failed = Some(error);
            *left = None;
        }
    };
    let work = |after_part: &mut dyn FnMut() -> PyResult<()>| {
        let mut pieces = 1;
        while let Some((part, share)) = next(pieces) {
            let (start, bytes) = (Instant::now(), part.len());
            let copied = plan.part(part).and_then(|part| part.run_bytes(source, share, padding));
            let copied = copied.map_err(refusal);
            clear_above(plan, share);
            if let Err(error) = copied.and_then(|()| after_part()) {
                fail(error);
            }
            let longest = (longest * pieces).checked_div(bytes).unwrap_or(1);
            pieces = paced(pieces, start.elapsed()).min(longest).max(1);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Where the system gives no more threads, the others do its work.
            let _ = thread::Builder::new().spawn_scoped(scope, || work(&mut || Ok(())));
        }
        let mut looked = Instant::now();
        work(&mut || {
            if looked.elapsed() < SIGNALS {
                return Ok(());
            }
            looked = Instant::now();
            Python::attach(|py| py.check_signals())
        });
    });
    failed.into_inner().unwrap_or_default().map_or(Ok(()), Err)
}

/// Pieces of the next part, by what the last one took.
fn paced(pieces: usize, took: Duration) -> usize {
    let faster = PART.as_secs_f64() / took.as_secs_f64().max(1e-9);
    (pieces as f64 * faster.min(2.0)) as usize
}
