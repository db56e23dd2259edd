//! The rule `host.mixed-script`: a host label with letters of several scripts that look alike.

use crate::context::{Context, Findings};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};

static META: Meta = Meta::new(
    "host.mixed-script",
    Level::Warning,
    On::NonAscii,
    "part of the host mixes alphabets whose letters look alike",
)
.source(3987, "8")
.with_description("A part of the host name between dots (a label) mixes Latin, Greek, Cyrillic, Armenian or Cherokee letters.")
.with_reason("`p\u{430}ypal` with a Cyrillic \u{430} looks like the Latin word but is a different host. Genuine names use one alphabet.")
.with_advice("check that this is the intended host")
.with_example_urls("http://www.p\u{430}ypal.dom/", "http://www.paypal.dom/")
.with_other_rules(&["iri.non-ascii"]);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Cherokee,
}

impl Script {
    const fn name(self) -> &'static str {
        match self {
            Self::Latin => "Latin",
            Self::Greek => "Greek",
            Self::Cyrillic => "Cyrillic",
            Self::Armenian => "Armenian",
            Self::Cherokee => "Cherokee",
        }
    }

    /// Returns the script to which a letter belongs, by its Unicode block. Returns `None` for
    /// scripts whose letters don't look like those of other scripts.
    fn of_letter(c: char) -> Option<Self> {
        match c {
            'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => {
                Some(Self::Latin)
            }
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Some(Self::Greek),
            '\u{400}'..='\u{52f}' => Some(Self::Cyrillic),
            '\u{531}'..='\u{587}' => Some(Self::Armenian),
            '\u{13a0}'..='\u{13fd}' => Some(Self::Cherokee),
            _ => None,
        }
    }
}

pub(crate) struct MixedScript;

impl Rule for MixedScript {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        let Some(host) = cx.parts.host else { return };
        let bytes = cx.bytes_at(host);
        if bytes.is_ascii() {
            return;
        }
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        let mut at = host.start;
        for label in text.split('.') {
            let span = Span::new(at, at + label.len());
            at = span.end + 1;
            let mut scripts: Vec<Script> = Vec::new();
            for script in label.chars().filter_map(Script::of_letter) {
                if !scripts.contains(&script) {
                    scripts.push(script);
                }
            }
            if scripts.len() < 2 {
                continue;
            }
            let mut diagnostic = META.diagnostic_at(cx.to_text_span(span));
            let names: Vec<&str> = scripts.into_iter().map(Script::name).collect();
            diagnostic.label = names.join(" and ").into();
            let odd =
                label.chars().filter(|c| !c.is_ascii()).map(|c| format!("U+{:04X}", u32::from(c)));
            diagnostic.notes.push(format!(
                "non-ASCII characters in `{}`: {}",
                cx.masked_part(span),
                odd.collect::<Vec<_>>().join(", ")
            ));
            diagnostic.help = Some(META.advice.into());
            out.push(diagnostic);
        }
    }
}
