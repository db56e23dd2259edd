//! The names of header fields by which mail and news are recognized.

/// Header fields that are found in mail and news only. Other kinds of documents also start with
/// `Name: value` lines.
const MAIL_ONLY: [&str; 16] = [
    "Received",
    "Return-Path",
    "Message-ID",
    "Newsgroups",
    "Path",
    "Delivered-To",
    "MIME-Version",
    "Content-Transfer-Encoding",
    "In-Reply-To",
    "References",
    "X-Mozilla-Status",
    "Envelope-To",
    "NNTP-Posting-Host",
    "Article-I.D.",
    "Xref",
    "DKIM-Signature",
];

/// Header fields of mail and news that other documents also start with.
const COMMON: [&str; 12] = [
    "From",
    "To",
    "Cc",
    "Subject",
    "Date",
    "Sender",
    "Reply-To",
    "Organization",
    "Lines",
    "Content-Type",
    "Apparently-To",
    "Summary",
];

/// True if a field with this name is found in mail and news only.
pub(crate) fn is_mail_only(name: &[u8]) -> bool {
    MAIL_ONLY.iter().any(|field| name.eq_ignore_ascii_case(field.as_bytes()))
}

/// True if a field with this name is found in mail and news, but also in other documents.
pub(crate) fn is_common(name: &[u8]) -> bool {
    COMMON.iter().any(|field| name.eq_ignore_ascii_case(field.as_bytes()))
}

/// True if `name` is the name of a field in mail or news, or may be a name that a mail program
/// invented. Invented names contain hyphens, like `X-Account-Key`.
pub(crate) fn may_be_in_mail(name: &[u8]) -> bool {
    name.contains(&b'-') || is_mail_only(name) || is_common(name)
}
