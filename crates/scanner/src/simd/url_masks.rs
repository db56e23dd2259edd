//! One look at a URL's bytes, from which its end, its host name and whether it is a plain URL can be
//! read.

#[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
use super::arch::{avx2, avx512};

/// How many bytes are looked at in one go.
pub(crate) const BLOCK: usize = 64;

/// What was seen from a place on. In the masks bit n is for byte n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Survey {
    /// How many bytes belong to a URL wherever they stand.
    pub(crate) run: usize,
    /// Letters, digits, dots and hyphens among the first 64 bytes.
    pub(crate) names: u64,
    /// Dots and hyphens among the first 64 bytes.
    pub(crate) marks: u64,
    /// Which of the bytes that belong are `#`, `?`, and `&` behind which the name of an entity may stand
    /// that stands for a delimiter. Beyond 64, byte n is put to byte n - 64.
    pub(crate) hashes: u64,
    pub(crate) questions: u64,
    pub(crate) ampersands: u64,
}

/// What 64 bytes are, a bit for each.
pub(crate) struct Look {
    /// Those that do not belong to a URL wherever they stand.
    pub(crate) others: u64,
    /// As in [`Survey`].
    pub(crate) names: u64,
    pub(crate) marks: u64,
    pub(crate) hashes: u64,
    pub(crate) questions: u64,
    /// All of them, and what the names of entities start with.
    pub(crate) ampersands: u64,
    pub(crate) entities: u64,
}

impl Survey {
    /// Makes this the survey from byte `at` on, at most the end of the text. `look` must not take a zero for a
    /// byte that belongs to a URL.
    #[inline(always)]
    pub(crate) fn fill(&mut self, text: &[u8], mut at: usize, look: impl Fn(&[u8; BLOCK]) -> Look) {
        let look = |at: usize| match text.get(at..).and_then(<[u8]>::first_chunk) {
            Some(block) => look(block),
            None => look(&last_block(text, at)),
        };
        let first = look(at);
        (self.run, self.names, self.marks) = (0, first.names, first.marks);
        (self.hashes, self.questions, self.ampersands) = (0, 0, 0);
        let mut others = self.add(&first);
        while others == 0 {
            at += BLOCK;
            self.run += BLOCK;
            others = self.add(&look(at));
        }
        self.run += others.trailing_zeros() as usize;
    }

    /// Takes in what belongs of the next 64 bytes. Returns which do not.
    #[inline(always)]
    fn add(&mut self, seen: &Look) -> u64 {
        let belong = seen.others.wrapping_sub(1) & !seen.others;
        self.hashes |= seen.hashes & belong;
        self.questions |= seen.questions & belong;
        // What follows the last of the bytes is not seen here.
        self.ampersands |= seen.ampersands & (seen.entities >> 1 | 1 << (BLOCK - 1)) & belong;
        seen.others
    }

    /// Whether there is more than one `#` among the first `len` bytes. If those are more than 64, one is
    /// enough, and may stand behind them.
    #[inline]
    pub(crate) fn has_hashes(&self, len: usize) -> bool {
        if len < BLOCK {
            let among = self.hashes & ((1 << len) - 1);
            among & among.wrapping_sub(1) != 0
        } else {
            self.hashes != 0
        }
    }

    /// Whether there is a `?` among all bytes.
    #[inline]
    pub(crate) fn has_question(&self) -> bool {
        self.questions != 0
    }

    /// Whether `holds` says yes at one of the `&` that an `l`, a `g` or a `q` follows, in either case. It is
    /// also asked 64, 128, and so on bytes behind each, and sometimes at others.
    #[inline(always)]
    pub(crate) fn any_ampersand(&self, holds: impl Fn(usize) -> bool) -> bool {
        self.ampersands != 0 && self.any_of_ampersands(holds)
    }

    #[cold]
    fn any_of_ampersands(&self, holds: impl Fn(usize) -> bool) -> bool {
        let mut left = self.ampersands;
        while left != 0 {
            let mut at = left.trailing_zeros() as usize;
            while at < self.run {
                if holds(at) {
                    return true;
                }
                at += BLOCK;
            }
            left &= left - 1;
        }
        false
    }

    /// Lets the survey go on with what was seen behind the byte at its end. What is told of its first
    /// bytes stays as it was. Returns whether one of the two saw no `#`, without which they cannot be
    /// counted.
    pub(crate) fn go_on(&mut self, behind: &Self) -> bool {
        let is_countable = self.hashes == 0 || behind.hashes == 0;
        self.run += 1 + behind.run;
        self.hashes |= behind.hashes;
        self.questions |= behind.questions;
        is_countable
    }

    /// How many letters, digits, dots and hyphens stand from byte `at` on, as far as 64 bytes tell.
    #[inline]
    pub(crate) fn names_from(&self, at: usize) -> usize {
        self.names.checked_shr(u32::try_from(at).unwrap_or(u32::MAX)).unwrap_or(0).trailing_ones()
            as usize
    }

    /// The length of the name at the place, if a host's: letters and digits, in which dots and hyphens
    /// stand alone. The URL has `len` bytes from the place on. 0 if it is none, or longer than 63.
    #[inline]
    pub(crate) fn name_len(&self, len: usize) -> usize {
        let run = (self.names.trailing_ones() as usize).min(len);
        if run >= BLOCK {
            return 0;
        }
        let ends = 1_u64 << run;
        let after_mark = self.marks << 1 | 1;
        if (self.marks & after_mark & (ends - 1)) | (after_mark & ends) == 0 { run } else { 0 }
    }
}

