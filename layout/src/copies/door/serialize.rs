//! Buffers in serde's formats: as the canonical text of the shape, the sizes, and the elements in
//! row-major order.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use layout_core::ArrayShape;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::copies::door::to::buffer_of_row_major;
use crate::memory::Buffer;
use crate::memory::stored::StoredIn;

const FIELDS: &[&str] = &["shape", "dims", "elements"];

/// A buffer is serialized as a struct with three fields: `shape`, the canonical text of the layout; `dims`, the sizes of the
/// dimensions, dimension 0 first; `elements`, in row-major order. Padding is left out.
///
/// # Examples
/// ```
/// use layout::{Buffer, layout};
///
/// let buffer = Buffer::<layout!(S32[2,2]{0,1:T(2,2)}), i32>::from_fn(|[i, j]| (2 * i + j) as i32);
/// let json = serde_json::to_string(&buffer)?;
/// assert_eq!(json, r#"{"shape":"s32[2,2]{0,1:T(2,2)}","dims":[2,2],"elements":[0,1,2,3]}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
impl<L: AnyLayout, T: StoredIn<L> + Serialize> Serialize for Buffer<L, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Buffer", FIELDS.len())?;
        fields.serialize_field(FIELDS[0], L::VALUE)?;
        fields.serialize_field(FIELDS[1], self.dims().as_ref())?;
        fields.serialize_field(FIELDS[2], &self.to_row_major())?;
        fields.end()
    }
}

/// Reads a buffer of the layout `L`. It is an error if the shape is another one, if the layout cannot have the sizes, or if
/// the number of elements is another. Padding gets the default value, for numbers 0.
impl<'de, L, T> Deserialize<'de> for Buffer<L, T>
where
    L: AnyLayout,
    T: StoredIn<L> + Default + Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let () = T::HAS_SIZE;
        deserializer.deserialize_struct("Buffer", FIELDS, Fields(PhantomData))
    }
}

/// Reads the fields of a buffer.
struct Fields<L, T>(PhantomData<(L, T)>);

/// Makes the buffer from the fields, if they fit the layout and one another.
fn buffer<L, T, E>(shape: ArrayShape, dims: &[usize], elements: &[T]) -> Result<Buffer<L, T>, E>
where
    L: AnyLayout,
    T: StoredIn<L> + Default,
    E: de::Error,
{
    if shape != *L::VALUE {
        return Err(E::custom(format_args!("expected the shape {}, got {shape}", L::VALUE)));
    }
    let layout = WithDims::<L>::checked_list(dims).map_err(E::custom)?;
    buffer_of_row_major(layout, elements).map_err(E::custom)
}

impl<'de, L, T> Visitor<'de> for Fields<L, T>
where
    L: AnyLayout,
    T: StoredIn<L> + Default + Deserialize<'de>,
{
    type Value = Buffer<L, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the shape {}, its sizes and its elements", L::VALUE)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Buffer<L, T>, A::Error> {
        let missing = |number| de::Error::invalid_length(number, &self);
        let shape = fields.next_element()?.ok_or_else(|| missing(0))?;
        let dims = fields.next_element::<Vec<usize>>()?.ok_or_else(|| missing(1))?;
        let elements = fields.next_element::<Vec<T>>()?.ok_or_else(|| missing(2))?;
        buffer(shape, &dims, &elements)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Buffer<L, T>, A::Error> {
        let (mut shape, mut dims, mut elements) = (None, None, None);
        while let Some(Field(field)) = fields.next_key()? {
            let is_new = match field {
                0 => shape.replace(fields.next_value()?).is_none(),
                1 => dims.replace(fields.next_value::<Vec<usize>>()?).is_none(),
                _ => elements.replace(fields.next_value::<Vec<T>>()?).is_none(),
            };
            if !is_new {
                return Err(de::Error::duplicate_field(FIELDS[field]));
            }
        }
        let missing = |field: usize| de::Error::missing_field(FIELDS[field]);
        let shape = shape.ok_or_else(|| missing(0))?;
        let dims = dims.ok_or_else(|| missing(1))?;
        let elements = elements.ok_or_else(|| missing(2))?;
        buffer(shape, &dims, &elements)
    }
}

/// The name of a field, as its number in `FIELDS`.
struct Field(usize);

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_identifier(FieldName)
    }
}

/// Reads the name of a field.
struct FieldName;

impl Visitor<'_> for FieldName {
    type Value = Field;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`shape`, `dims` or `elements`")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Field, E> {
        let field = FIELDS.iter().position(|field| *field == name);
        field.map(Field).ok_or_else(|| E::unknown_field(name, FIELDS))
    }
}
