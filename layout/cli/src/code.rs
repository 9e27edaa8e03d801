//! `layout code`.

use layout_core::code::Language;

use crate::arguments::Code;
use crate::output::{Answer, Refusal};
use crate::shape;

pub(crate) fn code(arguments: &Code) -> Result<Answer, Refusal> {
    let shape = match &arguments.dims.dims {
        Some(_) => shape::sized(&arguments.shape, &arguments.dims)?,
        None => shape::array(&arguments.shape)?,
    };
    let code = shape.code(arguments.language).name(&arguments.name);
    let text = match arguments.index_bits {
        Some(bits) => code.index_bits(bits),
        None => code,
    };
    Ok(Answer::yes(text.text()?.to_string()))
}

/// A language by its name.
pub(crate) fn language(name: &str) -> Result<Language, String> {
    if let Some(language) = Language::from_name(name) {
        return Ok(language);
    }
    let translated = ["glsl", "hlsl", "spirv", "spir-v"];
    if translated.contains(&name.to_ascii_lowercase().as_str()) {
        return Err("ask for wgsl, which naga translates (`cargo install naga-cli`)".to_owned());
    }
    let names = Language::ALL.iter().map(|language| language.name().to_ascii_lowercase());
    Err(format!("expected one of {}", names.collect::<Vec<_>>().join(", ")))
}
