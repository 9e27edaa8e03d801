//! The device of the tests, its memory, and what several kernels do.
#![allow(dead_code, reason = "not each test calls each function")]

use std::sync::LazyLock;

use cubecl::Device;
use cubecl::client::Client;
use cubecl::prelude::*;
use cubecl::server::Handle;
use cubecl::std::tensor::layout::CoordsDyn;
use cubecl::wgpu::{AutoGraphicsApi, RuntimeOptions, WgpuDevice, try_init_setup};

static DEVICE: LazyLock<Result<Device, String>> = LazyLock::new(|| {
    let device = WgpuDevice::default();
    match try_init_setup::<AutoGraphicsApi>(&device, RuntimeOptions::default()) {
        Ok(_) => Ok(Device::Wgpu(device)),
        Err(error) => Err(error.to_string()),
    }
});

/// A client of wgpu's adapter; without one says that the test is skipped, and why.
pub(crate) fn client(test: &str) -> Option<Client> {
    match &*DEVICE {
        Ok(device) => Some(device.client()),
        Err(error) => {
            println!("SKIPPED: {test}: no adapter for wgpu: {error}");
            None
        }
    }
}

/// Memory of the device.
pub(crate) struct Memory<'a> {
    client: &'a Client,
    pub(crate) handle: Handle,
    elements: usize,
}

impl<'a> Memory<'a> {
    /// No buffer is empty: of nothing it has room for one element.
    pub(crate) fn of(client: &'a Client, numbers: &[u32]) -> Memory<'a> {
        let bytes = u32::as_bytes(if numbers.is_empty() { &[0] } else { numbers });
        Memory { client, handle: client.create_from_slice(bytes), elements: numbers.len() }
    }

    /// It as an argument of a kernel.
    #[allow(unsafe_code, reason = "cubecl has no other way")]
    pub(crate) fn argument(&self) -> BufferArg {
        // SAFETY: the buffer was made of that many elements, and of one if there are none.
        unsafe { BufferArg::from_raw_parts(self.handle.clone(), self.elements.max(1)) }
    }

    pub(crate) fn read(&self) -> Vec<u32> {
        let bytes = self.client.read_one_unchecked(self.handle.clone());
        u32::from_bytes(&bytes)[..self.elements].to_vec()
    }
}

/// At least one unit for each of some elements.
pub(crate) fn units(elements: usize) -> (CubeCount, CubeDim) {
    (CubeCount::Static(elements.div_ceil(64).max(1) as u32, 1, 1), CubeDim::new_1d(64))
}

/// The coordinates of element number `number` of an array in row-major order.
#[cube]
pub(crate) fn unravel(number: u32, shape: &CoordsDyn) -> CoordsDyn {
    let rank = shape.len();
    let mut minor_first = CoordsDyn::new();
    let mut rest = number;
    #[unroll]
    for i in 0..rank {
        let size = shape[comptime!(rank - 1 - i)];
        minor_first.push(rest % size);
        rest /= size;
    }
    let mut index = CoordsDyn::new();
    #[unroll]
    for i in 0..rank {
        index.push(minor_first[comptime!(rank - 1 - i)]);
    }
    index
}
