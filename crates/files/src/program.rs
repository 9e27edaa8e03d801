//! Tensors as the parameters of a compiled program.

mod name;

use std::collections::{HashMap, HashSet};
use std::fmt;

use layout_core::{ArrayShape, Dim, ElementType, Message, Shape, Visible};
use layout_hlo::Module;

use crate::error::Error;
use crate::program::name::{Name, NameIndex, ORDERS};
use crate::sidecar::change::Change;
use crate::tensor::Tensor;
use crate::tensor_file::TensorFile;

/// The arrays that a compiled program takes, each with the tensor of a file for it.
///
/// A parameter's name is that in its metadata, which JAX takes from the argument, or else its instruction's; a part of
/// a tuple has its number after it. NameIndex are compared by their words, so that `params['layers'][0]['w']` is
/// `params.layers.0.w`. A tensor is for the parameter whose name is its own or ends with its own, `layers.0.w`, or with
/// which its own ends, and for one parameter only. If no name fits, tensors are taken in the order of their names, as
/// JAX flattens a tree of arrays: with numbers as numbers or as texts, whichever gives each parameter a tensor of its
/// type and dimensions. If different ones do, no tensor fits: [`Misfit::Ambiguous`].
///
/// # Examples
/// ```
/// use layout_hlo::Module;
/// use layout_files::{Arguments, TensorFile};
///
/// # let path = std::env::temp_dir().join(format!("x-{}.npy", std::process::id()));
/// # let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }\n";
/// # let mut npy = b"\x93NUMPY\x01\x00".to_vec();
/// # npy.extend((header.len() as u16).to_le_bytes());
/// # npy.extend(header.bytes());
/// # npy.extend([0; 12]);
/// # std::fs::write(&path, npy)?;
/// let file = TensorFile::open(&path)?; // f32[3]
/// let program = "HloModule m\nENTRY e { ROOT x = f32[3]{0:T(128)} parameter(0) }";
/// let module = Module::parse(program)?;
/// let arguments = Arguments::new(&module, &file);
/// assert!(arguments.fit());
/// assert_eq!(arguments.parameters()[0].layout().to_string(), "f32[3]{0:T(128)}");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Arguments<'a> {
    parameters: Vec<Parameter<'a>>,
    unused: Vec<&'a Tensor>,
}

/// An array that a program takes.
#[derive(Debug)]
pub struct Parameter<'a> {
    place: String,
    name: String,
    layout: ArrayShape,
    tensor: Option<&'a Tensor>,
    misfit: Option<Misfit>,
}

/// Why a program does not take what a file has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// No tensor is for the parameter.
    Missing,
    /// Another parameter takes the tensor too.
    Taken {
        /// The [place](Parameter::place) of the other parameter.
        by: String,
    },
    /// No tensor has its name, and by their orders different ones fit.
    Ambiguous {
        /// The name of another one.
        other: String,
    },
    /// The tensor's elements are of another type.
    ElementType {
        /// That of the program.
        program: ElementType,
        /// That of the tensor.
        tensor: ElementType,
    },
    /// The tensor has other dimensions.
    Dims {
        /// The tensor as an array.
        tensor: Box<ArrayShape>,
        /// Whether it has the program's in reverse order.
        is_transposed: bool,
    },
    /// The tensor is not an array of one element type.
    Tensor(Message),
}

