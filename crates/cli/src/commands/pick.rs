//! The subcommand `pick`: lets the user choose from the URLs in a message.

use crate::args::PickArgs;
use crate::exit::Exit;
use crate::io::inputs::Inputs;
use crate::io::output::{check_outputs_and_get_ids, stdout};
use crate::pick::{Entries, Model, Screen, format_numbered_list};
use crate::platform::{self, should_read_stdin};
use crate::print::sanitize::escape_unsafe;
use crate::signals;
use anyhow::{Context as _, bail};
use std::fs::File;
use std::io::{self, IsTerminal as _, Write as _};
use urlsift_core::Secrets;
use urlsift_records::{Input, Options, Scan, Unwrap};

pub(crate) fn run(args: &PickArgs) -> anyhow::Result<Exit> {
    let path = args.path.as_deref().filter(|path| path.as_os_str() != "-");
    check_outputs_and_get_ids(&[None], &Inputs::from_path(path.unwrap_or("-".as_ref())))?;
    let input = if let Some(path) = path {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        Input::from_file(platform::printed_bytes(path), file)
    } else {
        if args.path.is_none() && !should_read_stdin() {
            bail!("no message given; name a file, or pass one on standard input");
        }
        Input::from_stream("-", io::stdin().lock())
    };
    let mut options = Options::default();
    options.unwrap = Unwrap::Add;
    options.quoted = true;
    let hides = Secrets::from_flags(true, args.mask_secrets).unwrap_or_default();
    let mut entries = Entries::new(args.all, hides);
    // If an error occurs, the URLs that were found before it are shown.
    let trouble = Scan::new(options).read(input, &mut entries).err();
    let entries = entries.into_list();

    let terminal = io::stdout().is_terminal();
    let exit = if entries.is_empty() { Exit::Nothing } else { Exit::Success };
    let screen = if entries.is_empty() || args.list { None } else { Screen::new(args.color) };
    let text = if let Some(screen) = screen {
        signals::install_handlers()?;
        let mut chosen = screen.let_user_choose(Model::new(entries))?.unwrap_or_default();
        if !chosen.is_empty() {
            chosen = escape_unsafe(&chosen, terminal).into_owned();
            chosen.push(b'\n');
        }
        chosen
    } else if entries.is_empty() {
        if terminal { b"no URL in this message\n".to_vec() } else { Vec::new() }
    } else {
        format_numbered_list(&entries, terminal)
    };
    let mut out = stdout()?;
    out.write_all(&text)?;
    out.flush()?;
    if let Some(trouble) = trouble {
        return Err(trouble.into());
    }
    Ok(exit)
}
