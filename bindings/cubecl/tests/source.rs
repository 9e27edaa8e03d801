//! The source that cubecl compiles of a layout: it has no division where sizes are powers of two, and one kernel
//! serves all sizes that are known at run time only.

mod device;

use std::fs;

use cubecl::client::Client;
use cubecl::config::compilation::CompilationLogLevel;
use cubecl::config::{CubeClRuntimeConfig, RuntimeConfig};
use cubecl::prelude::*;
use cubecl::std::tensor::layout::{Coords2d, Layout, LayoutExpand};
use device::Memory;
use layout::ArrayShape;
use layout_cubecl::{XlaLayout, XlaLayoutLaunch};

#[cube(launch)]
fn scatter(layout: XlaLayout<Coords2d>, out: &mut [u32]) {
    let position = (ABSOLUTE_POS_Y, ABSOLUTE_POS_X);
    let (offset, in_bounds) = layout.to_source_pos_checked(position);
    if in_bounds {
        out[offset] = ABSOLUTE_POS_Y * 1000 + ABSOLUTE_POS_X + 1;
    }
}

#[cube(launch)]
fn gather(layout: XlaLayout<Coords2d>, out: &mut [u32]) {
    let slot = ABSOLUTE_POS_X as usize;
    if slot < out.len() {
        let (position, is_element) = layout.to_pos_checked(slot);
        let (y, x) = position;
        out[slot] = if is_element { y * 1000 + x + 1 } else { 0u32.runtime() };
    }
}

#[test]
fn shifts_and_masks_and_one_kernel() {
    // Compiled kernels go to a log. The configuration is read once, with the first device: this file has one test.
    let log = format!("{}/source.log", env!("CARGO_TARGET_TMPDIR"));
    let _ = fs::remove_file(&log);
    let mut config = CubeClRuntimeConfig::default();
    config.compilation.logger.level = CompilationLogLevel::Full;
    config.compilation.logger.file = Some(log.clone().into());
    CubeClRuntimeConfig::set(config);
    let Some(client) = device::client("shifts_and_masks_and_one_kernel") else { return };

    for (text, divides) in [
        ("f32[10,150]{1,0:T(8,128)}", false),
        ("bf16[10,150]{1,0:T(8,128)(2,1)}", false),
        ("s8[40,150]{0,1:T(8,128)(4,1)}", false),
        ("f32[16,32]{1,0:T(*,256)(2,4)}", false),
        ("f32[10,150]{1,0:T(6,100)}", true),
    ] {
        let before = fs::read_to_string(&log).unwrap_or_default().len();
        let shape: ArrayShape = text.parse().unwrap();
        let slots = shape.padded_elements().unwrap();
        let layout = XlaLayoutLaunch::<Coords2d>::try_from(&shape).unwrap();
        let out = Memory::of(&client, &vec![0; slots]);
        let (dim, all) = (CubeDim::new_2d(16, 1), CubeCount::Static(10, 40, 1));
        scatter::launch(&client, all, dim, layout.clone(), out.argument());
        let scattered = out.read();
        let all = CubeCount::Static(slots.div_ceil(16) as u32, 1, 1);
        gather::launch(&client, all, dim, layout, out.argument());
        assert_eq!(out.read(), scattered, "{text}");

        let text_of_kernels = fs::read_to_string(&log).unwrap();
        let kernels = wgsl(&text_of_kernels[before..]);
        assert_eq!(kernels.len(), 2, "{text}");
        for kernel in kernels {
            let has_division = kernel.contains(" / ") || kernel.contains(" % ");
            assert_eq!(has_division, divides, "{text}:\n{kernel}");
        }
    }
    one_kernel_for_all_sizes(&client, &log);
}

/// A kernel is compiled once for all sizes that are launch arguments.
fn one_kernel_for_all_sizes(client: &Client, log: &str) {
    let before = fs::read_to_string(log).unwrap().len();
    for (text, kernels) in [("f32[?,?]{1,0:T(4,16)}", 1), ("f32[?,40]{1,0:T(4,16)}", 2)] {
        let shape: ArrayShape = text.parse().unwrap();
        for rows in [9, 17, 30] {
            let layout = XlaLayoutLaunch::<Coords2d>::with_dims(&shape, &[rows, 40]).unwrap();
            let out = Memory::of(client, &[0; 2048]);
            let (dim, all) = (CubeDim::new_2d(16, 1), CubeCount::Static(3, 32, 1));
            scatter::launch(client, all, dim, layout, out.argument());
            let known = shape.with_dims(&[rows, 40]).unwrap();
            let digits = known.digits().unwrap();
            for (slot, found) in out.read().into_iter().enumerate() {
                let index = digits.index(slot);
                let expected = index.map_or(0, |index| index[0] * 1000 + index[1] + 1);
                assert_eq!(found as usize, expected, "{known}: slot {slot}");
            }
        }
        let all = fs::read_to_string(log).unwrap();
        assert_eq!(wgsl(&all[before..]).len(), kernels, "{text}");
    }
}

/// The kernels of a log.
fn wgsl(log: &str) -> Vec<&str> {
    log.split("```wgsl").skip(1).filter_map(|text| text.split("```").next()).collect()
}
