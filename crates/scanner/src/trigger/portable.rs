//! The trigger for every machine: memchr, then the rule.

use super::Trigger;

/// The anchors of one text, ascending.
#[derive(Clone, Debug)]
pub(crate) struct Anchors<'t> {
    text: &'t [u8],
    base: usize,
    colons: memchr::Memchr<'t>,
    trigger: Trigger,
}

impl<'t> Anchors<'t> {
    pub(super) fn new(trigger: &Trigger, text: &'t [u8], from: usize) -> Self {
        let base = from.min(text.len());
        let colons = memchr::memchr_iter(b':', text.get(base..).unwrap_or_default());
        Self { text, base, colons, trigger: trigger.clone() }
    }
}

impl Iterator for Anchors<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let (text, base, trigger) = (self.text, self.base, &self.trigger);
        self.colons.by_ref().map(|at| at + base).find(|&at| trigger.accepts(text, at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_is_no_anchor() {
        let trigger = Trigger::new(["mailto", "news", "url"]);
        let text = b"note: http://h/ 12:30 MAILTO:x <URL:y> std::z URL\n:q C:/";
        let found: Vec<_> = trigger.anchors(text, 0).collect();
        let expected: Vec<_> =
            (0..text.len()).filter(|&at| text[at] == b':' && trigger.accepts(text, at)).collect();
        assert_eq!(found, expected);
        assert_eq!(found, [10, 28, 35, 50, 54]);
        assert_eq!(trigger.anchors(text, 29).next(), Some(35));
        assert_eq!(trigger.anchors(text, 1000).next(), None);
    }
}
