//! Advice as statements of Python that run: `f` is the user's function, `sharding` where its arrays are.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::copies::Place;
use crate::memory::Memory;
use crate::memory::advice::{Advice, tuple};

/// Gives the leaves of a tree that are named a layout.
const PICK: &str = "pick = lambda tree, names: jax.tree.map_with_path(lambda path, _: layout if jax.tree_util.keystr(path) in names else None, tree)\n";

impl Memory<'_> {
    /// Advice of one layout for several arrays as one, with the statements that ask for it.
    pub(crate) fn with_python(&self, advice: Vec<Advice>) -> Vec<Advice> {
        let mut merged = Vec::<Advice>::new();
        for new in advice {
            let is_alike = |it: &&mut Advice| {
                let is_one = it.kind == new.kind && it.major_to_minor == new.major_to_minor;
                is_one && it.is_stored_transposed == new.is_stored_transposed
            };
            match merged.iter_mut().find(is_alike) {
                None => merged.push(new),
                Some(known) => {
                    known.places.extend(new.places);
                    known.names.extend(new.names);
                    known.instructions.extend(new.instructions);
                    known.saves_bytes = known.saves_bytes.saturating_add(new.saves_bytes);
                    known.saves_cycles = known.saves_cycles.saturating_add(new.saves_cycles);
                    known.is_guess |= new.is_guess;
                    known.is_sure &= new.is_sure;
                }
            }
        }
        for own in &mut merged {
            own.python = self.layout_python(own);
        }
        merged.sort_by_key(|own| core::cmp::Reverse(own.saves_cycles));
        merged
    }

    /// The statements that ask for a layout of arguments and results; others stay as they are.
    fn layout_python(&self, advice: &Advice) -> String {
        let order = tuple(&advice.major_to_minor);
        let mut arguments = BTreeMap::<usize, (String, Vec<String>)>::new();
        let mut results = Vec::new();
        for place in &advice.places {
            match *place {
                Place::Result(number) => results.push(number),
                Place::Parameter(number) => {
                    let of = arguments.entry(self.module.argument_of(number)).or_default();
                    of.0 = self.argument_name(*place);
                    of.1.push(self.path_in_argument(*place));
                }
            }
        }
        let mut python = format!("layout = Format(Layout(major_to_minor={order}), sharding)\n");
        results.sort_unstable();
        let count = self.module.arguments_of_function();
        let argument = |number: usize| match arguments.get(&number) {
            None => "None".to_string(),
            // All leaves of a tree are asked for by one layout too.
            Some((_, paths))
                if paths[0].is_empty()
                    || paths.len() == self.module.parameters_of(number).len() =>
            {
                "layout".to_string()
            }
            Some((name, paths)) => {
                let paths = paths.iter().map(|path| format!("{path:?}")).collect::<Vec<_>>();
                format!("pick({name}, {{{}}})", paths.join(", "))
            }
        };
        let mut shardings = Vec::new();
        match count {
            _ if arguments.is_empty() => {}
            // A tree of them has to be in a tuple.
            1 if argument(0) == "layout" => shardings.push("in_shardings=layout".to_string()),
            1 => shardings.push(format!("in_shardings=({},)", argument(0))),
            _ => {
                let all = (0..count).map(argument).collect::<Vec<_>>().join(", ");
                shardings.push(format!("in_shardings=({all})"));
            }
        }
        let count = self.results.len();
        match count {
            _ if results.is_empty() => {}
            count if results.len() == count => shardings.push("out_shardings=layout".to_string()),
            // The text does not say in what tree `f` returns them.
            _ => {
                let numbers =
                    results.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                python += &format!(
                    "leaves = [layout if it in {{{numbers}}} else None for it in range({count})]  # of `out = jax.eval_shape(f, …)`\n"
                );
                shardings.push(
                    "out_shardings=jax.tree.unflatten(jax.tree.structure(out), leaves)".to_string(),
                );
            }
        }
        if shardings.iter().any(|it| it.contains("pick(")) {
            python.insert_str(0, PICK);
        }
        python + &format!("jax.jit(f, {})", shardings.join(", "))
    }

    /// Where in a tree that is an argument a parameter is, as `jax.tree_util.keystr` prints it; empty if the argument is an array.
    fn path_in_argument(&self, place: Place) -> String {
        let (name, argument) = (self.name(place), self.argument_name(place));
        name.strip_prefix(&argument).unwrap_or_default().to_string()
    }
}
