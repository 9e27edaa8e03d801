//! What is counted of a layout.

/// An index, and how it lies in memory: kernels load and store it at once.
pub trait Index: Copy {
    type Stored: Copy;
    /// The index.
    fn load(stored: Self::Stored) -> Self;
    /// As it is stored.
    fn store(self) -> Self::Stored;
    /// The index in an array of these sizes that a thread copies, in blocks of 32 x 8.
    #[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
    fn of_thread(dims: Self) -> Self;
}

macro_rules! index {
    ($rank:literal, $align:literal, $stored:ident { $($field:ident $k:literal),* },
        ($x:ident $y:ident $z:ident $dims:ident) => $of_thread:expr) => {
        // Fields and not an array, which LLVM would load as one number of 64 bits.
        #[derive(Clone, Copy, Debug)]
        #[repr(C, align($align))]
        pub struct $stored { $($field: u32),* }

        impl Index for [u32; $rank] {
            type Stored = $stored;

            #[inline(always)]
            fn load(stored: $stored) -> Self {
                let all = [$(stored.$field),*];
                core::array::from_fn(|dim| all[dim])
            }

            #[inline(always)]
            fn store(self) -> $stored {
                $stored { $($field: self.get($k).copied().unwrap_or(0)),* }
            }

            #[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
            #[inline(always)]
            fn of_thread($dims: Self) -> Self {
                let this = kernels::thread::this();
                let $x = this.block[0] * 32 + this.thread[0];
                let $y = this.block[1] * 8 + this.thread[1];
                let $z = this.block[2];
                $of_thread
            }
        }
    };
}

index! { 1, 4, Stored1 { i 0 }, (x _y _z _dims) => [x] }
index! { 2, 8, Stored2 { i 0, j 1 }, (x y _z _dims) => [y, x] }
index! { 3, 16, Stored3 { i 0, j 1, k 2, l 3 }, (x y z _dims) => [z, y, x] }
index! { 4, 16, Stored4 { i 0, j 1, k 2, l 3 }, (x y z dims) => [z / dims[1], z % dims[1], y, x] }

/// Row-major position.
#[inline(always)]
pub fn linear<const R: usize>(dims: [u32; R], index: [u32; R]) -> u32 {
    let mut linear = index[0];
    for dim in 1..R {
        linear = linear * dims[dim] + index[dim];
    }
    linear
}

/// The functions of a layout, for indices as arrays, and its kernels. Sizes known at run time have names.
macro_rules! case {
    ($name:ident, $rank:literal, $element:ty: $($shape:tt)*) => {
        pub mod $name {
            layout::layout! { pub type A = $($shape)*; }

            crate::case::functions! { $rank, u32: offset_u32_unchecked checked_offset_u32 index_u32 }

            /// The same in numbers of the width of the target.
            pub mod wide {
                use super::A;

                crate::case::functions! { $rank, usize: offset_unchecked checked_offset index }
                crate::case::kernels! { $name, "_wide", (), $rank, $element }
            }

            crate::case::kernels! { $name, "", (), $rank, $element }
        }
    };
    ($name:ident($($size:ident),*), $rank:literal, $element:ty: $($shape:tt)*) => {
        pub mod $name {
            layout::layout! { pub type A = $($shape)*; }

            #[inline(always)]
            pub fn dims($($size: u32),*) -> [u32; $rank] {
                [$($size),*]
            }

            #[inline(always)]
            pub fn offset(index: [u32; $rank] $(, $size: u32)*) -> u32 {
                A::with_dims_u32_unchecked([$($size),*]).offset_unchecked(index)
            }

            #[inline(always)]
            pub fn checked_offset(index: [u32; $rank] $(, $size: u32)*) -> Option<u32> {
                A::with_dims_u32_unchecked([$($size),*]).checked_offset(index)
            }

            #[inline(always)]
            pub fn index(offset: u32 $(, $size: u32)*) -> Option<[u32; $rank]> {
                A::with_dims_u32_unchecked([$($size),*]).index(offset)
            }

            crate::case::kernels! { $name, "", ($($size),*), $rank, $element }
        }
    };
}

/// The functions of a layout whose sizes are known, by its own functions in numbers of one width.
macro_rules! functions {
    ($rank:literal, $number:ty: $offset:ident $checked_offset:ident $index:ident) => {
        #[inline(always)]
        pub fn dims() -> [u32; $rank] {
            A::DIMS.map(|size| size as u32)
        }

        #[inline(always)]
        pub fn offset(index: [u32; $rank]) -> u32 {
            A::$offset(index.map(|coordinate| coordinate as $number)) as u32
        }

        #[inline(always)]
        pub fn checked_offset(index: [u32; $rank]) -> Option<$number> {
            A::$checked_offset(index.map(|coordinate| coordinate as $number))
        }

        #[inline(always)]
        pub fn index(offset: u32) -> Option<[u32; $rank]> {
            Some(A::$index(offset as $number)?.map(|coordinate| coordinate as u32))
        }
    };
}

/// The kernels of the functions in scope; on a processor two functions instead, for `check.cpp`.
macro_rules! kernels {
    ($name:ident, $suffix:literal, ($($size:ident),*), $rank:literal, $element:ty) => {
        #[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
        mod kernels {
            use crate::case::{Index, linear};

            type Stored = <[u32; $rank] as Index>::Stored;

            #[unsafe(export_name = concat!(stringify!($name), "_offset", $suffix))]
            pub unsafe extern "gpu-kernel" fn offset(
                input: *const Stored, output: *mut u32 $(, $size: u32)*
            ) {
                let thread = kernels::thread::this().thread[0] as usize;
                unsafe {
                    *output.add(thread) = super::offset(Index::load(*input.add(thread)) $(, $size)*);
                }
            }

            #[unsafe(export_name = concat!(stringify!($name), "_index", $suffix))]
            pub unsafe extern "gpu-kernel" fn index(
                input: *const u32, output: *mut Stored $(, $size: u32)*
            ) {
                let thread = kernels::thread::this().thread[0] as usize;
                unsafe {
                    if let Some(index) = super::index(*input.add(thread) $(, $size)*) {
                        *output.add(thread) = index.store();
                    }
                }
            }

            #[unsafe(export_name = concat!(stringify!($name), "_copy", $suffix))]
            pub unsafe extern "gpu-kernel" fn copy(
                input: *const $element, output: *mut $element $(, $size: u32)*
            ) {
                let dims = super::dims($($size),*);
                let index = Index::of_thread(dims);
                if let Some(offset) = super::checked_offset(index $(, $size)*) {
                    unsafe { *output.add(offset as usize) = *input.add(linear(dims, index) as usize) }
                }
            }
        }

        #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
        mod functions {
            #[unsafe(export_name = concat!(stringify!($name), "_offset", $suffix))]
            pub unsafe extern "C" fn offset(index: *const [u32; $rank], _sizes: *const u32) -> u32 {
                let mut _next = 0..;
                $(let $size = unsafe { *_sizes.add(_next.next().unwrap_or(0)) };)*
                super::offset(unsafe { *index } $(, $size)*)
            }

            #[unsafe(export_name = concat!(stringify!($name), "_index", $suffix))]
            pub unsafe extern "C" fn index(offset: u32, index: *mut [u32; $rank], _sizes: *const u32) -> bool {
                let mut _next = 0..;
                $(let $size = unsafe { *_sizes.add(_next.next().unwrap_or(0)) };)*
                let found = super::index(offset $(, $size)*);
                unsafe { *index = found.unwrap_or_default() }
                found.is_some()
            }
        }
    };
}

pub(crate) use {case, functions, kernels};
