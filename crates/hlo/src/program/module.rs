//! A module: its entry, and all its shapes.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use crate::program::Program;
use crate::program::alias::{Alias, aliases};
use crate::program::frames::Frames;
use crate::program::parse::Parser;
use crate::program::shapes::Shapes;
use crate::reading::attributes::Attributes;
use crate::reading::error::{Error, ErrorKind};
use crate::reading::escape::unescape;
use crate::reading::occurrence::{Occurrence, Role};
use layout_core::{Equal, Shape};

/// Calls with every shape of a text, in order, also with those that are wrong.
///
/// Shapes are in `entry_computation_layout`, in the first line of a computation, after the `=` of an instruction, and, if
/// XLA was told to print them, before operands and in attributes. Where an instruction needs a shape, any text in its place
/// counts as one; in attributes, a shape begins with a known element type, `token[` or `opaque[`, or is a tuple of these.
///
/// # Errors
/// The first part of the text that is not HLO; shapes before it were visited.
///
/// # Examples
/// ```
/// use layout_hlo::Role;
///
/// let text = "\
/// HloModule m
/// ENTRY %main (x: f32[4,1000]) -> f32[1000,4] {
///   %x = f32[4,1000]{1,0:T(4,128)} parameter(0), metadata={op_name=\"f32[2] is no shape here\"}
///   ROOT %t = f32[1000,4]{1,0:T(8,128)} transpose(%x), dimensions={1,0}
/// }";
/// let mut lines = Vec::new();
/// layout_hlo::for_each_shape(text, |found| {
///     if found.role == Role::Instruction {
///         lines.push((found.line(), found.column(), found.text()));
///     }
/// })?;
/// assert_eq!(lines, [(3, 8, "f32[4,1000]{1,0:T(4,128)}"), (4, 13, "f32[1000,4]{1,0:T(8,128)}")]);
/// # Ok::<(), layout_hlo::Error>(())
/// ```
pub fn for_each_shape<'a>(
    text: &'a str,
    mut each: impl FnMut(&Occurrence<'a>),
) -> Result<(), Error> {
    Parser::new(text, None, |found| each(found)).module().map(drop).map_err(|error| *error)
}

/// Whether a text begins as an HLO module does: with `HloModule`, or with a computation.
pub fn is_module(text: &str) -> bool {
    Parser::new(text, None, |_| {}).begins_module()
}

/// A parsed HLO module: its parameters and results, and access to all its shapes.
///
/// It keeps parts of the text and parses a shape again when asked for it. It takes some hundred bytes for each instruction.
///
/// # Examples
/// ```
/// use layout_hlo::Module;
///
/// let module = Module::parse("\
/// HloModule double, entry_computation_layout={(bf16[20,300]{1,0:T(8,128)(2,1)})->bf16[20,300]{1,0:T(8,128)(2,1)}}
///
/// ENTRY %main.3 (x.1: bf16[20,300]) -> bf16[20,300] {
///   %x.1 = bf16[20,300]{1,0:T(8,128)(2,1)} parameter(0), metadata={op_name=\"x\"}
///   ROOT %add.2 = bf16[20,300]{1,0:T(8,128)(2,1)} add(%x.1, %x.1)
/// }")?;
/// assert_eq!((module.name(), module.entry_name()), ("double", "main.3"));
/// let [x] = module.parameters() else { panic!() };
/// assert_eq!((x.number(), x.name(), x.op_name()), (0, "x.1", Some("x")));
/// assert_eq!(module.computation_layout().parameters(), ["bf16[20,300]{1,0:T(8,128)(2,1)}"]);
/// assert_eq!(x.shape().to_string(), "bf16[20,300]{1,0:T(8,128)(2,1)}");
/// assert_eq!(x.shape().as_array().and_then(|array| array.bytes()), Some(24 * 384 * 2));
/// # Ok::<(), layout_hlo::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Module<'a> {
    pub(crate) text: &'a str,
    pub(crate) header: Attributes<'a>,
    pub(crate) aliases: Vec<Alias>,
    pub(crate) frames: Frames<'a>,
    pub(crate) program: Program<'a>,
    /// Whether the program is for a TPU: no other device has tiles.
    pub(crate) is_tpu: bool,
    name: &'a str,
    entry_name: &'a str,
    parameters: Vec<Parameter<'a>>,
    /// The first parameter of each argument of the user's function.
    arguments: Vec<usize>,
    result: &'a str,
    layout: Option<ComputationLayout<'a>>,
}

/// A parameter of the entry computation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter<'a> {
    number: usize,
    name: &'a str,
    op_name: Option<Cow<'a, str>>,
    shape: &'a str,
}

