//! The state of the list, and how it changes when a key is pressed. This module does not depend on
//! the terminal.

use super::entry::{Choice, Entry};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The schemes that are opened without confirmation: those that browsers and mail programs handle.
const OPENED: [&str; 4] = ["http", "https", "ftp", "mailto"];

/// The action that [`Model::handle_key`] tells the screen to take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Redraw the screen.
    Show,
    /// Open the URL.
    Open(Vec<u8>),
    /// Copy the URL to the clipboard.
    Copy(Vec<u8>),
    /// Print the URL and exit.
    Print(Vec<u8>),
    /// Exit.
    Quit,
}

/// The input mode of the list, which determines what the next key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Keys are commands.
    Choose,
    /// Keys are characters of the search text.
    Search,
    /// The key answers the question whether to open a URL with an unusual scheme.
    Confirm,
}

/// The state of the list that `urlsift pick` shows: the entries, the cursor, and the search.
pub(crate) struct Model {
    pub(crate) entries: Vec<Entry>,
    /// The indices in `entries` of the entries that match the search.
    pub(crate) listed: Vec<usize>,
    /// The index in `listed` of the chosen entry.
    pub(crate) cursor: usize,
    /// The index in the entry's `choices` of the chosen URL.
    pub(crate) reading: usize,
    pub(crate) mode: Mode,
    /// The search text.
    pub(crate) searched: String,
    /// The digits typed so far of an entry's number.
    pub(crate) number: String,
    /// A message about the result of the last action.
    pub(crate) message: String,
    /// The number of list rows that fit on the screen.
    pub(crate) page: usize,
}

impl Model {
    pub(crate) fn new(entries: Vec<Entry>) -> Self {
        Self {
            listed: (0..entries.len()).collect(),
            entries,
            cursor: 0,
            reading: 0,
            mode: Mode::Choose,
            searched: String::new(),
            number: String::new(),
            message: String::new(),
            page: 1,
        }
    }

    /// Returns the entry at the cursor, or `None` if no entry matches the search text.
    pub(crate) fn entry_at_cursor(&self) -> Option<&Entry> {
        self.entries.get(*self.listed.get(self.cursor)?)
    }

    /// Returns the selected URL of the entry at the cursor. Returns `None` if no entry matches the
    /// search text.
    pub(crate) fn url_at_cursor(&self) -> Option<&Choice> {
        self.entry_at_cursor()?.choices.get(self.reading)
    }

    /// Updates the list for a key that the user pressed. Returns the action that the screen must
    /// take.
    pub(crate) fn handle_key(&mut self, key: KeyEvent) -> Action {
        self.message.clear();
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && matches!(key.code, KeyCode::Char('c')) {
            return Action::Quit;
        }
        match self.mode {
            Mode::Choose => self.handle_list_key(key.code, control),
            Mode::Search => self.handle_search_key(key.code, control),
            Mode::Confirm => {
                self.mode = Mode::Choose;
                match (key.code, self.url_at_cursor()) {
                    (KeyCode::Char('y'), Some(choice)) => Action::Open(choice.url.clone()),
                    _ => Action::Show,
                }
            }
        }
    }

    /// Handles a key in [`Mode::Choose`], in which keys are commands. Returns the action that the
    /// screen must take.
    fn handle_list_key(&mut self, code: KeyCode, control: bool) -> Action {
        if let KeyCode::Char(digit @ '0'..='9') = code {
            self.number.push(digit);
            self.move_to_typed_number();
            return Action::Show;
        }
        self.number.clear();
        let last = self.listed.len().saturating_sub(1);
        match code {
            KeyCode::Char('q') => return Action::Quit,
            KeyCode::Esc if self.searched.is_empty() => return Action::Quit,
            KeyCode::Esc => self.filter_entries(String::new()),
            KeyCode::Char('/') => {
                self.mode = Mode::Search;
                self.filter_entries(String::new());
            }
            KeyCode::Down | KeyCode::Char('j') => self.move_cursor(self.cursor + 1),
            KeyCode::Char('n') if control => self.move_cursor(self.cursor + 1),
            KeyCode::Up | KeyCode::Char('k') => self.move_cursor(self.cursor.saturating_sub(1)),
            KeyCode::Char('p') if control => self.move_cursor(self.cursor.saturating_sub(1)),
            KeyCode::PageDown | KeyCode::Char(' ') => self.move_cursor(self.cursor + self.page),
            KeyCode::PageUp => self.move_cursor(self.cursor.saturating_sub(self.page)),
            KeyCode::Home | KeyCode::Char('g') => self.move_cursor(0),
            KeyCode::End | KeyCode::Char('G') => self.move_cursor(last),
            KeyCode::Tab => {
                let readings = self.entry_at_cursor().map_or(1, |entry| entry.choices.len());
                self.reading = (self.reading + 1) % readings;
            }
            KeyCode::Enter | KeyCode::Char('o') => return self.open_or_confirm(),
            KeyCode::Char('c' | 'y') => return self.action_with_url(Action::Copy),
            KeyCode::Char('p') => return self.action_with_url(Action::Print),
            _ => {}
        }
        Action::Show
    }

