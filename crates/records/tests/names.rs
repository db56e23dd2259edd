//! Checks that names and values are converted into each other.

use std::fmt::{Debug, Display};
use std::str::FromStr;
use urlsift_archive::unpack::Compression;
use urlsift_archive::{DateSource, Headers, Layer, Reading};
use urlsift_core::registry::{Rfc1738, Status};
use urlsift_core::{Level, Profile};
use urlsift_records::{Detail, Malformed, Place, With};
use urlsift_scanner::{Form, Grade, JoinEvidence, JoinKind, Rejoin};

fn names<T: Copy + Debug + PartialEq + Display + FromStr>(all: &[T]) {
    for value in all {
        let name = value.to_string();
        assert!(name.parse().is_ok_and(|read: T| read == *value), "{name}");
        assert_eq!(all.iter().filter(|other| other.to_string() == name).count(), 1, "{name}");
    }
    assert!("".parse::<T>().is_err());
}

#[test]
fn names_convert_back() {
    names(&Profile::ALL);
    names(&Level::ALL);
    names(&Rejoin::ALL);
    names(&Form::ALL);
    names(&JoinKind::ALL);
    names(&Grade::ALL);
    names(&JoinEvidence::ALL);
    names(&Reading::ALL);
    names(&Headers::ALL);
    names(&Layer::ALL);
    names(&DateSource::ALL);
    names(&Compression::ALL);
    names(&Malformed::ALL);
    names(&With::ALL);
    names(&Detail::ALL);
    names(&Status::ALL);
    names(&Rfc1738::ALL);
    names(&Place::ALL);
}

#[test]
#[cfg(feature = "serde")]
fn serde_reads_names() {
    assert_eq!(serde_json::to_string(&Rejoin::ALL).unwrap(), r#"["off","certain","likely"]"#);
    assert_eq!(serde_json::from_str::<Profile>(r#""web""#).unwrap(), Profile::Web);
    let error = serde_json::from_str::<Malformed>(r#""some""#).unwrap_err().to_string();
    assert!(error.starts_with("no such name: it is one of skip, include, only"), "{error}");
}

#[test]
#[cfg(feature = "serde")]
fn serde_reads_urls() {
    let url: urlsift_core::UrlBuf = serde_json::from_str(r#""http://h.dom/#a""#).unwrap();
    assert_eq!(serde_json::to_string(&url.as_url()).unwrap(), r#""http://h.dom/#a""#);
    assert!(serde_json::from_str::<urlsift_core::UrlBuf>(r#""http://""#).is_err());
}

#[test]
#[cfg(feature = "serde")]
fn serde_reads_spans_and_reports() {
    use urlsift_core::Span;
    assert_eq!(serde_json::to_string(&Span::new(2, 5)).unwrap(), r#"{"start":2,"end":5}"#);
    assert_eq!(serde_json::from_str::<Span>(r#"{"end":5,"start":2}"#).unwrap(), Span::new(2, 5));
    let error = serde_json::from_str::<Span>(r#"{"start":5,"end":2}"#).unwrap_err().to_string();
    assert!(error.starts_with("the span ends before it starts"), "{error}");
    let scanner = urlsift_scanner::Scanner::builder().build();
    let found = scanner.find_iter(b"> <http://h.dom/a\n> b>").next().unwrap();
    let json = r#"{"url":"http://h.dom/ab","start":3,"end":21,"form":"bracketed","quote_depth":1}"#;
    assert_eq!(serde_json::to_string(&found).unwrap(), json);
    assert_eq!(serde_json::to_string(&found.into_owned()).unwrap(), json);
}
