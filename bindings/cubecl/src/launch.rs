//! Layouts as arguments of kernels.

use std::fmt;
use std::marker::PhantomData;

use cubecl::prelude::*;
use layout::types::{DimList, Element, NumberList, Properties, TileSpec};
use layout::{Array, ArrayShape, WithDims};

use crate::coords::IndexCoords;
use crate::error::LayoutError;
use crate::kernel::{XlaLayout, XlaLayoutExpand};
use crate::plan::Plan;

/// A layout to launch a kernel with: the argument for a parameter of type [`XlaLayout<C>`].
///
/// # Examples
/// ```
/// use cubecl::std::tensor::layout::Coords2d;
/// use layout::{ArrayShape, layout};
/// use layout_cubecl::{LayoutError, XlaLayoutLaunch};
///
/// // From a type: the compiler has checked it.
/// let a = XlaLayoutLaunch::<Coords2d>::of::<_, layout!(F32[100,200]{1,0:T(8,128)})>();
///
/// // From a value.
/// let shape: ArrayShape = "f32[100,200]{1,0:T(8,128)}".parse()?;
/// let a = XlaLayoutLaunch::<Coords2d>::try_from(&shape)?.with_vector_size(4)?;
///
/// // With sizes that are known at run time only: one kernel for all of them.
/// let shape: ArrayShape = "f32[?,200]{1,0:T(8,128)}".parse()?;
/// let a = XlaLayoutLaunch::<Coords2d>::with_dims(&shape, &[100, 200])?;
/// let error = XlaLayoutLaunch::<Coords2d>::try_from(&shape).unwrap_err();
/// assert_eq!(error, LayoutError::UnknownSize { dim: 0 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct XlaLayoutLaunch<C: IndexCoords> {
    plan: Plan,
    arguments: Vec<u32>,
    coords: PhantomData<fn() -> C>,
}

impl<C: IndexCoords> XlaLayoutLaunch<C> {
    /// The layout that a type states. It does not compile if the layout has another rank than the coordinates, or
    /// more than `u32::MAX` elements in memory.
    ///
    /// # Panics
    /// If a single tile or dimension is above `u32::MAX`, which only arrays without elements can have.
    ///
    /// # Examples
    /// ```
    /// # use cubecl::std::tensor::layout::{Coords1d, Coords2d};
    /// # use layout::layout;
    /// # use layout_cubecl::XlaLayoutLaunch;
    /// type A = layout!(F32[100,200]{1,0:T(8,128)});
    /// let a = XlaLayoutLaunch::<Coords2d>::of::<_, A>();
    /// ```
    ///
    /// Another rank, and too many elements in memory, are compile errors:
    /// ```compile_fail
    /// # use cubecl::std::tensor::layout::{Coords1d, Coords2d};
    /// # use layout::layout;
    /// # use layout_cubecl::XlaLayoutLaunch;
    /// let a = XlaLayoutLaunch::<Coords1d>::of::<_, layout!(F32[100,200])>();
    /// ```
    /// ```compile_fail
    /// # use cubecl::std::tensor::layout::{Coords1d, Coords2d};
    /// # use layout::layout;
    /// # use layout_cubecl::XlaLayoutLaunch;
    /// let a = XlaLayoutLaunch::<Coords2d>::of::<_, layout!(S8[65536,65536])>();
    /// ```
    #[must_use]
    pub fn of<const R: usize, L: layout::Layout<R>>() -> Self {
        XlaLayoutLaunch { plan: Plan::of::<C, R, L>(), arguments: Vec::new(), coords: PhantomData }
    }

    /// The layout of a shape with sizes for all its dimensions, dimension 0 first. Sizes of dimensions `?` and
    /// `<=N` are arguments of the kernel, so that it is compiled once for all of them.
    ///
    /// # Errors
    /// If the sizes do not go with the shape, the rank differs from that of the coordinates, or a number is above
    /// `u32::MAX`.
    pub fn with_dims(shape: &ArrayShape, dims: &[usize]) -> Result<Self, LayoutError> {
        Self::new(Plan::with_dims(shape, dims)?)
    }