impl<'a> Arguments<'a> {
    /// Finds a tensor of the file for each array that the program takes.
    pub fn new(module: &Module<'_>, file: &'a TensorFile) -> Arguments<'a> {
        let mut parameters = parameters(module);
        let names =
            file.tensors().iter().map(|tensor| Name::new(tensor.name())).collect::<Vec<_>>();
        let by_end = NameIndex::new(&names);
        let found = parameters.iter().map(|parameter| by_end.find(&Name::new(&parameter.name)));
        let mut found = found.collect::<Vec<_>>();
        if found.iter().any(Option::is_some) {
            give(&mut parameters, &found, file);
            only_once(&mut parameters);
        } else {
            found = by_order(&mut parameters, &names, file);
        }
        let used = found.into_iter().flatten().collect::<HashSet<_>>();
        let unused = file.tensors().iter().enumerate();
        let unused = unused.filter(|(number, _)| !used.contains(number));
        let unused = unused.map(|(_, tensor)| tensor).collect();
        Arguments { parameters, unused }
    }

    /// The arrays that the program takes, by number.
    pub fn parameters(&self) -> &[Parameter<'a>] {
        &self.parameters
    }

    /// The tensors that are for no parameter.
    pub fn unused(&self) -> &[&'a Tensor] {
        &self.unused
    }

    /// Whether there is a tensor for each parameter, with its element type and dimensions. Others may be unused.
    pub fn fit(&self) -> bool {
        self.parameters.iter().all(|parameter| parameter.misfit.is_none())
    }
}

/// Gives parameters the tensors of these numbers: whether all fit.
fn give<'a>(
    parameters: &mut [Parameter<'a>],
    found: &[Option<usize>],
    file: &'a TensorFile,
) -> bool {
    for (parameter, found) in parameters.iter_mut().zip(found) {
        parameter.tensor = found.map(|number| &file.tensors()[number]);
        parameter.misfit = parameter.misfit(file);
    }
    parameters.iter().all(|parameter| parameter.misfit.is_none())
}

/// Gives parameters the tensors in the order of their names; the first of those orders in which they fit.
fn by_order<'a>(
    parameters: &mut [Parameter<'a>],
    names: &[Name<'_>],
    file: &'a TensorFile,
) -> Vec<Option<usize>> {
    let orders = ORDERS.map(|order| {
        let mut numbers = (0..names.len()).collect::<Vec<_>>();
        numbers.sort_by(|&a, &b| order(&names[a], &names[b]));
        let numbers = numbers.into_iter().map(Some).chain(std::iter::repeat(None));
        numbers.take(parameters.len()).collect::<Vec<_>>()
    });
    let fits = orders.each_ref().map(|found| give(parameters, found, file));
    let mut fitting = orders.iter().zip(fits).filter(|(_, fits)| *fits).map(|(found, _)| found);
    let chosen = fitting.next().unwrap_or(&orders[0]).clone();
    give(parameters, &chosen, file);
    for other in fitting {
        for ((parameter, one), other) in parameters.iter_mut().zip(&chosen).zip(other) {
            if let Some(other) = other.filter(|_| one != other) {
                let other = file.tensors()[other].name.clone();
                parameter.misfit = Some(Misfit::Ambiguous { other });
            }
        }
    }
    chosen
}

/// A tensor is for one parameter: the one that has all of its name, if that is one.
fn only_once(parameters: &mut [Parameter<'_>]) {
    let mut takers = HashMap::<_, Vec<_>>::new();
    for (number, parameter) in parameters.iter().enumerate() {
        if let Ok(tensor) = parameter.tensor() {
            takers.entry(tensor.name()).or_default().push(number);
        }
    }
    for takers in takers.into_values().filter(|takers| takers.len() > 1) {
        let is_own = |number: &usize| {
            let parameter = &parameters[*number];
            let name = parameter.tensor.map(|tensor| Name::new(tensor.name()));
            name == Some(Name::new(&parameter.name))
        };
        let own = takers.iter().copied().filter(is_own).collect::<Vec<_>>();
        for &number in &takers {
            if own == [number] {
                continue;
            }
            let other = own.iter().chain(&takers).find(|other| **other != number);
            let by = other.map(|other| parameters[*other].place.clone());
            parameters[number].misfit = by.map(|by| Misfit::Taken { by });
        }
    }
}

/// The arrays that a program takes, without tensors.
fn parameters<'a>(module: &Module<'_>) -> Vec<Parameter<'a>> {
    let mut parameters = Vec::new();
    let layouts = module.computation_layout();
    for (parameter, text) in module.parameters().iter().zip(layouts.parameters()) {
        let (number, name) = (parameter.number(), parameter.any_name());
        // The module has read the text before.
        let _ = Shape::for_each_array(text, |index, layout| {
            let parts = index.iter().map(|part| format!(".{part}")).collect::<String>();
            let (place, name) = (format!("{number}{parts}"), format!("{name}{parts}"));
            let (tensor, misfit) = (None, None);
            parameters.push(Parameter { place, name, layout: *layout, tensor, misfit });
        });
    }
    parameters
}

