//! Meshes, and shardings by the names of their axes: Shardy's, XLA's named ones, and JAX's `P('x', None)`.

use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::str::FromStr;

use crate::devices::{Devices, Digit};
use crate::mesh::Mesh;
use crate::read::cursor::{Cursor, Read};
use crate::read::fault;
use crate::read::hlo::{device_count, held, iota, kind, sharding};
use crate::sharding::Sharding;
use layout_core::Error;

impl FromStr for Mesh {
    type Err = Error;

    fn from_str(text: &str) -> Result<Mesh, Error> {
        Cursor::all(text, Mesh::read)
    }
}

impl Mesh {
    /// `x=4,y=2`; or in brackets with names in quotes, and the order of devices if it follows: Shardy's in `<` and `>`, and XLA's.
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Read<Mesh> {
        let is_shardy = cursor.take("<");
        let is_quoted = cursor.take("[");
        let start = cursor.place();
        let axes = cursor.list(if is_quoted { "]" } else { "" }, |cursor| {
            let name = cursor.name(is_quoted)?.to_string();
            expect!(cursor, "=", "x=4,y=2");
            Ok((name, cursor.count()?))
        })?;
        let is_second = |at: usize| axes[..at].iter().any(|(name, _)| *name == axes[at].0);
        let different = (!(0..axes.len()).any(is_second)).then_some(());
        cursor.made(start, different, fault::SAME_NAME)?;
        let sizes: Vec<usize> = axes.iter().map(|axis| axis.1).chain([1]).collect();
        let count = cursor.made(start, device_count(&sizes), fault::COUNT)?;
        let devices = device_ids(cursor, count)?;
        if is_shardy {
            expect!(cursor, ">", "<[\"x\"=4, \"y\"=2]>");
        }
        Ok(Mesh { axes, devices })
    }

    /// XLA's named sharding after `{mesh`: `['x'=4,'y'=2], device_ids=(…), [{'x'}, {}], replicated={'y'}}`.
    pub(crate) fn sharding_after(cursor: &mut Cursor<'_>) -> Read<Sharding> {
        let mesh = Mesh::read(cursor)?;
        let start = cursor.place();
        expect!(cursor, ",", "{mesh['x'=4,'y'=2], [{'x'}, {'y'}]}");
        if let Some(held) = held(cursor) {
            expect!(cursor, "}", "{mesh['x'=4,'y'=2], replicated}");
            return Ok(Sharding::Every(held));
        }
        expect!(cursor, "[", "{mesh['x'=4,'y'=2], [{'x'}, {'y'}]}");
        let dims = cursor.list("]", |cursor| mesh.parts_of_dim(cursor))?;
        mesh.placed(dims, "}", cursor, start)
    }

    /// The sharding of an array of `rank` dimensions, by the names of this mesh: JAX's `P('x', None)`, Shardy's
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
        if is_shardy {
            expect!(cursor, "@", "#sdy.sharding<@mesh, [{\"x\"}, {}]>");
            cursor.name(false)?;
            expect!(cursor, ",", "#sdy.sharding<@mesh, [{\"x\"}, {}]>");
        }
        let mut dims = match () {
            () if cursor.take("[") => cursor.list("]", |cursor| self.parts_of_dim(cursor))?,
            () if cursor.take("PartitionSpec(") || cursor.take("P(") => {
                cursor.tuple(|cursor| match () {
                    () if cursor.take("None") => Ok(Vec::new()),
                    () if cursor.take("(") => cursor.tuple(|cursor| self.part(cursor)),
                    () => Ok(Vec::from([self.part(cursor)?])),
                })?
            }
            () => return cursor.error(fault::SPEC),
        };
        cursor.made(start, rank.checked_sub(dims.len()), fault::RANK)?;
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
            let kind = kind(cursor)?;
            expect!(cursor, "={", "replicated={'y'}");
            let own = cursor.list("}", |cursor| self.part(cursor))?;
            copies.extend(own.into_iter().map(|part| (part, kind)));
        }
        cursor.made(start, Sharding::placed(&self.devices, &dims, &copies), fault::OVERLAP)
    }

    /// `{"x", "y":(1)2, ?}`, with Shardy's priority after it.
    fn parts_of_dim(&self, cursor: &mut Cursor<'_>) -> Read<Vec<Digit>> {
        expect!(cursor, "{", "[{'x'}, {}]");
        let parts = cursor.list("}", |cursor| match cursor.take("?") {
            // Open to more axes, which are not there yet.
            true if cursor.is_at("}") => Ok(None),
            true => cursor.error(fault::OPEN),
            false => self.part(cursor).map(Some),
        })?;
        if cursor.take("p") {
            cursor.number()?;
        }
        Ok(parts.into_iter().flatten().collect())
    }

    /// `'x'`, or `'x':(2)4`: 4 values after 2 more major ones.
    pub(crate) fn part(&self, cursor: &mut Cursor<'_>) -> Read<Digit> {
        let start = cursor.place();
        let name = cursor.name(false)?;
        let axis = self.axes.iter().position(|(own, _)| own == name);
        let whole = self.digits()[cursor.made(start, axis, fault::NO_AXIS)?];
        if !cursor.take(":(") {
            return Ok(whole);
        }
        let above = cursor.count()?;
        expect!(cursor, ")", "'x':(2)4");
        let size = cursor.count()?;
        let end = above.checked_mul(size).filter(|end| whole.size.is_multiple_of(*end));
        let end = cursor.made(start, end, fault::NO_PART)?;
        Ok(Digit { stride: whole.stride * (whole.size / end), size })
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
        () if cursor.take("[") => Devices::listed(cursor.list("]", Cursor::device)?),
        () if cursor.take("([") => {
            let devices = iota(cursor)?;
            expect!(cursor, ")", "device_ids=([4,2]T(1,0))");
            Some(devices)
        }
        () if cursor.take("(") => Devices::listed(cursor.list(")", Cursor::device)?),
        () => None,
    };
    let is_all = |it: &Devices| {
        it.numbers.len() == count && it.numbers.iter().all(|it| (*it as usize) < count)
    };
    cursor.made(start, devices.filter(is_all), fault::IDS)
}
