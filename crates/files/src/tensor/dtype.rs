//! Element types, as files call them: the one table.

use std::fmt;

use layout_core::{ElementType, Message};
use safetensors::Dtype as SafetensorsDtype;
use serde::{Deserialize, Serialize};

/// The element type of a tensor in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Dtype {
    /// One that layouts have. A value takes whole bytes, but those of `F4E2M1FN` lie two in a byte.
    Element(ElementType),
    /// Another one, by the name that the file gives: `>f4`, `<V2`, `F6_E2M3`.
    Other {
        /// The name.
        name: String,
        /// Bits of a value.
        bits: u64,
    },
}

/// A type, its name in safetensors, in the headers of numpy, and its number in GGUF. What numpy has no name for is
/// `V` with the number of bytes, as the package `ml_dtypes` writes it. Floats of a byte that have no other name need no row.
type Row = (ElementType, Option<SafetensorsDtype>, &'static str, Option<u32>);

const TABLE: &[Row] = {
    use ElementType::*;
    use SafetensorsDtype as St;
    &[
        (PRED, Some(St::BOOL), "|b1", None),
        (S8, Some(St::I8), "|i1", Some(24)),
        (S16, Some(St::I16), "<i2", Some(25)),
        (S32, Some(St::I32), "<i4", Some(26)),
        (S64, Some(St::I64), "<i8", Some(27)),
        (U8, Some(St::U8), "|u1", None),
        (U16, Some(St::U16), "<u2", None),
        (U32, Some(St::U32), "<u4", None),
        (U64, Some(St::U64), "<u8", None),
        (F4E2M1FN, Some(St::F4), "", None),
        (F8E4M3FN, Some(St::F8_E4M3), "<V1", None),
        (F8E5M2, Some(St::F8_E5M2), "<V1", None),
        (F8E8M0FNU, Some(St::F8_E8M0), "<V1", None),
        (F8E4M3FNUZ, Some(St::F8_E4M3FNUZ), "<V1", None),
        (F8E5M2FNUZ, Some(St::F8_E5M2FNUZ), "<V1", None),
        (F16, Some(St::F16), "<f2", Some(1)),
        (BF16, Some(St::BF16), "<V2", Some(30)),
        (F32, Some(St::F32), "<f4", Some(0)),
        (F64, Some(St::F64), "<f8", Some(28)),
        (C64, Some(St::C64), "<c8", None),
        (C128, None, "<c16", None),
    ]
};

fn row(element: ElementType) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.0 == element)
}

impl Dtype {
    /// Bits of a value in a file.
    pub const fn bits(&self) -> u64 {
        match self {
            Dtype::Element(ElementType::F4E2M1FN) => 4,
            Dtype::Element(element) => 8 * element.bytes() as u64,
            Dtype::Other { bits, .. } => *bits,
        }
    }

    /// The type that layouts have, if it is one of those.
    pub const fn element(&self) -> Option<ElementType> {
        match self {
            Dtype::Element(element) => Some(*element),
            Dtype::Other { .. } => None,
        }
    }

    /// Bytes that a file says nothing of; numpy calls them so too.
    pub(crate) fn untyped() -> Dtype {
        Dtype::Other { name: "|V1".to_owned(), bits: 8 }
    }

    /// Whether elements of another type are stored in such a tensor: words of packed ones, bytes that have no type.
    pub(crate) fn can_carry(&self, element: ElementType) -> bool {
        use ElementType::*;
        match self {
            Dtype::Other { name, .. } => name.contains('V'),
            Dtype::Element(own) if *own == element => true,
            Dtype::Element(own @ (U8 | S8 | U16 | S16 | U32 | S32 | U64 | S64)) => {
                element.bits() <= own.bits()
            }
            Dtype::Element(_) => false,
        }
    }

    /// Why elements of another type have no layout, and what to do.
    pub(crate) fn no_layout(&self) -> Message {
        self.refused(format!("elements of type `{self}` have no layout"))
    }

