//! Tiling done literally: an array of element numbers is transposed, padded, reshaped and
//! transposed again. No index formula anywhere.

use layout::__private::core::native;
use layout::ArrayShape;
use layout::shape::{Size, TileDim};

use crate::lists::{dims, list};

/// A layout, as plain lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Naive {
    /// Sizes, dimension 0 first.
    pub dims: Vec<Size>,
    /// Dimensions, the most minor first.
    pub minor_to_major: Vec<usize>,
    /// Padded widths, dimension 0 first.
    pub padded: Option<Vec<Size>>,
    /// Tiles; `None` is a `*`.
    pub tiles: Vec<Vec<Option<Size>>>,
    /// `L(n)`.
    pub tail_alignment: Size,
    /// The swizzle of elements: how many bits, from which on, and how far below the bits that they are XORed with.
    pub swizzle: Option<(u32, u32, i32)>,
}

/// An array of element numbers, the last dimension fastest; `None` is padding.
#[derive(Clone, Debug)]
pub struct Data {
    /// Sizes.
    pub dims: Vec<Size>,
    /// In row-major order.
    pub slots: Vec<Option<Size>>,
}

impl Naive {
    /// A layout of an order and tiles.
    pub fn new(dims: &[Size], minor_to_major: &[usize], tiles: &[&[Option<Size>]]) -> Naive {
        let (dims, minor_to_major) = (dims.to_vec(), minor_to_major.to_vec());
        let tiles = tiles.iter().map(|tile| tile.to_vec()).collect();
        Naive { dims, minor_to_major, padded: None, tiles, tail_alignment: 1, swizzle: None }
    }

    /// What stands in memory: in each slot the row-major number of its element.
    pub fn memory(&self) -> Vec<Option<Size>> {
        self.stages().pop().map_or_else(Vec::new, |memory| memory.slots)
    }

    /// The way from the array to memory: the array in its order, with `PAD`, for each tile padded, reshaped and transposed, with
    /// `L` if that pads it, and after the swizzle.
    pub fn stages(&self) -> Vec<Data> {
        let major_to_minor = self.minor_to_major.iter().rev().copied().collect::<Vec<_>>();
        let array = Data::numbered(&self.dims);
        let mut stages = vec![array.transpose(&major_to_minor)];
        if let Some(widths) = &self.padded {
            stages.push(array.resized(widths).transpose(&major_to_minor));
        }
        for tile in &self.tiles {
            let tiled = stages[stages.len() - 1].tile(tile);
            stages.extend(tiled);
        }
        let last = &stages[stages.len() - 1];
        let slots = last.slots.len().next_multiple_of(native(self.tail_alignment.max(1)));
        if slots > last.slots.len() {
            let mut padded = Data { dims: vec![slots as Size], slots: last.slots.clone() };
            padded.slots.resize(slots, None);
            stages.push(padded);
        }
        let Some((bits, base, shift)) = self.swizzle.filter(|(bits, ..)| *bits > 0) else {
            return stages;
        };
        let last = &stages[stages.len() - 1];
        let mut swizzled = last.clone();
        for (linear, element) in last.slots.iter().enumerate() {
            let mut slot = linear;
            for bit in base..base + bits {
                // The bit that is exchanged, and the one that it is XORed with.
                let (to, from) = if shift > 0 {
                    (bit, bit + shift.unsigned_abs())
                } else {
                    (bit + shift.unsigned_abs(), bit)
                };
                if linear.checked_shr(from).unwrap_or(0) & 1 == 1 {
                    slot ^= 1 << to;
                }
            }
            swizzled.slots[slot] = *element;
        }
        stages.push(swizzled);
        stages
    }

    /// Elements in memory, or `None` if that is more than `limit`, without making them.
    pub fn size_within(&self, limit: Size) -> Option<Size> {
        let mut dims = self.minor_to_major.iter().rev().map(|&dim| match &self.padded {
            Some(widths) => widths[dim],
            None => self.dims[dim],
        });
        let mut bounds = dims.by_ref().collect::<Vec<_>>();
        for tile in &self.tiles {
            let (mut combined, sizes) = combine(&bounds, tile);
            let first = combined.len() - sizes.len();
            for (bound, size) in combined[first..].iter_mut().zip(&sizes) {
                *bound = bound.div_ceil(*size);
            }
            combined.extend(sizes);
            bounds = combined;
            let size = bounds.iter().try_fold(1 as Size, |product, bound| {
                product.checked_mul((*bound).max(1)).filter(|product| *product <= limit)
            });
            size?;
        }
        Some(bounds.iter().product::<Size>()).filter(|size| *size <= limit)
    }

