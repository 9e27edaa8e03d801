//! Which results lie in the memory of an operand.

// `while`, `dynamic-update-slice`, `scatter`, `all-reduce-start`, `-done`s and `output_to_operand_aliasing` work in
// place, updates also at the root of a fusion (XLA: `AliasInfo::GetInPlaceInputOutputPairs`). A sort, and an operation that
// works element by element, takes the memory of an operand that dies there, if an operation made that operand itself
// (`CanShareOperandBufferWithUser`); sums in the same fusion do not hinder that. Copies never do.

use alloc::vec::Vec;

use crate::program::Program;
use crate::program::alias::aliases;
use crate::program::opcode::{Opcode, ValuePlace};
use crate::reading::error::ErrorKind;

/// Fusions inside of fusions that are followed.
const MAX_DEPTH: usize = 8;

/// An array of a result that always lies in an array of an operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedArray {
    pub part: usize,
    /// The operand's number, and the array of it.
    pub operand: usize,
    pub operand_part: usize,
}

/// Of the `parts` arrays of a result those that always lie in the memory of an operand. `arrays` counts those of an operation.
pub(crate) fn shared(
    program: &Program<'_>,
    operation: usize,
    parts: usize,
    arrays: impl Fn(usize) -> usize,
) -> Result<Vec<SharedArray>, ErrorKind> {
    let found = &program.operations[operation];
    let whole = |part, operand| SharedArray { part, operand, operand_part: 0 };
    Ok(match found.opcode.memory() {
        ValuePlace::Holds(part, operand) => Vec::from([whole(part, operand)]),
        ValuePlace::Updated => (0..parts).map(|part| whole(part, part)).collect(),
        ValuePlace::Aliased => named_and_updated(program, operation, 0)?,
        ValuePlace::Done(of) => {
            let Some(start) = program.operand(operation, 0) else { return Ok(Vec::new()) };
            let all = program.shapes.leaves(program.operations[start].shape)?;
            let skip = if all.len() > parts { all.part(of).start } else { 0 };
            let result = |part| SharedArray { part, operand: 0, operand_part: part + skip };
            (0..parts).map(result).collect()
        }
        ValuePlace::Bound => {
            // More operands come behind those that were bound before; the result and what else there is stay.
            let Some(start) = program.operand(operation, 0) else { return Ok(Vec::new()) };
            let bound = program.shapes.leaves(program.operations[start].shape)?.part(0).len();
            let mut all = (0..arrays(start)).map(|it| (0, it)).collect::<Vec<_>>();
            let more = program.operands(operation).enumerate().skip(1);
            let more = more.flat_map(|(operand, it)| (0..arrays(it)).map(move |it| (operand, it)));
            let bound = bound.min(all.len());
            all.splice(bound..bound, more);
            let part =
                |(part, (operand, operand_part))| SharedArray { part, operand, operand_part };
            all.into_iter().enumerate().map(part).collect()
        }
        ValuePlace::Started(inside) => {
            let mut shared = Vec::new();
            for (operand, it) in program.operands(operation).enumerate() {
                for operand_part in 0..arrays(it) {
                    shared.push(SharedArray { part: shared.len(), operand, operand_part });
                }
            }
            if shared.len() >= parts {
                return Ok(Vec::new());
            }
            let result = shared.len();
            shared.extend(inside.map(|operand| whole(result, operand)));
            shared.extend(named_and_updated(program, operation, result)?);
            shared
        }
        _ => Vec::new(),
    })
}

/// The pairs of `output_to_operand_aliasing`, and what the fusion that this is updates in place, whose result begins at this array.
fn named_and_updated(
    program: &Program<'_>,
    operation: usize,
    result: usize,
) -> Result<Vec<SharedArray>, ErrorKind> {
    let found = &program.operations[operation];
    let pairs = found.attributes.get("output_to_operand_aliasing").unwrap_or("{}");
    let leaves = |of: usize| program.shapes.leaves(program.operations[of].shape);
    let own = leaves(operation)?;
    let mut shared = Vec::new();
    for it in aliases(pairs).ok_or(ErrorKind::Alias)? {
        let of = program.operand(operation, it.parameter).ok_or(ErrorKind::AliasPlace)?;
        // What starts an operation, printed in its name, has places in the operation's result; others in its own, where that is {1}.
        let part = match &it.result[..] {
            [] | [0 | 2.., ..] if result > 0 => result + it.result.first().copied().unwrap_or(0),
            place => own.leaf(place),
        };
        let operand_part = leaves(of)?.leaf(&it.parameter_part);
        if part >= own.len() || operand_part >= leaves(of)?.len() {
            return Err(ErrorKind::AliasPlace);
        }
        shared.push(SharedArray { part, operand: it.parameter, operand_part });
    }
    if matches!(found.opcode, Opcode::Fusion | Opcode::FusionStart) {
        for (part, root) in roots(program, operation).into_iter().enumerate() {
            let operand = updated(program, root, 0);
            let whole = |operand| SharedArray { part: result + part, operand, operand_part: 0 };
            shared.extend(operand.map(whole));
        }
    }
    Ok(shared)
}

