//! Shapes in serde's formats: as their canonical text.

use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::shape::{ArrayShape, Shape};

/// Reads text.
struct OfText<S>(&'static str, PhantomData<S>);

impl<S: FromStr<Err: fmt::Display>> Visitor<'_> for OfText<S> {
    type Value = S;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<S, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($shape:ident $expected:literal)*) => {$(
        /// Serializes the canonical text, in any format.
        impl Serialize for $shape {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        /// Deserializes any text that [`str::parse`] accepts; the error message lists its faults.
        impl<'de> Deserialize<'de> for $shape {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(OfText::<$shape>($expected, PhantomData))
            }
        }
    )*};
}

as_text! {
    ArrayShape "the shape of an array, as `f32[3,5]{1,0:T(2,2)}`"
    Shape "a shape, as `(f32[3,5]{1,0}, token[])`"
}
