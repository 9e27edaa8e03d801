//! The numbers of XLA's own tests.

use core::ops::Deref;

use layout::bitcast::{
    self, Bitcast, decompose_bitcast, reshape_is_bitcast, reshape_is_bitcast_by_order,
    transpose_is_bitcast, transpose_is_bitcast_by_order,
};
use layout::shape::memory_space::HOST;
use layout::shape::{Dim, DimNumbers, FaultKind, Index, List, TileDim};
use layout::xla::{self, DimPairs, SizeOneChanges, bump_indices};
use layout::{ArrayShape, ElementType, Fault, Size, permutation};
use layout_tests::lists::{array, list, numbers, shape};
use layout_tests::table;

use super::{drop_degenerate_dimensions, is_untiled_layout, text};

/// An answer of the table.
trait Said {
    fn said(self) -> String;
}

macro_rules! said {
    ($($type:ty: |$value:ident| $text:expr;)*) => {$(
        impl Said for $type {
            fn said(self) -> String {
                let $value = self;
                $text
            }
        }
    )*};
}

said! {
    bool: |is| is.to_string();
    Size: |number| number.to_string();
    String: |text| text;
    ArrayShape: |shape| text(Ok::<_, Fault>(shape));
    (Index, DimNumbers): |pair| format!("{};{}", list(&pair.0), list(&pair.1));
    DimPairs: |pairs| format!("{} and {}", list(&pairs.from), list(&pairs.to));
    SizeOneChanges: |dims| format!("{} and {}", list(&dims.deleted), list(&dims.inserted));
}

impl<T: ToString, const N: usize> Said for List<N, T>
where
    List<N, T>: Deref<Target = [T]>,
{
    fn said(self) -> String {
        list(&self)
    }
}

impl<T: Said> Said for Option<T> {
    fn said(self) -> String {
        self.map_or_else(|| "none".to_owned(), T::said)
    }
}

/// The text, or the kind of the fault.
impl<T: Said> Said for Result<T, Fault> {
    fn said(self) -> String {
        match self.map_err(|fault| fault.kind()) {
            Err(FaultKind::Overflow { .. }) => "Overflow".to_owned(),
            Err(kind) => format!("{kind:?}"),
            Ok(said) => said.said(),
        }
    }
}

impl<T: Said, const N: usize> Said for [T; N] {
    fn said(self) -> String {
        self.map(T::said).join(", ")
    }
}

fn element(name: &str) -> ElementType {
    ElementType::from_name(name).unwrap()
}

fn dim_list(text: &str) -> Vec<Dim> {
    let dim = |text: &str| match (text, text.strip_prefix("<=")) {
        ("?", _) => Dim::Unbounded,
        (_, Some(bound)) => Dim::Bounded(bound.parse().unwrap()),
        (size, None) => Dim::Static(size.parse().unwrap()),
    };
    text.split(',').filter(|dim| !dim.is_empty()).map(dim).collect()
}

fn steps(from: &ArrayShape, to: &ArrayShape) -> String {
    match decompose_bitcast(from, to) {
        None => "none".to_owned(),
        Some(Bitcast::Reshape) => "reshape".to_owned(),
        Some(Bitcast::Transpose { permutation }) => format!("transpose {}", list(&permutation)),
        Some(Bitcast::TransposeReshapeTranspose { first, transposed, reshaped, second }) => {
            assert!(transpose_is_bitcast(from, &transposed, &first));
            assert!(reshape_is_bitcast(&transposed, &reshaped));
            assert!(transpose_is_bitcast(&reshaped, to, &second));
            let (first, second) = (list(&first), list(&second));
            format!("transpose {first} to {transposed}, reshape to {reshaped}, transpose {second}")
        }
        Some(other) => panic!("{other:?}"),
    }
}

