//! `layout reshard`.

use layout_core::Size;
use layout_hlo::Bytes;
use layout_mesh::Mesh;
use serde_json::json;

use crate::arguments::{Dims, Reshard};
use crate::output::{Answer, Page, Refusal};
use crate::shape;
use crate::shard::{read, sizes, table};

/// Devices of which pairs are listed.
const MOST: usize = 16;

pub(crate) fn reshard(arguments: &Reshard) -> Result<Answer, Refusal> {
    let mesh = arguments.mesh.read()?;
    let array = shape::sized(&arguments.shape, &Dims { dims: None })?;
    let [from, to] = [&arguments.from, &arguments.to].map(|text| read(text, mesh.as_ref(), &array));
    let (from, to, dims) = (from?, to?, sizes(&array));
    let counts = [from.device_count(), to.device_count(), mesh.as_ref().map(Mesh::device_count)];
    let devices = counts.into_iter().flatten().max().unwrap_or(1);
    let bits = u128::from(array.element_bits() as u64);
    let bytes = |elements: Size| (u128::from(elements as u64) * bits).div_ceil(8) as u64;
    let reshard = from.reshard(&to, &dims, devices)?;
    let received = reshard.received();
    let most = received.iter().copied().max().unwrap_or(0);
    if arguments.mesh.json {
        let pairs = reshard.pairs()?;
        let pair = |((from, to), elements): (&(u32, u32), &Size)| json!({ "from": from, "to": to, "bytes": bytes(*elements) });
        let answer = json!({ "received_bytes": bytes(most), "pairs": pairs.iter().map(pair).collect::<Vec<_>>() });
        return Ok(Answer::yes(serde_json::to_string(&answer)? + "\n"));
    }
    let mut page = Page { text: format!("{array} from {from} to {to}\n\n") };
    let [has, needs] = [&from, &to].map(|it| it.shard_dims(&dims));
    let size = |dims: &[Size]| Bytes(bytes(dims.iter().product()));
    page.row("has", format!("{} on each device before, {} after", size(&has?), size(&needs?)));
    let least = received.iter().copied().min().unwrap_or(0);
    let range = if least == most { String::new() } else { format!("{} to ", Bytes(bytes(least))) };
    let all = received.iter().fold(0, |all: u64, own| all.saturating_add(bytes(*own)));
    let what = format!(
        "{range}{} on each of {devices} devices, at least; {} in all",
        Bytes(bytes(most)),
        Bytes(all)
    );
    page.row("receives", what);
    if devices <= MOST && most > 0 {
        let pairs = reshard.pairs()?;
        let number = |to| (0..devices as u32).map(move |from| (from, to));
        let cell = |pair| pairs.get(&pair).map_or("·".into(), |own| bytes(*own).to_string());
        let names = (0..devices).map(|it| it.to_string());
        let mut lines: Vec<Vec<String>> =
            vec![["to \\ from".into()].into_iter().chain(names).collect()];
        lines.extend(
            (0..devices as u32)
                .map(|to| [to.to_string()].into_iter().chain(number(to).map(cell)).collect()),
        );
        page.line("\nbytes that each device sends");
        table(&mut page, &lines);
    }
    let named = mesh.is_some();
    let Some(mesh) = mesh.or_else(|| Mesh::of_shardings([&from, &to])) else {
        return Ok(Answer::yes(page.text));
    };
    let Some(steps) = mesh.path(&from, &to, &dims) else { return Ok(Answer::yes(page.text)) };
    let through = steps.iter().fold(0, |sum: u64, step| sum.saturating_add(bytes(step.received)));
    let whole = bytes(dims.iter().product());
    let gathered = whole - size(&from.shard_dims(&dims)?).0.min(whole);
    if let [between @ .., _] = &steps[..]
        && !between.is_empty()
        && through < gathered
    {
        page.line(&format!(
            "\nthrough constraints {} on each device; to gather the array first takes {}",
            Bytes(through),
            Bytes(gathered)
        ));
        if !named {
            let axes = mesh.axes().iter().map(|(name, size)| format!("{name}={size}"));
            let axes = axes.collect::<Vec<_>>().join(",");
            page.line(&format!(
                "  # the axes {axes} stand for those of your mesh: `--mesh` names them"
            ));
        }
        for step in between {
            page.line(&format!(
                "  x = jax.lax.with_sharding_constraint(x, NamedSharding(mesh, {}))",
                step.spec
            ));
        }
    }
    Ok(Answer::yes(page.text))
}
