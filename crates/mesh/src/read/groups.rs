//! Which devices take part in a collective together.

use alloc::vec::Vec;

use crate::devices::{count, in_order_of};
use crate::mesh::Mesh;
use crate::read::cursor::Cursor;
use crate::read::fault;
use crate::read::hlo::assignment;
use layout_core::Error;

/// HLO's `replica_groups` in any of its forms, or `source_target_pairs`: the devices of each group, in the group's order. None for `{}`, one group of
/// all devices. What follows is not read.
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
    let cursor = &mut Cursor::new(text);
    let start = cursor.place();
    if cursor.take("mesh") {
        let mesh = Mesh::read(cursor)?;
        expect!(cursor, "{", "mesh['x'=4,'y'=2] {'y'}");
        let own = cursor.list("}", |cursor| mesh.part(cursor))?;
        let places = in_order_of(&own, mesh.device_count());
        let places = cursor.made(start, places, fault::OVERLAP)?;
        // Places that the axes do not tell apart are of different groups.
        let groups = mesh.device_count() / count(&own);
        let device = |place: &usize| mesh.devices.numbers[*place];
        let group = |number| places.iter().skip(number).step_by(groups).map(device).collect();
        return Ok((0..groups).map(group).collect());
    }
    if cursor.is_at("[") {
        let (sizes, devices) = assignment(cursor)?;
        let size = sizes.last().copied().unwrap_or(1);
        return Ok(devices.numbers.chunks(size).map(<[u32]>::to_vec).collect());
    }
    if !cursor.take("{") {
        return cursor.error(fault::GROUPS);
    }
    cursor.list("}", |cursor| {
        expect!(cursor, "{", "{{0,1},{2,3}}");
        cursor.list("}", Cursor::device)
    })
}
