//! Makes the record of a candidate: validates it, applies the filters, computes the requested fields
//! and passes the record to the sink.

use super::{Reporter, quote_depth_and_place};
use crate::host::{domain_and_tld, host_of_name, is_probably_host};
use crate::judge::{Judgeable, Judged, is_misspelt};
use crate::origin::Origin;
use crate::record::{Join, Place, Quoted, UrlRecord};
use crate::scan::Sink;
use crate::{Detail, Unwrap, With, relative};
use std::borrow::Cow;
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;
use urlsift_archive::{self as archive, DocumentKind, Layer};
use urlsift_core::{Secrets, Span, Url, mask_spans_in, rewritten_target};
use urlsift_scanner::{Candidate, Form, JoinKind};

/// Sets those of the fields `port`, `domain` and `tld` of `record` that `with` requests.
fn set_host_fields<'a>(
    record: &mut UrlRecord<'a>,
    host: Option<&'a [u8]>,
    url: Option<&Url<'_>>,
    with: &[With],
) {
    if with.contains(&With::Port) {
        record.port =
            url.and_then(Url::port).and_then(|port| str::from_utf8(port).ok()?.parse().ok());
    }
    let (domain, tld) = (with.contains(&With::Domain), with.contains(&With::Tld));
    if (domain || tld)
        && let Some((found, last)) = host.and_then(domain_and_tld)
    {
        record.domain = found.filter(|_| domain);
        record.tld = Some(last).filter(|_| tld);
    }
}

/// Returns the possible spellings of a candidate, except the most likely one, which is its URL.
fn other_readings(candidate: &Candidate<'_>) -> Vec<Vec<u8>> {
    if !candidate.is_ambiguous() {
        return Vec::new();
    }
    let mut readings = candidate.readings();
    readings.remove(0);
    readings
}

/// A candidate that passed all filters, with the values that the filters computed.
struct Accepted<'a> {
    candidate: &'a Candidate<'a>,
    origin: &'a Origin<'a>,
    /// The URL as written, without layout.
    written: &'a [u8],
    /// The URL to report. It is the resolved URL of a relative link, or the original URL of a
    /// rewritten link, if these are requested.
    url: &'a [u8],
    is_resolved: bool,
    /// The original URL of a rewritten link, if it is reported instead of the link.
    target: Option<&'a [u8]>,
    /// The result of [`quote_depth_and_place`], if it was needed.
    known_place: Option<(u32, Place)>,
}

impl Accepted<'_> {
    /// Returns the spans of secrets in the URL, and masks the secrets in `others`, the other
    /// readings. `hides` are the kinds of secrets. If it is `None`, no secrets are searched.
    #[inline(always)]
    fn mask_and_find_secrets(&self, hides: Option<Secrets>, others: &mut [Vec<u8>]) -> Vec<Span> {
        let Some(which) = hides else { return Vec::new() };
        if !self.is_resolved {
            return self.origin.find_secrets(which, self.candidate, self.url, others);
        }
        for other in others {
            *other = relative::mask_link(other, which).into_owned();
        }
        which.in_url(self.url)
    }

    /// Returns the excerpt of the text around the URL. `secrets` are the spans of secrets in the
    /// URL. Secrets of the kinds `hides` are also masked in the text around it.
    fn excerpt(&self, hides: Option<Secrets>, secrets: &[Span]) -> Quoted<'_> {
        let map = self.candidate.span_map();
        let of_url = if self.is_resolved { &[] } else { secrets };
        let of_url: Vec<Span> = of_url.iter().map(|secret| map.to_source(*secret)).collect();
        let hides = hides.map(|which| (which, self.origin.secrets_by_block()));
        Quoted::new(self.origin.text(), self.candidate.span(), hides, &of_url)
    }
}

