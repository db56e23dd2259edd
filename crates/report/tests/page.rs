//! Tests the way from mail to the HTML page: the numbers on the page, the escaping of texts, and
//! the memory limits.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::Arc;
use urlsift_archive::Reading;
use urlsift_records::{FileName, Malformed, Message, Options, Scan, Sink, Unit, UrlRecord, With};
use urlsift_report::{Batch, Collector, Report, Run, Saver, html};

struct Counted(Batch);

impl Sink for Counted {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        self.0.push_url(record);
        ControlFlow::Continue(())
    }

    fn message(&mut self, file: &Arc<FileName>, message: &Message, _: u64) {
        self.0.push_message(file, message);
    }
}

/// Returns the report on files with these paths and contents.
fn report(files: &[(&str, &str)], masked: bool) -> Report {
    let mut options = Options::default();
    options.with = vec![With::Domain, With::Tld];
    options.malformed = Malformed::Include;
    options.report_messages = true;
    options.quoted = true;
    options.mask_passwords = masked;
    let scan = Scan::new(options);
    let mut collector = Collector::default();
    let mut saver = Saver::new(Vec::new());
    for (path, raw) in files {
        let file = Arc::new(FileName::new(*path));
        let mut counted = Counted(Batch::default());
        scan.scan_unit(
            raw.as_bytes(),
            &Unit::whole_file(&file, raw.as_bytes(), Reading::Auto),
            &mut counted,
        );
        let batch = counted.0;
        collector.count_urls(&batch, 0..batch.len());
        collector.count_messages(&batch);
        saver.count_urls(0..batch.len());
        saver.count_messages(&batch).unwrap();
    }
    let mut run = Run::default();
    run.complete = true;
    let report = collector.finish(run.clone());
    let mut of_saved = Collector::default();
    of_saved.count_saved(&*saver.finish().unwrap()).unwrap();
    assert_eq!(of_saved.finish(run), report);
    report
}

#[test]
fn damaged_data_is_an_error() {
    let file = Arc::new(FileName::new("a.zip").with_member(b"b"));
    let raw = mailbox(&[(EARLY, "http://one.dom/x-\ny"), (LATE, "http://two..dom/")]);
    let mut batch = Counted(Batch::default());
    let mut options = Options::default();
    options.report_messages = true;
    options.malformed = Malformed::Include;
    let unit = Unit::whole_file(&file, raw.as_bytes(), Reading::Auto);
    Scan::new(options).scan_unit(raw.as_bytes(), &unit, &mut batch);
    let mut saver = Saver::new(Vec::new());
    saver.count_urls(0..batch.0.len());
    saver.count_messages(&batch.0).unwrap();
    saver.count_error(&file, "not readable").unwrap();
    let saved = saver.finish().unwrap();
    let count = |bytes: &[u8]| {
        let mut collector = Collector::default();
        collector.count_saved(bytes).map(|()| collector.finish(Run::default()))
    };
    let report = count(&saved).unwrap();
    assert_eq!((report.urls, report.malformed, report.errors.count), (1, 1, 1));
    assert_eq!(report.errors.first[0].path, "a.zip!/b");
    for len in 0..saved.len() {
        assert!(count(&saved[..len]).is_err(), "{len}");
    }
    let start = saved.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let version_1 = [b"urlsift report data 1\n", &saved[start..]].concat();
    let error = count(&version_1).unwrap_err().to_string();
    assert!(error.contains("unsupported version"), "{error}");
    // These entries are longer than the data, or than any entry.
    for len in [100_000_u32, 1 << 30, u32::MAX] {
        let long = [&saved[..start], &len.to_le_bytes(), &saved[start + 4..]].concat();
        assert!(count(&long).is_err(), "{len}");
    }
    for at in 0..saved.len() {
        for value in [0, 1, 0x7F, 0xFF] {
            let mut changed = saved.clone();
            changed[at] = value;
            // Some of these changes cause an error and some don't, but none causes a panic.
            let _ = count(&changed);
        }
    }
}

/// Returns a mailbox that contains a message for each date and text.
fn mailbox(messages: &[(&str, &str)]) -> String {
    let mut raw = String::new();
    for (number, (date, body)) in (1..).zip(messages) {
        let _ = write!(
            raw,
            "From joe@h.dom Thu Dec  1 10:00:00 1994\nFrom: joe@h.dom\nDate: {date}\nMessage-ID: <{number}@h.dom>\n\
             Newsgroups: comp.a,comp.b\n\n{body}\n\n"
        );
    }
    raw
}

