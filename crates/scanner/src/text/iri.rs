//! Decides which characters outside US-ASCII belong to a URL in running text (an IRI, RFC 3987).
//!
//! In scripts written with blanks between words, any letter or mark continues the URL. Chinese,
//! Japanese and Korean text follows a URL without a blank. A character of these scripts continues
//! the URL only if the URL clearly isn't over: right after a delimiter, or after another such
//! character that belongs to it. Punctuation, symbols, blanks and invisible characters end the URL.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// True for characters that are invisible or change the direction of text. They never belong to a
/// URL, even as part of a grapheme.
const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFF}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// True if `c` is in a Unicode block of scripts that are written without blanks between words.
const fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11FF}' | '\u{2E80}'..='\u{312F}' | '\u{3130}'..='\u{A4CF}'
        | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FE30}'..='\u{FE4F}' | '\u{FF00}'..='\u{FFEF}' | '\u{1AFF0}'..='\u{1B2FF}'
        | '\u{1F200}'..='\u{1F2FF}' | '\u{20000}'..='\u{3FFFF}')
}

/// True for the letters of the Arabic script, between which Persian writes a zero-width non-joiner.
const fn is_arabic_letter(c: char) -> bool {
    matches!(c,
        '\u{620}'..='\u{64A}' | '\u{66E}'..='\u{6D3}' | '\u{6FA}'..='\u{6FF}'
        | '\u{750}'..='\u{77F}')
}

/// Returns the length in bytes of the non-ASCII character at byte `at`, if it continues the URL
/// that ends right before it. Otherwise returns 0, also for invalid UTF-8.
pub(crate) fn url_char_len_at(text: &[u8], at: usize) -> usize {
    // A fast path for the most common end of a URL outside US-ASCII, a no-break space, and its
    // neighbors below `ª`. They are not letters, and not marks on US-ASCII characters.
    if let Some([before, 0xC2, 0..0xAA]) = at.checked_sub(1).and_then(|from| text.get(from..at + 2))
        && before.is_ascii()
    {
        return 0;
    }
    let Some(c) = char_at(text, at) else { return 0 };
    let is_word = || is_common_letter(c) || is_rare_word_char(c);
    let before = char_before(text, at);
    if matches!(c, 'Â' | 'â') && is_misread_punctuation(text, at, c) {
        return 0;
    }
    if !is_common_letter(c) {
        if let Some(continues) = symbol_continues(text, at, c, before) {
            return if continues { c.len_utf8() } else { 0 };
        }
        if is_invisible(c) {
            // In Persian words, an invisible character separates two letters.
            let next = || char_at(text, at + c.len_utf8()).is_some_and(is_arabic_letter);
            let is_inner = c == '\u{200C}' && before.is_some_and(is_arabic_letter) && next();
            return if is_inner { c.len_utf8() } else { 0 };
        }
    }
    let continues = if is_cjk(c) {
        is_word()
            && before.is_some_and(|b| {
                continues_after_char(text, at, b) || (is_cjk(b) && is_word_char(b))
            })
            && !match before {
                Some('/') => continues_sentence(text, at, c),
                Some('=') => starts_with_certain_particle(text, at, c),
                _ => false,
            }
    } else {
        // No combining mark is below U+0300, and no US-ASCII character combines with the next one.
        let is_plain = c < '\u{300}' && before.is_some_and(|b| b.is_ascii());
        is_word() || (!is_plain && before.is_some_and(|b| combines_with(b, c)))
    };
    if continues { c.len_utf8() } else { 0 }
}

/// True if `text` starts with a symbol or emoji that is the start of a host: a dot and a letter
/// follow.
pub(crate) fn starts_with_symbol_host(text: &[u8]) -> bool {
    char_at(text, 0).is_some_and(is_symbol) && dot_and_letter_follow(text)
}

