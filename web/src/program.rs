//! Compiled programs: what `layout hlo` says of them.

use layout_core::Visible;
use layout_core::tpu::Tpu;
use layout_hlo::{Bytes, Module, ReportOptions, device_bytes};
use serde_json::json;

use crate::refusal::{Refusal, answer};

/// Groups of arrays that are listed.
const MOST_GROUPS: usize = 60;

const NOT_TEXT: &str = "this is not text\n  = help: \
    a program is read as the text that `as_text()` gives, also compressed (.gz); \
    files of arrays (.npy, .safetensors, .gguf) are for the command: `layout convert`";

/// The text of a program, as the bytes of a file, and the memory of a device by its name.
pub fn program(bytes: &[u8], device: &str) -> String {
    let limit = device_bytes(device).map(|Bytes(bytes)| bytes);
    let room = limit.filter(|_| Tpu::from_name(device).is_none()).map(|limit| {
        let part = "three quarters of its memory, which JAX takes by default";
        format!("{device}: programs have {}, {part}", Bytes(limit))
    });
    let find = || {
        let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
        let text = text.ok_or(NOT_TEXT)?;
        let module = Module::parse(text.trim_start_matches('\u{feff}'))?;
        let memory = module.memory()?;
        let options = ReportOptions { top: MOST_GROUPS, limit, ..ReportOptions::default() };
        Ok::<_, Refusal>(json!({
            "name": Visible(module.name()).to_string(),
            "fits": limit.is_none_or(|limit| memory.hbm.allocated_bytes <= limit),
            "room": room,
            "report": memory.report(options),
            "tree": memory.report(ReportOptions { tree: true, ..options }),
            "svg": memory.svg(limit),
        }))
    };
    answer(find())
}
