//! The road of a copy behind its door: what is copied to what, the two sides as data, the way that is chosen, and what runs it.
//!
//! `related` and `formats` say which places and which elements go together, `bits` is the road of elements narrower than a byte, `choose` the
//! only place that chooses, `run` does it; `pair`, `slots`, `padding` and `check` are what these are given. Each imports only from those after
//! it.

pub(crate) mod bits;
pub(crate) mod check;
pub(crate) mod choose;
pub(crate) mod formats;
pub(crate) mod padding;
pub(crate) mod pair;
pub(crate) mod related;
pub(crate) mod run;
pub(crate) mod slots;
