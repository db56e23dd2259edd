//! Checks the properties of the fuzz targets for the files of the corpus, and for inputs that
//! fuzzing found.

#[path = "../../../fuzz/src/claims.rs"]
mod claims;

use std::fs;
use std::path::{Path, PathBuf};

/// The maximum length of a checked file, in bytes, which limits the duration of the test.
const MAX_FILE_LEN: u64 = 24 << 10;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            files(&entry.path(), found);
        } else if entry.metadata().unwrap().len() <= MAX_FILE_LEN {
            found.push(entry.path());
        }
    }
}

fn each_file(claim: fn(&[u8])) {
    let mut found = Vec::new();
    for folder in ["../../corpus", "../../fuzz/finds"] {
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
    }
    assert!(found.len() > 50, "{}", found.len());
    found.sort();
    for path in found {
        let bytes = fs::read(&path).unwrap();
        let holds = std::panic::catch_unwind(|| claim(&bytes)).is_ok();
        assert!(holds, "{}", path.display());
    }
}

#[test]
fn records_lead_back() {
    each_file(claims::records_lead_back);
}

#[test]
fn units_are_the_whole() {
    each_file(claims::units_are_the_whole);
}

#[test]
fn long_messages_are_the_whole() {
    each_file(claims::long_messages_are_the_whole);
}

#[test]
fn diagnostics_lie_in_the_file() {
    each_file(claims::diagnostics_lie_in_the_file);
}

#[test]
fn masks_hide() {
    each_file(claims::masks_hide);
}
