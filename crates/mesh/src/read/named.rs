//! Meshes, and shardings by the names of their axes: Shardy's, XLA's named ones, and JAX's `P('x', None)`.

use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::str::FromStr;

use crate::devices::{Devices, Digit};
use crate::grid::Held;
use crate::mesh::Mesh;
use crate::read::cursor::{Cursor, Read};
use crate::read::fault;
use crate::read::hlo::{device_count, held, iota, sharding};
use crate::sharding::Sharding;
use layout_core::Error;

impl FromStr for Mesh {
    type Err = Error;

    fn from_str(text: &str) -> Result<Mesh, Error> {
        Cursor::all(text, |cursor| {
            let is_shardy = cursor.take("<");
            let close = if cursor.take("[") { "]" } else { "" };
            let mesh = Mesh::after(cursor, is_shardy, close)?;
            if is_shardy {
                expect!(cursor, ">", "<[\"x\"=4, \"y\"=2]>");
            }
            Ok(mesh)
        })
    }
}

impl Mesh {
    /// Reads axes up to what closes them, and `device_ids=..` if it follows.
    pub(crate) fn after(cursor: &mut Cursor<'_>, is_quoted: bool, close: &str) -> Read<Mesh> {
        let start = cursor.place();
        let axes = cursor.list(close, |cursor| {
            let name = cursor.name(is_quoted)?.to_string();
            expect!(cursor, "=", "x=4,y=2");
            Ok((name, cursor.count()?))
        })?;
        let is_second = |at: usize| axes[..at].iter().any(|(name, _)| *name == axes[at].0);
        if (0..axes.len()).any(is_second) {
            return cursor.error_from(start, fault::SAME_NAME);
        }
        let mut sizes: Vec<usize> = axes.iter().map(|axis| axis.1).collect();
        sizes.push(1);
        let Some(count) = device_count(&sizes) else {
            return cursor.error_from(start, fault::COUNT);
        };
        let devices = device_ids(cursor, count)?;
        Ok(Mesh { axes, devices })
    }

    /// XLA's named sharding after `{mesh[`: `'x'=4,'y'=2], device_ids=(…), [{'x'}, {}], replicated={'y'}}`.
    pub(crate) fn sharding_after(cursor: &mut Cursor<'_>) -> Read<Sharding> {
        let mesh = Mesh::after(cursor, true, "]")?;
        let start = cursor.place();
        expect!(cursor, ",", "{mesh['x'=4,'y'=2], [{'x'}, {'y'}]}");
        if let Some(held) = Held::ALL.iter().find(|held| cursor.take(held.name())) {
            expect!(cursor, "}", "{mesh['x'=4,'y'=2], replicated}");
            return Ok(Sharding::Every(*held));
        }
        expect!(cursor, "[", "{mesh['x'=4,'y'=2], [{'x'}, {'y'}]}");
        let dims = cursor.list("]", |cursor| mesh.parts_of_dim(cursor))?;
        mesh.placed(dims, "}", cursor, start)
    }

    /// The sharding of an array of so many dimensions, by the names of this mesh: JAX's `P('x', None)`, Shardy's
    /// `#sdy.sharding<@mesh, [{"x"}, {}]>` or `[{"x"}, {}]`; or a text of HLO, which needs no mesh.
    ///
    /// # Errors
    /// The first part of the text that is wrong.
    pub fn sharding(&self, text: &str, rank: usize) -> Result<Sharding, Error> {
        Cursor::all(text, |cursor| {
            if cursor.is_at("{") { sharding(cursor) } else { self.named(cursor, rank) }
        })
    }

    fn named(&self, cursor: &mut Cursor<'_>, rank: usize) -> Read<Sharding> {
        let start = cursor.place();
        let is_shardy = cursor.take("#sdy.sharding<");
        let mut dims = if cursor.take("PartitionSpec(") || cursor.take("P(") {
            cursor.tuple(|cursor| match () {
                () if cursor.take("None") => Ok(Vec::new()),
                () if cursor.take("(") => cursor.tuple(|cursor| self.part(cursor)),
                () => Ok(Vec::from([self.part(cursor)?])),
            })?
        } else {
            if is_shardy {
                expect!(cursor, "@", "#sdy.sharding<@mesh, [{\"x\"}, {}]>");
                cursor.name(false)?;
                expect!(cursor, ",", "#sdy.sharding<@mesh, [{\"x\"}, {}]>");
            }
            if !cursor.take("[") {
                return cursor.error(fault::SPEC);
            }
            cursor.list("]", |cursor| self.parts_of_dim(cursor))?
        };
        if dims.len() > rank {
            return cursor.error_from(start, fault::RANK);
        }
        dims.resize(rank, Vec::new());
        self.placed(dims, if is_shardy { ">" } else { "" }, cursor, start)
    }

