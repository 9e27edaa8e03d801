//! `layout convert`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use layout_core::{ArrayShape, Message, Visible};
use layout_files::{
    Argument, Change, Check, Conversion, Coverage, Error, ErrorKind, Format, Share, Sidecar,
    Tensor, TensorChange, TensorFile,
};
use layout_formats::parse_any;

use crate::arguments::Convert;
use crate::output::{Answer, Refusal};

/// Names that a message lists.
const MOST_NAMES: usize = 5;

pub(crate) fn convert(arguments: &Convert) -> Result<Answer, Refusal> {
    if arguments.join {
        return join(&arguments.inputs, &arguments.output);
    }
    let [input] = &arguments.inputs[..] else {
        let what = "one file is converted to one OUT";
        return Err(Refusal::new(what, "`--join` makes OUT of shares"));
    };
    for path in [input, &arguments.output] {
        refuse_name(path)?;
    }
    let file = TensorFile::open(input)?;
    for pattern in &arguments.tensors {
        if !file.tensors().iter().any(|tensor| matches(pattern, tensor.name())) {
            let names = file.tensors().iter().map(|tensor| format!("`{}`", Visible(tensor.name())));
            let rest = file.tensors().len().saturating_sub(MOST_NAMES);
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            let names = names.take(MOST_NAMES).collect::<Vec<_>>().join(", ");
            return Err(Refusal::new(
                format!("no tensor of the file is called `{}`", Visible(pattern)),
                format!("it has {names}{more}; `*` stands for any characters"),
            ));
        }
    }
    let format = Format::of_path(&arguments.output);
    let is_asked = is_asked(arguments);
    let mut undo = match is_asked {
        true => HashMap::new(),
        false => file.undo(|tensor| is_chosen(arguments, tensor)).map_err(worded)?,
    };
    let conversion = Conversion::new(&file, format, |tensor| {
        if !is_chosen(arguments, tensor) {
            return Ok(None);
        }
        let change = match is_asked {
            true => change(arguments, &file, tensor)?,
            false => undo.remove(tensor.name()).unwrap_or(Change::NONE),
        };
        Ok(Some(if arguments.truncate { change.truncated() } else { change }))
    });
    let conversion = conversion.map_err(|error| worded(error.with_target(&arguments.output)))?;
    if !is_asked && conversion.is_idle() {
        return Err(nothing(&file, input));
    }
    if arguments.dry_run {
        return Ok(Answer::yes(summary(&conversion, &arguments.output) + "nothing is written\n"));
    }
    let share = arguments.part.unwrap_or(Share::WHOLE);
    let bytes = conversion.bytes() / u64::from(share.count());
    if arguments.check_only {
        return check(&conversion, &arguments.output, arguments.check.unwrap_or(Check::All));
    }
    let bar = bar(bytes.saturating_mul(if arguments.check.is_some() { 2 } else { 1 }));
    let mut progress = |bytes| bar.inc(bytes);
    let written = match arguments.check {
        Some(check) => conversion
            .write_checked(&arguments.output, share, check, &mut progress)
            .map(|checked| compared(check, checked)),
        None => conversion.write(&arguments.output, share, &mut progress).map(|()| String::new()),
    };
    bar.finish_and_clear();
    let compared = written.map_err(worded)?;
    let is_whole = arguments.part.is_none();
    let summary = if is_whole { summary(&conversion, &arguments.output) } else { String::new() };
    Ok(Answer::yes(summary + &compared))
}

/// Compares a file that was written before.
fn check(conversion: &Conversion<'_>, path: &Path, check: Check) -> Result<Answer, Refusal> {
    let bar = bar(conversion.bytes());
    let checked = conversion.check(path, check, &mut |bytes| bar.inc(bytes));
    bar.finish_and_clear();
    match checked {
        Ok(checked) => Ok(Answer::yes(summary(conversion, path) + &compared(check, checked))),
        Err(error) => match error.kind() {
            ErrorKind::Check(_) => Ok(Answer { text: format!("{error}\n"), is_yes: false }),
            _ => Err(worded(error)),
        },
    }
}

/// What a check looked at.
fn compared(check: Check, Coverage { values, of, .. }: Coverage) -> String {
    let how = match check {
        _ if values == of => return format!("compared: all {of} values, padding included\n"),
        Check::Sample => {
            "131072 random elements of each converted tensor, most of them near its ends, the same ones in each run, and what lies around each MiB"
        }
        Check::All => "",
    };
    format!("compared: {values} of {of} values: {how}\n")
}

/// A line for each tensor that changes, and the bytes of the files.
fn summary(conversion: &Conversion<'_>, path: &Path) -> String {
    let mut text = String::new();
    let mut converted = 0;
    for TensorChange { tensor, layouts, bytes, .. } in conversion.tensors() {
        let Some([from, to]) = layouts else { continue };
        converted += 1;
        let (name, before) = (Visible(tensor.name()), tensor.bytes());
        let _ = writeln!(text, "{name}: {from} to {to}, {before} to {bytes} bytes");
    }
    let copied = conversion.tensors().count() - converted;
    let (path, bytes) = (crate::file::name(path), conversion.bytes());
    let _ = writeln!(text, "{path}: {converted} converted, {copied} copied, {bytes} bytes");
    text
}