impl<'a> Parameter<'a> {
    /// Its number, from 0.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// The name of its instruction, without `%`: `Arg_0.1`.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// The name in its metadata, which JAX takes from the argument: `params['w']`.
    pub fn op_name(&self) -> Option<&str> {
        self.op_name.as_deref()
    }

    /// The name in its metadata, or that of its instruction where it has none there.
    pub fn any_name(&self) -> &str {
        self.op_name().unwrap_or(self.name)
    }

    /// The argument of the user's function that it is a part of: `params` of `params['w']`. Only metadata says it.
    pub(crate) fn argument(&self) -> Option<&str> {
        self.op_name()?.split(['[', '.', '(']).next().filter(|name| !name.is_empty())
    }

    /// The shape of its instruction.
    pub fn shape(&self) -> Shape {
        known(self.shape)
    }

    /// The text of its instruction's shape.
    pub const fn shape_text(&self) -> &'a str {
        self.shape
    }
}

/// Shapes of the parameters and the result of a computation, with their layouts, as texts (XLA's
/// `ComputationLayout`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputationLayout<'a> {
    parameters: Vec<&'a str>,
    result: &'a str,
}

impl<'a> ComputationLayout<'a> {
    /// The shapes of the parameters, by number, as valid texts.
    pub fn parameters(&self) -> &[&'a str] {
        &self.parameters
    }

    /// The shape of the result as a valid text; several results are a tuple.
    pub const fn result(&self) -> &'a str {
        self.result
    }

    /// The shapes of the parameters, by number.
    pub fn parameter_shapes(&self) -> Vec<Shape> {
        self.parameters.iter().map(|text| known(text)).collect()
    }

    /// The shapes of the results: the parts if the result is a tuple, else the one result.
    pub fn result_shapes(&self) -> Vec<Shape> {
        match known(self.result) {
            Shape::Tuple(parts) => parts.into(),
            other => Vec::from([other]),
        }
    }
}

/// The shape of a text that was read without a fault before.
fn known(text: &str) -> Shape {
    text.parse().unwrap_or_else(|error: layout_core::Error| unreachable!("read before: {error}"))
}

impl<'a> Module<'a> {
    /// Parses the text of a module, as any version of XLA prints it: also with computations in braces, instructions among
    /// operands, parts of tuples as `%t#1`, without a header, or with what a log puts before each line.
    ///
    /// Checks that each part of the text is what has to stand there, and every shape that [`for_each_shape`] visits. Values of
    /// attributes are passed over, and shapes are not compared with one another.
    ///
    /// # Errors
    /// The first error, one of those of [`ErrorKind`].
    pub fn parse(text: &'a str) -> Result<Module<'a>, Error> {
        let mut layout = LayoutReader::default();
        let note = |found: &Occurrence<'a>| match found.role {
            Role::LayoutParameter(_) => layout.parameters.push(found.text()),
            Role::LayoutResult => layout.result = Some(found.text()),
            _ => {}
        };
        let parsed =
            Parser::new(text, Some(Shapes::default()), note).module().map_err(|error| *error)?;
        let (header, program) = (parsed.header, parsed.program);
        let parameters = parameters(&program, text)?;
        // JAX makes a parameter of each array in an argument; one without a name in its metadata is an argument of its own.
        let is_same = |a: &Parameter<'_>, b: &Parameter<'_>| {
            a.argument().is_some() && a.argument() == b.argument()
        };
        let arguments = parameters.chunk_by(is_same).map(|parts| parts[0].number).collect();
        let root = &program.operations[program.root(program.entry)];
        // A root without a shape has that of the header.
        let result = Some(root.shape_text).filter(|shape| !shape.is_empty()).or(layout.result);
        let no_shape = || Error::at(text, root.at(text), ErrorKind::NoRootShape);
        let result = result.ok_or_else(no_shape)?;
        let layout = layout.finish(text, parameters.len())?;
        if let Some(layout) = &layout {
            let own = parameters.iter().map(|it| it.shape).chain([result]);
            let said = layout.parameters.iter().copied().chain([layout.result]);
            if let Some((_, said)) = own.zip(said).find(|(own, said)| !is_same_array(own, said)) {
                let at = said.as_ptr() as usize - text.as_ptr() as usize;
                return Err(Error::at(text, at, ErrorKind::EntryShape));
            }
        }
        let aliases = match header.get("input_output_alias") {
            None => Vec::new(),
            Some(pairs) => aliases(pairs).ok_or_else(|| {
                Error::at(text, pairs.as_ptr() as usize - text.as_ptr() as usize, ErrorKind::Alias)
            })?,
        };
        Ok(Module {
            text,
            header,
            aliases,
            frames: Frames::new(&parsed.tables),
            is_tpu: parameters
                .iter()
                .map(|it| it.shape)
                .chain([result])
                .any(|it| it.contains(":T(")),
            program,
            name: parsed.name,
            entry_name: parsed.entry,
            parameters,
            arguments,
            result,
            layout,
        })
    }

