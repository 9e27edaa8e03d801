//! What `layout!` makes, and the code that the compiler makes of it.

mod codegen;
mod constant_sizes;
mod generic;
mod object_size;
mod of_every_size;
mod ptx;
mod related;
mod tables;
mod typed;
mod unoptimised;
