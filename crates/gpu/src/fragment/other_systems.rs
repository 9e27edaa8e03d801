//! Fragments as other systems write them: bases, thread-value layouts, shards, tilings with dimensions for threads.

use super::build::{Builder, values_below};
use super::{Axis, Fragment, FragmentError, Holder};
use layout_core::analysis::DigitSource;
use layout_core::analysis::{DigitSequence, DimDigit};
use layout_core::limits::{MAX_BOUNDS, Size};
use layout_core::{ArrayShape, Digits};

/// A digit of the row-major number of an element, and where its values lie: an entry of TVM's `shard` or `replica`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Values.
    pub size: Size,
    /// Registers, lanes, warps or columns from one value to the next.
    pub stride: Size,
    /// What it counts. Lanes past those of a warp go on in the next warps, so that threads are lanes too.
    pub axis: Axis,
}

/// What counts the warps or the lanes in Mosaic GPU's `TiledLayout`: a dimension of the tiled array, or copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThreadDim {
    /// A dimension of the tiled array, counted from the end: -1 is the most minor one.
    Dim(isize),
    /// This many threads hold the same values (`Replicated`).
    Replicated(Size),
}

impl Fragment {
    /// The fragment of Triton's `LinearLayout`. `bases` says for each axis, bit by bit from the lowest, what the bit of the number
    /// along the axis adds to the index. A basis of zeros makes copies.
    ///
    /// # Errors
    /// If a basis is not a power of two along one dimension, or the bases do not reach each element once but for copies.
    ///
    /// # Examples
    /// ```
    /// use layout_gpu::fragment::{Axis, Fragment, Instruction, Operand};
    ///
    /// let d = Fragment::from_bases(&[16, 8], &[
    ///     (Axis::Register, &[[0, 1], [8, 0]]),
    ///     (Axis::Lane, &[[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]),
    /// ])?;
    /// assert_eq!(d, Instruction::mma([16, 8, 16], 16).operand(Operand::D)?);
    /// # Ok::<(), layout_gpu::fragment::FragmentError>(())
    /// ```
    pub const fn from_bases<const R: usize>(
        dims: &[Size; R],
        bases: &[(Axis, &[[Size; R]])],
    ) -> Result<Fragment, FragmentError> {
        let mut builder = ok!(Builder::new(dims));
        each!(for (axis, bases) in bases {
            each!(for base in *bases {
                let (mut to, mut weight) = (0, 0);
                each!(for dim in 0..R {
                    if base[dim] > 0 {
                        refuse!(BASIS if weight > 0 || !base[dim].is_power_of_two() || base[dim] >= dims[dim]);
                        (to, weight) = (dim, base[dim]);
                    }
                });
                builder = builder.attach(*axis, (to, weight), 2);
            });
        });
        builder.finish()
    }

    /// The fragment of a thread-value layout of CuTe: sizes and strides that take the number of a thread and of its value to the
    /// number of an element. The fastest come first; elements are numbered with dimension 0 fastest. A stride of 0 makes
    /// copies. Threads past `lanes` are in the next warps.
    ///
    /// # Errors
    /// If a size crosses a dimension that it does not divide, or the strides do not reach each element once but for copies.
    ///
    /// # Examples
    /// ```
    /// use layout_gpu::fragment::{Fragment, Instruction, Operand};
    ///
    /// // `((4,8),(2,2)):((32,1),(16,8))`
    /// let d = Fragment::from_tv(&[16, 8], &[(4, 32), (8, 1)], &[(2, 16), (2, 8)], 32)?;
    /// assert_eq!(d, Instruction::mma([16, 8, 16], 16).operand(Operand::D)?);
    /// # Ok::<(), layout_gpu::fragment::FragmentError>(())
    /// ```
    pub const fn from_tv(
        dims: &[Size],
        threads: &[(Size, Size)],
        values: &[(Size, Size)],
        lanes: Size,
    ) -> Result<Fragment, FragmentError> {
        let mut builder = ok!(Builder::new(dims));
        builder.limits[Axis::Lane as usize] = lanes;
        each!(for (axis, modes) in &[(Axis::Lane, threads), (Axis::Register, values)] {
            let mut at: Size = 1;
            each!(for &(size, stride) in *modes {
                builder = builder.number(Shard { size, stride: at, axis: *axis }, stride, false);
                at = at.saturating_mul(size);
            });
        });
        builder.finish()
    }

