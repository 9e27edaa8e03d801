//! `layout reshard`.

use std::iter;

use layout_core::Size;
use layout_hlo::Bytes;
use layout_mesh::{Mesh, Sharding};
use serde_json::json;

use crate::arguments::Reshard;
use crate::commands::shard::{array, table};
use crate::output::{Answer, Page, Refusal};

/// Devices of which pairs are listed.
const MOST: usize = 16;

pub(crate) fn reshard(arguments: &Reshard) -> Result<Answer, Refusal> {
    let (array, dims) = array(&arguments.shape)?;
    let mesh = arguments.mesh.read()?;
    let from = arguments.mesh.sharding(&arguments.from, dims.len())?;
    let to = arguments.mesh.sharding(&arguments.to, dims.len())?;
    let counts = [from.device_count(), to.device_count(), mesh.as_ref().map(Mesh::device_count)];
    let devices = counts.into_iter().flatten().max().unwrap_or(1);
    let bits = array.element_bits() as u64;
    let bytes =
        |elements: Size| (u128::from(elements as u64) * u128::from(bits)).div_ceil(8) as u64;
    let reshard = from.reshard(&to, &dims, devices)?;
    let received = reshard.received();
    let [least, most] =
        [received.iter().min(), received.iter().max()].map(|it| bytes(*it.unwrap_or(&0)));
    if arguments.mesh.json {
        let help = "leave out `--json`, which lists pairs";
        let pairs = reshard.pairs().map_err(|error| Refusal::new(error, help))?;
        let pair =
            |((from, to), elements)| json!({ "from": from, "to": to, "bytes": bytes(elements) });
        let pairs: Vec<_> = pairs.into_iter().map(pair).collect();
        return Answer::json(&json!({ "received_bytes": most, "pairs": pairs }));
    }
    let mut page = Page { text: format!("{array} from {from} to {to}\n\n") };
    let [has, needs] =
        [from.shard_dims(&dims)?, to.shard_dims(&dims)?].map(|it| Bytes(bytes(product(&it))));
    let on = |sharding: &Sharding| match sharding {
        Sharding::OneDevice(device) => format!("device {device}"),
        _ => "each device".into(),
    };
    page.row("has", format!("{has} on {} before, {needs} on {} after", on(&from), on(&to)));
    let range = if least < most { format!("{} to ", Bytes(least)) } else { String::new() };
    let all = Bytes(received.iter().fold(0, |all, own| all.saturating_add(bytes(*own))));
    let each = if devices == 1 { "1 device".into() } else { format!("each of {devices} devices") };
    let what = format!("{range}{} on {each}, at least; {all} in all", Bytes(most));
    page.row("receives", what);
    if devices <= MOST && most > 0 {
        let pairs = reshard.pairs()?;
        let numbers = 0..devices as u32;
        let head = iter::once("to \\ from".into()).chain(numbers.clone().map(|it| it.to_string()));
        let mut lines = vec![head.collect()];
        for to in numbers.clone() {
            let sent = numbers.clone().map(|from| pairs.get(&(from, to)));
            let cells = sent.map(|sent| sent.map_or("·".into(), |own| bytes(*own).to_string()));
            lines.push(iter::once(to.to_string()).chain(cells).collect());
        }
        page.line("\nbytes that each device sends");
        table(&mut page, &lines);
    }
    page.text += &constraints(mesh, [&from, &to], &dims, bytes).unwrap_or_default();
    Ok(Answer::yes(page.text))
}

/// Constraints to go through, where these move less than to gather the array first.
fn constraints(
    mesh: Option<Mesh>,
    [from, to]: [&Sharding; 2],
    dims: &[Size],
    bytes: impl Fn(Size) -> u64,
) -> Option<String> {
    let is_named = mesh.is_some();
    let mesh = mesh.or_else(|| Mesh::of_shardings([from, to]))?;
    let steps = mesh.path(from, to, dims)?;
    let through = steps.iter().fold(0, |all: u64, step| all.saturating_add(bytes(step.received)));
    let gathered = bytes(product(dims).saturating_sub(product(&from.shard_dims(dims).ok()?)));
    let (_, between) = steps.split_last().filter(|it| !it.1.is_empty() && through < gathered)?;
    let [through, gathered] = [Bytes(through), Bytes(gathered)];
    let mut text = format!(
        "\nthrough constraints each device receives {through}; to gather the array first, {gathered}\n"
    );
    if !is_named {
        text += &format!("  # of a mesh whose axes are {mesh}: `--mesh` names them\n");
    }
    for step in between {
        let sharding = format!("NamedSharding(mesh, {})", step.spec);
        text += &format!("  x = jax.lax.with_sharding_constraint(x, {sharding})\n");
    }
    Some(text)
}

fn product(dims: &[Size]) -> Size {
    dims.iter().fold(1, |all, size| all.saturating_mul(*size))
}
