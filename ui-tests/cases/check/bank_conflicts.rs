//! Accesses of shared memory that have bank conflicts, or that an array does not have.

use layout_gpu::banks::{Access, Matrices, assert_conflict_free};
use layout::layout;

type Tile = layout!(F16[64,64]);
type Column = layout!(F32[30]);

const WRITE: Access = Access::of("lane / 8, lane % 8 * 8", 16);
const READ: Access = Access::of("lane % 16, lane / 16 * 8", 16).matrices(Matrices::X4);

const _: () = assert_conflict_free(Tile::SHAPE, &[WRITE, READ]);
const _: () = assert_conflict_free(Column::SHAPE, &[Access::of("lane", 4)]);
const _: Access = Access::of("lane, row", 4);

fn main() {}
