//! Tables of questions and answers, in files of the folder `data/tables`.
//!
//! A line `[question]` stands before the rows of a table, and a comment (`#`) before it says what the columns are. ` | `
//! separates the columns of a row; the last one is the answer, which is empty after ` |`.

use std::fmt::{Debug, Display};

use crate::data;

/// A row: where it stands, its question and its columns.
#[derive(Debug)]
pub struct Row {
    /// For messages.
    pub place: String,
    /// The heading of its table.
    pub question: String,
    /// At least one.
    pub columns: Vec<String>,
}

/// The rows of a file.
///
/// # Panics
/// If it cannot be read, or has a line of another form.
pub fn rows(name: &str) -> Vec<Row> {
    let mut question = "";
    let mut rows = Vec::new();
    let text = data::text(&format!("tables/{name}.txt"));
    for (number, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut columns = line.split(" | ").map(str::to_owned).collect::<Vec<_>>();
        if let Some(last) = columns.last().and_then(|last| last.strip_suffix(" |")) {
            let last = last.to_owned();
            columns.pop();
            columns.extend([last, String::new()]);
        }
        let heading = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        if let (Some(heading), 1) = (heading, columns.len()) {
            question = heading;
            continue;
        }
        let place = format!("tables/{name}.txt:{}: {question}: {line}", number + 1);
        rows.push(Row { place, question: question.to_owned(), columns });
    }
    rows
}

/// The columns of the rows below one heading.
///
/// # Panics
/// As [`rows`], and if there are none.
pub fn of(name: &str, question: &str) -> Vec<Vec<String>> {
    let own = rows(name).into_iter().filter(|row| row.question == question);
    let columns = own.map(|row| row.columns).collect::<Vec<_>>();
    assert!(!columns.is_empty(), "{name}: {question}");
    columns
}

/// The lines below one heading, which have one column.
///
/// # Panics
/// As [`of`].
pub fn texts(name: &str, question: &str) -> Vec<String> {
    of(name, question).into_iter().map(|mut columns| columns.remove(0)).collect()
}

/// Compares the answers of a file, its last column, with what a function says of a question and the other columns.
///
/// # Panics
/// With all rows that differ.
pub fn check(name: &str, says: &mut dyn FnMut(&str, &[&str]) -> String) {
    let mut wrong = Vec::new();
    for Row { place, question, columns } in rows(name) {
        let columns = columns.iter().map(String::as_str).collect::<Vec<_>>();
        let (answer, columns) = columns.split_last().expect("a row has columns");
        let found = says(&question, columns);
        if found != *answer {
            wrong.push(format!("{place}\nis {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A result as an answer: what it is, or the name of its error.
pub fn or_name<T: Display, E: Debug>(result: Result<T, E>) -> String {
    result.map_or_else(|error| format!("{error:?}"), |value| value.to_string())
}

/// A result as an answer: what it is, or what its error says.
pub fn or_message<T: Display, E: Display>(result: Result<T, E>) -> String {
    result.map_or_else(|error| error.to_string(), |value| value.to_string())
}

/// An option as an answer.
pub fn or_none<T: Display>(option: Option<T>) -> String {
    option.map_or_else(|| "none".to_owned(), |value| value.to_string())
}