/// Returns true if the symbol `c` at byte `at`, or a character that modifies a symbol, continues
/// the URL, and false if not. Returns `None` if `c` is no such character. `before` is the character
/// before it.
///
/// In a host, a symbol continues the URL if a dot and a letter follow. Elsewhere it needs a
/// delimiter or another symbol before it, as a Chinese character does.
fn symbol_continues(text: &[u8], at: usize, c: char, before: Option<char>) -> Option<bool> {
    if is_modifier(c) {
        return Some(before.is_some_and(|b| is_symbol(b) || is_modifier(b)));
    }
    if is_tilde(c) && before == Some('/') {
        let next = text.get(at + c.len_utf8());
        return next.is_some_and(u8::is_ascii_alphabetic).then_some(true);
    }
    is_symbol(c).then(|| {
        if is_in_host(text, at) {
            return dot_and_letter_follow(&text[at..]);
        }
        before.is_some_and(|b| is_symbol(b) || is_modifier(b) || continues_after_char(text, at, b))
    })
}

/// True if a run of symbols, letters and digits at the start of `text` is followed by a dot and a
/// letter.
fn dot_and_letter_follow(text: &[u8]) -> bool {
    /// The maximum number of bytes of a host.
    const REACH: usize = 255;
    let mut at = 0;
    while at < REACH.min(text.len()) {
        let Some(c) = char_at(text, at) else { return false };
        at += c.len_utf8();
        match c {
            '.' => return char_at(text, at).is_some_and(char::is_alphabetic),
            '-' => {}
            _ if is_word_char(c) || is_symbol(c) || is_modifier(c) => {}
            _ => return false,
        }
    }
    false
}

/// True for symbols and emoji (general category So) that UTS 46 neither maps nor ignores, in the
/// blocks that texts use.
const fn is_symbol(c: char) -> bool {
    matches!(c,
        '\u{2195}'..='\u{21F3}' | '\u{2300}'..='\u{2307}' | '\u{230C}'..='\u{231F}'
        | '\u{2322}'..='\u{2328}' | '\u{232B}'..='\u{239A}' | '\u{23B4}'..='\u{23DB}'
        | '\u{23E2}'..='\u{2426}' | '\u{2500}'..='\u{266E}' | '\u{2670}'..='\u{2767}'
        | '\u{2794}'..='\u{27BF}' | '\u{2800}'..='\u{28FF}' | '\u{2B00}'..='\u{2B2F}'
        | '\u{2B45}' | '\u{2B46}' | '\u{2B4D}'..='\u{2BFF}' | '\u{1F000}'..='\u{1F0FF}'
        | '\u{1F1E6}'..='\u{1F1FF}' | '\u{1F300}'..='\u{1F3FA}' | '\u{1F400}'..='\u{1FAFF}')
}

/// True for the variation selectors, joiners and skin tones that can follow an emoji.
const fn is_modifier(c: char) -> bool {
    matches!(c, '\u{200D}' | '\u{FE0E}' | '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}')
}

/// True for the characters that old Japanese and Macintosh programs wrote in place of a `~`.
const fn is_tilde(c: char) -> bool {
    matches!(c, '\u{2DC}' | '\u{203E}' | '\u{223C}' | '\u{FF5E}')
}

/// True if the letter `c` at byte `at` is the start of misread punctuation: UTF-8 that was decoded
/// as windows-1252 or Latin-1, such as `â€™`, `â€œ`, `Â»`.
fn is_misread_punctuation(text: &[u8], at: usize, c: char) -> bool {
    let next = char_at(text, at + c.len_utf8());
    if c == 'â' {
        matches!(next, Some('€' | '\u{80}'))
    } else {
        matches!(next, Some('\u{80}'..='\u{BF}'))
    }
}

/// Returns the length in bytes of the Chinese, Japanese or Korean letters at the start of `text`.
pub(crate) fn cjk_word_len(text: &[u8]) -> usize {
    let mut len = 0;
    while let Some(c) = char_at(text, len).filter(|c| is_cjk(*c) && is_word_char(*c)) {
        len += c.len_utf8();
    }
    len
}

