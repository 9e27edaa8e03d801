//! The numbers of XLA's own tests.

use layout::bitcast::{
    Bitcast, align_layouts, decompose_bitcast, deduce_transpose_for_bitcast,
    is_reshape_or_transpose_bitcast, reshape_is_bitcast, reshape_is_bitcast_by_order,
    transpose_is_bitcast, transpose_is_bitcast_by_order,
};
use layout::shape::memory_space::HOST;
use layout::shape::{Dim, FaultKind, TileDim, Tiles};
use layout::xla::{self, bump_indices, byte_strides_are_major_to_minor, compare_indices};
use layout::{ArrayShape, ElementType, Fault, Size};
use layout_tests::lists::{array, dims, list, numbers, shape};
use layout_tests::table::{self, or_none};

use super::text;

/// The text of a shape, or the kind of the fault.
fn or_kind(result: Result<ArrayShape, Fault>) -> String {
    match result.map_err(|fault| fault.kind()) {
        Err(FaultKind::Overflow { .. }) => "Overflow".to_owned(),
        Err(kind) => format!("{kind:?}"),
        Ok(shape) => text(Ok::<_, Fault>(shape)),
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

fn is_monotonic(array: &ArrayShape) -> String {
    let is_descending = xla::is_monotonic_with_dim0_major(array);
    assert_eq!(xla::last_dim_is_minor_most(array), is_descending);
    let rank = array.rank();
    for dim in 0..rank {
        let place = xla::make_logical_to_physical(array)[dim];
        assert_eq!(xla::major(array, place), Some(dim));
        assert_eq!(xla::minor(array, rank - 1 - place), Some(dim));
    }
    assert_eq!((xla::major(array, rank), xla::minor(array, rank)), (None, None));
    format!("{is_descending}, {}", xla::is_monotonic_with_dim0_minor(array))
}

fn inserted(array: &ArrayShape, at: &str, dims: &str) -> Result<ArrayShape, Fault> {
    let (at, dims) = (at.parse().unwrap(), dim_list(dims));
    let inserted = xla::insert_dimensions_at_index(array, at, &dims);
    if let [dim] = dims[..] {
        assert_eq!(xla::insert_dimension_at_index(array, at, dim), inserted);
    }
    inserted
}

/// What a function on arrays says.
fn of_array(question: &str, array: &ArrayShape, arguments: &[&str]) -> String {
    let dims = || numbers::<usize>(arguments[0]);
    let index = || numbers::<Size>(arguments[0]);
    let other = || self::array(arguments[0]);
    let dim = || dim_list(arguments[0])[0];
    let is = |answer: bool| answer.to_string();
    let both = |answers: [bool; 2]| answers.map(|answer| answer.to_string()).join(", ");
    match question {
        "delete_dimensions" => or_kind(xla::delete_dimensions(array, &dims())),
        "prepend_major_dimension" => or_kind(xla::prepend_major_dimension(array, dim())),
        "append_minor_dimension" => or_kind(xla::append_minor_dimension(array, dim())),
        "append_major_dimension" => or_kind(xla::append_major_dimension(array, dim())),
        "insert_dimensions_at_index" => or_kind(inserted(array, arguments[0], arguments[1])),
        "has_degenerate_dimensions" => is(xla::has_degenerate_dimensions(array)),
        "drop_degenerate_dimensions" => or_kind(xla::drop_degenerate_dimensions(array)),
        "permute_dimensions" => or_none(array.permute_dimensions(&dims())),
        "permute_dimensions_ignoring_layout" => {
            or_kind(xla::permute_dimensions_ignoring_layout(array, &dims()))
        }
        "make_shape_with_descending_layout_and_same_physical_layout" => {
            xla::make_shape_with_descending_layout_and_same_physical_layout(array).to_string()
        }
        "get_dimension_number" => {
            or_none(xla::get_dimension_number(array, arguments[0].parse().unwrap()))
        }
        "reshape_is_bitcast" => both([
            reshape_is_bitcast(array, &other()),
            reshape_is_bitcast_by_order(array, &other()),
        ]),
        "transpose_is_bitcast" => {
            let by = numbers::<usize>(arguments[1]);
            both([
                transpose_is_bitcast(array, &other(), &by),
                transpose_is_bitcast_by_order(array, &other(), &by),
            ])
        }
        "is_reshape_or_transpose_bitcast" => is(is_reshape_or_transpose_bitcast(array, &other())),
        "deduce_transpose_for_bitcast" => {
            or_none(deduce_transpose_for_bitcast(array, &other()).map(|by| list(&by)))
        }
        "decompose_bitcast" => steps(array, &other()),
        "align_layouts" => {
            or_none(align_layouts(array, &other()).map(|shape| text(Ok::<_, Fault>(shape))))
        }
        "normalized_transpose" => or_none(
            xla::normalized_transpose(array, &dims())
                .map(|(dims, by)| format!("{};{}", list(&dims), list(&by))),
        ),
        "linear_index" => or_none(linear_index(array, &index())),
        "get_dimension_stride" => or_none(xla::get_dimension_stride(array, dims()[0])),
        "indices_in_order" => {
            let count = xla::indices_in_order(array).count();
            assert_eq!(xla::indices_in_order(array).size_hint().0, count);
            count.to_string()
        }
        "index_in_bounds" => is(xla::index_in_bounds(array, &index())),
        "byte_strides" => or_none(xla::byte_strides(array).map(|strides| list(&strides))),
        "unpacked_byte_strides" => list(&xla::unpacked_byte_strides(array).unwrap()),
        "array_data_size" => or_none(xla::array_data_size(array)),
        "max_split_size" => {
            [0, 1, 2, 3].map(|dim| or_none(xla::max_split_size(array, dim))).join(", ")
        }
        "max_elements_in_per_split" => or_none(xla::max_elements_in_per_split(array)),
        "is_untiled_layout" => is(xla::is_untiled_layout(array)),
        "packed_factor_for_1d_interleaved_array" => {
            or_none(xla::packed_factor_for_1d_interleaved_array(array))
        }
        "is_monotonic" => is_monotonic(array),
        "is_effectively_most_major_dimension" => {
            is(xla::is_effectively_most_major_dimension(array, dims()[0]))
        }
        "are_dimensions_consecutive" => is(xla::are_dimensions_consecutive(array, &dims())),
        "move_dim_to_major" => or_kind(xla::move_dim_to_major(array, dims()[0])),
        "move_dim_to_minor" => or_kind(xla::move_dim_to_minor(array, dims()[0])),
        "set_to_default_layout" => or_kind(xla::set_to_default_layout(array)),
        "make_layout_from_major_to_minor" => {
            or_kind(xla::make_layout_from_major_to_minor(array, &dims()))
        }
        "with_minor_to_major" => or_kind(array.with_minor_to_major(&dims())),
        "with_element_type" => or_kind(array.with_element_type(element(arguments[0]))),
        "with_packed_elements" => or_kind(array.with_packed_elements(arguments[0] == "true")),
        "device_shape_to_host_shape" => {
            let host = or_kind(xla::device_shape_to_host_shape(array));
            format!("{host}, {}", xla::device_shape_is_host_shape(array))
        }
        "without_layout" => or_kind(array.without_layout()),
        "without_tiles" => array.without_tiles().with_memory_space(HOST).to_string(),
        "copy_layout_between_shapes" => or_kind(xla::copy_layout_between_shapes(array, &other())),
        _ => panic!("unknown question {question}"),
    }
}

#[test]
fn worked_examples() {
    let mut tiles = Tiles::NONE;
    assert!(tiles.begin() && tiles.push(TileDim::Size(2)) && tiles.push(TileDim::Size(2)));
    let plain = |dims: &str| array(&format!("f32[{dims}]"));
    table::check("utilities", &mut |question, columns| match (question, columns) {
        ("dims_unmodified_by_reshape", [from, to]) => {
            let pairs = xla::dims_unmodified_by_reshape(&plain(from), &plain(to));
            or_none(pairs.map(|pairs| format!("{} and {}", list(&pairs.from), list(&pairs.to))))
        }
        ("inserted_or_deleted_size_one_dims", [from, to]) => {
            let changes = xla::inserted_or_deleted_size_one_dims(&plain(from), &plain(to));
            or_none(changes.map(|changes| {
                format!("{} and {}", list(&changes.deleted), list(&changes.inserted))
            }))
        }
        ("bump_indices", [bounds, index]) => {
            let (bounds, mut index) = (numbers::<Size>(bounds), numbers::<Size>(index));
            let has_next = bump_indices(&bounds, &mut index);
            format!("{}{}", if has_next { "" } else { "none, " }, list(&index))
                .trim_end()
                .to_owned()
        }
        ("compare_indices", [a, b]) => {
            format!("{:?}", compare_indices(&numbers::<Size>(a), &numbers::<Size>(b)))
        }
        ("byte_strides_are_major_to_minor", [strides]) => {
            let dims = dims(&array("f32[8,9,10,11]"));
            byte_strides_are_major_to_minor(&numbers::<Size>(strides), &dims, ElementType::F32)
                .to_string()
        }
        ("descending_order", [rank]) => {
            or_none(xla::descending_order(rank.parse().unwrap()).map(|order| list(&order)))
        }
        ("ascending_order", [rank]) => {
            or_none(xla::ascending_order(rank.parse().unwrap()).map(|order| list(&order)))
        }
        ("make_shape_with_dense_layout", [element, dims, order]) => {
            let (dims, order) = (dim_list(dims), numbers::<usize>(order));
            or_kind(xla::make_shape_with_dense_layout(
                self::element(element),
                &dims,
                &order,
                &tiles,
            ))
        }
        ("new", [element, dims]) => {
            or_kind(ArrayShape::new(self::element(element), &dim_list(dims)))
        }
        ("is_prefix_of", [prefix, other]) => shape(prefix).is_prefix_of(&shape(other)).to_string(),
        (_, [text, arguments @ ..]) => of_array(question, &array(text), arguments),
        _ => panic!("unknown question {question}"),
    });
}
