//! What is refused and what it says, and which packed formats instructions have: `data/tables/gpu.txt`.

use layout::shape::{Size, Swizzle};
use layout::{ArrayShape, ElementType};
use layout_formats::packed_format::PackedFormat;
use layout_gpu::banks::{Access, BankError, Matrices, check_conflict_free, search};
use layout_gpu::descriptor::{Descriptor, DescriptorError, Factor, InstructionDescriptor};
use layout_gpu::fragment::{
    Axis, Fragment, FragmentError, Holder, Instruction, Operand, Shard, ThreadDim, Warps,
};
use layout_gpu::shared::{
    TileError, mma_tile, triton_nvmma_shared, triton_offset_bases, triton_padded_shared,
    triton_swizzled_shared,
};
use layout_gpu::tensor_map::TensorMap;
use layout_tests::lists::{array, numbers};
use layout_tests::naive::every_index;
use layout_tests::table;

use crate::fragments::assert_round_trips;

#[test]
fn refused() {
    table::check("gpu", &mut |question, columns| match (question, columns) {
        ("access", [lanes, text]) => {
            said(access(lanes).and_then(|access| access.addresses(&array(text))))
        }
        ("conflicts", [lists, text]) => {
            let accesses = lists.split("; ").map(access).collect::<Result<Vec<_>, _>>().unwrap();
            said(check_conflict_free(&array(text), &accesses))
        }
        ("remedies", [lists, text]) => {
            let accesses = lists.split("; ").map(access).collect::<Result<Vec<_>, _>>().unwrap();
            let found = search(&array(text), &accesses).unwrap();
            [found.swizzle, found.padding].map(|one| one.unwrap().shape.to_string()).join("; ")
        }
        ("tile", [call, text]) => said(tile(call, &array(text))),
        ("descriptor", [call, text]) => said(descriptor(call, &array(text))),
        ("last start", [call, text]) => {
            let of = descriptor(call, &array(text)).unwrap();
            let last = of.start(of.blocks - 1, of.steps - 1).unwrap();
            format!("{last} of {} and {}, {}", of.blocks, of.steps, of.leading_byte_offset)
        }
        ("product", [sizes, types, flags]) => {
            let [m, n] = list(sizes);
            let [a, b, d] = words(types).map(|name| ElementType::from_name(name).unwrap());
            let product = InstructionDescriptor::new(m, n, [a, b], d);
            let sparse = flags.strip_prefix("sparse ").map(|number| number.parse().unwrap());
            said(InstructionDescriptor { saturate: *flags == "saturate", sparse, ..product }.bits())
        }
        ("tensor map", [global, tile, then]) => {
            let map = TensorMap::new(&array(global), &array(tile));
            said(map.and_then(|map| match then.strip_prefix("at ") {
                None if *then == "NaN" => map.with_nan_fill().map(|_| ()),
                None => Ok(()),
                Some(addresses) => {
                    let [global, shared] = list(addresses).map(|at| at as u64);
                    map.check_addresses(global, shared)
                }
            }))
        }
        ("map", [global, tile]) => {
            let map = TensorMap::new(&array(global), &array(tile)).unwrap();
            let [sizes, strides] =
                [&map.global_dim[..map.rank], &map.global_strides[..map.rank - 1]];
            let TensorMap { swizzle, replace, shared_alignment, .. } = map;
            let of_box = &map.box_dim[..map.rank];
            format!(
                "{of_box:?} of {sizes:?} by {strides:?}; {swizzle} {replace:?} {shared_alignment}"
            )
        }
        ("packed format", [text, of, name, of_array]) => {
            let own = instruction(text).operand(operand(of)).unwrap();
            let named = PackedFormat::find(name).unwrap().fragment(&array(of_array)).unwrap();
            relation(&own, &named).to_owned()
        }
        _ => {
            let made = fragment(question, columns);
            if let Ok(fragment) = &made {
                assert_round_trips(fragment);
            }
            said(made)
        }
    });
}

