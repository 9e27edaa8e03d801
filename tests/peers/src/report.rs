//! The tables: on the terminal line by line, and as Markdown with a picture.

use std::fmt::Write as _;
use std::{fs, io};

use crate::machine;
use crate::timing::Seconds;

/// The part of a Markdown file that [`Report::write`] replaces.
const BEGIN: &str = "<!-- Written by the benchmark `relayout`: `--write`. -->";
const END: &str = "<!-- End of what the benchmark writes. -->";
/// The sections that it writes there.
const ON_PAGE: [&str; 6] = [
    "Large arrays",
    "Tiles of columns",
    "Operands of matrix instructions",
    "Activations",
    "Sizes",
    "Small arrays",
];

/// What a column says about the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// What a copy of the same bytes in order reaches.
    Ceiling,
    /// What a user gets.
    Here,
    /// What a user gets without vectors.
    Safe,
    /// What a user gets by another function of the library.
    Function,
    /// The library under settings that a user does not choose.
    Variant,
    /// Another library, or code by hand.
    Peer,
}

/// A way in which the lines of a section are run. The way before the first column is the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub role: Role,
    /// The number of the column that it is also compared with, in parentheses.
    pub ceiling: Option<usize>,
}

impl Column {
    pub const fn new(name: &'static str, role: Role) -> Column {
        Column { name, role, ceiling: None }
    }

    pub const fn under(name: &'static str, role: Role, ceiling: usize) -> Column {
        Column { name, role, ceiling: Some(ceiling) }
    }
}

/// Speeds of one line.
#[derive(Clone, Debug)]
pub struct Row {
    pub name: String,
    /// Of the reference.
    seconds: f64,
    pub cells: Vec<Option<Cell>>,
}

/// A speed, and its share of the ceiling's.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub speed: f64,
    share: Option<f64>,
}

/// Lines that are run in the same ways.
#[derive(Clone, Debug)]
pub struct Section {
    pub title: &'static str,
    note: &'static str,
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
}

/// All sections of a run.
#[derive(Debug)]
pub struct Report {
    only: Vec<String>,
    sections: Vec<Section>,
}

impl Report {
    /// Of the lines with one of these texts in their names or in their section's title; of all without.
    pub fn new(only: Vec<String>) -> Report {
        println!(
            "{}\nspeeds, memcpy of the same bytes = 1; (share of the ceiling)",
            machine::description()
        );
        Report { only, sections: Vec::new() }
    }

    /// The lines that follow belong to a new section.
    pub fn section(&mut self, title: &'static str, note: &'static str, columns: Vec<Column>) {
        self.sections.push(Section { title, note, columns, rows: Vec::new() });
    }

    /// Whether a line of the last section is asked for.
    pub fn wants(&self, name: &str) -> bool {
        let title = self.sections.last().map_or("", |section| section.title);
        self.only.is_empty()
            || self.only.iter().any(|only| name.contains(only) || title.contains(only))
    }

    /// A line of the last section: the reference, then its columns.
    pub fn row(&mut self, name: &str, seconds: &[Option<Seconds>]) {
        let section = self.sections.last_mut().expect("a section was begun");
        let Some(reference) = &seconds[0] else { return };
        let cell = |column: &Column, of_this: &Option<Seconds>| {
            let of_this = of_this.as_ref()?;
            let over = column.ceiling.and_then(|ceiling| seconds[ceiling + 1].as_ref());
            let share = over.and_then(|over| of_this.speed(over));
            Some(Cell { speed: of_this.speed(reference)?, share })
        };
        let cells = section.columns.iter().zip(&seconds[1..]).map(|(column, s)| cell(column, s));
        let row = Row {
            name: name.to_owned(),
            seconds: reference.median().unwrap_or(f64::NAN),
            cells: cells.collect(),
        };
        if section.rows.is_empty() {
            let names = section.columns.iter().map(|column| format!("{:>12}", column.name));
            println!(
                "\n{:44} {:>9} {}",
                section.title,
                "memcpy",
                names.collect::<Vec<_>>().join(" ")
            );
        }
        let cells = row.cells.iter().map(|cell| format!("{:>12}", text(cell)));
        println!(
            "{:44} {:>9} {}",
            row.name,
            time(row.seconds),
            cells.collect::<Vec<_>>().join(" ")
        );
        section.rows.push(row);
    }

    /// Replaces what stands between the two comments of a Markdown file by the sections that are `ON_PAGE`: what a user gets, and
    /// what others do.
    pub fn write(&self, path: &std::path::Path) -> io::Result<()> {
        let text = fs::read_to_string(path)?;
        let parts = text
            .split_once(BEGIN)
            .and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
        let Some((before, after)) = parts else {
            return Err(io::Error::other(format!(
                "{} lacks `{BEGIN}` and `{END}`",
                path.display()
            )));
        };
        let is_on_page = |section: &&Section| ON_PAGE.contains(&section.title);
        let sections = self.sections.iter().filter(is_on_page).collect::<Vec<_>>();
        let tables = sections.chunk_by(|a, b| a.columns == b.columns).map(table);
        let tables = tables.map(|table| format!("\n{table}")).collect::<String>();
        let tables = format!("Measured on: {}.\n{tables}", machine::description());
        fs::write(path, format!("{before}{BEGIN}\n\n{tables}\n{END}{after}"))
    }
}

/// A list of the sections with their notes, and a table of their lines without the columns that have nothing.
fn table(sections: &[&Section]) -> String {
    let has_column =
        |column: &Column| matches!(column.role, Role::Here | Role::Function | Role::Peer);
    let rows = || sections.iter().flat_map(|section| &section.rows);
    let columns = &sections[0].columns;
    let shown: Vec<usize> = (0..columns.len())
        .filter(|&number| has_column(&columns[number]))
        .filter(|&number| rows().any(|row| row.cells[number].is_some()))
        .collect();
    let names = shown.iter().map(|&number| columns[number].name).collect::<Vec<_>>().join(" | ");
    let rule = "---|".repeat(shown.len() + 2);
    let mut md = String::new();
    for section in sections {
        let _ = writeln!(md, "- **{}.** {}", section.title, section.note);
    }
    let _ = write!(md, "\n| | `memcpy` | {names} |\n|{rule}\n");
    for section in sections {
        let _ = writeln!(md, "| **{}** |{}", section.title, " |".repeat(shown.len() + 1));
        for row in &section.rows {
            let cells = shown.iter().map(|&number| text(&row.cells[number]));
            let cells = cells.collect::<Vec<_>>().join(" | ");
            let _ = writeln!(md, "| {} | {} | {cells} |", row.name, time(row.seconds));
        }
    }
    md
}

fn text(cell: &Option<Cell>) -> String {
    match cell {
        Some(Cell { speed, share: Some(share) }) => format!("{speed:.2} ({share:.2})"),
        Some(Cell { speed, share: None }) => format!("{speed:.2}"),
        None => "–".to_owned(),
    }
}

fn time(seconds: f64) -> String {
    match seconds {
        _ if seconds < 1e-6 => format!("{:.0} ns", seconds * 1e9),
        _ if seconds < 1e-3 => format!("{:.1} µs", seconds * 1e6),
        _ => format!("{:.2} ms", seconds * 1e3),
    }
}
