//! The kernels on a GPU.

use std::error::Error;
use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaEvent, CudaFunction, CudaModule, CudaSlice, CudaStream, DeviceRepr,
    LaunchConfig, PushKernelArg, ValidAsZeroBits, sys,
};
use cudarc::nvrtc::Ptx;
use kernels::arrays::{
    HalfRows, Matrix, Packed, PackedRagged, Rows as AnyRows, Tiled, TiledRagged,
};
use kernels::product::{self, Product};
use kernels::{copy, tensor, transpose};
use layout::{Padding, copy, layout};

layout! {
    type Rows = F32[8192,8192];
    type RowsRagged = F32[8189,8195];
    type PackedRows = BF16[8192,16384];
    type PackedRowsRagged = BF16[8189,16387];
}

/// Launches between two events, and rounds of which the median counts.
const LAUNCHES: usize = 20;
const ROUNDS: usize = 7;

/// The GPU and what is loaded.
struct Gpu {
    stream: Arc<CudaStream>,
    module: Arc<CudaModule>,
}

/// Checks and measures all kernels.
pub fn run(context: &Arc<CudaContext>, ptx: &str) -> Result<(), Box<dyn Error>> {
    let gpu =
        Gpu { stream: context.default_stream(), module: context.load_module(Ptx::from_src(ptx))? };
    println!("{}", context.name()?);
    println!(
        "GB/s are elements read and written, without padding; ratios are to the driver's copy of the \
         same elements in the same run (higher is better)"
    );
    macro_rules! copies {
        ($($rows:ty, $tiled:ty, $element:ty: $to:literal $from:literal;)*) => {$(
            let rows: Vec<$element> = (0..<$rows>::ELEMENTS).map(|k| (k % 60_013) as $element).collect();
            let mut tiled = vec![0 as $element; <$tiled>::PADDED_ELEMENTS];
            copy::<$rows, $tiled, _>(&rows, &mut tiled, Padding::Zero)?;
            gpu.copies(&rows, &tiled, [$to, $from])?;
        )*};
    }
    copies! {
        Rows, Tiled, f32: "to_tiled" "from_tiled";
        RowsRagged, TiledRagged, f32: "to_tiled_ragged" "from_tiled_ragged";
        PackedRows, Packed, u16: "to_packed" "from_packed";
        PackedRowsRagged, PackedRagged, u16: "to_packed_ragged" "from_packed_ragged";
    }
    gpu.transposes::<1>("transpose", [8192, 8192])?;
    gpu.transposes::<1>("transpose", [8189, 8195])?;
    gpu.transposes::<2>("transpose_halves", [8192, 16384])?;
    gpu.transposes::<2>("transpose_halves", [8190, 16386])?;
    gpu.products()
}

impl Gpu {
    fn function(&self, name: &str) -> Result<CudaFunction, Box<dyn Error>> {
        self.module.load_function(name).map_err(|error| format!("kernel {name}: {error}").into())
    }