/// The number of an index, and back.
fn linear_index(array: &ArrayShape, index: &[Size]) -> Option<Size> {
    let number = xla::multidimensional_index_to_linear_index(array, index)?;
    assert_eq!(*xla::linear_index_to_multidimensional_index(array, number).unwrap(), *index);
    let elements = array.elements().unwrap();
    assert_eq!(xla::linear_index_to_multidimensional_index(array, elements), None);
    for (number, index) in xla::indices_in_order(array).enumerate() {
        let number = number as Size;
        assert_eq!(xla::multidimensional_index_to_linear_index(array, &index), Some(number));
        let strides = (0..array.rank()).map(|dim| xla::get_dimension_stride(array, dim).unwrap());
        assert_eq!(strides.zip(index.iter()).map(|(s, i)| s * i).sum::<Size>(), number);
    }
    Some(number)
}

fn is_monotonic(array: &ArrayShape) -> [bool; 2] {
    let (major, minor) = (array.major_to_minor(), array.minor_to_major());
    let last = minor.first().is_none_or(|dim| dim + 1 == array.rank());
    assert_eq!(last, major.is_sorted());
    let places = permutation::inverse(&major).unwrap();
    for (dim, &place) in places.iter().enumerate() {
        assert_eq!((major[place], minor[array.rank() - 1 - place]), (dim, dim));
    }
    [major.is_sorted(), minor.is_sorted()]
}

/// Answers a question that is the name of a function.
macro_rules! by_name {
    ($question:ident: $($module:ident $arguments:tt: $($name:ident)*;)*) => {$($(
        if $question == stringify!($name) {
            return $module::$name $arguments.said();
        }
    )*)*};
}

/// What a function on arrays says.
fn of_array(question: &str, array: &ArrayShape, arguments: &[&str]) -> String {
    let dims = || numbers::<usize>(arguments[0]);
    let index = || numbers::<Size>(arguments[0]);
    let by = || numbers::<usize>(arguments[1]);
    let other = || self::array(arguments[0]);
    let number = || arguments[0].parse().unwrap();
    let new =
        |at, physical| xla::insert_dimension(array, at, physical, dim_list(arguments[0])[0]).said();
    let order_alone = |shape: ArrayShape| shape.with_minor_to_major(array.minor_to_major());
    let rank = array.rank();
    by_name! { question:
        xla(array): byte_strides unpacked_byte_strides array_data_size max_elements_in_per_split
            packed_factor_for_1d_interleaved_array set_to_default_layout;
        xla(array, &dims()): delete_dimensions normalized_transpose are_dimensions_consecutive;
        xla(array, number()): get_dimension_stride move_dim_to_major move_dim_to_minor;
        bitcast(array, &other()): is_reshape_or_transpose_bitcast deduce_transpose_for_bitcast
            align_layouts;
    }
    match question {
        "is_untiled_layout" => is_untiled_layout(array).said(),
        "make_layout_from_major_to_minor" => {
            let order = dims().into_iter().rev().collect::<Vec<_>>();
            array.with_minor_to_major(&order).said()
        }
        "is_effectively_most_major_dimension" => {
            let dim = number();
            let is_last = |at: &&usize| **at == dim || array.dims()[**at].size() != Some(1);
            (array.major_to_minor().iter().find(is_last) == Some(&dim)).said()
        }
        "index_in_bounds" => {
            let index = index();
            let mut along = index.iter().zip(array.dims());
            let is_inside = along.all(|(at, dim)| dim.size().is_none_or(|size| *at < size));
            (index.len() == array.rank() && is_inside).said()
        }
        "prepend_major_dimension" => new(0, rank),
        "append_minor_dimension" => new(rank, 0),
        "append_major_dimension" => new(rank, rank),
        "insert_dimensions_at_index" => {
            xla::insert_dimensions_at_index(array, number(), &dim_list(arguments[1])).said()
        }
        "has_degenerate_dimensions" => array.dims().iter().any(|dim| dim.size() == Some(1)).said(),
        "drop_degenerate_dimensions" => drop_degenerate_dimensions(array).said(),
        "permute_dimensions" => array.permute_dimensions(&dims()).said(),
        "permute_dimensions_ignoring_layout" => {
            array.permute_dimensions(&dims()).map(order_alone).said()
        }
        "make_shape_with_descending_layout_and_same_physical_layout" => array.descending().said(),
        "get_dimension_number" => {
            let dim = xla::get_dimension_number(array, arguments[0].parse().unwrap());
            dim.map(|dim| dim as Size).said()
        }
        "reshape_is_bitcast" => {
            [reshape_is_bitcast, reshape_is_bitcast_by_order].map(|is| is(array, &other())).said()
        }
        "transpose_is_bitcast" => [transpose_is_bitcast, transpose_is_bitcast_by_order]
            .map(|is| is(array, &other(), &by()))
            .said(),
        "decompose_bitcast" => steps(array, &other()),
        "linear_index" => linear_index(array, &index()).said(),
        "indices_in_order" => {
            let count = xla::indices_in_order(array).count();
            assert_eq!(xla::indices_in_order(array).size_hint().0, count);
            count.to_string()
        }
        "max_split_size" => [0, 1, 2, 3].map(|dim| xla::max_split_size(array, dim)).said(),
        "is_monotonic" => is_monotonic(array).said(),
        "with_minor_to_major" => array.with_minor_to_major(&dims()).said(),
        "with_element_type" => array.with_element_type(element(arguments[0])).said(),
        "with_packed_elements" => array.with_packed_elements(arguments[0] == "true").said(),
        "device_shape_to_host_shape" => {
            let host = array.without_layout().and_then(order_alone);
            [host.said(), (!array.has_properties()).said()].said()
        }
        "without_layout" => array.without_layout().said(),
        "without_tiles" => array.without_tiles().with_memory_space(HOST).said(),
        "copy_layout_between_shapes" => other().with_layout_of(array).said(),
        _ => panic!("unknown question {question}"),
    }
}

