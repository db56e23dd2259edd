//! The options of how files are read.

use super::names::{INPUT, encoding, one_of};
use super::size::{Size, expansion};
use clap::Args;
use urlsift_archive::unpack::{Expansion, Limits};
use urlsift_archive::{Encoding, Reading};

/// How files are read, shared by the subcommands that read archives.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReadArgs {
    /// How to read the input
    #[arg(long, value_parser = one_of(INPUT), value_name = "KIND", default_value = "auto")]
    pub(crate) input: Reading,

    /// The charset of texts that do not say theirs, as `latin1`, `koi8-r`, `shift_jis` or `utf-16le`: files, unlabelled parts
    /// of mail, pages of HTML
    #[arg(long, value_parser = encoding, value_name = "NAME")]
    pub(crate) encoding: Option<Encoding>,

    /// How far a compressed file may expand: so many bytes (4G), so many times its size (100x, but
    /// always to 256M), or none for no limit
    #[arg(long, value_parser = expansion, value_name = "LIMIT", default_value = "100x")]
    pub(crate) max_expand: Expansion,

    /// The greatest window that an xz or zst file may ask for
    #[arg(long, value_name = "SIZE", default_value = "128M")]
    pub(crate) max_window: Size,
}

impl ReadArgs {
    /// How far to go along with what is packed.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        (limits.expand, limits.window) = (self.max_expand, self.max_window.0);
        limits
    }
}
