#![doc = include_str!("guide.md")]

#[cfg(feature = "relayout")]
pub mod in_your_kernel {
    #![doc = include_str!("guide/in_your_kernel.md")]
}
