//! Shardings as HLO text writes them: `{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}`.

use alloc::vec::Vec;
use core::str::FromStr;

use crate::devices::{Devices, MAX_DEVICES, row_major};
use crate::grid::{Grid, Held};
use crate::mesh::Mesh;
use crate::read::cursor::{Cursor, Read};
use crate::read::fault;
use crate::sharding::Sharding;
use layout_core::{Error, permutation};

/// HLO's text of one sharding, also with XLA's named axes.
impl FromStr for Sharding {
    type Err = Error;

    fn from_str(text: &str) -> Result<Sharding, Error> {
        Cursor::all(text, sharding)
    }
}

impl Sharding {
    /// HLO's text of the shardings of a tuple's arrays, `{{replicated}, {devices=[2]<=[2]}}`, or of one array.
    ///
    /// # Errors
    /// The first part of the text that is wrong.
    ///
    /// # Examples
    /// ```
    /// use layout_mesh::Sharding;
    ///
    /// let all = Sharding::parse_all("{{replicated}, {devices=[2]<=[2]}}")?;
    /// assert_eq!(all[1].shard_dims(&[10])?, [5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_all(text: &str) -> Result<Vec<Sharding>, Error> {
        Cursor::all(text, |cursor| {
            let start = cursor.place();
            if cursor.take("{") && (cursor.is_at("{") || cursor.is_at("}")) {
                return cursor.list("}", sharding);
            }
            cursor.at = start;
            Ok(Vec::from([sharding(cursor)?]))
        })
    }
}

pub(crate) fn sharding(cursor: &mut Cursor<'_>) -> Read<Sharding> {
    if !cursor.take("{") {
        return cursor.error(fault::NO_BRACE);
    }
    if cursor.take("mesh") {
        return Mesh::sharding_after(cursor);
    }
    let sharding = match held(cursor) {
        Some(held) => Sharding::Every(held),
        None if cursor.take("devices=") => grid(cursor)?,
        None if cursor.take("maximal device=") => Sharding::OneDevice(cursor.device()?),
        None if cursor.take("maximal_mesh[device_id=") => {
            let device = cursor.device()?;
            expect!(cursor, "]", "{maximal_mesh[device_id=0]}");
            Sharding::OneDevice(device)
        }
        None => return cursor.error(fault::FORM),
    };
    if cursor.take("shard_as ") || cursor.take("shard_like ") {
        cursor.number()?;
    }
    let _ = cursor.take(",");
    cursor.skip_metadata()?;
    if cursor.take("}") { Ok(sharding) } else { cursor.error(fault::END) }
}

fn grid(cursor: &mut Cursor<'_>) -> Read<Sharding> {
    let start = cursor.place();
    let (sizes, devices) = assignment(cursor)?;
    let kinds = match cursor.take("last_tile_dim_replicate") {
        true => Vec::from([Held::Whole]),
        false if cursor.take("last_tile_dims={") => cursor.list("}", kind)?,
        false => Vec::new(),
    };
    let rank = cursor.made(start, sizes.len().checked_sub(kinds.len()), fault::KINDS)?;
    match devices.is_list {
        _ if devices.numbers.len() > 1 => {}
        true => return cursor.error_from(start, fault::ONE),
        // XLA keeps a grid of one shard on one device as it is.
        false if kinds.is_empty() => {
            return Ok(Sharding::Grid(Grid::new(sizes, Vec::new(), devices)));
        }
        false => {}
    }
    let mut digits = row_major(&sizes);
    let copies: Vec<_> = digits.split_off(rank).into_iter().zip(kinds).collect();
    let dims: Vec<_> = digits.into_iter().map(|digit| Vec::from([digit])).collect();
    cursor.made(start, Sharding::placed(&devices, &dims, &copies), fault::OVERLAP)
}

/// Sizes and as many devices: `[2,4]<=[8]`, `[4,2]<=[2,4]T(1,0)` or `[2]1,0`.
pub(crate) fn assignment(cursor: &mut Cursor<'_>) -> Read<(Vec<usize>, Devices)> {
    let start = cursor.place();
    expect!(cursor, "[", "{devices=[4,2]<=[8]}");
    let sizes = cursor.list("]", Cursor::count)?;
    let devices = if cursor.take("<=[") {
        iota(cursor)?
    } else {
        let mut numbers = Vec::from([cursor.device()?]);
        while cursor.take(",") {
            numbers.push(cursor.device()?);
        }
        cursor.made(start, Devices::listed(numbers), fault::TWICE)?
    };
    let count = device_count(&sizes).filter(|count| *count == devices.numbers.len());
    cursor.made(start, count, fault::PLACES)?;
    Ok((sizes, devices))
}

pub(crate) fn held(cursor: &mut Cursor<'_>) -> Option<Held> {
    Held::ALL.iter().copied().find(|held| cursor.take(held.name()))
}

/// What copies are of, which is known.
pub(crate) fn kind(cursor: &mut Cursor<'_>) -> Read<Held> {
    match held(cursor) {
        None | Some(Held::Unknown) => cursor.error(fault::KIND),
        Some(held) => Ok(held),
    }
}

/// After `[`: `4,2]T(1,0)`, the numbers from 0 on as an array of these sizes, transposed.
pub(crate) fn iota(cursor: &mut Cursor<'_>) -> Read<Devices> {
    let start = cursor.place();
    let sizes = cursor.list("]", Cursor::count)?;
    let count = cursor.made(start, device_count(&sizes), fault::COUNT)?;
    if !cursor.take("T(") {
        return Ok(Devices::first(count));
    }
    let start = cursor.place();
    let order = cursor.list(")", Cursor::number)?;
    let is_order =
        order.len() == sizes.len() && order.len() > 1 && permutation::is_permutation(&order);
    cursor.made(start, is_order.then(|| Devices::iota(&sizes, &order)), fault::ORDER)
}

/// The product of sizes, if it is a number of devices.
pub(crate) fn device_count(sizes: &[usize]) -> Option<usize> {
    let count = sizes.iter().try_fold(1usize, |count, size| count.checked_mul(*size))?;
    (count <= MAX_DEVICES && !sizes.is_empty()).then_some(count)
}
