//! All lines as one picture: horizontal bars, with marks for the ceiling and for others.

use std::fmt::Write as _;

use crate::report::{Role, Row, Section};

const WIDTH: usize = 960;
/// Where the bars begin, and how long the speed 1 is.
const LEFT: usize = 330;
const ROW: usize = 17;
const HEAD: usize = 78;

const STYLE: &str = "\
text { font: 12px sans-serif; fill: #24292f } .small { font-size: 11px; fill: #57606a }
.title { font-weight: bold } .bar { fill: #2f6fdb } .peer { fill: #d4882a }
.safe { fill: #fff; stroke: #0b2f6b; stroke-width: 1.5 }
.ceiling { stroke: #c0262d; stroke-width: 2.5 } .grid { stroke: #d8dee4 } .one { stroke: #57606a }";

/// The sections as an SVG: a bar is what a user gets, a red tick the copy with streaming stores, a ring
/// safe code, an orange dot the fastest of the others.
pub fn svg<'a>(machine: &str, sections: impl Iterator<Item = &'a Section> + Clone) -> String {
    let rows = || sections.clone().flat_map(|section| &section.rows);
    let fastest = rows().flat_map(|row| row.cells.iter().flatten()).map(|cell| cell.speed);
    let last = fastest.fold(1.0, f64::max).min(3.0).mul_add(4.0, 0.99).floor() / 4.0;
    let scale = (WIDTH - LEFT - 30) as f64 / last;
    let x = |speed: f64| LEFT as f64 + scale * speed.min(last);
    let height = HEAD + rows().count() * ROW + sections.clone().count() * (ROW + 14) + 24;

    let mut body = String::new();
    for quarter in 0..=(last * 4.0) as usize {
        let speed = quarter as f64 / 4.0;
        let (at, class) = (x(speed), if quarter == 4 { "one" } else { "grid" });
        line(&mut body, class, [at, HEAD as f64 - 8.0, at, height as f64 - 20.0]);
        text(&mut body, "small", "middle", [at, HEAD as f64 - 14.0], &format!("{speed}"));
    }
    let mut y = HEAD as f64;
    for section in sections {
        y += 22.0;
        text(&mut body, "title", "end", [LEFT as f64 - 10.0, y], section.title);
        y += 9.0;
        for row in &section.rows {
            bar(&mut body, section, row, y, x);
            y += ROW as f64;
        }
    }
    text(&mut body, "small", "start", [10.0, height as f64 - 6.0], machine);
    let mut legend = String::new();
    let names = ["this library", "copy with streaming stores", "safe code", "fastest other"];
    for (name, (at, role)) in names.iter().zip([
        (LEFT, Role::Here),
        (LEFT + 110, Role::Ceiling),
        (LEFT + 305, Role::Safe),
        (LEFT + 395, Role::Peer),
    ]) {
        mark(&mut legend, role, at as f64, at as f64 + 12.0, 40.0);
        text(&mut legend, "small", "start", [at as f64 + 20.0, 44.0], name);
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\" role=\"img\">\n\
         <title>Speed of copies between layouts</title>\n<style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text class=\"title\" x=\"10\" y=\"18\">\
         Speed of copies; memcpy of the same bytes in the same run is 1</text>\n\
         {legend}{body}</svg>\n"
    )
}

fn bar(body: &mut String, section: &Section, row: &Row, y: f64, x: impl Fn(f64) -> f64) {
    text(body, "name", "end", [LEFT as f64 - 10.0, y + 8.0], &row.name);
    for role in [Role::Here, Role::Ceiling, Role::Safe, Role::Peer] {
        let of_role =
            section.columns.iter().zip(&row.cells).filter(|(column, _)| column.role == role);
        let fastest = of_role.filter_map(|(_, cell)| cell.map(|cell| cell.speed)).reduce(f64::max);
        if let Some(speed) = fastest {
            mark(body, role, x(0.0), x(speed), y + 4.0);
        }
    }
}

/// A speed, around the middle of its line.
fn mark(body: &mut String, role: Role, from: f64, to: f64, y: f64) {
    let _ = match role {
        Role::Here => {
            let (top, width) = (y - 4.5, to - from);
            writeln!(
                body,
                "<rect class=\"bar\" x=\"{from:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"9\"/>"
            )
        }
        Role::Ceiling => {
            line(body, "ceiling", [to, y - 7.0, to, y + 7.0]);
            Ok(())
        }
        Role::Safe => {
            writeln!(body, "<circle class=\"safe\" cx=\"{to:.1}\" cy=\"{y:.1}\" r=\"3\"/>")
        }
        Role::Peer => {
            writeln!(body, "<circle class=\"peer\" cx=\"{to:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>")
        }
        Role::Function | Role::Variant => Ok(()),
    };
}

fn line(body: &mut String, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
    let _ = writeln!(
        body,
        "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
    );
}

fn text(body: &mut String, class: &str, anchor: &str, [x, y]: [f64; 2], text: &str) {
    let _ = writeln!(
        body,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
        escaped(text)
    );
}

/// Names have Markdown's marks of code, which a picture has no use for.
fn escaped(text: &str) -> String {
    text.replace('`', "").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
