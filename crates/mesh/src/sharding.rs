//! What each device has of an array.

use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::grid::{Grid, Held};
use crate::no_answer::NoAnswer;
use layout_core::{ArrayShape, Dim, Size};

/// Where the elements of an array lie over devices: XLA's `HloSharding`.
///
/// Parse it from HLO's text, `{devices=[4,2]<=[8]}`, or from names with a [`Mesh`](crate::Mesh). It displays as XLA's canonical text,
/// without metadata and groups (`shard_as`), which place nothing. Devices are numbered as HLO does: by their position in the program's device
/// assignment.
///
/// # Examples
/// ```
/// use layout_mesh::Sharding;
///
/// let sharding: Sharding = "{devices=[2,4]<=[2,2,2]T(2,1,0) last_tile_dim_replicate}".parse()?;
/// assert_eq!(sharding.to_string(), "{devices=[2,4]<=[4,2]T(1,0) last_tile_dim_replicate}");
/// assert_eq!(sharding.shard_dims(&[10])?, [5]);
/// assert_eq!(sharding.box_of(&[10], 3)?, Some(vec![5..10]));
/// // An element: the devices that have it, and where it is in their shards.
/// assert_eq!(sharding.to_shard(&[10], &[7], 8)?, (vec![1, 3, 5, 7], vec![2]));
/// assert_eq!(sharding.to_array(&[10], 3, &[2])?, Some(vec![7]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sharding {
    /// The whole array is on each device.
    Replicated,
    /// The whole array is on one device.
    OneDevice(usize),
    /// Each device has what the program says.
    Manual,
    /// Each device has a summand of the array.
    Unreduced,
    /// It is not decided.
    Unknown,
    /// Each device has a box.
    Grid(Grid),
}

impl Sharding {
    /// The sharding of a grid, as XLA writes it.
    pub(crate) fn of_grid(grid: Grid) -> Sharding {
        let grid = grid.simplified();
        match grid.copies() {
            _ if grid.shards().iter().any(|count| *count > 1) => Sharding::Grid(grid),
            [] | [(_, Held::Whole)] => Sharding::Replicated,
            [(_, Held::Manual)] => Sharding::Manual,
            [(_, Held::Summand)] => Sharding::Unreduced,
            _ => Sharding::Grid(grid),
        }
    }

