//! `layout reshard`.

use layout_core::Size;
use layout_hlo::Bytes;
use layout_mesh::{Mesh, Sharding};
use serde_json::json;

use crate::arguments::Reshard;
use crate::output::{Answer, Page, Refusal};
use crate::shard::{array, read, sizes, table};

/// Devices of which pairs are listed.
const MOST: usize = 16;

pub(crate) fn reshard(arguments: &Reshard) -> Result<Answer, Refusal> {
    let mesh = arguments.mesh.read()?;
    let array = array(&arguments.shape)?;
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
        let help = "leave out `--json`, which lists pairs";
        let pairs = reshard.pairs().map_err(|error| Refusal::new(error, help))?;
        let pair = |((from, to), elements): (&(u32, u32), &Size)| json!({ "from": from, "to": to, "bytes": bytes(*elements) });
        let answer = json!({ "received_bytes": bytes(most), "pairs": pairs.iter().map(pair).collect::<Vec<_>>() });
        return Ok(Answer::yes(serde_json::to_string(&answer)? + "\n"));
    }
    let mut page = Page { text: format!("{array} from {from} to {to}\n\n") };
    let [has, needs] = [&from, &to].map(|it| it.shard_dims(&dims));
    let size = |dims: Vec<Size>| Bytes(bytes(elements(&dims)));
    page.row("has", format!("{} on each device before, {} after", size(has?), size(needs?)));
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
    page.text += &constraints(mesh, [&from, &to], &dims, bytes).unwrap_or_default();
    Ok(Answer::yes(page.text))
}

/// Constraints to go through, where these move less than to gather the array first.
fn constraints(
    mesh: Option<Mesh>,
    ends: [&Sharding; 2],
    dims: &[Size],
    bytes: impl Fn(Size) -> u64,
) -> Option<String> {
    let names = if mesh.is_some() { "" } else { "  # of a mesh whose axes are " };
    let mesh = mesh.or_else(|| Mesh::of_shardings(ends))?;
    let steps = mesh.path(ends[0], ends[1], dims)?;
    let through = steps.iter().fold(0, |sum: u64, step| sum.saturating_add(bytes(step.received)));
    let has = elements(&ends[0].shard_dims(dims).ok()?);
    let gathered = bytes(elements(dims).saturating_sub(has));
    let (_, between) = steps.split_last().filter(|it| !it.1.is_empty() && through < gathered)?;
    let what = "through constraints each device receives";
    let first =
        format!("\n{what} {}; to gather the array first, {}\n", Bytes(through), Bytes(gathered));
    let axes = mesh.axes().iter().map(|(name, size)| format!("{name}={size}")).collect::<Vec<_>>();
    let axes = if names.is_empty() {
        String::new()
    } else {
        format!("{names}{}: `--mesh` names them\n", axes.join(","))
    };
    let line =
        |spec| format!("  x = jax.lax.with_sharding_constraint(x, NamedSharding(mesh, {spec}))\n");
    Some(first + &axes + &between.iter().map(|step| line(&step.spec)).collect::<String>())
}

fn elements(dims: &[Size]) -> Size {
    dims.iter().fold(1, |all, size| all.saturating_mul(*size))
}