    /// The layout of an array whose sizes are these.
    ///
    /// # Panics
    /// If the swizzle takes elements apart, which no array's does.
    pub fn of(shape: &ArrayShape, dims: &[Size]) -> Naive {
        let entry = |dim: &TileDim| match dim {
            TileDim::Size(size) => Some(*size),
            TileDim::Combined => None,
        };
        Naive {
            dims: dims.to_vec(),
            minor_to_major: shape.minor_to_major().to_vec(),
            padded: shape.padded_dimensions().map(<[_]>::to_vec),
            tiles: shape.tiles().iter().map(|tile| tile.iter().map(entry).collect()).collect(),
            tail_alignment: shape.tail_padding_alignment(),
            swizzle: Some(shape.swizzle()).filter(|swizzle| !swizzle.is_none()).map(|swizzle| {
                let swizzle = swizzle.on_elements(shape.element_bits()).expect("whole elements");
                (swizzle.bits().into(), swizzle.base().into(), swizzle.shift().into())
            }),
        }
    }

    /// The canonical text with that element type.
    pub fn text(&self, element: &str) -> String {
        self.text_with(element, "", |_, size| size.to_string())
    }

    /// The same with one more property, and something else in the place of some sizes.
    pub fn text_with(
        &self,
        element: &str,
        property: &str,
        size: impl Fn(usize, Size) -> String,
    ) -> String {
        let mut properties = String::new();
        if let Some(widths) = &self.padded {
            properties += &format!("PAD({})", list(widths));
        }
        if !self.tiles.is_empty() {
            properties.push('T');
        }
        for tile in &self.tiles {
            let sizes = tile.iter().map(|entry| match entry {
                Some(entry) => entry.to_string(),
                None => "*".to_owned(),
            });
            properties += &format!("({})", sizes.collect::<Vec<_>>().join(","));
        }
        if self.tail_alignment > 1 {
            properties += &format!("L({})", self.tail_alignment);
        }
        properties += property;
        let layout = match (self.dims.is_empty(), properties.is_empty()) {
            (true, true) => String::new(),
            (_, true) => format!("{{{}}}", list(&self.minor_to_major)),
            (_, false) => format!("{{{}:{properties}}}", list(&self.minor_to_major)),
        };
        let dims = self.dims.iter().enumerate().map(|(dim, &dim_size)| size(dim, dim_size));
        let swizzle = self
            .swizzle
            .map(|(bits, base, shift)| format!(", swizzle = elements<{bits},{base},{shift}>"));
        let dims = dims.collect::<Vec<_>>().join(",");
        format!("{element}[{dims}]{layout}{}", swizzle.unwrap_or_default())
    }

    /// Every index, in row-major order.
    pub fn indices(&self) -> impl Iterator<Item = Vec<Size>> + '_ {
        every_index(&self.dims)
    }
}

/// Every tile of one to `longest` entries up to `size`, with every placing of stars.
pub fn tiles(longest: usize, size: Size) -> Vec<Vec<Option<Size>>> {
    let mut all = (1..=size).map(|last| vec![Some(last)]).collect::<Vec<_>>();
    let mut longer = all.clone();
    for _ in 1..longest {
        let entries = || (1..=size).map(Some).chain([None]);
        let with_entry = |tile: &Vec<_>| {
            entries().map(|entry| [&[entry], &tile[..]].concat()).collect::<Vec<_>>()
        };
        longer = longer.iter().flat_map(with_entry).collect();
        all.extend_from_slice(&longer);
    }
    all
}

/// The index of a row-major number.
pub fn unflatten(mut number: Size, dims: &[Size]) -> Vec<Size> {
    let mut index = vec![0; dims.len()];
    for (coordinate, dim) in index.iter_mut().zip(dims).rev() {
        *coordinate = number % dim;
        number /= dim;
    }
    index
}

/// Every index of an array of these sizes, in row-major order.
pub fn every_index(dims: &[Size]) -> impl Iterator<Item = Vec<Size>> + '_ {
    (0..dims.iter().product()).map(|number| unflatten(number, dims))
}

/// The same of arrays of a rank.
pub fn indices<const R: usize>(dims: [usize; R]) -> impl Iterator<Item = [usize; R]> {
    (0..dims.iter().product()).map(move |mut number: usize| {
        let mut index = [0; R];
        for dim in (0..R).rev() {
            (index[dim], number) = (number % dims[dim], number / dims[dim]);
        }
        index
    })
}

/// The slot of each element of a memory, in row-major order.
pub fn slots(memory: &[Option<Size>]) -> Vec<usize> {
    let mut slots = vec![0; memory.iter().flatten().count()];
    for (slot, number) in memory.iter().enumerate() {
        if let Some(number) = number {
            slots[native(*number)] = slot;
        }
    }
    slots
}

/// The offsets of all elements in row-major order, as the library has them.
///
/// # Panics
/// If a size is unknown, or if a checked offset is another one or is not led back to its element.
pub fn offsets(shape: &ArrayShape) -> Vec<Size> {
    let (dims, digits) = (dims(shape), shape.digits().expect("the sizes are known"));
    let offset = |number| {
        let index = unflatten(number, &dims);
        let offset = digits.offset_unchecked(&index);
        assert_eq!(digits.offset(&index), Some(offset), "{shape} {index:?}");
        assert_eq!(digits.index(offset).as_deref(), Some(&*index), "{shape} {offset}");
        offset
    };
    (0..dims.iter().product()).map(offset).collect()
}

