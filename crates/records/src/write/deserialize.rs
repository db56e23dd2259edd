//! Deserializes records with `serde`. Reads the output of [`serialize`](super::serde) and of
//! [`UrlRecord::write_json`].

use crate::fields::{Field, join, message, page, report, url};
use crate::record::{FileName, Join, Message, Page, UrlRecord};
use core::str::FromStr;
use data_encoding::BASE64;
use serde::de::{Error, IgnoredAny};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use urlsift_archive::Utc;
use urlsift_core::{Code, FileSpan, Report, Span};
use urlsift_scanner::JoinEvidenceSet;

/// A map from the names of fields to their values.
#[derive(Deserialize)]
#[serde(transparent)]
struct Members(HashMap<String, Member>);

/// The value of a field.
#[derive(Deserialize)]
#[serde(untagged)]
enum Member {
    Boolean(bool),
    Number(u64),
    Text(String),
    List(Vec<Member>),
    Map(Members),
    Null(()),
    /// A value of a type that no field has, e.g. a negative number.
    Other(IgnoredAny),
}

impl Member {
    fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    fn map(&self) -> Option<&Members> {
        if let Self::Map(members) = self { Some(members) } else { None }
    }
}

impl Members {
    /// Converts the value of `field` with `convert`. Returns `None` if the field is absent or null,
    /// and an error that names the field if `convert` returns `None`.
    fn optional<'m, T, E: Error>(
        &'m self,
        field: &Field,
        convert: impl FnOnce(&'m Member) -> Option<T>,
    ) -> Result<Option<T>, E> {
        self.optional_called(field.name, convert)
    }

    /// Does the same as [`Self::optional`] for the field called `name`.
    fn optional_called<'m, T, E: Error>(
        &'m self,
        name: &str,
        convert: impl FnOnce(&'m Member) -> Option<T>,
    ) -> Result<Option<T>, E> {
        match self.0.get(name) {
            None | Some(Member::Null(())) => Ok(None),
            Some(value) => convert(value).map(Some).ok_or_else(|| {
                E::custom(format_args!("the value of the field `{name}` is not valid"))
            }),
        }
    }

    /// Returns the number in `field`, or `None` if it is absent or null.
    fn number<T: TryFrom<u64>, E: Error>(&self, field: &Field) -> Result<Option<T>, E> {
        self.optional(field, |value| match value {
            Member::Number(number) => T::try_from(*number).ok(),
            _ => None,
        })
    }

    /// True if `field` has the value true. False if it is absent or null.
    fn is_true<E: Error>(&self, field: &Field) -> Result<bool, E> {
        let value = self.optional(field, |value| match value {
            Member::Boolean(is_true) => Some(*is_true),
            _ => None,
        })?;
        Ok(value.unwrap_or_default())
    }

    /// Parses the name in `field`. Returns `None` if the field is absent or null.
    fn name<T: FromStr, E: Error>(&self, field: &Field) -> Result<Option<T>, E> {
        self.optional(field, |value| value.text()?.parse().ok())
    }

    /// Parses the names in the list in `field`. Returns an empty list if the field is absent.
    fn names<T: FromStr, E: Error>(&self, field: &Field) -> Result<Vec<T>, E> {
        self.list(field, |value| value.text()?.parse().ok())
    }

    /// Converts the items of the list in `field` with `convert`. Returns an empty list if the field
    /// is absent.
    fn list<'m, T, E: Error>(
        &'m self,
        field: &Field,
        mut convert: impl FnMut(&'m Member) -> Option<T>,
    ) -> Result<Vec<T>, E> {
        let list = self.optional(field, |value| match value {
            Member::List(items) => items.iter().map(&mut convert).collect(),
            _ => None,
        })?;
        Ok(list.unwrap_or_default())
    }

    /// Returns the bytes of the text in `field`, or `None` if it is absent or null. If the field with
    /// the suffix `_bytes` exists, decodes its Base64 instead.
    fn bytes<E: Error>(&self, field: &Field) -> Result<Option<Vec<u8>>, E> {
        match self.optional_called(&format!("{}_bytes", field.name), decode_base64)? {
            Some(bytes) => Ok(Some(bytes)),
            None => self.optional(field, |value| Some(value.text()?.as_bytes().to_vec())),
        }
    }

