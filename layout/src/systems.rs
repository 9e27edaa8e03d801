//! Layouts for other systems: functions as text, structs.

#[cfg(feature = "code")]
pub(crate) mod code;
#[cfg(feature = "notation")]
mod pjrt;
