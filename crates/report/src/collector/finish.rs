//! Makes the report from the counts of a collector.

use super::{Collector, Counts, Faults, Run};
use crate::data::{Count, Fault, FirstSeen, Month, Report, VERSION, WritingCounts};
use crate::date::{format_month, month_number_of};
use crate::uses::to_lossy_string;
use std::cmp::Reverse;
use std::collections::BTreeMap;

impl Collector {
    /// Makes the report from the counts and the facts about the scan.
    pub fn finish(mut self, run: Run) -> Report {
        self.count_lone_message();
        let Run { version, options, complete, tally } = run;
        let counts = tally.counts().into_iter().map(|(field, count)| (field.name, count));
        let counts = counts.chain([("undated", self.dates.missing + self.dates.unreadable)]);
        let skipped = tally.skipped.counts();
        let (months, schemes, new) =
            (self.counts_by_month(), self.counts_by_scheme(), self.new_hosts_by_month());
        let (mut hosts, mut domains) = (self.hosts.to_uses(), self.domains.to_uses());
        hosts.at_least |= self.is_different_lossy;
        domains.at_least |= self.is_different_lossy;
        let mut dates = self.dates;
        dates.sources = sorted_counts(self.sources);
        let mut faults: Vec<_> = self.faults.into_iter().map(to_report_fault).collect();
        faults.sort_by_key(|fault| Reverse(fault.count));
        let breaks = self.breaks.into_iter();
        let mut breaks: Vec<_> = breaks
            .map(|((kind, grade), count)| Count { name: format!("{kind}/{grade}"), count })
            .collect();
        sort_largest_first(&mut breaks);
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
            added_hosts: self.added_hosts.to_uses(),
            added_places: sorted_counts(self.added_places),
            tlds: self.tlds.to_grid(),
            lists: self.lists.to_grid(),
            writing: WritingCounts {
                forms: sorted_counts(self.forms),
                places: sorted_counts(self.places),
                broken: self.broken,
                breaks,
                decoded: sorted_counts(self.decoded),
                hyphens: self.hyphens,
                readings: self.readings,
            },
            senders: self.senders.to_uses(),
            faults,
            most_used: self.most_used.to_uses(),
        }
    }

    /// Returns the counts by month and scheme, with the most frequent scheme of each month first.
    fn counts_by_month(&self) -> Vec<Month> {
        let mut months: BTreeMap<u32, Vec<Count>> = BTreeMap::new();
        for (&(month, scheme), &count) in &self.months {
            months.entry(month).or_default().push(Count { name: self.scheme_name(scheme), count });
        }
        let months = months.into_iter().map(|(month, mut schemes)| {
            sort_largest_first(&mut schemes);
            Month { month: format_month(month), schemes }
        });
        months.collect()
    }

    /// Returns the counts by scheme, the most frequent first.
    fn counts_by_scheme(&self) -> Vec<Count> {
        let schemes = self.by_scheme.iter();
        let mut schemes: Vec<_> =
            schemes.map(|(&n, &count)| Count { name: self.scheme_name(n), count }).collect();
        sort_largest_first(&mut schemes);
        schemes
    }

    /// Returns the number of hosts that were first mentioned in each month, in order.
    fn new_hosts_by_month(&self) -> Vec<Count> {
        let mut new: BTreeMap<u32, u64> = BTreeMap::new();
        for first in self.hosts.first_dates() {
            *new.entry(month_number_of(first)).or_default() += 1;
        }
        new.into_iter().map(|(month, count)| Count { name: format_month(month), count }).collect()
    }

    /// Returns the name of the scheme with this number. Schemes beyond the limit are called "other
    /// schemes".
    fn scheme_name(&self, number: u32) -> String {
        if number == u32::MAX {
            return "other schemes".to_owned();
        }
        to_lossy_string(self.schemes.name_of(number))
    }
}

/// Makes the report's entry for a fault. The arguments are the code of the fault and its counts.
fn to_report_fault((code, Faults { level, years, examples }): (&str, Faults)) -> Fault {
    Fault {
        code: code.to_owned(),
        level: level.name().to_owned(),
        count: years.values().sum(),
        years: years.into_iter().collect(),
        examples,
    }
}

/// Returns the counts, the largest first.
fn sorted_counts(counts: Counts) -> Vec<Count> {
    let counts = counts.0.into_iter().map(|(name, count)| Count { name: name.to_owned(), count });
    let mut counts: Vec<_> = counts.collect();
    sort_largest_first(&mut counts);
    counts
}

/// Sorts counts in descending order; equal counts are sorted by name.
fn sort_largest_first(counts: &mut [Count]) {
    counts.sort_by(|one, other| {
        (Reverse(one.count), &one.name).cmp(&(Reverse(other.count), &other.name))
    });
}
