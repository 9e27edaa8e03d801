//! The instruction sets that a program may use.
#![cfg(feature = "kernels")]

use layout_copy::InstructionSet;

#[test]
fn without_std_the_set_is_what_the_program_is_compiled_for() {
    let compiled_for = InstructionSet::COMPILED_FOR;
    assert!(InstructionSet::best() >= compiled_for);
    assert!(cfg!(feature = "std") || InstructionSet::best() == compiled_for);
    let has_sse2 = cfg!(all(target_arch = "x86_64", target_feature = "sse2", not(miri)));
    assert_eq!(compiled_for >= InstructionSet::Sse2, has_sse2);
    assert!(InstructionSet::all().is_sorted());
    assert_eq!(InstructionSet::all().next(), Some(InstructionSet::Portable));
    assert_eq!(InstructionSet::all().last(), Some(InstructionSet::best()));
}
