//! Shared memory of GPUs: accesses of a warp, and fragments of tensor cores.

use layout_core::{ArrayShape, Size};
use layout_gpu::banks::{Access, BankError, Remedy, search};
use layout_gpu::fragment::{Instruction, Operand};
use layout_picture::gpu;
use serde_json::json;

use crate::reading::joined;
use crate::refusal::{Refusal, answer, array, numbers};

/// An access of a warp, the pictures of its banks, and the swizzle and the padding that suit it best.
pub fn banks(text: &str, access: &str, bytes: usize) -> String {
    answer(array(text).and_then(|shape| {
        let access = Access::parse(access, bytes)?;
        let warp = access.addresses(&shape)?;
        let found = search(&shape, &[access])?;
        let remedy = |found: Option<Remedy>| {
            found.map(|it| json!({"text": it.shape.to_string(), "wavefronts": it.wavefronts}))
        };
        Ok(json!({
            "wavefronts": warp.wavefronts(),
            "ideal": warp.ideal(),
            "meeting": warp.meeting().map(|meeting| meeting.to_string()),
            "svg": gpu::banks(&shape, &[access])?,
            "pair": pair(&shape, access)?,
            "swizzle": remedy(found.swizzle),
            "padding": remedy(found.padding),
        }))
    }))
}

/// The tile with its swizzle and without: pictures to compare; nothing if it has none.
fn pair(shape: &ArrayShape, access: Access) -> Result<Vec<[String; 2]>, BankError> {
    let plain = shape.without_swizzle();
    let both = [("With the swizzle", shape), ("Without it", &plain)];
    let both = both.into_iter().filter(|_| plain != *shape);
    both.map(|(name, shape)| Ok([name.to_owned(), gpu::small_banks(shape, access)?])).collect()
}

/// The operand of an instruction, as in `mma`, `16,8,16`, bits of an element, `A`.
pub fn fragment(family: &str, sizes: &str, bits: usize, operand: &str) -> String {
    let find = || {
        let sizes = numbers(sizes).and_then(|sizes| <[Size; 3]>::try_from(sizes).ok());
        let [m, n, k] = sizes.ok_or("write M, N and K, as in 16,8,16")?;
        let instruction = match family {
            "wgmma" => Instruction::wgmma(n, bits as Size),
            "mfma" => Instruction::mfma([m, n, k], false),
            "wmma" => Instruction::wmma(2, k, false),
            "mma" => Instruction::mma([m, n, k], bits as Size),
            _ => return Err("a family is mma, wgmma, mfma or wmma".into()),
        };
        let which = match operand {
            "A" => Operand::A,
            "B" => Operand::B,
            "D" => Operand::D,
            _ => return Err("an operand is A, B or D".into()),
        };
        let fragment = instruction.operand(which)?;
        let numbers = [fragment.warps(), fragment.lanes(), fragment.registers(), fragment.copies()];
        // Not the sizes as given: some families have one M, or choose their own.
        let title = format!("{operand} of {family}, {}", joined(fragment.dims(), "×"));
        Ok::<_, Refusal>(json!({"svg": gpu::fragment(&title, &fragment), "numbers": numbers}))
    };
    answer(find())
}
