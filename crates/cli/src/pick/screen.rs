//! Reads keys from the terminal and draws rows, even if standard input and output are redirected.

use super::model::{Action, Model};
use super::open::browsers_for;
use super::view::{PieceStyle, screen_rows};
use crate::args::ColorArg;
use crate::platform::{self, open_terminal};
use crate::signals;
use crossterm::event::{Event, KeyEventKind, poll, read};
use crossterm::style::{Attribute, Color, Print, SetAttribute, SetForegroundColor};
use crossterm::terminal::{
    self, Clear, ClearType, DisableLineWrap, EnableLineWrap, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{cursor, execute, queue};
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::panic;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The time to wait for a key before checking whether a signal was received.
const WAIT: Duration = Duration::from_millis(100);

/// The terminal on which the user chooses a URL.
pub(crate) struct Screen {
    tty: File,
    color: bool,
}

impl Screen {
    /// Opens the controlling terminal of the process. Returns `None` if there is none, or if the
    /// terminal can't move its cursor. `color` decides whether the list is drawn in color.
    pub(crate) fn new(color: ColorArg) -> Option<Self> {
        Some(Self { tty: platform::open_usable_terminal()?, color: color.is_enabled_on(true) })
    }

    /// Shows the list in `model` and lets the user choose, until the user quits. Returns the URL to
    /// print, or `None` if the user quit without printing one.
    ///
    /// # Errors
    ///
    /// Fails if the terminal can't be read or written.
    pub(crate) fn let_user_choose(self, mut model: Model) -> io::Result<Option<Vec<u8>>> {
        // A panic ends the process at once, and its message would disappear with the alternate
        // screen.
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let _ = open_terminal().and_then(|tty| restore_terminal(&tty));
            before(info);
        }));
        let chosen = enter_alternate_screen(&self.tty).and_then(|()| self.handle_keys(&mut model));
        let left = restore_terminal(&self.tty);
        let chosen = chosen?;
        left.map(|()| chosen)
    }

    /// Handles keys until the user quits or chooses to print a URL. Returns that URL, or `None` if
    /// the user quit.
    fn handle_keys(&self, model: &mut Model) -> io::Result<Option<Vec<u8>>> {
        self.draw(model)?;
        while !signals::must_stop() {
            let event = match poll(WAIT) {
                Ok(false) => continue,
                Ok(true) => read(),
                Err(error) => Err(error),
            };
            let key = match event {
                Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => key,
                Ok(Event::Resize(..)) => {
                    self.draw(model)?;
                    continue;
                }
                Ok(_) => continue,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            match model.handle_key(key) {
                Action::Show => {}
                Action::Quit => break,
                Action::Print(url) => return Ok(Some(url)),
                Action::Copy(url) => {
                    let code = data_encoding::BASE64.encode(&url);
                    write!(&self.tty, "\x1b]52;c;{code}\x07")?;
                    "sent to the clipboard of the terminal".clone_into(&mut model.message);
                }
                Action::Open(url) => {
                    model.message = self.open_url(&url)?;
                }
            }
            self.draw(model)?;
        }
        Ok(None)
    }

    /// Opens a URL with the first program that succeeds. Returns a message about the result, to be
    /// shown to the user.
    fn open_url(&self, url: &[u8]) -> io::Result<String> {
        let mut message = String::new();
        for browser in browsers_for(std::env::var_os("BROWSER").as_deref(), url) {
            let Some((program, arguments)) = browser.command.split_first() else { continue };
            let name = super::entry::to_safe_text(program.as_encoded_bytes());
            let mut command = Command::new(program);
            command.args(arguments);
            if browser.in_background {
                command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                platform::shield_from_ctrl_c(&mut command);
                match command.spawn() {
                    Ok(_) => return Ok(format!("opened with {name}")),
                    Err(error) => message = format!("{name}: {error}"),
                }
                continue;
            }
            // The program may use the terminal, so the list is hidden until it ends.
            restore_terminal(&self.tty)?;
            command.stdin(open_terminal()?).stdout(open_terminal()?).stderr(open_terminal()?);
            let status = command.status();
            enter_alternate_screen(&self.tty)?;
            match status {
                Ok(status) if status.success() => return Ok(format!("opened with {name}")),
                Ok(status) => message = format!("{name}: {status}"),
                Err(error) => message = format!("{name}: {error}"),
            }
        }
        Ok(message)
    }

    /// Draws the list on the terminal.
    fn draw(&self, model: &mut Model) -> io::Result<()> {
        let (width, height) = terminal::size()?;
        let mut out = BufWriter::new(&self.tty);
        queue!(out, Clear(ClearType::All))?;
        for (y, row) in (0..).zip(screen_rows(model, width.into(), height.into())) {
            queue!(out, cursor::MoveTo(0, y))?;
            for (look, piece) in row {
                match look {
                    PieceStyle::Chosen => queue!(out, SetAttribute(Attribute::Bold))?,
                    PieceStyle::Aside if self.color => {
                        queue!(out, SetForegroundColor(Color::DarkCyan))?;
                    }
                    PieceStyle::Warning if self.color => {
                        queue!(out, SetForegroundColor(Color::DarkRed))?;
                    }
                    PieceStyle::Plain | PieceStyle::Aside => {}
                    PieceStyle::Warning => queue!(out, SetAttribute(Attribute::Bold))?,
                }
                queue!(out, Print(piece), SetAttribute(Attribute::Reset))?;
            }
        }
        out.flush()
    }
}

/// Switches the terminal to its alternate screen and to raw mode, in which keys are read one by
/// one.
fn enter_alternate_screen(mut tty: &File) -> io::Result<()> {
    terminal::enable_raw_mode()?;
    execute!(tty, EnterAlternateScreen, DisableLineWrap, cursor::Hide)
}

/// Switches the terminal back to its normal screen and mode.
fn restore_terminal(mut tty: &File) -> io::Result<()> {
    // Restore the input mode even if the output fails.
    let left = execute!(tty, cursor::Show, EnableLineWrap, LeaveAlternateScreen);
    terminal::disable_raw_mode().and(left)
}
