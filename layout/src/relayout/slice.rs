//! Copying a part of an array.

use layout_copy::__private::{self as copying, Memory, Plain};
use layout_copy::Settings;
use layout_core::__private::native;
use layout_core::Index;

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
#[cfg(feature = "alloc")]
use crate::memory::buffer::Buffer;
use crate::memory::slice::slice_mut::SliceMut;
use crate::memory::slice::{Slice, digits_of};
use crate::memory::stored::StoredIn;
use crate::memory::strided::Strides;
use crate::memory::view_mut::ViewMut;
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::copy;
#[cfg(feature = "alloc")]
use crate::relayout::copy::with_dims;
use crate::relayout::destination::Destination;
use crate::relayout::padding::{Padding, fill_padding};
use crate::relayout::strided::loops::OfRank;
use crate::types::index::{IndexArray, Visitor};
use crate::walk::base::base;
use crate::walk::region::Region;

impl<L: AnyLayout, T> Slice<'_, L, T> {
    /// Copies the slice to a view or a buffer, or to a slice of one, whatever its layout. The destination has as many elements
    /// along each dimension.
    ///
    /// Between layouts without tiles, a slice is copied by loops in the caller's code, as fast as rows by hand; to or from a layout
    /// with tiles that has runs in common with one without, run by run. Larger slices and those between tiles are planned at each
    /// call, which takes about a microsecond: on tile borders ([`base_offset`](Self::base_offset) returns a slot) they are copied as
    /// fast as views, and others as fast as layouts without a common split. A slice of up to 256 elements is then copied element by
    /// element, some nanoseconds each; and so is one to a slice that was split off others, unless it goes by runs, since other threads
    /// may use the memory between its elements.
    ///
    /// A slice as the destination has no padding: nothing but its elements is written.
    ///
    /// # Panics
    /// If the destination has other sizes. If `T` is a type of your own without
    /// [`of_bits`](crate::StoredAs::of_bits), and the padding is asked to be `Zero` or `Declared` with a
    /// `FILL`.
    ///
    /// # Examples
    /// Writes a block of 4×4 into an image, clipped at its edge:
    /// ```
    /// use layout::{Buffer, Padding, layout};
    ///
    /// let block = Buffer::<layout!(U8[4,4]{0,1})>::from_fn(|[y, x]| (10 * y + x) as u8);
    /// let mut image = Buffer::<layout!(U8[10,10]{1,0:T(8,8)})>::zeroed();
    /// let [height, width] = image.dims();
    /// let (y, x) = (8, 5);
    /// let mut part = image.slice_mut((y..height.min(y + 4), x..width.min(x + 4)))?;
    /// let [rows, columns] = part.dims();
    /// block.slice((..rows, ..columns))?.relayout_to(&mut part, Padding::Leave);
    /// assert_eq!((rows, columns), (2, 4));
    /// assert_eq!((image[[9, 5]], image[[9, 8]], image[[9, 9]]), (10, 13, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn relayout_to(&self, to: &mut impl Destination<Self, T>, padding: Padding<T>) {
        to.copy(self, padding);
    }

    /// The slice in a new buffer with the layout `B`, its padding the default value (0 for numbers).
    ///
    /// # Panics
    /// If a size is another than a static dimension's of `B` or above a bound, or if a count does not fit
    /// in `isize::MAX`: [`Array::with_dims`](crate::Array::with_dims) says whether sizes go with a layout.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
    /// let slice = View::<A, f32>::new(&data)?.slice((1.., 1..4))?;
    /// let columns = slice.to_layout::<layout!(F32[2,3]{0,1})>();
    /// assert_eq!(columns.as_slice(), [3.0, 13.0, 6.0, 16.0, 7.0, 17.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[track_caller]
    #[must_use]
    pub fn to_layout<B>(&self) -> Buffer<B, T>
    where
        B: AnyLayout<Index = L::Index, Element = L::Element>,
        T: StoredIn<B> + Default,
    {
        let () = T::HAS_SIZE;
        let layout = with_dims::<B>(&self.dims());
        let mut buffer = Buffer::of_default(layout);
        self.relayout_to(&mut buffer, Padding::Leave);
        buffer
    }
}

/// Copies a slice to a view of its sizes, and writes the padding.
#[track_caller]
pub(super) fn copy_slice<A, B, T>(
    from: &Slice<'_, A, T>,
    to: &mut ViewMut<'_, B, T>,
    padding: Padding<T>,
) where
    A: AnyLayout,
    B: AnyLayout<Index = A::Index, Element = A::Element>,
    T: StoredIn<B>,
{
    has_sizes(from.dims().as_ref(), to.dims().as_ref());
    fill_padding(to, padding);
    copy_to_slice(from, &mut SliceMut::whole(to.layout(), to.as_mut_slice()));
}

/// Panics unless a slice has these sizes.
#[inline(always)]
#[track_caller]
pub(super) fn has_sizes(slice: &[usize], dims: &[usize]) {
    // Number by number: a vector of numbers that were just written one by one takes long to load.
    let differ = slice.iter().zip(dims).fold(0, |differ, (a, b)| differ | (a ^ b));
    if differ != 0 || slice.len() != dims.len() {
        assert_eq!(slice, dims, "a slice keeps its sizes when it is copied");
    }
}

/// Elements, or runs, up to which a plan takes longer than a copy of each by itself.
const FEW: usize = 256;
/// Runs up to which loops with strides take longer to begin.
const FEW_RUNS: usize = 8;

/// Copies a slice element by element to another one of its sizes.
fn copy_elements<A, B, T>(from: &Slice<'_, A, T>, to: &mut SliceMut<'_, B, T>)
where
    A: AnyLayout,
    B: AnyLayout<Index = A::Index>,
    T: Copy,
{
    for ((_, element), (_, place)) in from.iter().zip(to.iter_mut()) {
        *place = *element;
    }
}