/// True if `text` ends inside a word. Its last character is then a non-ASCII letter of a script
/// with blanks between words, or a byte that may be such a letter in another charset.
pub(crate) fn ends_with_word(text: &[u8]) -> bool {
    text.last().is_some_and(|last| !last.is_ascii())
        && char_before(text, text.len()).is_none_or(|c| !is_cjk(c) && is_word_char(c))
}

/// True if `text` starts inside a word, by the same criteria as [`ends_with_word`].
pub(crate) fn starts_with_word(text: &[u8]) -> bool {
    text.first().is_some_and(|first| !first.is_ascii())
        && char_at(text, 0).is_none_or(|c| !is_cjk(c) && is_word_char(c))
}

/// Returns the offset at which the character that contains byte `at` starts. Assumes that this
/// character is valid UTF-8.
pub(crate) fn char_start(text: &[u8], at: usize) -> usize {
    const MAX_CHAR: usize = 4;
    let is_later = |at: &usize| matches!(text.get(*at), Some(0x80..=0xBF));
    at - (at.saturating_sub(MAX_CHAR - 1)..=at).rev().take_while(is_later).count().min(at)
}

/// True if the text at byte `at`, right after a slash, continues the Chinese, Japanese or Korean
/// sentence around the URL, and is not a segment of the path. `first` is its first character.
///
/// In Japanese, the text starts with a particle and ends like polite sentences
/// (`https://h.dom/にあります`), or starts with `を`, a particle that no word starts with. In Korean, the
/// text is a single particle (`https://h.dom/에 있는`), or starts with a particle that no word starts
/// with. In Chinese, it starts with `是`, and the slash is the first one after the host.
fn continues_sentence(text: &[u8], at: usize, first: char) -> bool {
    const PARTICLES: &str = "にでとがはものかまへよ";
    const ENDINGS: [&str; 5] = ["ます", "ませ", "まし", "です", "くださ"];
    /// The particles that are also the start of words.
    const KOREAN_PARTICLES: [&str; 9] = ["에", "을", "은", "는", "이", "가", "와", "로", "의"];
    if starts_with_certain_particle(text, at, first) {
        return true;
    }
    match first {
        '是' => is_in_host(text, at - 1),
        '가'..='힣' => korean_word(text, at).is_some_and(|word| KOREAN_PARTICLES.contains(&word)),
        _ if PARTICLES.contains(first) => {
            let near = sentence_start(text, at);
            let run = &near[..cjk_word_len(near.as_bytes())];
            ENDINGS.iter().any(|ending| run.contains(ending))
        }
        _ => false,
    }
}

/// True if the text at byte `at`, right after a delimiter of the URL, starts with a Japanese or
/// Korean particle that no word starts with: `http://h.dom/?id=를 보세요`. `first` is its first
/// character.
fn starts_with_certain_particle(text: &[u8], at: usize, first: char) -> bool {
    /// Particles, and combinations of particles and endings.
    const KOREAN: [&str; 8] = ["에서", "에있", "에는", "으로", "를", "입니다", "이라는", "로부터"];
    match first {
        'を' => true,
        '가'..='힣' => korean_word(text, at)
            .is_some_and(|word| KOREAN.iter().any(|start| word.starts_with(start))),
        _ => false,
    }
}

/// Returns the Korean word at byte `at`, or `None` if more of a URL follows the word.
fn korean_word(text: &[u8], at: usize) -> Option<&str> {
    let near = sentence_start(text, at);
    let end = near.find(|c| !matches!(c, '가'..='힣')).unwrap_or(near.len());
    let (word, rest) = near.split_at(end);
    let is_segment = rest.starts_with(['/', '-', '_', '?', '=', '&', '#', '%', '+', '('])
        || rest.starts_with(|c: char| c.is_alphanumeric());
    (!is_segment).then_some(word)
}

