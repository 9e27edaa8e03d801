//! Which devices take part in a collective together.

use alloc::vec::Vec;

use crate::mesh::Mesh;
use crate::read::cursor::{Cursor, Read};
use crate::read::hlo::iota;
use layout_core::Error;

const FORMS: &str = "write `{{0,1},{2,3}}`, `[2,2]<=[4]` or `mesh['x'=2,'y'=2] {'y'}`";

/// HLO's `replica_groups` in any of its forms, or `source_target_pairs`: the devices of each group, in the group's order. None where the text is `{}`, which
/// stands for one group of all devices.
///
/// # Errors
/// The first part of the text that is wrong.
///
/// # Examples
/// ```
/// use layout_mesh::replica_groups;
///
/// let pairs = vec![vec![0, 2], vec![1, 3]];
/// assert_eq!(replica_groups("{{0,2},{1,3}}")?, pairs);
/// assert_eq!(replica_groups("[2,2]<=[2,2]T(1,0)")?, pairs);
/// assert_eq!(replica_groups("mesh['a'=2,'b'=2] {'a'}")?, pairs);
/// # Ok::<(), layout::Error>(())
/// ```
pub fn replica_groups(text: &str) -> Result<Vec<Vec<u32>>, Error> {
    let mut cursor = Cursor::new(text);
    let groups = groups(&mut cursor)?;
    cursor.end()?;
    Ok(groups)
}

fn groups(cursor: &mut Cursor<'_>) -> Read<Vec<Vec<u32>>> {
    let start = cursor.place();
    if cursor.take("mesh[") {
        let mesh = Mesh::of_xla(cursor)?;
        cursor.expect("{", "expected the axes of a group in braces", FORMS)?;
        let own = mesh.parts(cursor, "}")?;
        let Ok(grid) = mesh.grid(&[own], &[]) else {
            return cursor.error_from(
                start,
                "the axes overlap",
                "name each axis, or part of one, once",
            );
        };
        // Members along the dimension, groups along its copies.
        let count = grid.copies_of_each();
        let group = |number| grid.devices().iter().skip(number).step_by(count).copied().collect();
        return Ok((0..count).map(group).collect());
    }
    if cursor.take("[") {
        let sizes = cursor.list("]", Cursor::count)?;
        cursor.expect("<=[", "expected `<=[` and the number of devices", FORMS)?;
        let devices = iota(cursor)?;
        return match sizes[..] {
            [count, size] if count.checked_mul(size) == Some(devices.len()) => {
                Ok(devices.chunks(size).map(<[u32]>::to_vec).collect())
            }
            _ => cursor.error_from(
                start,
                "the groups have another number of places than there are devices",
                FORMS,
            ),
        };
    }
    cursor.expect("{", "no groups begin like this", FORMS)?;
    cursor.list("}", |cursor| {
        cursor.expect("{", "expected the devices of a group in braces", FORMS)?;
        cursor.list("}", |cursor| Ok(cursor.number()? as u32))
    })
}