/// Whether the offsets of a layout with dimensions are sums of coordinates times strides.
const fn has_strides<L: AnyLayout>() -> bool {
    !L::SIZES.is_empty() && L::DIGITS.strides().is_some()
}

/// Where a part begins in memory that has strides, and these.
struct PartPlace<I> {
    first: usize,
    strides: I,
}

impl<I: IndexArray> PartPlace<I> {
    #[inline(always)]
    fn new<L: AnyLayout<Index = I>>(layout: &WithDims<L>, start: I) -> Self {
        let mut place = PartPlace { first: layout.offset_unchecked(start), strides: L::ORIGIN };
        for (dim, stride) in place.strides.as_mut().iter_mut().enumerate() {
            let mut next = start;
            next.as_mut()[dim] += 1;
            // Of one element along the dimension, any number does.
            *stride = layout.offset_unchecked(next).wrapping_sub(place.first);
        }
        place
    }

    #[inline(always)]
    fn offset(&self, index: &I) -> usize {
        let steps = index.as_ref().iter().zip(self.strides.as_ref());
        steps.fold(self.first, |offset, (at, stride)| offset.wrapping_add(at.wrapping_mul(*stride)))
    }
}

/// The place of a part whose memory has strides, if elements of each run of another layout are side by side there too, and there
/// are `most` runs or less.
#[inline(always)]
fn place_with_runs<L: AnyLayout, R: AnyLayout<Index = L::Index>>(
    layout: &WithDims<L>,
    part: &Region<L>,
    elements: usize,
    most: usize,
) -> Option<PartPlace<L::Index>> {
    if const { !has_strides::<L>() || R::WALK.scans_slots() } {
        return None;
    }
    let (dim, place) = (const { R::WALK.dim() }, PartPlace::new(layout, part.start()));
    let longest = part.dims().as_ref()[dim].min(const { native(R::WALK.longest()) });
    (place.strides.as_ref()[dim] == 1 && elements <= most.saturating_mul(longest)).then_some(place)
}

/// A copy between parts of arrays that have strides.
struct ByStrides<'a, I, T> {
    places: [PartPlace<I>; 2],
    plain: Plain<T>,
    src: &'a [T],
    dst: &'a mut [T],
}

impl<I: IndexArray, T: Copy + 'static> Visitor for ByStrides<'_, I, T> {
    type Output = ();

    #[inline(always)]
    fn visit<const R: usize>(self, dims: &mut [usize; R]) {
        let places = self.places.each_ref().map(|place| Strides {
            first: place.first,
            dims: *dims,
            strides: core::array::from_fn(|dim| place.strides.as_ref()[dim].cast_signed()),
        });
        copy(OfRank(places), CopiedSlots::of(self.plain, self.src, self.dst, None));
    }
}

/// Copies a slice to another one of its sizes.
#[track_caller]
pub(super) fn copy_to_slice<A, B, T>(from: &Slice<'_, A, T>, to: &mut SliceMut<'_, B, T>)
where
    A: AnyLayout,
    B: AnyLayout<Index = A::Index, Element = A::Element>,
    T: StoredIn<B>,
{
    let dims = to.dims();
    has_sizes(from.dims().as_ref(), dims.as_ref());
    if dims.as_ref().contains(&0) {
        return;
    }
    let layouts = (from.layout(), to.layout());
    let (a, b) = (from.as_region(), to.as_region());
    let elements = dims.as_ref().iter().product::<usize>();
    let most = match to.memory_mut() {
        None => usize::MAX,
        Some(_) if const { has_strides::<A>() && has_strides::<B>() } => FEW_RUNS,
        Some(_) => FEW,
    };
    if let Some((src, place)) =
        from.memory().zip(place_with_runs::<A, B>(&layouts.0, &a, elements, most))
    {
        for (run, slots) in to.runs_mut() {
            slots.copy_from_slice(&src[place.offset(&run.index)..][..run.length]);
        }
        return;
    }
    if const { has_strides::<A>() && has_strides::<B>() }
        && let (Some(src), Some(dst)) = (from.memory(), to.memory_mut())
    {
        let places = [PartPlace::new(&layouts.0, a.start()), PartPlace::new(&layouts.1, b.start())];
        return { dims }.visit(ByStrides { places, plain: T::PLAIN_HERE, src, dst });
    }
    if let Some(place) = place_with_runs::<B, A>(&layouts.1, &b, elements, FEW)
        && let Some(dst) = to.memory_mut()
    {
        for (run, slots) in from.runs() {
            dst[place.offset(&run.index)..][..run.length].copy_from_slice(slots);
        }
        return;
    }
    if elements <= FEW {
        return copy_elements(from, to);
    }
    let regions = [a.walked(), b.walked()];
    let (Some(src), Some(dst)) = (from.memory(), to.memory_mut()) else {
        return copy_elements(from, to);
    };
    let (size, settings) = (size_of::<T>(), &Settings::default());
    digits_of::<A, _>(&layouts.0, |a| {
        digits_of::<B, _>(&layouts.1, |b| match (base(a, &regions[0]), base(b, &regions[1])) {
            (Some(from), Some(to)) => {
                let dims = Index::of_native(dims.as_ref());
                let digits = [&a.with_dims(&dims), &b.with_dims(&dims)];
                let memory =
                    Memory::of(T::PLAIN_HERE, &src[native(from)..], &mut dst[native(to)..]);
                copying::copy(digits, memory, size, settings);
            }
            _ => {
                let memory = Memory::of(T::PLAIN_HERE, src, dst);
                copying::copy_part([a, b], &regions, memory, size, settings);
            }
        });
    });
}
