//! Views as views of other layouts, where the compiler proves that no element moves.

mod methods;
mod reshape;
mod same;
mod stays;
mod transpose;
