//! Shardings as HLO text writes them: `{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}`.

use alloc::vec::Vec;
use core::str::FromStr;

use crate::grid::{Grid, Held, MAX_DEVICES, transposed};
use crate::mesh::Mesh;
use crate::read::cursor::{Cursor, Read};
use crate::sharding::Sharding;
use layout_core::{Error, permutation};

const FORMS: &str = "write `{replicated}`, `{maximal device=0}`, `{devices=[4,2]<=[8]}` or `{mesh['x'=4,'y'=2], [{'x'}, {'y'}]}`";

/// HLO's text of one sharding, also with XLA's named axes.
impl FromStr for Sharding {
    type Err = Error;

    fn from_str(text: &str) -> Result<Sharding, Error> {
        let mut cursor = Cursor::new(text);
        let sharding = sharding(&mut cursor)?;
        cursor.end()?;
        Ok(sharding)
    }
}

impl Sharding {
    /// HLO's text of the shardings of a tuple's arrays, `{{replicated}, {devices=[2]<=[2]}}`, or of one array.
    ///
    /// # Errors
    /// The first part of the text that is wrong.
    pub fn parse_all(text: &str) -> Result<Vec<Sharding>, Error> {
        let mut cursor = Cursor::new(text);
        let start = cursor.place();
        cursor.expect("{", "a sharding begins with `{`", FORMS)?;
        let is_tuple = cursor.is_at("{") || cursor.is_at("}");
        let all = if is_tuple {
            cursor.list("}", sharding)?
        } else {
            cursor.moved_to(start);
            Vec::from([sharding(&mut cursor)?])
        };
        cursor.end()?;
        Ok(all)
    }
}

pub(crate) fn sharding(cursor: &mut Cursor<'_>) -> Read<Sharding> {
    cursor.expect("{", "a sharding begins with `{`", FORMS)?;
    if cursor.take("mesh[") {
        return Mesh::sharding_after(cursor);
    }
    let sharding = match () {
        () if cursor.take("maximal_mesh[device_id=") => {
            let device = cursor.number()?;
            cursor.expect("]", "expected `]`", FORMS)?;
            Sharding::OneDevice(device)
        }
        () if cursor.take("maximal device=") => Sharding::OneDevice(cursor.number()?),
        () if cursor.take("replicated") => Sharding::Replicated,
        () if cursor.take("manual") => Sharding::Manual,
        () if cursor.take("unreduced") => Sharding::Unreduced,
        () if cursor.take("unknown") => Sharding::Unknown,
        () if cursor.take("devices=") => grid(cursor)?,
        () => return cursor.error("no sharding begins like this", FORMS),
    };
    if cursor.take("shard_as ") || cursor.take("shard_like ") {
        cursor.number()?;
    }
    let _ = cursor.take(",");
    if cursor.take("metadata={") {
        cursor.skip_group()?;
    }
    cursor.expect(
        "}",
        "expected `}` at the end of the sharding",
        "one of `last_tile_dim_replicate` and \
        `last_tile_dims={..}` may follow the devices",
    )?;
    Ok(sharding)
}

fn grid(cursor: &mut Cursor<'_>) -> Read<Sharding> {
    let start = cursor.place();
    cursor.expect("[", "expected the sizes of the grid", FORMS)?;
    let mut shards = cursor.list("]", Cursor::count)?;
    let is_list = !cursor.take("<=[");
    let devices = if is_list {
        // As in XLA, only the short form is for one device.
        let mut devices = Vec::from([cursor.number()? as u32]);
        while cursor.take(",") {
            devices.push(cursor.number()? as u32);
        }
        devices
    } else {
        iota(cursor)?
    };
    let count = shards.iter().try_fold(1usize, |count, size| count.checked_mul(*size));
    if shards.is_empty() || count != Some(devices.len()) {
        let what = "the grid has another number of places than there are devices";
        return cursor.error_from(start, what, "the product of the sizes is the number of devices");
    }
    if is_list && devices.len() == 1 {
        return cursor.error_from(
            start,
            "this is a grid of one device",
            "write `{maximal device=0}`",
        );
    }
    let kinds = kinds(cursor)?;
    let Some(rank) = shards.len().checked_sub(kinds.len()) else {
        let what = "more kinds of copies than sizes of the grid";
        return cursor.error_from(
            start,
            what,
            "write a size for each kind, after those of the dimensions",
        );
    };
    let has_copies = !kinds.is_empty();
    let copies = shards.split_off(rank).into_iter().zip(kinds).collect();
    let Some(grid) = Grid::new(shards, copies, devices) else {
        return cursor.error_from(start, "a device is listed twice", "list each device once");
    };
    let grid = grid.of_list(is_list);
    // XLA keeps a grid of one shard on one device as it is.
    let is_one = grid.devices().len() == 1 && !has_copies;
    Ok(if is_one { Sharding::Grid(grid) } else { Sharding::of_grid(grid) })
}

/// What the devices of one shard hold, for each of the last sizes of the grid.
fn kinds(cursor: &mut Cursor<'_>) -> Read<Vec<Held>> {
    if cursor.take("last_tile_dim_replicate") {
        return Ok(Vec::from([Held::Whole]));
    }
    if !cursor.take("last_tile_dims={") {
        return Ok(Vec::new());
    }
    cursor.list("}", held)
}

pub(crate) fn held(cursor: &mut Cursor<'_>) -> Read<Held> {
    match () {
        () if cursor.take("replicated") => Ok(Held::Whole),
        () if cursor.take("unreduced") => Ok(Held::Summand),
        () if cursor.take("manual") => Ok(Held::Manual),
        () => {
            cursor.error("expected a kind of copies", "write `replicated`, `unreduced` or `manual`")
        }
    }
}

/// After `[`: `4,2]T(1,0)`, the numbers from 0 on as an array of these sizes, transposed.
pub(crate) fn iota(cursor: &mut Cursor<'_>) -> Read<Vec<u32>> {
    let start = cursor.place();
    let sizes = cursor.list("]", Cursor::count)?;
    let Some(count) = device_count(sizes.iter().copied()).filter(|_| !sizes.is_empty()) else {
        return cursor.error_from(
            start,
            "no such number of devices",
            "write from 1 to 1048576 devices",
        );
    };
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    if cursor.take("T(") {
        let start = cursor.place();
        order = cursor.list(")", Cursor::number)?;
        if order.len() != sizes.len() || order.len() < 2 || !permutation::is_permutation(&order) {
            let what = "this is not an order of the sizes before it";
            return cursor.error_from(
                start,
                what,
                "write the number of each size once, from 0, as in `[4,2]T(1,0)`",
            );
        }
    }
    Ok(transposed(&(0..count as u32).collect::<Vec<_>>(), &sizes, &order))
}

/// The product of sizes, if it is a number of devices.
pub(crate) fn device_count(mut sizes: impl Iterator<Item = usize>) -> Option<usize> {
    let count = sizes.try_fold(1usize, |count, size| count.checked_mul(size))?;
    (count <= MAX_DEVICES).then_some(count)
}
