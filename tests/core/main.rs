//! Layouts as values.

mod bitcasts;
mod dependencies;
mod differential;
mod digit_orders;
mod errors;
mod exhaustive;
mod fills;
mod hlo;
mod named;
mod notation;
mod one_fault;
mod pallas;
mod paths;
mod picture;
mod properties;
mod rooms;
mod seeds;
mod tpu;
mod utilities;
mod verdicts;
mod wide;
mod worked;
