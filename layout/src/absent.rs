//! Stand-ins for the methods of features that are off: a call of one does not compile, and the error names the feature.

/// A trait that nothing implements, and methods that ask for it: each list of methods stands after the types that have it.
#[allow(unused_macros, reason = "all features can be on")]
macro_rules! absent {
    ($needs:ident $message:literal
        $($(#[$when:meta])? $($of:ident $([$lifetime:lifetime])? $([$elements:ident])?),+ => $methods:tt)*
    ) => {
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "the feature is off",
            note = "features are switched on in `Cargo.toml`: `layout = {{ package = \"tiled-layout\", features = [..] }}`"
        )]
        #[allow(unnameable_types, reason = "only errors of the compiler name it")]
        pub trait $needs {}

        $(
            $(#[$when])?
            absent! { @$needs $($of $([$lifetime])? $([$elements])?),+ => $methods }
        )*
    };
    (@$needs:ident $($of:ident $([$lifetime:lifetime])? $([$elements:ident])?),+ => $methods:tt) => {
        $(absent! { @$needs @$of $([$lifetime])? $([$elements])? $methods })+
    };
    (@$needs:ident @$of:ident $([$lifetime:lifetime])? $([$elements:ident])? {
        $(fn $method:ident $(<$generic:ident>)? ($($self:ident)? $(, $argument:ident)*);)*
    }) => {
        impl<$($lifetime,)? L: $crate::compiled::AnyLayout $(, $elements)?>
            $crate::$of<$($lifetime,)? L $(, $elements)?>
        {$(
            #[doc(hidden)]
            pub fn $method $(<$generic>)? ($(&$self,)? $($argument: impl Sized),*)
            where
                Self: $needs,
            {
                $(let _ = $argument;)*
            }
        )*}
    };
}

#[cfg(not(feature = "ndarray"))]
absent! {
    NeedsNdarray "this needs the feature `ndarray`"
    View['a][T], ViewMut['a][T] => {
        fn as_ndarray(self);
        fn to_ndarray(self);
    }
    View['a][T] => { fn of_ndarray(, array); }
    ViewMut['a][T] => {
        fn as_ndarray_mut(self);
        fn copy_from_ndarray(self, array, padding);
    }
    #[cfg(feature = "alloc")]
    Buffer[T] => {
        fn as_ndarray(self);
        fn to_ndarray(self);
        fn as_ndarray_mut(self);
        fn copy_from_ndarray(self, array, padding);
        fn from_ndarray(, array);
    }
}

#[cfg(not(feature = "bytemuck"))]
absent! {
    NeedsBytemuck "this needs the feature `bytemuck`"
    View['a][T], ViewMut['a][T] => { fn of_bytes(, bytes); }
    WithDims => {
        fn view_of_bytes<T>(self, bytes);
        fn view_mut_of_bytes<T>(self, bytes);
    }
}

#[cfg(not(feature = "rayon"))]
absent! {
    NeedsRayon "this needs the feature `rayon`"
    View['a][T], ViewMut['a][T] => {
        fn par_tiles(self);
        fn par_runs(self);
    }
    ViewMut['a][T] => {
        fn par_tiles_mut(self);
        fn par_runs_mut(self);
    }
    #[cfg(feature = "alloc")]
    Buffer[T] => {
        fn par_tiles(self);
        fn par_runs(self);
        fn par_tiles_mut(self);
        fn par_runs_mut(self);
    }
}

#[cfg(not(feature = "alloc"))]
absent! {
    NeedsAlloc "this needs the feature `alloc`"
    View['a][T], ViewMut['a][T], Slice['a][T], SliceMut['a][T] => {
        fn to_vec(self);
        fn to_layout<B>(self);
    }
    PackedView['a] => { fn to_vec(self); }
    WithDims => {
        fn zeroed<T>(self);
        fn zeroed_aligned<T>(self, alignment);
        fn filled(self, value);
        fn filled_aligned(self, value, alignment);
        fn from_fn(self, element);
        fn from_vec(self, slots);
        fn from_row_major(self, elements);
    }
}

#[cfg(not(feature = "relayout"))]
absent! {
    NeedsRelayout "this needs the feature `relayout`"
    View['a][T], ViewMut['a][T], Slice['a][T], SliceMut['a][T] => {
        fn relayout_to(self, to, padding);
    }
    // Without a heap, the list of `alloc` has them.
    #[cfg(feature = "alloc")]
    View['a][T], ViewMut['a][T], Slice['a][T], SliceMut['a][T], Buffer[T] => { fn to_layout<B>(self); }
    #[cfg(feature = "alloc")]
    View['a][T], ViewMut['a][T], Buffer[T] => { fn to_vec(self); }
    #[cfg(feature = "alloc")]
    Buffer[T] => {
        fn relayout_to(self, to, padding);
        fn from_row_major(, elements);
    }
    #[cfg(feature = "alloc")]
    WithDims => { fn from_row_major<T>(self, elements); }
}

/// Stand-ins for constants: one that is used stops the build.
#[allow(unused_macros, reason = "all features can be on")]
macro_rules! absent_constants {
    ($message:literal $($constant:ident)*) => {
        impl<E, D, M, T, P> $crate::Array<E, D, M, T, P>
        where
            E: $crate::types::element::Element,
            D: $crate::types::list::DimList,
            M: $crate::types::list::NumberList,
            T: $crate::types::tiles::TileSpec,
            P: $crate::types::property::Properties,
        {
            $(
                #[doc(hidden)]
                pub const $constant: &'static str = $crate::compiled::stop($message);
            )*
        }
    };
}

#[cfg(not(feature = "code"))]
absent_constants! {
    "this needs the feature `code` of `tiled-layout`" WGSL C99 CUDA HIP OPENCL METAL MLIR
}
