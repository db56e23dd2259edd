//! linkify (Rust).

use conformance_adapters::{Link, serve};
use linkify::{LinkFinder, LinkKind};
use serde_json::json;

fn main() -> std::io::Result<()> {
    let about = json!({
        "name": "linkify", "version": "0.11.0", "levels": [1, 2, 7],
        "settings": "kinds: URLs only; a scheme is required",
        "claims": "URLs with :// in plain text, trailing punctuation, brackets, Unicode",
    });
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    serve(&about, |text| {
        let link = |link: linkify::Link<'_>| Link {
            start: link.start(),
            end: link.end(),
            url: link.as_str().to_owned(),
        };
        finder.links(text).map(link).collect()
    })
}
