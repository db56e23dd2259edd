//! The inputs that a walk has skipped, with the reasons.

use std::path::PathBuf;
use urlsift_records::Skipped;

/// The maximum number of skipped inputs that are named on standard error.
const MAX_NAMED: usize = 10;

/// The inputs that a walk has skipped, with the reasons.
#[derive(Debug, Default)]
pub(crate) struct SkippedInputs {
    /// The numbers of skipped inputs, by reason.
    pub(crate) counts: Skipped,
    /// Skipped inputs that are also outputs, with the paths under which they were found.
    pub(crate) outputs: Vec<PathBuf>,
}

impl SkippedInputs {
    /// Records that the input at `path` was skipped because it is also an output of this run.
    pub(crate) fn add_skipped_output(&mut self, path: PathBuf) {
        self.counts.output += 1;
        if self.outputs.len() < MAX_NAMED && !self.outputs.contains(&path) {
            self.outputs.push(path);
        }
    }
}

/// The reason to skip a file, given as a function that selects the counter to increase.
pub(super) type Reason = fn(&mut Skipped) -> &mut u64;
