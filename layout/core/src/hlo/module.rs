//! A module: its entry, and all its shapes.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::hlo::distinct::Distinct;
use crate::hlo::error::{Error, ErrorKind};
use crate::hlo::escape::unescape;
use crate::hlo::found::{Occurrence, Role};
use crate::hlo::scan::{Event, Scanner};
use crate::hlo::shapes::{Shapes, shapes};
use crate::shape::Shape;

/// The text of an HLO module, whose shapes have been read.
///
/// # Examples
/// ```
/// use layout_core::hlo::Module;
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
/// assert_eq!(module.computation_layout().parameters()[0], *x.shape());
/// let bytes = |shape: &layout_core::Shape| shape.as_array().and_then(|array| array.bytes());
/// let largest = module.shapes().max_by_key(|(_, shape)| bytes(shape));
/// assert_eq!(largest.and_then(|(_, shape)| bytes(shape)), Some(24 * 384 * 2));
/// # Ok::<(), layout_core::hlo::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Module<'a> {
    text: &'a str,
    name: &'a str,
    entry_name: &'a str,
    parameters: Vec<Parameter<'a>>,
    result: Shape,
    layout: Option<ComputationLayout>,
    shapes: Distinct<'a>,
}

/// A parameter of the entry computation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter<'a> {
    number: usize,
    name: &'a str,
    op_name: Option<Cow<'a, str>>,
    shape: Shape,
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

    /// The name in its metadata, which in JAX is the argument's: `params['w']`.
    pub fn op_name(&self) -> Option<&str> {
        self.op_name.as_deref()
    }

    /// The shape of its instruction.
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }
}

/// Shapes and layouts of the parameters and the result of a computation (XLA's
/// `ComputationLayout`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputationLayout {
    parameters: Vec<Shape>,
    result: Shape,
}

impl ComputationLayout {
    /// The parameters, by their numbers.
    pub fn parameters(&self) -> &[Shape] {
        &self.parameters
    }

    /// The result, which is a tuple where there are several.
    pub const fn result(&self) -> &Shape {
        &self.result
    }

    /// The results: the parts of the tuple, or the one result.
    pub fn results(&self) -> &[Shape] {
        match &self.result {
            Shape::Tuple(parts) => parts,
            other => core::slice::from_ref(other),
        }
    }
}

impl<'a> Module<'a> {
    /// Reads the text of a module, as XLA prints it, of any version.
    ///
    /// The header, the entry computation's parameters and result, and every shape that [`shapes`] finds
    /// are read and checked. Attributes, constants and operands are not looked into, and shapes are not
    /// compared with one another.
    ///
    /// # Errors
    /// The text does not start with `HloModule` and a name, or has not one entry computation with
    /// instructions whose parameters have shapes and are numbered from 0, as many as
    /// `entry_computation_layout` has if it is given; a shape is wrong; a string, comment, brace or
    /// parenthesis is not closed. The first error is reported.
    #[allow(clippy::result_large_err, reason = "the error is that of `ArrayShape::parse_const`")]
    pub fn parse(text: &'a str) -> Result<Module<'a>, Error> {
        let mut scanner = Scanner::new(text);
        let name = match scanner.module() {
            Some(name) if !name.is_empty() => name,
            _ => return Err(Scanner::new(text).error(ErrorKind::NoModule)),
        };
        let mut shapes = Distinct::new();
        let mut reader = Reader::default();
        while let Some(event) = scanner.next() {
            match event {
                Event::Shape(found) => {
                    let number = shapes.add(&found)?;
                    reader.shape(&found, number)?;
                }
                Event::Entry(_) if reader.entry_name.is_some() => {
                    return Err(scanner.error(ErrorKind::SecondEntry));
                }
                Event::Entry(name) => reader.entry_name = Some(name),
                Event::Shapeless(instruction) => {
                    if scanner.is_in_entry() {
                        if instruction.opcode() == "parameter" {
                            return Err(scanner.error(ErrorKind::ParameterShape));
                        }
                        reader.value(instruction.is_root(), None);
                    }
                }
                Event::OpName(name) => {
                    if let Some((_, parameter)) = reader.parameters.last_mut() {
                        parameter.op_name = Some(name);
                    }
                }
            }
        }
        scanner.end()?;
        reader.finish(text, name, shapes, &scanner)
    }

    /// The module's name: `jit_train_step`.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// The name of the entry computation, without `%`.
    pub const fn entry_name(&self) -> &'a str {
        self.entry_name
    }

    /// The parameters of the entry computation, by their numbers.
    pub fn parameters(&self) -> &[Parameter<'a>] {
        &self.parameters
    }

    /// The shape of the entry computation's root: of the instruction called `ROOT`, or of the last one. If
    /// its shape is left out, it is that of `entry_computation_layout`.
    pub const fn result(&self) -> &Shape {
        &self.result
    }

    /// `entry_computation_layout`, where the module has it.
    pub const fn entry_computation_layout(&self) -> Option<&ComputationLayout> {
        self.layout.as_ref()
    }

