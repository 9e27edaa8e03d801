//! Why something is not a fragment.

use layout_core::limits::Size;

errors! {
    /// Why a fragment or an instruction does not exist.
    pub enum FragmentError {
        /// It cannot be: `what` says why, and what to write instead.
        Refused { what: &'static str } => what;
        /// What is spread over a dimension does not divide it.
        Size { dim: usize, size: Size, multiple: Size } => "dimension ", dim, " has size ", size,
            ", which is not a multiple of ", multiple,
            ": pad it to ", match size.checked_next_multiple_of(multiple) { Some(padded) => padded, None => size };
        /// No digit counts the multiples of a weight along a dimension.
        Uncounted { dim: usize, weight: Size } => "no digit counts in steps of ", weight, " along dimension ", dim,
            ": add a digit for it";
    }
}

macro_rules! refused {
    ($($name:ident $what:literal,)*) => {
        impl FragmentError {
            $(pub(super) const $name: FragmentError = FragmentError::Refused { what: $what };)*
        }
    };
}

refused! {
    RANK "a list is as long as another number of dimensions: write a number for each dimension of the array",
    DIM "there is no such dimension: count the dimensions from 0",
    DIMS "the arrays have other dimensions: take fragments and layouts of one array",
    BASIS "a basis is not a power of two along one dimension: a fragment has a digit of one dimension for each bit",
    REPEATED "several digits count the same elements of a dimension: let all but one count copies",
    OVERLAP "digits overlap along an axis: a stride has to be a multiple of what the digits below it count",
    CUT "a digit has to be cut where its values do not divide: choose sizes that divide one another",
    NUMBER "a size or stride is 0, unknown or too large: choose another one",
    TOO_MANY "the fragment has more than 48 digits: join some",
    LAYOUT "the layout has padding, a swizzle, a `*` in a tile or elements of parts of bytes: lay out the array without them",
    REGISTERS "only registers are converted or stored in shared memory: `Fragment::tcgen05_ld` is what a copy of tensor memory gives",
    MMA "no such `mma`: it takes 16×8 by a K of 128 or 256 bits, 8×8 by a K of 128 bits (elements of 1, 4 or 8), and for 64-bit elements 16×8 by 4, 8 or 16, or 8×8×4",
    WGMMA "no such `wgmma`: it takes multiples of 8 up to 256 for N, and elements of 1, 8, 16 or 32 bits",
    WGMMA_B "`wgmma` takes operand B from shared memory: write a descriptor",
    MFMA "no such MFMA: it takes 32×32, 16×16, 4×64 or 64×4 by a K up to 1024",
    WMMA "no such WMMA: it takes 16×16 by a K of 2 to 1024, in generation 1 (RDNA 3), 2 (RDNA 4) or 3 (gfx1250)",
    K_WIDTH "each lane holds 1 to 1024 elements along K: choose another `k_width`",
    DATAPATH "datapaths A and D take 128 rows, B, C, E and F take 64, G takes 32; B and E take even columns, G multiples of 4; only C and F have an upper half",
    LOAD "`tcgen05.ld` takes 128 rows, or 64 (32x32b: of 32-bit elements only), and as many columns as its width times a power of two, for at most 128 registers",
    OPERAND "`tcgen05.mma` takes A as [64, K], [128, K], or with `.ws` or M = 128 in two blocks as [2, 64, K]; D has the rows of its block, and in halves [64, N], [2, 64, N], [64, 2, N] or [64, N1, 2, N2]",
    BLOCK "tensor memory takes blocks of 64 or 128 rows: choose one of these",
}
