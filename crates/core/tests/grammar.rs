//! Compares the parsers with automata built from the independently written grammars.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::util::start;
use regex_automata::util::syntax;
use regex_automata::{Anchored, MatchKind};
use std::sync::OnceLock;
use urlsift_core::{Code, Profile, Scheme, grammar, parse, viable_prefix_len};

type Dfa = dense::DFA<Vec<u32>>;

fn build(scheme: Scheme, profile: Profile) -> Option<Dfa> {
    let expression = grammar::url_regex(scheme, profile)?;
    let dfa = dense::Builder::new()
        .configure(
            dense::Config::new()
                .match_kind(MatchKind::All)
                .start_kind(StartKind::Anchored)
                .minimize(true),
        )
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .build(&format!("(?:{expression})$"));
    Some(dfa.unwrap_or_else(|e| panic!("{scheme:?} in {profile}: {e}")))
}

/// The automata of a profile, in the order of [`Scheme::ALL`].
fn automata(profile: Profile) -> &'static [Option<Dfa>] {
    static RFC1738: OnceLock<Vec<Option<Dfa>>> = OnceLock::new();
    static RFC3986: OnceLock<Vec<Option<Dfa>>> = OnceLock::new();
    let cell = if profile == Profile::Rfc1738 { &RFC1738 } else { &RFC3986 };
    cell.get_or_init(|| Scheme::ALL.iter().map(|&scheme| build(scheme, profile)).collect())
}

/// Returns true if the automaton accepts the text, and the offset of the byte at which it fails.
fn run(dfa: &Dfa, text: &[u8]) -> (bool, usize) {
    let mut state = dfa.start_state(&start::Config::new().anchored(Anchored::Yes)).unwrap();
    for (at, &byte) in text.iter().enumerate() {
        state = dfa.next_state(state, byte);
        if dfa.is_dead_state(state) {
            return (false, at);
        }
    }
    (dfa.is_match_state(dfa.next_eoi_state(state)), text.len())
}

/// Returns the automaton for the text's scheme, and the scheme.
fn automaton(text: &[u8], profile: Profile) -> (&'static Dfa, Scheme) {
    let colon = text.iter().position(|&b| b == b':').unwrap_or(0);
    let scheme = Scheme::by_name(&text[..colon]);
    let automata = automata(profile);
    let of =
        |scheme| Scheme::ALL.iter().position(|&s| s == scheme).and_then(|i| automata[i].as_ref());
    match of(scheme) {
        Some(dfa) => (dfa, scheme),
        None => (of(Scheme::Other).expect("the generic one"), Scheme::Other),
    }
}

const PROSE: [Code; 2] = [Code::MailtoAddrSpec, Code::GopherControl];

fn check(text: &[u8], profile: Profile) -> Result<(), TestCaseError> {
    let (dfa, scheme) = automaton(text, profile);
    let (accepts, dead) = run(dfa, text);
    let verdict = parse(text, profile);
    let prose = profile == Profile::Rfc1738
        && verdict.as_ref().is_err_and(|violation| PROSE.contains(&violation.code));
    prop_assert_eq!(
        verdict.is_ok() || prose,
        accepts,
        "{} {:?} {:?} {:?}",
        profile,
        scheme,
        String::from_utf8_lossy(text),
        verdict
    );
    if !accepts && profile == Profile::Rfc1738 {
        prop_assert_eq!(viable_prefix_len(text), dead, "{:?}", String::from_utf8_lossy(text));
    }
    Ok(())
}

/// Text between the delimiters, which is invalid in some positions.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[a-zA-Z0-9.-]{0,6}",
        3 => "[a-z]{1,3}(\\.[a-z0-9]{1,3}){0,4}",
        2 => "[0-9]{1,3}(\\.[0-9]{1,3}){0,4}",
        2 => "[$_+!*'(),;?&=:@/%~-]{1,4}",
        1 => "%[0-9A-Fa-f]{2}|%09|%0[dDaA]",
        1 => "\\[(v1\\.x|[0-9a-f:]{2,12}|([0-9a-f]{1,4}:){0,7}[0-9a-f]{0,4}|::1\\.2\\.3\\.4)\\]",
        1 => "[ \\x00-\\x1f<>\"{}|^`#\u{e9}\\\\]",
    ]
}

/// A text with the delimiters of a URL and arbitrary words.
fn url() -> impl Strategy<Value = Vec<u8>> {
    let name = prop_oneof![
        12 => select(Scheme::ALL).prop_map(|s| if s == Scheme::Other { "foo".into() } else { s.name().to_owned() }),
        1 => "[A-Za-z0-9+.-]{0,5}",
    ];
    let between = select(
        &["/", "/", ":", "@", "?", ";", "=", ".", "", ";type=", "%09", ",", "&", "//", "#"][..],
    );
    let slashes = select(&["://", "://", "://", ":", ":", ":/"][..]);
    (name, slashes, vec((word(), between), 0..6), word()).prop_map(
        |(name, slashes, words, last)| {
            let mut text = name + slashes;
            for (word, delimiter) in words {
                text.push_str(&word);
                text.push_str(delimiter);
            }
            text.push_str(&last);
            text.into_bytes()
        },
    )
}

/// A valid string generated from the grammar.
fn proper(profile: Profile) -> impl Strategy<Value = Vec<u8>> {
    let expressions: Vec<String> =
        Scheme::ALL.iter().filter_map(|&scheme| grammar::url_regex(scheme, profile)).collect();
    let strategies: Vec<_> = expressions
        .iter()
        .map(|expression| {
            proptest::string::bytes_regex(&format!("(?s-u){}", bounded(expression)))
                .expect("an expression")
                .boxed()
        })
        .collect();
    proptest::strategy::Union::new(strategies)
}

/// Limits repetitions to four instead of the generator's 32, because most faults show in short
/// strings.
fn bounded(expression: &str) -> String {
    let mut out = String::with_capacity(expression.len() * 2);
    let (mut class, mut escaped) = (false, false);
    for c in expression.chars() {
        match c {
            '*' if !class && !escaped => out.push_str("{0,4}"),
            '+' if !class && !escaped => out.push_str("{1,4}"),
            _ => out.push(c),
        }
        class = if escaped { class } else { c == '[' || class && c != ']' };
        escaped = c == '\\' && !escaped;
    }
    out
}

/// A text with a few bytes replaced, removed or added.
fn mutated(text: impl Strategy<Value = Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![select(b":/?#@%;=&.-*~ []0A\xe9".as_slice()), any::<u8>()];
    (text, vec((any::<Index>(), 0..3, byte), 0..3)).prop_map(|(mut text, edits)| {
        for (index, kind, byte) in edits {
            let at = index.index(text.len() + 1);
            match kind {
                0 => text.insert(at, byte),
                1 if at < text.len() => text[at] = byte,
                2 if at < text.len() => drop(text.remove(at)),
                _ => {}
            }
        }
        text
    })
}

fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { 4000 };
    ProptestConfig { cases, failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn rfc1738_on_anything_like_a_url(text in mutated(url())) {
        check(&text, Profile::Rfc1738)?;
    }

    #[test]
    fn rfc3986_on_anything_like_a_url(text in mutated(url())) {
        check(&text, Profile::Rfc3986)?;
    }

    #[test]
    fn rfc1738_on_its_own_strings(text in mutated(proper(Profile::Rfc1738))) {
        check(&text, Profile::Rfc1738)?;
    }

    #[test]
    fn rfc3986_on_its_own_strings(text in mutated(proper(Profile::Rfc3986))) {
        check(&text, Profile::Rfc3986)?;
    }
}
