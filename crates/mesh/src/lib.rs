//! Arrays over many devices: which box of an array lies on which device, and what moves when that changes.
//!
//! A sharding is one more tile. `f32[1000,512]` over `{devices=[4,2]<=[8]}` is cut into a grid of 4×2 shards of 250×256, as
//! `T(250,256)` would cut it, and padded where they extend past the array, as a tile is. The [`Grid`] says which device has which
//! shard; a shard is an array of its own, in the array's layout.
//!
//! ```
//! use layout_mesh::{Mesh, Sharding};
//!
//! let array: layout::ArrayShape = "f32[13,512]{1,0:T(8,128)}".parse()?;
//! let sharding: Sharding = "{devices=[4,2]<=[8]}".parse()?;
//! assert_eq!(sharding.shard_shape(&array)?.to_string(), "f32[4,256]{1,0:T(8,128)}");
//! // The last row of shards has one row of the array, and padding.
//! assert_eq!(sharding.box_of(&[13, 512], 7)?, Some(vec![12..13, 256..512]));
//!
//! let mesh: Mesh = "x=4,y=2".parse()?;
//! assert_eq!(mesh.sharding("P('x', 'y')", 2)?, sharding);
//! assert_eq!(sharding.spec(&mesh).as_deref(), Some("P('x', 'y')"));
//!
//! let columns = mesh.sharding("P(None, ('x', 'y'))", 2)?;
//! // Elements that each device has to receive.
//! assert_eq!(sharding.reshard(&columns, &[13, 512], 8)?.received()[0], 9 * 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

extern crate alloc;

#[macro_use]
extern crate layout_core;

mod devices;
mod grid;
mod mesh;
mod moves;
mod no_answer;
mod path;
mod print;
mod read;
mod sharding;

pub use devices::MAX_DEVICES;
pub use grid::{Grid, Held};
pub use mesh::Mesh;
pub use moves::{MAX_MOVES, Move, Reshard};
pub use no_answer::NoAnswer;
pub use path::Step;
pub use read::groups::replica_groups;
pub use sharding::{Box, Sharding};