    /// What is wrong with elements of another type, and what to do with them.
    pub(crate) fn refused(&self, what: String) -> Message {
        let name = self.to_string();
        let kind = name.get(1..).unwrap_or_default();
        let descr = match (kind.as_bytes().first(), kind) {
            (Some(b'V'), _) => {
                return Message::from(what).with_help("say what they are, as in `bf16[300,500]`");
            }
            (Some(b'S' | b'U'), _) => return format!("{what}: texts are not numbers").into(),
            (Some(b'm' | b'M'), _) => "i8",
            // `long double` of processors.
            (_, "f12" | "f16") => "f8",
            (_, "c24" | "c32") => "c16",
            (Some(b'i' | b'u' | b'f' | b'c' | b'b'), _) => kind,
            _ => return what.into(),
        };
        format!("{what}: save `a.astype('<{descr}')` of numpy instead").into()
    }

    pub(crate) fn of_safetensors(dtype: SafetensorsDtype) -> Dtype {
        match TABLE.iter().find(|row| row.1 == Some(dtype)) {
            Some(row) => Dtype::Element(row.0),
            None => Dtype::Other { name: dtype.to_string(), bits: dtype.bitsize() as u64 },
        }
    }

    pub(crate) fn safetensors(&self) -> Option<SafetensorsDtype> {
        match self {
            Dtype::Element(element) => row(*element)?.1,
            // Its reader knows the names.
            Dtype::Other { name, .. } => {
                serde_json::from_value(serde_json::Value::String(name.clone())).ok()
            }
        }
    }

    /// A type by the `descr` of numpy's header.
    pub(crate) fn of_numpy(descr: &str) -> Option<Dtype> {
        if let Some(row) = TABLE.iter().find(|row| row.2 == descr && !descr.contains('V')) {
            return Some(Dtype::Element(row.0));
        }
        let mut chars = descr.chars();
        let (Some('<' | '>' | '|' | '='), Some(kind)) = (chars.next(), chars.next()) else {
            return None;
        };
        let (bytes, unit) = match chars.as_str().split_once('[') {
            // Units of time.
            Some((bytes, unit)) if matches!(kind, 'm' | 'M') => (bytes, unit.strip_suffix(']')?),
            Some(_) => return None,
            None => (chars.as_str(), ""),
        };
        // The name is printed and written as it is.
        if !bytes.bytes().chain(unit.bytes()).all(|c| c.is_ascii_alphanumeric()) {
            return None;
        }
        let bytes: u64 = bytes.parse().ok()?;
        let bits = match kind {
            'U' => bytes.checked_mul(32)?,
            'b' | 'i' | 'u' | 'f' | 'c' | 'V' | 'S' | 'm' | 'M' => bytes.checked_mul(8)?,
            _ => return None,
        };
        Some(Dtype::Other { name: descr.to_owned(), bits })
    }

    pub(crate) fn numpy(&self) -> Option<&str> {
        match self {
            Dtype::Element(element) => match row(*element) {
                Some(row) => Some(row.2).filter(|name| !name.is_empty()),
                None => (element.is_float() && element.bits() == 8).then_some("<V1"),
            },
            Dtype::Other { name, .. } => Dtype::of_numpy(name).map(|_| name.as_str()),
        }
    }

    pub(crate) fn of_ggml(number: u32) -> Option<ElementType> {
        TABLE.iter().find(|row| row.3 == Some(number)).map(|row| row.0)
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dtype::Element(element) => element.fmt(f),
            Dtype::Other { name, .. } => name.fmt(f),
        }
    }
}

impl From<Dtype> for String {
    fn from(dtype: Dtype) -> String {
        dtype.to_string()
    }
}

impl TryFrom<String> for Dtype {
    type Error = String;

    fn try_from(name: String) -> Result<Dtype, String> {
        if let Some(element) = ElementType::from_name(&name) {
            return Ok(Dtype::Element(element));
        }
        if let Some(dtype) = Dtype::of_numpy(&name) {
            return Ok(dtype);
        }
        let dtype = serde_json::from_value(serde_json::Value::String(name.clone()));
        dtype.map(Dtype::of_safetensors).map_err(|_| format!("unknown element type `{name}`"))
    }
}
