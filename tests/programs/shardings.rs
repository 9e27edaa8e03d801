//! Shardings against what JAX and XLA say of them, what programs that ran had on each device, and every element.

use std::collections::BTreeMap;
use std::ops::Range;

use layout::shape::Size;
use layout::tpu::Tpu;
use layout_mesh::{Held, Mesh, NoAnswer, Sharding};
use layout_tests::data;
use layout_tests::lists::{array, list};
use layout_tests::naive::{every_index, flatten};
use serde::Deserialize;

/// A text, and what is known of it. The boxes are those of `devices_indices_map`, and of the program that was executed: `None` of a
/// device that has padding alone.
#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Row {
    hlo: String,
    canonical: Option<String>,
    parts: Option<Vec<String>>,
    dims: Vec<Size>,
    v3: Option<String>,
    sdy_mesh: Option<String>,
    sdy: Option<String>,
    mesh: Option<String>,
    spec: Option<String>,
    boxes: Option<Vec<Option<Vec<[Size; 2]>>>>,
    shard: Option<Vec<Size>>,
}

/// A pair of shardings of one array: the shards in the compiled program and their bytes, and what its collectives receive.
#[derive(Deserialize)]
struct Reshard {
    id: String,
    dims: Vec<Size>,
    dtype: String,
    from: String,
    to: String,
    shards: [String; 2],
    bytes: [Size; 2],
    xla_received: Size,
    moved_element_bytes: Size,
}

fn read(text: &str) -> Sharding {
    text.parse().unwrap_or_else(|error: layout::Error| panic!("{text}: {error}"))
}

#[test]
fn texts_are_read_and_printed_as_xla_does() {
    let mut count = 0;
    for row in data::json::<Row>("mesh/shardings.jsonl") {
        if let Some(parts) = &row.parts {
            let parts = parts.iter().map(|part| read(part)).collect::<Vec<_>>();
            assert_eq!(Sharding::parse_all(&row.hlo).unwrap(), parts, "{}", row.hlo);
            continue;
        }
        count += 1;
        let sharding = read(&row.hlo);
        assert_eq!(sharding.to_string(), row.canonical.unwrap_or(row.hlo.clone()), "{}", row.hlo);
        assert_eq!(Sharding::parse_all(&row.hlo).unwrap(), std::slice::from_ref(&sharding));
        if let Some(named) = &row.v3 {
            assert_eq!(read(named), sharding, "{named}");
        }
        let rank = row.dims.len();
        if let (Some(mesh), Some(named)) = (&row.sdy_mesh, &row.sdy) {
            assert_eq!(
                mesh.parse::<Mesh>().unwrap().sharding(named, rank).unwrap(),
                sharding,
                "{named}"
            );
        }
        if let (Some(mesh), Some(spec)) = (&row.mesh, &row.spec) {
            let mesh = mesh.parse::<Mesh>().unwrap();
            assert_eq!(mesh.sharding(spec, rank).unwrap(), sharding, "{spec}");
            let printed = sharding.spec(&mesh).unwrap_or_else(|| panic!("{spec} of {mesh:?}"));
            assert_eq!(mesh.sharding(&printed, rank).unwrap(), sharding, "{printed}");
        }
    }
    assert_eq!(count, 364);
}

#[test]
fn devices_have_the_boxes_that_jax_says_and_that_programs_had() {
    let mut count = 0;
    for row in data::json::<Row>("mesh/shardings.jsonl") {
        let (Some(boxes), Some(shard)) = (row.boxes, row.shard) else { continue };
        count += 1;
        let sharding = read(&row.hlo);
        let dims = &row.dims;
        for (device, expected) in boxes.iter().enumerate() {
            let found = sharding.box_of(dims, device as u32).unwrap().unwrap();
            match expected {
                Some(expected) => {
                    let found = found.iter().map(|own| [own.start, own.end]);
                    assert_eq!(found.collect::<Vec<_>>(), *expected, "{} {device}", row.hlo);
                }
                None => assert!(found.iter().any(|own| own.is_empty()), "{} {device}", row.hlo),
            }
        }
        assert_eq!(sharding.shard_dims(dims).unwrap(), shard, "{}", row.hlo);
        // A sharding is one more tile: of an array of whole shards the library's own offsets say shard and place.
        let padded = shard.iter().zip(dims).map(|(shard, size)| size.div_ceil(*shard) * shard);
        let (padded, order) =
            (padded.collect::<Vec<_>>(), (0..dims.len()).rev().collect::<Vec<_>>());
        let text = format!("f32[{}]{{{}:T({})}}", list(&padded), list(&order), list(&shard));
        let tiles = (!dims.is_empty()).then(|| array(&text).digits().unwrap());
        let mut of_shards = BTreeMap::new();
        for index in every_index(dims) {
            let (devices, local) = sharding.to_shard(dims, &index, boxes.len()).unwrap();
            for device in &devices {
                let back = sharding.to_array(dims, *device, &local).unwrap();
                assert_eq!(back.as_ref(), Some(&index), "{}", row.hlo);
            }
            let place = flatten(&local, &shard);
            if let Some(tiles) = &tiles {
                let (offset, slots) =
                    (tiles.offset(&index).unwrap(), shard.iter().product::<Size>());
                assert_eq!(place, offset % slots, "{}", row.hlo);
                let known = of_shards.entry(offset / slots).or_insert(devices.clone());
                assert_eq!(*known, devices, "{}", row.hlo);
            }
        }
    }
    assert_eq!(count, 304);
}