    /// The grid of a sharding whose boxes are known, with so many devices if the sharding does not say how many.
    pub(crate) fn grid(&self, rank: usize, devices: usize) -> Result<Cow<'_, Grid>, NoAnswer> {
        let devices = match self {
            Sharding::Grid(grid) if grid.copies().iter().any(|(_, held)| *held != Held::Whole) => {
                return Err(NoAnswer::OnlyTheProgram);
            }
            Sharding::Grid(grid) if grid.shards().len() != rank => {
                return Err(NoAnswer::Rank { sharding: grid.shards().len(), array: rank });
            }
            Sharding::Grid(grid) => return Ok(Cow::Borrowed(grid)),
            Sharding::Replicated => (0..).take(devices).collect::<Vec<u32>>(),
            Sharding::OneDevice(device) => vec![u32::try_from(*device).unwrap_or(u32::MAX)],
            Sharding::Manual | Sharding::Unreduced | Sharding::Unknown => {
                return Err(NoAnswer::OnlyTheProgram);
            }
        };
        let grid = Grid::new(vec![1; rank], vec![(devices.len(), Held::Whole)], devices);
        grid.map(Cow::Owned).ok_or(NoAnswer::OnlyTheProgram)
    }

    /// The devices that have a part of the array, in the order of the grid, if the program runs on so many.
    ///
    /// # Errors
    /// [`NoAnswer::OnlyTheProgram`].
    pub fn devices(&self, devices: usize) -> Result<Vec<u32>, NoAnswer> {
        let rank = if let Sharding::Grid(grid) = self { grid.shards().len() } else { 0 };
        Ok(self.grid(rank, devices)?.devices().to_vec())
    }

    /// How many devices the sharding is for. `None` if it does not say it.
    pub fn device_count(&self) -> Option<usize> {
        match self {
            Sharding::Grid(grid) => Some(grid.devices().len()),
            _ => None,
        }
    }

    /// Whether each device has all of the array. `None` if only the program knows.
    pub fn is_whole(&self) -> Option<bool> {
        match self {
            Sharding::Replicated => Some(true),
            Sharding::OneDevice(_) => Some(false),
            Sharding::Grid(grid) => Some(grid.shards().iter().all(|count| *count == 1)),
            _ => None,
        }
    }

    /// The sizes of a shard, the same on all devices: ⌈n/t⌉ of a dimension of n elements that is cut into t shards.
    ///
    /// # Errors
    /// [`NoAnswer::OnlyTheProgram`] and [`NoAnswer::Rank`].
    pub fn shard_dims(&self, dims: &[Size]) -> Result<Vec<Size>, NoAnswer> {
        let grid = self.grid(dims.len(), 1)?;
        Ok(dims
            .iter()
            .zip(grid.shards())
            .map(|(size, count)| size.div_ceil(*count as Size))
            .collect())
    }

    /// The shape of a shard: the array with fewer elements, in its layout.
    ///
    /// # Errors
    /// As [`shard_dims`](Self::shard_dims), and [`NoAnswer::UnknownSize`]; [`NoAnswer::TooLarge`] for `PAD`, which a shard cannot keep.
    pub fn shard_shape(&self, array: &ArrayShape) -> Result<ArrayShape, NoAnswer> {
        let mut fields = *array.fields();
        for (dim, size) in self.shard_dims(&dims(array)?)?.into_iter().enumerate() {
            fields.dims[dim] = Dim::Static(size);
        }
        fields.checked().map_err(|_| NoAnswer::TooLarge)
    }

    /// The elements that a device has, a range along each dimension: empty where it has padding alone. `None` if the device has
    /// nothing of this array.
    ///
    /// # Errors
    /// [`NoAnswer::OnlyTheProgram`] and [`NoAnswer::Rank`].
    pub fn box_of(
        &self,
        dims: &[Size],
        device: usize,
    ) -> Result<Option<Vec<Range<Size>>>, NoAnswer> {
        if let Sharding::Replicated = self {
            return Ok(Some(dims.iter().map(|size| 0..*size).collect()));
        }
        let grid = self.grid(dims.len(), 1)?;
        Ok(grid.shard_of(device).map(|(at, _)| grid.box_at(dims, &at)))
    }

    /// The index in the array of an element of a device's shard. `None` if that is padding, or if the device has nothing.
    ///
    /// # Errors
    /// [`NoAnswer::OnlyTheProgram`] and [`NoAnswer::Rank`].
    pub fn to_array(
        &self,
        dims: &[Size],
        device: usize,
        index: &[Size],
    ) -> Result<Option<Vec<Size>>, NoAnswer> {
        let Some(own) = self.box_of(dims, device)? else { return Ok(None) };
        if own.len() != index.len() {
            return Err(NoAnswer::Rank { sharding: own.len(), array: index.len() });
        }
        let inside =
            |(own, at): (&Range<Size>, &Size)| (*at < own.end - own.start).then(|| own.start + at);
        Ok(own.iter().zip(index).map(inside).collect())
    }

    /// The devices that have an element of the array, of so many, and its index in their shards.
    ///
    /// # Errors
    /// [`NoAnswer::OnlyTheProgram`], [`NoAnswer::Rank`], and [`NoAnswer::Index`] if the array has no such element.
    pub fn to_shard(
        &self,
        dims: &[Size],
        index: &[Size],
        devices: usize,
    ) -> Result<(Vec<u32>, Vec<Size>), NoAnswer> {
        let grid = self.grid(index.len(), devices)?;
        let shard = self.shard_dims(dims)?;
        if let Some(dim) =
            (0..dims.len()).find(|dim| index.get(*dim).is_none_or(|at| *at >= dims[*dim]))
        {
            return Err(NoAnswer::Index { dim, size: dims[dim] });
        }
        let at: Vec<_> = index.iter().zip(&shard).map(|(at, size)| (at / size) as usize).collect();
        let local = index.iter().zip(&shard).map(|(at, size)| at % size).collect();
        Ok((grid.devices_of(&at).to_vec(), local))
    }

    /// Bytes that each device allocates for the array, padding included: tiles pad each shard by itself.
    ///
    /// # Errors
    /// As [`shard_shape`](Self::shard_shape).
    pub fn bytes_per_device(&self, array: &ArrayShape) -> Result<Size, NoAnswer> {
        self.shard_shape(array)?.bytes().ok_or(NoAnswer::TooLarge)
    }
}

impl Grid {
    /// The box of the shard at a place of the grid.
    pub(crate) fn box_at(&self, dims: &[Size], at: &[usize]) -> Vec<Range<Size>> {
        let along = |((size, count), at): ((&Size, &usize), &usize)| {
            let shard = size.div_ceil(*count as Size);
            // At most the size and a shard for each place past it, which may exceed a number.
            let start = shard.saturating_mul(*at as Size).min(*size);
            start..start.saturating_add(shard).min(*size)
        };
        dims.iter().zip(self.shards()).zip(at).map(along).collect()
    }
}

/// The sizes of an array.
pub(crate) fn dims(array: &ArrayShape) -> Result<Vec<Size>, NoAnswer> {
    let sizes = array.dims().iter().enumerate();
    sizes.map(|(dim, size)| size.size().ok_or(NoAnswer::UnknownSize { dim })).collect()
}
