//! Tables indexed by a byte, computed at compile time.

/// Evaluates an expression for each byte and returns the results as an array, for a `static`:
/// `table!(|byte| byte.is_ascii_digit())`. The expression is expanded in place, not called as a
/// closure, so it may be anything that the compiler can evaluate.
macro_rules! table {
    (|$byte:ident| $of:expr) => {{
        let mut $byte = 0_u8;
        let mut table = [$of; 256];
        while $byte < u8::MAX {
            $byte += 1;
            table[$byte as usize] = $of;
        }
        table
    }};
}

pub(crate) use table;

#[cfg(test)]
mod tests {
    #[test]
    fn each_byte_has_its_own_entry() {
        static DOUBLE: [u16; 256] = table!(|byte| 2 * byte as u16);
        assert!((0..=255_u16).all(|byte| DOUBLE[usize::from(byte)] == 2 * byte));
    }
}