    /// The same for memory of vectors: positions count elements, and the kernel gets the number of the vector that
    /// begins there. A position along the contiguous dimension has to be a multiple of `vector_size`, in elements.
    ///
    /// # Errors
    /// If a vector would hold padding or elements of several rows, so that sizes or tiles have to be divisible by
    /// `vector_size`; the error says the longest possible vector.
    ///
    /// # Examples
    /// ```
    /// use cubecl::std::tensor::layout::Coords2d;
    /// use layout::layout;
    /// use layout_cubecl::XlaLayoutLaunch;
    ///
    /// type A = layout!(F32[100,200]{1,0:T(8,128)});
    /// let a = XlaLayoutLaunch::<Coords2d>::of::<_, A>();
    /// let error = a.with_vector_size(16).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "vectors of 16 elements would not be contiguous elements along dimension 1: at most 8 can be used, or a \
    ///      divisor of it",
    /// );
    /// ```
    pub fn with_vector_size(self, vector_size: usize) -> Result<Self, LayoutError> {
        let plan = self.plan.vectors(&self.arguments, vector_size)?;
        Ok(XlaLayoutLaunch { plan, ..self })
    }

    fn new((plan, arguments): (Plan, Vec<u32>)) -> Result<Self, LayoutError> {
        match C::RANK {
            Some(coords) if coords != plan.rank() => {
                Err(LayoutError::Rank { rank: plan.rank(), coords })
            }
            _ => Ok(XlaLayoutLaunch { plan, arguments, coords: PhantomData }),
        }
    }
}

impl<C: IndexCoords> TryFrom<&ArrayShape> for XlaLayoutLaunch<C> {
    type Error = LayoutError;

    /// The layout of a shape. A bounded dimension (`<=N`) has the size of its bound.
    fn try_from(shape: &ArrayShape) -> Result<Self, LayoutError> {
        Self::new(Plan::new(shape)?)
    }
}

impl<C: IndexCoords> TryFrom<ArrayShape> for XlaLayoutLaunch<C> {
    type Error = LayoutError;

    fn try_from(shape: ArrayShape) -> Result<Self, LayoutError> {
        Self::try_from(&shape)
    }
}

impl<C, E, D, M, T, P> TryFrom<WithDims<Array<E, D, M, T, P>>> for XlaLayoutLaunch<C>
where
    C: IndexCoords,
    E: Element,
    D: DimList,
    M: NumberList,
    T: TileSpec,
    P: Properties,
{
    type Error = LayoutError;

    /// A type's layout with its sizes; those that the type does not say are arguments of the kernel.
    fn try_from(layout: WithDims<Array<E, D, M, T, P>>) -> Result<Self, LayoutError> {
        Self::with_dims(Array::<E, D, M, T, P>::SHAPE, layout.dims().as_ref())
    }
}

impl<C: IndexCoords> From<XlaLayoutLaunch<C>> for XlaLayout<C> {
    /// The layout as a kernel has it, but on the host, where its functions run as well. Arithmetic on positions out of
    /// bounds wraps around in a kernel; on the host it may stop with an overflow.
    fn from(layout: XlaLayoutLaunch<C>) -> Self {
        let mut arguments = Sequence::new();
        for argument in layout.arguments {
            arguments.push(argument);
        }
        XlaLayout { arguments, plan: layout.plan, coords: PhantomData }
    }
}

impl<C: IndexCoords> Clone for XlaLayoutLaunch<C> {
    fn clone(&self) -> Self {
        XlaLayoutLaunch {
            plan: self.plan.clone(),
            arguments: self.arguments.clone(),
            coords: PhantomData,
        }
    }
}

impl<C: IndexCoords> fmt::Debug for XlaLayoutLaunch<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("XlaLayoutLaunch")
            .field("plan", &self.plan)
            .field("arguments", &self.arguments)
            .finish()
    }
}

/// What a kernel with a layout is compiled from: kernels are compiled again where it differs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct XlaLayoutCompilationArg {
    plan: Plan,
    arguments: usize,
}

impl<C: IndexCoords> LaunchArg for XlaLayout<C> {
    type RuntimeArg = XlaLayoutLaunch<C>;
    type CompilationArg = XlaLayoutCompilationArg;

    fn register(layout: Self::RuntimeArg, launcher: &mut KernelLauncher) -> Self::CompilationArg {
        let arguments = layout.arguments.len();
        for argument in layout.arguments {
            <u32 as LaunchArg>::register(argument, launcher);
        }
        XlaLayoutCompilationArg { plan: layout.plan, arguments }
    }

    fn expand(
        arg: &Self::CompilationArg,
        builder: &mut KernelBuilder,
    ) -> <Self as CubeType>::ExpandType {
        let mut arguments = Sequence::__expand_new(&builder.scope);
        for _ in 0..arg.arguments {
            let argument = <u32 as LaunchArg>::expand(&(), builder);
            arguments.__expand_push_method(&builder.scope, argument);
        }
        XlaLayoutExpand { arguments, plan: arg.plan.clone(), coords: PhantomData }
    }
}
