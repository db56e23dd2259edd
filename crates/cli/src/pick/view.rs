//! How the list looks: rows of pieces, for a screen of any size.

use super::model::{Mode, Model};
use std::fmt::Write as _;

/// How a piece of a row is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    Plain,
    /// The chosen row.
    Chosen,
    /// What is said beside a URL.
    Aside,
    /// What to be wary of.
    Warning,
}

/// A row of the screen.
pub(crate) type Row = Vec<(Look, String)>;

/// Rows below the list: a rule, the line, three of the URL, marks.
const DETAILS: usize = 6;
/// Screens with fewer rows have the list alone.
const SMALL: usize = 12;
/// Rows of the URL in full.
const URL_ROWS: usize = 3;

/// The rows of a screen of this size, at most `height`; none is longer than `width` characters.
pub(crate) fn rows(model: &mut Model, width: usize, height: usize) -> Vec<Row> {
    let details = if height < SMALL { 0 } else { DETAILS };
    model.page = height.saturating_sub(2 + details).max(1);
    let mut rows = vec![head(model)];
    let top = model.cursor / model.page * model.page;
    for at in top..top + model.page {
        rows.push(model.listed.get(at).map_or_else(Row::new, |_| item(model, at)));
    }
    if details > 0 {
        rows.extend(detail(model, width));
    }
    rows.push(foot(model));
    rows.truncate(height);
    for row in &mut rows {
        cut(row, width);
    }
    rows
}

fn head(model: &Model) -> Row {
    let all = model.entries.len();
    let urls = if all == 1 { "URL" } else { "URLs" };
    let mut text = if model.listed.len() == all {
        format!("{all} {urls}")
    } else {
        format!("{} of {all} {urls}", model.listed.len())
    };
    if model.mode == Mode::Search || !model.searched.is_empty() {
        let _ = write!(text, "  /{}", super::entry::text(model.searched.as_bytes()));
    }
    if model.mode == Mode::Search {
        text.push('_');
    }
    vec![(Look::Aside, text)]
}

fn item(model: &Model, at: usize) -> Row {
    let index = model.listed[at];
    let entry = &model.entries[index];
    let is_chosen = at == model.cursor;
    let Some(choice) = entry.choices.get(if is_chosen { model.way } else { 0 }) else {
        return Row::new();
    };
    let digits = model.entries.len().to_string().len();
    let sign = if is_chosen { '>' } else { ' ' };
    let mut row = vec![(
        if is_chosen { Look::Chosen } else { Look::Plain },
        format!("{sign}{:digits$} ", index + 1),
    )];
    // Marks come first: a long URL must not push them off the screen.
    if !choice.marks.is_empty() {
        row.push((Look::Warning, format!("[{}] ", choice.marks.join(", "))));
    }
    row.push((if is_chosen { Look::Chosen } else { Look::Plain }, choice.shown()));
    if entry.count > 1 {
        row.push((Look::Aside, format!("  ×{}", entry.count)));
    }
    row
}

/// The chosen URL in its line, in full, and what is to be said of it.
fn detail(model: &Model, width: usize) -> Vec<Row> {
    let mut rows = vec![vec![(Look::Aside, "-".repeat(width))]];
    if let (Some(entry), Some(choice)) = (model.chosen(), model.choice()) {
        let line = entry.line.map(|line| format!("line {line}: ")).unwrap_or_default();
        let [before, written, after] = &entry.quoted;
        let room = width.saturating_sub(line.len());
        // Enough of what stands before it, so that it is seen itself.
        let start = before.chars().count().saturating_sub(room / 3);
        let before: String = before.chars().skip(start).collect();
        rows.push(vec![
            (Look::Aside, line),
            (Look::Plain, before),
            (Look::Chosen, written.clone()),
            (Look::Plain, after.clone()),
        ]);
        let shown: Vec<char> = choice.shown().chars().collect();
        let room = width.max(1);
        let pieces = shown.chunks(room).map(|piece| piece.iter().collect::<String>());
        rows.extend(pieces.take(URL_ROWS).map(|piece| vec![(Look::Plain, piece)]));
        if shown.len() > URL_ROWS * room
            && let Some((_, piece)) = rows.last_mut().and_then(|row| row.last_mut())
        {
            piece.pop();
            piece.push('…');
        }
        rows.resize(2 + URL_ROWS, Row::new());
        let mut said = Vec::new();
        if entry.joined {
            said.push("joined over line breaks".to_owned());
        }
        if !choice.what.is_empty() {
            said.push(choice.what.to_owned());
        }
        if entry.choices.len() > 1 {
            said.push(format!("Tab: {} of {} ways to take it", model.way + 1, entry.choices.len()));
        }
        let mut row = vec![(Look::Warning, choice.marks.join(", "))];
        row.push((
            Look::Aside,
            format!("{}{}", if choice.marks.is_empty() { "" } else { "; " }, said.join("; ")),
        ));
        rows.push(row);
    }
    rows.resize(DETAILS, Row::new());
    rows
}

