//! Indexes the messages of a mailbox and prints the identifiers of those that contain a URL, even
//! if it is broken across lines.
//!
//! ```sh
//! cargo run --example search -- MAILBOX url http://www.host.dom/archive/1994/minutes.html
//! cargo run --example search -- MAILBOX host www.host.dom
//! cargo run --example search -- MAILBOX words archive/1994
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::ops::ControlFlow;
use tantivy::collector::DocSetCollector;
use tantivy::query::{Query, QueryParser, TermQuery};
use tantivy::schema::{
    Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value,
};
use tantivy::tokenizer::{LowerCaser, RemoveLongFilter, SimpleTokenizer, TextAnalyzer};
use tantivy::{Index, TantivyDocument, Term};
use urlsift_archive::{Head, Message, Options, Reading, detect, documents};
use urlsift_tantivy::Urls;

struct Mailbox {
    index: Index,
    id: Field,
    text: Field,
}

impl Mailbox {
    fn of(raw: &[u8]) -> tantivy::Result<Self> {
        let mut schema = Schema::builder();
        let id = schema.add_text_field("id", STRING | STORED);
        let words = TextFieldIndexing::default()
            .set_tokenizer("urls")
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let text =
            schema.add_text_field("text", TextOptions::default().set_indexing_options(words));
        let index = Index::create_in_ram(schema.build());
        let analyzer = TextAnalyzer::builder(SimpleTokenizer::default())
            .filter(RemoveLongFilter::limit(40))
            .filter(LowerCaser)
            .filter(Urls::default());
        index.tokenizers().register("urls", analyzer.build());

        let mut messages = BTreeMap::<String, TantivyDocument>::new();
        let container = detect(Head::of(raw), None, Reading::Auto);
        documents(raw, container, 0, &Options::default(), &mut |document| {
            if let Some(name) = document.origin.message.and_then(Message::id) {
                let message =
                    messages.entry(String::from_utf8_lossy(name).into_owned()).or_default();
                message.add_text(text, String::from_utf8_lossy(document.text));
            }
            ControlFlow::Continue(())
        });
        let mut writer = index.writer(50_000_000)?;
        for (name, mut message) in messages {
            message.add_text(id, name);
            writer.add_document(message)?;
        }
        writer.commit()?;
        Ok(Self { index, id, text })
    }

    fn query(&self, kind: &str, what: &str) -> Result<Box<dyn Query>, Box<dyn Error>> {
        let term = |word: &str| -> Box<dyn Query> {
            Box::new(TermQuery::new(
                Term::from_field_text(self.text, word),
                IndexRecordOption::Basic,
            ))
        };
        match kind {
            "url" => Ok(term(&Urls::default().url_key(what))),
            "host" => Ok(term(&what.to_lowercase())),
            "words" => {
                let parser = QueryParser::for_index(&self.index, vec![self.text]);
                Ok(parser.parse_query(&format!("\"{}\"", what.replace(['"', '\\'], " ")))?)
            }
            _ => Err("neither url, host nor words".into()),
        }
    }

    /// Returns the identifiers of the matching messages.
    fn search(&self, query: &dyn Query) -> tantivy::Result<Vec<String>> {
        let searcher = self.index.reader()?.searcher();
        let mut found = Vec::new();
        for address in searcher.search(query, &DocSetCollector)? {
            let message: TantivyDocument = searcher.doc(address)?;
            found.extend(message.get_first(self.id).and_then(|id| Some(id.as_str()?.to_owned())));
        }
        found.sort();
        Ok(found)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, kind, what] = &arguments[..] else {
        return Err("usage: search MAILBOX url|host|words WHAT".into());
    };
    let mailbox = Mailbox::of(&std::fs::read(path)?)?;
    let mut out = std::io::stdout().lock();
    for id in mailbox.search(&*mailbox.query(kind, what)?)? {
        writeln!(out, "{id}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BROKEN: &[u8] = b"From joe@host.dom Thu Dec  1 10:00:00 1994\n\
        From: joe@host.dom\nMessage-ID: <first@host.dom>\nSubject: The page\n\n\
        It is http://www.host.dom/index.html now, and the archive of 1994 is not.\n\n\
        From jim@host.dom Fri Dec  2 10:00:00 1994\n\
        From: jim@host.dom\nMessage-ID: <second@host.dom>\nSubject: Re: The page\n\n\
        Joe writes:\n\
        > The minutes are at <http://www.host.dom/archive/\n\
        > 1994/minutes-of-the-\n\
        > meeting.html>; please read them.\n\n";

    fn found(kind: &str, what: &str) -> Vec<String> {
        let mailbox = Mailbox::of(BROKEN).unwrap();
        mailbox.search(&*mailbox.query(kind, what).unwrap()).unwrap()
    }

    #[test]
    fn a_message_is_found_by_a_url_that_was_broken_in_it() {
        let url = "HTTP://www.Host.dom:80/archive/1994/minutes-of-the-meeting.html";
        assert_eq!(found("url", url), ["<second@host.dom>"]);
        assert_eq!(found("words", url), ["<second@host.dom>"]);
        assert!(found("url", "http://www.host.dom/archive/").is_empty());
    }

    #[test]
    fn by_its_host() {
        let both = ["<first@host.dom>", "<second@host.dom>"];
        assert_eq!(found("host", "www.host.dom"), both);
        assert!(found("host", "host.dom").is_empty());
        assert_eq!(found("words", "host.dom"), both);
    }

    #[test]
    fn by_words_of_its_path() {
        assert_eq!(found("words", "archive/1994/minutes"), ["<second@host.dom>"]);
        assert_eq!(found("words", "of-the-meeting.html"), ["<second@host.dom>"]);
        assert_eq!(found("words", "www.host.dom/archive"), ["<second@host.dom>"]);
        assert!(found("words", "1994/archive").is_empty());
        // Prose is still indexed as words.
        assert_eq!(found("words", "archive of 1994"), ["<first@host.dom>"]);
    }
}
