use layout::shape::Dim;
use layout::{ArrayShape, ElementType, Relayout};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Permutes the dimensions of an array's chunks, which are all of one shape.
pub struct Transpose {
    relayout: Relayout,
}

impl Transpose {
    /// `order` says which dimension of a chunk becomes the first, the second and so on; an element takes so many bytes.
    pub fn new(order: &[usize], chunk: &[u64], bytes: usize) -> Result<Transpose> {
        let dims: Vec<Dim> = chunk.iter().map(|&size| Dim::Static(size as usize)).collect();
        let rows = ArrayShape::new(ElementType::U8, &dims)?;
        let minor_to_major: Vec<usize> = order.iter().rev().copied().collect();
        let turned = rows.with_minor_to_major(&minor_to_major)?;
        Ok(Transpose { relayout: Relayout::with_element_bytes(&rows, &turned, bytes)? })
    }

    pub fn encode(&self, chunk: &[u8]) -> Result<Vec<u8>> {
        let mut turned = Vec::with_capacity(self.relayout.destination_bytes());
        let written = self.relayout.run_uninit(chunk, turned.spare_capacity_mut(), 0)?.len();
        // SAFETY: so many bytes have been written.
        unsafe { turned.set_len(written) };
        Ok(turned)
    }
}