/// Makes a file of its shares.
fn join(shares: &[PathBuf], path: &Path) -> Result<Answer, Refusal> {
    let lengths = shares.iter().filter_map(|share| fs::metadata(share).ok());
    let bar = bar(lengths.map(|found| found.len()).sum());
    let joined = layout_files::join(shares, path, &mut |bytes| bar.inc(bytes));
    bar.finish_and_clear();
    joined?;
    Ok(Answer::yes(String::new()))
}

/// Why an undo would only copy the file.
fn nothing(file: &TensorFile, path: &Path) -> Refusal {
    let name = crate::file::name(path);
    let (why, help) = match file.sidecar() {
        None => (
            "it has no record of layouts",
            format!(
                "`--to` or `--tpu` says the layouts in OUT; the way back needs `{}`",
                crate::file::name(&Sidecar::path(path))
            ),
        ),
        Some(_) => (
            "no conversion of it is left to undo",
            "an OUT of another format holds what this one cannot: element types, dimensions, names"
                .to_owned(),
        ),
    };
    let what = format!("{name}: nothing to convert: {why}, and OUT has the same format");
    Refusal::new(what, help)
}

fn is_chosen(arguments: &Convert, tensor: &Tensor) -> bool {
    let patterns = &arguments.tensors;
    patterns.is_empty() || patterns.iter().any(|pattern| matches(pattern, tensor.name()))
}

fn change(arguments: &Convert, file: &TensorFile, tensor: &Tensor) -> Result<Change, Error> {
    let Convert { from, to, tpu, tensors, .. } = arguments;
    let of_several = |why: Message| match tensors.is_empty() && file.tensors().len() > 1 {
        true => {
            why.with_help("a layout is for each tensor of the file: `--tensor NAME` chooses some")
        }
        false => why,
    };
    let (path, name) = (file.path(), tensor.name());
    let refuse = |Refusal(why)| Error::layout(path, name, of_several(why));
    let own = file.layout(tensor);
    let from = match (from, own) {
        (Some(from), Ok(own)) => parse_any::layout(from, &own).map_err(|why| refuse(why.into()))?,
        (Some(from), Err(_)) => parse_any::array(from).map_err(|why| refuse(why.into()))?,
        (None, own) => own.map_err(|why| Error::source_layout(path, name, of_several(why)))?,
    };
    let to = match (to, tpu) {
        (Some(to), _) => parse_any::layout(to, &from).map_err(Refusal::from),
        (None, Some(tpu)) => from.with_default_layout(*tpu).map_err(Refusal::from),
        (None, None) => row_major(&from),
    };
    Ok(Change::new(from, to.map_err(refuse)?))
}

/// An error, with what the command calls the argument that its help is about.
fn worded(error: Error) -> Refusal {
    Refusal(error.worded(|argument| match argument {
        Argument::From => "`--from`",
        Argument::To => "`--to`",
        Argument::Tensors => "`--tensor NAME`",
        Argument::Truncate => "`--to`, `--truncate`",
        _ => "the arguments",
    }))
}

/// Whether the arguments say a layout.
fn is_asked(arguments: &Convert) -> bool {
    arguments.from.is_some() || arguments.to.is_some() || arguments.tpu.is_some()
}

/// A name that someone would not give a file of raw bytes, which it would be.
fn refuse_name(path: &Path) -> Result<(), Refusal> {
    const OTHERS: [&str; 9] =
        ["npz", "pt", "pth", "ckpt", "h5", "hdf5", "onnx", "msgpack", "parquet"];
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let (what, help) = match extension.to_ascii_lowercase().as_str() {
        "" if path == Path::new("-") => (
            "the standard input and output are not read and written: a file is mapped, and replaced when it is whole",
            "name a file; one that is called so is `./-`",
        ),
        other if OTHERS.contains(&other) => (
            "this format is neither read nor written",
            "`.safetensors` and `.npy` are, which its programs save and load; raw bytes are `.bin`",
        ),
        _ => return Ok(()),
    };
    Err(Refusal::new(format!("{}: {what}", Visible(&path.display().to_string())), help))
}

/// Packed elements stay packed.
fn row_major(from: &ArrayShape) -> Result<ArrayShape, Refusal> {
    Ok(from.without_layout()?.with_packed_elements(from.element_bits() < 8)?)
}

/// Bytes that are written, on a terminal; elsewhere nothing is shown.
fn bar(bytes: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
    );
    let bar = ProgressBar::new(bytes);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Whether a name fits a pattern, in which `*` stands for any characters and `?` for one.
fn matches(pattern: &str, name: &str) -> bool {
    let name = name.chars().collect::<Vec<_>>();
    // Whether the pattern so far fits the beginning of the name that has this length.
    let mut fits = vec![false; name.len() + 1];
    fits[0] = true;
    for c in pattern.chars() {
        if c == '*' {
            let shortest = fits.iter().position(|fits| *fits).unwrap_or(fits.len());
            fits[shortest..].fill(true);
        } else {
            for (at, own) in name.iter().enumerate().rev() {
                fits[at + 1] = fits[at] && (c == '?' || c == *own);
            }
            fits[0] = false;
        }
    }
    fits[name.len()]
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns() {
        for (pattern, name, expected) in [
            ("model.layers.*.weight", "model.layers.0.mlp.weight", true),
            ("model.layers.*.weight", "model.layers.0.mlp.bias", false),
            ("*", "", true),
            ("", "a", false),
            ("a*", "a", true),
            ("?b*b", "abab", true),
            ("?b*b", "aba", false),
            ("*a*a*", "ba", false),
            ("params['w']", "params['w']", true),
            ("é?", "éé", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
