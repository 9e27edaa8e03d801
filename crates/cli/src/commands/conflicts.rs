//! `layout conflicts`.

use layout_core::base::width::native;
use layout_core::{ArrayShape, Size};
use layout_gpu::banks::{Access, BANKS, LANES, Remedy, WarpAccess, Word, search};
use layout_picture::gpu::banks;

use crate::arguments::Conflicts;
use crate::file;
use crate::output::{Answer, Page, Refusal, count};
use crate::shape;

pub(crate) fn conflicts(arguments: &Conflicts) -> Result<Answer, Refusal> {
    let shape = shape::sized_words(&arguments.shape)?;
    let accesses = accesses(arguments, &shape)?;
    let mut page = Page { text: format!("{shape}\n") };
    let mut is_free = true;
    for (text, access) in arguments.accesses.iter().zip(&accesses) {
        let addresses = access.addresses(&shape)?;
        is_free &= addresses.conflicts() == 0;
        let bytes = count(access.bytes() as Size, "byte");
        page.line(&format!("\naccess [{}], {bytes} a lane", text.trim()));
        numbers(&mut page, &addresses);
        if !arguments.brief {
            picture(&mut page, &addresses);
        }
    }
    if arguments.search {
        let found = search(&shape, &accesses)?;
        page.line("\nfewest wavefronts of all accesses");
        remedy(&mut page, "swizzle", &shape, found.swizzle);
        remedy(&mut page, "padding", &shape, found.padding);
    }
    let text = match &arguments.svg {
        Some(file) => file::write_picture(file, banks(&shape, &accesses)?)?,
        None => page.text,
    };
    Ok(Answer { text, is_yes: is_free })
}

fn accesses(arguments: &Conflicts, shape: &ArrayShape) -> Result<Vec<Access>, Refusal> {
    let (given, texts) = (&arguments.bytes, &arguments.accesses);
    if given.len() > 1 && given.len() != texts.len() {
        let message = format!("--bytes has {} numbers for {} accesses", given.len(), texts.len());
        return Err(Refusal::new(message, "give one, or one for each access"));
    }
    let own = native(shape.element_bits().div_ceil(8));
    let active = u32::MAX >> (LANES as u32 - arguments.lanes);
    let access = |(number, text): (usize, &String)| {
        let bytes = given.get(number).or(given.first()).copied().unwrap_or(own);
        Ok(Access::parse(text, bytes)?.only(active).at(arguments.base))
    };
    texts.iter().enumerate().map(access).collect()
}

fn numbers(page: &mut Page, addresses: &WarpAccess) {
    page.row("wavefronts", addresses.wavefronts());
    page.row("ideal", addresses.ideal());
    let meeting = addresses.meeting().map(|meeting| format!("; {meeting}"));
    page.row("conflicts", format!("{}{}", addresses.conflicts(), meeting.unwrap_or_default()));
}

/// A row for each wavefront: the lanes that each bank serves.
fn picture(page: &mut Page, addresses: &WarpAccess) {
    let mut rows = String::new();
    for number in 0..addresses.phases() {
        let phase = addresses.phase(number);
        for wavefront in 0..phase.wavefronts() {
            let name = if wavefront == 0 { format!("phase {number}") } else { String::new() };
            let cells =
                (0..BANKS).map(|bank| phase.words(bank).get(wavefront).map_or(".".into(), cell));
            let cells = cells.map(|cell| format!("{cell:>3}")).collect::<String>();
            rows += format!("  {name:8}{cells}").trim_end();
            rows.push('\n');
        }
    }
    let is_shared = rows.contains('+');
    let shared = if is_shared { "; + is the first of several that share a word" } else { "" };
    page.line(&format!("\n  lanes in each bank, a row for each wavefront{shared}"));
    let banks = (0..BANKS).map(|bank| format!(" {bank:>2}")).collect::<String>();
    page.line(&format!("  bank    {banks}"));
    page.text += &rows;
}

/// The lane that touches a word, or the first of several.
fn cell(word: &Word) -> String {
    let mark = if word.lanes.count_ones() > 1 { "+" } else { "" };
    format!("{mark}{}", word.first_lane())
}

fn remedy(page: &mut Page, name: &str, shape: &ArrayShape, found: Option<Remedy>) {
    let Some(found) = found else {
        page.row(name, "none with which the accesses are possible");
        return;
    };
    let bytes = |shape: &ArrayShape| shape.bytes().unwrap_or(0);
    let more = match bytes(&found.shape).saturating_sub(bytes(shape)) {
        0 => String::new(),
        more => format!(", {} more", count(more, "byte")),
    };
    let wavefronts = count(found.wavefronts as Size, "wavefront");
    let conflicts = count(found.conflicts as Size, "conflict");
    page.row(name, format!("{}{more}: {wavefronts}, {conflicts}", found.shape));
    page.row("", format!("the fewest of {} tried", count(found.tried as Size, "layout")));
}
