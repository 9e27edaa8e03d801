//! Everything that can be wrong with a shape, with its message and what to write instead.

use crate::base::Piece::{Counted as counted, Quoted as quoted};
use crate::base::{
    MAX_DIMS, MAX_NESTING, MAX_SPLIT_INDICES, MAX_SPLITS, MAX_TILE_DIMS, MAX_TILES, Size, Text,
};
use crate::shape::{ElementType, Property, SwizzleUnit};

reasons! {
    /// What is wrong with a shape. Dimensions and entries are counted from 0, `rank` is the number of the array's dimensions.
    pub enum FaultKind {
        /// The text violates the grammar.
        Syntax { what: &'static str, instead: &'static str } => what => instead;
        /// No element type has this name. `nearest` has the most similar name, if one is similar.
        UnknownElementType { nearest: Option<ElementType> } => "unknown element type" => &match nearest {
            Some(nearest) => phrase!("did you mean ", quoted(nearest.name()), "?"),
            None => phrase!("write one of XLA's names, such as `f32`, `bf16`, `s8`, `u4`, `pred`"),
        };
        /// The name is a word for several element types, such as `f8`; `prefix` is how the names of these begin.
        SeveralElementTypes { prefix: &'static str } => quoted(prefix), " stands for several element types"
            => "write one of ", &ElementType::list_of_family(prefix);
        /// The order lists more or fewer dimensions than the array has.
        MinorToMajorCount { entries: usize, rank: usize }
            => "the order lists ", counted(entries, "dimension"), ", but the array has ", rank
            => &match rank {
                0 => phrase!("a scalar has no dimensions to order: leave the numbers out"),
                1 => phrase!("the order of a one-dimensional array is `0`"),
                _ => phrase!("list each of 0 to ", rank - 1, " once, most minor (fastest varying) first"),
            };
        /// The order lists a dimension that the array does not have.
        MinorToMajorRange { rank: usize } => "the array does not have this dimension" => &dimensions(rank);
        /// The order lists a dimension twice, and another one not at all.
        MinorToMajorRepeated { dim: usize, missing: usize } => "dimension ", dim, " is ordered twice"
            => "dimension ", missing, " is missing from the order";
        /// A size of a tile is 0.
        ZeroTile => "a tile cannot have size 0" => "write 1, which leaves the dimension as it is, or more";
        /// A tile has no entries.
        EmptyTile => "a tile needs at least one size"
            => "write the sizes, most major first, as in `(8,128)`, or leave the tile out";
        /// `*` is the last entry of its tile, so there is nothing to combine with.
        CombinedLast => "`*` (also written `-1`) cannot be the last entry of a tile"
            => "`*` combines a dimension with the next more minor one: `(*,2)` tiles the last two dimensions as one";
        /// The properties are not in XLA's order: the one found belongs before another.
        PropertyOrder { found: Property, before: Property }
            => quoted(found.name()), " belongs before ", quoted(before.name()) => "the order is ", Property::ORDER;
        /// A property is given twice.
        PropertyRepeated { property: Property } => quoted(property.name()), " is given twice"
            => match property {
                Property::Tiles => "further tiles follow the first without a letter: `T(8,128)(2,1)`",
                _ => "remove one of the two",
            };
        /// The letters of a property are not in capitals.
        PropertyCase { property: Property } => "properties are written in capitals"
            => "write ", quoted(property.example());
        /// A property has no value, or one that cannot be read.
        PropertyValue { property: Property } => "expected the value of ", quoted(property.name())
            => "write it in parentheses, as in ", quoted(property.example());
        /// A type gives a property its default value.
        Default { property: Property } => quoted(property.name()), " is set to its default"
            => "leave it out: each layout then has exactly one type";
        /// The value of a property is out of its range.
        OutOfRange { property: Property } => quoted(property.name()), " is out of range" => &property.range();
        /// A property of sparse arrays, which are not supported.
        Sparse { property: Property } => quoted(property.name()), " is for sparse arrays, but this array is dense"
            => "remove it";
        /// `PAD` does not give one width for each dimension.
        PaddingCount { entries: usize, rank: usize }
            => "`PAD` gives ", counted(entries, "width"), ", but the array has ", counted(rank, "dimension")
            => "give the padded width of each dimension, dimension 0 first";
        /// `PAD` gives a width below the size of the dimension.
        PaddingNarrow { size: Size } => "`PAD` is narrower than the dimension, which has size ", size
            => "write the width including the padding, ", size, " or more";
        /// `FILL` without `PAD`.
        FillAlone => "`FILL` is the value of `PAD`'s padding, but there is no `PAD`"
            => "write `PAD(..)` before it, with the padded width of each dimension";
        /// `PAD` widens a dimension without bound.
        PaddingUnbounded => "`PAD` cannot widen a dimension of unknown size"
            => "write the size of the dimension, or a bound for it as in `<=1024`";
        /// `SC` splits a dimension that the array does not have.
        SplitRange { rank: usize } => "the array does not have this dimension to split" => &dimensions(rank);
        /// `SC` splits a dimension twice. Dimensions are physical: 0 is the most major.
        SplitRepeated { dim: usize } => "physical dimension ", dim, " is split twice"
            => "give all indices of a dimension together, as in `SC(0:16,32)`";
        /// Split indices are not above 0 and increasing.
        SplitOrder => "split indices must increase, starting above 0"
            => "each index is where the next part begins: `SC(0:16,32)`";
        /// A split index is past the end of its dimension.
        SplitIndex { size: Size } => "the split index is past the end of its dimension, which has size ", size
            => "each index is where the next part begins: write less than ", size;
        /// A size is not a multiple of the packed format's block.
        NotMultiple { dim: usize, size: Size, multiple: Size }
            => "the packed format takes multiples of ", multiple, ", but dimension ", dim, " has size ", size
            => "pad the array to ", (size / multiple + 1).saturating_mul(multiple);
        /// The number of a dimension, or the place for a new one, is out of range.
        NoDim { dim: usize, rank: usize } => "dimension ", dim, " is out of range for an array of rank ", rank
            => &dimensions(rank);
        /// The list is not a permutation of the dimensions.
        NotPermutation { rank: usize }
            => "the list is not a permutation of the dimensions of an array of rank ", rank
            => "list each dimension once; they are numbered from 0";
        /// The number of sizes is not the rank.
        SizeCount { given: usize, rank: usize }
            => "the array has rank ", rank, ", but the number of sizes is ", given;
        /// The size that is given differs from that of a static dimension.
        OtherSize { dim: usize, size: Size, given: Size }
            => "dimension ", dim, " has size ", size, ", but was given ", given;
        /// The size that is given exceeds the bound of a dimension (`<=N`).
        AboveBound { dim: usize, bound: Size, given: Size }
            => "dimension ", dim, " has size at most ", bound, ", but was given ", given;
        /// The array has more slots in memory than 32 bits count, which offsets of `u32` need. A slot holds an element.
        Above32Bits { slots: Size } => "the array has ", slots, " slots in memory, but 32 bits count at most ",
            u32::MAX as Size, ": use `offset` and `index`, which count in `usize`";
        /// The default layout of a TPU depends on a size that is known only at run time (`?`).
        DefaultOfUnknownSize { dim: usize } => "the default layout depends on the size of dimension ", dim,
            ", which is known only at run time (`?`)" => "write its tiles, as in `{1,0:T(8,128)}`";
        /// TPUs have no default layout for elements of this type.
        NoDefaultLayout { element: ElementType }
            => "TPUs have no default layout for elements of type ", quoted(element.name())
            => "write its tiles, as in `{1,0:T(32,128)(32,1)E(1)}`";
        /// The bits that a swizzle exchanges overlap those that it reads, which are `shift` bits above them.
        SwizzleOverlap { bits: u8, shift: i8 } => "the swizzle exchanges ", bits as usize,
            " bits, which overlap the bits ", shift.unsigned_abs() as usize, " places away that it reads"
            => "the third number is at least as large as the first one: write ", bits as usize,
            " or more, or exchange fewer bits";
        /// A swizzle reads or exchanges bits that no offset has.
        SwizzleTooHigh => "the swizzle reaches bits that no offset has"
            => "the three numbers together are at most 62, counted in bytes and in elements";
        /// A swizzle of bytes splits elements, or a swizzle of elements splits bytes.
        SwizzleSplits { unit: SwizzleUnit, element_bits: Size } => &match unit {
            SwizzleUnit::Bytes => phrase!("the swizzle moves fewer bytes than an element of ", element_bits,
                " bits has, or elements do not fill its units"),
            SwizzleUnit::Elements => phrase!("the swizzle moves elements of ", element_bits, " bits, which do not fill bytes"),
        }
            => "write a larger second number: 2 to its power is the number of ", unit.name(), " that stay together";
        /// A swizzle exchanges elements with memory past the end of the array: it does so within blocks of `block` slots.
        SwizzleLeaves { slots: Size, block: Size } => "the swizzle exchanges elements within blocks of ", block,
            ", but the array has ", slots, " slots in memory"
            => "pad the memory to whole blocks: `L(", block, ")`, or pad a dimension";
        /// A type has properties after its swizzle.
        SwizzleBefore => "properties follow the swizzle" => "list the swizzle last, once";
        /// The text is not one of a swizzle.
        SwizzleText => "unknown swizzle" => "write `32B`, `64B`, `128B` or `128B_ATOM_32B`, \
            or CuTe's three numbers on bytes or on elements: `bytes<3,4,3>`, `elements<3,3,3>`";
        /// XLA's notation has no swizzle.
        SwizzleOfXla => "XLA's notation has no swizzle"
            => "print the array without it, by `without_swizzle`, and say the swizzle apart";
        /// A number of elements or bytes is too large. The largest number allowed is
        /// [`MAX_SIZE`](crate::limits::MAX_SIZE), or for a type the target's `isize::MAX`.
        Overflow { count: Count, limit: Size } => &count.line(), " than 2^", limit.count_ones() as usize, "-1"
            => &count.help(), &match count {
                Count::Bytes => phrase!(limit.count_ones() as usize, " bits"),
                _ => Text::new(),
            };
        /// A limit of the library is exceeded. `what` names the things, in the plural.
        TooMany { what: &'static str, limit: usize } => "more than ", limit, " ", what
            => "this is a limit of the library: leave out the rest";
    }
}

reasons! {
    /// The number of elements or bytes that is too large.
    pub enum Count {
        /// Elements of the array.
        Elements => "the array has more elements" => "make a dimension smaller; one of size 0 does not help";
        /// Elements, with the padding of `PAD`.
        Padded => "padded by `PAD`, the array has more elements" => "make a padded width smaller";
        /// Elements, padded to whole tiles.
        Tiled => "padded to whole tiles, the array has more elements"
            => "make the tile smaller: the array is padded up to whole tiles";
        /// Elements, rounded up to a multiple of `L(n)`.
        Aligned => "rounded up by `L`, the array has more elements" => "make `L` smaller";
        /// Bytes in memory.
        Bytes => "the array takes more bytes in memory"
            => "make this smaller: the size in bytes, padding included, has to fit in ";
        /// A number of a property, such as the bytes of `M(n)`.
        Number => "the number is larger" => "write a smaller number";
    }
}

impl FaultKind {
    pub(crate) const TOO_MANY_DIMS: FaultKind = too_many("dimensions", MAX_DIMS);
    pub(crate) const TOO_MANY_TILES: FaultKind = too_many("tiles", MAX_TILES);
    pub(crate) const TOO_MANY_TILE_DIMS: FaultKind =
        too_many("sizes in all tiles together", MAX_TILE_DIMS);
    pub(crate) const TOO_MANY_SPLITS: FaultKind = too_many("split configurations", MAX_SPLITS);
    pub(crate) const TOO_MANY_SPLIT_INDICES: FaultKind =
        too_many("split indices", MAX_SPLIT_INDICES);
    pub(crate) const TOO_DEEP: FaultKind = too_many("levels of nested tuples", MAX_NESTING);
}

const fn too_many(what: &'static str, limit: usize) -> FaultKind {
    FaultKind::TooMany { what, limit }
}

/// The valid numbers of dimensions, for the help about an invalid one.
const fn dimensions(rank: usize) -> Text<320> {
    match rank {
        0 => text!("a scalar has no dimensions: leave the number out"),
        1 => text!("the only dimension is 0"),
        _ => text!("the dimensions are 0 to ", rank - 1),
    }
}
