//! Layouts as values.

mod bitcasts;
mod differential;
mod digit_orders;
mod errors;
mod exhaustive;
mod fills;
mod hlo;
mod notation;
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
