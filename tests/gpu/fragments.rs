//! Fragments of operands, against rows of Triton, CuTe, TVM and Mosaic, and by brute force.

mod conversions;
mod mistakes;

use std::collections::BTreeMap;

use layout::Size;
use layout::gpu::fragment::{
    Axis, Conversion, Fragment, FragmentError, Holder, Instruction, Operand, Shard, ThreadDim,
    Warps,
};
use layout::packed_format::{MosaicGpu, PackedFormat};
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
