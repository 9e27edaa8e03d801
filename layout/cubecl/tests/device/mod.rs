//! The device of the tests, and its buffers.

use std::sync::LazyLock;

use cubecl::Device;
use cubecl::client::Client;
use cubecl::prelude::BufferArg;
use cubecl::server::Handle;
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

/// A buffer as an argument of a kernel.
#[allow(unsafe_code, reason = "cubecl has no other way")]
pub(crate) fn buffer(handle: &Handle, elements: usize) -> BufferArg {
    // SAFETY: the callers say how many elements they made the buffer of.
    unsafe { BufferArg::from_raw_parts(handle.clone(), elements) }
}
