//! Fragments of operands, against rows of Triton, CuTe, TVM and Mosaic, and by brute force.

use std::collections::{BTreeMap, BTreeSet};

use layout::gpu::fragment::{
    Axis, Conversion, Direction, Fragment, FragmentError, Holder, Instruction, Operand, Shard,
    SharedAccess, ThreadDim, Warps,
};
use layout::packed_format::{MosaicGpu, PackedFormat};
use layout::{ArrayShape, Size};
use layout_tests::data;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// A number, or a list of numbers.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Version {
    One(usize),
    List(Vec<usize>),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum MosaicDim {
    Dim(isize),
    Replicated { replicated: Size },
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Row {
    kind: String,
    shape: Vec<Size>,
    // Triton.
    version: Option<Version>,
    parent: Option<serde_json::Value>,
    instr_shape: Vec<Size>,
    warps_per_cta: Vec<Size>,
    warp_bases: Vec<Vec<Size>>,
    transposed: bool,
    operand: String,
    k_width: Size,
    size_per_thread: Vec<Size>,
    threads_per_warp: Vec<Size>,
    order: Vec<usize>,
    dim: usize,
    block: Vec<Size>,
    col_stride: Size,
    registers: Vec<Vec<Size>>,
    lanes: Vec<Vec<Size>>,
    warps: Vec<Vec<Size>>,
    rows: Vec<Vec<Size>>,
    cols: Vec<Vec<Size>>,
    // Mosaic.
    name: String,
    tiling: Vec<Vec<Size>>,
    warp_dims: Vec<MosaicDim>,
    lane_dims: Vec<MosaicDim>,
    vector_dim: isize,
    vector_length: Size,
    vector_stride: Size,
    sha256_le_i64: String,
    packing: Size,
    columns_32bit: BTreeMap<String, Size>,
    // TVM.
    instr: String,
    dtype: String,
    datapath: String,
    sub_slab: usize,
    #[serde(rename = "M")]
    m: Size,
    cta_group: usize,
    ws: bool,
    shard: Vec<(Size, Size, String)>,
    replica: Vec<(Size, Size, String)>,
    offset: BTreeMap<String, Size>,
    samples: Vec<(Vec<Size>, BTreeMap<String, Size>)>,
    // CuTe.
    mma: String,
    a_source: String,
    tv_layout_a: String,
    tv_layout_b: String,
    tv_layout_c: String,
}

type Made = Result<Fragment, FragmentError>;

impl Row {
    fn instruction(&self) -> Instruction {
        let transposed = self.transposed;
        let [m, n] = self.instr_shape[..2] else { panic!("{self:?}") };
        let k = self.instr_shape.get(2).copied().unwrap_or(16);
        let is_operand = self.kind == "triton_dot_operand";
        let instruction = match self.version.as_ref().unwrap() {
            Version::List(version) if version[0] == 2 => Instruction::mma([m, n, 16], 16),
            // N does not matter for an operand.
            Version::List(_) => Instruction::wgmma(if is_operand { 8 } else { n }, 16),
            Version::One(version) if self.has("amd_wmma") => {
                Instruction::wmma(*version, k, transposed)
            }
            Version::One(_) => Instruction::mfma([m, n, k], transposed),
        };
        if is_operand { instruction.with_k_width(self.k_width) } else { instruction }
    }

    fn has(&self, kind: &str) -> bool {
        self.kind.contains(kind) || self.parent.as_ref().is_some_and(|parent| *parent == kind)
    }

    fn bits(&self) -> Size {
        let has = |bits: &&Size| self.dtype.contains(&bits.to_string());
        *[64, 32, 16, 8, 4].iter().find(has).unwrap()
    }

    fn matrix(&self, operand: Operand) -> Made {
        let bases = self.warp_bases.iter().map(|base| [base[0], base[1]]).collect::<Vec<_>>();
        let warps = match self.has("amd_wmma") {
            true => Warps::Bases(&bases),
            false => Warps::Grid(&self.warps_per_cta),
        };
        self.instruction().fragment(operand, &self.shape, warps)
    }

    fn blocked(&self) -> Made {
        let Row { shape, size_per_thread, threads_per_warp, warps_per_cta, order, .. } = self;
        Fragment::blocked(shape, size_per_thread, threads_per_warp, warps_per_cta, order)
    }

    /// The slice of a parent whose removed dimension has a multiple of its blocks.
    fn sliced(&self, multiple: Size) -> Made {
        let (name, fields) =
            self.parent.as_ref().unwrap().as_object().unwrap().iter().next().unwrap();
        let mut parent: Row = serde_json::from_value(fields.clone()).unwrap();
        parent.kind.clone_from(name);
        parent.shape.clone_from(&self.shape);
        let whole = match name.as_str() {
            "blocked" => {
                let of = |sizes: &[Size]| sizes[self.dim];
                let [thread, warp, block] =
                    [&parent.size_per_thread, &parent.threads_per_warp, &parent.warps_per_cta]
                        .map(|sizes| of(sizes));
                parent.shape.insert(self.dim, thread * warp * block * multiple);
                parent.blocked()
            }
            _ => {
                parent.shape.insert(self.dim, 256 * multiple);
                parent.matrix(Operand::D)
            }
        };
        whole.unwrap().sliced(self.dim)
    }

    fn read_bases<const R: usize>(&self) -> Made {
        let of = |bases: &[Vec<Size>]| {
            bases.iter().map(|base| base.clone().try_into().unwrap()).collect::<Vec<[Size; R]>>()
        };
        let bases = self.bases().map(|(axis, bases)| (axis, of(bases)));
        let bases = bases.each_ref().map(|(axis, bases)| (*axis, &bases[..]));
        Fragment::from_bases(&self.shape.clone().try_into().unwrap(), &bases)
    }

    fn bases(&self) -> [(Axis, &[Vec<Size>]); 4] {
        let lanes = if self.kind == "triton_tensor_memory" { &self.rows } else { &self.lanes };
        [
            (Axis::Register, &self.registers),
            (Axis::Lane, lanes),
            (Axis::Warp, &self.warps),
            (Axis::Column, &self.cols),
        ]
    }

    /// Every holder with its index: XORs of bases, written out.
    fn written_out(&self) -> Vec<(Holder, Vec<Size>)> {
        let mut all = vec![(Holder::default(), vec![0; self.shape.len()])];
        for (axis, bases) in self.bases() {
            for (bit, base) in bases.iter().enumerate() {
                for (mut holder, mut index) in all.clone() {
                    match axis {
                        Axis::Register => holder.register |= 1 << bit,
                        Axis::Lane => holder.lane |= 1 << bit,
                        Axis::Warp => holder.warp |= 1 << bit,
                        Axis::Column => holder.column |= 1 << bit,
                    }
                    index.iter_mut().zip(base).for_each(|(at, step)| *at ^= step);
                    all.push((holder, index));
                }
            }
        }
        all
    }

    fn mosaic(&self, in_tensor_memory: bool) -> Made {
        let dims = |dims: &[MosaicDim]| {
            let of = |dim: &MosaicDim| match *dim {
                MosaicDim::Dim(dim) => ThreadDim::Dim(dim),
                MosaicDim::Replicated { replicated } => ThreadDim::Replicated(replicated),
            };
            dims.iter().map(of).collect::<Vec<_>>()
        };
        let sizes =
            |sizes: &[Size]| sizes.iter().map(Size::to_string).collect::<Vec<_>>().join(",");
        let order = sizes(&(0..self.shape.len()).rev().collect::<Vec<_>>());
        let tiles = self.tiling.iter().map(|tile| format!("({})", sizes(tile))).collect::<String>();
        let tiled = format!("f32[{}]{{{order}:T{tiles}}}", sizes(&self.shape));
        let (warps, lanes) = (dims(&self.warp_dims), dims(&self.lane_dims));
        let tiled = tiled.parse().unwrap();
        Fragment::tiled(&tiled, &warps, &lanes, self.vector_dim, in_tensor_memory)
    }

    fn tvm(&self) -> Made {
        let is_memory = self.kind.starts_with("tvm_tmem");
        let shard = |(size, stride, axis): &(Size, Size, String)| {
            let axis = match axis.as_str() {
                "laneid" | "tid_in_wg" | "TLane" => Axis::Lane,
                "wid_in_wg" => Axis::Warp,
                "m" => Axis::Register,
                "TCol" => Axis::Column,
                _ => panic!("{axis}"),
            };
            Shard { size: *size, stride: *stride, axis }
        };
        let shards = self.shard.iter().map(shard).collect::<Vec<_>>();
        let copies = self.replica.iter().map(shard).collect::<Vec<_>>();
        let lanes = if is_memory { 128 } else { 32 };
        Fragment::from_shards(&self.shape, &shards, &copies, holder_of(&self.offset), lanes)
    }

    fn tvm_named(&self) -> Made {
        let rank2 = || [self.shape[0], self.shape[1]];
        match self.kind.trim_end_matches("_refused") {
            "tvm_tcgen05_atom" => {
                let (lanes, bits) = self.instr.strip_suffix('b').unwrap().split_once('x').unwrap();
                let shape = [lanes.parse().unwrap(), bits.parse().unwrap()];
                Fragment::tcgen05_ld(shape, self.bits(), rank2())
            }
            "tvm_tmem_datapath" => {
                Fragment::datapath(self.datapath.parse().unwrap(), rank2(), self.sub_slab == 1)
            }
            _ => {
                let operand = if self.operand == "A" { Operand::A } else { Operand::D };
                Fragment::tcgen05(operand, self.m, self.cta_group, self.ws, &self.shape)
            }
        }
    }
}

fn holder_of(numbers: &BTreeMap<String, Size>) -> Holder {
    let mut holder = Holder::default();
    for (axis, number) in numbers {
        match axis.as_str() {
            "laneid" | "TLane" => holder.lane += number,
            "tid_in_wg" => (holder.warp, holder.lane) = (number / 32, number % 32),
            "wid_in_wg" => holder.warp = *number,
            "m" => holder.register = *number,
            "TCol" => holder.column = *number,
            _ => panic!("{axis}"),
        }
    }
    holder
}

fn rows(kind: &str) -> Vec<Row> {
    let rows = data::json::<Row>("swizzle/fragments.jsonl");
    rows.into_iter().filter(|row| row.kind == kind).collect()
}

/// Every index of an array, the last dimension fastest.
fn indices(dims: &[Size]) -> impl Iterator<Item = Vec<Size>> {
    let dims = dims.to_vec();
    (0..dims.iter().product()).map(move |number| index_of(number, &dims))
}

fn index_of(mut number: Size, dims: &[Size]) -> Vec<Size> {
    let mut index = vec![0; dims.len()];
    for (at, size) in index.iter_mut().zip(dims).rev() {
        (*at, number) = (number % size, number / size);
    }
    index
}

fn number_of(index: &[Size], dims: &[Size]) -> Size {
    index.iter().zip(dims).fold(0, |number, (at, size)| number * size + at)
}

/// Both directions agree for every holder and every index, and nothing is past the ends.
fn assert_round_trips(fragment: &Fragment) {
    let dims = fragment.dims().to_vec();
    let mut held = BTreeMap::<Vec<Size>, usize>::new();
    for warp in 0..fragment.warps() {
        for lane in 0..fragment.lanes() {
            for column in 0..fragment.columns() {
                for register in 0..fragment.registers() {
                    let holder = Holder { warp, lane, register, column };
                    if let Some(index) = fragment.index(holder) {
                        assert!(
                            fragment.holders(&index).any(|other| other == holder),
                            "{holder:?}"
                        );
                        *held.entry(index.to_vec()).or_default() += 1;
                    }
                }
            }
        }
    }
    for index in indices(&dims) {
        assert_eq!(held.get(&index).copied(), Some(fragment.copies()), "{index:?}");
        let first = fragment.holder(&index).unwrap();
        for holder in fragment.holders(&index) {
            assert_eq!(*fragment.index(holder).unwrap(), index[..]);
            assert!(Axis::ALL.iter().all(|axis| first.at(*axis) <= holder.at(*axis)));
        }
        assert_eq!(fragment.copy(&index, fragment.copies()), None);
    }
    assert_eq!(fragment.holder(&dims), None);
    assert_eq!(fragment.holder(&[&dims[..], &[0]].concat()), None);
    for past in [
        Holder { warp: fragment.warps(), ..Holder::default() },
        Holder { lane: fragment.lanes(), ..Holder::default() },
        Holder { register: fragment.registers(), ..Holder::default() },
        Holder { column: fragment.columns(), ..Holder::default() },
    ] {
        assert_eq!(fragment.index(past), None);
    }
}

/// The fragment of the row's bases, which are also written out.
fn assert_bases(row: &Row, named: &Made) {
    let read = match row.shape.len() {
        1 => row.read_bases::<1>(),
        2 => row.read_bases::<2>(),
        _ => row.read_bases::<3>(),
    };
    assert!(read.is_ok(), "{row:?}: {read:?}");
    assert_eq!(read, *named, "{row:?}");
    let read = read.unwrap();
    let written_out = row.written_out();
    for (holder, index) in &written_out {
        assert_eq!(*read.index(*holder).unwrap(), index[..], "{row:?}");
    }
    assert_eq!(written_out.len() as Size, row.shape.iter().product::<Size>() * read.copies());
}

fn assert_triton(kind: &str, count: usize, named: impl Fn(&Row) -> Made) {
    let rows = rows(kind);
    assert_eq!(rows.len(), count, "{kind}");
    for row in &rows {
        assert_bases(row, &named(row));
    }
    // The slow check of every index, for some.
    for row in rows.iter().step_by(7) {
        assert_round_trips(&named(row).unwrap());
    }
}

#[test]
fn nvidia_results() {
    assert_triton("triton_nvmma", 39, |row| row.matrix(Operand::D));
}

#[test]
fn operands() {
    assert_triton("triton_dot_operand", 564, |row| {
        row.matrix(if row.operand == "A" { Operand::A } else { Operand::B })
    });
}

#[test]
fn mfma_results() {
    assert_triton("triton_amd_mfma", 75, |row| row.matrix(Operand::D));
}

#[test]
fn wmma_results() {
    assert_triton("triton_amd_wmma", 72, |row| row.matrix(Operand::D));
}

#[test]
fn blocked() {
    assert_triton("triton_blocked", 57, Row::blocked);
}

#[test]
fn slices() {
    assert_triton("triton_slice", 51, |row| row.sliced(1));
    for row in rows("triton_slice") {
        assert_eq!(row.sliced(1), row.sliced(4), "{row:?}");
    }
}

#[test]
fn tensor_memory() {
    assert_triton("triton_tensor_memory", 21, |row| {
        Fragment::tensor_memory(
            [row.block[0], row.block[1]],
            row.col_stride,
            [row.shape[0], row.shape[1]],
        )
    });
}

#[test]
fn mosaic() {
    let rows = rows("mosaic_tiled_layout");
    assert_eq!(rows.len(), 27);
    for row in &rows {
        let fragment = row.mosaic(false).unwrap();
        assert_round_trips(&fragment);
        // A register of Mosaic is a vector.
        let number_at = |thread: Size, register| {
            let holder = Holder::register(thread / 32, thread % 32, register);
            number_of(&fragment.index(holder).unwrap(), &row.shape)
        };
        let vector = row.vector_length;
        let mut sha256 = Sha256::new();
        for register in (0..fragment.registers()).step_by(vector) {
            for thread in 0..128 {
                let first = number_at(thread, register);
                sha256.update(i64::try_from(first).unwrap().to_le_bytes());
                for element in 0..vector {
                    assert_eq!(
                        number_at(thread, register + element),
                        first + element * row.vector_stride
                    );
                }
            }
        }
        let hash = sha256.finalize().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!(hash, row.sha256_le_i64, "{row:?}");
        if let Some(named) = MosaicGpu::find(&row.name) {
            let dims = row.shape.iter().map(Size::to_string).collect::<Vec<_>>().join(",");
            assert_eq!(named.fragment(&format!("f32[{dims}]").parse().unwrap()).unwrap(), fragment);
        }
    }
}

#[test]
fn mosaic_tensor_memory() {
    let rows = rows("mosaic_tmem_layout");
    assert_eq!(rows.len(), 14);
    for row in &rows {
        let fragment = row.mosaic(true).unwrap();
        assert_round_trips(&fragment);
        assert_eq!(fragment.registers(), row.packing, "{row:?}");
        assert!(
            row.columns_32bit.values().all(|columns| *columns == fragment.columns()),
            "{row:?}"
        );
    }
}

#[test]
fn tvm() {
    let mut count = 0;
    for kind in ["tvm_tcgen05_atom", "tvm_tmem_datapath", "tvm_tmem_operand"] {
        for (number, row) in rows(kind).iter().enumerate() {
            let fragment = row.tvm().unwrap();
            assert_eq!(row.tvm_named(), Ok(fragment), "{row:?}");
            for (index, numbers) in &row.samples {
                assert_eq!(fragment.holder(index), Some(holder_of(numbers)), "{row:?}");
            }
            if number % 5 == 0 {
                assert_round_trips(&fragment);
            }
            count += 1;
        }
        for row in rows(&format!("{kind}_refused")) {
            assert!(row.tvm_named().is_err(), "{row:?}");
            count += 1;
        }
    }
    assert_eq!(count, 73 + 23 + 35 + 14 + 25);
}

/// Sizes and strides of a mode of a CuTe layout, the fastest first, read without the library.
fn modes(tv: &str) -> [Vec<(Size, Size)>; 2] {
    let halves = tv.split_once(':').unwrap();
    let [sizes, strides] = [halves.0, halves.1].map(|text| {
        let text = text.strip_prefix('(').unwrap().strip_suffix(')').unwrap();
        // The comma outside of inner parentheses.
        let mut depth = 0;
        let comma = text.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == ',' && depth == 0
        });
        let (thread, value) = text.split_at(comma.unwrap());
        [thread, value].map(|mode| {
            let numbers = mode.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
            numbers.map(|number| number.parse::<Size>().unwrap()).collect::<Vec<_>>()
        })
    });
    [0, 1].map(|mode| sizes[mode].iter().copied().zip(strides[mode].iter().copied()).collect())
}

