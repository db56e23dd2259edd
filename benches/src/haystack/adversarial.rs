//! Hostile texts. Each repeats a text that some extractors are known to scan again and again.

/// A hostile text of any length. It consists of `before`, `unit` repeated, and `after`.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// The name of the text, which is valid as a file name.
    pub name: &'static str,
    /// The start of the text.
    pub before: &'static str,
    /// The part that is repeated.
    pub unit: &'static str,
    /// The end of the text.
    pub after: &'static str,
}

const fn repeating(name: &'static str, unit: &'static str) -> Pattern {
    Pattern { name, before: "", unit, after: "" }
}

const fn with_start(name: &'static str, before: &'static str, unit: &'static str) -> Pattern {
    Pattern { name, before, unit, after: "" }
}

const fn with_start_and_end(
    name: &'static str,
    before: &'static str,
    unit: &'static str,
    after: &'static str,
) -> Pattern {
    Pattern { name, before, unit, after }
}

impl Pattern {
    /// All hostile texts. If you find a new input that takes quadratic time, add it here.
    pub const ALL: &'static [Self] = &[
        // Wrappers that are opened repeatedly and never closed, or closed far away.
        repeating("wrapper-open", "<URL:"),
        repeating("wrapper-open-http", "<http://x"),
        repeating("wrapper-empty", "<URL:>"),
        repeating("wrapper-unclosed", "<URL:http://a.b/c d e "),
        with_start("wrapper-unclosed-once", "<URL:http://a.b/", "c d e "),
        with_start("wrapper-unclosed-lines", "<URL:http://a.b/", "c/d\n"),
        repeating("wrapper-unclosed-line-each", "<URL:http://a.b/c\n"),
        with_start_and_end("wrapper-closed-far", "", "<URL:http://a.b/c\n ", ">"),
        repeating("wrapper-blank-lines", "<URL:http://a.b/\n\n"),
        repeating("wrapper-page-furniture", "<URL:http://a.b/\n\n\x0c\n\n"),
        repeating("angle-open", "<"),
        repeating("angle-close", ">"),
        // Starts of URLs without a URL, and URLs inside URLs.
        repeating("anchor-http", "http://"),
        repeating("anchor-http-twice", "http://http://"),
        repeating("anchor-letter", "a:"),
        repeating("colons", "::::"),
        repeating("scheme-colons", "http:"),
        repeating("slashes", "://"),
        repeating("prose-colons", "note: this is: "),
        repeating("header-lines", "Subject: re: fwd: x\n"),
        repeating("mailto-open", "mailto:a@"),
        repeating("mailto", "mailto:a@b.c "),
        repeating("news", "news:"),
        repeating("news-glued", "news:a@b,"),
        repeating("prefix", "URL:"),
        repeating("prefix-http", "URL:http://"),
        repeating("at-signs", "@@@@"),
        repeating("www", "www.www."),
        repeating("host-dots", "a.b."),
        // A single endless URL, and URLs whose ends must be trimmed or balanced.
        with_start("url-endless", "http://a.b/", "abcdefgh/"),
        with_start("url-parens-close", "http://a.b/", ")"),
        with_start("url-parens-open", "http://a.b/", "("),
        with_start("url-parens-pairs", "http://a.b/", "()"),
        with_start("url-brackets", "http://a.b/", "[]]["),
        with_start("url-labels", "http://a.b/", "[a"),
        with_start("url-keys", "http://a.b/?", "[a][b"),
        with_start("url-json", "http://a.b/?", "a=[{\"[["),
        with_start("url-symbols", "http://", "☃"),
        with_start("url-colors", "http://a.b/", "c\x1B[1m"),
        with_start("url-color-run", "http://a.b/", "\x1B[1m"),
        repeating("colors", "http://\x1B[m"),
        repeating("url-color-each", "http://a.b/\x1B[1m"),
        repeating("url-irc-color-each", "\x0312http://a.b/\x03,"),
        with_start("url-starred", "http://a.b/", "c**\n> "),
        repeating("url-starred-each", "http://a.b/**\n"),
        repeating("url-folded-each", "http://a.b/\\\nc "),
        with_start("script-slashes", "<script>'http:\\/\\/", "(/'\\'"),
        with_start("url-full-stops", "http://a.b/", "."),
        with_start("url-commas", "http://a.b/", ",;:!?"),
        with_start("url-quotes", "\"http://a.b/", "'\""),
        with_start("url-escapes", "http://a.b/", "%2"),
        with_start("url-queries", "http://a.b/", "?a=b&"),
        with_start("url-fragments", "http://a.b/", "#"),
        with_start("url-host-long", "http://", "a."),
        with_start("url-host-digits", "http://", "1."),
        with_start("url-logins", "http://", "a:b@"),
        with_start("url-emphasis", "*http://a.b/", "*_"),
        with_start("url-angle", "http://a.b/", "<"),
        repeating("url-comma-list", "http://a.b,"),
        repeating("url-kana", "http://a.b/を"),
        repeating("parens-open", "(((("),
        repeating("word", "aaaa"),
        repeating("scheme-bytes", "a+-.1"),
        with_start(
            "scheme-long",
            "",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:/",
        ),
        // Line breaks, after each of which a URL may continue.
        repeating(
            "break-wrap-column",
            "see http://www.example.com/a/long/path/up/to/the/column/where/mail/wraps\n",
        ),
        repeating("break-url-only", "http://a.b/c/\nd/e/"),
        with_start("break-url-tail", "http://a.b/c/", "\nabc/def/"),
        repeating("break-scrap", "http://a.b/c/\nd\n"),
        repeating("break-scrap-hyphen", "http://a.b/c-\nd\n"),
        with_start("break-hyphen", "<URL:http://a.b/", "c-\n"),
        with_start("break-hyphen-bare", "http://a.b/", "c-\n"),
        with_start("break-blank-lines", "http://a.b/c/", "\n"),
        with_start("break-blanks", "http://a.b/c", " "),
        with_start("break-crlf", "<URL:http://a.b/", "\r\n "),
        repeating("break-twin", "http://a.b/c/d\n e http://a.b/c/de "),
        repeating("quote-deep", ">>>>>>>>>>>>>>>> http://a.b/c/\n"),
        with_start("quote-endless", "", ">> "),
        with_start("quote-wrapper", "> <URL:http://a.b/", "\n> c/"),
        repeating("quote-depth-changes", "> http://a.b/c/\n>> d/\n"),
        // Lines of special formats.
        repeating(
            "base64",
            "TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5IGJ5IGhpcyByZWFzb24sIGJ1dCBieSB0aGlz\n",
        ),
        repeating("nul", "\0"),
        repeating("high-bytes", "\u{ff}"),
        repeating("no-break-space", "http://a.b\u{a0}"),
        repeating("line-one", "one line without an end, http://a.b/c and on, "),
    ];

    /// Returns the text with as many repetitions of `unit` as fit into `bytes` bytes.
    pub fn text_of_len(&self, bytes: usize) -> Vec<u8> {
        let mut text = Vec::with_capacity(bytes + self.before.len() + self.after.len());
        text.extend_from_slice(self.before.as_bytes());
        while text.len() + self.unit.len() <= bytes {
            text.extend_from_slice(self.unit.as_bytes());
        }
        text.extend_from_slice(self.after.as_bytes());
        text
    }
}
