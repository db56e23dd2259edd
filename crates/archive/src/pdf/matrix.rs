//! The transformation from the coordinates of a text to those of the page.

/// A matrix `[a b c d e f]` (ISO 32000-1 §8.3.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Matrix([f32; 6]);

impl Matrix {
    pub(super) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(super) const fn new(numbers: [f32; 6]) -> Self {
        Self(numbers)
    }

    /// Returns the matrix that moves by `x` and `y`.
    pub(super) const fn translation(x: f32, y: f32) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// Returns the matrix that applies `self` and then `next`.
    #[expect(clippy::many_single_char_names, reason = "the names of the standard")]
    pub(super) fn then(self, next: Self) -> Self {
        let ([a, b, c, d, e, f], [na, nb, nc, nd, ne, nf]) = (self.0, next.0);
        Self([
            a * na + b * nc,
            a * nb + b * nd,
            c * na + d * nc,
            c * nb + d * nd,
            e * na + f * nc + ne,
            e * nb + f * nd + nf,
        ])
    }

    /// Returns the position of the origin.
    pub(super) const fn origin(self) -> (f32, f32) {
        let [.., x, y] = self.0;
        (x, y)
    }

    /// Returns the direction in which lines run, as a vector of length 1, and the factor by which
    /// lengths along a line grow.
    pub(super) fn direction(self) -> ((f32, f32), f32) {
        let [a, b, ..] = self.0;
        let len = a.hypot(b);
        if len > 0.0 && len.is_finite() { ((a / len, b / len), len) } else { ((1.0, 0.0), 1.0) }
    }
}