/// `wgmma A64 1`: the instruction, the operand with its rows, and the dimension of K.
fn descriptor(call: &str, tile: &ArrayShape) -> Result<Descriptor, DescriptorError> {
    let [instruction, factor, k_dim] = words(call);
    let rows = number(&factor[1..]);
    let factor = if factor.starts_with('A') { Factor::A(rows) } else { Factor::B(rows) };
    let of = if instruction == "wgmma" { Descriptor::wgmma } else { Descriptor::tcgen05 };
    of(tile, factor, k_dim.parse().unwrap())
}

/// What a fragment is of another one.
fn relation(own: &Fragment, named: &Fragment) -> &'static str {
    let is_turned = |index: &Vec<Size>| own.holder(index) == named.holder(&[index[1], index[0]]);
    if own == named {
        "the same"
    } else if every_index(own.dims()).all(|index| is_turned(&index)) {
        "transposed"
    } else {
        "another one"
    }
}

/// The message of an error, or `ok`.
fn said<T, E: std::fmt::Display>(result: Result<T, E>) -> String {
    result.map_or_else(|error| error.to_string(), |_| "ok".to_owned())
}

fn words<const N: usize>(text: &str) -> [&str; N] {
    let words = text.split(' ').collect::<Vec<_>>();
    words.try_into().unwrap_or_else(|words| panic!("{words:?} are not {N} words"))
}

