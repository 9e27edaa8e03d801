//! The comment at the top: the layout, and what each function is for.

use layout_core::base::text::Piece;

use crate::code::writer::{Writer, plain, size};

impl Writer<'_> {
    pub(crate) const fn header(&mut self) {
        let text = self.shape.text();
        say!(self, "// ", &text, "\n//\n");
        let has_slots = self.has_dynamic() && self.digits.size_amount().unknowns() != 0;
        let width = if has_slots { "_padded_elements" } else { "_is_padding" }.len();
        self.explain(width, "_offset", "the offset of an element; unspecified out of bounds");
        self.explain(width, "_index", "the element at an offset: whether there is one, and where");
        self.explain(width, "_in_bounds", "whether coordinates are those of an element");
        self.explain(width, "_is_padding", "whether a slot of memory holds no element");
        if self.has_dynamic() {
            self.explain(width, "_elements", "the number of elements");
            if has_slots {
                self.explain(width, "_padded_elements", "the number of slots, padding included");
            }
            let fits = "whether the layout takes these sizes: ask before anything else";
            self.explain(width, "_fits", fits);
        }
        let bits = plain(self.shape.element_bits());
        say!(self, "//\n// Offsets and sizes count elements of ", &bits, " bits.");
        each!(for dim in 0..self.rank() {
            if self.is_dynamic(dim) {
                let dimension = Piece::Numbered("dimension ", dim);
                say!(self, " ", size(dim), " is the size of ", dimension, ".");
            }
        });
        say!(self, "\n");
    }

    /// A function and what it is for, in columns.
    const fn explain(&mut self, width: usize, function: &str, what: &str) {
        say!(self, "// ", self.name, function);
        each!(for _ in function.len()..width {
            say!(self, " ");
        });
        say!(self, "  ", what, "\n");
    }
}