/// The value of a mode.
fn value_of(mode: &[(Size, Size)], mut number: Size) -> Size {
    let mut value = 0;
    for (size, stride) in mode {
        value += number % size * stride;
        number /= size;
    }
    value
}

/// A fragment of CuTe's text, which is also written out.
fn read_tv(tv: &str, [rows, columns]: [Size; 2]) -> Fragment {
    let [threads, values] = modes(tv);
    let fragment = Fragment::from_tv(&[rows, columns], &threads, &values, 32).unwrap();
    let count = |mode: &[(Size, Size)]| mode.iter().map(|(size, _)| size).product::<Size>();
    for thread in 0..count(&threads) {
        for value in 0..count(&values) {
            let number = value_of(&threads, thread) + value_of(&values, value);
            let index = fragment.index(Holder::register(thread / 32, thread % 32, value)).unwrap();
            assert_eq!(*index, [number % rows, number / rows], "{tv}");
        }
    }
    fragment
}

#[test]
fn cute() {
    let all = rows("cute_mma_fragment");
    assert_eq!(all.len(), 20);
    for row in &all {
        let [m, n, k] = row.shape[..] else { panic!("{row:?}") };
        let (a, b, c) = (
            read_tv(&row.tv_layout_a, [m, k]),
            read_tv(&row.tv_layout_b, [n, k]),
            read_tv(&row.tv_layout_c, [m, n]),
        );
        let instruction = match row.mma.split_once('_').unwrap().0 {
            "warp" => Instruction::mma([m, n, k], row.bits()),
            "wgmma" => Instruction::wgmma(n, row.bits()),
            // Tensor and shared memory: all is one thread's.
            _ => continue,
        };
        assert_eq!(instruction.operand(Operand::D), Ok(c), "{row:?}");
        if row.a_source == "SMEM" {
            assert_eq!((a.copies(), a.registers()), (128, m * k), "{row:?}");
        } else {
            assert_eq!(instruction.operand(Operand::A), Ok(a), "{row:?}");
        }
        match instruction.operand(Operand::B) {
            // CuTe's B is transposed.
            Ok(own) => {
                for index in indices(&[k, n]) {
                    assert_eq!(own.holder(&index), b.holder(&[index[1], index[0]]), "{row:?}");
                }
            }
            Err(_) => assert_eq!((b.copies(), b.registers()), (128, n * k), "{row:?}"),
        }
    }
}

