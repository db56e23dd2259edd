//! Recognizes templates: HTML with tags that a template engine replaces.

use memchr::{memchr2_iter, memmem};

/// The elements whose content can show or contain tags of templates in finished pages.
const VERBATIM: [&[u8]; 9] =
    [b"code", b"kbd", b"pre", b"samp", b"script", b"style", b"textarea", b"tt", b"xmp"];

/// True if an HTML document contains a tag such as `{% block %}` or `{{ name }}`, except in code,
/// scripts, styles and comments.
pub(super) fn is_template(html: &[u8]) -> bool {
    // The outermost open element that is in `VERBATIM`, if any.
    let mut open: Option<&[u8]> = None;
    let mut from = 0;
    for at in memchr2_iter(b'{', b'<', html) {
        let rest = &html[at + 1..];
        if at < from {
            continue;
        }
        if html[at] == b'{' {
            if open.is_none() && rest.first().is_some_and(|b| b"{%".contains(b)) {
                return true;
            }
        } else if let Some(name) = open {
            if rest.strip_prefix(b"/").is_some_and(|rest| starts_with_name(rest, name)) {
                open = None;
            }
        } else if rest.starts_with(b"!--") {
            from = memmem::find(rest, b"-->").map_or(html.len(), |end| at + end);
        } else {
            open = VERBATIM.into_iter().find(|name| starts_with_name(rest, name));
        }
    }
    false
}

/// True if `text` starts with the element name `name`, in any case.
fn starts_with_name(text: &[u8], name: &[u8]) -> bool {
    text.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name))
        && text.get(name.len()).is_none_or(|b| !b.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::is_template;

    #[test]
    fn tags_of_templates_are_recognized() {
        for (html, expected) in [
            ("{% extends 'a.html' %}", true),
            ("<a href=\"{{ url }}\">b</a>", true),
            ("<pre>c</pre>{% block d %}", true),
            ("<p>{ e }</p>", false),
            ("<PRE class=f>{% g %}</PRE>", false),
            ("<code>{{ h }}</code>", false),
            ("<script>i = {{}}</script>", false),
            ("<!-- {{ j }} --><p>", false),
            ("<preface>{{ k }}", true),
        ] {
            assert_eq!(is_template(html.as_bytes()), expected, "{html}");
        }
    }
}
