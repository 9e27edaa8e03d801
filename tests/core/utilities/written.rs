//! Each utility of XLA that is an expression here, the table of them in `docs/xla.md`, and worked examples.

use std::cmp::Ordering;

use layout::bitcast::{reshape_is_bitcast, transpose_is_bitcast};
use layout::shape::Origin::{New, Old};
use layout::shape::memory_space::HOST;
use layout::shape::{Dim, DimNumbers, Equal, Fault, FaultKind, Index, Size, TileDim, permutation};
use layout::{ArrayShape, ElementType, Shape};
use layout_tests::lists::{array, list, numbers, shape};
use layout_tests::{files, table};

use super::text;

/// Functions whose body is what `docs/xla.md` says to write for the utilities of these names.
macro_rules! utilities {
    ($($($xla:literal)|+ => fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty { $write:expr })*) => {
        const WRITTEN: &[(&[&str], &str)] = &[$((&[$($xla),+], stringify!($write))),*];

        $(fn $name($($argument: $type),*) -> $result {
            $write
        })*
    };
}

utilities! {
    "Major" => fn major(shape: &ArrayShape, place: usize) -> usize { shape.major_to_minor()[place] }
    "Minor" => fn minor(shape: &ArrayShape, place: usize) -> usize { shape.minor_to_major()[place] }
    "MakeLogicalToPhysical" => fn logical_to_physical(shape: &ArrayShape) -> Option<DimNumbers> {
        permutation::inverse(&shape.major_to_minor())
    }
    "IsMonotonicWithDim0Major" | "HasDescendingLayout" => fn descends(shape: &ArrayShape) -> bool {
        shape.major_to_minor().is_sorted()
    }
    "IsMonotonicWithDim0Minor" | "HasAscendingLayout" => fn ascends(shape: &ArrayShape) -> bool {
        shape.minor_to_major().is_sorted()
    }
    "LastDimIsMinorMost" => fn last_is_minor(shape: &ArrayShape) -> bool {
        shape.minor_to_major().first().is_none_or(|dim| dim + 1 == shape.rank())
    }
    "IsEffectivelyMostMajorDimension" => fn is_most_major(shape: &ArrayShape, dim: usize) -> bool {
        shape.major_to_minor().iter().find(|at| **at == dim || shape.dims()[**at].size() != Some(1)) == Some(&dim)
    }
    "AreDimensionsConsecutive" => fn are_consecutive(shape: &ArrayShape, dims: &[usize]) -> bool {
        dims.is_empty() || shape.minor_to_major().windows(dims.len()).any(|run| run.iter().all(|dim| dims.contains(dim)))
    }
    "MakeDescendingLayout" | "GetDefaultLayoutForRank" => fn descending(rank: usize) -> Vec<usize> {
        (0..rank).rev().collect()
    }
    "MakeAscendingLayout" => fn ascending(rank: usize) -> Vec<usize> { (0..rank).collect() }
    "MakeLayoutFromMajorToMinor" => fn of_major_to_minor(shape: &ArrayShape, order: &[usize]) -> Result<ArrayShape, Fault> {
        shape.with_minor_to_major(&order.iter().rev().copied().collect::<Vec<_>>())
    }
    "SetToDefaultLayout" => fn set_to_default(shape: &ArrayShape) -> Result<ArrayShape, Fault> { shape.with_default_order() }
    "MoveDimToMajor" => fn move_to_major(shape: &ArrayShape, dim: usize) -> Result<ArrayShape, Fault> {
        shape.with_minor_to_major(&[&shape.minor_to_major().iter().copied().filter(|at| *at != dim).collect::<Vec<_>>()[..], &[dim]].concat())
    }
    "MoveDimToMinor" => fn move_to_minor(shape: &ArrayShape, dim: usize) -> Result<ArrayShape, Fault> {
        shape.with_minor_to_major(&[&[dim], &shape.minor_to_major().iter().copied().filter(|at| *at != dim).collect::<Vec<_>>()[..]].concat())
    }
    "MakeShapeWithDenseLayout" => fn dense(element: ElementType, dims: &[Dim], order: &[usize], tiles: &[&[TileDim]]) -> Result<ArrayShape, Fault> {
        ArrayShape::of_lists(element, dims, order, tiles)
    }
    "MakeShapeWithDescendingLayoutAndSamePhysicalLayout" => fn same_physical(shape: &ArrayShape) -> ArrayShape { shape.descending() }
    "PermuteDimensionsIgnoringLayout" => fn permute_sizes(shape: &ArrayShape, by: &[usize]) -> Option<Result<ArrayShape, Fault>> {
        shape.permute_dimensions(by).map(|permuted| permuted.with_minor_to_major(shape.minor_to_major()))
    }
    "DeleteDimension" | "DeleteDimensions" => fn delete(shape: &ArrayShape, dims: &[usize]) -> Result<ArrayShape, Fault> {
        shape.with_dimensions(&(0..shape.rank()).filter(|dim| !dims.contains(dim)).map(Old).collect::<Vec<_>>(), 0)
    }
    "FilterDimensions" | "DropDegenerateDimensions" => fn drop_degenerate(shape: &ArrayShape) -> Result<ArrayShape, Fault> {
        shape.with_dimensions(&(0..shape.rank()).filter(|dim| shape.dims()[*dim].size() != Some(1)).map(Old).collect::<Vec<_>>(), 0)
    }
    "HasDegenerateDimensions" => fn has_degenerate(shape: &ArrayShape) -> bool {
        shape.dims().iter().any(|dim| dim.size() == Some(1))
    }
    "PrependMajorDimension" => fn prepend(shape: &ArrayShape, size: Dim) -> Result<ArrayShape, Fault> {
        shape.with_dimensions(&[New(size)].into_iter().chain((0..shape.rank()).map(Old)).collect::<Vec<_>>(), shape.rank())
    }
    "AppendMajorDimension" => fn append_major(shape: &ArrayShape, size: Dim) -> Result<ArrayShape, Fault> {
        shape.with_dimensions(&(0..shape.rank()).map(Old).chain([New(size)]).collect::<Vec<_>>(), shape.rank())
    }
    "AppendMinorDimension" => fn append_minor(shape: &ArrayShape, size: Dim) -> Result<ArrayShape, Fault> {
        shape.with_dimensions(&(0..shape.rank()).map(Old).chain([New(size)]).collect::<Vec<_>>(), 0)
    }
    "InsertDimensionAtIndex" | "InsertDimensionsAtIndex" => fn insert(shape: &ArrayShape, at: usize, sizes: &[Dim]) -> Result<ArrayShape, Fault> {
        shape.with_dimensions(&(0..at).map(Old).chain(sizes.iter().copied().map(New)).chain((at..shape.rank()).map(Old)).collect::<Vec<_>>(), shape.minor_to_major().iter().position(|dim| *dim == at).map_or(0, |place| place + 1))
    }
    "DeviceShapeToHostShape" => fn host(shape: &ArrayShape) -> Result<ArrayShape, Fault> {
        shape.without_layout()?.with_minor_to_major(shape.minor_to_major())
    }
    "DeviceShapeIsHostShape" => fn is_host(shape: &ArrayShape) -> bool { !shape.has_properties() && shape.swizzle().is_none() }
    "IsUntiledLayout" => fn is_untiled(shape: &ArrayShape) -> bool {
        shape.tiles().is_empty() || reshape_is_bitcast(shape, &shape.without_tiles())
    }
    "CopyLayoutBetweenShapes" => fn copy_layout(from: &ArrayShape, to: &ArrayShape) -> Result<ArrayShape, Fault> { to.with_layout_of(from) }
    "Compatible" => fn compatible(a: &Shape, b: &Shape) -> bool {
        Equal::new().ignore_layout().ignore_dynamic_dimension().shapes(a, b)
    }
    "CompatibleIgnoringElementType" => fn compatible_dims(a: &Shape, b: &Shape) -> bool {
        Equal::new().ignore_layout().ignore_dynamic_dimension().ignore_element_type().shapes(a, b)
    }
    "CompatibleIgnoringFpPrecision" => fn compatible_floats(a: &Shape, b: &Shape) -> bool {
        Equal::new().ignore_layout().ignore_dynamic_dimension().ignore_fp_precision().shapes(a, b)
    }
    "SameDimensions" => fn same_dims(a: &ArrayShape, b: &ArrayShape) -> bool { a.dims() == b.dims() }
    "GetDimensionNumber" | "GetDimension" => fn dimension_number(shape: &ArrayShape, dim: isize) -> Option<usize> {
        usize::try_from(if dim < 0 { dim + shape.rank() as isize } else { dim }).ok().filter(|dim| *dim < shape.rank())
    }
    "TrueNumDimensions" | "TrueRank" => fn true_rank(shape: &ArrayShape) -> usize { shape.true_rank() }
    "ArraySize" => fn array_size(shape: &ArrayShape) -> Option<Size> { shape.xla_bytes() }
    "MaxSplitSize" => fn max_split_size(shape: &ArrayShape, dim: usize) -> Option<Size> { shape.longest_part(dim) }
    "MaxElementsInPerSplit" => fn max_elements(shape: &ArrayShape) -> Option<Size> {
        (0..shape.rank()).map(|dim| shape.longest_part(dim)).product()
    }
    "ArrayDataSize" => fn data_size(shape: &ArrayShape) -> Option<Size> {
        shape.digits().ok().map(|digits| (0..digits.size()).rev().find(|slot| digits.index(*slot).is_some()).map_or(0, |slot| ((slot + 1) * shape.element_bits()).div_ceil(8)))
    }
    "PackedFactorFor1DInterleavedArray" => fn packed_factor(shape: &ArrayShape) -> Option<TileDim> {
        (shape.rank() == 1 && shape.tiles().len() == 3).then(|| shape.tiles().dim(2, 0))
    }
    "MultidimensionalIndexToLinearIndex" => fn linear_index(host: &ArrayShape, index: &[Size]) -> Option<Size> { host.digits().ok()?.offset(index) }
    "LinearIndexToMultidimensionalIndex" => fn index_of(host: &ArrayShape, linear: Size) -> Option<Index> { host.digits().ok()?.index(linear) }
    "ForEachIndex" => fn for_each_index(host: &ArrayShape, f: &mut dyn FnMut(Index)) -> Option<()> {
        host.digits().ok().map(|digits| (0..digits.elements()).filter_map(|linear| digits.index(linear)).for_each(f))
    }
    "BumpIndices" => fn bump(dims: &[Size], index: &mut [Size]) -> bool {
        index.iter_mut().zip(dims).rev().any(|(at, size)| { *at = (*at + 1) % size; *at > 0 })
    }
    "CompareIndices" => fn compare(a: &[Size], b: &[Size]) -> Ordering { a.cmp(b) }
    "IndexInBounds" => fn in_bounds(shape: &ArrayShape, index: &[Size]) -> bool {
        index.len() == shape.rank() && index.iter().zip(shape.dims()).all(|(at, dim)| dim.size().is_none_or(|size| *at < size))
    }
    "GetDimensionStride" => fn dimension_stride(shape: &ArrayShape, dim: usize) -> Option<Size> {
        shape.minor_to_major().iter().take_while(|at| **at != dim).map(|at| shape.dims()[*at].size()).product()
    }
    "ByteStrides" => fn byte_strides(shape: &ArrayShape) -> Option<Vec<Size>> {
        shape.digits().ok()?.strides().map(|all| all[..shape.rank()].iter().map(|stride| stride.factor * shape.element_bits() / 8).collect())
    }
    "UnpackedByteStrides" => fn unpacked_byte_strides(host: &ArrayShape) -> Option<Vec<Size>> {
        host.digits().ok()?.strides().map(|all| all[..host.rank()].iter().map(|stride| stride.factor * host.element_type().bytes()).collect())
    }
    "ByteStridesIsMajorToMinor" => fn is_major_to_minor(shape: &ArrayShape, strides: &[Size]) -> bool {
        shape.dims().iter().zip(strides).rev().try_fold(shape.element_type().bytes(), |stride, (dim, given)| (stride == *given).then_some(stride * dim.size()?)).is_some()
    }
    "IsReshapeOrTransposeBitcast" => fn is_either(from: &ArrayShape, to: &ArrayShape, by: &[usize]) -> bool {
        reshape_is_bitcast(from, to) || transpose_is_bitcast(from, to, by)
    }
    "DeduceTransposeDimensionsForBitcast" => fn deduce(from: &ArrayShape, to: &ArrayShape) -> Option<DimNumbers> {
        permutation::compose(&from.major_to_minor(), &permutation::inverse(&to.major_to_minor())?).filter(|by| transpose_is_bitcast(from, to, by))
    }
    "DecomposeBitcast" | "DecomposeBitcastToTrt" => fn decomposes(from: &ArrayShape, to: &ArrayShape) -> bool {
        reshape_is_bitcast(&from.descending(), &to.descending())
    }
    "DimensionsUnmodifiedByReshape" => fn is_unmodified(from: &[Size], to: &[Size], i: usize, j: usize) -> bool {
        from[i] > 1 && from[i] == to[j] && from[..i].iter().product::<Size>() == to[..j].iter().product::<Size>()
    }
    "InsertedOrDeleted1SizedDimensions" => fn only_ones(from: &[Size], to: &[Size]) -> bool {
        from.iter().filter(|size| **size != 1).eq(to.iter().filter(|size| **size != 1))
    }
    "IsPrefix" => fn is_prefix(prefix: &Shape, shape: &Shape) -> bool {
        prefix.subshapes().all(|(index, part)| shape.subshape(&index).is_some_and(|other| part == other || matches!(part, Shape::Tuple(parts) if parts.is_empty() || matches!(other, Shape::Tuple(_)))))
    }
    "IsNestedTuple" => fn is_nested(shape: &Shape) -> bool { shape.parts().iter().any(|part| matches!(part, Shape::Tuple(_))) }
    "MakeMaybeTupleShape" => fn maybe_tuple(shapes: Vec<Shape>) -> Shape {
        match <[Shape; 1]>::try_from(shapes) { Ok([shape]) => shape, Err(shapes) => Shape::Tuple(shapes.into()) }
    }
    "GetMutableSubshape" => fn subshape_mut(shape: &mut Shape, index: Vec<usize>) -> Option<&mut Shape> {
        index.iter().try_fold(shape, |shape, part| match shape { Shape::Tuple(parts) => parts.get_mut(*part), _ => None })
    }
    "ByteSizeOfElementsRecursive" => fn bytes_recursive(shape: &Shape) -> Option<Size> {
        shape.leaves().filter_map(|(_, leaf)| leaf.as_array()).map(|array| array.unpadded_bytes()).sum()
    }
}