    /// The module's name: `jit_train_step`; empty if the text has no header.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// The name of the entry computation, without `%`.
    pub const fn entry_name(&self) -> &'a str {
        self.entry_name
    }

    /// The parameters of the entry computation, by number.
    pub fn parameters(&self) -> &[Parameter<'a>] {
        &self.parameters
    }

    /// How many arguments the user's function has.
    pub(crate) fn arguments_of_function(&self) -> usize {
        self.arguments.len()
    }

    /// The number of the user's argument that a parameter is a part of.
    pub(crate) fn argument_of(&self, parameter: usize) -> usize {
        self.arguments.partition_point(|first| *first <= parameter).saturating_sub(1)
    }

    /// The numbers of the parameters that are parts of a user's argument.
    pub(crate) fn parameters_of(&self, argument: usize) -> Range<usize> {
        let first = |it: usize| self.arguments.get(it).copied().unwrap_or(self.parameters.len());
        first(argument)..first(argument.saturating_add(1))
    }

    /// The shape of the entry computation's result: that of its `ROOT`, or else of its last instruction. If
    /// the text leaves it out, the result of `entry_computation_layout`.
    pub fn result(&self) -> Shape {
        known(self.result)
    }

    pub(crate) const fn result_text(&self) -> &'a str {
        self.result
    }

    /// `entry_computation_layout`, if the module has it.
    pub const fn entry_computation_layout(&self) -> Option<&ComputationLayout<'a>> {
        self.layout.as_ref()
    }

    /// The shapes that a caller passes and gets: `entry_computation_layout`, or else the shapes of the entry
    /// computation's parameters and root.
    pub fn computation_layout(&self) -> Cow<'_, ComputationLayout<'a>> {
        match &self.layout {
            Some(layout) => Cow::Borrowed(layout),
            None => Cow::Owned(ComputationLayout {
                parameters: self.parameters.iter().map(|parameter| parameter.shape).collect(),
                result: self.result,
            }),
        }
    }
}

/// Whether two shapes are equal but for their layouts.
fn is_same_array(a: &str, b: &str) -> bool {
    a == b || Equal::new().ignore_layout().shapes(&known(a), &known(b))
}

/// The parameters of the entry, each number once.
fn parameters<'a>(program: &Program<'a>, text: &str) -> Result<Vec<Parameter<'a>>, Error> {
    let found = program.parameters.iter().map(|it| &program.operations[*it]).enumerate();
    let parameter = found.map(|(number, own)| {
        let kind = match own.parameter() {
            _ if own.shape_text.is_empty() => ErrorKind::ParameterShape,
            None => ErrorKind::ParameterNumber,
            Some(own) if own < number => ErrorKind::ParameterTwice { number: own },
            Some(own) if own > number => ErrorKind::ParameterMissing { number },
            Some(_) => {
                let op_name = own.attributes.inside("metadata").find("op_name").map(unescape);
                return Ok(Parameter { number, name: own.name, op_name, shape: own.shape_text });
            }
        };
        let at = if own.shape_text.is_empty() { own.arguments } else { own.shape_text };
        Err(Error::at(text, at.as_ptr() as usize - text.as_ptr() as usize, kind))
    });
    parameter.collect()
}

/// What is known of `entry_computation_layout` so far.
#[derive(Default)]
struct LayoutReader<'a> {
    parameters: Vec<&'a str>,
    result: Option<&'a str>,
}

impl<'a> LayoutReader<'a> {
    /// The layout, if there is one, of a program with `entry` parameters.
    fn finish(self, text: &str, entry: usize) -> Result<Option<ComputationLayout<'a>>, Error> {
        let LayoutReader { parameters, result } = self;
        let Some(first) = parameters.first().copied().or(result) else { return Ok(None) };
        let kind = match result {
            Some(result) if parameters.len() == entry => {
                return Ok(Some(ComputationLayout { parameters, result }));
            }
            Some(_) => ErrorKind::ParameterCount { layout: parameters.len(), entry },
            None => ErrorKind::EntryLayout,
        };
        Err(Error::at(text, first.as_ptr() as usize - text.as_ptr() as usize, kind))
    }
}