/// Every packed format of registers says the same as its fragment, which takes the lanes in warps.
#[test]
fn packed_formats() {
    let mut count = 0;
    for format in PackedFormat::ALL.iter().filter(|format| format.lanes().is_some()) {
        for example in format.examples() {
            let fragment = format.fragment(&example).unwrap();
            let lanes = fragment.lanes();
            assert_eq!(Some(fragment.warps() * lanes), format.lanes(), "{format}");
            let dims = example.dims().iter().map(|dim| dim.size().unwrap()).collect::<Vec<_>>();
            for index in indices(&dims) {
                let holder = fragment.holder(&index).unwrap();
                let own = (holder.warp * lanes + holder.lane, holder.register);
                assert_eq!(format.lane_and_value_of(&example, &index), Some(own), "{format}");
            }
            count += 1;
        }
    }
    assert!(count > 60, "{count}");
    let memory = PackedFormat::find("marlin").unwrap();
    assert!(memory.fragment(&"u4[64,128]".parse().unwrap()).is_err());
}

/// Instructions that both PTX's rows of packed formats and the rules have.
#[test]
fn instructions_are_packed_formats() {
    let named = |name: &str, element: &str, dims: &[Size]| {
        let dims = dims.iter().map(Size::to_string).collect::<Vec<_>>().join(",");
        let array = format!("{element}[{dims}]").parse().unwrap();
        PackedFormat::find(name).unwrap().fragment(&array).unwrap()
    };
    let mut count = 0;
    for (bits, element, ks) in [
        (64, "f64", &[4, 8, 16][..]),
        (32, "f32", &[4, 8]),
        (16, "f16", &[8, 16]),
        (8, "s8", &[16, 32]),
        (4, "u4", &[32, 64]),
        (1, "u1", &[128, 256]),
    ] {
        for &k in ks {
            let mma = Instruction::mma([16, 8, k], bits);
            let name = format!("mma.m16n8k{k}");
            if bits == 64 && k == 8 {
                // The rows have none of this width.
                continue;
            }
            assert_eq!(
                mma.operand(Operand::A),
                Ok(named(&format!("{name}.A"), element, &[16, k])),
                "{name} {bits}"
            );
            let b = named(&format!("{name}.B"), element, &[8, k]);
            let own = mma.operand(Operand::B).unwrap();
            for index in indices(&[k, 8]) {
                assert_eq!(own.holder(&index), b.holder(&[index[1], index[0]]), "{name} {bits}");
            }
            count += 1;
        }
        let d = Instruction::mma([16, 8, ks[0]], bits).operand(Operand::D);
        assert_eq!(d, Ok(named("mma.m16n8.C", "f32", &[16, 8])));
    }
    assert_eq!(count, 12);
    for n in [8, 24, 64, 256] {
        let wgmma = Instruction::wgmma(n, 16);
        assert_eq!(wgmma.operand(Operand::D), Ok(named("wgmma.D", "f32", &[64, n])), "{n}");
        assert_eq!(wgmma.operand(Operand::A), Ok(named("wgmma.A", "bf16", &[64, 16])));
    }
    let mfma = Instruction::mfma([32, 32, 8], false);
    assert_eq!(mfma.operand(Operand::B), Ok(named("v_mfma_f32_32x32x8_f16.B", "f16", &[8, 32])));
    let mfma = Instruction::mfma([16, 16, 16], false);
    assert_eq!(mfma.operand(Operand::A), Ok(named("v_mfma_f32_16x16x16_f16.A", "f16", &[16, 16])));
    assert_eq!(mfma.operand(Operand::D), Ok(named("v_mfma_f32_16x16x16_f16.D", "f32", &[16, 16])));
    let mfma = Instruction::mfma([32, 32, 16], false);
    assert_eq!(mfma.operand(Operand::D), Ok(named("v_mfma_i32_32x32x16_i8.D", "s32", &[32, 32])));
    let f64 = Instruction::MFMA_F64;
    assert_eq!(f64.operand(Operand::A), Ok(named("v_mfma_f64_16x16x4_f64.A", "f64", &[16, 4])));
    assert_eq!(f64.operand(Operand::D), Ok(named("v_mfma_f64_16x16x4_f64.D", "f64", &[16, 16])));
    let rdna3 = Instruction::wmma(1, 16, false);
    assert_eq!(
        rdna3.operand(Operand::D),
        Ok(named("v_wmma_f32_16x16x16_f16.D.rdna3", "f32", &[16, 16]))
    );
    let rdna4 = Instruction::wmma(2, 16, false);
    // The calculator's lanes take turns after 4 elements, Triton's after 8.
    assert_eq!(
        rdna4.with_k_width(4).operand(Operand::A),
        Ok(named("v_wmma_f32_16x16x16_f16.A.rdna4", "f16", &[16, 16]))
    );
    assert_eq!(
        rdna4.operand(Operand::D),
        Ok(named("v_wmma_f32_16x16x16_f16.D.rdna4", "f32", &[16, 16]))
    );
    // Copies, which no layout has.
    let a = rdna3.operand(Operand::A).unwrap();
    assert!(a.holders(&[5, 7]).eq([Holder::register(0, 5, 7), Holder::register(0, 21, 7)]));
    assert_round_trips(&a);
}

