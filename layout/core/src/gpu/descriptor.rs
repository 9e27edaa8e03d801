//! Descriptors of matrices in shared memory and of instructions, for `wgmma` and `tcgen05`.
