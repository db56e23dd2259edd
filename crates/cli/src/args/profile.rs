//! The profile to judge by, as an argument.

use urlsift_core::Profile;

/// For clap: a profile by its name.
pub(super) fn profile(name: &str) -> Result<Profile, String> {
    name.parse().map_err(|error: urlsift_core::UnknownProfile| error.to_string())
}