fn foot(model: &Model) -> Row {
    let text = match model.mode {
        Mode::Confirm => {
            let scheme = model.choice().map(super::entry::Choice::scheme).unwrap_or_default();
            return vec![(
                Look::Warning,
                format!(
                    "open a URL of {}? y: yes, other keys: no",
                    super::entry::text(scheme.as_bytes())
                ),
            )];
        }
        _ if !model.message.is_empty() => model.message.clone(),
        Mode::Search => "type what to look for; Enter: keep, Esc: all".to_owned(),
        Mode::Choose if !model.number.is_empty() => format!("number {}", model.number),
        Mode::Choose => {
            "Enter open  c copy  p print  / search  1… number  Tab other form  q quit".to_owned()
        }
    };
    vec![(Look::Aside, text)]
}

/// Cuts a row to `width` characters.
fn cut(row: &mut Row, width: usize) {
    let mut room = width;
    for (_, piece) in row.iter_mut() {
        match piece.char_indices().nth(room) {
            Some((end, _)) => {
                piece.truncate(end);
                room = 0;
            }
            None => room -= piece.chars().count(),
        }
    }
    row.retain(|(_, piece)| !piece.is_empty());
}

#[cfg(test)]
mod tests {
    use super::rows;
    use crate::pick::entry::tests::entries;
    use crate::pick::model::Model;
    use crate::pick::model::tests::{model, typed};

    fn drawn(model: &mut Model, width: usize, height: usize) -> Vec<String> {
        let rows = rows(model, width, height);
        rows.into_iter().map(|row| row.into_iter().map(|(_, piece)| piece).collect()).collect()
    }

    #[test]
    fn a_small_screen() {
        let mut model = model(12);
        typed(&mut model, "5");
        let expected =
            ["12 URLs", "  4 http://host4.dom", "> 5 http://host5.dom", "  6 http://host6.dom"];
        let shown = drawn(&mut model, 20, 5);
        assert_eq!(shown[..4], expected);
        assert_eq!(shown[4], "number 5");
    }

    #[test]
    fn no_size_is_too_small_or_too_large() {
        let long = format!("A \u{202e} <http://h.dom/{}> \x1b[2J B", "x".repeat(2000));
        for count in [1, 40] {
            let mut many = model(count);
            let mut one = Model::new(entries(&long));
            for (width, height) in [(0, 0), (1, 1), (1, 30), (7, 3), (80, 24), (500, 100), (80, 12)]
            {
                for model in [&mut many, &mut one] {
                    let shown = drawn(model, width, height);
                    assert!(shown.len() <= height);
                    assert!(shown.iter().all(|row| row.chars().count() <= width));
                    assert!(!shown.concat().contains(['\x1b', '\u{202e}', '\n']));
                }
            }
        }
    }

    #[test]
    fn the_line_and_the_marks() {
        let mut model = Model::new(entries("Log in at http://www.p\u{430}ypal.dom/a now.\n"));
        let shown = drawn(&mut model, 80, 20);
        assert_eq!(
            shown[1],
            ">1 [look-alike host, international host] http://www.p\u{430}ypal.dom/a"
        );
        assert_eq!(shown[14], "line 1: Log in at http://www.p\u{430}ypal.dom/a now.");
        assert_eq!(shown[15], "http://www.p\u{430}ypal.dom/a");
        assert_eq!(shown[18], "look-alike host, international host; ");
    }
}
