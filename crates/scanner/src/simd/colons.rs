//! Where the colons are that stand behind certain bytes or before a slash.

use super::Window;
#[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
use super::avx2;
use super::window::WINDOW;
use crate::options::Engine;

/// Finds the colons behind the bytes of a set, and those before a slash.
#[derive(Clone, Debug)]
pub(crate) struct Colons {
    #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
    avx2: Option<avx2::Table>,
}

impl Colons {
    /// For the bytes for which `before` says so.
    #[cfg_attr(any(not(target_arch = "x86_64"), urlsift_portable), expect(unused_variables))]
    pub(crate) fn new(engine: Engine, before: &[bool; 256]) -> Self {
        Self {
            #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
            avx2: avx2::Table::new(engine, before),
        }
    }

    /// Sets `window` to the next one that holds such a colon at or after byte `from`, for each of which
    /// `accepts` may also say yes; `None` if there is no more. Of the colons that stand elsewhere it may
    /// hold those of which `accepts` says yes. (It is filled in place: to return it costs more than to
    /// find it.)
    pub(crate) fn find(
        &self,
        text: &[u8],
        from: usize,
        window: &mut Window,
        accepts: impl Fn(usize) -> bool,
    ) -> Option<()> {
        #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
        if let Some(table) = &self.avx2 {
            // The vectors reach one byte back and one ahead: the first and last bytes go the other way.
            if from == 0 && text.first() == Some(&b':') && accepts(0) {
                return find_by_bytes(text, 0, window, accepts);
            }
            return match table.colons(text, from.max(1), window) {
                Ok(()) => Some(()),
                Err(rest) => find_by_bytes(text, rest, window, accepts),
            };
        }
        find_by_bytes(text, from, window, accepts)
    }
}

/// For every machine: memchr, then the rule. Here a window starts with its first colon.
///
/// memchr's iterator is kept over the colons that are not accepted, which are the most: to start memchr
/// anew at each cost 1.89 instructions a byte on mail against .89.
fn find_by_bytes(
    text: &[u8],
    from: usize,
    window: &mut Window,
    accepts: impl Fn(usize) -> bool,
) -> Option<()> {
    let colons = memchr::memchr_iter(b':', text.get(from..)?).map(|at| from + at);
    let mut colons = colons.filter(|&at| accepts(at));
    let first = colons.next()?;
    let end = text.len().min(first + WINDOW);
    window.begin(first, end);
    window.add(first);
    for at in colons.take_while(|&at| at < end) {
        window.add(at);
    }
    Some(())
}