const LATE: &str = "Mon, 1 Jan 1996 10:00:00 GMT";
const EARLY: &str = "Thu, 1 Dec 1994 10:00:00 GMT";

#[test]
fn numbers_and_quotes_are_reported() {
    let raw = mailbox(&[
        (LATE, "See http://www.One.dom/a and http://www.one.dom/a#b, or ftp://two.dom/."),
        (EARLY, "At <URL:http://www.one.dom/a> it is,\n> and gopher://three.dom/1/x-\n> y"),
        ("soon", "http://four.dom/ and http://four..dom/"),
    ]);
    let undated = "From: joe@h.dom\nDate: never\n\nhttp://five.dom/\n";
    let report = report(&[("a.mbox", &raw), ("b/1", undated)], true);
    let hosts: Vec<_> =
        report.hosts.most.iter().map(|u| (u.name.as_str(), u.urls, u.different)).collect();
    assert_eq!(hosts[0], ("www.one.dom", 3, 2));
    assert_eq!((report.urls, report.malformed, report.undated), (7, 1, 1));
    assert_eq!(report.hosts.most[0].messages, 2);
    assert_eq!(report.hosts.most[0].first.as_deref(), Some("1994-12-01T10:00:00Z"));
    assert_eq!(report.hosts.most[0].last.as_deref(), Some("1996-01-01T10:00:00Z"));
    assert_eq!(report.hosts.most[0].years, [(1994, 1), (1996, 2)]);
    assert_eq!(report.dates.unreadable, 1);
    assert_eq!(report.dates.examples, ["never"]);
    let months: Vec<_> = report.months.iter().map(|month| month.month.as_str()).collect();
    // The date of the third message comes from its `From ` line.
    assert_eq!(months, ["1994-12", "1996-01"]);
    let new: Vec<_> = report.first_seen.months.iter().map(|m| (m.name.as_str(), m.count)).collect();
    assert_eq!(new, [("1994-12", 3), ("1996-01", 1)]);
    // Quotes are sorted by date and not by position.
    let quotes: Vec<_> = report.first_seen.quotes.iter().map(|quote| quote.host.as_str()).collect();
    assert_eq!(quotes, ["www.one.dom", "three.dom", "four.dom", "two.dom"]);
    let quote = &report.first_seen.quotes[0];
    assert_eq!(
        (quote.before.as_str(), quote.written.as_str(), quote.after.as_str()),
        ("At <URL:", "http://www.one.dom/a", "> it is,")
    );
    assert_eq!(quote.place.message_id.as_deref(), Some("<2@h.dom>"));
    assert_eq!((quote.place.path.as_str(), quote.place.line), ("a.mbox", 15));
    let lists: Vec<_> =
        report.lists.rows.iter().map(|r| (r.name.as_str(), r.urls, r.messages)).collect();
    assert_eq!(lists, [("comp.a", 6, 3), ("comp.b", 6, 3), ("b", 1, 1)]);
    let fault = report.faults.iter().find(|fault| fault.level == "error").unwrap();
    assert_eq!(
        (fault.count, fault.years.as_slice(), fault.examples.len()),
        (1, &[(1994, 1)][..], 1)
    );
    let json = report.to_json().unwrap();
    assert_eq!(Report::from_json(&json).unwrap(), report);
}

#[test]
fn months_count_unless_a_long_gap_shows_a_wrong_date() {
    let many = "http://h.dom/a ".repeat(5000);
    let mut messages =
        vec![("1 Mar 1993 10:00 GMT", "http://h.dom/a"), ("1 Dec 1994 10:00 GMT", &*many)];
    messages.push(("1 Jan 1996 10:00 GMT", "http://h.dom/a"));
    let title = |messages: &[(&str, &str)]| {
        let page = html::report_page(&report(&[("a.mbox", &mailbox(messages))], false));
        let (_, rest) = page.split_once("on 1 host, ").unwrap();
        rest.split_once('<').unwrap().0.to_owned()
    };
    assert_eq!(title(&messages), "1993 to 1996");
    messages.push(("1 Jan 2036 10:00 GMT", "http://h.dom/a"));
    messages.push(("1 Jan 1970 10:00 GMT", "http://h.dom/a"));
    assert_eq!(title(&messages), "1993 to 1996");
}