/// The text without spaces and without commas before a bracket.
fn bare(text: &str) -> String {
    text.split_whitespace().collect::<String>().replace(",)", ")").replace(",}", "}")
}

/// The page has a row for each utility with exactly this expression, and a search in the documentation finds each name.
#[test]
fn the_table_of_the_page() {
    let page = files::text("docs/xla.md");
    let table = page.lines().skip_while(|line| !line.starts_with("| XLA | write |")).skip(2);
    let rows = table.take_while(|line| line.starts_with('|')).map(bare).collect::<Vec<_>>();
    let expected = WRITTEN.iter().map(|(names, written)| {
        let names = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let written = written.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("| {names} | `{}` |", written.replace('|', "\\|"))
    });
    let expected = expected.collect::<Vec<_>>();
    let are_same = rows.iter().eq(expected.iter().map(|row| bare(row)).collect::<Vec<_>>().iter());
    assert!(are_same, "the rows are\n{}", expected.join("\n"));
    let sources = ["crates/core/src", "crates/copy/src", "layout/src"];
    let sources = sources.iter().flat_map(|folder| files::texts(folder, "rs"));
    let sources = sources.map(|(_, text)| text).collect::<String>();
    for name in WRITTEN.iter().flat_map(|(names, _)| *names) {
        assert!(sources.contains(&format!("\"{name}\"")), "{name} is not an alias");
    }
}

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
    ArrayShape: |shape| text(Ok::<_, Fault>(shape));
    DimNumbers: |numbers| list(&numbers);
    Vec<Size>: |numbers| list(&numbers);
    TileDim: |entry| match entry {
        TileDim::Size(size) => size.to_string(),
        TileDim::Combined => "*".to_owned(),
    };
}

