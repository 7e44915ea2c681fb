//! The window of a search: the range in which an exact value is wanted.

use tsumero_control::{Bound, Score};

/// The range between two scores. A value at or beyond one of them is only a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    /// The side to move has this much already. A value that is not above it fails low.
    pub(crate) alpha: Score,
    /// The opponent does not allow more. A value from here on fails high.
    pub(crate) beta: Score,
}

impl Window {
    /// The window that every score is within.
    #[inline]
    pub(crate) fn full() -> Window {
        Window { alpha: -Score::INFINITE, beta: Score::INFINITE }
    }

    /// The zero window that tells whether a value is above `alpha`.
    #[inline]
    pub(crate) fn above(alpha: Score) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The zero window that tells whether a value is at least `beta`.
    #[inline]
    pub(crate) fn up_to(beta: Score) -> Window {
        Window { alpha: beta - 1, beta }
    }

    /// The same window, as the opponent sees it.
    #[inline]
    pub(crate) fn reversed(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// What a score is for this window: exact, or a bound.
    #[inline]
    pub(crate) fn bound_of(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_exact_only_between_the_ends() {
        let window = Window { alpha: Score::new(-10), beta: Score::new(30) };
        let bounds = [-11, -10, -9, 29, 30, 31].map(|score| window.bound_of(Score::new(score)));
        use Bound::{Exact, Lower, Upper};
        assert_eq!(bounds, [Upper, Upper, Exact, Exact, Lower, Lower]);
        for zero_window in [Window::above(Score::new(7)), Window::up_to(Score::new(8))] {
            assert_eq!((zero_window.alpha, zero_window.beta), (Score::new(7), Score::new(8)));
        }
    }

    #[test]
    fn the_opponent_sees_the_ends_exchanged() {
        let window = Window { alpha: Score::new(-10), beta: Score::new(30) };
        assert_eq!(window.reversed(), Window { alpha: Score::new(-30), beta: Score::new(10) });
        for score in -40..=40 {
            let (here, there) = (
                window.bound_of(Score::new(score)),
                window.reversed().bound_of(Score::new(-score)),
            );
            let expected = match here {
                Bound::Lower => Bound::Upper,
                Bound::Exact => Bound::Exact,
                Bound::Upper => Bound::Lower,
            };
            assert_eq!(there, expected, "{score}");
        }
        assert_eq!(Window::full().reversed(), Window::full());
    }
}
