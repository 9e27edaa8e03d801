//! The record of a new file: that of the source, one step longer or shorter.

use std::collections::{BTreeMap, BTreeSet};

use crate::format::Format;
use crate::sidecar::change::ChangeKind;
use crate::sidecar::{Form, Record, Sidecar};
use crate::tensor_file::TensorFile;

/// The record while a conversion is planned.
pub(super) struct Recording<'a> {
    pub source: &'a TensorFile,
    /// Whether what is written follows from what the source's record says.
    pub is_believed: bool,
    sidecar: Sidecar,
    /// What this conversion changes, as it is before.
    step: BTreeMap<String, Record>,
    /// Whether the names are in the new file.
    has_names: bool,
}

impl<'a> Recording<'a> {
    pub(super) fn new(source: &'a TensorFile, format: Format) -> Recording<'a> {
        let old = source.sidecar();
        let sidecar = Sidecar {
            tensors: BTreeMap::new(),
            steps: old.map(|old| old.steps.clone()).unwrap_or_default(),
            metadata: match format {
                Format::Safetensors => BTreeMap::new(),
                _ => source.metadata().clone(),
            },
            is_named: old.map_or(!source.format().has_one_tensor(), |old| old.is_named),
        };
        let has_names = !format.has_one_tensor();
        Recording { source, is_believed: false, sidecar, step: BTreeMap::new(), has_names }
    }

    /// Records that a tensor, which is `before`, has the form `now` in the new file.
    pub(super) fn add(
        &mut self,
        name: &str,
        is_known: bool,
        kind: ChangeKind,
        before: Record,
        now: Form,
    ) {
        let steps = &mut self.sidecar.steps;
        if !is_known {
            steps.iter_mut().for_each(|step| drop(step.remove(name)));
        }
        let unlike = |form: &Form| (*form != now).then(|| form.clone());
        let lost = match kind {
            ChangeKind::Copy => unlike(before.form()),
            ChangeKind::Layouts(_) if before.now == now => before.lost,
            ChangeKind::Layouts(_) => {
                self.step.insert(name.to_owned(), before);
                None
            }
            ChangeKind::Undo(step, undone) => {
                steps[step].remove(name);
                match undone.other_layout() {
                    Some(_) => undone.lost.clone().or_else(|| unlike(&undone.now)),
                    None => unlike(undone.form()),
                }
            }
        };
        self.sidecar.tensors.insert(name.to_owned(), Record::new(now, lost));
    }

    /// The record; `None` if the new file says all of its tensors, and there is nothing to undo.
    pub(super) fn finish(self) -> Option<Sidecar> {
        let Recording { mut sidecar, step, has_names, .. } = self;
        sidecar.steps.push(step);
        // Tensors that are left out are in no file any more.
        let Sidecar { tensors, steps, is_named, .. } = &mut sidecar;
        steps.iter_mut().for_each(|step| step.retain(|name, _| tensors.contains_key(name)));
        steps.retain(|step| !step.is_empty());
        let changed = steps.iter().flat_map(BTreeMap::keys).collect::<BTreeSet<_>>();
        let is_nameless = *is_named && !has_names;
        tensors
            .retain(|name, record| is_nameless || record.lost.is_some() || changed.contains(name));
        (!sidecar.is_empty()).then_some(sidecar)
    }
}