// There `Size` is another type.
#[cfg(not(target_pointer_width = "64"))]
said! {
    usize: |number| number.to_string();
    Vec<usize>: |numbers| list(&numbers);
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
    if !decomposes(from, to) {
        return "none".to_owned();
    }
    let (first, second) = (from.major_to_minor(), permutation::inverse(&to.major_to_minor()));
    let (first, second) = (list(&first), list(&second.unwrap()));
    let (transposed, reshaped) = (from.descending(), to.descending());
    format!("transpose {first} to {transposed}, reshape to {reshaped}, transpose {second}")
}

/// The number of an index, and back, in the order of the dimensions.
fn linear(array: &ArrayShape, index: &[Size]) -> Option<Size> {
    let host = host(array).unwrap();
    let number = linear_index(&host, index)?;
    assert_eq!(*index_of(&host, number).unwrap(), *index);
    assert_eq!(index_of(&host, array.elements().unwrap()), None);
    let mut count = 0;
    for_each_index(&host, &mut |index| {
        assert_eq!(linear_index(&host, &index), Some(count));
        let strides = (0..array.rank()).map(|dim| dimension_stride(array, dim).unwrap());
        assert_eq!(strides.zip(index.iter()).map(|(s, i)| s * i).sum::<Size>(), count);
        count += 1;
    });
    Some(number)
}

