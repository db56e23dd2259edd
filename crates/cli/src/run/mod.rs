//! The work, shared between threads.

pub(crate) mod large_input;
pub(crate) mod queue;
pub(crate) mod worker;
