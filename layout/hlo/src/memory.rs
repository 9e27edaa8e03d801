//! What is in memory while a program runs.
use alloc::vec::Vec;

use crate::attributes::Attributes;
use crate::module::Module;
use crate::timeline::{Owner, Timeline};
use crate::alias::aliases;

impl Module<'_> {
    #[doc(hidden)]
    pub fn debug_peak(&self, verbose: bool) -> (u64, u64, u64, u64) {
        let aliases = Attributes(self.header()).get("input_output_alias").map(aliases).unwrap_or_default();
        let timeline = Timeline::new(&self.program, &aliases);
        let n = timeline.steps.len();
        let mut delta = alloc::vec![0i64; n + 2];
        let (mut arg, mut res) = (0, 0);
        for b in &timeline.buffers {
            if b.leaf.space != 0 { continue; }
            match b.owner { Owner::Argument => arg += b.leaf.bytes, Owner::Result => res += b.leaf.bytes,
              Owner::Temporary => { if b.last >= b.first { delta[b.first] += b.leaf.bytes as i64; delta[b.last + 1] -= b.leaf.bytes as i64; } }}
        }
        let (mut live, mut peak, mut at) = (0i64, 0i64, 0);
        for (i, d) in delta.iter().enumerate() { live += d; if live > peak { peak = live; at = i; } }
        if verbose {
            extern crate std;
            let p = &self.program;
            std::println!("at step {at} {}", timeline.steps.get(at).map_or("", |o| p.operations[*o].name));
            let mut l = timeline.buffers.iter().filter(|b| b.leaf.space == 0 && b.owner == Owner::Temporary && b.first <= at && b.last >= at).collect::<Vec<_>>();
            l.sort_by_key(|b| core::cmp::Reverse(b.leaf.bytes));
            for b in l.iter().take(60) { let o = &p.operations[b.operation]; std::println!("{:>12} {} {} {} [{}..{}]", b.leaf.bytes, o.name, o.opcode, o.shape.get(..60).unwrap_or(o.shape), b.first, b.last); }
        }
        {
            extern crate std;
            let mut d2 = alloc::vec![(0i64, 0i64); n + 2];
            for b in &timeline.buffers { let k = b.leaf.bytes as i64; let (f, l) = (b.first, b.last);
              if b.leaf.space == 0 && b.owner == Owner::Temporary { d2[f].0 += k; d2[l+1].0 -= k; } if b.leaf.space == 1 { d2[f].1 += k; d2[l+1].1 -= k; } }
            let (mut h, mut v, mut best, mut maxv) = (0, 0, 0, 0); let mut atp = 0;
            for (i, d) in d2.iter().enumerate() { h += d.0; v += d.1; best = best.max(h + v); maxv = maxv.max(v); if i == at { atp = v; } }
            std::eprintln!("vmem: max total {} = peak + {}; max vmem {maxv}; vmem at peak {atp}", best, best - peak);
        }
        (peak as u64, arg, res, at as u64)
    }
    pub(crate) fn header(&self) -> &str {
        self.text.split('\n').next().unwrap_or("")
    }
}