fn is_monotonic(array: &ArrayShape) -> [bool; 2] {
    assert_eq!(last_is_minor(array), descends(array));
    let places = logical_to_physical(array).unwrap();
    for (dim, &place) in places.iter().enumerate() {
        assert_eq!((major(array, place), minor(array, array.rank() - 1 - place)), (dim, dim));
    }
    [descends(array), ascends(array)]
}

/// What an expression on arrays says.
fn of_array(question: &str, array: &ArrayShape, arguments: &[&str]) -> String {
    let dims = || numbers::<usize>(arguments[0]);
    let index = || numbers::<Size>(arguments[0]);
    let by = || numbers::<usize>(arguments[1]);
    let other = || self::array(arguments[0]);
    let number = || arguments[0].parse().unwrap();
    let size = || dim_list(arguments[0])[0];
    match question {
        "byte_strides" => byte_strides(array).said(),
        "unpacked_byte_strides" => unpacked_byte_strides(&host(array).unwrap()).said(),
        "array_data_size" => data_size(array).said(),
        "max_elements_in_per_split" => max_elements(array).said(),
        "max_split_size" => [0, 1, 2, 3].map(|dim| max_split_size(array, dim)).said(),
        "packed_factor_for_1d_interleaved_array" => packed_factor(array).said(),
        "set_to_default_layout" => set_to_default(array).said(),
        "delete_dimensions" => delete(array, &dims()).said(),
        "are_dimensions_consecutive" => are_consecutive(array, &dims()).said(),
        "get_dimension_stride" => dimension_stride(array, number()).said(),
        "move_dim_to_major" => move_to_major(array, number()).said(),
        "move_dim_to_minor" => move_to_minor(array, number()).said(),
        "is_reshape_or_transpose_bitcast" => is_either(array, &other(), &by()).said(),
        "deduce_transpose_for_bitcast" => deduce(array, &other()).said(),
        "decompose_bitcast" => steps(array, &other()),
        "is_untiled_layout" => is_untiled(array).said(),
        "make_layout_from_major_to_minor" => of_major_to_minor(array, &dims()).said(),
        "is_effectively_most_major_dimension" => is_most_major(array, number()).said(),
        "index_in_bounds" => in_bounds(array, &index()).said(),
        "prepend_major_dimension" => prepend(array, size()).said(),
        "append_minor_dimension" => append_minor(array, size()).said(),
        "append_major_dimension" => append_major(array, size()).said(),
        "insert_dimensions_at_index" => insert(array, number(), &dim_list(arguments[1])).said(),
        "has_degenerate_dimensions" => has_degenerate(array).said(),
        "drop_degenerate_dimensions" => drop_degenerate(array).said(),
        "permute_dimensions" => array.permute_dimensions(&dims()).said(),
        "permute_dimensions_ignoring_layout" => permute_sizes(array, &dims()).said(),
        "make_shape_with_descending_layout_and_same_physical_layout" => same_physical(array).said(),
        "get_dimension_number" => dimension_number(array, arguments[0].parse().unwrap()).said(),
        "true_num_dimensions" => true_rank(array).said(),
        "array_size" => array_size(array).said(),
        "reshape_is_bitcast" => [
            reshape_is_bitcast(array, &other()),
            reshape_is_bitcast(&host(array).unwrap(), &host(&other()).unwrap()),
        ]
        .said(),
        "transpose_is_bitcast" => transpose_is_bitcast(array, &other(), &by()).said(),
        "linear_index" => linear(array, &index()).said(),
        "is_monotonic" => is_monotonic(array).said(),
        "with_minor_to_major" => array.with_minor_to_major(&dims()).said(),
        "with_element_type" => array.with_element_type(element(arguments[0])).said(),
        "with_packed_elements" => array.with_packed_elements(arguments[0] == "true").said(),
        "device_shape_to_host_shape" => [host(array).said(), is_host(array).said()].join(", "),
        "without_layout" => array.without_layout().said(),
        "without_tiles" => array.without_tiles().with_memory_space(HOST).said(),
        "copy_layout_between_shapes" => copy_layout(array, &other()).said(),
        _ => panic!("unknown question {question}"),
    }
}