/// A block of operands for a warp, registers by lanes: what shuffles do to it.
fn shuffled(from: &Fragment, to: &Fragment, count: Size) {
    let held = |holder: Holder| from.index(holder).map(|index| index.to_vec());
    let mut moved = vec![0; count];
    for warp in 0..to.warps() {
        let mut taken = BTreeMap::new();
        for (number, moved) in moved.iter_mut().enumerate() {
            // The register that each lane gives.
            let mut given = BTreeMap::new();
            let mut moves = 0;
            for lane in 0..to.lanes() {
                let Some(shuffle) = from.shuffle(to, number, warp, lane) else { continue };
                let own = given.entry(shuffle.source_lane).or_insert(shuffle.source_register);
                assert_eq!(*own, shuffle.source_register, "shuffle {number} of {from:?} to {to:?}");
                let source = Holder::register(warp, shuffle.source_lane, shuffle.source_register);
                let twice = taken.insert((lane, shuffle.register), held(source).unwrap());
                assert_eq!(twice, None);
                moves += usize::from(shuffle.source_lane != lane);
            }
            *moved += moves;
        }
        for lane in 0..to.lanes() {
            for register in 0..to.registers() {
                let index = to.index(Holder::register(warp, lane, register)).unwrap().to_vec();
                match taken.get(&(lane, register)) {
                    Some(taken) => assert_eq!(*taken, index),
                    // What no shuffle brings, the lane has itself, before or after them.
                    None => {
                        let mut own = (0..from.registers())
                            .map(|own| held(Holder::register(warp, lane, own)));
                        let mut new = (0..to.registers()).filter_map(|new| taken.get(&(lane, new)));
                        assert!(
                            own.any(|own| own.as_ref() == Some(&index))
                                || new.any(|new| *new == index),
                            "{index:?} for register {register} of lane {lane}: {from:?} to {to:?}"
                        );
                    }
                }
            }
        }
        assert_eq!(from.shuffle(to, count, warp, 0), None);
    }
    assert!(moved.iter().all(|moves| *moves > 0), "{moved:?}");
}

