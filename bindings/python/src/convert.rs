//! Converting files.

use std::fmt::Display;
use std::path::PathBuf;

use layout_files::{Change, Check, Conversion, Error, Format, Message, Share, Tensor, TensorFile};
use pyo3::prelude::*;

use crate::error::{argument, of_file, refused};
use crate::layout::{Layout, Said, generation};

/// What helps where a layout does not go with one of the tensors.
const ONE_OF_SEVERAL: &str = "a layout is for each tensor of the file: a function as `to` answers `None` for those that stay as they are";

/// Who says the layout of a tensor in the new file.
enum To<'py> {
    Tpu(layout::tpu::Tpu),
    Said(Said),
    /// Called with the name and the layout; `None` leaves the tensor as it is.
    Function(Bound<'py, PyAny>),
    /// It is row-major; packed elements stay packed.
    Nobody,
}

impl To<'_> {
    fn change(
        &self,
        file: &TensorFile,
        tensor: &Tensor,
        from: Option<&Said>,
    ) -> PyResult<Option<Change>> {
        let is_one_for_all = file.tensors().len() > 1 && !matches!(self, To::Function(_));
        let of_several = |why: Message| match is_one_for_all {
            true => why.with_help(ONE_OF_SEVERAL),
            false => why,
        };
        let (path, name) = (file.path(), tensor.name());
        let refuse =
            |why: &dyn Display| of_file(Error::layout(path, name, of_several(Message::new(why))));
        let own = file.layout(tensor);
        let from = match from {
            Some(from) => from.layout(own.as_ref().ok()).map_err(|error| refuse(&error)),
            None => own.map_err(|why| of_file(Error::source_layout(path, name, of_several(why)))),
        };
        let from = match (self, from) {
            (To::Function(_), Err(_)) => return Ok(None),
            (_, from) => from?,
        };
        let said = |said: &Said| said.layout(Some(&from)).map_err(|error| refuse(&error));
        let to = match self {
            To::Said(to) => said(to)?,
            To::Tpu(tpu) => from.with_default_layout(*tpu).map_err(|error| refuse(&error))?,
            To::Function(function) => {
                let to = function.call1((name, Layout::from(from)))?;
                if to.is_none() {
                    return Ok(None);
                }
                said(&Said::new(&to)?)?
            }
            To::Nobody => {
                let to = from.without_layout();
                let to = to.and_then(|to| to.with_packed_elements(from.element_bits() < 8));
                to.map_err(|error| refuse(&error))?
            }
        };
        Ok(Some(Change::new(from, to)))
    }
}

/// Converts the layouts of tensors in a file: see `tiled_layout.convert`.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "they are named in Python")]
pub(crate) fn convert(
    py: Python<'_>,
    source: PathBuf,
    target: PathBuf,
    to: Option<Bound<'_, PyAny>>,
    from: Option<Bound<'_, PyAny>>,
    #[pyo3(from_py_with = argument)] tpu: Option<&str>,
    #[pyo3(from_py_with = argument)] part: Option<(i64, i64)>,
    check: &Bound<'_, PyAny>,
    truncate: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<()> {
    let check = match check.extract::<&str>() {
        Ok("sample") => Some(Check::Sample),
        Ok(other) => {
            return Err(refused(
                format!("there is no check `{other}`"),
                "`check=True` compares every element, `check=\"sample\"` some",
            ));
        }
        Err(_) => check.is_truthy()?.then_some(Check::All),
    };
    let to = match (to, tpu) {
        (None, None) => from.is_some().then_some(To::Nobody),
        (None, Some(tpu)) => Some(To::Tpu(generation(tpu)?)),
        (Some(_), Some(_)) => {
            return Err(refused("`to` and `tpu` both say the layouts", "give one of them"));
        }
        (Some(to), None) => Some(match to.is_callable() {
            true => To::Function(to),
            false => To::Said(Said::new(&to)?),
        }),
    };
    let from = from.as_ref().map(Said::new).transpose()?;
    let share = match part {
        None => Share::WHOLE,
        Some((number, count)) => {
            let share = u32::try_from(number).ok().zip(u32::try_from(count).ok());
            share.and_then(|(number, count)| Share::new(number, count)).ok_or_else(|| {
                refused(
                    format!("there is no part {number} of {count}"),
                    "parts are counted from 1: `part=(2, 16)`",
                )
            })?
        }
    };
    let file = TensorFile::open(&source).map_err(of_file)?;
    let format = Format::of_path(&target);
    // An exception of the function ends the planning.
    let mut raised = None;
    let conversion = match &to {
        None => Conversion::back(&file, format),
        Some(to) => Conversion::new(&file, format, |tensor| {
            let change = to.change(&file, tensor, from.as_ref());
            let truncated = |change: Change| if truncate { change.truncated() } else { change };
            change.map(|change| change.map(truncated)).map_err(|error| {
                raised = Some(error);
                Error::layout(file.path(), tensor.name(), "an exception")
            })
        }),
    };
    if let Some(error) = raised {
        return Err(error);
    }
    let conversion = conversion.map_err(|error| of_file(error.with_target(&target)))?;
    if to.is_none() && conversion.is_idle() {
        return Err(refused(
            format!(
                "{}: no conversion of it is left to undo, and the target has the same format",
                source.display()
            ),
            "`tpu` or `to` says the layouts in the target",
        ));
    }
    let work = |done: &mut (dyn FnMut(u64) + Send)| match check {
        Some(check) => {
            conversion.write_checked(&target, share, check, &mut |bytes| done(bytes)).map(drop)
        }
        None => conversion.write(&target, share, &mut |bytes| done(bytes)),
    };
    let bytes = conversion.bytes() / u64::from(share.count());
    let bytes = bytes.saturating_mul(if check.is_some() { 2 } else { 1 });
    reporting(py, bytes, progress, work)
}

/// Makes one file of all its parts, given in any order: see `tiled_layout.join`.
#[pyfunction]
pub(crate) fn join(
    py: Python<'_>,
    parts: Vec<PathBuf>,
    target: PathBuf,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<()> {
    let lengths = parts.iter().filter_map(|part| std::fs::metadata(part).ok());
    let bytes = lengths.map(|found| found.len()).sum();
    reporting(py, bytes, progress, |done| {
        layout_files::join(&parts, &target, &mut |bytes| done(bytes))
    })
}

/// Does work while other threads of Python run, and calls `progress` with the bytes done and those of all. If it raises, it
/// is not called again, and the exception is raised after the work.
fn reporting(
    py: Python<'_>,
    bytes: u64,
    progress: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&mut (dyn FnMut(u64) + Send)) -> Result<(), Error> + Send,
) -> PyResult<()> {
    let mut progress = progress.map(Bound::unbind);
    let (mut sum, mut raised) = (0, None);
    let mut report = |step: u64| {
        sum = bytes.min(sum + step);
        let Some(call) = &progress else { return };
        if let Err(error) = Python::attach(|py| call.call1(py, (sum, bytes))) {
            raised = Some(error);
            progress = None;
        }
    };
    let written = py.detach(|| {
        work(&mut report)?;
        // What is not compared has no step.
        report(bytes);
        Ok(())
    });
    written.map_err(of_file)?;
    raised.map_or(Ok(()), Err)
}
