//! Counts URLs in groups, for `--by`.

use super::style::Style;
use crate::args::{By, Format};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Write};
use std::sync::Arc;
use urlsift_archive::Utc;
use urlsift_records::fields::group as field;
use urlsift_records::write::json::Object;
use urlsift_records::{FileName, Message, UrlRecord};

/// The key of a group. `None` is the group of the URLs that have no value for the property.
pub(crate) type Key = Option<Box<[u8]>>;

/// Returns the keys of the groups to which a URL belongs. With `--by newsgroup` there may be
/// several.
pub(super) fn keys(by: By, record: &UrlRecord<'_>) -> Vec<Key> {
    let message = record.message.as_ref();
    let date = message.and_then(|message| message.date).map(Utc::text);
    let key = match by {
        By::Host => record.host.as_ref().map(|host| host.to_ascii_lowercase()),
        By::Domain => record.domain.as_ref().map(|domain| domain.as_bytes().to_vec()),
        By::Scheme => record.scheme.as_ref().map(|scheme| scheme.as_bytes().to_vec()),
        By::Year => date.map(|date| date[..4].to_vec()),
        By::Month => date.map(|date| date[..7].to_vec()),
        By::List => message.and_then(|message| message.list.clone()),
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

/// True if a message's URLs all have the same keys.
pub(super) fn is_of_message(by: By) -> bool {
    matches!(by, By::Year | By::Month | By::List | By::Newsgroup)
}

/// The groups of all URLs so far.
#[derive(Debug, Default)]
pub(super) struct Groups {
    groups: HashMap<Key, Group>,
    /// The approximate memory of the groups, in bytes.
    bytes: u64,
}

/// The approximate memory of a group without its key, in bytes. It consists of a slot in a hash
/// table, which is two thirds full and was copied when it last grew, and an element of the list
/// that is sorted at the end.
const GROUP_BYTES: u64 = 3 * size_of::<(Key, Group)>() as u64;

/// The counts of one group.
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
    /// Counts the URLs of a message, or a URL outside a message, in each of the groups of `keys`.
    /// Creates no group that would make the groups exceed `max_bytes` of memory. Returns false if a
    /// group was not created for that reason.
    pub(super) fn add(
        &mut self,
        keys: Vec<Key>,
        file: &Arc<FileName>,
        (message, urls): (Option<&Message>, u64),
        max_bytes: u64,
    ) -> bool {
        let mut is_whole = true;
        for key in keys {
            let group = match self.groups.entry(key) {
                Entry::Occupied(group) => group.into_mut(),
                Entry::Vacant(place) => {
                    let len = place.key().as_ref().map_or(0, |key| key.len() as u64);
                    if self.bytes + len + GROUP_BYTES > max_bytes {
                        is_whole = false;
                        continue;
                    }
                    self.bytes += len + GROUP_BYTES;
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

    /// Prints the header if the format is a table.
    pub(super) fn begin(style: &Style, by: By, out: &mut impl Write) -> io::Result<()> {
        let Some(table) = style.table() else { return Ok(()) };
        let mut line = Vec::new();
        let names = ["count", "messages", "first", "last"];
        let cells = std::iter::once(by.name()).chain(names).map(str::as_bytes);
        table.line(&mut line, cells);
        out.write_all(&line)
    }

    /// Prints the groups and removes them. The group with the most URLs is first.
    pub(super) fn end(&mut self, style: &Style, by: By, out: &mut impl Write) -> io::Result<()> {
        let mut groups: Vec<_> = std::mem::take(&mut self.groups).into_iter().collect();
        groups.sort_unstable_by(|(key, group), (other, than)| {
            (Reverse(group.urls), key.is_none(), key).cmp(&(
                Reverse(than.urls),
                other.is_none(),
                other,
            ))
        });
        let mut line = Vec::new();
        for (key, group) in groups {
            line.clear();
            let Group { urls, messages, first, last, .. } = group;
            let (first, last) = (first.map(Utc::text), last.map(Utc::text));
            let (first, last) =
                (first.as_ref().map(<[u8; 20]>::as_slice), last.as_ref().map(<[u8; 20]>::as_slice));
            if style.format == Format::Jsonl {
                let mut object = Object::begin(&mut line, "group");
                object.text(&field::BY, by.name().as_bytes());
                object.optional_text(&field::KEY, key.as_deref());
                object.number(&field::COUNT, urls);
                object.number(&field::MESSAGES, messages);
                object.optional_text(&field::FIRST, first);
                object.optional_text(&field::LAST, last);
                object.end_line();
            } else {
                let (urls, messages) = (urls.to_string(), messages.to_string());
                let counts = [urls.as_bytes(), messages.as_bytes()];
                if let Some(table) = style.table() {
                    let cells = [first.unwrap_or_default(), last.unwrap_or_default()];
                    let key = key.as_deref().unwrap_or_default();
                    table.line(&mut line, std::iter::once(key).chain(counts).chain(cells));
                } else {
                    let cells = [first, last, key.as_deref()].map(|cell| cell.unwrap_or(b"-"));
                    super::text::fields(&mut line, counts.into_iter().chain(cells));
                }
            }
            out.write_all(&line)?;
        }
        Ok(())
    }
}
