//! Values of arguments.

use std::num::ParseIntError;

use layout_core::Size;
use layout_core::tpu::Tpu;
use layout_gpu::code::Language;
use layout_hlo::Bytes;
use layout_hlo::pallas::BlockSize;
use layout_picture::Label;

/// A number of a list, which may have spaces around it.
pub(super) fn number(text: &str) -> Result<Size, ParseIntError> {
    text.trim().parse()
}

/// A size of a block.
pub(super) fn block_size(text: &str) -> Result<BlockSize, ParseIntError> {
    if text.trim() == "_" { Ok(BlockSize::Squeezed) } else { number(text).map(BlockSize::Blocked) }
}

pub(super) fn tpu(name: &str) -> Result<Tpu, String> {
    Tpu::from_name(name).ok_or_else(|| format!("expected one of {}", Tpu::NAMES))
}

pub(super) fn label(name: &str) -> Result<Label, String> {
    Label::from_name(name).ok_or_else(|| format!("expected one of {}", Label::NAMES))
}

/// The memory of a device.
pub(super) fn device(name: &str) -> Result<Bytes, String> {
    let names = || layout_hlo::device_names().collect::<Vec<_>>().join(", ");
    layout_hlo::device_bytes(name).ok_or_else(|| format!("expected one of {}", names()))
}

/// A share: `1%` or `0.01`.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(number) => (number, 0.01),
        None => (text, 1.0),
    };
    let share = number.trim().parse::<f64>().map(|number| number * unit);
    share.ok().filter(|it| *it >= 0.0).ok_or_else(|| "expected a share, as in `1%`".to_owned())
}

/// How much is compared.
pub(super) fn check(name: &str) -> Result<layout_files::Check, String> {
    match name {
        "all" => Ok(layout_files::Check::All),
        "sample" => Ok(layout_files::Check::Sample),
        _ => Err("expected `all` or `sample`".to_owned()),
    }
}

/// A language by its name.
pub(super) fn language(name: &str) -> Result<Language, String> {
    if let Some(language) = Language::from_name(name) {
        return Ok(language);
    }
    let translated = ["glsl", "hlsl", "spirv", "spir-v"];
    if translated.contains(&name.to_ascii_lowercase().as_str()) {
        return Err("ask for wgsl, which naga translates (`cargo install naga-cli`)".to_owned());
    }
    Err(format!("expected one of {}", Language::NAMES.to_ascii_lowercase()))
}