#[test]
fn shards_take_the_bytes_that_the_compiler_says() {
    for row in data::json::<Reshard>("mesh/reshards.jsonl") {
        for (side, text) in [&row.from, &row.to].into_iter().enumerate() {
            let (sharding, local) = (read(text), array(&row.shards[side]));
            let layout = &row.shards[side][row.shards[side].find('{').unwrap()..];
            let whole = format!("{}[{}]", row.dtype, list(&row.dims));
            let laid_out = array(&format!("{whole}{layout}"));
            assert_eq!(sharding.shard_shape(&laid_out).unwrap(), local, "{}", row.id);
            let bytes = sharding.bytes_per_device(&laid_out);
            assert_eq!(bytes.unwrap(), row.bytes[side], "{}", row.id);
            if row.id.starts_with("tpu") {
                // Before anything is compiled: the default layout of the shard.
                let shard = sharding.shard_shape(&array(&whole)).unwrap();
                let shard = shard.with_default_layout(Tpu::V5e).unwrap();
                assert_eq!(shard.bytes(), Some(row.bytes[side]), "{} {shard}", row.id);
            }
        }
    }
}

/// What each device gets, element by element.
fn assert_moves(from: &Sharding, to: &Sharding, dims: &[Size], devices: usize) {
    let boxes = |it: &Sharding| {
        (0..devices).map(|device| it.box_of(dims, device as u32).unwrap()).collect::<Vec<_>>()
    };
    let (of_from, of_to) = (boxes(from), boxes(to));
    let has = |own: &Option<Vec<Range<Size>>>, index: &[Size]| {
        own.as_ref().is_some_and(|own| own.iter().zip(index).all(|(own, at)| own.contains(at)))
    };
    let mut needed = vec![0; devices];
    let mut moved = BTreeMap::new();
    for index in every_index(dims) {
        for (device, needed) in needed.iter_mut().enumerate() {
            if has(&of_to[device], &index) && !has(&of_from[device], &index) {
                *needed += 1;
                moved.insert((device as u32, index.clone()), 0);
            }
        }
    }
    let what = format!("{from} to {to} of {dims:?}");
    let reshard = from.reshard(to, dims, devices).unwrap();
    assert_eq!(reshard.received(), needed, "{what}");
    let mut pairs = BTreeMap::<_, Size>::new();
    for own in reshard.moves().unwrap() {
        let sizes = own.part.iter().map(|part| part.end - part.start).collect::<Vec<_>>();
        *pairs.entry((own.from, own.to)).or_default() += sizes.iter().product::<Size>();
        for index in every_index(&sizes) {
            let index =
                index.iter().zip(&own.part).map(|(at, part)| at + part.start).collect::<Vec<_>>();
            assert!(has(&of_from[own.from as usize], &index), "{what}: {own:?}");
            *moved.get_mut(&(own.to, index)).unwrap_or_else(|| panic!("{what}: {own:?}")) += 1;
        }
    }
    assert!(moved.values().all(|times| *times == 1), "{what}");
    assert_eq!(reshard.pairs().unwrap(), pairs, "{what}");
}

#[test]
fn reshards_move_each_element_once_and_no_more_than_xla_does() {
    let mut fewer = 0;
    for row in data::json::<Reshard>("mesh/reshards.jsonl") {
        let (from, to) = (read(&row.from), read(&row.to));
        assert_moves(&from, &to, &row.dims, 8);
        let most = from.reshard(&to, &row.dims, 8).unwrap().received().into_iter().max().unwrap();
        assert!(most * row.moved_element_bytes <= row.xla_received, "{}", row.id);
        fewer += usize::from(most * row.moved_element_bytes < row.xla_received);
    }
    assert_eq!(fewer, 18);
}

