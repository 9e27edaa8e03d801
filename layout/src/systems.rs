//! Layouts for other systems: functions as text.

#[cfg(feature = "code")]
pub(crate) mod code;
