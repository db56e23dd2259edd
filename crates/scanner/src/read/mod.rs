//! The general readers, one for each form of a URL in text. The reference engine uses only these.

pub(crate) mod attribute;
pub(crate) mod bare;
pub(crate) mod locator;
pub(crate) mod name;
pub(crate) mod near_miss;
pub(crate) mod news_bracket;
pub(crate) mod quoted_value;
pub(crate) mod starred;
pub(crate) mod wrapper;
pub(crate) mod wrapper_start;