fn number(text: &str) -> Size {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn list<const N: usize>(text: &str) -> [Size; N] {
    numbers(text).try_into().unwrap_or_else(|list| panic!("{list:?} are not {N} numbers"))
}

/// `1,0;2,0`: lists of numbers.
fn lists<const N: usize>(text: &str) -> Vec<[Size; N]> {
    text.split(';').filter(|text| !text.is_empty()).map(list).collect()
}

fn pairs(text: &str) -> Vec<(Size, Size)> {
    lists(text).into_iter().map(|[a, b]| (a, b)).collect()
}

/// `8 along 0: lane, 0`: bytes, what else there is to say, and the coordinates of a lane.
fn access(text: &str) -> Result<Access, BankError> {
    let (head, coordinates) = text.split_once(": ").unwrap();
    let mut head = head.split(' ');
    let access = Access::parse(coordinates, head.next().unwrap().parse().unwrap())?;
    Ok(match (head.next(), head.next().map(number)) {
        (Some("along"), Some(dim)) => access.along(dim),
        (Some("at"), Some(address)) => access.at(address),
        (Some("x2"), None) => access.matrices(Matrices::X2),
        (Some("x4"), None) => access.matrices(Matrices::X4),
        (Some("only"), Some(lanes)) => access.only(lanes as u32),
        (None, None) => access,
        other => panic!("{other:?}"),
    })
}

fn tile(call: &str, array: &ArrayShape) -> Result<ArrayShape, TileError> {
    let swizzle = |text| Swizzle::parse(text).unwrap();
    match call.split(' ').collect::<Vec<_>>()[..] {
        ["triton_swizzled_shared", sizes, order] => {
            let [vec, per_phase, max_phase] = list(sizes);
            triton_swizzled_shared(array, vec, per_phase, max_phase, &numbers::<usize>(order))
        }
        ["triton_nvmma_shared", mode] => triton_nvmma_shared(array, swizzle(mode), false),
        ["triton_nvmma_shared", mode, "transposed"] => {
            triton_nvmma_shared(array, swizzle(mode), true)
        }
        ["mma_tile", dim] => mma_tile(array, number(dim), Swizzle::NONE),
        ["mma_tile", dim, mode] => mma_tile(array, number(dim), swizzle(mode)),
        ["triton_padded_shared", after] => triton_padded_shared(array, &pairs(after)),
        ["triton_offset_bases", bases] => triton_offset_bases(array, &lists::<2>(bases)),
        ref other => panic!("{other:?}"),
    }
}

fn fragment(question: &str, columns: &[&str]) -> Result<Fragment, FragmentError> {
    match (question, columns) {
        ("operand", [text, of]) => instruction(text).operand(operand(of)),
        ("fragment", [text, of, dims, warps]) => {
            let (grid, bases) = match warps.strip_prefix("bases ") {
                Some(bases) => (Vec::new(), lists(bases)),
                None => (numbers(warps), Vec::new()),
            };
            let warps = if grid.is_empty() { Warps::Bases(&bases) } else { Warps::Grid(&grid) };
            instruction(text).fragment(operand(of), &numbers::<Size>(dims), warps)
        }
        ("lanes", [bases]) => Fragment::from_bases(&[4, 4], &[(Axis::Lane, &lists(bases))]),
        ("threads and values", [dims, threads, values, lanes]) => {
            let (threads, values) = (pairs(threads), pairs(values));
            Fragment::from_tv(&numbers::<Size>(dims), &threads, &values, number(lanes))
        }
        ("shards", [of_shards, copies, first]) => {
            let [warp, lane, register] = list(first);
            let first = Holder::register(warp, lane, register);
            Fragment::from_shards(&[8], &shards(of_shards), &shards(copies), first, 32)
        }
        ("tiled", [text, vector]) => {
            let vector = vector.parse().unwrap();
            Fragment::tiled(&array(text), &[], &[ThreadDim::Dim(-2)], vector, false)
        }
        ("blocked", [dims, threads, lanes, warps, order]) => {
            let [dims, threads, lanes, warps] = [dims, threads, lanes, warps].map(|a| numbers(a));
            Fragment::blocked(&dims, &threads, &lanes, &warps, &numbers::<usize>(order))
        }
        ("layout", [text, threads]) => Fragment::of_layout(&array(text), number(threads), 32),
        ("slice", [text, of, dims, dim]) => {
            let whole = instruction(text).fragment(operand(of), &numbers::<Size>(dims), Warps::ONE);
            whole.unwrap().sliced(dim.parse().unwrap())
        }
        ("datapath", [letter, dims, half]) => {
            Fragment::datapath(letter.parse().unwrap(), list(dims), *half == "upper")
        }
        ("tensor memory", [block, stride, dims]) => {
            Fragment::tensor_memory(list(block), number(stride), list(dims))
        }
        ("tcgen05", [of, m, dims]) => {
            Fragment::tcgen05(operand(of), number(m), 1, false, &numbers::<Size>(dims))
        }
        ("tcgen05.ld", [shape, bits, dims]) => {
            Fragment::tcgen05_ld(list(shape), number(bits), list(dims))
        }
        other => panic!("{other:?}"),
    }
}

/// `mma 16,8,16 16`, with a width of K after it or not.
fn instruction(text: &str) -> Instruction {
    if let Some((text, width)) = text.split_once(" width ") {
        return instruction(text).with_k_width(number(width));
    }
    match text.split(' ').collect::<Vec<_>>()[..] {
        ["mma", sizes, bits] => Instruction::mma(list(sizes), number(bits)),
        ["wgmma", n, bits] => Instruction::wgmma(number(n), number(bits)),
        ["mfma", "f64"] => Instruction::MFMA_F64,
        ["mfma", sizes] => Instruction::mfma(list(sizes), false),
        ["wmma", generation, k, ref rest @ ..] => {
            let is_transposed = rest != ["rows"];
            Instruction::wmma(generation.parse().unwrap(), number(k), is_transposed)
        }
        ref other => panic!("{other:?}"),
    }
}

fn operand(name: &str) -> Operand {
    match name {
        "A" => Operand::A,
        "B" => Operand::B,
        "D" => Operand::D,
        other => panic!("{other}"),
    }
}

/// `2,1 lane;4,1 lane`: sizes, strides and axes.
fn shards(text: &str) -> Vec<Shard> {
    let shard = |text: &str| {
        let [numbers, axis] = words(text);
        let axis = Axis::ALL.iter().find(|of| format!("{of:?}").eq_ignore_ascii_case(axis));
        let [size, stride] = list(numbers);
        Shard { size, stride, axis: *axis.unwrap() }
    };
    text.split(';').filter(|text| !text.is_empty()).map(shard).collect()
}
