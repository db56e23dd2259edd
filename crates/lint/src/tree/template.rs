//! Recognizes templates, i.e. HTML with tags that a template engine or a program replaces, and
//! pages whose relative links have another base.

use memchr::{memchr2_iter, memmem};

/// The elements whose content can show or contain tags of templates in finished pages.
const VERBATIM: [&[u8]; 9] =
    [b"code", b"kbd", b"pre", b"samp", b"script", b"style", b"textarea", b"tt", b"xmp"];

/// The starts of tags that contain a program, after `<`.
const PROGRAM_TAGS: [&[u8]; 3] = [b"%", b"?php", b"?="];

/// True if an HTML document contains a tag such as `{% block %}`, `{{ name }}`, `<% name %>` or
/// `<?php name ?>`, except in code, scripts, styles and comments. Also true if a `<base>` tag sets
/// the URL that relative links are resolved against.
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
        } else if PROGRAM_TAGS.iter().any(|tag| rest.starts_with(tag)) {
            return true;
        } else if starts_with_name(rest, b"base") {
            let tag = &rest[..memchr::memchr(b'>', rest).unwrap_or(rest.len())];
            if tag.to_ascii_lowercase().windows(5).any(|it| it == b"href=") {
                return true;
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
            ("<link href=\"<%= l %>.css\">", true),
            ("<p><?php m() ?>", true),
            ("<?xml version='1.0'?><p>", false),
            ("<BASE HREF=/o/><p>", true),
            ("<base target=_blank><basefont href=q>", false),
            ("<script><% n %></script>", false),
            ("<preface>{{ k }}", true),
        ] {
            assert_eq!(is_template(html.as_bytes()), expected, "{html}");
        }
    }
}
