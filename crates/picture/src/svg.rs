//! SVG as text: the elements, the page and the colours of all pictures of this library.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::{Display, Write as _};

use layout_core::Visible;

/// Colours of things beside one another, which take turns. With each kind of colour blindness they differ by a CIEDE2000 of 10
/// at least; the first eight by 8 where they are pale fills, and each from the next by 15.
pub const COLORS: [&str; 11] = [
    "#6eaeff", "#70503d", "#35249c", "#afaaab", "#c44708", "#037d9a", "#d3aa09", "#76153f",
    "#125aac", "#e5dd51", "#c3b091",
];

/// A picture: its elements, and what the page says of it.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The class of the picture, by which all rules of `style` begin: a notebook has other pictures beside it.
    pub class: &'a str,
    /// What the picture is of.
    pub title: &'a str,
    /// Width and height, in pixels.
    pub size: [f64; 2],
    /// Whether the picture has this size on the reader's page, and not that of the page.
    pub is_fixed: bool,
    /// The size of letters. Those of the class `h` are pale. Letters and the page are dark on a dark screen.
    pub font: usize,
    /// Rules of style.
    pub style: &'a str,
    /// The elements.
    pub body: &'a str,
}

impl Page<'_> {
    /// The whole document.
    pub fn document(&self) -> String {
        let Page { class, title, size: [width, height], is_fixed, font, style, body } = self;
        let size = if *is_fixed {
            format!(" width=\"{width}\" height=\"{height}\"")
        } else {
            String::new()
        };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{class}\"{size} viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
             <title>{}</title>\n\
             <style>.{class} text{{font:{font}px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1e293b}}\
             .{class} .h{{fill:#64748b}}@media screen and (prefers-color-scheme:dark){{.{class} text{{fill:#e2e8f0}}\
             .{class} .h{{fill:#94a3b8}}.{class} .page{{fill:#0f172a}}}}{style}</style>\n\
             <rect class=\"page\" width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{body}</svg>\n",
            escape(title)
        )
    }
}

/// Writes a rectangle: its left, its top, its width and its height, and other attributes.
pub fn rect<T: Display>(out: &mut String, [x, y, width, height]: [T; 4], attributes: &str) {
    let place = format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
    let _ = writeln!(out, "<rect {place} {attributes}/>");
}

/// Writes a text at a place, with other attributes.
pub fn text<T: Display>(out: &mut String, [x, y]: [T; 2], attributes: &str, text: &str) {
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" {attributes}>{}</text>", escape(text));
}

/// Writes lines of this class.
pub fn path(out: &mut String, class: &str, path: &str) {
    let _ = writeln!(out, "<path class=\"{class}\" d=\"{path}\"/>");
}

/// Text in XML, also in attributes. What is hidden in it is shown.
pub fn escape(text: &str) -> String {
    let text = Visible(text).to_string().replace('&', "&amp;").replace('"', "&quot;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}
