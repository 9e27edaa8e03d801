//! Layouts as other systems write them ([`notation`]), and as the orders of digits that all of
//! them are ([`digit_order`]).

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[macro_use]
extern crate layout_core;

pub mod digit_order;
pub mod notation;
