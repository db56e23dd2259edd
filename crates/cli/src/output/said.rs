//! What a record says of a violation or finding, but for its place: put together by the compiler.

use urlsift_core::{Code, Level};

/// A piece of at most `N` bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<const N: usize> {
    pub(super) bytes: [u8; N],
    pub(super) len: usize,
}

impl<const N: usize> Piece<N> {
    const EMPTY: Self = Self { bytes: [b' '; N], len: 0 };

    /// The parts, one behind the other.
    pub(super) const fn new(parts: &[&str]) -> Self {
        let mut piece = Self::EMPTY;
        let mut part = 0;
        while part < parts.len() {
            piece = piece.with(parts[part].as_bytes());
            part += 1;
        }
        piece
    }

    const fn with(mut self, bytes: &[u8]) -> Self {
        let mut at = 0;
        while at < bytes.len() {
            self.bytes[self.len] = bytes[at];
            self.len += 1;
            at += 1;
        }
        self
    }

    #[inline]
    pub(super) fn written(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// A report as JSON, at the level that its code usually has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said {
    /// What stands before its start: `{"code":"...","level":"...","start":`.
    pub(super) before: Piece<64>,
    /// What stands behind its end: `,"rfc":...,"section":"...","message":"..."}`.
    pub(super) behind: Piece<144>,
}

impl Said {
    /// What is said of the code.
    #[inline]
    pub(super) fn of(code: Code) -> &'static Self {
        static ALL: [Said; Code::ALL.len()] = {
            let mut all = [Said { before: Piece::EMPTY, behind: Piece::EMPTY }; Code::ALL.len()];
            let mut index = 0;
            while index < all.len() {
                let code = Code::ALL[index];
                // The table's order is that of its numbers.
                all[code as usize] = Said::new(code);
                index += 1;
            }
            all
        };
        &ALL[code as usize]
    }

    const fn new(code: Code) -> Self {
        let before = match code.level() {
            Level::Error => Piece::new(&["{\"code\":\"", code.name(), "\",\"start\":"]),
            level => Piece::new(&[
                "{\"code\":\"",
                code.name(),
                "\",\"level\":\"",
                level.name(),
                "\",\"start\":",
            ]),
        };
        let rfc = code.rfc();
        let behind = with_number(Piece::new(&[",\"rfc\":"]), rfc);
        let (section, message) = (code.section().as_bytes(), code.message().as_bytes());
        let behind = behind.with(b",\"section\":\"").with(section);
        let behind = behind.with(b"\",\"message\":\"").with(message).with(b"\"}");
        Self { before, behind }
    }
}

const fn with_number(piece: Piece<144>, number: u16) -> Piece<144> {
    let mut piece = piece;
    let mut power = 10_000;
    while power > 0 {
        if number >= power {
            piece = piece.with(&[b'0' + (number / power % 10) as u8]);
        }
        power /= 10;
    }
    piece
}

#[cfg(test)]
mod tests {
    use super::Said;
    use urlsift_core::{Code, Level};

    #[test]
    fn what_is_said_is_what_the_table_has() {
        for &code in Code::ALL {
            let Said { before, behind } = Said::of(code);
            let json = [before.written(), b"3,\"end\":7", behind.written()].concat();
            let said: serde_json::Value = serde_json::from_slice(&json).unwrap();
            let mut expected = serde_json::json!({
                "code": code.name(), "start": 3, "end": 7, "rfc": code.rfc(),
                "section": code.section(), "message": code.message(),
            });
            if code.level() != Level::Error {
                expected["level"] = code.level().name().into();
            }
            assert_eq!(said, expected);
        }
    }
}