/// In each slot the row-major number of its element, as the library has it.
///
/// # Panics
/// As [`offsets`], and if two elements have one slot.
pub fn memory(shape: &ArrayShape) -> Vec<Option<Size>> {
    let mut memory = vec![None; native(shape.padded_elements().expect("the sizes are known"))];
    for (number, slot) in (0..).zip(offsets(shape)) {
        assert_eq!(memory[native(slot)].replace(number), None, "{shape}");
    }
    memory
}

/// The same as [`unflatten`] in numbers of the target.
pub fn unflatten_native(number: usize, dims: &[usize]) -> Vec<usize> {
    let dims = dims.iter().map(|&size| size as Size).collect::<Vec<_>>();
    unflatten(number as Size, &dims).into_iter().map(native).collect()
}

/// Numbers of the target as sizes.
pub fn sizes(numbers: &[usize]) -> Vec<Size> {
    numbers.iter().map(|&number| number as Size).collect()
}

/// The row-major number of an index.
pub fn flatten(index: &[Size], dims: &[Size]) -> Size {
    index.iter().zip(dims).fold(0, |number, (coordinate, dim)| number * dim + coordinate)
}

/// The bounds with each `*` joined to its neighbour, and the sizes that are left of the tile.
fn combine(dims: &[Size], tile: &[Option<Size>]) -> (Vec<Size>, Vec<Size>) {
    let mut dims = dims.to_vec();
    while dims.len() < tile.len() {
        dims.insert(0, 1);
    }
    let mut combined = dims[..dims.len() - tile.len()].to_vec();
    let mut factor = 1;
    for (dim, size) in dims[dims.len() - tile.len()..].iter().zip(tile) {
        factor *= dim;
        if size.is_some() {
            combined.push(factor);
            factor = 1;
        }
    }
    (combined, tile.iter().filter_map(|size| *size).collect())
}

impl Data {
    /// Each element with its row-major number.
    pub fn numbered(dims: &[Size]) -> Data {
        Data { dims: dims.to_vec(), slots: (0..dims.iter().product()).map(Some).collect() }
    }

    /// The array with an element of this one at each index, or padding.
    pub fn map(&self, dims: &[Size], of: impl Fn(&[Size]) -> Vec<Size>) -> Data {
        let at = |slot| {
            let index = of(&unflatten(slot, dims));
            let is_inside = index.iter().zip(&self.dims).all(|(coordinate, dim)| coordinate < dim);
            if is_inside { self.slots[native(flatten(&index, &self.dims))] } else { None }
        };
        Data { dims: dims.to_vec(), slots: (0..dims.iter().product()).map(at).collect() }
    }

    /// Dimension `i` of the result is dimension `permutation[i]`.
    pub fn transpose(&self, permutation: &[usize]) -> Data {
        let dims = permutation.iter().map(|&dim| self.dims[dim]).collect::<Vec<_>>();
        self.taken(&dims, permutation)
    }

    /// The array cut or padded to these sizes.
    pub fn resized(&self, dims: &[Size]) -> Data {
        self.taken(dims, &(0..dims.len()).collect::<Vec<_>>())
    }

    /// An array of these sizes, whose dimension `i` is dimension `permutation[i]`.
    fn taken(&self, dims: &[Size], permutation: &[usize]) -> Data {
        let count = native(dims.iter().product());
        let (mut index, mut from) = (vec![0; dims.len()], vec![0; dims.len()]);
        let mut slots = Vec::with_capacity(count);
        for _ in 0..count {
            for (coordinate, &dim) in index.iter().zip(permutation) {
                from[dim] = *coordinate;
            }
            let is_inside = from.iter().zip(&self.dims).all(|(coordinate, dim)| coordinate < dim);
            let slot =
                if is_inside { self.slots[native(flatten(&from, &self.dims))] } else { None };
            slots.push(slot);
            for (coordinate, dim) in index.iter_mut().zip(dims).rev() {
                *coordinate += 1;
                if *coordinate < *dim {
                    break;
                }
                *coordinate = 0;
            }
        }
        Data { dims: dims.to_vec(), slots }
    }

    /// Padded, reshaped and transposed.
    fn tile(&self, tile: &[Option<Size>]) -> [Data; 3] {
        let (dims, sizes) = combine(&self.dims, tile);
        let combined = Data { dims, slots: self.slots.clone() };
        let first = combined.dims.len() - sizes.len();

        let mut padded = combined.dims.clone();
        for (dim, size) in padded[first..].iter_mut().zip(&sizes) {
            *dim = dim.next_multiple_of(*size);
        }
        let padded = combined.resized(&padded);

        let mut dims = padded.dims[..first].to_vec();
        for (dim, size) in padded.dims[first..].iter().zip(&sizes) {
            dims.extend([dim / size, *size]);
        }
        let reshaped = Data { dims, slots: padded.slots.clone() };

        let counts = (0..sizes.len()).map(|i| first + 2 * i);
        let within = (0..sizes.len()).map(|i| first + 2 * i + 1);
        let order = (0..first).chain(counts).chain(within).collect::<Vec<_>>();
        let transposed = reshaped.transpose(&order);
        [padded, reshaped, transposed]
    }
}
