//! Layouts for other systems: functions as text, structs.

pub(crate) mod code;
mod pjrt;
