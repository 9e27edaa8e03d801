//! The comment at the top: the layout, and what each function is for.

use crate::code::writer::Writer;

impl Writer<'_> {
    pub(crate) const fn header(&mut self) {
        self.str("// ");
        let text = self.shape.text();
        self.str(text.as_str());
        self.str("\n//\n");
        let has_slots = self.has_dynamic() && self.digits.size_amount().unknowns != 0;
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
        self.str("//\n// Offsets and sizes count elements of ");
        self.plain(self.shape.element_bits() as u64);
        self.str(" bits.");
        each!(for dim in 0..self.rank() {
            if self.is_dynamic(dim) {
                self.str(" n");
                self.plain(dim as u64);
                self.str(" is the size of dimension ");
                self.plain(dim as u64);
                self.str(".");
            }
        });
        self.str("\n");
    }

    /// A function and what it is for, in columns.
    const fn explain(&mut self, width: usize, function: &str, what: &str) {
        self.str("// ");
        self.named(function);
        each!(for _ in function.len()..width {
            self.str(" ");
        });
        self.str("  ");
        self.str(what);
        self.str("\n");
    }
}
