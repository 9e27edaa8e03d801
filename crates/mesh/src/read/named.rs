//! Meshes, and shardings by the names of their axes: Shardy's, XLA's named ones, and JAX's `P('x', None)`.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::str::FromStr;

use crate::grid::Held;
use crate::mesh::{AxisPart, Mesh, Misuse};
use crate::read::cursor::{Cursor, Read};
use crate::read::hlo::{device_count, held, iota, sharding};
use crate::sharding::Sharding;
use layout_core::Error;

const MESH: &str = "write the axes as in `x=4,y=2`, or Shardy's `<[\"x\"=4, \"y\"=2]>`";
const SPEC: &str = "write `P('x', None)`, Shardy's `[{\"x\"}, {}]` or HLO's `{devices=[4,1,2]<=[8] last_tile_dim_replicate}`";

impl FromStr for Mesh {
    type Err = Error;

    fn from_str(text: &str) -> Result<Mesh, Error> {
        let mut cursor = Cursor::new(text);
        let is_shardy = cursor.take("<");
        let _ = cursor.take("mesh");
        let mut mesh = if cursor.take("[") {
            Mesh::after(&mut cursor, is_shardy, "]")?
        } else {
            Mesh::after(&mut cursor, false, "")?
        };
        if cursor.take(",") {
            mesh.device_ids(&mut cursor)?;
        }
        if is_shardy {
            cursor.expect(">", "expected `>` after the axes", MESH)?;
        }
        cursor.end()?;
        Ok(mesh)
    }
}

impl Mesh {
    /// Reads axes up to what closes them, or to the end.
    fn after(cursor: &mut Cursor<'_>, is_quoted: bool, close: &str) -> Read<Mesh> {
        let start = cursor.place();
        let mut axes: Vec<(String, usize)> = Vec::new();
        while !(if close.is_empty() { cursor.is_end() } else { cursor.take(close) }) {
            if !axes.is_empty() {
                cursor.expect(",", "expected `,` between axes", MESH)?;
            }
            let at = cursor.place();
            let name = cursor.name(is_quoted)?;
            if axes.iter().any(|(own, _)| own == name) {
                return cursor.error_from(
                    at,
                    "an axis has this name already",
                    "give each axis its own name",
                );
            }
            cursor.expect("=", "expected `=` and the size of the axis", MESH)?;
            axes.push((name.to_string(), cursor.count()?));
        }
        let count = device_count(axes.iter().map(|(_, size)| *size));
        match count {
            Some(count) => Ok(Mesh { axes, devices: (0..count as u32).collect(), is_list: false }),
            None => cursor.error_from(
                start,
                "the mesh has more than 1048576 devices",
                "write smaller axes",
            ),
        }
    }

