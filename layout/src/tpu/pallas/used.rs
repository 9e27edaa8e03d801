//! What a compiled program says that its kernels take.

use crate::Size;

/// VMEM of a compiled kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    /// Bytes that it takes.
    pub bytes: Size,
    /// Bytes that it may take, if it asked for a limit.
    pub limit: Option<Size>,
}

/// The VMEM of a kernel, of the line of its instruction in the text of a compiled program, or of its `backend_config` alone.
/// `None` if it says nothing of it.
///
/// ```
/// use layout::tpu::pallas::used_vmem;
///
/// let line = r#"%k.1 = f32[8,128]{1,0} custom-call(%x), custom_call_target="tpu_custom_call",
///     backend_config={"used_scoped_memory_configs":[{"memory_space":"1","offset":"0","size":"1310720"}]}"#;
/// assert_eq!(used_vmem(line).unwrap().bytes, 1_310_720);
/// ```
pub fn used_vmem(instruction: &str) -> Option<Used> {
    // With the quote, so that it is not the end of the other name.
    let limit = size_in(instruction, "\"scoped_memory_configs\"");
    Some(Used { bytes: size_in(instruction, "\"used_scoped_memory_configs\"")?, limit })
}

/// The size in VMEM, memory space 1, of a list of records.
fn size_in(text: &str, list: &str) -> Option<Size> {
    let (_, records) = text.split_once(list)?;
    let records = records.split_once('[')?.1.split_once(']')?.0;
    let field = |record: &str, name: &str| {
        let value = record.split_once(name)?.1.split('"').nth(1)?;
        value.parse::<Size>().ok()
    };
    let mut vmem = records.split('}').filter(|record| field(record, "\"memory_space\"") == Some(1));
    field(vmem.next()?, "\"size\"")
}