#[test]
fn reshards_of_uneven_shards_move_each_element_once() {
    let of_size = |row: &Row| row.boxes.is_some() && row.dims.iter().product::<Size>() <= 3000;
    let all =
        data::json::<Row>("mesh/shardings.jsonl").into_iter().filter(of_size).collect::<Vec<_>>();
    let mut count = 0;
    for (number, row) in all.iter().enumerate() {
        let others = [1, 7, 23].map(|step| &all[(number + step) % all.len()]);
        let devices = |row: &Row| row.boxes.as_ref().unwrap().len();
        for other in others
            .iter()
            .filter(|it| it.dims.len() == row.dims.len() && devices(it) == devices(row))
        {
            assert_moves(&read(&row.hlo), &read(&other.hlo), &row.dims, devices(row));
            count += 1;
        }
    }
    assert!(count > 150, "{count}");
}

#[test]
fn paths_are_those_that_were_compiled() {
    #[derive(Deserialize)]
    struct Via {
        mesh: String,
        dims: Vec<Size>,
        element_bytes: Size,
        from: String,
        to: String,
        between: Vec<String>,
        received: Size,
    }
    for row in data::json::<Via>("mesh/paths.jsonl") {
        let mesh = row.mesh.parse::<Mesh>().unwrap();
        let [from, to] = [&row.from, &row.to].map(|it| mesh.sharding(it, row.dims.len()).unwrap());
        let steps = mesh.path(&from, &to, &row.dims).unwrap();
        let received = steps.iter().map(|step| step.received).sum::<Size>();
        assert_eq!(received * row.element_bytes, row.received, "{steps:?}");
        let same = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|it| mesh.sharding(it, row.dims.len()).unwrap());
            a == b
        };
        let (_, between) = steps.split_last().unwrap();
        assert!(
            row.between.iter().all(|spec| between.iter().any(|step| same(&step.spec, spec))),
            "{steps:?}, not {:?}",
            row.between
        );
    }
}

#[test]
fn wrong_texts_have_a_place_and_a_sentence() {
    data::assert_cases("mesh/refused.txt", |text| match Sharding::parse_all(text) {
        Ok(all) => panic!("{text} is {all:?}"),
        Err(error) => error.to_string(),
    });
}

#[test]
fn damaged_texts_are_read_or_refused() {
    let mesh = "x=4,y=2".parse::<Mesh>().unwrap();
    for row in data::json::<Row>("mesh/shardings.jsonl").iter().step_by(7) {
        for text in [&row.hlo].into_iter().chain(&row.v3).chain(&row.sdy).chain(&row.spec) {
            for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
                for (instead, kept) in
                    [("", 0), ("", 1), ("0", 1), ("9999999999", 0), ("}", 1), ("'", 0)]
                {
                    let rest = text[at..].get(kept..).unwrap_or_default();
                    let damaged = format!("{}{instead}{rest}", &text[..at]);
                    // A sharding that is read can be printed, and is the same then.
                    if let Ok(sharding) = mesh.sharding(&damaged, row.dims.len()) {
                        assert_eq!(read(&sharding.to_string()), sharding, "{damaged}");
                    }
                    let _ = Sharding::parse_all(&text[..at]);
                }
            }
        }
    }
}

#[test]
fn only_the_program_knows_what_is_manual() {
    for text in
        ["{manual}", "{unreduced}", "{unknown}", "{devices=[2,2]<=[4] last_tile_dims={manual}}"]
    {
        let sharding = read(text);
        let whole = Sharding::Every(Held::Whole);
        assert_eq!(sharding.box_of(&[8], 0), Err(NoAnswer::OnlyTheProgram));
        assert_eq!(sharding.shard_dims(&[8]), Err(NoAnswer::OnlyTheProgram));
        assert_eq!(sharding.to_shard(&[8], &[1], 4), Err(NoAnswer::OnlyTheProgram));
        assert_eq!(sharding.reshard(&whole, &[8], 4).err(), Some(NoAnswer::OnlyTheProgram));
        assert_eq!(whole.reshard(&sharding, &[8], 4).err(), Some(NoAnswer::OnlyTheProgram));
    }
}

/// No list of all pairs of devices is made.
#[test]
fn shardings_of_many_devices_are_asked() {
    let dims = [1 << 20, 1 << 16];
    let [from, to] =
        ["{devices=[256,256]<=[65536]}", "{devices=[65536,1]<=[256,256]T(1,0)}"].map(read);
    let last = Some(vec![1_044_480..1 << 20, 65_280..1 << 16]);
    assert_eq!(from.box_of(&dims, 65_535).unwrap(), last);
    assert_eq!(from.to_shard(&dims, &[0, 300], 0).unwrap(), (vec![1], vec![0, 44]));
    assert_eq!(from.reshard(&to, &dims, 1 << 16).unwrap().received().len(), 1 << 16);
    let [from, to] = ["{devices=[16,32]<=[512]}", "{devices=[512,1]<=[16,32]T(1,0)}"].map(read);
    assert_eq!(from.reshard(&to, &dims, 512).unwrap().pairs().unwrap().len(), 16_352);
}