/// The bytes from `at` on, which are too few for a block, and zeros behind them. Documents are short, and a URL
/// often stands at the end of one.
#[cold]
fn last_block(text: &[u8], at: usize) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let rest = text.get(at..).unwrap_or_default();
    block[..rest.len()].copy_from_slice(rest);
    block
}

/// The fastest way that the machine has to make a survey.
#[derive(Clone, Debug)]
pub(crate) struct Surveyor {
    #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
    avx512: Option<avx512::Table>,
    #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
    avx2: Option<(avx2::Table, avx2::Table)>,
}

/// What a byte belongs to.
pub(crate) const MEMBER: u8 = 1;
pub(crate) const NAME: u8 = 2;
pub(crate) const MARK: u8 = 4;
pub(crate) const HASH: u8 = 8;
pub(crate) const AMPERSAND: u8 = 16;
pub(crate) const QUESTION: u8 = 32;
/// What the names of the entities for `<`, `>` and `"` start with.
pub(crate) const ENTITY: u8 = 64;

impl Surveyor {
    /// For URLs to which the bytes `members` belong wherever they stand.
    pub(crate) fn new(members: &[bool; 256]) -> Self {
        let classes: [u8; 256] = std::array::from_fn(|byte| {
            let member = if members[byte] { MEMBER } else { 0 };
            let other = match u8::try_from(byte) {
                Ok(b'.' | b'-') => NAME | MARK,
                Ok(b'#') => HASH,
                Ok(b'?') => QUESTION,
                Ok(b'&') => AMPERSAND,
                Ok(b'l' | b'L' | b'g' | b'G' | b'q' | b'Q') => NAME | ENTITY,
                Ok(byte) if byte.is_ascii_alphanumeric() => NAME,
                _ => 0,
            };
            member | other
        });
        let names = classes.map(|class| class & NAME != 0);
        Self {
            #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
            avx512: avx512::Table::new(&classes),
            #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
            avx2: avx2::Table::new(members).zip(avx2::Table::new(&names)),
        }
    }

    /// Sets `survey` to that from byte `at` on, which ends with the text at the latest. `None` if the machine has
    /// no vectors: byte by byte a survey would cost more than it saves.
    ///
    /// It is filled in place because a copy has to wait until all of it is written.
    #[inline(always)]
    pub(crate) fn look(&self, text: &[u8], at: usize, survey: &mut Survey) -> Option<()> {
        #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
        {
            if let Some(table) = &self.avx512 {
                table.survey(text, at, survey);
                return Some(());
            }
            if let Some((members, names)) = &self.avx2 {
                members.survey(names, text, at, survey);
                return Some(());
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn members() -> [bool; 256] {
        std::array::from_fn(|byte| {
            u8::try_from(byte).is_ok_and(|b| b.is_ascii_alphanumeric() || b"-._/?#~&".contains(&b))
        })
    }

    /// All the ways that this machine has.
    fn ways() -> Vec<Surveyor> {
        let all = Surveyor::new(&members());
        #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
        return vec![all.clone(), Surveyor { avx512: None, ..all }];
        #[cfg(any(not(target_arch = "x86_64"), urlsift_portable))]
        return vec![all];
    }

    proptest! {
        #[test]
        fn each_byte_is_seen_for_what_it_is(
            bytes in proptest::collection::vec(prop_oneof![8 => proptest::sample::select(&b"azAZ09.-_/?#~&&lGq"[..]), 1 => any::<u8>()], 64..300),
        ) {
            for surveyor in ways() {
                for at in 0..bytes.len() {
                    let mut survey = Survey::default();
                    let Some(()) = surveyor.look(&bytes, at, &mut survey) else { continue };
                    let run = bytes[at..].iter().take_while(|&&byte| members()[usize::from(byte)]).count();
                    prop_assert_eq!(survey.run, run);
                    let (mut hashes, mut question) = (0, false);
                    for (bit, &byte) in bytes[at..at + run].iter().enumerate() {
                        let is = |mask: u64| mask >> bit & 1 != 0;
                        if bit < BLOCK {
                            prop_assert_eq!(is(survey.names), byte.is_ascii_alphanumeric() || b".-".contains(&byte));
                            prop_assert_eq!(is(survey.marks), b".-".contains(&byte));
                        }
                        hashes += u32::from(byte == b'#');
                        question |= byte == b'?';
                        let names = bytes.get(at + bit + 1).is_some_and(|next| b"lLgGqQ".contains(next));
                        prop_assert!(byte != b'&' || !names || survey.any_ampersand(|at| at == bit));
                    }
                    prop_assert_eq!(survey.has_hashes(run), if run < BLOCK { hashes > 1 } else { hashes > 0 });
                    prop_assert_eq!(survey.has_question(), question);
                }
            }
        }
    }

    #[test]
    fn names_end_where_they_end() {
        for surveyor in ways() {
            for (url, len) in [
                ("host.dom", 8),
                ("ho-st.dom/a?b", 9),
                ("host.dom?b", 8),
                (".host.dom/", 0),
                ("host..dom/", 0),
                ("host-.dom/", 0),
                ("host.dom./", 0),
                ("host.dom-", 0),
                ("/host", 0),
                ("", 0),
            ] {
                let mut bytes = url.as_bytes().to_vec();
                bytes.resize(BLOCK, b' ');
                let mut survey = Survey::default();
                let Some(()) = surveyor.look(&bytes, 0, &mut survey) else { continue };
                assert_eq!(survey.name_len(url.len()), len, "{url}");
            }
        }
    }
}
