#![doc = include_str!("guide.md")]

pub mod which_copy {
    #![doc = include_str!("guide/which_copy.md")]
}

pub mod in_your_kernel {
    #![doc = include_str!("guide/in_your_kernel.md")]
}

pub mod images_and_audio {
    #![doc = include_str!("guide/images_and_audio.md")]
}

pub mod quantized_weights {
    #![doc = include_str!("guide/quantized_weights.md")]
}

pub mod kv_cache {
    #![doc = include_str!("guide/kv_cache.md")]
}

pub mod check_and_build {
    #![doc = include_str!("guide/check_and_build.md")]
}
