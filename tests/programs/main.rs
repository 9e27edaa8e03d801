//! Memory, copies and advice of compiled programs, against what compilers said of them.

mod by_hand;
mod compilers;
mod devices;
mod forms;
mod growth;
mod report;
mod shardings;