    /// What a caller passes and gets: `entry_computation_layout`, or where there is none the shapes of
    /// the entry computation's parameters and root.
    pub fn computation_layout(&self) -> Cow<'_, ComputationLayout> {
        match &self.layout {
            Some(layout) => Cow::Borrowed(layout),
            None => Cow::Owned(ComputationLayout {
                parameters: self
                    .parameters
                    .iter()
                    .map(|parameter| parameter.shape.clone())
                    .collect(),
                result: self.result.clone(),
            }),
        }
    }

    /// Every shape of the text, in the order in which they stand.
    ///
    /// Goes over the text again; each distinct shape has been read once.
    pub fn shapes(&self) -> ModuleShapes<'_, 'a> {
        ModuleShapes { found: shapes(self.text), shapes: &self.shapes }
    }

    /// The number of distinct texts among the shapes.
    pub fn distinct_shapes(&self) -> usize {
        self.shapes.len()
    }
}

/// Every shape of a module; what [`Module::shapes`] gives.
#[derive(Clone, Debug)]
pub struct ModuleShapes<'m, 'a> {
    found: Shapes<'a>,
    shapes: &'m Distinct<'a>,
}

impl<'m, 'a> Iterator for ModuleShapes<'m, 'a> {
    type Item = (Occurrence<'a>, &'m Shape);

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.found.next()?;
        Some((found, self.shapes.find(found.text())?))
    }
}

impl core::iter::FusedIterator for ModuleShapes<'_, '_> {}

/// What is known of the entry so far; shapes by their numbers.
#[derive(Default)]
struct Reader<'a> {
    entry_name: Option<&'a str>,
    parameters: Vec<(Occurrence<'a>, Draft<'a>)>,
    /// The shape of the root so far, if it has one.
    root: Option<Option<usize>>,
    is_root_called_so: bool,
    layout_parameters: Vec<usize>,
    layout_result: Option<usize>,
    /// Where `entry_computation_layout` stands.
    layout: Option<Occurrence<'a>>,
}

struct Draft<'a> {
    number: usize,
    name: &'a str,
    op_name: Option<&'a str>,
    shape: usize,
}

impl<'a> Reader<'a> {
    /// Notes the shape of an instruction of the entry computation.
    fn value(&mut self, is_root: bool, shape: Option<usize>) {
        if is_root || !self.is_root_called_so {
            self.root = Some(shape);
            self.is_root_called_so = is_root;
        }
    }

    #[allow(clippy::result_large_err, reason = "the error is that of `ArrayShape::parse_const`")]
    fn shape(&mut self, found: &Occurrence<'a>, shape: usize) -> Result<(), Error> {
        match found.role() {
            Role::LayoutParameter(_) => {
                self.layout_parameters.push(shape);
                self.layout = self.layout.or(Some(*found));
            }
            Role::LayoutResult => {
                self.layout_result = Some(shape);
                self.layout = self.layout.or(Some(*found));
            }
            Role::Instruction if found.computation().is_some_and(|it| it.is_entry()) => {
                let Some(instruction) = found.instruction() else { return Ok(()) };
                self.value(instruction.is_root(), Some(shape));
                if instruction.opcode() == "parameter" {
                    let digits = found.source.get(instruction.operands..).unwrap_or_default();
                    let end = digits.find(')').unwrap_or(digits.len());
                    let Ok(number) = digits[..end].trim().parse() else {
                        return Err(error_at(found, ErrorKind::ParameterNumber));
                    };
                    let name = instruction.name();
                    let draft = Draft { number, name, op_name: None, shape };
                    self.parameters.push((*found, draft));
                }
            }
            _ => {}
        }
        Ok(())
    }

    #[allow(clippy::result_large_err, reason = "the error is that of `ArrayShape::parse_const`")]
    fn finish(
        mut self,
        text: &'a str,
        name: &'a str,
        shapes: Distinct<'a>,
        end: &Scanner<'a>,
    ) -> Result<Module<'a>, Error> {
        let entry_name = self.entry_name.ok_or_else(|| end.error(ErrorKind::NoEntry))?;
        let root = self.root.ok_or_else(|| end.error(ErrorKind::NoRoot))?;
        // A root without a shape has that of the header.
        let root = root.or(self.layout_result).ok_or_else(|| end.error(ErrorKind::NoRootShape))?;
        // Stable, so that of two with one number the second is said to be one too many.
        self.parameters.sort_by_key(|(_, parameter)| parameter.number);
        for (number, (found, parameter)) in self.parameters.iter().enumerate() {
            if parameter.number < number {
                let number = parameter.number;
                return Err(error_at(found, ErrorKind::ParameterTwice { number }));
            }
            if parameter.number > number {
                return Err(error_at(found, ErrorKind::ParameterMissing { number }));
            }
        }
        let get = |number: usize| shapes.get(number).clone();
        let layout = match (self.layout, self.layout_result) {
            (None, _) => None,
            (Some(found), None) => return Err(error_at(&found, ErrorKind::EntryLayout)),
            (Some(found), Some(result)) => {
                let (layout, entry) = (self.layout_parameters.len(), self.parameters.len());
                if layout != entry {
                    return Err(error_at(&found, ErrorKind::ParameterCount { layout, entry }));
                }
                let parameters = self.layout_parameters.iter().map(|number| get(*number)).collect();
                Some(ComputationLayout { parameters, result: get(result) })
            }
        };
        let parameters = self.parameters.iter().map(|(_, draft)| Parameter {
            number: draft.number,
            name: draft.name,
            op_name: draft.op_name.map(unescape),
            shape: get(draft.shape),
        });
        let parameters = parameters.collect();
        Ok(Module { text, name, entry_name, parameters, result: get(root), layout, shapes })
    }
}

fn error_at(found: &Occurrence<'_>, kind: ErrorKind) -> Error {
    Error { line: found.line(), column: found.column(), kind }
}
