//! The device of the tests.

use std::sync::LazyLock;

use cubecl::Device;
use cubecl::client::Client;
use cubecl::wgpu::{AutoGraphicsApi, RuntimeOptions, WgpuDevice, try_init_setup};

static DEVICE: LazyLock<Result<Device, String>> = LazyLock::new(|| {
    let device = WgpuDevice::default();
    match try_init_setup::<AutoGraphicsApi>(&device, RuntimeOptions::default()) {
        Ok(_) => Ok(Device::Wgpu(device)),
        Err(error) => Err(error.to_string()),
    }
});

/// A client of wgpu's adapter; without one says that the test is skipped, and why.
pub fn client(test: &str) -> Option<Client> {
    match &*DEVICE {
        Ok(device) => Some(device.client()),
        Err(error) => {
            println!("SKIPPED: {test}: no adapter for wgpu: {error}");
            None
        }
    }
}
