//! Checks that an HTML page has the same diagnostics as a file and as a part of a message.

use urlsift_archive::Reading;
use urlsift_lint::{Config, Linter};

/// Pages, each with the rules that report something in it, in order.
const PAGES: &[(&str, &[&str])] = &[
    (r#"<a href="http//www.h.dom/">t</a>"#, &["scheme.no-colon"]),
    ("<a href='http:/www.h.dom/'>t</a>", &["scheme.single-slash"]),
    ("<a href=http//www.h.dom/>t</a>", &["scheme.no-colon"]),
    (r#"<A HREF="http//www.h.dom/">t</A>"#, &["scheme.no-colon"]),
    (r#"<a href = "http//www.h.dom/" >t</a>"#, &["scheme.no-colon"]),
    (r#"<a href=" http//www.h.dom/ ">t</a>"#, &["scheme.no-colon"]),
    (r#"<a href="http:/www.h.dom/?a&amp;b">t</a>"#, &["scheme.single-slash"]),
    (r#"<a href="http&#58;/www.h.dom/">t</a>"#, &["ciss.slashes"]),
    (
        r#"<a href="http:/www.h.dom/" href="http:/www.i.dom/">t</a>"#,
        &["scheme.single-slash", "scheme.single-slash"],
    ),
    (
        r#"<img srcset="http:/www.h.dom/a 1x, http:/www.i.dom/b 2x">"#,
        &["scheme.single-slash", "scheme.single-slash"],
    ),
    (r#"<a href="/" ping="http://www.h.dom/ http:/www.i.dom/">t</a>"#, &["scheme.single-slash"]),
    (r#"<head profile="http://www.h.dom/ http:/www.i.dom/">"#, &["scheme.single-slash"]),
    (
        r#"<object archive="http:/www.h.dom/ http:/www.i.dom/">"#,
        &["scheme.single-slash", "scheme.single-slash"],
    ),
    (
        r#"<applet archive="http:/www.h.dom/,http:/www.i.dom/">"#,
        &["scheme.single-slash", "ciss.slashes"],
    ),
    (r#"<meta http-equiv=refresh content="5; url=http:/www.h.dom/">"#, &["scheme.single-slash"]),
    (r#"<p style="background: url('http:/www.h.dom/a')">t"#, &["scheme.single-slash"]),
    (r#"<a title="http:/www.h.dom/">t</a>"#, &["scheme.single-slash"]),
    ("<p>See http:/www.h.dom/ there.", &["scheme.single-slash"]),
    ("<p>See &lt;http:/www.h.dom/&gt; there.", &["scheme.single-slash"]),
    ("<p>See http:/www.<b>h.dom</b>/ there.", &[]),
    ("<!-- http:/www.h.dom/ -->", &["scheme.single-slash"]),
    ("<script>open('http:/www.h.dom/')</script>", &["scheme.single-slash"]),
    ("<code>http:/www.h.dom/</code>", &["scheme.single-slash"]),
    (r#"<a href="www.h.com/a">t</a>"#, &["link.missing-scheme"]),
    ("<a href='http:/www.h.dom/>t</a>", &["scheme.single-slash"]),
    ("<title><style></title><a href='http:/www.h.dom/'>t</a>", &["scheme.single-slash"]),
    ("<textarea><a href='www.h.com'></textarea>", &[]),
    (
        r#"<iframe src="http:/www.h.dom/"><script></iframe><a href="http:/www.i.dom/">t</a>"#,
        &["scheme.single-slash", "scheme.single-slash"],
    ),
    ("<a href=\"http:/www.h.dom/\"\n title='a > b'>t</a>", &["scheme.single-slash"]),
    (r#"<img data-src="http:/www.h.dom/">"#, &["scheme.single-slash"]),
    ("<BODY BACKGROUND=http:/www.h.dom/>", &["scheme.single-slash"]),
    (r#"<a href="http://www.h.dom/a b">t</a>"#, &["char.space"]),
    (
        r#"<a href="http://joe:sesame@www.h.dom:99999/">t</a>"#,
        &["userinfo.http", "security.password", "port.out-of-range"],
    ),
    (
        r#"<a href="www.h.com" ping="www.i.com www.j.com">t</a>"#,
        &["link.missing-scheme", "link.missing-scheme", "link.missing-scheme"],
    ),
    (
        r#"<img srcset="www.h.com/a 1x, www.i.com/b 2x">"#,
        &["link.missing-scheme", "link.missing-scheme"],
    ),
    (r#"<p style="x: url(www.h.com/a.png)">t"#, &["link.missing-scheme"]),
];

/// Returns the diagnostics of a file, as rule, level, URL, and the source at the span.
fn lint(raw: &str, name: Option<&str>) -> Vec<String> {
    let linter = Linter::new(Config::default());
    let linted = linter.lint_file(raw.as_bytes(), name.map(str::as_bytes), Reading::Auto);
    let show = |found: &urlsift_lint::Diagnostic| {
        format!("{} {:?} {:?} {:?}", found.code, found.level, found.url, &raw[found.span.range()])
    };
    linted.diagnostics.iter().map(show).collect()
}

#[test]
fn html_in_mail_is_linted_as_in_a_file() {
    for &(page, rules) in PAGES {
        let page = format!("<html><body>\n{page}\n</body></html>\n");
        let file = lint(&page, Some("a.html"));
        let found: Vec<_> = file.iter().filter_map(|found| found.split(' ').next()).collect();
        assert_eq!(found, rules, "{page}");
        let header = "From: joe@host.dom\nMIME-Version: 1.0\nContent-Type: text/html\n";
        assert_eq!(lint(&format!("{header}\n{page}"), None), file, "{page}");
        let coded = "Content-Transfer-Encoding: quoted-printable\n";
        let page = page.replace('=', "=3D").replace("http", "htt=\np");
        let mail = lint(&format!("{header}{coded}\n{page}"), None);
        let rule = |found: &String| found.split(' ').next().map(str::to_owned);
        assert!(mail.iter().map(rule).eq(file.iter().map(rule)), "{page}");
    }
}
