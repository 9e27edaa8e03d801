//! Why a question about a sharding has no answer.

use layout_core::Size;

errors! {
    /// Why a question about a sharding has no answer.
    pub enum NoAnswer {
        /// The sharding is `manual`, `unreduced` or `unknown`, or has parts that are.
        OnlyTheProgram => "only the program knows what each device has of this array: the sharding is `manual`, `unreduced` or `unknown`";
        /// The sharding is for arrays of another rank.
        Rank { sharding: usize, array: usize } => "the sharding cuts ", sharding, " dimensions, but the array has ", array;
        /// A size of the array is not known.
        UnknownSize { dim: usize } => "the size of dimension ", dim, " is not known: write a number instead of `?`";
        /// An index is not one of the array.
        Index { dim: usize, size: Size } => "the index is past the end of dimension ", dim, ", which has size ", size;
        /// Numbers of elements or bytes exceed the limits of layouts.
        TooLarge => "the array has more than 2^63 bytes, or its layout is not one of a shard";
        /// More boxes would move between pairs of devices than are listed.
        TooManyMoves { most: usize } => "more than ", most, " boxes move between pairs of devices";
    }
}
