//! Layouts of all kinds, small enough to look at every slot.

use layout::ArrayShape;

/// Layouts to test: those by hand, and random ones.
pub(crate) fn layouts(random: usize) -> Vec<ArrayShape> {
    let by_hand = include_str!("by_hand.txt").lines();
    let by_hand = by_hand.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let by_hand =
        by_hand.map(|text| text.parse().unwrap_or_else(|error| panic!("{text}: {error}")));
    let mut layouts = by_hand.collect::<Vec<_>>();
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let all = layouts.len() + random;
    while layouts.len() < all {
        if let Some(shape) = numbers.shape() {
            layouts.push(shape);
        }
    }
    layouts
}

/// Random numbers (xorshift).
struct Numbers(u64);

impl Numbers {
    /// A number from `1..=most`.
    fn up_to(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % most + 1
    }

    fn list(&mut self, len: usize, mut item: impl FnMut(&mut Self) -> String) -> String {
        (0..len).map(|_| item(self)).collect::<Vec<_>>().join(",")
    }

    /// A random shape; `None` if it is not valid, or too large to look at every slot.
    fn shape(&mut self) -> Option<ArrayShape> {
        let rank = self.up_to(4);
        let dims = self.list(rank, |numbers| numbers.up_to(12).to_string());
        let mut order: Vec<_> = (0..rank).collect();
        for i in 1..rank {
            order.swap(i, self.up_to(i + 1) - 1);
        }
        let order: Vec<_> = order.iter().map(usize::to_string).collect();
        let mut tiles = String::new();
        for _ in 0..self.up_to(4) - 1 {
            let len = self.up_to(3);
            let tile = self.list(len, |numbers| match numbers.up_to(8) {
                8 => "*".into(),
                _ => [1, 2, 3, 4, 6, 8][numbers.up_to(6) - 1].to_string(),
            });
            tiles += &format!("({tile})");
        }
        let tiles = if tiles.is_empty() { tiles } else { format!(":T{tiles}") };
        let shape: ArrayShape =
            format!("f32[{dims}]{{{}{tiles}}}", order.join(",")).parse().ok()?;
        shape.padded_elements().filter(|&slots| slots <= 8192)?;
        Some(shape)
    }
}
