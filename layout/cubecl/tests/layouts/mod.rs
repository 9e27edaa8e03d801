//! Layouts of all kinds, small enough to look at every slot.

use layout::ArrayShape;

/// Layouts by hand: what a kernel may get wrong.
const BY_HAND: &[&str] = &[
    // No tiles: rank 0 to 5, and orders.
    "f32[]",
    "f32[7]{0}",
    "f32[3,5]{1,0}",
    "f32[3,5]{0,1}",
    "f32[2,3,4]{0,2,1}",
    "f32[2,3,4,5]{1,3,0,2}",
    "f32[2,1,3,2,4]{4,1,3,0,2}",
    "f32[1,1]{1,0}",
    "f32[1,9]{0,1}",
    // One level: exact and ragged.
    "f32[16,256]{1,0:T(8,128)}",
    "f32[10,150]{1,0:T(8,128)}",
    "f32[3,5]{1,0:T(2,2)}",
    "f32[3,5]{0,1:T(2,2)}",
    "f32[12,600]{1,0:T(6,100)}",
    "f32[13,250]{1,0:T(6,100)}",
    "f32[5,7,9]{2,1,0:T(2,4)}",
    "f32[5,7,9]{0,1,2:T(2,4)}",
    "f32[5,7,9]{1,0,2:T(2,3,4)}",
    "f32[130]{0:T(128)}",
    "f32[300]{0:T(256)}",
    "f32[2,100]{1,0:T(1024)}",
    "f32[4,5]{1,0:T(1,4)}",
    "f32[4,5]{1,0:T(4,1)}",
    "f32[1,5]{1,0:T(2,2)}",
    "f32[5]{0:T(2,4)}",
    "f32[]{:T(4)}",
    "f32[3,1,5]{2,1,0:T(8,4)}",
    // Several levels.
    "bf16[16,256]{1,0:T(8,128)(2,1)}",
    "bf16[10,150]{1,0:T(8,128)(2,1)}",
    "s8[40,150]{1,0:T(8,128)(4,1)}",
    "s8[33,70]{1,0:T(32,128)(4,1)}",
    "bf16[7,9]{1,0:T(4,4)(2,2)}",
    "bf16[7,9]{0,1:T(4,8)(2,1)(2,2)}",
    "s4[20,140]{1,0:T(8,128)(8,1)E(4)}",
    "bf16[9,11]{1,0:T(4,6)(2,4)}",
    "bf16[9,11]{1,0:T(6,8)(4,3)}",
    "f32[10,11]{1,0:T(5,6)(3,4)}",
    "f32[10,11]{1,0:T(4)(3)}",
    "f32[7,9]{1,0:T(3,2)(2,2)(2)}",
    // Combined dimensions.
    "f32[7,5]{1,0:T(*,3)}",
    "f32[2,3,4]{2,1,0:T(*,3,2)}",
    "f32[2,7,8]{2,1,0:T(*,2,3)}",
    "f32[2,3,4,5]{3,2,1,0:T(*,*,2,3)}",
    "f32[2,7,4,3]{3,2,1,0:T(*,*,2,*,3)}",
    "bf16[3,7,5]{2,1,0:T(*,4,2)(2,1)}",
    "bf16[3,7,5]{0,2,1:T(*,4,3)(3,2)}",
    "f32[5,6]{1,0:T(*,4)(3)}",
    "f32[6,10]{1,0:T(*,16)(*,4)}",
    // Padding of other kinds.
    "f32[3,5]{1,0:L(8)}",
    "f32[3,5]{1,0:T(2,2)L(16)}",
    "f32[7]{0:T(4)L(32)}",
    "f32[3,5]{1,0:PAD(4,7)}",
    "f32[3,5]{1,0:PAD(7,6)T(2,2)}",
    "f32[]{:L(4)}",
    // Bounded dimensions, and arrays without elements.
    "f32[<=3,5]{1,0:T(2,2)}",
    "f32[<=9]{0:T(4)}",
    "f32[0]{0}",
    "f32[0,5]{1,0:T(8,128)}",
    "f32[4,0,3]{2,1,0:T(2,2)L(8)}",
    // Above the rank for which there are tuples.
    "f32[2,2,2,2,2,2]{5,0,4,1,3,2:T(2,2)}",
    "f32[2,3,1,2,2,1,3]{6,5,4,3,2,1,0:T(2,2)(2,1)}",
];

/// Layouts to test: those by hand, and random ones.
pub(crate) fn layouts(random: usize) -> Vec<ArrayShape> {
    let mut layouts = Vec::new();
    for text in BY_HAND {
        match text.parse() {
            Ok(shape) => layouts.push(shape),
            Err(error) => panic!("{text}: {error}"),
        }
    }
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
