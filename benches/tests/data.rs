//! Checks that the generated data and the definitions don't change unnoticed, because all figures
//! depend on them.

use std::collections::BTreeSet;
use std::path::Path;
use urlsift_benches::definition::Definition;
use urlsift_benches::haystack::{self, Kind, Pattern};
use urlsift_benches::peers;

/// Returns the 64-bit FNV-1a hash.
fn hash(text: &[u8]) -> u64 {
    text.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Every dated figure in the README was measured on exactly this data. If you change the generator,
/// measure all figures again.
#[test]
fn the_same_seed_gives_the_same_data() {
    let hashes =
        [Kind::Mail, Kind::News, Kind::Html, Kind::Dense, Kind::Encoded, Kind::Line, Kind::Spool]
            .map(|kind| (kind, hash(&haystack::data_in_memory(kind, 1, 200_000))));
    assert_eq!(
        hashes,
        [
            (Kind::Mail, 0x8989_fe25_8768_06fa),
            (Kind::News, 0xaa69_811a_7d58_2f21),
            (Kind::Html, 0x5550_abdc_9fde_cce0),
            (Kind::Dense, 0x5902_9e10_46c5_3f65),
            (Kind::Encoded, 0xbca6_ff87_d8c1_d96f),
            (Kind::Line, 0xce9d_da1c_0b1a_69f6),
            (Kind::Spool, 0xc985_6e97_4350_451a),
        ]
    );
}

#[test]
fn streamed_data_is_the_data_in_memory() {
    for kind in [Kind::Mail, Kind::Dense] {
        let mut streamed = Vec::new();
        haystack::write_data(kind, 7, 100_000, &mut streamed).unwrap();
        assert!(streamed == haystack::data_in_memory(kind, 7, 100_000), "{kind:?}");
    }
}

/// The numbers of bytes per line, per colon and per URL are within a factor of those of the
/// archives that the README names.
#[test]
fn densities_are_those_of_real_archives() {
    for (kind, line, colon, url) in [
        (Kind::Mail, 38..52, 70..130, 900..4600),
        (Kind::News, 38..52, 85..170, 2000..4000),
        (Kind::Html, 40..65, 65..170, 590..1500),
        (Kind::Dense, 50..90, 40..70, 65..90),
    ] {
        let text = haystack::data_in_memory(kind, 1, 1_000_000);
        let per = |count: usize| text.len() / count;
        let urls = usize::try_from(
            peers::find_by_regex(peers::COMPARABLE, &text, &mut Vec::new()).unwrap(),
        )
        .unwrap();
        assert!(line.contains(&per(memchr::memchr_iter(b'\n', &text).count())), "{kind:?}");
        assert!(colon.contains(&per(memchr::memchr_iter(b':', &text).count())), "{kind:?}");
        assert!(url.contains(&per(urls)), "{kind:?}: {}", per(urls));
    }
}

#[test]
fn adversarial_patterns_have_unique_names_and_any_length() {
    let names: BTreeSet<&str> = Pattern::ALL.iter().map(|pattern| pattern.name).collect();
    assert_eq!(names.len(), Pattern::ALL.len());
    assert!(names.len() >= 38);
    for pattern in Pattern::ALL {
        let length = pattern.text_of_len(10_000).len();
        assert!(
            (9_900..=10_000 + pattern.after.len()).contains(&length),
            "{}: {length}",
            pattern.name
        );
    }
}

#[test]
fn definitions_name_the_tools_that_they_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("definitions");
    let definitions = Definition::load(&folder, &[]).unwrap();
    assert!(definitions.len() >= 8);
    for definition in &definitions {
        let tools: Vec<&str> = definition.runs.iter().map(|run| run.tool.as_str()).collect();
        for ratio in &definition.ratios {
            assert!(
                tools.contains(&&*ratio.of) && tools.contains(&&*ratio.to),
                "{}: {ratio:?}",
                definition.name
            );
        }
        for limit in &definition.limits {
            assert!(tools.contains(&&*limit.tool), "{}: {limit:?}", definition.name);
        }
    }
    assert!(Definition::load(&folder, &["no-such".to_owned()]).is_err());
}