/// A bound from below: what a lane takes from others, each element once, and what lanes that hold the same give together.
fn least_shuffles(sources: &[(Holder, Vec<Holder>)]) -> Size {
    let mut takes = BTreeMap::<_, BTreeSet<_>>::new();
    let mut gives = BTreeMap::<_, BTreeSet<_>>::new();
    for (to, from) in sources {
        let near = from.iter().filter(|from| from.warp == to.warp);
        let lanes = near.map(|from| from.lane).collect::<BTreeSet<_>>();
        if !lanes.contains(&to.lane) {
            let element = (from[0].warp, from[0].lane, from[0].register);
            takes.entry((to.warp, to.lane)).or_default().insert(element);
            gives.entry((to.warp, lanes)).or_default().insert(element);
        }
    }
    let takes = takes.values().map(BTreeSet::len).max().unwrap();
    let gives = gives.iter().map(|((_, lanes), elements)| elements.len().div_ceil(lanes.len()));
    takes.max(gives.max().unwrap())
}

#[test]
fn conversions() {
    let mma = Instruction::mma([16, 8, 16], 16);
    let bytes = Instruction::mma([16, 8, 32], 8);
    let rdna3 = Instruction::wmma(1, 16, false);
    let rdna4 = Instruction::wmma(2, 16, false);
    let dims = [16, 32];
    let mfma = Instruction::mfma([16, 16, 16], false);
    let blocked = |sizes: [Size; 2], threads: [Size; 2], warps: [Size; 2], order| {
        Fragment::blocked(&dims, &sizes, &threads, &warps, order).unwrap()
    };
    let mut fragments = vec![];
    for order in [&[1, 0], &[0, 1]] {
        for (sizes, threads) in [
            ([1, 4], [8, 4]),
            ([1, 1], [1, 32]),
            ([4, 2], [4, 8]),
            ([2, 8], [16, 2]),
            ([8, 8], [8, 4]),
        ] {
            for warps in [[1, 1], [2, 1]] {
                fragments.push(blocked(sizes, threads, warps, order));
            }
        }
    }
    for warps in [[1, 1], [2, 1], [1, 2]] {
        for operand in [Operand::A, Operand::B, Operand::D] {
            for instruction in [mma, bytes] {
                fragments.push(instruction.fragment(operand, &dims, Warps::Grid(&warps)).unwrap());
            }
        }
    }
    for operand in [Operand::A, Operand::B, Operand::D] {
        for instruction in [rdna3, rdna4] {
            fragments.push(instruction.fragment(operand, &dims, Warps::ONE).unwrap());
        }
    }
    // Waves of 64 lanes.
    for transposed in [false, true] {
        fragments.push(
            Instruction::mfma([16, 16, 16], transposed)
                .fragment(Operand::D, &dims, Warps::ONE)
                .unwrap(),
        );
    }
    fragments.push(mfma.fragment(Operand::A, &dims, Warps::ONE).unwrap());
    fragments.push(mfma.with_k_width(8).fragment(Operand::A, &dims, Warps::ONE).unwrap());
    fragments.push(blocked([1, 4], [8, 8], [1, 1], &[1, 0]));
    let mut kinds = [0; 4];
    for from in &fragments {
        for to in &fragments {
            // What each holder of `to` needs, written out.
            let mut sources = vec![];
            for index in indices(&dims) {
                for holder in to.holders(&index) {
                    sources.push((holder, from.holders(&index).collect::<Vec<_>>()));
                }
            }
            let all = |is_near: &dyn Fn(&Holder, &Holder) -> bool| {
                sources.iter().all(|(to, from)| from.iter().any(|from| is_near(to, from)))
            };
            let expected = if all(&|to, from| to == from) && from.registers() == to.registers() {
                0
            } else if all(&|to, from| (to.warp, to.lane) == (from.warp, from.lane)) {
                1
            } else if all(&|to, from| to.warp == from.warp) {
                2
            } else {
                3
            };
            let found = from.conversion(to).unwrap();
            kinds[expected] += 1;
            match found {
                Conversion::Same => assert_eq!(expected, 0),
                Conversion::Registers => assert_eq!(expected, 1),
                Conversion::Shuffles(count) => {
                    assert_eq!(expected, 2);
                    shuffled(from, to, count);
                    let least = least_shuffles(&sources);
                    assert!(count >= least, "{count} < {least}");
                    if from.copies() * to.copies() == 1 {
                        assert_eq!(count, least, "{from:?} to {to:?}");
                    }
                    let most = 2 * least * from.copies() * to.copies();
                    assert!(count <= most, "{count} > {least}: {from:?} to {to:?}");
                }
                _ => assert_eq!(expected, 3, "{from:?} to {to:?}"),
            }
        }
    }
    assert!(kinds.iter().all(|count| *count >= 20), "{kinds:?}");
    let other = mma.operand(Operand::D).unwrap();
    assert!(fragments[0].conversion(&other).is_err());
    assert!(fragments[0].conversion(&fragments[0].sliced(0).unwrap()).is_err());
    let memory = Fragment::tensor_memory([64, 32], 1, [64, 64]).unwrap();
    assert!(memory.conversion(&memory).is_err());
    // Digits that do not divide one another.
    let [threes, fours] =
        [3, 4].map(|width| Fragment::blocked(&[12], &[width], &[12 / width], &[1], &[0]).unwrap());
    assert_eq!(threes.conversion(&fours), Ok(Conversion::SharedMemory));
}

