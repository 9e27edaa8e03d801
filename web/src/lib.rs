//! What the page asks of the library: texts in, JSON and pictures out.

use layout_formats::parse_any;
use layout_picture::Picture;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

/// A layout: its picture and what is known of it.
#[wasm_bindgen]
pub fn layout(text: &str) -> String {
    match parse_any::array(text) {
        Ok(shape) => {
            json!({"text": shape.to_string(), "svg": Picture::new(&shape).map(|it| it.svg())})
        }
        Err(error) => json!({"error": error.to_string()}),
    }
    .to_string()
}
