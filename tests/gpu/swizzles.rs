//! Swizzles.
