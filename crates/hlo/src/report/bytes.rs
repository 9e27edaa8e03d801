//! Bytes for a person, and the memory of devices.

use core::fmt;
use core::str::FromStr;

use layout_core::tpu::Tpu;

/// A number of bytes, which displays with a unit and three digits: `6.79 GiB`.
///
/// # Examples
/// ```
/// use layout_hlo::Bytes;
///
/// let texts = [0, 1023, 1536, 7_291_652_608].map(|bytes| Bytes(bytes).to_string());
/// assert_eq!(texts, ["0 B", "1023 B", "1.50 KiB", "6.79 GiB"]);
///
/// // Units are powers of 1024, also without `iB`.
/// let read = ["15.75G", "512 MiB", "4096"].map(|text| text.parse::<Bytes>().ok());
/// assert_eq!(read, [Some(Bytes(16_911_433_728)), Some(Bytes(512 << 20)), Some(Bytes(4096))]);
/// assert!("v5e".parse::<Bytes>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut value = self.0 as f64;
        let mut units = [" KiB", " MiB", " GiB", " TiB", " PiB", " EiB"].iter();
        let mut unit = " B";
        while value >= 1023.5 {
            value /= 1024.0;
            unit = units.next().unwrap_or(&" ZiB");
        }
        let digits = match value {
            _ if unit == " B" => 0,
            value if value < 9.995 => 2,
            value if value < 99.95 => 1,
            _ => 0,
        };
        f.pad(&alloc::format!("{value:.digits$}{unit}"))
    }
}

/// A text that is not a number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BytesError;

impl fmt::Display for BytesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a number of bytes, as in `15.75G`, `512 MiB` or `4096`")
    }
}

impl core::error::Error for BytesError {}

impl FromStr for Bytes {
    type Err = BytesError;

    fn from_str(text: &str) -> Result<Bytes, BytesError> {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let unit = match text[end..].trim().trim_end_matches('B').trim_end_matches('i') {
            "" => 0,
            unit => 1 + "KMGTPE".find(unit).ok_or(BytesError)?,
        };
        let value = text[..end].parse::<f64>().map_err(|_| BytesError)?;
        let bytes = value * (1u64 << (10 * unit)) as f64;
        if bytes < u64::MAX as f64 { Ok(Bytes(bytes as u64)) } else { Err(BytesError) }
    }
}

/// Devices, and the bytes of their memory that programs can have: of TPUs what the compiler says when it runs out, of GPUs the three
/// quarters that JAX takes by default.
const DEVICES: [(&str, u64); 11] = [
    ("v3", gib(15.48)),
    ("v4", gib(30.75)),
    ("v5e", gib(15.75)),
    ("v5p", gib(95.74)),
    ("v6e", gib(31.25)),
    ("v7x", gib(94.74)),
    ("a100-40", 42_331_013_120 / 4 * 3),
    ("a100-80", 85_100_068_864 / 4 * 3),
    ("h100", 84_942_979_072 / 4 * 3),
    ("h200", 151_397_597_184 / 4 * 3),
    ("b200", 191_514_411_008 / 4 * 3),
];

const fn gib(count: f64) -> u64 {
    (count * (1u64 << 30) as f64) as u64
}

/// The bytes that programs can have of a device's memory: of a TPU (`v5e`) all that the compiler gives out, of a GPU (`h100`) the three
/// quarters that JAX takes by default. `None` of a device that is not known; [`device_names`] lists the others.
///
/// # Examples
/// ```
/// use layout_hlo::device_bytes;
///
/// assert_eq!(device_bytes("v5e"), "15.75G".parse().ok());
/// assert_eq!(device_bytes("v9"), None);
/// ```
pub fn device_bytes(name: &str) -> Option<Bytes> {
    // A generation has other names too.
    let name = Tpu::from_name(name).map_or(name, |tpu| tpu.name());
    DEVICES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| Bytes(*bytes))
}

/// The devices whose memory is known.
pub fn device_names() -> impl Iterator<Item = &'static str> {
    DEVICES.iter().map(|(name, _)| *name)
}
