//! Compares the terms of URLs and hosts with `corpus/bindings/find.json`, which the tests of the
//! other libraries read, too.

use serde_json::Value;
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer};
use urlsift_core::Profile;
use urlsift_scanner::{Scanner, validate_found};
use urlsift_tantivy::Urls;

/// A tokenizer that produces no tokens, so that all tokens are those of URLs and hosts.
#[derive(Clone)]
struct Nothing;

impl Tokenizer for Nothing {
    type TokenStream<'a> = NoTokens;

    fn token_stream<'a>(&'a mut self, _: &'a str) -> NoTokens {
        NoTokens(Token::default())
    }
}

struct NoTokens(Token);

impl TokenStream for NoTokens {
    fn advance(&mut self) -> bool {
        false
    }

    fn token(&self) -> &Token {
        &self.0
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.0
    }
}

/// The options that the scanner has, too. Others select from its matches, or mask them.
const OF_SCANNER: [&str; 3] = ["profile", "rejoin", "form"];

/// Returns the filter for the options of a case, and the profile.
fn filter(options: &Value) -> (Urls, Profile) {
    let option = |name: &str| options[name].as_str().unwrap_or_default();
    let profile = option("profile").parse().unwrap_or_default();
    let form = |name| option("form").contains(name);
    let mut scanner = Scanner::builder()
        .profile(profile)
        .rejoin(option("rejoin").parse().unwrap_or_default())
        .schemeless(form("schemeless"))
        .locators(form("locator"))
        .emails(form("email"))
        .hosts(form("host"));
    for scheme in option("scheme").split(',').filter(|name| !name.is_empty()) {
        scanner = scanner.scheme(scheme);
    }
    (Urls::new(scanner.build(), profile), profile)
}

#[test]
fn terms_are_those_of_the_matches() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/bindings/find.json");
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(cases.len() >= 36);
    let mut exact = 0;
    for case in &cases {
        let (why, text) = (&case["why"], case["text"].as_str().unwrap());
        let (urls, profile) = filter(&case["options"]);
        let mut found = Vec::new();
        TextAnalyzer::builder(Nothing).filter(urls).build().token_stream(text).process(
            &mut |token| found.push((token.text.clone(), token.offset_from, token.offset_to)),
        );
        let mut count = 0;
        for one in case["matches"].as_array().unwrap() {
            let offset = |at: usize| usize::try_from(one["bytes"][at].as_u64().unwrap()).unwrap();
            let (start, end) = (offset(0), offset(1));
            // Masks change the URL, so its term is compared only without them.
            let is_masked = one["url"].as_str().unwrap().contains("***");
            let is_term = |(text, from, to): &(String, usize, usize)| {
                (*from, *to) == (start, end) && (is_masked || one["normalized"] == **text)
            };
            assert_eq!(found.iter().filter(|it| is_term(it)).count(), 1, "{why} {found:?}");
            count += 1;
            // URLs without a scheme have no term for their host, and neither do hosts of one word.
            let is_word = |host: &str| host.chars().all(char::is_alphanumeric);
            let host = one["host"].as_str().filter(|host| !is_word(host));
            let has_scheme = !["schemeless", "host"].contains(&one["form"].as_str().unwrap());
            if let Some(host) = host.filter(|_| has_scheme) {
                let key = Urls::host_key(host);
                let is_host = |(text, from, to): &(String, usize, usize)| {
                    *text == key && start <= *from && *to <= end
                };
                assert!(found.iter().any(is_host), "{why}: {key} {found:?}");
                count += 1;
            }
        }
        // Without a selection, there are no other terms, except those of invalid URLs.
        let selects = |name: &String| {
            !OF_SCANNER.contains(&&**name)
                || !case["options"][name].as_str().unwrap().starts_with('+') && name == "form"
        };
        let options = case["options"].as_object();
        let is_all_valid = found.iter().all(|(term, ..)| {
            !term.contains("://") || validate_found(term.as_bytes(), profile).is_ok()
        });
        if is_all_valid && !options.is_some_and(|all| all.keys().any(selects)) {
            let terms = found.iter().filter(|(term, ..)| !term.contains("toplevel")).count();
            assert_eq!(terms, count, "{why} {found:?}");
            exact += 1;
        }
    }
    assert!(exact >= 20, "{exact}");
}
