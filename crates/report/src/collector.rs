//! Counts batches in the order of the input.

mod finish;

use crate::batch::{Batch, Extra, Found, MessageCount, Piece, to_displayed};
use crate::data::{Dates, Errors, Example, FileError, Place, Quote, Readings};
use crate::date::month_number_of;
use crate::limits;
use crate::names::{Interner, Map};
use crate::uses::{Seen, UseTable, truncate_name};
use crate::years::Years;
use hashbrown::DefaultHashBuilder;
use hashbrown::hash_table::{Entry, HashTable};
use std::collections::BTreeMap;
use std::hash::BuildHasher as _;
use std::ops::Range;
use std::ptr;
use std::sync::Arc;
use urlsift_core::{Level, Secrets, mask_spans};
use urlsift_records::Utc;
use urlsift_records::{FileName, Tally};

/// The facts about a scan that the caller knows only when the scan has ended. Pass them to
/// [`Collector::finish`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Run {
    /// The version of the program, for the page.
    pub version: String,
    /// The arguments of the command line, with passwords masked.
    pub options: Vec<String>,
    /// True if the scan was not interrupted.
    pub complete: bool,
    /// The total counts of the scan.
    pub tally: Tally,
}

/// Counts of names from a small set, such as the forms of URLs.
#[derive(Debug, Default)]
struct Counts(Vec<(&'static str, u64)>);

impl Counts {
    fn add_one(&mut self, name: &'static str) {
        match self.0.iter_mut().find(|(known, _)| ptr::eq(*known, name) || *known == name) {
            Some((_, count)) => *count += 1,
            None => self.0.push((name, 1)),
        }
    }
}

/// The number of URLs with a fault, by year, and the first examples.
#[derive(Debug)]
struct Faults {
    level: Level,
    years: BTreeMap<u16, u64>,
    examples: Vec<Example>,
}

/// A file whose first message names no list or newsgroup. Until another message of the file
/// follows, it is not known whether the message should be counted under the file or its directory.
#[derive(Debug)]
struct LoneMessageFile {
    file: Arc<FileName>,
    /// The year of the first message.
    year: u16,
    /// The number of URLs in the first message.
    urls: u64,
    /// The name that the file's messages are counted under, once a second message was seen.
    counted: Option<String>,
}

/// A collector that counts the data of batches, in memory bounded by [`limits`], and makes the
/// report.
///
/// The result depends on the order of the batches. If several threads make them, add them in the
/// order of the input.
#[derive(Debug)]
pub struct Collector {
    /// The number of valid URLs that people wrote.
    urls: u64,
    /// The number of valid URLs that software added.
    added: u64,
    /// The number of valid URLs that people wrote in messages without a date, or outside messages.
    undated: u64,
    /// The number of invalid URLs that people wrote.
    malformed: u64,
    schemes: Interner,
    /// The number of URLs by scheme.
    by_scheme: Map<u32, u64>,
    /// The number of URLs by month and scheme.
    months: BTreeMap<(u32, u32), u64>,
    hosts: UseTable,
    domains: UseTable,
    added_hosts: UseTable,
    /// The number of valid URLs that software added, by place.
    added_places: Counts,
    /// The uses by sender. Empty if the batches contain no senders.
    senders: UseTable,
    /// The uses of URLs with the schemes http, https and ftp.
    most_used: UseTable,
    /// The hashes of all URLs seen, to count distinct URLs. The probability that two of a million
    /// URLs have the same hash is 1 in 36 million.
    different: HashTable<u64>,
    /// The random seed of the hashes, so that nobody can craft an archive of colliding texts.
    seed: DefaultHashBuilder,
    /// True if URLs were not added to `different` because of its limit.
    is_different_lossy: bool,
    /// The hosts with the earliest dates, by date and then in the order of the input.
    first: BTreeMap<(Utc, u64), Quote>,
    /// The number of URLs with a host so far, which orders quotes with the same date.
    order: u64,
    /// The number of URLs by top-level domain and year.
    tlds: Years,
    /// The numbers of URLs and messages by list and year.
    lists: Years,
    /// The number of URLs by message, for messages that [`Collector::count_messages`] has not
    /// counted yet.
    open: Map<(u64, u64), u64>,
    /// The last file with a message that names no list.
    lone: Option<LoneMessageFile>,
    /// The current file and the hash of its name.
    file: Option<(Arc<FileName>, u64)>,
    sources: Counts,
    dates: Dates,
    errors: Errors,
    forms: Counts,
    places: Counts,
    /// The number of URLs that contain line breaks or other layout.
    broken: u64,
    /// The number of joins by kind and grade.
    breaks: BTreeMap<(&'static str, &'static str), u64>,
    decoded: Counts,
    /// The number of URLs broken after a hyphen.
    hyphens: u64,
    readings: Vec<Readings>,
    faults: BTreeMap<&'static str, Faults>,
}

impl Default for Collector {
    fn default() -> Self {
        Self {
            urls: 0,
            added: 0,
            undated: 0,
            malformed: 0,
            schemes: Interner::default(),
            by_scheme: Map::default(),
            months: BTreeMap::new(),
            hosts: UseTable::new(limits::HOSTS, true),
            domains: UseTable::new(limits::DOMAINS, true),
            added_hosts: UseTable::new(limits::ADDED, true),
            added_places: Counts::default(),
            senders: UseTable::new(limits::SENDERS, true),
            most_used: UseTable::new(limits::URLS, false),
            different: HashTable::new(),
            seed: DefaultHashBuilder::default(),
            is_different_lossy: false,
            first: BTreeMap::new(),
            order: 0,
            tlds: Years::default(),
            lists: Years::default(),
            open: Map::default(),
            lone: None,
            file: None,
            sources: Counts::default(),
            dates: Dates::default(),
            errors: Errors::default(),
            forms: Counts::default(),
            places: Counts::default(),
            broken: 0,
            breaks: BTreeMap::new(),
            decoded: Counts::default(),
            hyphens: 0,
            readings: Vec::new(),
            faults: BTreeMap::new(),
        }
    }
}

impl Collector {
    /// Counts the URLs in the range `rows` of a batch's rows.
    pub fn count_urls(&mut self, batch: &Batch, rows: Range<usize>) {
        let mut extra = 0;
        let mut last = None;
        for number in rows {
            let Some(found) = &batch.rows[number] else { continue };
            let extras = batch.extras_of_row(number, extra);
            extra = extras.end;
            let at = self.date_and_message(batch, found, &mut last);
            self.count_url(batch, found, &batch.extras[extras], at);
        }
    }

    /// Counts the messages of a batch. Call [`Collector::count_urls`] for the rows of the batch
    /// first.
    pub fn count_messages(&mut self, batch: &Batch) {
        for message in &batch.message_counts {
            self.count_message(batch, message);
        }
    }

    /// Counts a file that could not be read. `message` is the error message. The report lists the
    /// first of these files.
    pub fn count_error(&mut self, file: &FileName, message: &str) {
        self.errors.count += 1;
        if self.errors.first.len() < limits::LISTED {
            // The path may be a URL that was given by mistake.
            let [path, message] =
                [path_with_member(file), to_displayed(message.as_bytes())].map(|text| {
                    let found = Secrets::All.in_text(text.as_bytes());
                    String::from_utf8_lossy(&mask_spans(text.as_bytes(), &found)).into_owned()
                });
            self.errors.first.push(FileError { path, message });
        }
    }

    /// Returns the date and key of the message that contains the URL `found`. `last` caches the
    /// result for the previous URL, because consecutive URLs are usually in the same message.
    fn date_and_message(
        &mut self,
        batch: &Batch,
        found: &Found,
        last: &mut Option<(u32, u32, DateAndMessage)>,
    ) -> DateAndMessage {
        let Some(number) = found.message else { return DateAndMessage::default() };
        if let Some((file, message, at)) = last
            && (*file, *message) == (found.file, number)
        {
            return *at;
        }
        let message = &batch.messages[number as usize];
        let key = self.message_key(&batch.files[found.file as usize], message.start);
        let at = DateAndMessage { date: message.date, message: Some(key) };
        *last = Some((found.file, number, at));
        at
    }

    /// Returns a key that identifies a message: the hash of the file's name, and the message's
    /// offset.
    fn message_key(&mut self, file: &Arc<FileName>, start: u64) -> (u64, u64) {
        let hash = match &self.file {
            Some((known, hash)) if Arc::ptr_eq(known, file) => *hash,
            _ => {
                let hash = self.seed.hash_one((&file.path, &file.member));
                self.file = Some((Arc::clone(file), hash));
                hash
            }
        };
        // The offset is multiplied, so that the combination of both numbers also identifies the
        // message.
        (hash, (start + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Counts a URL and its faults. `extras` are the additional properties of this URL, and
    /// `date_and_message` is the date and key of its message.
    fn count_url(
        &mut self,
        batch: &Batch,
        found: &Found,
        extras: &[(u32, Extra)],
        date_and_message: DateAndMessage,
    ) {
        if found.is_added {
            self.count_added_url(batch, found, date_and_message);
            return;
        }
        let year = date_and_message.date.map_or(0, Utc::year);
        self.count_faults(batch, found, extras, year);
        if !found.is_valid {
            self.malformed += 1;
            return;
        }
        self.urls += 1;
        self.undated += u64::from(date_and_message.date.is_none());
        if let Some(message) = date_and_message.message {
            *self.open.entry(message).or_default() += 1;
        }
        self.forms.add_one(found.form);
        self.places.add_one(found.place);
        self.count_scheme(batch.bytes_of(found.scheme), date_and_message.date);
        self.count_extras(batch, found, extras);
        let seen = self.count_url_use(batch, found, date_and_message);
        if let Some(domain) = found.domain {
            self.domains.count_use(truncate_name(batch.bytes_of(domain)), &seen);
        }
        if let Some(tld) = found.tld {
            self.tlds.count_url(batch.bytes_of(tld), year, limits::TLDS);
        }
        let message = found.message.map(|number| &batch.messages[number as usize]);
        if let Some(sender) = message.and_then(|message| message.sender) {
            self.senders.count_use(batch.bytes_of(sender), &seen);
        }
        let Some(host) = found.host else { return };
        self.order += 1;
        if self.hosts.count_use(truncate_name(batch.bytes_of(host)), &seen)
            && let Some(date) = date_and_message.date
        {
            self.keep_first_quote(batch, found, host, date);
        }
    }

    /// Counts a URL that a mail program, list software or a provider added. `date_and_message` is
    /// the date and key of the URL's message.
    fn count_added_url(&mut self, batch: &Batch, found: &Found, date_and_message: DateAndMessage) {
        if !found.is_valid {
            return;
        }
        self.added += 1;
        self.added_places.add_one(found.place);
        if let Some(host) = found.host {
            let seen = Seen {
                date: date_and_message.date,
                message: date_and_message.message_hash(),
                is_different: false,
            };
            self.added_hosts.count_use(truncate_name(batch.bytes_of(host)), &seen);
        }
    }

    /// Counts the faults of a URL by code and year, and keeps the first URLs as examples. Year 0
    /// means no date.
    fn count_faults(&mut self, batch: &Batch, found: &Found, extras: &[(u32, Extra)], year: u16) {
        for (_, extra) in extras {
            let Extra::Fault(code, level) = *extra else { continue };
            let new = || Faults { level, years: BTreeMap::new(), examples: Vec::new() };
            let fault = self.faults.entry(code).or_insert_with(new);
            *fault.years.entry(year).or_default() += 1;
            if fault.examples.len() < limits::EXAMPLES {
                let url = to_displayed(batch.bytes_of(found.url));
                fault.examples.push(Example { place: place_of(batch, found), url });
            }
        }
    }

    /// Counts a URL's scheme, in total and by month.
    fn count_scheme(&mut self, scheme: &[u8], date: Option<Utc>) {
        let scheme = self.schemes.intern_within(truncate_name(scheme), limits::SCHEMES);
        let scheme = scheme.unwrap_or(u32::MAX);
        *self.by_scheme.entry(scheme).or_default() += 1;
        if let Some(date) = date {
            *self.months.entry((month_number_of(date), scheme)).or_default() += 1;
        }
    }

    /// Counts a use of the URL `found`. `date_and_message` is the date and key of the URL's
    /// message. Returns the use: its date and message, and a flag that is true if no equal URL was
    /// seen before.
    fn count_url_use(
        &mut self,
        batch: &Batch,
        found: &Found,
        date_and_message: DateAndMessage,
    ) -> Seen {
        let normalized = batch.bytes_of(found.normalized);
        let is_web = matches!(batch.bytes_of(found.scheme), b"http" | b"https" | b"ftp");
        let is_ranked = is_web && normalized.len() <= limits::URL_BYTES;
        let urls = self.most_used.interner();
        let hash = urls.hash_of(normalized);
        let known = if is_ranked { urls.find_hashed(normalized, hash) } else { None };
        let is_full = self.different.len() >= limits::DIFFERENT;
        self.is_different_lossy |= is_full;
        let is_different = known.is_none()
            && !is_full
            && match self.different.entry(hash, |&known| known == hash, |&known| known) {
                Entry::Occupied(_) => false,
                Entry::Vacant(place) => {
                    place.insert(hash);
                    true
                }
            };
        let seen = Seen {
            date: date_and_message.date,
            message: date_and_message.message_hash(),
            is_different,
        };
        if is_ranked {
            let number = known.unwrap_or_else(|| urls.insert_hashed(normalized, hash));
            self.most_used.count_use_of_number(number, &seen);
        }
        seen
    }

    /// Counts the joins, encodings and alternative readings of a URL.
    fn count_extras(&mut self, batch: &Batch, found: &Found, extras: &[(u32, Extra)]) {
        let mut others = Vec::new();
        let mut is_broken = false;
        for (_, extra) in extras {
            match extra {
                Extra::Break(kind, grade) => {
                    is_broken = true;
                    *self.breaks.entry((kind, grade)).or_default() += 1;
                }
                Extra::Decoded(layer) => self.decoded.add_one(layer),
                Extra::Reading(piece) => others.push(to_displayed(batch.bytes_of(*piece))),
                Extra::Fault(..) => {}
            }
        }
        self.broken += u64::from(is_broken);
        if others.is_empty() {
            return;
        }
        self.hyphens += 1;
        if self.readings.len() < limits::READINGS {
            let mut readings = vec![to_displayed(batch.bytes_of(found.url))];
            readings.append(&mut others);
            self.readings.push(Readings { place: place_of(batch, found), readings });
        }
    }

    /// Keeps a URL and the text around it, if the URL's host is one of those with the earliest
    /// dates so far. `date` is the first date of the host.
    fn keep_first_quote(&mut self, batch: &Batch, found: &Found, host: Piece, date: Utc) {
        let key = (date, self.order);
        let is_full = self.first.len() >= limits::QUOTES;
        if is_full && self.first.last_key_value().is_some_and(|(last, _)| key > *last) {
            return;
        }
        let host = to_displayed(batch.bytes_of(host));
        // Remove the host's quote with a later date. A quote with an earlier date can exist, too,
        // if the host was dropped from a full table of hosts.
        let mut is_known = false;
        self.first.retain(|known, quote| {
            let is_it = quote.host == host;
            is_known |= is_it && *known < key;
            !is_it || *known < key
        });
        if is_known {
            return;
        }
        let [before, written, after] = batch.masked_quote(found).map(|piece| to_displayed(&piece));
        let url = to_displayed(batch.bytes_of(found.url));
        let place = place_of(batch, found);
        self.first.insert(key, Quote { host, url, place, before, written, after });
        if self.first.len() > limits::QUOTES {
            self.first.pop_last();
        }
    }

    /// Counts a message under its newsgroups and mailing list, or else under its file. Also counts
    /// the source of its date.
    fn count_message(&mut self, batch: &Batch, message: &MessageCount) {
        let file = &batch.files[message.file as usize];
        let key = self.message_key(file, message.start);
        let urls = self.open.remove(&key).unwrap_or_default();
        let year = message.date.map_or(0, Utc::year);
        if message.is_outermost {
            match (message.date_source, message.date_raw) {
                (Some(source), _) => self.sources.add_one(source),
                (None, None) => self.dates.missing += 1,
                (None, Some(raw)) => {
                    self.dates.unreadable += 1;
                    if self.dates.examples.len() < limits::EXAMPLES {
                        self.dates.examples.push(to_displayed(batch.bytes_of(raw)));
                    }
                }
            }
        }
        for &name in &batch.names[message.names.clone()] {
            self.lists.count_message(batch.bytes_of(name), year, urls);
        }
        if message.names.is_empty() {
            self.count_without_list(file, year, urls);
        }
    }

    /// Counts a message without newsgroups and lists, which contains `urls` URLs. The message is
    /// counted under its file if the file contains several messages, otherwise under the directory
    /// of the file.
    fn count_without_list(&mut self, file: &Arc<FileName>, year: u16, urls: u64) {
        let is_it =
            |lone: &&mut LoneMessageFile| Arc::ptr_eq(&lone.file, file) || lone.file == *file;
        if let Some(lone) = self.lone.as_mut().filter(is_it) {
            let name = lone.counted.get_or_insert_with(|| {
                let name = path_with_member(file);
                self.lists.count_message(truncate_name(name.as_bytes()), lone.year, lone.urls);
                name
            });
            self.lists.count_message(truncate_name(name.as_bytes()), year, urls);
            return;
        }
        self.count_lone_message();
        self.lone = Some(LoneMessageFile { file: Arc::clone(file), year, urls, counted: None });
    }

    /// Counts the last message without newsgroups and lists under its directory, if it was the only
    /// message of its file.
    fn count_lone_message(&mut self) {
        let Some(lone) = self.lone.take().filter(|lone| lone.counted.is_none()) else { return };
        let path = path_with_member(&lone.file);
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        // The subdirectories of a Maildir are not names of lists.
        let directory = directory.strip_suffix("/cur").or(directory.strip_suffix("/new"));
        let name = directory.unwrap_or(path.rsplit_once('/').map_or(&*path, |(at, _)| at));
        self.lists.count_message(truncate_name(name.as_bytes()), lone.year, lone.urls);
    }
}

/// The date of a URL's message, and the key that identifies the message.
#[derive(Clone, Copy, Debug, Default)]
struct DateAndMessage {
    date: Option<Utc>,
    message: Option<(u64, u64)>,
}

impl DateAndMessage {
    /// Returns the message's key as one number. Returns `None` if the URL is not in a message.
    fn message_hash(self) -> Option<u64> {
        self.message.map(|(file, start)| file ^ start)
    }
}

/// Returns a file's path. For an archive member, `!/` and the member's name follow.
fn path_with_member(file: &FileName) -> String {
    let mut path = to_displayed(&file.path);
    if let Some(member) = &file.member {
        path.push_str("!/");
        path.push_str(&to_displayed(member));
    }
    path
}

/// Returns the position of the URL `found`: its message, file and line.
fn place_of(batch: &Batch, found: &Found) -> Place {
    let message = found.message.map(|number| &batch.messages[number as usize]);
    let names = message.map_or(&[][..], |message| &batch.names[message.names.clone()]);
    let id = message.and_then(|message| message.id);
    Place {
        date: message.and_then(|message| message.date).map(|date| date.to_string()),
        lists: names
            .iter()
            .take(limits::PLACE_LISTS)
            .map(|&name| to_displayed(batch.bytes_of(name)))
            .collect(),
        more_lists: names.len().saturating_sub(limits::PLACE_LISTS) as u64,
        message_id: id.map(|id| to_displayed(batch.bytes_of(id))),
        path: path_with_member(&batch.files[found.file as usize]),
        line: found.line,
        link: None,
    }
}