/// Sizes that are not powers of two.
#[test]
fn conversions_of_other_sizes() {
    let spread = |sizes: [Size; 2], lanes: [Size; 2], order: [usize; 2]| {
        Fragment::blocked(&[6, 20], &sizes, &lanes, &[1, 1], &order).unwrap()
    };
    let fragments = [
        spread([1, 10], [6, 2], [1, 0]),
        spread([1, 1], [6, 2], [1, 0]),
        spread([6, 1], [1, 20], [0, 1]),
        spread([3, 5], [2, 4], [0, 1]),
        spread([3, 1], [2, 4], [1, 0]),
        spread([2, 5], [3, 4], [1, 0]),
        spread([1, 2], [3, 10], [0, 1]),
    ];
    let (mut shuffles, mut round_trips) = (0, 0);
    for from in &fragments {
        for to in &fragments {
            match from.conversion(to).unwrap() {
                Conversion::Shuffles(count) => {
                    shuffled(from, to, count);
                    let sources = indices(&[6, 20]).map(|index| {
                        (to.holder(&index).unwrap(), from.holders(&index).collect::<Vec<_>>())
                    });
                    assert_eq!(count, least_shuffles(&sources.collect::<Vec<_>>()));
                    shuffles += 1;
                }
                // Digits that do not divide one another.
                Conversion::SharedMemory => round_trips += 1,
                other => assert_eq!((from, other), (to, Conversion::Same)),
            }
        }
    }
    assert!(shuffles > 15 && round_trips > 5, "{shuffles} {round_trips}");
}

/// Shards of any numbers are refused, or each holder has one element and each element its holders.
#[test]
fn random_shards() {
    let mut state = 1_u64;
    let mut random = |count: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % count
    };
    let mut made = 0;
    for _ in 0..200_000 {
        let mut number = |count| Size::try_from(random(count)).unwrap();
        let dims = [[2, 3, 4, 6, 8, 12][number(6)], [1, 2, 3, 4, 6, 8, 0][number(7)]];
        let mut left: Size = dims[0] * dims[1];
        let mut ends = [1; 4];
        let mut shards = vec![];
        while left > 1 && shards.len() < 6 {
            let axis = Axis::ALL[number(4)];
            let sizes = (2..=left).filter(|size| left.is_multiple_of(*size)).collect::<Vec<_>>();
            let size = sizes[number(sizes.len() as u64)];
            let stride = ends[axis as usize] * [1, 1, 1, 2, 3][number(5)];
            ends[axis as usize] = stride * size;
            shards.push(Shard { size, stride, axis });
            left /= size;
        }
        let axis = Axis::ALL[number(4)];
        let mut copies = vec![];
        if number(3) == 0 {
            copies.push(Shard { size: number(4), stride: ends[axis as usize], axis });
        }
        let first = Holder { lane: number(3), register: number(2), ..Holder::default() };
        let lanes = [2, 4, 6, 32][number(4)];
        let Ok(fragment) = Fragment::from_shards(&dims, &shards, &copies, first, lanes) else {
            continue;
        };
        made += 1;
        assert!(fragment.lanes() <= lanes);
        // What the shards say, written out: threads past the lanes are in the next warps.
        for index in indices(&dims) {
            let mut number = number_of(&index, &dims);
            let mut holder = first;
            let mut thread = 0;
            for shard in shards.iter().rev() {
                let at = number % shard.size * shard.stride;
                number /= shard.size;
                match shard.axis {
                    Axis::Register => holder.register += at,
                    Axis::Lane => thread += at,
                    Axis::Warp => holder.warp += at,
                    Axis::Column => holder.column += at,
                }
            }
            holder.lane += thread % lanes;
            holder.warp += thread / lanes;
            assert_eq!(
                fragment.holder(&index),
                Some(holder),
                "{dims:?} {shards:?} {first:?} {lanes}"
            );
        }
        if made % 20 == 0 {
            assert_round_trips(&fragment);
        }
    }
    assert!(made > 20_000, "{made}");
}

/// Arrays that begin at another register or lane than the first.
#[test]
fn conversions_of_moved_fragments() {
    let spread = |low, high, first| {
        let shards =
            [Shard { size: 4, stride: 1, axis: high }, Shard { size: 4, stride: 1, axis: low }];
        Fragment::from_shards(&[16], &shards, &[], first, 32).unwrap()
    };
    for (from_first, to_first) in [(0, 3), (2, 0), (5, 1)] {
        for lane in [0, 6] {
            let from = spread(Axis::Register, Axis::Lane, Holder::register(0, lane, from_first));
            let to = spread(Axis::Lane, Axis::Register, Holder::register(0, lane, to_first));
            // The first one moves nothing but what lanes have themselves.
            assert_eq!(from.conversion(&to), Ok(Conversion::Shuffles(3)));
            let mut taken = BTreeSet::new();
            for number in 0..3 {
                for lane in lane..lane + 4 {
                    let shuffle = from.shuffle(&to, number, 0, lane).unwrap();
                    let source = Holder::register(0, shuffle.source_lane, shuffle.source_register);
                    let index = from.index(source).unwrap();
                    assert_eq!(to.index(Holder::register(0, lane, shuffle.register)), Some(index));
                    assert_ne!(shuffle.source_lane, lane);
                    taken.insert(index.to_vec());
                }
            }
            assert_eq!(taken.len(), 12);
            assert_eq!(from.shuffle(&to, 0, 0, lane + 4), None);
        }
    }
}

#[test]
fn shared_memory() {
    let mma = Instruction::mma([16, 8, 16], 16);
    let fragments = [
        mma.fragment(Operand::A, &[32, 64], Warps::Grid(&[2, 2])).unwrap(),
        mma.fragment(Operand::D, &[32, 64], Warps::Grid(&[1, 2])).unwrap(),
        Fragment::blocked(&[32, 64], &[1, 8], &[4, 8], &[2, 1], &[1, 0]).unwrap(),
        Fragment::blocked(&[32, 64], &[4, 1], &[8, 4], &[1, 1], &[0, 1]).unwrap(),
    ];
    let layouts = [
        "f16[32,64]",
        "f16[32,64]{0,1}",
        "f16[32,64], swizzle = 128B",
        "f32[32,64]{1,0:T(8,8)}",
        "s8[32,64]{1,0:T(4,3)}",
    ];
    let mut widths = BTreeSet::new();
    for layout in layouts {
        let shape: ArrayShape = layout.parse().unwrap();
        let (digits, bytes) = (shape.digits().unwrap(), shape.element_bits() / 8);
        for fragment in &fragments {
            let access = SharedAccess::new(fragment, &shape).unwrap();
            let width = access.bytes_per_lane();
            widths.insert(width);
            assert_eq!(
                access.instructions() * width / bytes,
                fragment.warps() * fragment.registers()
            );
            for direction in [Direction::Store, Direction::Load] {
                let mut moved = BTreeMap::<Size, Size>::new();
                for instruction in 0..access.instructions() {
                    let addresses: [Option<Size>; 32] = access.addresses(direction, instruction);
                    for address in addresses.iter().flatten() {
                        assert!(address.is_multiple_of(width), "{layout}");
                        for element in 0..width / bytes {
                            *moved.entry(address + element * bytes).or_default() += 1;
                        }
                    }
                }
                let times = if direction == Direction::Store { 1 } else { fragment.copies() };
                assert_eq!(moved.len(), 32 * 64);
                for index in indices(&[32, 64]) {
                    assert_eq!(
                        moved[&(digits.offset(&index).unwrap() * bytes)],
                        times,
                        "{layout} {index:?}"
                    );
                }
            }
        }
    }
    assert_eq!(widths.into_iter().collect::<Vec<_>>(), [1, 2, 4, 8, 16]);
    // Side by side, but not aligned.
    let rows = Fragment::blocked(&[8, 8], &[1, 8], &[8, 1], &[1, 1], &[1, 0]).unwrap();
    for (layout, width) in
        [("f16[8,8]", 16), ("f16[8,8]{1,0:PAD(8,9)}", 2), ("f16[8,8]{1,0:PAD(8,12)}", 8)]
    {
        let access = SharedAccess::new(&rows, &layout.parse().unwrap()).unwrap();
        assert_eq!(access.bytes_per_lane(), width, "{layout}");
    }
    let other = |text: &str| SharedAccess::new(&fragments[0], &text.parse().unwrap()).map(|_| ());
    assert!(other("f16[32,32]").is_err() && other("f16[32]").is_err());
    assert!(other("u4[32,64]{1,0:E(4)}").is_err() && other("f16[32,?]").is_err());
}