    /// Returns the bytes of the texts in `field`, or an empty list if it is absent. If the field with
    /// the suffix `_bytes` exists, decodes its Base64 instead.
    fn bytes_list<E: Error>(&self, field: &Field) -> Result<Vec<Vec<u8>>, E> {
        let decoded =
            self.optional_called(&format!("{}_bytes", field.name), |value| match value {
                Member::List(items) => items.iter().map(decode_base64).collect(),
                _ => None,
            })?;
        match decoded {
            Some(texts) => Ok(texts),
            None => self.list(field, |value| Some(value.text()?.as_bytes().to_vec())),
        }
    }

    /// Returns the text in `field`, or `None` if it is absent or null.
    fn string<E: Error>(&self, field: &Field) -> Result<Option<String>, E> {
        self.optional(field, |value| value.text().map(str::to_owned))
    }

    /// Returns the time in `field`, or `None` if it is absent or null.
    fn time<E: Error>(&self, field: &Field) -> Result<Option<Utc>, E> {
        self.optional(field, |value| Utc::parse(value.text()?.as_bytes()))
    }

    /// Returns the span from the offset in the field `start` to that in the field `end`.
    fn span<E: Error>(&self, start: &Field, end: &Field) -> Result<FileSpan, E> {
        let span = FileSpan {
            start: required(start, self.number(start)?)?,
            end: required(end, self.number(end)?)?,
        };
        if span.start > span.end {
            return Err(E::custom("the span ends before it starts"));
        }
        Ok(span)
    }

    /// Returns the maps in the list in `field`, or an empty list if it is absent.
    fn maps<E: Error>(&self, field: &Field) -> Result<Vec<&Self>, E> {
        self.list(field, Member::map)
    }
}

/// Decodes the Base64 in `value`. Returns `None` if it is not a text, or not in Base64.
fn decode_base64(value: &Member) -> Option<Vec<u8>> {
    BASE64.decode(value.text()?.as_bytes()).ok()
}

/// Returns an error that names `field` if `value` is `None`.
fn required<T, E: Error>(field: &Field, value: Option<T>) -> Result<T, E> {
    value.ok_or_else(|| E::custom(format_args!("the field `{}` is missing", field.name)))
}

/// Deserializes a record from the fields that [`UrlRecord::write_json`] writes. Other members are
/// ignored.
///
/// Fields that are not written are lost: [`quoted`](UrlRecord::quoted), and
/// [`normalized`](UrlRecord::normalized) if it equals the URL. In
/// [`reports`](UrlRecord::reports), the violations come before the findings.
///
/// ```
/// use urlsift_records::{Detail, Input, Options, Scan, record::UrlRecord};
/// let mut options = Options::default();
/// options.detail = Detail::Full;
/// let mut found = Vec::new();
/// Scan::new(options).read(Input::from_bytes("a.txt", b"see http://host.dom/"), &mut found)?;
/// let json = serde_json::to_string(&found[0])?;
/// let record: UrlRecord = serde_json::from_str(&json)?;
/// assert_eq!((&*record.url, record.span.start), (&b"http://host.dom/"[..], 4));
/// assert_eq!(serde_json::to_string(&record)?, json);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<'de> Deserialize<'de> for UrlRecord<'_> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let of = Members::deserialize(from)?;
        let file = FileName {
            path: required(&url::PATH, of.bytes(&url::PATH)?)?,
            member: of.bytes(&url::MEMBER)?,
        };
        let mut reports = to_reports(&of, &url::VIOLATIONS)?;
        reports.extend(to_reports(&of, &url::FINDINGS)?);
        let joins =
            of.maps(&url::JOINS)?.into_iter().map(to_join).collect::<Result<Vec<_>, _>>()?;
        let mut readings = of.bytes_list(&url::READINGS)?;
        readings.drain(..readings.len().min(1));
        let is_counted = |number: &u64| *number > 0;
        let message = of.optional(&url::MESSAGE, Member::map)?.map(to_message).transpose()?;
        let page = of.optional(&url::PAGE, Member::map)?.map(to_page).transpose()?;
        Ok(Self {
            file: Cow::Owned(Arc::new(file)),
            url: Cow::Owned(required(&url::URL, of.bytes(&url::URL)?)?),
            resolved: of.bytes(&url::RESOLVED)?.map(Cow::Owned),
            span: of.span(&url::START, &url::END)?,
            line: of.number(&url::LINE)?.filter(is_counted),
            column: of.number(&url::COLUMN)?.filter(is_counted),
            form: required(&url::FORM, of.name(&url::FORM)?)?,
            scheme: of.string(&url::SCHEME)?.map(Cow::Owned),
            host: of.bytes(&url::HOST)?.map(Cow::Owned),
            fragment: of.bytes(&url::FRAGMENT)?.map(Cow::Owned),
            profile: required(&url::PROFILE, of.name(&url::PROFILE)?)?,
            reports: Cow::Owned(reports),
            joins: Cow::Owned(joins),
            other_readings: Cow::Owned(readings),
            quote_depth: of.number(&url::QUOTE_DEPTH)?.unwrap_or_default(),
            truncated: of.is_true(&url::TRUNCATED)?,
            decoded: Cow::Owned(of.names(&url::DECODED)?),
            approximate: of.is_true(&url::APPROXIMATE)?,
            html: of.string(&url::HTML)?.map(Cow::Owned),
            normalized: of.bytes(&url::NORMALIZED)?.map(Cow::Owned),
            domain: of.string(&url::DOMAIN)?.map(Cow::Owned),
            tld: of.string(&url::TLD)?.map(Cow::Owned),
            port: of.number(&url::PORT)?,
            target: of.bytes(&url::TARGET)?,
            link_text: of.bytes(&url::LINK_TEXT)?,
            place: required(&url::PLACE, of.name(&url::PLACE)?)?,
            header_name: of.bytes(&url::HEADER_NAME)?.map(Cow::Owned),
            message: message.map(|message| Cow::Owned(Arc::new(message))),
            page: page.map(|page| Cow::Owned(Arc::new(page))),
            quoted: None,
        })
    }
}