    /// Handles a key in [`Mode::Search`], in which keys edit the search text. Returns the action
    /// that the screen must take.
    fn handle_search_key(&mut self, code: KeyCode, control: bool) -> Action {
        let mut searched = self.searched.clone();
        match code {
            KeyCode::Enter => self.mode = Mode::Choose,
            KeyCode::Esc => {
                self.mode = Mode::Choose;
                self.filter_entries(String::new());
            }
            KeyCode::Down => self.move_cursor(self.cursor + 1),
            KeyCode::Up => self.move_cursor(self.cursor.saturating_sub(1)),
            KeyCode::Char('u') if control => self.filter_entries(String::new()),
            KeyCode::Backspace => {
                searched.pop();
                self.filter_entries(searched);
            }
            KeyCode::Char(c) if !control => {
                searched.push(c);
                self.filter_entries(searched);
            }
            _ => {}
        }
        Action::Show
    }

    /// Returns `action` applied to the URL at the cursor. If no entry is listed, returns `Show`,
    /// which does nothing but redraw.
    fn action_with_url(&self, action: fn(Vec<u8>) -> Action) -> Action {
        self.url_at_cursor().map_or(Action::Show, |choice| action(choice.url.clone()))
    }

    /// Returns the action that opens the URL at the cursor. If the scheme of the URL is unusual,
    /// first asks the user to confirm.
    fn open_or_confirm(&mut self) -> Action {
        let Some(choice) = self.url_at_cursor() else { return Action::Show };
        if OPENED.contains(&&*choice.scheme()) {
            return Action::Open(choice.url.clone());
        }
        self.mode = Mode::Confirm;
        Action::Show
    }

    /// Moves the cursor to index `to` of `listed`, or to the last listed entry if `to` is larger.
    fn move_cursor(&mut self, to: usize) {
        self.cursor = to.min(self.listed.len().saturating_sub(1));
        self.reading = 0;
    }

    /// Moves the cursor to the entry whose number the user has typed. Shows a message if that entry
    /// is not listed.
    fn move_to_typed_number(&mut self) {
        let wanted = self.number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match self.listed.iter().position(|&index| Some(index) == wanted) {
            Some(at) => self.move_cursor(at),
            None => self.message = format!("there is no URL number {}", self.number),
        }
        // Number complete: it has as many digits as the highest number.
        if self.number.len() >= self.entries.len().to_string().len() {
            self.number.clear();
        }
    }

    /// Updates the search text to `searched`, and lists only the matching entries. An entry matches
    /// if its URL or line contains every word of the text, ignoring case.
    fn filter_entries(&mut self, searched: String) {
        let words: Vec<String> = searched.split_whitespace().map(str::to_lowercase).collect();
        let here = self.listed.get(self.cursor).copied();
        let matches = |entry: &Entry| {
            let mut text = entry.quoted.concat();
            for choice in &entry.choices {
                text.push(' ');
                text.push_str(&choice.display_text());
            }
            let text = text.to_lowercase();
            words.iter().all(|word| text.contains(&**word))
        };
        self.listed =
            (0..self.entries.len()).filter(|&index| matches(&self.entries[index])).collect();
        self.searched = searched;
        let at = self.listed.iter().position(|&index| Some(index) == here);
        self.move_cursor(at.unwrap_or(0));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Action, Mode, Model};
    use crate::pick::entry::tests::entries;
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    pub(in crate::pick) fn typed(model: &mut Model, keys: &str) -> Action {
        let mut action = Action::Show;
        for key in keys.chars() {
            let code = match key {
                '\n' => KeyCode::Enter,
                '\t' => KeyCode::Tab,
                '\x1b' => KeyCode::Esc,
                '\x08' => KeyCode::Backspace,
                key => KeyCode::Char(key),
            };
            action = model.handle_key(KeyEvent::new(code, KeyModifiers::NONE));
        }
        action
    }