impl Reporter<'_> {
    /// Passes the record of a candidate to the sink, unless a filter rejects it. This is the slow
    /// path of [`Reporter::report_candidate`].
    #[inline(never)]
    pub(super) fn report_in_full(
        &mut self,
        candidate: &Candidate<'_>,
        origin: &Origin<'_>,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let options = &self.scan.options;
        let form = candidate.form();
        if !options.selects_form(form) {
            return Continue(());
        }
        let written = candidate.url();
        let mut resolved = None;
        if form == Form::Relative {
            resolved = relative::resolve_link(origin.base_urls(), &written);
            if resolved.is_none() {
                return Continue(());
            }
        }
        // For a relative link, the resolved URL is validated.
        let url: &[u8] = resolved.as_deref().unwrap_or(&written);
        if !is_probably_host(url, form) {
            return Continue(());
        }
        let target = if options.unwrap == Unwrap::Replace { rewritten_target(url) } else { None };
        let target = target.filter(|target| {
            let judgeable = Judgeable::new(target, form, options.profile);
            !Judged::new(&judgeable.url, form, options.profile).is_malformed()
        });
        let is_resolved = resolved.is_some() || target.is_some();
        let target = target.as_deref();
        let url = target.unwrap_or(url);
        let judgeable = Judgeable::new(url, form, options.profile);
        let judged = Judged::new(&judgeable.url, form, options.profile);
        if !options.selects_scheme(&judged) || !options.selects_url(url, &judged, form) {
            return Continue(());
        }
        let find_place =
            || (!options.without.is_empty()).then(|| quote_depth_and_place(candidate, origin));
        let known_place = self.place.or_else(find_place);
        if known_place.is_some_and(|(_, place)| options.without.contains(&place)) {
            return Continue(());
        }
        let malformed = judged.is_malformed() || is_misspelt(candidate);
        self.tally.malformed += u64::from(malformed);
        if !options.selects_validity(malformed) {
            return Continue(());
        }
        self.count(candidate);
        if options.detail == Detail::Count {
            return Continue(());
        }
        let accepted = Accepted {
            candidate,
            origin,
            written: &written,
            url,
            is_resolved,
            target,
            known_place,
        };
        self.report_record(&accepted, &judgeable, &judged, sink)
    }

    /// Makes the record of a candidate that passed all filters, and passes it to the sink.
    #[inline(always)]
    fn report_record(
        &mut self,
        accepted: &Accepted<'_>,
        judgeable: &Judgeable<'_>,
        judged: &Judged<'_>,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let options = &self.scan.options;
        let &Accepted {
            candidate,
            origin,
            written,
            url,
            is_resolved,
            target: original,
            known_place,
        } = accepted;
        let form = candidate.form();
        let span = origin.to_file_span(candidate.span());
        let mut others = if original.is_some() { Vec::new() } else { other_readings(candidate) };
        let secrets = accepted.mask_and_find_secrets(options.hidden_secrets(), &mut others);
        let shown = |part: Span| mask_spans_in(url, part, &secrets);
        let shown_whole = shown(Span::new(0, url.len()));
        // Each field is a separate variable, and the record is built last. Assigning to a variable
        // that is known to be empty needs no code to drop its old value.
        let (mut line, mut column) = (None, None);
        if options.detail >= Detail::Line {
            let here =
                self.lines.line_start_at(origin.raw.bytes, origin.raw.file_offset(), span.start);
            line = Some(here.breaks + 1);
            column = Some(span.start - here.line.min(span.start) + 1);
        }
        let (mut scheme, mut host_span, mut host, mut fragment) = (None, None, None, None);
        let (mut target, mut header_name) = (None, None);
        let (mut decoded, mut approximate) = (Cow::default(), false);
        let (mut quote_depth, mut place_of) = (0, Place::Body);
        let mut normalized = None;
        self.reports.clear();
        self.joins.clear();
        if options.detail == Detail::Full {
            normalized = Some(self.set_reports_and_joins(accepted, judgeable, judged));
            scheme = judged.scheme().map(|scheme| {
                let is_lower = !scheme.bytes().any(|b| b.is_ascii_uppercase());
                if is_lower { scheme.into() } else { scheme.to_ascii_lowercase().into() }
            });
            (quote_depth, place_of) =
                known_place.unwrap_or_else(|| quote_depth_and_place(candidate, origin));
            if options.unwrap != Unwrap::Off {
                target = original
                    .map(<[u8]>::to_vec)
                    .or_else(|| rewritten_target(url))
                    .map(|target| options.mask_for_display(&target).into_owned());
            }
            if let Some(DocumentKind::Header(name)) = origin.document.map(|document| document.kind)
            {
                header_name = Some(Cow::Borrowed(name));
            }
            let shown = |part: Span| shown(judgeable.to_written_span(part));
            let named = || host_of_name(url, form);
            host_span = judged.valid_url().and_then(Url::host_span).or_else(named);
            host = host_span.map(shown);
            fragment = judged.valid_url().and_then(Url::fragment_span).map(shown);
            let layers = origin.encodings_at(candidate.span());
            decoded = Cow::Borrowed(layers.decoded);
            if candidate.is_encoded() {
                decoded.to_mut().push(Layer::QuotedPrintable);
            }
            if candidate.seams().iter().any(|seam| seam.kind == JoinKind::Ansi) {
                decoded.to_mut().push(Layer::Ansi);
            }
            approximate = layers.approximate;
        }
        if normalized.is_none() && options.normalized {
            normalized = Some(judged.normalized_or_written());
        }
        if normalized.is_some() && !secrets.is_empty() {
            let judged = Judged::new(&shown_whole, form, options.profile);
            normalized = Some(Cow::Owned(judged.normalized_or_written().into_owned()));
        }
        self.set_item(origin.document.map_or(b"", |document| document.origin.item));
        let file = self.item.as_ref().map_or(self.file, |(_, file)| file);
        let message = self.messages.message().filter(|_| options.detail == Detail::Full);
        let page = self.messages.page().filter(|_| options.detail == Detail::Full);
        let (shown_url, shown_resolved) = match (is_resolved, options.hidden_secrets()) {
            (false, _) => (shown_whole, None),
            (true, Some(which)) => (relative::mask_link(written, which), Some(shown_whole)),
            (true, None) => (Cow::Borrowed(written), Some(shown_whole)),
        };
        let mut record = UrlRecord {
            file: Cow::Borrowed(file),
            url: shown_url,
            resolved: shown_resolved,
            span,
            line,
            column,
            form,
            scheme,
            host,
            fragment,
            profile: options.profile,
            reports: Cow::Borrowed(&self.reports),
            joins: Cow::Borrowed(&self.joins),
            other_readings: Cow::Owned(others),
            quote_depth,
            truncated: candidate.is_truncated(),
            decoded,
            approximate,
            html: origin.element_and_attribute().map(Cow::Borrowed),
            normalized,
            domain: None,
            tld: None,
            port: None,
            target,
            link_text: None,
            place: place_of,
            header_name,
            message: message.map(Cow::Borrowed),
            page: page.map(Cow::Borrowed),
            quoted: None,
        };
        if options.quoted {
            record.quoted = Some(Box::new(accepted.excerpt(options.hidden_secrets(), &secrets)));
        }
        if options.detail == Detail::Full && !options.with.is_empty() {
            if options.with.contains(&With::LinkText) {
                let text = origin.document.and_then(archive::link_text);
                record.link_text = text.map(|text| options.mask_for_display(&text).into_owned());
            }
            let host = host_span.map(|host| &judgeable.url[host.range()]);
            set_host_fields(&mut record, host, judged.valid_url(), &options.with);
        }
        sink.record(&record)
    }

    /// Sets `self.reports` and `self.joins` for a candidate, and updates `self.messages` to what
    /// contains it. Returns the normalized URL.
    #[inline(always)]
    fn set_reports_and_joins<'u>(
        &mut self,
        accepted: &Accepted<'_>,
        judgeable: &Judgeable<'_>,
        judged: &Judged<'u>,
    ) -> Cow<'u, [u8]> {
        let Accepted { candidate, origin, .. } = accepted;
        let normalized = judged.report_violations(|mut report| {
            report.span = judgeable.to_written_span(report.span);
            self.reports.push(report);
        });
        self.reports.extend(judgeable.space_findings());
        // These findings are about the URL as written.
        if !accepted.is_resolved {
            self.reports.extend(candidate.findings());
        }
        self.joins.extend(candidate.seams().iter().map(|seam| Join {
            span: origin.to_file_span(seam.gap),
            kind: seam.kind,
            grade: seam.grade,
            evidence: seam.evidence,
        }));
        origin.push_dropped_joins(candidate.span(), &mut self.joins);
        if let Some(document) = origin.document {
            self.messages.update(document);
        }
        normalized
    }

    /// Sets `self.item` to the item called `name`, or to `None` if the name is empty.
    #[inline(always)]
    fn set_item(&mut self, name: &[u8]) {
        if name.is_empty() {
            self.item = None;
        } else if self.item.as_ref().is_none_or(|(known, _)| known != name) {
            self.item = Some((name.to_vec(), Arc::new(self.file.with_member(name))));
        }
    }
}
