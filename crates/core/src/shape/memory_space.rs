//! The memory spaces that XLA names: values of `S(n)`. Each target defines the other numbers.

/// The device's main memory: the default.
#[doc(alias = "kDefaultMemorySpace")]
pub const DEFAULT: i8 = 0;
/// The fast memory of a device: VMEM on TPUs.
#[doc(alias = "kGenericFastMemorySpace")]
pub const GENERIC_FAST: i8 = 1;
/// The host's memory, pinned.
#[doc(alias = "kHostMemorySpace")]
pub const HOST: i8 = 5;
/// The host's memory, not pinned.
#[doc(alias = "kUnpinnedHostMemorySpace")]
pub const UNPINNED_HOST: i8 = 6;