/// Returns the valid UTF-8 that starts at byte `at`, up to a fixed length.
fn sentence_start(text: &[u8], at: usize) -> &str {
    /// The maximum number of bytes that are returned.
    const REACH: usize = 120;
    let near = &text[at..text.len().min(at + REACH)];
    near.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

/// True if `c` is a letter or digit, which words can contain.
fn is_word_char(c: char) -> bool {
    is_common_letter(c) || is_rare_word_char(c)
}

/// True if `c` is a letter of the most common scripts: Latin, Greek, Cyrillic, kana, Han or hangul.
/// This is a fast check: false for many letters, but never true for other characters.
const fn is_common_letter(c: char) -> bool {
    matches!(c,
        'à'..='ö' | 'ø'..='ɏ' | 'α'..='ω' | 'А'..='я' | 'ぁ'..='ゖ' | 'ァ'..='ヺ'
        | '\u{4E00}'..='\u{9FA5}' | '가'..='힣')
}

/// True if words can contain `c`, according to the Unicode tables. This is the slow path of
/// [`is_word_char`].
fn is_rare_word_char(c: char) -> bool {
    let mut bytes = [0; 4];
    c.is_alphanumeric()
        && !is_footnote_digit(c)
        && c.encode_utf8(&mut bytes).unicode_words().next().is_some()
}

/// True if `c` is a superscript or subscript digit, as used for the numbers of footnotes.
const fn is_footnote_digit(c: char) -> bool {
    matches!(c, '²' | '³' | '¹' | '⁰'..='₉')
}

/// True if `c` combines with the character `before`, i.e. if there is no grapheme boundary between
/// them.
fn combines_with(before: char, c: char) -> bool {
    let mut bytes = [0; 8];
    let first = before.encode_utf8(&mut bytes).len();
    let both = first + c.encode_utf8(&mut bytes[first..]).len();
    let pair = std::str::from_utf8(&bytes[..both]).unwrap_or_default();
    GraphemeCursor::new(first, both, true).is_boundary(pair, 0) == Ok(false)
}

/// True if the URL clearly continues at byte `at`, because of the character `before` in front of
/// that byte. This character is one of the following:
///
/// - `/ = ? & # _ - + ~ @`, or a `[` in the URL
/// - the opening bracket of a title (`Name_(…`)
/// - a dot or colon in a host
/// - a dot or colon after a Chinese, Japanese or Korean character
fn continues_after_char(text: &[u8], at: usize, before: char) -> bool {
    match before {
        '/' | '=' | '?' | '&' | '#' | '_' | '-' | '+' | '~' | '@' | '[' => true,
        '(' => text.get(..at).is_some_and(|head| head.ends_with(b"_(")),
        '.' | ':' => {
            char_before(text, at - 1).is_some_and(|c| is_cjk(c) && is_word_char(c))
                || is_in_host(text, at)
        }
        _ => false,
    }
}

/// True if byte `at` is in the host of a URL: there is no `/` between it and the `//` before it.
fn is_in_host(text: &[u8], at: usize) -> bool {
    // A host has at most 255 bytes.
    let head = &text[at.saturating_sub(256)..at];
    memchr::memrchr(b'/', head).is_some_and(|slash| {
        head[..slash].ends_with(b":/")
            && !head[slash..].iter().any(|b| matches!(b, b'?' | b'#') || b.is_ascii_whitespace())
    })
}

/// Returns the character that starts at byte `at`, or `None` if it is not valid UTF-8. The standard
/// library takes four times as long.
pub(crate) fn char_at(text: &[u8], at: usize) -> Option<char> {
    let (min_code, code) = match *text.get(at..)? {
        [ascii @ ..0x80, ..] => return Some(char::from(ascii)),
        [a @ 0xC2..0xE0, b, ..] => (0x80, code_point(u32::from(a & 0x1F), [b])?),
        [a @ 0xE0..0xF0, b, c, ..] => (0x800, code_point(u32::from(a & 0x0F), [b, c])?),
        [a @ 0xF0..0xF5, b, c, d, ..] => (0x10000, code_point(u32::from(a & 0x07), [b, c, d])?),
        _ => return None,
    };
    char::from_u32(code).filter(|_| code >= min_code)
}

/// Returns the code point of a UTF-8 character of several bytes. `first` is the part of the code
/// point that the first byte contains, and `bytes` are the other bytes. Returns `None` if one of
/// `bytes` is not a continuation byte.
fn code_point<const N: usize>(first: u32, bytes: [u8; N]) -> Option<u32> {
    let are_later = bytes.iter().all(|byte| byte & 0xC0 == 0x80);
    let code = bytes.iter().fold(first, |code, byte| code << 6 | u32::from(byte & 0x3F));
    are_later.then_some(code)
}

/// Returns the character that ends right before byte `end`, or `None` if it is not valid UTF-8.
fn char_before(text: &[u8], end: usize) -> Option<char> {
    if let Some(ascii @ ..0x80) = text[..end].last() {
        return Some(char::from(*ascii));
    }
    let start =
        (1..=4).filter_map(|len| end.checked_sub(len)).find(|&i| (text[i] & 0xC0) != 0x80)?;
    let c = char_at(text, start)?;
    (start + c.len_utf8() == end).then_some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url_in(text: &str) -> &str {
        let bytes = text.as_bytes();
        let mut at = text.find(|c: char| !c.is_ascii()).unwrap();
        while at < bytes.len() {
            match if bytes[at].is_ascii_graphic() { 1 } else { url_char_len_at(bytes, at) } {
                0 => break,
                len => at += len,
            }
        }
        &text[..at]
    }

    #[test]
    fn letters_continue_the_url_and_cjk_needs_a_delimiter() {
        assert_eq!(url_in("http://h/café—x"), "http://h/café");
        assert_eq!(url_in("http://h/cafe\u{301}s»"), "http://h/cafe\u{301}s");
        assert_eq!(url_in("http://h/путь/файл…"), "http://h/путь/файл");
        assert_eq!(url_in("http://h/index.htmlを見"), "http://h/index.html");
        assert_eq!(url_in("https://h/wiki/日本語。次"), "https://h/wiki/日本語");
        assert_eq!(url_in("http://日本.jp/x"), "http://日本.jp/x");
        assert_eq!(url_in("http://www.日本.jp/x を"), "http://www.日本.jp/x");
        assert_eq!(url_in("http://h/a.日本"), "http://h/a.");
        assert_eq!(url_in("http://h/（日本）"), "http://h/");
        assert_eq!(url_in("http://h/\u{200b}x"), "http://h/");
        assert_eq!(url_in("https://h/آب\u{200c}وهوا خوب"), "https://h/آب\u{200c}وهوا");
        assert_eq!(url_in("https://h/آب\u{200c} خوب"), "https://h/آب");
        assert_eq!(url_in("https://h/é\u{200c}é"), "https://h/é");
        assert_eq!(url_in("https://h.dom/是官方网站"), "https://h.dom/");
        assert_eq!(url_in("https://h.dom/wiki/是非"), "https://h.dom/wiki/是非");
        assert_eq!(url_in("http://h/\u{202e}x"), "http://h/");
    }

    #[test]
    fn common_letters_are_words() {
        assert!(('\0'..=char::MAX).filter(|&c| is_common_letter(c)).all(is_rare_word_char));
    }

    #[test]
    fn no_marks_below_u0300() {
        for c in '\u{80}'..'\u{300}' {
            assert!((' '..='~').all(|before| !combines_with(before, c)), "{c:?}");
        }
    }

    #[test]
    fn char_at_agrees_with_the_standard_library() {
        let ends = [0, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF];
        for first in 0..=u8::MAX {
            for [b, c, d] in ends
                .iter()
                .flat_map(|b| ends.iter().map(move |c| [*b, *c]))
                .flat_map(|[b, c]| ends.map(|d| [b, c, d]))
            {
                let bytes = [first, b, c, d];
                for len in 1..=bytes.len() {
                    let valid = bytes[..len].utf8_chunks().next().unwrap().valid();
                    assert_eq!(char_at(&bytes[..len], 0), valid.chars().next(), "{bytes:?}");
                }
            }
        }
    }

    #[test]
    fn invalid_bytes_end_the_url() {
        assert_eq!(url_char_len_at(b"http://h/\xE9t", 9), 0);
        assert_eq!(url_char_len_at(b"http://h/\xC3", 9), 0);
    }
}
