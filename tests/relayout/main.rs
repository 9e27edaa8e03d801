//! Copies between layouts.

mod any_elements;
mod constant_layouts;
mod every_door;
mod every_path;
mod images;
mod kernel_code;
mod line_ends;
mod mapped;
#[cfg(any(unix, target_arch = "wasm32"))]
mod memory_is_not_overrun;
mod no_memory;
mod other_memory;
mod packed;
mod padding_is_written;
mod parts;
mod plans;
mod refusals;
