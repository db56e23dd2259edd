//! Counts URLs in groups, for `--by`.

use super::formats::GroupRow;
use super::memory::Memory;
use super::rendered::Key;
use super::style::Style;
use crate::args::By;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Write};
use std::sync::Arc;
use urlsift_archive::Utc;
use urlsift_core::host_key;
use urlsift_records::{FileName, Message, UrlRecord, list_name_in_path};

/// Returns the keys of the groups to which the URL of a record belongs, if URLs are grouped by the
/// property `by`. There is one key, or one for each newsgroup of the message. A key is `None` if
/// the URL lacks the property.
pub(super) fn group_keys(by: By, record: &UrlRecord<'_>) -> Vec<Key> {
    let message = record.message.as_ref();
    let date = message.and_then(|message| message.date).map(Utc::to_rfc3339);
    let key = match by {
        By::Host => record.host.as_ref().map(|host| host_key(host).into_owned()),
        By::Domain => record.domain.as_ref().map(|domain| domain.as_bytes().to_vec()),
        By::Scheme => record.scheme.as_ref().map(|scheme| scheme.as_bytes().to_vec()),
        By::Year => date.map(|date| date[..4].to_vec()),
        By::Month => date.map(|date| date[..7].to_vec()),
        By::List => message.and_then(|message| {
            message.list.clone().or_else(|| list_name_in_path(&record.file).map(<[u8]>::to_vec))
        }),
        By::Sender => message.and_then(|message| message.sender()),
        By::Url => record.normalized.as_ref().map(|form| form.to_vec()),
        By::Newsgroup => {
            let groups = message.map_or(&[][..], |message| &message.newsgroups);
            if !groups.is_empty() {
                return groups.iter().map(|group| Some(group.as_slice().into())).collect();
            }
            None
        }
    };
    vec![key.map(Vec::into_boxed_slice)]
}

/// True if `by` is a property of the message, so that all URLs of a message belong to the same
/// groups.
pub(super) fn is_message_property(by: By) -> bool {
    matches!(by, By::Year | By::Month | By::List | By::Sender | By::Newsgroup)
}

/// The groups for `--by`, with the counts of all URLs so far.
#[derive(Debug, Default)]
pub(super) struct Groups {
    groups: HashMap<Key, Group>,
}

/// The approximate memory of a group without its key, in bytes. It consists of a slot in a hash
/// table, which is two thirds full and was copied when it last grew, and an element of the list
/// that is sorted at the end.
const GROUP_BYTES: u64 = 3 * size_of::<(Key, Group)>() as u64;

/// The counts of one group, and the dates of its messages.
#[derive(Debug, Default)]
struct Group {
    /// The number of URLs in the group.
    urls: u64,
    /// The number of messages with URLs in the group.
    messages: u64,
    /// The earliest date of these messages.
    first: Option<Utc>,
    /// The latest date of these messages.
    last: Option<Utc>,
    /// The file and offset of the last message that was counted.
    message: Option<(Arc<FileName>, u64)>,
}

impl Groups {
    /// Adds `urls` URLs of a message to each of the groups `keys`. For a URL outside a message,
    /// `message` is `None`.
    ///
    /// Returns false if a new group was left out because the memory is used up.
    pub(super) fn count_urls(
        &mut self,
        keys: Vec<Key>,
        file: &Arc<FileName>,
        (message, urls): (Option<&Message>, u64),
        memory: &mut Memory,
    ) -> bool {
        let mut is_whole = true;
        for key in keys {
            let group = match self.groups.entry(key) {
                Entry::Occupied(group) => group.into_mut(),
                Entry::Vacant(place) => {
                    let len = place.key().as_ref().map_or(0, |key| key.len() as u64);
                    if !memory.try_reserve(len + GROUP_BYTES) {
                        is_whole = false;
                        continue;
                    }
                    place.insert(Group::default())
                }
            };
            group.urls += urls;
            let Some(message) = message else { continue };
            let start = message.span.start;
            let is_known =
                group.message.as_ref().is_some_and(|last| last.1 == start && last.0 == *file);
            if is_known {
                continue;
            }
            group.messages += 1;
            group.message = Some((Arc::clone(file), start));
            if let Some(date) = message.date {
                group.first = Some(group.first.map_or(date, |first| first.min(date)));
                group.last = group.last.max(Some(date));
            }
        }
        is_whole
    }

    /// Prints all groups: years and months in order of time, others with the most URLs first. The
    /// group of URLs without the property is the last of equals. Afterwards, there are no groups.
    pub(super) fn print_and_clear(
        &mut self,
        style: &Style,
        by: By,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let mut groups: Vec<_> = std::mem::take(&mut self.groups).into_iter().collect();
        let is_time = matches!(by, By::Year | By::Month);
        let rank = |group: &Group| Reverse(if is_time { 0 } else { group.urls });
        groups.sort_unstable_by(|(key, group), (other, than)| {
            (rank(group), key.is_none(), key).cmp(&(rank(than), other.is_none(), other))
        });
        let mut line = Vec::new();
        for (key, group) in groups {
            line.clear();
            let Group { urls, messages, first, last, .. } = group;
            let (first, last) = (first.map(Utc::to_rfc3339), last.map(Utc::to_rfc3339));
            let (first, last) =
                (first.as_ref().map(<[u8; 20]>::as_slice), last.as_ref().map(<[u8; 20]>::as_slice));
            let row = GroupRow { key: key.as_deref(), urls, messages, first, last };
            style.output_format().append_group(style, by, &row, &mut line);
            out.write_all(&line)?;
        }
        Ok(())
    }
}
