//! pulldown-cmark (Rust). It has no extension for bare URLs, so it finds only links in Markdown
//! syntax.

use conformance_adapters::{Link, serve};
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};
use serde_json::json;

fn main() -> std::io::Result<()> {
    let about = json!({
        "name": "pulldown-cmark", "version": "0.13.6", "levels": [2], "tags": ["markdown"],
        "settings": "all of GFM enabled; there is no extension for bare URLs",
        "claims": "links of Markdown; so only cases of Markdown count",
    });
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_GFM;
    serve(&about, |text| {
        let parser = Parser::new_ext(text, options);
        let definitions: Vec<_> =
            parser.reference_definitions().iter().map(|(_, d)| (d.dest.to_string(), d.span.clone())).collect();
        let mut links = Vec::new();
        for (event, range) in parser.into_offset_iter() {
            let (Event::Start(Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. })) = event else {
                continue;
            };
            // The range covers the whole link, so the target is located in it.
            let within = match link_type {
                LinkType::Inline | LinkType::Autolink => range,
                _ => continue,
            };
            links.extend(locate(text, within, &dest_url));
        }
        for (url, range) in definitions {
            links.extend(locate(text, range, &url));
        }
        links.sort_by_key(|link| link.start);
        links
    })
}

/// Returns the last occurrence of `url` in a range of the text, as written there.
fn locate(text: &str, range: std::ops::Range<usize>, url: &str) -> Option<Link> {
    let start = range.start + text[range].rfind(url)?;
    Some(Link { start, end: start + url.len(), url: url.to_owned() })
}
