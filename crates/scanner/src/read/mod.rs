//! Readers of the reference engine, one for each form in which a URL stands in text.

pub(crate) mod attribute;
pub(crate) mod bare;
pub(crate) mod locator;
pub(crate) mod name;
pub(crate) mod near_miss;
pub(crate) mod news_bracket;
pub(crate) mod wrapper;