#[test]
fn worked_examples() {
    table::check("utilities", &mut |question, columns| match (question, columns) {
        ("dims_unmodified_by_reshape", [from, to]) => {
            let (from, to) = (numbers(from), numbers(to));
            let pairs = (0..from.len()).flat_map(|i| (0..to.len()).map(move |j| (i, j)));
            let found = pairs.filter(|(i, j)| is_unmodified(&from, &to, *i, *j));
            let (i, j) = found.unzip::<_, _, Vec<_>, Vec<_>>();
            format!("{} and {}", list(&i), list(&j))
        }
        ("inserted_or_deleted_size_one_dims", [from, to]) => {
            only_ones(&numbers(from), &numbers(to)).said()
        }
        ("bump_indices", [bounds, index]) => {
            let mut index = numbers::<Size>(index);
            let has_next = bump(&numbers::<Size>(bounds), &mut index);
            let next = format!("{}{}", if has_next { "" } else { "none, " }, list(&index));
            next.trim_end().to_owned()
        }
        ("compare_indices", [a, b]) => format!("{:?}", compare(&numbers(a), &numbers(b))),
        ("byte_strides_are_major_to_minor", [strides]) => {
            is_major_to_minor(&array("f32[8,9,10,11]"), &numbers(strides)).said()
        }
        ("descending_order", [rank]) => descending(rank.parse().unwrap()).said(),
        ("ascending_order", [rank]) => ascending(rank.parse().unwrap()).said(),
        ("make_shape_with_dense_layout", [element, dims, order]) => {
            let (element, dims) = (self::element(element), dim_list(dims));
            let tiles: [&[TileDim]; 1] = [&[TileDim::Size(2); 2]];
            dense(element, &dims, &numbers::<usize>(order), &tiles).said()
        }
        ("new", [element, dims]) => ArrayShape::new(self::element(element), &dim_list(dims)).said(),
        ("is_prefix", [prefix, other]) => is_prefix(&shape(prefix), &shape(other)).said(),
        (_, [text, arguments @ ..]) => of_array(question, &array(text), arguments),
        _ => panic!("unknown question {question}"),
    });
}

