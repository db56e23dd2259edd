//! Lays out the list as rows of styled text, for a screen of any size.

use super::model::{Mode, Model};
use std::fmt::Write as _;

/// The style in which a piece of text is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PieceStyle {
    /// Normal text.
    Plain,
    /// Text of the chosen row.
    Chosen,
    /// Text about a URL, such as its line number.
    Aside,
    /// A warning.
    Warning,
}

/// A row of the screen: pieces of text with their styles.
pub(crate) type Row = Vec<(PieceStyle, String)>;

/// The number of rows below the list: a rule, the line that contains the URL, three rows of the
/// URL, and the warnings.
const DETAILS: usize = 6;
/// The minimum height at which details are shown. Smaller screens show only the list.
const SMALL: usize = 12;
/// The number of rows for the full URL.
const URL_ROWS: usize = 3;

/// Returns the rows to draw on a screen: at most `height` rows, each of at most `width` characters.
/// Also stores in `model` how many list entries fit on the screen.
pub(crate) fn screen_rows(model: &mut Model, width: usize, height: usize) -> Vec<Row> {
    let details = if height < SMALL { 0 } else { DETAILS };
    model.page = height.saturating_sub(2 + details).max(1);
    let mut rows = vec![head_row(model)];
    let top = model.cursor / model.page * model.page;
    for at in top..top + model.page {
        rows.push(model.listed.get(at).map_or_else(Row::new, |_| entry_row(model, at)));
    }
    if details > 0 {
        rows.extend(detail_rows(model, width));
    }
    rows.push(foot_row(model));
    rows.truncate(height);
    for row in &mut rows {
        cut_row(row, width);
    }
    rows
}

/// Returns the row above the list, which shows the number of URLs and the search text.
fn head_row(model: &Model) -> Row {
    let all = model.entries.len();
    let urls = if all == 1 { "URL" } else { "URLs" };
    let mut text = if model.listed.len() == all {
        format!("{all} {urls}")
    } else {
        format!("{} of {all} {urls}", model.listed.len())
    };
    if model.mode == Mode::Search || !model.searched.is_empty() {
        let _ = write!(text, "  /{}", super::entry::to_safe_text(model.searched.as_bytes()));
    }
    if model.mode == Mode::Search {
        text.push('_');
    }
    vec![(PieceStyle::Aside, text)]
}

/// Returns the row for one entry. `listed_index` is the entry's index in `model.listed`.
fn entry_row(model: &Model, listed_index: usize) -> Row {
    let index = model.listed[listed_index];
    let entry = &model.entries[index];
    let is_chosen = listed_index == model.cursor;
    let Some(choice) = entry.choices.get(if is_chosen { model.reading } else { 0 }) else {
        return Row::new();
    };
    let digits = model.entries.len().to_string().len();
    let sign = if is_chosen { '>' } else { ' ' };
    let mut row = vec![(
        if is_chosen { PieceStyle::Chosen } else { PieceStyle::Plain },
        format!("{sign}{:digits$} ", index + 1),
    )];
    // Warnings come first, so that a long URL can't push them off the screen.
    if !choice.marks.is_empty() {
        row.push((PieceStyle::Warning, format!("[{}] ", choice.marks.join(", "))));
    }
    row.push((
        if is_chosen { PieceStyle::Chosen } else { PieceStyle::Plain },
        choice.display_text(),
    ));
    if entry.count > 1 {
        row.push((PieceStyle::Aside, format!("  ×{}", entry.count)));
    }
    row
}

/// Returns the rows with details of the entry at the cursor: the text around the URL, the full URL,
/// and the warnings.
fn detail_rows(model: &Model, width: usize) -> Vec<Row> {
    let mut rows = vec![vec![(PieceStyle::Aside, "-".repeat(width))]];
    if let (Some(entry), Some(choice)) = (model.entry_at_cursor(), model.url_at_cursor()) {
        let line = entry.line.map(|line| format!("line {line}: ")).unwrap_or_default();
        let [before, written, after] = &entry.quoted;
        let room = width.saturating_sub(line.len());
        // Only the end of the text before the URL is shown, so that the URL is visible.
        let start = before.chars().count().saturating_sub(room / 3);
        let before: String = before.chars().skip(start).collect();
        rows.push(vec![
            (PieceStyle::Aside, line),
            (PieceStyle::Plain, before),
            (PieceStyle::Chosen, written.clone()),
            (PieceStyle::Plain, after.clone()),
        ]);
        let shown: Vec<char> = choice.display_text().chars().collect();
        let room = width.max(1);
        let pieces = shown.chunks(room).map(|piece| piece.iter().collect::<String>());
        rows.extend(pieces.take(URL_ROWS).map(|piece| vec![(PieceStyle::Plain, piece)]));
        if shown.len() > URL_ROWS * room
            && let Some((_, piece)) = rows.last_mut().and_then(|row| row.last_mut())
        {
            piece.pop();
            piece.push('…');
        }
        rows.resize(2 + URL_ROWS, Row::new());
        let mut notes = Vec::new();
        if entry.joined {
            notes.push("joined over line breaks".to_owned());
        }
        if !choice.what.is_empty() {
            notes.push(choice.what.to_owned());
        }
        if entry.choices.len() > 1 {
            notes.push(format!(
                "form {} of {} (Tab: next)",
                model.reading + 1,
                entry.choices.len()
            ));
        }
        let mut row = vec![(PieceStyle::Warning, choice.marks.join(", "))];
        row.push((
            PieceStyle::Aside,
            format!("{}{}", if choice.marks.is_empty() { "" } else { "; " }, notes.join("; ")),
        ));
        rows.push(row);
    }
    rows.resize(DETAILS, Row::new());
    rows
}

/// Returns the row below the list, which shows a question, a message, or the available keys.
fn foot_row(model: &Model) -> Row {
    let text = match model.mode {
        Mode::Confirm => {
            let scheme =
                model.url_at_cursor().map(super::entry::Choice::scheme).unwrap_or_default();
            return vec![(
                PieceStyle::Warning,
                format!(
                    "open a URL with the scheme {}? y: yes, any other key: no",
                    super::entry::to_safe_text(scheme.as_bytes())
                ),
            )];
        }
        _ if !model.message.is_empty() => model.message.clone(),
        Mode::Search => "type to search; Enter: keep the matches, Esc: show all".to_owned(),
        Mode::Choose if !model.number.is_empty() => format!("number {}", model.number),
        Mode::Choose => {
            "Enter open  c copy  p print  / search  1… number  Tab other form  q quit".to_owned()
        }
    };
    vec![(PieceStyle::Aside, text)]
}

/// Cuts a row to at most `width` characters.
fn cut_row(row: &mut Row, width: usize) {
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
    use super::screen_rows;
    use crate::pick::entry::tests::entries;
    use crate::pick::model::Model;
    use crate::pick::model::tests::{model, typed};

    fn drawn(model: &mut Model, width: usize, height: usize) -> Vec<String> {
        let rows = screen_rows(model, width, height);
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
    fn any_screen_size_works() {
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
    fn line_and_warnings_are_shown() {
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
