//! Counts batches in the order of the input and makes the report.

use crate::batch::{Batch, Extra, Found, MessageCount, Piece, shown};
use crate::data::{
    Count, Dates, Errors, Example, Fault, FileError, FirstSeen, Month, Place, Quote, Readings,
    Report, VERSION, WritingCounts,
};
use crate::date::{month_of, month_text};
use crate::limits;
use crate::names::{Interner, Map};
use crate::uses::{Seen, Table, text, truncated};
use crate::years::Years;
use hashbrown::DefaultHashBuilder;
use hashbrown::hash_table::{Entry, HashTable};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::hash::BuildHasher as _;
use std::ops::Range;
use std::ptr;
use std::sync::Arc;
use urlsift_core::{Level, Secrets, mask_spans};
use urlsift_records::Utc;
use urlsift_records::{FileName, Tally};

/// The facts about a scan that are known only at its end. Passed to [`Collector::finish`].
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
    fn add(&mut self, name: &'static str) {
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
struct Lone {
    file: Arc<FileName>,
    /// The year of the first message.
    year: u16,
    /// The number of URLs in the first message.
    urls: u64,
    /// The name that the file's messages are counted under, once a second message was seen.
    counted: Option<String>,
}

/// Counts the data of batches, in memory bounded by [`limits`], and makes the report.
///
/// The result depends on the order of the batches. If several threads make them, add them in the
/// order of the input.
#[derive(Debug)]
pub struct Collector {
    /// Valid URLs that people wrote.
    urls: u64,
    /// Valid URLs that software added.
    added: u64,
    /// Valid URLs that people wrote in messages without a date, or outside messages.
    undated: u64,
    /// Invalid URLs that people wrote.
    malformed: u64,
    schemes: Interner,
    /// The number of URLs by scheme.
    by_scheme: Map<u32, u64>,
    /// The number of URLs by month and scheme.
    months: BTreeMap<(u32, u32), u64>,
    hosts: Table,
    domains: Table,
    added_hosts: Table,
    /// The uses of URLs with the schemes http, https and ftp.
    most_used: Table,
    /// The hashes of all URLs seen, to count different URLs. The probability that two of a million
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
    /// URLs by top-level domain and year.
    tlds: Years,
    /// URLs and messages by list and year.
    lists: Years,
    /// The number of URLs by message, for messages that [`Collector::messages`] has not counted
    /// yet.
    open: Map<(u64, u64), u64>,
    /// The last file with a message that names no list.
    lone: Option<Lone>,
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
            hosts: Table::new(limits::HOSTS, true),
            domains: Table::new(limits::DOMAINS, true),
            added_hosts: Table::new(limits::ADDED, true),
            most_used: Table::new(limits::URLS, false),
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
    /// Counts the URLs in `rows` of a batch.
    pub fn add(&mut self, batch: &Batch, rows: Range<usize>) {
        let mut extra = 0;
        let mut last = None;
        for number in rows {
            let Some(found) = &batch.rows[number] else { continue };
            let extras = batch.extras(number, extra);
            extra = extras.end;
            let at = self.at(batch, found, &mut last);
            self.url(batch, found, &batch.extras[extras], at);
        }
    }

    /// Counts the messages of a batch. Call [`Collector::add`] for the rows of the batch first.
    pub fn messages(&mut self, batch: &Batch) {
        for message in &batch.message_counts {
            self.message(batch, message);
        }
    }

    /// Counts a file that could not be read. The first ones are listed in the report.
    pub fn error(&mut self, file: &FileName, message: &str) {
        self.errors.count += 1;
        if self.errors.first.len() < limits::LISTED {
            // The path may be a URL that was given by mistake.
            let [path, message] = [path(file), shown(message.as_bytes())].map(|text| {
                let found = Secrets::All.in_text(text.as_bytes());
                String::from_utf8_lossy(&mask_spans(text.as_bytes(), &found)).into_owned()
            });
            self.errors.first.push(FileError { path, message });
        }
    }

    /// Returns the date and key of a URL's message. Usually the message is the same as for the
    /// previous URL, which is in `last`.
    fn at(&mut self, batch: &Batch, found: &Found, last: &mut Option<(u32, u32, At)>) -> At {
        let Some(number) = found.message else { return At::default() };
        if let Some((file, message, at)) = last
            && (*file, *message) == (found.file, number)
        {
            return *at;
        }
        let message = &batch.messages[number as usize];
        let key = self.key(&batch.files[found.file as usize], message.start);
        let at = At { date: message.date, message: Some(key) };
        *last = Some((found.file, number, at));
        at
    }

    /// Returns a key that identifies a message: the hash of the file's name, and the message's
    /// offset.
    fn key(&mut self, file: &Arc<FileName>, start: u64) -> (u64, u64) {
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

    /// Counts a URL and its faults. `extras` is the additional data of this URL.
    fn url(&mut self, batch: &Batch, found: &Found, extras: &[(u32, Extra)], at: At) {
        if found.is_added {
            self.added_url(batch, found, at);
            return;
        }
        let year = at.date.map_or(0, Utc::year);
        self.url_faults(batch, found, extras, year);
        if !found.is_valid {
            self.malformed += 1;
            return;
        }
        self.urls += 1;
        self.undated += u64::from(at.date.is_none());
        if let Some(message) = at.message {
            *self.open.entry(message).or_default() += 1;
        }
        self.forms.add(found.form);
        self.places.add(found.place);
        self.url_scheme(batch.piece(found.scheme), at.date);
        self.extras(batch, found, extras);
        let seen = self.seen(batch, found, at);
        if let Some(domain) = found.domain {
            self.domains.add(truncated(batch.piece(domain)), &seen);
        }
        if let Some(tld) = found.tld {
            self.tlds.add(batch.piece(tld), year, limits::TLDS);
        }
        let Some(host) = found.host else { return };
        self.order += 1;
        if self.hosts.add(truncated(batch.piece(host)), &seen)
            && let Some(date) = at.date
        {
            self.first_seen(batch, found, host, date);
        }
    }

    /// Counts a URL that list software or a provider added.
    fn added_url(&mut self, batch: &Batch, found: &Found, at: At) {
        if !found.is_valid {
            return;
        }
        self.added += 1;
        if let Some(host) = found.host {
            let seen = Seen { date: at.date, message: at.message_hash(), is_different: false };
            self.added_hosts.add(truncated(batch.piece(host)), &seen);
        }
    }

    /// Counts the faults of a URL.
    fn url_faults(&mut self, batch: &Batch, found: &Found, extras: &[(u32, Extra)], year: u16) {
        for (_, extra) in extras {
            let Extra::Fault(code, level) = *extra else { continue };
            let new = || Faults { level, years: BTreeMap::new(), examples: Vec::new() };
            let fault = self.faults.entry(code).or_insert_with(new);
            *fault.years.entry(year).or_default() += 1;
            if fault.examples.len() < limits::EXAMPLES {
                let url = shown(batch.piece(found.url));
                fault.examples.push(Example { place: place(batch, found), url });
            }
        }
    }

    /// Counts a URL's scheme, in total and by month.
    fn url_scheme(&mut self, scheme: &[u8], date: Option<Utc>) {
        let scheme = self.schemes.number_within(truncated(scheme), limits::SCHEMES);
        let scheme = scheme.unwrap_or(u32::MAX);
        *self.by_scheme.entry(scheme).or_default() += 1;
        if let Some(date) = date {
            *self.months.entry((month_of(date), scheme)).or_default() += 1;
        }
    }

    /// Counts a use of the URL. Returns the date and message of the use, and whether the URL
    /// differs from all earlier ones.
    fn seen(&mut self, batch: &Batch, found: &Found, at: At) -> Seen {
        let normalized = batch.piece(found.normalized);
        let is_web = matches!(batch.piece(found.scheme), b"http" | b"https" | b"ftp");
        let is_ranked = is_web && normalized.len() <= limits::URL_BYTES;
        let urls = self.most_used.names();
        let hash = urls.hash_of(normalized);
        let known = if is_ranked { urls.find(normalized, hash) } else { None };
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
        let seen = Seen { date: at.date, message: at.message_hash(), is_different };
        if is_ranked {
            let number = known.unwrap_or_else(|| urls.insert(normalized, hash));
            self.most_used.add_numbered(number, &seen);
        }
        seen
    }

    /// Counts the joins, encodings and alternative readings of a URL.
    fn extras(&mut self, batch: &Batch, found: &Found, extras: &[(u32, Extra)]) {
        let mut others = Vec::new();
        let mut is_broken = false;
        for (_, extra) in extras {
            match extra {
                Extra::Break(kind, grade) => {
                    is_broken = true;
                    *self.breaks.entry((kind, grade)).or_default() += 1;
                }
                Extra::Decoded(layer) => self.decoded.add(layer),
                Extra::Reading(piece) => others.push(shown(batch.piece(*piece))),
                Extra::Fault(..) => {}
            }
        }
        self.broken += u64::from(is_broken);
        if others.is_empty() {
            return;
        }
        self.hyphens += 1;
        if self.readings.len() < limits::READINGS {
            let mut readings = vec![shown(batch.piece(found.url))];
            readings.append(&mut others);
            self.readings.push(Readings { place: place(batch, found), readings });
        }
    }

    /// Keeps the quote of a URL if its host is one of the earliest so far.
    fn first_seen(&mut self, batch: &Batch, found: &Found, host: Piece, date: Utc) {
        let key = (date, self.order);
        let is_full = self.first.len() >= limits::QUOTES;
        if is_full && self.first.last_key_value().is_some_and(|(last, _)| key > *last) {
            return;
        }
        let host = shown(batch.piece(host));
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
        let [before, written, after] = batch.quoted(found).map(|piece| shown(&piece));
        let url = shown(batch.piece(found.url));
        let place = place(batch, found);
        self.first.insert(key, Quote { host, url, place, before, written, after });
        if self.first.len() > limits::QUOTES {
            self.first.pop_last();
        }
    }

    /// Counts a message, under its lists or its file.
    fn message(&mut self, batch: &Batch, message: &MessageCount) {
        let file = &batch.files[message.file as usize];
        let key = self.key(file, message.start);
        let urls = self.open.remove(&key).unwrap_or_default();
        let year = message.date.map_or(0, Utc::year);
        if message.is_outermost {
            match (message.date_source, message.date_raw) {
                (Some(source), _) => self.sources.add(source),
                (None, None) => self.dates.missing += 1,
                (None, Some(raw)) => {
                    self.dates.unreadable += 1;
                    if self.dates.examples.len() < limits::EXAMPLES {
                        self.dates.examples.push(shown(batch.piece(raw)));
                    }
                }
            }
        }
        for &name in &batch.names[message.names.clone()] {
            self.lists.count(batch.piece(name), year, urls);
        }
        if message.names.is_empty() {
            self.count_without_list(file, year, urls);
        }
    }

    /// Counts a message without newsgroups and lists. It is counted under its file if the file
    /// contains several messages, otherwise under the directory of the file.
    fn count_without_list(&mut self, file: &Arc<FileName>, year: u16, urls: u64) {
        let is_it = |lone: &&mut Lone| Arc::ptr_eq(&lone.file, file) || lone.file == *file;
        if let Some(lone) = self.lone.as_mut().filter(is_it) {
            let name = lone.counted.get_or_insert_with(|| {
                let name = path(file);
                self.lists.count(truncated(name.as_bytes()), lone.year, lone.urls);
                name
            });
            self.lists.count(truncated(name.as_bytes()), year, urls);
            return;
        }
        self.count_lone_message();
        self.lone = Some(Lone { file: Arc::clone(file), year, urls, counted: None });
    }

    /// Counts the last message without newsgroups and lists under its directory, if it was the only
    /// message of its file.
    fn count_lone_message(&mut self) {
        let Some(lone) = self.lone.take().filter(|lone| lone.counted.is_none()) else { return };
        let path = path(&lone.file);
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        // The subdirectories of a Maildir are not names of lists.
        let directory = directory.strip_suffix("/cur").or(directory.strip_suffix("/new"));
        let name = directory.unwrap_or(path.rsplit_once('/').map_or(&*path, |(at, _)| at));
        self.lists.count(truncated(name.as_bytes()), lone.year, lone.urls);
    }

    /// Makes the report from the counts and the facts about the scan.
    pub fn finish(mut self, run: Run) -> Report {
        self.count_lone_message();
        let Run { version, options, complete, tally } = run;
        let counts = tally.counts().into_iter().map(|(field, count)| (field.name, count));
        let counts = counts.chain([("undated", self.dates.missing + self.dates.unreadable)]);
        let skipped = tally.skipped.counts();
        let (months, schemes, new) = (self.by_month(), self.all_schemes(), self.new_hosts());
        let (mut hosts, mut domains) = (self.hosts.finish(), self.domains.finish());
        hosts.at_least |= self.is_different_lossy;
        domains.at_least |= self.is_different_lossy;
        let mut dates = self.dates;
        dates.sources = counted(self.sources);
        let mut faults: Vec<_> = self.faults.into_iter().map(fault).collect();
        faults.sort_by_key(|fault| Reverse(fault.count));
        let breaks = self.breaks.into_iter();
        let mut breaks: Vec<_> = breaks
            .map(|((kind, grade), count)| Count { name: format!("{kind}/{grade}"), count })
            .collect();
        largest_first(&mut breaks);
        Report {
            schema: VERSION,
            version,
            options,
            complete,
            counts: counts.map(|(name, count)| Count { name: name.to_owned(), count }).collect(),
            skipped: skipped
                .into_iter()
                .filter(|(_, count)| *count > 0)
                .map(|(name, count)| Count { name: name.to_owned(), count })
                .collect(),
            errors: self.errors,
            dates,
            urls: self.urls,
            added: self.added,
            undated: self.undated,
            malformed: self.malformed,
            schemes,
            months,
            first_seen: FirstSeen {
                at_least: self.hosts.is_lossy(),
                months: new,
                quotes: self.first.into_values().collect(),
            },
            hosts,
            domains,
            added_hosts: self.added_hosts.finish(),
            tlds: self.tlds.finish(),
            lists: self.lists.finish(),
            writing: WritingCounts {
                forms: counted(self.forms),
                places: counted(self.places),
                broken: self.broken,
                breaks,
                decoded: counted(self.decoded),
                hyphens: self.hyphens,
                readings: self.readings,
            },
            faults,
            most_used: self.most_used.finish(),
        }
    }

    /// Returns the counts by month and scheme, with the most frequent scheme of each month first.
    fn by_month(&self) -> Vec<Month> {
        let mut months: BTreeMap<u32, Vec<Count>> = BTreeMap::new();
        for (&(month, scheme), &count) in &self.months {
            months.entry(month).or_default().push(Count { name: self.scheme(scheme), count });
        }
        let months = months.into_iter().map(|(month, mut schemes)| {
            largest_first(&mut schemes);
            Month { month: month_text(month), schemes }
        });
        months.collect()
    }

    /// Returns the counts by scheme, the most frequent first.
    fn all_schemes(&self) -> Vec<Count> {
        let schemes = self.by_scheme.iter();
        let mut schemes: Vec<_> =
            schemes.map(|(&n, &count)| Count { name: self.scheme(n), count }).collect();
        largest_first(&mut schemes);
        schemes
    }

    /// Returns the number of hosts that were first seen in each month.
    fn new_hosts(&self) -> Vec<Count> {
        let mut new: BTreeMap<u32, u64> = BTreeMap::new();
        for first in self.hosts.first_dates() {
            *new.entry(month_of(first)).or_default() += 1;
        }
        new.into_iter().map(|(month, count)| Count { name: month_text(month), count }).collect()
    }

    /// Returns the name of a scheme. Schemes beyond the limit are called "other schemes".
    fn scheme(&self, number: u32) -> String {
        if number == u32::MAX {
            return "other schemes".to_owned();
        }
        text(self.schemes.name(number))
    }
}

/// The date of a URL's message, and the key that identifies the message.
#[derive(Clone, Copy, Debug, Default)]
struct At {
    date: Option<Utc>,
    message: Option<(u64, u64)>,
}

impl At {
    /// Returns the message's key as one number. `None` if the message has no key.
    fn message_hash(self) -> Option<u64> {
        self.message.map(|(file, start)| file ^ start)
    }
}

/// Makes the report's entry for a fault.
fn fault((code, Faults { level, years, examples }): (&str, Faults)) -> Fault {
    Fault {
        code: code.to_owned(),
        level: level.name().to_owned(),
        count: years.values().sum(),
        years: years.into_iter().collect(),
        examples,
    }
}

/// Returns the counts, the largest first.
fn counted(counts: Counts) -> Vec<Count> {
    let counts = counts.0.into_iter().map(|(name, count)| Count { name: name.to_owned(), count });
    let mut counts: Vec<_> = counts.collect();
    largest_first(&mut counts);
    counts
}

/// Sorts counts in descending order; equal counts are sorted by name.
fn largest_first(counts: &mut [Count]) {
    counts.sort_by(|one, other| {
        (Reverse(one.count), &one.name).cmp(&(Reverse(other.count), &other.name))
    });
}

/// Returns a file's path. For an archive member, `!/` and the member's name follow.
fn path(file: &FileName) -> String {
    let mut path = shown(&file.path);
    if let Some(member) = &file.member {
        path.push_str("!/");
        path.push_str(&shown(member));
    }
    path
}

/// Returns the position of a URL: its message, file and line.
fn place(batch: &Batch, found: &Found) -> Place {
    let message = found.message.map(|number| &batch.messages[number as usize]);
    let names = message.map_or(&[][..], |message| &batch.names[message.names.clone()]);
    let id = message.and_then(|message| message.id);
    Place {
        date: message.and_then(|message| message.date).map(|date| date.to_string()),
        lists: names
            .iter()
            .take(limits::PLACE_LISTS)
            .map(|&name| shown(batch.piece(name)))
            .collect(),
        more_lists: names.len().saturating_sub(limits::PLACE_LISTS) as u64,
        message_id: id.map(|id| shown(batch.piece(id))),
        path: path(&batch.files[found.file as usize]),
        line: found.line,
    }
}
