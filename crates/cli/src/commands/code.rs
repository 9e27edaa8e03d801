//! `layout code`.

use layout_formats::parse_any;

use crate::arguments::Code;
use crate::output::{Answer, Refusal};
use crate::shape;

pub(crate) fn code(arguments: &Code) -> Result<Answer, Refusal> {
    let shape = match &arguments.shape.dims.dims {
        Some(_) => shape::sized_words(&arguments.shape)?,
        None => parse_any::array(&arguments.shape.words.join(" "))?,
    };
    let code = layout_gpu::code::Code::of(&shape, arguments.language).name(&arguments.name);
    let text = match arguments.index_bits {
        Some(bits) => code.index_bits(bits),
        None => code,
    };
    Ok(Answer::yes(text.text()?.to_string()))
}
