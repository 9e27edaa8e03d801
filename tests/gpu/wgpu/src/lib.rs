//! A compute shader on the first GPU that Vulkan knows: what the example and the tests share.

use wgpu::util::DeviceExt as _;

/// A GPU, or a driver that is one on the processor.
#[derive(Debug)]
pub struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    name: String,
}

impl Gpu {
    /// Finds one.
    ///
    /// # Errors
    /// Why there is none: no driver, or none that has a device.
    pub fn find() -> Result<Gpu, String> {
        let mut instance = wgpu::InstanceDescriptor::new_without_display_handle();
        instance.backends = wgpu::Backends::VULKAN;
        let adapter = wgpu::Instance::new(instance).request_adapter(&Default::default());
        let adapter = pollster::block_on(adapter).map_err(|error| error.to_string())?;
        let info = adapter.get_info();
        let device = adapter.request_device(&wgpu::DeviceDescriptor::default());
        let (device, queue) = pollster::block_on(device).map_err(|error| error.to_string())?;
        Ok(Gpu { device, queue, name: format!("{} ({})", info.name, info.driver) })
    }

    /// What the device is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs the function `main` of a shader, which has storage buffers in group 0: those to read, and after them one to
    /// write, whose bytes are the answer.
    ///
    /// # Errors
    /// What is wrong with the shader, or with the device.
    pub fn run(
        &self,
        shader: &str,
        inputs: &[&[u8]],
        output_bytes: usize,
        groups: [u32; 3],
    ) -> Result<Vec<u8>, String> {
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let answer = self.run_unchecked(shader, inputs, output_bytes, groups);
        match pollster::block_on(scope.pop()) {
            Some(error) => Err(error.to_string()),
            None => answer,
        }
    }

    fn run_unchecked(
        &self,
        shader: &str,
        inputs: &[&[u8]],
        output_bytes: usize,
        [x, y, z]: [u32; 3],
    ) -> Result<Vec<u8>, String> {
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(shader.into()),
        });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: Default::default(),
            cache: None,
        });
        let buffer = |size: usize, usage| {
            let size = size as u64;
            let descriptor =
                wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
            self.device.create_buffer(&descriptor)
        };
        let output = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let output = buffer(output_bytes, output);
        let read = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let read = buffer(output_bytes, read);
        let mut buffers = Vec::new();
        for contents in inputs {
            let usage = wgpu::BufferUsages::STORAGE;
            let descriptor = wgpu::util::BufferInitDescriptor { label: None, contents, usage };
            buffers.push(self.device.create_buffer_init(&descriptor));
        }
        buffers.push(output);
        let entries = buffers.iter().zip(0..).map(|(buffer, binding)| wgpu::BindGroupEntry {
            binding,
            resource: buffer.as_entire_binding(),
        });
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries.collect::<Vec<_>>(),
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(x, y, z);
        }
        let last = &buffers[buffers.len() - 1];
        encoder.copy_buffer_to_buffer(last, 0, &read, 0, output_bytes as u64);
        self.queue.submit([encoder.finish()]);
        read.map_async(wgpu::MapMode::Read, .., |_| {});
        let done = self.device.poll(wgpu::PollType::wait_indefinitely());
        done.map_err(|error| error.to_string())?;
        let bytes = read.get_mapped_range(..).map_err(|error| error.to_string())?;
        Ok(bytes.to_vec())
    }
}