    /// The fragment of a TVM layout with named axes: the row-major number of an element is split into shards, the most major
    /// first, and their values times strides add up by axis. `copies` (`replica`) are further holders of every element, and
    /// `first` (`offset`) holds the first element. Threads past `lanes` are in the next warps.
    ///
    /// # Errors
    /// If a shard crosses a dimension that it does not divide, or the shards are not as many elements as the array has.
    ///
    /// # Examples
    /// ```
    /// use layout_gpu::fragment::{Axis, Fragment, Holder, Shard};
    ///
    /// // tcgen05.ld.16x64b: warp, lane, lane, register, lane.
    /// let shard = |size, stride, axis| Shard { size, stride, axis };
    /// let shards = [
    ///     shard(4, 1, Axis::Warp),
    ///     shard(2, 1, Axis::Lane),
    ///     shard(8, 4, Axis::Lane),
    ///     shard(32, 1, Axis::Register),
    ///     shard(2, 2, Axis::Lane),
    /// ];
    /// let loaded = Fragment::from_shards(&[64, 64], &shards, &[], Holder::default(), 32)?;
    /// assert_eq!(loaded.holder(&[3, 25]), Some(Holder::register(0, 14, 12)));
    /// # Ok::<(), layout_gpu::fragment::FragmentError>(())
    /// ```
    pub const fn from_shards(
        dims: &[Size],
        shards: &[Shard],
        copies: &[Shard],
        first: Holder,
        lanes: Size,
    ) -> Result<Fragment, FragmentError> {
        let mut builder = ok!(Builder::new(dims));
        builder.limits[Axis::Lane as usize] = lanes;
        builder.fragment.first = first;
        let mut at: Size = 1;
        each!(for i in (0..shards.len()).rev() {
            builder = builder.number(shards[i], at, true);
            at = at.saturating_mul(shards[i].size);
        });
        each!(for copy in copies {
            builder = builder.number(*copy, 0, true);
        });
        builder.finish()
    }

    /// The fragment of a `TiledLayout` of Mosaic GPU, whose tiles are those of a layout. Dimensions of the tiled array count
    /// warps, lanes and the elements of a vector; their numbers count from the end. The other dimensions count registers.
    /// In tensor memory (`in_tensor_memory`) they count columns, and each column packs a vector.
    ///
    /// # Errors
    /// If a tile does not divide what it covers, or a dimension is not one of the tiled array.
    ///
    /// # Examples
    /// ```
    /// use layout_gpu::fragment::{Fragment, Instruction, Operand, ThreadDim};
    ///
    /// let tiled = "f32[64,16]{1,0:T(64,8)(16,8)(8,8)(2)}".parse()?;
    /// let lanes = [ThreadDim::Dim(-3), ThreadDim::Dim(-2)];
    /// let d = Fragment::tiled(&tiled, &[ThreadDim::Dim(-7)], &lanes, -1, false)?;
    /// // The columns are repeated before the rows.
    /// assert_eq!(d.holder(&[0, 8]).unwrap().register, 4);
    /// assert_eq!(d, Instruction::wgmma(16, 16).operand(Operand::D)?);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn tiled(
        array: &ArrayShape,
        warps: &[ThreadDim],
        lanes: &[ThreadDim],
        vector: isize,
        in_tensor_memory: bool,
    ) -> Result<Fragment, FragmentError> {
        let (mut builder, _) = ok!(Builder::of_layout(array));
        let tiles = array.tiles();
        refuse!(LAYOUT if !tiles.have_sizes());
        let mut digits = DigitSequence::EMPTY;
        each!(for place in (0..array.rank()).rev() {
            let dim = array.minor_to_major()[place];
            digits.push(DimDigit { dim, weight: 1, size: array.dims()[dim].size() });
        });
        each!(for tile in 0..tiles.len() {
            refuse!(CUT if !digits.tile(tiles.get(tile).as_slice()));
        });
        let (warp_axis, rest) = match in_tensor_memory {
            true => (Axis::Lane, Axis::Column),
            false => (Axis::Warp, Axis::Register),
        };
        let mut is_left = [true; MAX_BOUNDS];
        let vector: &[ThreadDim] = &[ThreadDim::Dim(vector)];
        // Each axis from its most minor digit on; in tensor memory, warps follow the lanes on one axis.
        each!(for &(axis, dims) in
            &[(Axis::Register, vector), (Axis::Lane, lanes), (warp_axis, warps)]
        {
            each!(for i in (0..dims.len()).rev() {
                builder = match dims[i] {
                    ThreadDim::Replicated(copies) => builder.attach(axis, (0, 0), copies),
                    ThreadDim::Dim(from_end) => {
                        let number = digits.len().wrapping_add_signed(from_end);
                        refuse!(DIM if number >= digits.len() || !is_left[number]);
                        is_left[number] = false;
                        builder.digit(axis, &digits.as_slice()[number])
                    }
                };
            });
        });
        each!(for number in (0..digits.len()).rev() {
            if is_left[number] {
                builder = builder.digit(rest, &digits.as_slice()[number]);
            }
        });
        builder.finish()
    }

    /// The fragment of Triton's `BlockedEncoding`: each thread takes a block of the array, the threads of a warp a block of these
    /// and the warps a block of those. `order` lists the fastest dimension first. Registers repeat this over the array.
    ///
    /// # Errors
    /// If a list has not one number for each dimension, or the blocks do not divide the array.
    ///
    /// # Examples
    /// ```
    /// use layout_gpu::fragment::{Fragment, Holder};
    ///
    /// let rows = Fragment::blocked(&[64, 64], &[1, 4], &[2, 16], &[4, 1], &[1, 0])?;
    /// assert_eq!(rows.holder(&[3, 9]), Some(Holder::register(1, 16 + 2, 1)));
    /// # Ok::<(), layout_gpu::fragment::FragmentError>(())
    /// ```
    pub const fn blocked(
        dims: &[Size],
        size_per_thread: &[Size],
        threads_per_warp: &[Size],
        warps: &[Size],
        order: &[usize],
    ) -> Result<Fragment, FragmentError> {
        let mut builder = ok!(Builder::new(dims));
        builder.drops_register_copies = true;
        let axes = [
            (Axis::Register, size_per_thread),
            (Axis::Lane, threads_per_warp),
            (Axis::Warp, warps),
        ];
        each!(for &(axis, sizes) in &axes {
            refuse!(RANK if sizes.len() != dims.len() || order.len() != dims.len());
            each!(for &dim in order {
                refuse!(DIM if dim >= dims.len());
                builder = builder.next(&[(axis, dim, sizes[dim])]);
            });
        });
        each!(for &dim in order {
            builder = builder.fill(Axis::Register, dim);
        });
        builder.finish()
    }

    /// The fragment of a layout whose memory lists the values of the first thread, then those of the next one. Each thread holds
    /// the same number of values. Threads past `lanes` are in the next warps.
    ///
    /// # Errors
    /// If the threads do not divide the slots, or the layout has padding, a swizzle or unknown sizes.
    ///
    /// # Examples
    /// ```
    /// use layout_gpu::fragment::{Fragment, Instruction, Operand};
    ///
    /// let shape = "f32[16,8]{1,0:T(8,8)(2,1,1,2)}".parse()?;
    /// assert_eq!(Fragment::of_layout(&shape, 32, 32)?, Instruction::mma([16, 8, 16], 16).operand(Operand::D)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn of_layout(
        shape: &ArrayShape,
        threads: Size,
        lanes: Size,
    ) -> Result<Fragment, FragmentError> {
        let (mut builder, digits) = ok!(Builder::of_layout(shape));
        refuse!(CUT if threads == 0 || !digits.elements().is_multiple_of(threads));
        builder.limits[Axis::Register as usize] = digits.elements() / threads;
        builder.limits[Axis::Lane as usize] = lanes;
        each!(for term in digits.terms() {
            let DigitSource::Dim(dim) = term.digit.source() else {
                return Err(FragmentError::LAYOUT);
            };
            let (place, size) = ((dim, term.digit.div()), term.bound.factor);
            builder = builder.place(Axis::Register, term.stride.factor, place, size);
        });
        builder.finish()
    }
}

