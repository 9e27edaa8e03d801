//! Copies between layouts.

mod any_memory;
mod copies;
#[cfg(any(unix, target_arch = "wasm32"))]
mod guard_pages;
mod images;
mod kernel_code;
mod line_ends;
mod mapped;
mod no_memory;
mod packed_parts;
mod packed_rows;
mod packed_strided;
mod parts;
mod relayout;
mod relayout_typed;
mod relayout_values;
mod stride_loops;
mod strided;