    /// Milliseconds of one launch: the median of rounds.
    fn time(
        &self,
        mut launch: impl FnMut() -> Result<(), Box<dyn Error>>,
    ) -> Result<f64, Box<dyn Error>> {
        let event = || -> Result<CudaEvent, Box<dyn Error>> {
            Ok(self.stream.record_event(Some(sys::CUevent_flags::CU_EVENT_DEFAULT))?)
        };
        launch()?;
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let start = event()?;
            for _ in 0..LAUNCHES {
                launch()?;
            }
            times.push(f64::from(start.elapsed_ms(&event()?)?) / LAUNCHES as f64);
        }
        times.sort_by(f64::total_cmp);
        Ok(times[ROUNDS / 2])
    }

    /// Launches a copy kernel with a thread for each few slots.
    fn launch_copy<T: DeviceRepr>(
        &self,
        function: &CudaFunction,
        src: &CudaSlice<T>,
        dst: &mut CudaSlice<T>,
        slots: usize,
    ) -> Result<(), Box<dyn Error>> {
        let config = config([copy::blocks(slots), 1], [copy::THREADS, 1]);
        let mut builder = self.stream.launch_builder(function);
        // SAFETY: The arguments are those of the kernel, and the arrays those of its layouts.
        unsafe { builder.arg(src).arg(dst).launch(config) }?;
        Ok(())
    }

    /// A copy to tiles and one back: checked against the library's, then measured.
    fn copies<T: DeviceRepr + ValidAsZeroBits + PartialEq>(
        &self,
        rows: &[T],
        tiled: &[T],
        [to, from]: [&str; 2],
    ) -> Result<(), Box<dyn Error>> {
        let elements = rows.len();
        let device_rows = self.stream.clone_htod(rows)?;
        let device_tiled = self.stream.clone_htod(tiled)?;
        let mut made = self.stream.alloc_zeros::<T>(tiled.len())?;
        let mut back = self.stream.alloc_zeros::<T>(elements)?;
        let (to_tiles, from_tiles) = (self.function(to)?, self.function(from)?);
        self.launch_copy(&to_tiles, &device_rows, &mut made, tiled.len())?;
        if self.stream.clone_dtoh(&made)? != tiled {
            return Err(format!("{to}: another array than the library's").into());
        }
        self.launch_copy(&from_tiles, &device_tiled, &mut back, elements)?;
        if self.stream.clone_dtoh(&back)? != rows {
            return Err(format!("{from}: another array than the library's").into());
        }

        let bytes = 2.0 * size_of_val(rows) as f64;
        let by_driver = self.time(|| Ok(self.stream.memcpy_dtod(&device_rows, &mut back)?))?;
        let report = |name: &str, time: f64| {
            let speed = bytes / time / 1e6;
            println!("{name:20} {speed:7.0} GB/s  {:.2}", by_driver / time);
        };
        report("driver's copy", by_driver);
        report(
            to,
            self.time(|| self.launch_copy(&to_tiles, &device_rows, &mut made, tiled.len()))?,
        );
        report(
            from,
            self.time(|| self.launch_copy(&from_tiles, &device_tiled, &mut back, elements))?,
        );
        Ok(())
    }

    /// The transpose of an array of these sizes, of which `N` elements are a word: checked, then measured.
    fn transposes<const N: usize>(
        &self,
        name: &str,
        sizes: [u32; 2],
    ) -> Result<(), Box<dyn Error>> {
        let [rows, columns] = sizes.map(|size| size as usize);
        let bytes = 4 / N;
        let source: Vec<u8> = (0..rows * columns * bytes).map(|k| (k % 251) as u8).collect();
        let from = self.stream.clone_htod(&source)?;
        let mut to = self.stream.alloc_zeros::<u8>(source.len())?;
        let (function, config) =
            (self.function(name)?, config(transpose::blocks::<N>(sizes), transpose::THREADS));
        let time = self.time(|| {
            let mut builder = self.stream.launch_builder(&function);
            builder.arg(&from).arg(&mut to).arg(&sizes[0]).arg(&sizes[1]);
            // SAFETY: The arguments are those of the kernel, and the arrays have these sizes.
            unsafe { builder.launch(config) }?;
            Ok(())
        })?;
        let elements = self.stream.clone_dtoh(&to)?;
        for (number, element) in elements.chunks(bytes).enumerate() {
            let at = (number % rows * columns + number / rows) * bytes;
            if element != &source[at..at + bytes] {
                return Err(format!("{name}: element {number} is another one").into());
            }
        }
        let speed = 2.0 * source.len() as f64 / time / 1e6;
        println!("{name} {rows}×{columns}: {speed:.0} GB/s");
        Ok(())
    }

    /// Products of sizes that the kernels do not know.
    fn products(&self) -> Result<(), Box<dyn Error>> {
        /// The layouts of operands and results, how an element is stored, and the threads.
        macro_rules! products {
            ($name:literal of $product:ty: $of:ident to $to:ident, $stored:expr, $threads:expr, $($sizes:expr),*) => {
                for [rows, depth, columns] in [$($sizes),*] {
                    let (a, b) = ($of::with_dims([rows, depth])?, $of::with_dims([depth, columns])?);
                    let c = $to::with_dims([rows, columns])?;
                    // The host looks whether 32 bits are enough, the kernel does not.
                    (a.to_u32()?, b.to_u32()?, c.to_u32()?);
                    let fill = |layout: &layout::WithDims<$of>, factor: usize| {
                        let mut data = vec![$stored(f32::NAN); layout.padded_elements()];
                        for (index, offset) in layout.indices_row_major() {
                            data[offset] = $stored(small_integer(index, factor));
                        }
                        data
                    };
                    let config = config(<$product>::blocks(rows as u32, columns as u32), $threads);
                    let (operands, elements) = ([&fill(&a, 5)[..], &fill(&b, 2)], c.indices_row_major());
                    let sizes = [rows, depth, columns];
                    self.product($name, sizes, operands, config, c.padded_elements(), elements)?;
                }
            };
        }
        let half = |number: f32| (number.to_bits() >> 16) as u16;
        products!(
            "product" of Product: Matrix to Matrix, f32::from, [product::SQUARE, product::THREADS_Y],
            [300, 500, 200], [1, 77, 1000], [4096, 4096, 4096]
        );
        products!(
            "tensor_product" of tensor::Product: HalfRows to AnyRows, half, [32, tensor::WARPS],
            [300, 504, 200], [1, 72, 1000], [4096, 4096, 4096]
        );
        Ok(())
    }

    /// A product of small integers, whose result has so many elements in memory: checked at some of these, and measured.
    fn product<T: DeviceRepr>(
        &self,
        name: &str,
        [rows, depth, columns]: [usize; 3],
        operands: [&[T]; 2],
        config: LaunchConfig,
        length: usize,
        elements: impl Iterator<Item = ([usize; 2], usize)>,
    ) -> Result<(), Box<dyn Error>> {
        let function = self.function(name)?;
        let [left, right] = operands.map(|data| self.stream.clone_htod(data));
        let (left, right, mut result) = (left?, right?, self.stream.alloc_zeros::<f32>(length)?);
        let sizes = [rows as u32, depth as u32, columns as u32];
        let time = self.time(|| {
            let mut builder = self.stream.launch_builder(&function);
            builder.arg(&left).arg(&right).arg(&mut result);
            builder.arg(&sizes[0]).arg(&sizes[1]).arg(&sizes[2]);
            // SAFETY: The arguments are those of the kernel, and the arrays have these sizes.
            unsafe { builder.launch(config) }?;
            Ok(())
        })?;
        let result = self.stream.clone_dtoh(&result)?;
        // Of the large one some elements.
        for ([i, j], offset) in elements.step_by(rows * columns / 10_000 + 1) {
            let term = |k| small_integer([i, k], 5) * small_integer([k, j], 2);
            if result[offset] != (0..depth).map(term).sum::<f32>() {
                return Err(format!("{name}: the element [{i}, {j}] is another one").into());
            }
        }
        let operations = 2.0 * (rows * depth * columns) as f64;
        println!("{name} {rows}×{depth}×{columns}: {:.0} GFLOP/s", operations / time / 1e6);
        Ok(())
    }
}

/// An element of an operand. Sums of products of small integers are exact in any order.
fn small_integer([i, j]: [usize; 2], factor: usize) -> f32 {
    ((i * factor + j * 3) % 7) as f32 - 3.0
}

/// So many blocks of so many threads, along x and y.
fn config(blocks: [u32; 2], threads: [u32; 2]) -> LaunchConfig {
    LaunchConfig {
        grid_dim: (blocks[0], blocks[1], 1),
        block_dim: (threads[0], threads[1], 1),
        shared_mem_bytes: 0,
    }
}
