//! Copies between layouts.

mod any_elements;
mod boxes;
mod constant_layouts;
mod every_door;
mod every_kernel;
mod every_path;
mod kernel_code;
mod layout_types;
mod no_memory;
mod other_memory;
mod packed;
mod padding_is_written;
mod plans;
mod refusals;
