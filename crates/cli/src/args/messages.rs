//! The options of which messages are read, and what of them.

use super::values::Undated;
use anyhow::anyhow;
use clap::Args;
use urlsift_records::{MessageFilter, Place, UnknownDate};

/// Which messages are read, and what of them.
#[derive(Args, Clone, Debug)]
pub(crate) struct MessageArgs {
    /// Only messages of this day or later: 1994, 1994-12, 1994-12-01 or 1994-12-01T10:00:00Z
    #[arg(long, value_name = "DATE", help_heading = "What to find")]
    since: Option<String>,

    /// Only messages of this day, month, year or earlier
    #[arg(long, value_name = "DATE", help_heading = "What to find")]
    until: Option<String>,

    /// What becomes of messages without a date that can be read, where --since or --until ask for one
    #[arg(long, value_enum, value_name = "WHAT", default_value_t, help_heading = "What to find")]
    undated: Undated,

    /// Only articles posted to a newsgroup that matches, as `comp.infosystems.*`
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', help_heading = "What to find")]
    newsgroup: Vec<String>,

    /// Only messages of a mailing list whose List-Id matches, as `*.w3.org` or `www-talk@w3.org`
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', help_heading = "What to find")]
    list: Vec<String>,

    /// Leave out what stands on quoted lines
    #[arg(long, help_heading = "What to find")]
    no_quoted: bool,

    /// Leave out what stands in signatures of messages
    #[arg(long, help_heading = "What to find")]
    no_signature: bool,
}

impl MessageArgs {
    /// The messages that are asked for.
    ///
    /// # Errors
    ///
    /// A date that cannot be read.
    pub(super) fn filter(&self) -> anyhow::Result<MessageFilter> {
        let wrong = |option: &'static str, text: &str| {
            let text = text.to_owned();
            move |error: UnknownDate| anyhow!("{option} {text}: {error}")
        };
        let mut messages = MessageFilter::default()
            .newsgroups(self.newsgroup.clone())
            .lists(self.list.clone())
            .undated(self.undated == Undated::Keep);
        if let Some(date) = &self.since {
            messages = messages.since(date).map_err(wrong("--since", date))?;
        }
        if let Some(date) = &self.until {
            messages = messages.until(date).map_err(wrong("--until", date))?;
        }
        Ok(messages)
    }

    /// The places in them that are left out.
    pub(super) fn without(&self) -> Vec<Place> {
        [(self.no_quoted, Place::Quote), (self.no_signature, Place::Signature)]
            .into_iter()
            .filter_map(|(unwanted, place)| unwanted.then_some(place))
            .collect()
    }
}
