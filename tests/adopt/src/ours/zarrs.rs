use layout::copies::Placed;
use layout::shape::Dim;
use layout::{ArrayShape, ElementType, Plan};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Permutes the dimensions of an array's chunks, which are all of one shape.
pub struct Transpose {
    plan: Plan,
}

impl Transpose {
    /// `order` says which dimension of a chunk becomes the first, the second and so on; an element takes so many bytes.
    pub fn new(order: &[usize], chunk: &[u64], bytes: usize) -> Result<Transpose> {
        let dims: Vec<Dim> = chunk.iter().map(|&size| Dim::Static(size as usize)).collect();
        let rows = ArrayShape::new(ElementType::U8, &dims)?;
        let minor_to_major: Vec<usize> = order.iter().rev().copied().collect();
        let turned = rows.with_minor_to_major(&minor_to_major)?;
        let rows = Placed::from(&rows).element_bytes(bytes);
        Ok(Transpose { plan: Plan::between(rows, &turned)? })
    }

    pub fn encode(&self, chunk: &[u8]) -> Result<Vec<u8>> {
        let mut turned = Vec::new();
        self.plan.run_bytes(chunk, &mut turned, 0)?;
        Ok(turned)
    }
}