#[test]
fn bad_input() {
    let says = |made: Made, text: &str| {
        let error = made.unwrap_err().to_string();
        // Longer ones are cut off.
        assert!(error.contains(text) && error.len() < 240, "{error}");
    };
    let rank = "a list is as long as another number of dimensions: write a number for each";
    let number = "a size or stride is 0, unknown or too large: choose another one";
    let basis = "a basis is not a power of two along one dimension";
    let cut = "a digit has to be cut where its values do not divide";
    let repeated = "several digits count the same elements of a dimension";
    let mma = Instruction::mma([16, 8, 16], 16);
    let d = |dims: &[Size]| mma.fragment(Operand::D, dims, Warps::ONE);
    let a = |warps| mma.fragment(Operand::A, &[16, 16], warps);
    says(d(&[16, 12]), "dimension 1 has size 12, which is not a multiple of 8: pad it to 16");
    says(d(&[16, 20]), "dimension 1 has size 20, which is not a multiple of 8: pad it to 24");
    says(d(&[16]), rank);
    says(d(&[16, 0]), number);
    says(d(&[Size::MAX, 8]), number);
    says(d(&[8; 17]), number);
    for warps in [Warps::Grid(&[4, 1]), Warps::Grid(&[4]), Warps::Bases(&[[1, 0]])] {
        let wgmma = Instruction::wgmma(8, 16);
        says(wgmma.fragment(Operand::D, &[64, 0], warps), number);
        says(mma.fragment(Operand::D, &[0, 8], warps), number);
    }
    says(a(Warps::Grid(&[4])), rank);
    says(a(Warps::Grid(&[0, 1])), number);
    says(a(Warps::Bases(&[[1, 1]])), basis);
    says(a(Warps::Bases(&[[3, 0]])), basis);
    says(a(Warps::Bases(&[[Size::MAX, 1]])), basis);
    assert!(a(Warps::Bases(&[[Size::MAX / 2 + 1, 0]])).is_err());
    says(Instruction::wgmma(64, 16).operand(Operand::B), "operand B from shared memory");
    for (m, n, k, bits) in [
        (16, 8, 4, 16),
        (16, 16, 16, 16),
        (8, 8, 4, 16),
        (16, 8, 16, 32),
        (16, 8, 16, 6),
        (0, 0, 0, 0),
    ] {
        let error = Instruction::mma([m, n, k], bits).operand(Operand::A).unwrap_err().to_string();
        assert!(error.starts_with("no such `mma`: it takes 16×8 by"), "{error}");
    }
    for (n, bits) in [(0, 16), (12, 16), (264, 16), (64, 4), (64, 64), (64, 0)] {
        assert!(Instruction::wgmma(n, bits).operand(Operand::A).is_err(), "{n} {bits}");
    }
    for sizes in [[16, 32, 8], [4, 4, 4], [64, 64, 4], [16, 16, 0]] {
        assert!(Instruction::mfma(sizes, false).operand(Operand::B).is_err(), "{sizes:?}");
    }
    for (generation, k) in [(0, 16), (4, 16), (1, 0), (2, 1), (2, Size::MAX)] {
        assert!(
            Instruction::wmma(generation, k, true).operand(Operand::D).is_err(),
            "{generation} {k}"
        );
    }
    says(mma.with_k_width(0).operand(Operand::A), "each lane holds 1 to 1024 elements");
    let huge = Instruction::mma([16, 8, Size::MAX], 16).with_k_width(1024);
    says(huge.operand(Operand::B), "no such `mma`");
    says(mma.with_k_width(Size::MAX).operand(Operand::B), "each lane holds 1 to 1024 elements");

    let lanes = |bases: &[[Size; 2]]| Fragment::from_bases(&[4, 4], &[(Axis::Lane, bases)]);
    says(lanes(&[[1, 1], [2, 0]]), basis);
    says(lanes(&[[1, 0], [3, 0]]), basis);
    says(lanes(&[[4, 0]]), basis);
    says(
        lanes(&[[1, 0], [0, 1], [0, 2]]),
        "no digit counts in steps of 2 along dimension 0: add a digit for it",
    );
    says(lanes(&[[1, 0], [2, 0], [0, 1], [0, 2], [0, 2]]), repeated);
    says(lanes(&[[0, 0]; 70]), "more than 48 digits");
    assert!(lanes(&[[1, 0], [2, 0], [0, 1], [0, 2]]).is_ok());

    let tv = |threads: &[(Size, Size)], values: &[(Size, Size)]| {
        Fragment::from_tv(&[16, 8], threads, values, 32)
    };
    says(tv(&[(3, 1)], &[]), "no digit counts in steps of 3 along dimension 0");
    says(tv(&[(16, 1)], &[(16, 8)]), repeated);
    says(tv(&[(6, 1)], &[(8, 3)]), cut);
    says(tv(&[(16, 1)], &[(8, 16), (2, 128)]), number);
    says(tv(&[(Size::MAX, 0), (Size::MAX, 0)], &[]), number);
    assert!(tv(&[(16, 1), (2, 16)], &[(4, 32)]).is_ok());
    let shard = |size, stride, axis| Shard { size, stride, axis };
    let shards = |shards: &[Shard]| Fragment::from_shards(&[8], shards, &[], Holder::default(), 32);
    says(
        shards(&[shard(2, 1, Axis::Lane), shard(4, 1, Axis::Lane)]),
        "digits overlap along an axis",
    );
    says(shards(&[shard(3, 1, Axis::Lane)]), "no digit counts in steps of 3");
    says(shards(&[shard(8, 0, Axis::Lane)]), number);
    says(shards(&[shard(16, 1, Axis::Lane)]), number);
    says(shards(&[shard(8, 5, Axis::Lane)]), cut);
    says(shards(&[shard(Size::MAX, Size::MAX, Axis::Lane), shard(8, 1, Axis::Lane)]), number);
    let copies = |copies: &[Shard], first| {
        Fragment::from_shards(&[8], &[shard(8, 1, Axis::Lane)], copies, first, 32)
    };
    let most = Size::MAX / 2 + 1;
    says(
        copies(
            &[shard(most / 2, 1, Axis::Register), shard(most / 2, 1, Axis::Warp)],
            Holder::default(),
        ),
        number,
    );
    says(copies(&[], Holder::register(Size::MAX, 0, 0)), number);
    assert_round_trips(
        &copies(&[shard(2, 8, Axis::Lane), shard(3, 2, Axis::Register)], Holder::register(1, 5, 2))
            .unwrap(),
    );
    let tiled = |text: &str, vector| {
        Fragment::tiled(&text.parse().unwrap(), &[], &[ThreadDim::Dim(-2)], vector, false)
    };
    says(tiled("f32[8]{0:T(3)}", -1), "the layout has padding");
    says(tiled("f32[8]{0:T(1,8)}", -1), cut);
    says(tiled("f32[8]{0:T(4)}", -2), "there is no such dimension");
    says(tiled("f32[8]{0:T(4)}", 0), "there is no such dimension");
    says(tiled("f32[8]{0:T(4)}", isize::MIN), "there is no such dimension");
    says(tiled("f32[?]{0:T(4)}", -1), number);
    says(tiled("f32[0]{0:T(4)}", -1), number);
    says(tiled("f32[7]{0:PAD(8)T(4)}", -1), "the layout has padding");
    says(tiled("f32[2,4]{1,0:T(*,8)}", -1), "a `*` in a tile");
    says(tiled("f32[8,64], swizzle = 128B", -1), "a swizzle");
    assert!(tiled("f32[8]{0:T(4)}", -1).is_ok());
    // Threads that pass the end of a warp in the middle of a stride.
    says(Fragment::from_tv(&[48], &[(24, 1), (2, 24)], &[], 32), cut);
    says(Fragment::from_tv(&[48], &[(48, 1)], &[], 32), cut);
    says(shards(&[shard(2, 48, Axis::Lane), shard(4, 1, Axis::Lane)]), cut);
    says(shards(&[shard(2, 24, Axis::Lane), shard(4, 1, Axis::Lane)]), cut);
    says(copies(&[], Holder::register(0, 25, 0)), cut);
    assert!(copies(&[], Holder::register(0, 24, 0)).is_ok());
    says(Fragment::from_tv(&[8], &[(8, 1)], &[], 0), cut);
    // Each axis is a size, but all together are not.
    let far = [shard(2, most / 4, Axis::Register), shard(2, most / 4, Axis::Warp)];
    says(copies(&far, Holder::default()), number);
    let blocked = |threads: &[Size], order: &[usize]| {
        Fragment::blocked(&[8, 8], threads, &[4, 8], &[1, 1], order)
    };
    says(blocked(&[1], &[1, 0]), rank);
    says(blocked(&[1, 1], &[1]), rank);
    says(blocked(&[1, 1], &[1, 2]), "there is no such dimension");
    says(blocked(&[1, 1], &[1, 1]), "no digit counts in steps of 1 along dimension 0");
    says(Fragment::blocked(&[12], &[8], &[1], &[1], &[0]), "pad it to 16");
    let layout = |text: &str, threads| Fragment::of_layout(&text.parse().unwrap(), threads, 32);
    says(layout("f32[3,5]", 32), cut);
    says(layout("f32[8]", 0), cut);
    says(layout("f32[3,5]{1,0:T(2,2)}", 3), "the layout has padding");
    says(layout("f32[64,64], swizzle = 128B", 32), "a swizzle");
    says(layout("f32[8,?]", 32), number);
    says(d(&[16, 8]).unwrap().sliced(2), "there is no such dimension");
    let datapaths = "datapaths A and D take 128 rows";
    for (letter, dims, upper) in [
        ('D', [64, 32], false),
        ('A', [128, 32], true),
        ('G', [32, 30], false),
        ('E', [64, 3], false),
        ('H', [64, 64], false),
    ] {
        says(Fragment::datapath(letter, dims, upper), datapaths);
    }
    says(Fragment::tensor_memory([32, 32], 1, [64, 64]), "blocks of 64 or 128 rows");
    says(Fragment::tensor_memory([128, 32], 0, [128, 64]), number);
    says(Fragment::tcgen05(Operand::B, 128, 1, false, &[128, 64]), "`tcgen05.mma` takes A as");
    for (shape, bits, dims) in [
        ([16, 64], 64, [64, 64]),
        ([32, 32], 32, [96, 64]),
        ([16, 32], 32, [128, 64]),
        ([32, 32], 0, [128, 64]),
    ] {
        says(Fragment::tcgen05_ld(shape, bits, dims), "`tcgen05.ld` takes 128 rows");
    }
}

