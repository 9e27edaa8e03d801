//! What the benchmark `relayout` is made of: contestants, their timing, and its report.

pub mod machine;
pub mod peers;
pub mod reference;
pub mod report;
pub mod timing;