#[test]
fn worked_examples() {
    let plain = |dims: &str| array(&format!("f32[{dims}]"));
    table::check("utilities", &mut |question, columns| match (question, columns) {
        ("dims_unmodified_by_reshape", [from, to]) => {
            xla::dims_unmodified_by_reshape(&plain(from), &plain(to)).said()
        }
        ("inserted_or_deleted_size_one_dims", [from, to]) => {
            xla::inserted_or_deleted_size_one_dims(&plain(from), &plain(to)).said()
        }
        ("bump_indices", [bounds, index]) => {
            let mut index = numbers::<Size>(index);
            let has_next = bump_indices(&numbers::<Size>(bounds), &mut index);
            let next = format!("{}{}", if has_next { "" } else { "none, " }, list(&index));
            next.trim_end().to_owned()
        }
        ("compare_indices", [a, b]) => format!("{:?}", numbers::<Size>(a).cmp(&numbers(b))),
        ("byte_strides_are_major_to_minor", [strides]) => {
            let own = xla::unpacked_byte_strides(&array("f32[8,9,10,11]"));
            own.is_some_and(|own| own == numbers::<Size>(strides)).said()
        }
        ("descending_order", [rank]) => xla::descending_order(rank.parse().unwrap()).said(),
        ("ascending_order", [rank]) => xla::ascending_order(rank.parse().unwrap()).said(),
        ("make_shape_with_dense_layout", [element, dims, order]) => {
            let (element, dims) = (self::element(element), dim_list(dims));
            let tiles: [&[TileDim]; 1] = [&[TileDim::Size(2); 2]];
            ArrayShape::of_lists(element, &dims, &numbers::<usize>(order), &tiles).said()
        }
        ("new", [element, dims]) => ArrayShape::new(self::element(element), &dim_list(dims)).said(),
        ("is_prefix", [prefix, other]) => xla::is_prefix(&shape(prefix), &shape(other)).said(),
        (_, [text, arguments @ ..]) => of_array(question, &array(text), arguments),
        _ => panic!("unknown question {question}"),
    });
}