/// A map and a conversion that the compiler computes.
#[test]
fn constants() {
    const MMA: Instruction = Instruction::mma([16, 8, 16], 16);
    const D: Fragment = FragmentError::or_panic(MMA.fragment(Operand::D, &[16, 16], Warps::ONE));
    const A: Fragment = FragmentError::or_panic(MMA.operand(Operand::A));
    const _: () = assert!(matches!(D.conversion(&A), Ok(Conversion::Same)));
    const LANE: Size = D.holder(&[9, 3]).unwrap().lane;
    const ROW: Size = D.index(Holder::register(0, 5, 3)).unwrap().as_slice()[0];
    assert_eq!((LANE, ROW), (5, 9));
    const SLICED: Fragment = FragmentError::or_panic(D.sliced(1));
    assert_eq!(SLICED.copies(), 4);
    layout::layout! { type Tiled = f32[64,8]{1,0:T(64,8)(16,8)(8,8)(2)}; }
    const MOSAIC: Fragment = FragmentError::or_panic(Fragment::tiled(
        Tiled::SHAPE,
        &[ThreadDim::Dim(-7)],
        &[ThreadDim::Dim(-3), ThreadDim::Dim(-2)],
        -1,
        false,
    ));
    assert_eq!(Instruction::wgmma(8, 16).operand(Operand::D), Ok(MOSAIC));
}