impl<'a> Parameter<'a> {
    /// The number of the parameter; of a part of a tuple, with the numbers of the part: `0.1`.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The layout in which the program takes it.
    pub const fn layout(&self) -> &ArrayShape {
        &self.layout
    }

    /// The tensor for it, which fits.
    ///
    /// # Errors
    /// Why there is none.
    pub fn tensor(&self) -> Result<&'a Tensor, &Misfit> {
        match (&self.misfit, self.tensor) {
            (Some(misfit), _) => Err(misfit),
            (None, Some(tensor)) => Ok(tensor),
            (None, None) => Err(&Misfit::Missing),
        }
    }

    /// The tensor that is for it by its name or place, whether it fits or not.
    pub const fn candidate(&self) -> Option<&'a Tensor> {
        self.tensor
    }

    /// What turns the tensor into what the program takes.
    ///
    /// # Errors
    /// If no tensor fits.
    pub fn change(&self, file: &TensorFile) -> Result<Change, Error> {
        let fault = |why: Message| Error::layout(file.path(), &self.name, why);
        let tensor = self.tensor().map_err(|misfit| fault(misfit.message()))?;
        let from = file.layout(tensor).map_err(fault)?;
        Ok(Change::new(from, self.layout))
    }

    fn misfit(&self, file: &TensorFile) -> Option<Misfit> {
        let Some(tensor) = self.tensor else { return Some(Misfit::Missing) };
        let found = match file.layout(tensor) {
            Ok(found) => found,
            Err(why) => return Some(Misfit::Tensor(why)),
        };
        let (program, tensor) = (self.layout.element_type(), found.element_type());
        if program != tensor {
            return Some(Misfit::ElementType { program, tensor });
        }
        // A bound is what memory has room for.
        let sizes =
            |layout: &ArrayShape| layout.dims().iter().copied().map(Dim::size).collect::<Vec<_>>();
        let (own, mut dims) = (sizes(&self.layout), sizes(&found));
        if own == dims {
            return None;
        }
        dims.reverse();
        Some(Misfit::Dims { tensor: Box::new(found), is_transposed: own == dims })
    }
}

impl Misfit {
    /// What is wrong, and what to do.
    pub fn message(&self) -> Message {
        match self {
            Misfit::Missing => Message::new("no tensor has its name")
                .with_help("pass it at run time, or rename a tensor"),
            Misfit::Taken { by } => Message::from(format!("parameter {by} takes it too")).with_help(
                "a tensor is for one parameter: give the tensor all of the name of one, and add a tensor for the other",
            ),
            Misfit::Ambiguous { other } => Message::from(format!(
                "`{}` fits as well, if numbers in names are sorted as texts, as JAX sorts keys",
                Visible(other)
            ))
            .with_help("give the tensors the names of the parameters"),
            Misfit::ElementType { program, tensor } => Message::from(format!(
                "the tensor has elements of type `{tensor}`, the program takes `{program}`"
            ))
            .with_help(format!(
                "convert the values before, or compile the program for `{tensor}`"
            )),
            Misfit::Dims { tensor, is_transposed: true } => Message::from(format!(
                "the tensor is `{tensor}`, which has the dimensions in reverse order"
            ))
            .with_help("transpose it before, or compile the program for this order"),
            Misfit::Dims { tensor, .. } => {
                Message::from(format!("the tensor is `{tensor}`, which has other dimensions"))
                    .with_help("reshape or slice it before, or compile the program for these dimensions")
            }
            Misfit::Tensor(why) => why.clone(),
        }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}