/// Deserializes the object in the field `message` of a record.
impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        to_message(&Members::deserialize(from)?)
    }
}

/// Deserializes the object in the field `page` of a record.
impl<'de> Deserialize<'de> for Page {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        to_page(&Members::deserialize(from)?)
    }
}

/// Converts the violations or findings in `field`.
fn to_reports<E: Error>(of: &Members, field: &Field) -> Result<Vec<Report>, E> {
    let convert = |of: &Members| {
        let FileSpan { start, end } = of.span(&report::START, &report::END)?;
        let offset = |offset| usize::try_from(offset).map_err(E::custom);
        let code = of.optional(&report::CODE, |name| Code::by_name(name.text()?))?;
        let code = required(&report::CODE, code)?;
        let mut report = Report::new(code, Span::new(offset(start)?, offset(end)?));
        // Violations have no level in the record.
        report.level = of.name(&report::LEVEL)?.unwrap_or(urlsift_core::Level::Error);
        Ok(report)
    };
    of.maps(field)?.into_iter().map(convert).collect()
}

fn to_join<E: Error>(of: &Members) -> Result<Join, E> {
    let evidence = of.names(&join::EVIDENCE)?;
    Ok(Join {
        span: of.span(&join::START, &join::END)?,
        kind: required(&join::KIND, of.name(&join::KIND)?)?,
        grade: required(&join::GRADE, of.name(&join::GRADE)?)?,
        evidence: evidence.into_iter().fold(JoinEvidenceSet::EMPTY, JoinEvidenceSet::with),
    })
}

fn to_message<E: Error>(of: &Members) -> Result<Message, E> {
    let cut: Vec<String> = of.names(&message::CUT)?;
    let names = message::ALL.iter().map(|field| field.name);
    Ok(Message {
        id: of.bytes(&message::ID)?,
        date: of.time(&message::DATE)?,
        date_source: of.name(&message::DATE_SOURCE)?,
        date_raw: of.bytes(&message::DATE_RAW)?,
        newsgroups: of.bytes_list(&message::NEWSGROUPS)?,
        list: of.bytes(&message::LIST)?,
        in_reply_to: of.bytes(&message::IN_REPLY_TO)?,
        from_domain: of.bytes(&message::FROM_DOMAIN)?,
        from_hash: of.string(&message::FROM_HASH)?,
        from: of.bytes(&message::FROM)?,
        subject: of.bytes(&message::SUBJECT)?,
        part: required(&message::PART, of.string(&message::PART)?)?,
        span: of.span(&message::START, &message::END)?,
        cut: names.filter(|name| cut.iter().any(|field| field == name)).collect(),
    })
}

fn to_page<E: Error>(of: &Members) -> Result<Page, E> {
    let cut: Vec<String> = of.names(&page::CUT)?;
    Ok(Page {
        uri: of.bytes(&page::URI)?,
        date: of.time(&page::DATE)?,
        id: of.bytes(&page::ID)?,
        kind: required(&page::TYPE, of.bytes(&page::TYPE)?)?,
        is_cut: !cut.is_empty(),
    })
}
