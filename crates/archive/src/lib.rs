//! What text a file holds.
