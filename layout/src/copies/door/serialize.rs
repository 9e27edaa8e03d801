//! Buffers in serde's formats: as the canonical text of the shape, the sizes, and the elements in
//! row-major order.

use alloc::vec::Vec;

use layout_core::ArrayShape;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::copies::door::owned::buffer_of_row_major;
use crate::memory::{Buffer, stored::StoredIn};

#[derive(serde::Serialize)]
#[serde(rename = "Buffer")]
struct Written<'a, T> {
    shape: &'a ArrayShape,
    dims: &'a [usize],
    elements: Vec<T>,
}

#[derive(serde::Deserialize)]
#[serde(rename = "Buffer", deny_unknown_fields)]
#[serde(expecting = "the shape of a buffer, its sizes and its elements")]
struct Read<T> {
    shape: ArrayShape,
    dims: Vec<usize>,
    elements: Vec<T>,
}

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
        let (dims, elements) = (self.dims(), self.to_row_major());
        Written { shape: L::VALUE, dims: dims.as_ref(), elements }.serialize(serializer)
    }
}

/// Reads a buffer of the layout `L`. It is an error if the shape is another one, if the layout cannot have the sizes, or if
/// the number of elements is another. Padding gets the default value, for numbers 0.
impl<'de, L: AnyLayout, T: StoredIn<L> + Default + Deserialize<'de>> Deserialize<'de>
    for Buffer<L, T>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let () = T::HAS_SIZE;
        let Read { shape, dims, elements } = Read::<T>::deserialize(deserializer)?;
        if shape != *L::VALUE {
            let expected = L::VALUE;
            return Err(D::Error::custom(format_args!(
                "expected the shape {expected}, got {shape}"
            )));
        }
        let layout = WithDims::<L>::checked_list(&dims).map_err(D::Error::custom)?;
        buffer_of_row_major(layout, &elements).map_err(D::Error::custom)
    }
}
