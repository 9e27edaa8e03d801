//! Tags of letters and blocks: oneDNN's `nChw16c` and TVM's `NCHW16c`.

mod letters;
mod onednn;
mod tvm;

pub(super) use onednn::BLOCKED;
pub use onednn::OneDnn;
pub use tvm::Tvm;

use crate::digit_order::DigitOrder;
use crate::digit_order::NotExpressible;
use crate::notation::tag::letters::{DimNames, LETTERS};
use layout_core::ArrayShape;

/// What both kinds of tags have.
macro_rules! tag {
    ($tag:ident { $($named:ident: $unnamed:expr)?; $($more:ident: $none:expr),* }) => {
        impl $tag {
            /// The tag of the layout, with letters from `a` on.
            ///
            /// # Errors
            /// If the layout is not an order of digits for every size, or `L` adds slots.
            pub fn of(shape: &ArrayShape) -> Result<$tag, NotExpressible> {
                if shape.tail_padding_alignment() != 1 {
                    return Err(NotExpressible::Tail);
                }
                let order = DigitOrder::of(shape)?;
                let names = DimNames::of(&LETTERS[..order.rank()]);
                let names = names.ok_or(NotExpressible::Names { names: 0, rank: order.rank() })?;
                Ok($tag { order, names: names.checked(&order)?, $($named: $unnamed,)? $($more: $none),* })
            }

            /// The order of the tag's digits, for every size.
            pub fn digit_order(&self) -> &DigitOrder {
                &self.order
            }

            /// Replaces the letters of the dimensions, in lower case, dimension 0 first.
            ///
            /// # Errors
            /// If the names are not as many as there are dimensions, or not different letters.
            pub fn with_names(mut self, names: &str) -> Result<Self, NotExpressible> {
                let error = NotExpressible::Names { names: names.len(), rank: self.order.rank() };
                self.names = DimNames::of(names).ok_or(error)?.checked(&self.order)?;
                $(self.$named = $unnamed;)?
                Ok(self)
            }
        }
    };
}

tag! { OneDnn { misnamed: None; strides: None, element_bits: None } }
tag! { Tvm {;} }
