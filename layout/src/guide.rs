#![doc = include_str!("guide.md")]

#[cfg(feature = "relayout")]
pub mod which_copy {
    #![doc = include_str!("guide/which_copy.md")]
}

#[cfg(feature = "relayout")]
pub mod in_your_kernel {
    #![doc = include_str!("guide/in_your_kernel.md")]
}

#[cfg(feature = "relayout")]
pub mod images_and_audio {
    #![doc = include_str!("guide/images_and_audio.md")]
}

#[cfg(feature = "relayout")]
pub mod quantized_weights {
    #![doc = include_str!("guide/quantized_weights.md")]
}

#[cfg(feature = "relayout")]
pub mod kv_cache {
    #![doc = include_str!("guide/kv_cache.md")]
}

pub mod check_and_build {
    #![doc = include_str!("guide/check_and_build.md")]
}
