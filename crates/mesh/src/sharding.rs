//! What each device has of an array.

use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::devices::{Devices, Digit, count, in_order_of};
use crate::grid::{Box, Grid, Held};
use crate::no_answer::NoAnswer;
use layout_core::{ArrayShape, Dim, Size};

/// Where the elements of an array lie over devices: XLA's `HloSharding`.
///
/// Parse it from HLO's text, `{devices=[4,2]<=[8]}`, or from names with a [`Mesh`](crate::Mesh). It displays as XLA's canonical text,
/// without metadata and groups (`shard_as`), which place nothing. Devices are numbered as HLO does: by their position in the program's device
/// assignment.
///
/// Questions about a sharding that is `manual`, `unreduced` or `unknown` are answered by [`NoAnswer::OnlyTheProgram`].
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
    /// Each device has the same: the whole array, or what only the program knows.
    Every(Held),
    /// The whole array is on one device.
    OneDevice(u32),
    /// Each device has a box.
    Grid(Grid),
}

impl Sharding {
    /// The grid of boxes, over `devices` devices if the sharding does not say how many.
    ///
    /// # Errors
    /// [`NoAnswer::OnlyTheProgram`] and [`NoAnswer::Rank`].
    pub fn grid(&self, rank: usize, devices: usize) -> Result<Cow<'_, Grid>, NoAnswer> {
        let devices = match self {
            Sharding::Grid(grid) if grid.copies().iter().all(|it| it.1 == Held::Whole) => {
                return match grid.shards().len() {
                    own if own == rank => Ok(Cow::Borrowed(grid)),
                    sharding => Err(NoAnswer::Rank { sharding, array: rank }),
                };
            }
            Sharding::Every(Held::Whole) => Devices::first(devices),
            Sharding::OneDevice(device) => Devices { numbers: vec![*device], is_list: true },
            _ => return Err(NoAnswer::OnlyTheProgram),
        };
        let copies = vec![(devices.numbers.len(), Held::Whole)];
        Ok(Cow::Owned(Grid::new(vec![1; rank], copies, devices)))
    }

    /// How many devices the sharding is for. `None` if it does not say it.
    pub fn device_count(&self) -> Option<usize> {
        if let Sharding::Grid(grid) = self { Some(grid.devices().len()) } else { None }
    }

    /// The sizes of a shard, the same on all devices: ⌈n/t⌉ of a dimension of n elements that is cut into t shards.
    ///
    /// # Errors
    /// Those of [`grid`](Self::grid).
    pub fn shard_dims(&self, dims: &[Size]) -> Result<Vec<Size>, NoAnswer> {
        Ok(self.grid(dims.len(), 1)?.shard_dims(dims))
    }

    /// The shape of a shard: the array with fewer elements, in its layout.
    ///
    /// # Errors
    /// Those of [`grid`](Self::grid), [`NoAnswer::UnknownSize`] and [`NoAnswer::TooLarge`].
    pub fn shard_shape(&self, array: &ArrayShape) -> Result<ArrayShape, NoAnswer> {
        let sizes = array.dims().iter().enumerate();
        let size = |(dim, size): (usize, &Dim)| size.size().ok_or(NoAnswer::UnknownSize { dim });
        let dims = sizes.map(size).collect::<Result<Vec<_>, _>>()?;
        let mut fields = *array.fields();
        for (dim, size) in self.shard_dims(&dims)?.into_iter().enumerate() {
            fields.dims[dim] = Dim::Static(size);
        }
        fields.checked().map_err(|_| NoAnswer::TooLarge)
    }

    /// Bytes that each device allocates for the array, padding included: tiles pad each shard by itself.
    ///
    /// # Errors
    /// As [`shard_shape`](Self::shard_shape).
    pub fn bytes_per_device(&self, array: &ArrayShape) -> Result<Size, NoAnswer> {
        self.shard_shape(array)?.bytes().ok_or(NoAnswer::TooLarge)
    }

    /// The elements that a device has; of padding alone it has an empty box. `None` if it has nothing of this array.
    ///
    /// # Errors
    /// Those of [`grid`](Self::grid).
    pub fn box_of(&self, dims: &[Size], device: u32) -> Result<Option<Box>, NoAnswer> {
        if let Sharding::Every(Held::Whole) = self {
            return Ok(Some(dims.iter().map(|size| 0..*size).collect()));
        }
        let grid = self.grid(dims.len(), 1)?;
        Ok(grid.shard_of(device).map(|at| grid.box_at(dims, &at)))
    }

    /// The index in the array of an element of a device's shard. `None` if that is padding, or if the device has nothing.
    ///
    /// # Errors
    /// Those of [`grid`](Self::grid).
    pub fn to_array(
        &self,
        dims: &[Size],
        device: u32,
        index: &[Size],
    ) -> Result<Option<Vec<Size>>, NoAnswer> {
        self.grid(index.len(), 1)?;
        let Some(own) = self.box_of(dims, device)? else { return Ok(None) };
        let inside =
            |(own, at): (Range<Size>, &Size)| own.start.checked_add(*at).filter(|at| *at < own.end);
        Ok(own.into_iter().zip(index).map(inside).collect())
    }

    /// Which of `devices` devices have an element of the array, and its index in their shards.
    ///
    /// # Errors
    /// Those of [`grid`](Self::grid), and [`NoAnswer::Index`] if the array has no such element.
    pub fn to_shard(
        &self,
        dims: &[Size],
        index: &[Size],
        devices: usize,
    ) -> Result<(Vec<u32>, Vec<Size>), NoAnswer> {
        let (grid, shard) = (self.grid(index.len(), devices)?, self.shard_dims(dims)?);
        if let Some(dim) = (0..dims.len()).find(|dim| index[*dim] >= dims[*dim]) {
            return Err(NoAnswer::Index { dim, size: dims[dim] });
        }
        let devices = grid.devices_of(&grid.place_of(dims, index.iter().copied())).to_vec();
        Ok((devices, index.iter().zip(shard).map(|(at, size)| at % size).collect()))
    }

    /// The sharding that puts digits of the devices' places along dimensions, and others along kinds of copies; devices that no digit
    /// tells apart have the same. As XLA writes it: kinds in its order, and devices that have the same by their numbers. `None` if digits overlap.
    pub(crate) fn placed(
        devices: &Devices,
        dims: &[Vec<Digit>],
        held: &[(Digit, Held)],
    ) -> Option<Sharding> {
        let shards: Vec<usize> = dims.iter().map(count).collect();
        let mut digits = dims.concat();
        let mut copies = Vec::new();
        for kind in [Held::Manual, Held::Summand, Held::Whole] {
            let own: Vec<Digit> = held.iter().filter(|it| it.1 == kind).map(|it| it.0).collect();
            let rest = devices.numbers.len() / count(&digits);
            copies.push((if kind == Held::Whole { rest } else { count(&own) }, kind));
            digits.extend(own);
        }
        copies.retain(|it| it.0 > 1);
        let places = in_order_of(&digits, devices.numbers.len())?;
        let is_one = shards.iter().all(|count| *count == 1);
        match copies[..] {
            [] if is_one => return Some(Sharding::Every(Held::Whole)),
            [(_, held)] if is_one => return Some(Sharding::Every(held)),
            _ => {}
        }
        let mut numbers: Vec<u32> = places.iter().map(|place| devices.numbers[*place]).collect();
        if let Some((count, Held::Whole)) = copies.last() {
            numbers.chunks_mut(*count).for_each(<[u32]>::sort_unstable);
        }
        let order = Devices { numbers, is_list: devices.is_list };
        Some(Sharding::Grid(Grid::new(shards, copies, order)))
    }
}