/// What a fusion returns: the parts of its root, if that is a tuple.
fn roots(program: &Program<'_>, operation: usize) -> Vec<usize> {
    match program.fused_computation(operation).map(|body| program.root(body)) {
        Some(root) if program.opcode(root) == Opcode::Tuple => program.operands(root).collect(),
        root => root.into_iter().collect(),
    }
}

/// The number of the parameter that an operation inside of a fusion updates in place.
fn updated(program: &Program<'_>, mut at: usize, depth: usize) -> Option<usize> {
    let mut is_update = false;
    loop {
        let found = &program.operations[at];
        let mut operand = 0;
        match found.opcode {
            Opcode::Bitcast => {}
            Opcode::DynamicUpdateSlice | Opcode::Scatter => is_update = true,
            Opcode::Fusion if depth < MAX_DEPTH => {
                let root = roots(program, at).first().copied()?;
                operand = updated(program, root, depth + 1)?;
                is_update = true;
            }
            Opcode::Parameter if is_update => return found.parameter(),
            _ => return None,
        }
        at = program.operand(at, operand)?;
    }
}

/// A result's array that may take over the memory of an operand that is not used later.
pub(crate) struct Candidate {
    pub part: usize,
    /// The operation that is the operand.
    pub operand: usize,
}

/// The results of an operation that may take over the memory of operands.
pub(crate) fn hand_overs(program: &Program<'_>, operation: usize) -> Vec<Candidate> {
    let opcode = program.opcode(operation);
    let operands = program.operands(operation).enumerate();
    if let Some(sort) = sort_of(program, operation) {
        let sorted = program.operands(sort).enumerate().filter_map(|(part, of)| {
            let is_fused = sort != operation;
            let operand =
                if is_fused { program.operand(operation, passed(program, of)?)? } else { of };
            Some(Candidate { part, operand })
        });
        return sorted.collect();
    }
    let is_fusion = opcode == Opcode::Fusion;
    if !is_fusion && !opcode.is_elementwise() {
        return Vec::new();
    }
    let mut candidates = Vec::new();
    for (number, operand) in operands {
        let parts = if is_fusion { takers(program, operation, number) } else { Vec::from([0]) };
        let candidate = |part| Candidate { part, operand };
        candidates.extend(parts.into_iter().map(candidate));
    }
    candidates
}

/// The operation that sorts: this one, or the root of this fusion.
fn sort_of(program: &Program<'_>, operation: usize) -> Option<usize> {
    program.maker(operation).filter(|at| program.opcode(*at) == Opcode::Sort)
}

/// The number of the parameter that bitcasts pass on.
fn passed(program: &Program<'_>, mut at: usize) -> Option<usize> {
    while program.opcode(at) == Opcode::Bitcast {
        at = program.operand(at, 0)?;
    }
    program.operations[at].parameter()
}

/// How a value in a fusion depends on an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Dependence {
    No,
    /// On the elements in the same place.
    ByElement,
    /// On sums of elements.
    Reduced,
}

/// The results of a fusion that may lie in an operand's memory: its elements are needed only for the elements in the same
/// place of these, and for sums, which are made in the same pass.
fn takers(program: &Program<'_>, fusion: usize, number: usize) -> Vec<usize> {
    let Some(body) = program.followed(fusion) else { return Vec::new() };
    let range = program.computations[body].operations.clone();
    let mut known = alloc::vec![Dependence::No; range.len()];
    let of = |known: &[Dependence], it: usize| known.get(it.wrapping_sub(range.start)).copied();
    for operation in range.clone() {
        let found = &program.operations[operation];
        let operands = program.operands(operation);
        let most = operands.filter_map(|it| of(&known, it)).max().unwrap_or(Dependence::No);
        known[operation - range.start] = match found.opcode {
            Opcode::Parameter if found.parameter() == Some(number) => Dependence::ByElement,
            Opcode::Reduce if most > Dependence::No => Dependence::Reduced,
            opcode if most == Dependence::No || opcode.is_elementwise() => most,
            Opcode::Tuple | Opcode::Bitcast => most,
            _ => return Vec::new(),
        };
    }
    let roots = roots(program, fusion).into_iter().enumerate();
    let own = roots.filter(|(_, root)| of(&known, *root) != Some(Dependence::Reduced));
    own.map(|(part, _)| part).collect()
}