    /// Reads the axes that are not along dimensions, up to what closes the sharding: `, replicated={'y'}, unreduced={'z'}`.
    fn placed(
        &self,
        dims: Vec<Vec<Digit>>,
        close: &str,
        cursor: &mut Cursor<'_>,
        start: usize,
    ) -> Read<Sharding> {
        let mut copies = Vec::new();
        while !close.is_empty() && !cursor.take(close) {
            expect!(cursor, ",", "[{'x'}], replicated={'y'}");
            if cursor.is_at("metadata={") {
                cursor.skip_metadata()?;
                continue;
            }
            let held = held(cursor)?;
            expect!(cursor, "={", "replicated={'y'}");
            let own = cursor.list("}", |cursor| self.part(cursor))?;
            copies.extend(own.into_iter().map(|part| (part, held)));
        }
        let grid = self.grid(&dims, &copies);
        grid.map_or_else(|| cursor.error_from(start, fault::OVERLAP), |it| Ok(it.simplified()))
    }

    /// `{"x", "y":(1)2, ?}`, with Shardy's priority after it.
    fn parts_of_dim(&self, cursor: &mut Cursor<'_>) -> Read<Vec<Digit>> {
        expect!(cursor, "{", "[{'x'}, {}]");
        let mut parts = Vec::new();
        while !cursor.take("}") {
            if !parts.is_empty() {
                expect!(cursor, ",", "{'x', 'y'}");
            }
            // Open to more axes, which are not there yet.
            if cursor.take("?") {
                expect!(cursor, "}", "{'x', ?}");
                break;
            }
            parts.push(self.part(cursor)?);
        }
        if cursor.take("p") {
            cursor.number()?;
        }
        Ok(parts)
    }

    /// `'x'`, or `'x':(2)4`: 4 values after 2 more major ones.
    pub(crate) fn part(&self, cursor: &mut Cursor<'_>) -> Read<Digit> {
        let start = cursor.place();
        let name = cursor.name(false)?;
        let Some(axis) = self.axes.iter().position(|(own, _)| own == name) else {
            return cursor.error_from(start, fault::NO_AXIS);
        };
        let whole = self.digits()[axis];
        if !cursor.take(":(") {
            return Ok(whole);
        }
        let above = cursor.count()?;
        expect!(cursor, ")", "'x':(2)4");
        let size = cursor.count()?;
        match above.checked_mul(size) {
            Some(end) if whole.size.is_multiple_of(end) => {
                Ok(Digit { stride: whole.stride * (whole.size / end), size })
            }
            _ => cursor.error_from(start, fault::NO_PART),
        }
    }
}

/// `, device_ids=[0, 2, …]`, `, device_ids=(0,2,…)` or `, device_ids=([4,2]T(1,0))`; without it the devices from 0 on.
fn device_ids(cursor: &mut Cursor<'_>, count: usize) -> Read<Devices> {
    let start = cursor.place();
    if !(cursor.take(",") && cursor.take("device_ids=")) {
        cursor.at = start;
        return Ok(Devices::first(count));
    }
    let devices = match () {
        () if cursor.take("[") => Devices::new(cursor.list("]", Cursor::device)?, true),
        () if cursor.take("([") => {
            let devices = iota(cursor)?;
            expect!(cursor, ")", "device_ids=([4,2]T(1,0))");
            Some(devices)
        }
        () if cursor.take("(") => Devices::new(cursor.list(")", Cursor::device)?, true),
        () => None,
    };
    let is_all =
        |it: &Devices| it.len() == count && it.numbers.iter().all(|it| (*it as usize) < count);
    devices.filter(is_all).map_or_else(|| cursor.error_from(start, fault::IDS), Ok)
}
