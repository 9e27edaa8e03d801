#![doc = include_str!("guide.md")]

#[cfg(feature = "gpu")]
pub mod shared_memory {
    #![doc = include_str!("guide/shared_memory.md")]
}