impl Builder {
    /// An array in a layout without padding, and the digits of the layout.
    const fn of_layout(shape: &ArrayShape) -> Result<(Builder, Digits), FragmentError> {
        let Ok(digits) = shape.digits() else { return Err(FragmentError::NUMBER) };
        let is_padded = !digits.sums().is_empty() || digits.size() != digits.elements();
        refuse!(LAYOUT if is_padded || !shape.swizzle().is_none());
        Ok((ok!(Builder::new(digits.dims())), digits))
    }

    /// Lets the next numbers of an axis count a digit.
    const fn digit(self, axis: Axis, digit: &DimDigit) -> Builder {
        self.attach(axis, (digit.dim, digit.weight), digit.values())
    }

    /// Adds a shard that counts in a stride of the element's number, cut at the dimensions that it crosses. The last dimension
    /// is the fastest one, or the first. A stride of 0 makes copies.
    const fn number(mut self, shard: Shard, number: Size, is_row_major: bool) -> Builder {
        let Shard { mut size, mut stride, axis } = shard;
        if number == 0 {
            return self.place(axis, stride, (0, 0), size);
        }
        let (mut from, mut block) = (number, 1);
        let rank = self.fragment.dims().len();
        each!(for place in 0..rank {
            let dim = if is_row_major { rank - 1 - place } else { place };
            let whole = block * self.fragment.dims()[dim];
            if size > 1 && from < whole {
                match values_below(whole, from, size) {
                    Some(inside) if from.is_multiple_of(block) => {
                        self = self.place(axis, stride, (dim, from / block), inside);
                        stride = stride.saturating_mul(inside);
                        (from, size) = (from * inside, size / inside);
                    }
                    _ => return self.fail(FragmentError::CUT),
                }
            }
            block = whole;
        });
        if size == 1 { self } else { self.fail(FragmentError::NUMBER) }
    }
}