    /// `device_ids=[0, 2, …]`, `device_ids=(0,2,…)` or `device_ids=([4,2]T(1,0))`.
    fn device_ids(&mut self, cursor: &mut Cursor<'_>) -> Read<()> {
        const IDS: &str = "list all devices of the mesh, each once: `device_ids=(0,2,1,3)` or `device_ids=([2,2]T(1,0))`";
        let start = cursor.place();
        cursor.expect("device_ids=", "expected `device_ids=`", IDS)?;
        let mut number = |cursor: &mut Cursor<'_>| Ok(cursor.number()? as u32);
        let (devices, is_list) = if cursor.take("[") {
            (cursor.list("]", &mut number)?, true)
        } else {
            cursor.expect("(", "expected the devices in parentheses", IDS)?;
            if cursor.take("[") {
                let devices = iota(cursor)?;
                cursor.expect(")", "expected `)`", IDS)?;
                (devices, false)
            } else {
                (cursor.list(")", &mut number)?, true)
            }
        };
        let mut sorted = devices.clone();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..self.devices.len() as u32) {
            return cursor.error_from(start, "these are not the devices of the mesh", IDS);
        }
        (self.devices, self.is_list) = (devices, is_list);
        Ok(())
    }

    /// Reads the mesh that XLA writes after `mesh`, and what follows it: `['x'=4,'y'=2], device_ids=(…)`.
    pub(crate) fn of_xla(cursor: &mut Cursor<'_>) -> Read<Mesh> {
        let mut mesh = Mesh::after(cursor, true, "]")?;
        let start = cursor.place();
        if cursor.take(",") && cursor.is_at("device_ids=") {
            mesh.device_ids(cursor)?;
        } else {
            cursor.moved_to(start);
        }
        Ok(mesh)
    }

    /// XLA's named sharding after `{mesh[`: `'x'=4,'y'=2], device_ids=(…), [{'x'}, {}], replicated={'y'}}`.
    pub(crate) fn sharding_after(cursor: &mut Cursor<'_>) -> Read<Sharding> {
        let start = cursor.place();
        let mesh = Mesh::of_xla(cursor)?;
        let (mut dims, mut copies, mut whole) = (None, Vec::new(), None);
        while !cursor.take("}") {
            cursor.expect(
                ",",
                "expected `,` or `}`",
                "write `{mesh['x'=4,'y'=2], [{'x'}, {'y'}]}`",
            )?;
            if dims.is_none() && cursor.take("[") {
                dims = Some(cursor.list("]", |cursor| mesh.parts_of_dim(cursor))?);
            } else if cursor.take("metadata={") {
                cursor.skip_group()?;
            } else {
                let held = held(cursor)?;
                match cursor.take("={") {
                    true => copies.extend(mesh.copies(cursor, held)?),
                    false => whole = Some(held),
                }
            }
        }
        match whole {
            Some(Held::Whole) => Ok(Sharding::Replicated),
            Some(Held::Manual) => Ok(Sharding::Manual),
            Some(Held::Summand) => Ok(Sharding::Unreduced),
            None => mesh.checked(&dims.unwrap_or_default(), &copies, cursor, start),
        }
    }

    /// The sharding of an array of so many dimensions, by the names of this mesh: JAX's `P('x', None)`, Shardy's
    /// `#sdy.sharding<@mesh, [{"x"}, {}]>` or `[{"x"}, {}]`; or a text of HLO, which needs no mesh.
    ///
    /// # Errors
    /// The first part of the text that is wrong.
    pub fn sharding(&self, text: &str, rank: usize) -> Result<Sharding, Error> {
        let mut cursor = Cursor::new(text);
        let start = cursor.place();
        if cursor.is_at("{") {
            let sharding = sharding(&mut cursor)?;
            return cursor.end().map(|()| sharding);
        }
        let (mut dims, mut copies) = (Vec::new(), Vec::new());
        if cursor.take("PartitionSpec(") || cursor.take("P(") {
            dims = cursor.list(")", |cursor| match () {
                () if cursor.take("None") => Ok(Vec::new()),
                () if cursor.take("(") => self.parts(cursor, ")"),
                () => Ok(Vec::from([self.part(cursor)?])),
            })?;
        } else {
            let is_shardy = cursor.take("#sdy.sharding<");
            if is_shardy {
                cursor.expect("@", "expected `@` and the name of the mesh", SPEC)?;
                cursor.name(false)?;
                cursor.expect(",", "expected `,` after the mesh", SPEC)?;
            }
            cursor.expect("[", "no sharding begins like this", SPEC)?;
            dims.extend(cursor.list("]", |cursor| self.parts_of_dim(cursor))?);
            while is_shardy && !cursor.take(">") {
                cursor.expect(",", "expected `,` or `>`", SPEC)?;
                let held = held(&mut cursor)?;
                cursor.expect("={", "expected `={` and axes", SPEC)?;
                copies.extend(self.copies(&mut cursor, held)?);
            }
        }
        cursor.end()?;
        if dims.len() > rank {
            return cursor.error_from(
                start,
                "the sharding has more dimensions than the array",
                "leave entries out",
            );
        }
        dims.resize(rank, Vec::new());
        self.checked(&dims, &copies, &cursor, start)
    }

    fn checked(
        &self,
        dims: &[Vec<AxisPart>],
        copies: &[(AxisPart, Held)],
        cursor: &Cursor<'_>,
        start: usize,
    ) -> Read<Sharding> {
        self.placed(dims, copies).or_else(|misuse| match misuse {
            Misuse::Overlap => {
                let what = "parts of an axis overlap";
                cursor.error_from(
                    start,
                    what,
                    "cut an axis into factors: `'x':(1)2` and `'x':(2)4` of 8",
                )
            }
            Misuse::Twice => cursor.error_from(
                start,
                "an axis is used twice",
                "use each axis, or part of one, once",
            ),
        })
    }

    /// `{"x", "y":(1)2, ?}`, with Shardy's priority after it.
    fn parts_of_dim(&self, cursor: &mut Cursor<'_>) -> Read<Vec<AxisPart>> {
        cursor.expect(
            "{",
            "expected the axes of a dimension in braces",
            "write `{'x'}`, or `{}` for none",
        )?;
        let mut parts = Vec::new();
        while !cursor.take("}") {
            if !parts.is_empty() {
                cursor.expect(",", "expected `,` or `}`", "close the list of axes")?;
            }
            // Open to more axes, which are not there yet.
            if cursor.take("?") {
                cursor.expect("}", "expected `}` after `?`", "`?` comes last")?;
                break;
            }
            parts.push(self.part(cursor)?);
        }
        if cursor.take("p") {
            cursor.number()?;
        }
        Ok(parts)
    }

    pub(crate) fn parts(&self, cursor: &mut Cursor<'_>, close: &str) -> Read<Vec<AxisPart>> {
        cursor.list(close, |cursor| self.part(cursor))
    }

    fn copies(&self, cursor: &mut Cursor<'_>, held: Held) -> Read<Vec<(AxisPart, Held)>> {
        Ok(self.parts(cursor, "}")?.into_iter().map(|part| (part, held)).collect())
    }

    /// `'x'`, or `'x':(2)4`: 4 values after 2 more major ones.
    fn part(&self, cursor: &mut Cursor<'_>) -> Read<AxisPart> {
        let start = cursor.place();
        let name = cursor.name(false)?;
        let Some(axis) = self.axes.iter().position(|(own, _)| own == name) else {
            return cursor.error_from(
                start,
                "the mesh has no axis of this name",
                "name an axis of the mesh, as in `x=4,y=2`",
            );
        };
        let whole = self.whole(axis);
        if !cursor.take(":(") {
            return Ok(whole);
        }
        let above = cursor.count()?;
        cursor.expect(")", "expected `)`", "write the part of an axis as `'x':(2)4`")?;
        let size = cursor.count()?;
        match above.checked_mul(size) {
            Some(end) if whole.size.is_multiple_of(end) => Ok(AxisPart { axis, above, size }),
            _ => cursor.error_from(
                start,
                "the axis has no such part",
                "both numbers are factors of its size: `'x':(2)4` of 8",
            ),
        }
    }
}