#[test]
fn urls_that_software_wrote_are_counted_by_place() {
    let raw = mailbox(&[(EARLY, "Ann wrote in message\nnews:1@h.dom...\n> http://one.dom/")]);
    let page = format!(
        "<HTML><HEAD>\n<LINK REL=\"made\" HREF=\"mailto:a%40h.dom?In-Reply-To=%3C2%40h.dom%3E\">\n\
         </HEAD><BODY><H1>b</H1>\n<B>Joe</B>\n<I>{EARLY}</I>\n<!--beginarticle-->\n\
         <PRE><A HREF=\"http://two.dom/\">http://two.dom/</A>\n</PRE>\n<!--endarticle-->\n\
         <A HREF=\"http://lists.dom/\">More</A>\n</BODY></HTML>\n"
    );
    let report = report(&[("a.mbox", &raw), ("1.html", &page)], false);
    assert_eq!((report.urls, report.added), (2, 3));
    let places = report.added_places.iter().map(|place| (&*place.name, place.count));
    assert_eq!(places.collect::<Vec<_>>(), [("chrome", 2), ("attribution", 1)]);
    let hosts: Vec<_> = report.hosts.most.iter().map(|host| host.name.as_str()).collect();
    assert_eq!(hosts, ["one.dom", "two.dom"]);
    let page = html::report_page(&report);
    assert!(page.contains("<dd>3 (chrome 2, attribution 1)</dd>"), "{page}");
}

#[test]
fn hyphens_and_breaks() {
    let raw = mailbox(&[(EARLY, "At <URL:http://one.dom/a-\nb> and <URL:http://one.dom/c\nd>.")]);
    let report = report(&[("a.mbox", &raw)], true);
    assert_eq!((report.writing.broken, report.writing.hyphens), (2, 1));
    assert_eq!(report.writing.readings[0].readings, ["http://one.dom/a-b", "http://one.dom/ab"]);
    assert_eq!(report.writing.breaks[0].name, "wrapper/certain");
    assert_eq!(report.writing.breaks[0].count, 2);
    let page = html::report_page(&report);
    assert!(page.contains("http://one.dom/a-<br>b"), "a break is shown");
}

#[test]
fn messages_without_list_are_counted_under_file_or_directory() {
    let one =
        |id| format!("From: a@h.dom\nDate: {EARLY}\nMessage-ID: <{id}@h.dom>\n\nhttp://h.dom/\n");
    let several =
        mailbox(&[(EARLY, "http://h.dom/"), (EARLY, "http://h.dom/")]).replace("Newsgroups", "X-N");
    let (first, second) = (one(1), one(2));
    let files =
        [("m/cur/1", &*first), ("m/cur/2", &*second), ("box/a.mbox", &*several), ("n/7", &*first)];
    let rows = report(&files, true).lists.rows;
    let rows: Vec<_> = rows.iter().map(|row| (row.name.as_str(), row.messages, row.urls)).collect();
    assert_eq!(rows, [("box/a.mbox", 2, 2), ("m", 2, 2), ("n", 1, 1)]);
}

/// HTML that would run scripts or load resources if it was not escaped.
const PAYLOADS: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"><svg/onload=alert(1)>",
    "' onmouseover='alert(1)",
    "</title></desc></svg><img/src=http://evil.dom/x>",
    "--></style></code></q><iframe/srcdoc=x>",
    "javascript:alert(1)",
];

