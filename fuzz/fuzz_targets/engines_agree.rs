//! Checks that every search engine available on this machine gives the results of the reference
//! engine, with any settings.

#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use urlsift_core::{Break, BreakKind, Breaks, Charset, Profile};
use urlsift_scanner::{Candidate, Engine, Input, Rejoin, Scanner, State};

/// A text, its line breaks and the settings of the scan. The `Debug` output can be pasted into a
/// test.
#[derive(Arbitrary, Debug)]
struct Case<'a> {
    profile: u8,
    rejoin: u8,
    is_eight_bit: bool,
    /// The kind of each line break in order: hard, soft, or soft with `DelSp`. Further line breaks
    /// are hard.
    breaks: Vec<u8>,
    schemes: Vec<Scheme>,
    schemeless: bool,
    locators: bool,
    near_misses: bool,
    cut: u16,
    text: &'a [u8],
}

/// A scheme in the scanner's settings.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Scheme {
    X,
    Urn,
    Https,
    Mail,
}

impl Case<'_> {
    fn scanner(&self, engine: Engine) -> Scanner {
        let levels = [Rejoin::Likely, Rejoin::Certain, Rejoin::Off];
        let builder = Scanner::builder()
            .engine(engine)
            .profile(Profile::ALL[usize::from(self.profile) % Profile::ALL.len()])
            .rejoin(levels[usize::from(self.rejoin) % levels.len()])
            .schemeless(self.schemeless)
            .locators(self.locators)
            .near_misses(self.near_misses);
        let named = self.schemes.iter().take(4).map(|scheme| match scheme {
            Scheme::X => "x",
            Scheme::Urn => "urn",
            Scheme::Https => "https",
            Scheme::Mail => "mail",
        });
        named.fold(builder, urlsift_scanner::Builder::scheme).build()
    }

    fn breaks(&self) -> Breaks {
        let ends = (0..self.text.len()).filter(|&at| self.text[at] == b'\n');
        let kinds = self.breaks.iter().map(|kind| match kind % 3 {
            0 => None,
            1 => Some(BreakKind::Soft),
            _ => Some(BreakKind::SoftDelSp),
        });
        let known = ends.zip(kinds).filter_map(|(at, kind)| Some((at, kind?)));
        known.map(|(at, kind)| Break { at, kind }).collect()
    }
}

/// Returns the properties that are compared.
fn facts(found: &Candidate<'_>) -> String {
    format!("{found:?} {:?}", found.readings())
}

fuzz_target!(|case: Case<'_>| {
    let breaks = case.breaks();
    let charset = if case.is_eight_bit { Charset::EightBit } else { Charset::Utf8 };
    let input = Input::new(case.text).breaks(&breaks).charset(charset);
    let mut expected = None;
    for &engine in Engine::all() {
        let scanner = case.scanner(engine);
        let found: Vec<_> = scanner.find(input).map(|found| facts(&found)).collect();
        let expected = expected.get_or_insert_with(|| found.clone());
        assert_eq!(&found, expected, "{engine:?}");

        let mut first =
            scanner.find_from(input, State::starting_at(0), Some(usize::from(case.cut)));
        let mut found: Vec<_> = first.by_ref().map(|found| facts(&found)).collect();
        let second = scanner.find_from(input, first.into_state(), Some(usize::MAX));
        found.extend(second.map(|found| facts(&found)));
        assert_eq!(&found, expected, "{engine:?}, in two passes");
    }
});