    pub(in crate::pick) fn model(count: usize) -> Model {
        let text: Vec<_> = (1..=count).map(|n| format!("Here is http://host{n}.dom/{n}")).collect();
        Model::new(entries(&text.join("\n")))
    }

    fn opened(url: &str) -> Action {
        Action::Open(url.as_bytes().to_vec())
    }

    #[test]
    fn by_number() {
        let mut model = model(12);
        assert_eq!(typed(&mut model, "12\n"), opened("http://host12.dom/12"));
        assert_eq!(typed(&mut model, "3\n"), opened("http://host3.dom/3"));
        assert_eq!(typed(&mut model, "99"), Action::Show);
        assert_eq!((&*model.message, model.cursor), ("there is no URL number 99", 8));
        assert_eq!(typed(&mut model, "0\n"), opened("http://host9.dom/9"));
    }

    #[test]
    fn by_arrows_within_bounds() {
        let mut model = model(3);
        assert_eq!(typed(&mut model, "jjjjj\n"), opened("http://host3.dom/3"));
        assert_eq!(typed(&mut model, "kkkkk\n"), opened("http://host1.dom/1"));
        assert_eq!(typed(&mut model, "Gc"), Action::Copy(b"http://host3.dom/3".to_vec()));
        assert_eq!(typed(&mut model, "gp"), Action::Print(b"http://host1.dom/1".to_vec()));
        assert_eq!(typed(&mut model, "q"), Action::Quit);
    }

    #[test]
    fn by_search() {
        let mut model = model(12);
        typed(&mut model, "/HOST1 here");
        assert_eq!(model.listed, [0, 9, 10, 11]);
        typed(&mut model, "\n");
        assert_eq!(typed(&mut model, "j\n"), opened("http://host10.dom/10"));
        typed(&mut model, "/xyz");
        assert_eq!(model.url_at_cursor(), None);
        assert_eq!(typed(&mut model, "\n\nop\t"), Action::Show);
        assert_eq!(typed(&mut model, "\x1b"), Action::Show);
        assert_eq!(model.listed.len(), 12);
        assert_eq!(typed(&mut model, "\x1b"), Action::Quit);
        typed(&mut model, "/7x\x08");
        assert_eq!(model.listed, [6]);
    }

    #[test]
    fn other_schemes_need_confirmation() {
        let mut model = Model::new(entries(
            "At telnet://host.dom/ or FTP://host.dom/a and mailto:joe@host.dom",
        ));
        assert_eq!(typed(&mut model, "\n"), Action::Show);
        assert_eq!(model.mode, Mode::Confirm);
        assert_eq!(typed(&mut model, "n"), Action::Show);
        assert_eq!(typed(&mut model, "\n\n"), Action::Show);
        assert_eq!(typed(&mut model, "\ny"), opened("telnet://host.dom/"));
        assert_eq!(typed(&mut model, "2\n"), opened("FTP://host.dom/a"));
        assert_eq!(typed(&mut model, "3\n"), opened("mailto:joe@host.dom"));
    }

    #[test]
    fn confirmation_depends_on_the_target_of_a_rewritten_link() {
        let link = "https://www.google.com/url?q=telnet%3A%2F%2Fother.dom%2F";
        let mut model = Model::new(entries(link));
        assert_eq!(typed(&mut model, "\n"), Action::Show);
        assert_eq!(model.mode, Mode::Confirm);
        assert_eq!(typed(&mut model, "n\t\n"), opened(link));
        assert_eq!(typed(&mut model, "\ty"), Action::Copy(b"telnet://other.dom/".to_vec()));
    }
}