#[test]
fn archive_texts_are_escaped() {
    let mut files = Vec::new();
    for (number, payload) in PAYLOADS.iter().enumerate() {
        let raw = format!(
            "From: {payload} <a@h.dom>\nSubject: {payload} http://h{number}.dom/{payload}\nMessage-ID: <{payload}@h.dom>\nDate: {EARLY}\n\
             Newsgroups: {payload}\nList-Id: {payload} <{payload}>\n\n{payload} http://h.dom/{payload} {payload}\n\
             <URL:http://b{number}.dom/a-\n{payload}> http://..{payload}/ <URL:x-{payload}:y>\n\
             <a href=\"{payload}\">http://q:w@h{number}.dom/{payload}</a>\n"
        );
        files.push((format!("dir/{payload}"), raw.clone()));
        files.push((format!("dir/undated {payload}"), raw.replace(EARLY, payload)));
    }
    let files: Vec<_> = files.iter().map(|(path, raw)| (path.as_str(), raw.as_str())).collect();
    let mut report = report(&files, true);
    report.options = PAYLOADS.map(str::to_owned).into();
    report.version = PAYLOADS[0].to_owned();
    report.errors.count = 1;
    let mut error = urlsift_report::FileError::default();
    (error.path, error.message) = (PAYLOADS[1].to_owned(), PAYLOADS[3].to_owned());
    report.errors.first = vec![error];
    // Values that an attacker could put into report.json.
    for counts in [&mut report.writing.forms, &mut report.writing.decoded, &mut report.skipped] {
        counts.extend(PAYLOADS.map(|name| {
            let mut count = urlsift_report::Count::default();
            (count.name, count.count) = (name.to_owned(), 1);
            count
        }));
    }
    for name in PAYLOADS {
        let mut used = urlsift_report::Use::default();
        (used.name, used.first) = (name.to_owned(), Some(name.to_owned()));
        report.most_used.most.push(used);
    }
    let page = html::report_page(&report);
    assert!(page.contains("&lt;script&gt;alert(1)"), "the payloads are there, as text");
    let mut rest = page.split_once("<body>").unwrap().1;
    let allowed = "a blockquote body br caption code dd defs desc details div dl dt em figcaption figure footer h1 h2 h3 header html li \
                   line main mark nav ol p path pattern q rect section small span strong summary svg table tbody td text th thead time title \
                   tr ul";
    let attributes = "aria-hidden aria-label aria-labelledby class d datetime download fill-opacity height href id patternUnits rel role scope \
                      start tabindex viewBox width x x1 x2 y y1 y2";
    while let Some((text, tag)) = rest.split_once('<') {
        assert!(!text.contains('>'), "{text}");
        let (tag, behind) = tag.split_once('>').unwrap();
        rest = behind;
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        assert!(allowed.split(' ').any(|known| known == name), "<{tag}>");
        let mut values =
            tag[name.len() + usize::from(tag.starts_with('/'))..].trim_end_matches('/');
        while let Some((attribute, value)) = values.split_once("=\"") {
            let attribute = attribute.trim();
            let (value, behind) = value.split_once('"').unwrap();
            values = behind;
            assert!(
                attributes.split(' ').any(|known| known == attribute),
                "{attribute} in <{tag}>"
            );
            let safe = ["#", "data:text/csv;charset=utf-8;base64,", "https://web.archive.org/web/"];
            assert!(
                attribute != "href" || safe.iter().any(|start| value.starts_with(start)),
                "{value}"
            );
        }
        assert_eq!(values.trim(), "", "<{tag}>");
    }
}

#[test]
fn passwords_are_hidden_even_if_the_scan_shows_them() {
    let raw = mailbox(&[(
        EARLY,
        "ftp://joe:secret@h.dom/pub and <URL:ftp://joe:secret@h.dom/a-\nb> ftp://joe:secret@h..dom/",
    )]);
    for masked in [true, false] {
        let report = report(&[("a.mbox", &raw)], masked);
        assert!(report.urls >= 2);
        let json = String::from_utf8(report.to_json().unwrap()).unwrap();
        assert!(!json.contains("secret") && json.contains("***"), "{json}");
        assert!(!html::report_page(&report).contains("secret"));
    }
}

#[test]
fn forged_numbers_are_rejected() {
    let largest = u64::MAX;
    for forged in [
        format!(
            "{{\"months\":[{{\"month\":\"1994-12\",\"schemes\":[{{\"name\":\"ftp\",\"count\":{largest}}},{{\"name\":\"http\",\"count\":1}}]}}]}}"
        ),
        format!("{{\"tlds\":{{\"rows\":[{{\"years\":[[1994,{largest}]]}}]}}}}"),
        format!("{{\"dates\":{{\"missing\":{largest},\"unreadable\":{largest}}}}}"),
    ] {
        let error = Report::from_json(forged.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "its numbers are too large to be counted", "{forged}");
    }
    // Slightly smaller numbers are accepted and drawn.
    let large = format!(
        "{{\"urls\":1,\"months\":[{{\"month\":\"1994-12\",\"schemes\":[{{\"name\":\"ftp\",\"count\":{}}}]}}]}}",
        largest - 1
    );
    let page = html::report_page(&Report::from_json(large.as_bytes()).unwrap());
    assert!(page.contains("18,446,744,073,709,551,614"));
}

#[test]
fn empty_report_has_a_page() {
    let mut report = report(&[], true);
    let page = html::report_page(&report);
    assert!(page.contains("0 URLs on 0 hosts"), "{page}");
    report.complete = false;
    let interrupted = html::report_page(&report);
    assert!(interrupted.contains("Interrupted."));
}

#[test]
fn undated_text_has_no_figures() {
    let report = report(&[("notes.txt", "http://a.dom/ and ftp://b.dom/\n")], true);
    assert_eq!((report.urls, report.undated, report.months.len()), (2, 2, 0));
    let page = html::report_page(&report);
    assert!(
        page.contains("<th scope=\"row\">http</th>") && page.contains("No message with a date")
    );
}