#[test]
fn expressions_on_tuples() {
    let mut tuple = shape("(f32[2], (s32[3], (), token[]), opaque[])");
    assert!(is_nested(&tuple) && !is_nested(&shape("(f32[2], token[])")));
    *subshape_mut(&mut tuple, vec![1, 2]).unwrap() = shape("f32[4]");
    assert_eq!(subshape_mut(&mut tuple, vec![0, 0]), None);
    assert_eq!(tuple.to_string(), "(f32[2]{0}, (s32[3]{0}, (), f32[4]{0}), opaque[])");
    assert_eq!(bytes_recursive(&tuple), Some(8 + 12 + 16));
    assert_eq!(bytes_recursive(&shape("(s32[16,32,64], s8[16,32,64])")), Some(163_840));
    assert_eq!(maybe_tuple(vec![Shape::Token]), Shape::Token);
    assert_eq!(maybe_tuple(vec![]), shape("()"));

    let (a, b) = (shape("(f32[2,3]{0,1}, token[])"), shape("(f32[2,<=3], token[])"));
    let half = shape("(bf16[2,3], token[])");
    assert!(compatible(&a, &b) && !compatible(&a, &half) && compatible_floats(&a, &half));
    let bytes = shape("(s8[2,3], token[])");
    assert!(compatible_dims(&a, &bytes) && !compatible_floats(&a, &bytes));
    assert!(same_dims(&array("s8[2,3]{0,1}"), &array("f32[2,3]")));
    assert!(!same_dims(&array("s8[2,3]"), &array("s8[2,4]")));
}
