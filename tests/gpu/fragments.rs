//! Fragments of operands, against rows of Triton, CuTe, TVM and Mosaic, and by brute force.

use std::collections::BTreeMap;

use layout::gpu::fragment::{
    Axis, Conversion, Datapath, Direction, Fragment, FragmentError, Holder, Instruction, LoadAtom,
    Operand, Shard, SharedAccess, ThreadDim, Warps,
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
        let instruction = instruction.unwrap();
        if is_operand { instruction.with_k_width(self.k_width).unwrap() } else { instruction }
    }

    fn has(&self, kind: &str) -> bool {
        self.kind.contains(kind) || self.parent.as_ref().is_some_and(|parent| *parent == kind)
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

    fn from_bases<const R: usize>(&self) -> Made {
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
        let tiles = self.tiling.iter().map(|tile| &tile[..]).collect::<Vec<_>>();
        let (warps, lanes) = (dims(&self.warp_dims), dims(&self.lane_dims));
        Fragment::tiled(&self.shape, &tiles, &warps, &lanes, self.vector_dim, in_tensor_memory)
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
                let atom = match self.instr.as_str() {
                    "32x32b" => LoadAtom::Lanes32Bits32,
                    "16x64b" => LoadAtom::Lanes16Bits64,
                    "16x128b" => LoadAtom::Lanes16Bits128,
                    "16x256b" => LoadAtom::Lanes16Bits256,
                    other => panic!("{other}"),
                };
                Fragment::tcgen05_ld(atom, if self.dtype == "float32" { 32 } else { 16 }, rank2())
            }
            "tvm_tmem_datapath" => {
                use Datapath::{A, B, C, D, E, F, G};
                let letter = self.datapath.as_bytes()[0];
                Fragment::datapath(
                    [A, B, C, D, E, F, G][usize::from(letter - b'A')],
                    rank2(),
                    self.sub_slab == 1,
                )
            }
            _ if self.operand == "A" => {
                Fragment::tcgen05_a(self.m, self.cta_group, self.ws, &self.shape)
            }
            _ => Fragment::tcgen05_d(self.m, self.cta_group, self.ws, &self.shape),
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
    assert_eq!(fragment.holder(&[]), None);
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
        1 => row.from_bases::<1>(),
        2 => row.from_bases::<2>(),
        _ => row.from_bases::<3>(),
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

#[test]
fn cute() {
    let rows = rows("cute_mma_fragment");
    assert_eq!(rows.len(), 20);
    for row in &rows {
        let [m, n, k] = row.shape[..] else { panic!("{row:?}") };
        let read =
            |tv: &str, dims: [Size; 2]| Fragment::of_cute(&dims, &tv.parse().unwrap(), 32).unwrap();
        let (a, b, c) = (
            read(&row.tv_layout_a, [m, k]),
            read(&row.tv_layout_b, [n, k]),
            read(&row.tv_layout_c, [m, n]),
        );
        let bits = if row.dtype.starts_with("f8") { 8 } else { 16 };
        let instruction = match row.mma.split_once('_').unwrap().0 {
            "warp" => Instruction::mma([m, n, k], bits).unwrap(),
            "wgmma" => Instruction::wgmma(n, bits).unwrap(),
            // All operands are one thread's: tensor and shared memory.
            _ => {
                assert!(
                    [a, b, c]
                        .iter()
                        .all(|all| all.registers() == all.dims().iter().product::<Size>())
                );
                continue;
            }
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
