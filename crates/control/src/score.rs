//! Scores, mate distances and bounds.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The greatest distance from the root, in plies, that the search ever reaches.
pub const MAX_PLY: u32 = 127;

/// The value of a position for the side to move.
///
/// Ordinary values use a unit in which a pawn is worth about 90. They end where the game is
/// decided: at ±[`Score::PERPETUAL_CHECK`], or within [`MAX_PLY`] of ±[`Score::MATE`] by a mate or
/// declaration in that many plies. Every score fits an `i16`, unless a margin is added to it that leads
/// beyond [`Score::INFINITE`].
///
/// ```
/// use tsumero_control::Score;
///
/// let (pawn, mate) = (Score::new(90), Score::mate_in(7));
/// // A mate is worth more than any material, and a shorter one is worth more still.
/// assert!(mate > Score::new(1_000_000) && Score::mate_in(5) > mate);
/// // The opponent sees the same value with the other sign.
/// assert!(-mate == Score::mated_in(7) && (-mate).is_loss());
/// // A margin is added to a score. The difference of two scores is a number.
/// assert_eq!(pawn + 30 - pawn, 30);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash, Debug)]
pub struct Score(i32);

/// The meaning of a score, for display.
///
/// ```
/// use tsumero_control::{Score, ScoreKind};
///
/// assert_eq!(Score::mate_in(3).kind(), ScoreKind::Mate(3));
/// // In the words of USI.
/// assert_eq!(Score::new(-45).kind().to_string(), "cp -45");
/// assert_eq!(Score::mated_in(4).kind().to_string(), "mate -4");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreKind {
    /// Any other value; a pawn is worth about 90.
    Centipawns(i32),
    /// The game is decided in this many plies. It is positive when the side to move wins (never 0),
    /// negative when it loses, and 0 when it has lost already.
    Mate(i32),
}

/// In the words of USI, behind its `score`: `cp 34`, `mate 5`.
impl fmt::Display for ScoreKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScoreKind::Centipawns(value) => f.pad(&format!("cp {value}")),
            // The side to move has lost already. By the sign, GUIs tell this from a win.
            ScoreKind::Mate(0) => f.pad("mate -0"),
            ScoreKind::Mate(plies) => f.pad(&format!("mate {plies}")),
        }
    }
}

impl Score {
    /// A draw, or an even position.
    pub const ZERO: Score = Score(0);
    /// A win at distance 0. No position has this score for the side to move.
    pub const MATE: Score = Score(32_000);
    /// Beyond every score: the first window of a search.
    pub const INFINITE: Score = Score(32_001);
    /// A win by perpetual check: the opponent gave check with every move of a repetition, and
    /// loses. It is decided, but without a countable distance to mate.
    pub const PERPETUAL_CHECK: Score = Score(20_000);
    /// The largest ordinary value. Static values end here.
    pub const MAX_ORDINARY: Score = Score(Score::PERPETUAL_CHECK.0 - 1);
    /// The largest value below all mates.
    const BELOW_MATES: i32 = Score::MATE.0 - MAX_PLY as i32 - 1;

    /// The score of a value, clamped so that it never looks like a mate.
    #[inline]
    pub const fn new(value: i32) -> Score {
        Score(within(value, Score::BELOW_MATES))
    }

    /// The score of a static value, clamped so that it never looks like a decided game.
    ///
    /// ```
    /// use tsumero_control::Score;
    ///
    /// assert_eq!(Score::ordinary(-450), Score::new(-450));
    /// assert!(Score::ordinary(i32::MAX).is_ordinary() && !Score::new(i32::MAX).is_ordinary());
    /// ```
    #[inline]
    pub const fn ordinary(value: i32) -> Score {
        Score(within(value, Score::MAX_ORDINARY.0))
    }

    /// The score of a number that a file has recorded: that of its [`value`](Score::value), mates
    /// included. Beyond the shortest mates it is clamped as by [`new`](Score::new).
    ///
    /// ```
    /// use tsumero_control::Score;
    ///
    /// for score in [Score::new(-45), Score::mate_in(1), Score::mated_in(0), Score::mated_in(9)] {
    ///     assert_eq!(Score::recorded(score.value()), score);
    /// }
    /// // Some programs record infinity or no value like this. It is no mate.
    /// assert!(!Score::recorded(32_001).is_mate() && !Score::recorded(i32::MIN).is_mate());
    /// ```
    pub const fn recorded(value: i32) -> Score {
        if -Score::MATE.0 <= value && value < Score::MATE.0 {
            Score(value)
        } else {
            Score::new(value)
        }
    }

    /// The side to move wins in this many plies (1 to [`MAX_PLY`]). Debug builds panic outside this range.
    #[inline]
    pub const fn mate_in(plies: u32) -> Score {
        debug_assert!(1 <= plies && plies <= MAX_PLY);
        Score(Score::MATE.0 - plies as i32)
    }

    /// The side to move loses in this many plies (0 to [`MAX_PLY`]). Debug builds panic outside this range.
    #[inline]
    pub const fn mated_in(plies: u32) -> Score {
        debug_assert!(plies <= MAX_PLY);
        Score(plies as i32 - Score::MATE.0)
    }

    /// The number itself.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Whether the score measures a position whose game is not decided. Only such a score can be
    /// compared by a margin, averaged, or learned from.
    ///
    /// ```
    /// use tsumero_control::Score;
    ///
    /// assert!(Score::ZERO.is_ordinary() && Score::new(-3_000).is_ordinary());
    /// for win in [Score::mate_in(7), Score::PERPETUAL_CHECK] {
    ///     assert!(win.is_win() && !win.is_ordinary() && !(-win).is_ordinary());
    /// }
    /// ```
    #[inline]
    pub const fn is_ordinary(self) -> bool {
        self.0.abs() <= Score::MAX_ORDINARY.0
    }

    /// Whether the game is decided in a known number of plies, for either side: by mate, or by a
    /// declaration.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() > Score::BELOW_MATES
    }

    /// Whether the side to move wins by force: by mate, declaration or perpetual check.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 > Score::MAX_ORDINARY.0
    }

    /// Whether the side to move loses by force: by mate, declaration or perpetual check.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 < -Score::MAX_ORDINARY.0
    }

    /// The meaning of the score: a mate or any other value.
    pub const fn kind(self) -> ScoreKind {
        if !self.is_mate() {
            ScoreKind::Centipawns(self.0)
        } else if self.0 > 0 {
            ScoreKind::Mate(Score::MATE.0 - self.0)
        } else {
            ScoreKind::Mate(-(Score::MATE.0 + self.0))
        }
    }

    /// The form for the transposition table. It counts mates from the node itself, so that an entry
    /// is right wherever the position occurs again.
    #[inline]
    pub const fn to_table(self, ply: u32) -> i16 {
        let value = if !self.is_mate() {
            self.0
        } else if self.0 > 0 {
            self.0 + ply as i32
        } else {
            self.0 - ply as i32
        };
        value as i16
    }

    /// The inverse of [`Score::to_table`] at a node `ply` plies from the root.
    #[inline]
    pub const fn from_table(value: i16, ply: u32) -> Score {
        let stored = Score(value as i32);
        if !stored.is_mate() {
            stored
        } else if stored.0 > 0 {
            Score(stored.0 - ply as i32)
        } else {
            Score(stored.0 + ply as i32)
        }
    }

    /// The mean of two scores, in which this one has a weight of `share` 1024ths. It is rounded
    /// towards zero.
    #[inline]
    pub const fn towards(self, other: Score, share: i32) -> Score {
        Score((self.0 * share + other.0 * (1024 - share)) / 1024)
    }

    /// The arithmetic mean of two scores, rounded towards zero.
    #[inline]
    pub const fn midpoint(self, other: Score) -> Score {
        Score((self.0 + other.0) / 2)
    }
}

/// The nearest number from `-limit` to `limit`.
#[inline]
const fn within(value: i32, limit: i32) -> i32 {
    if value > limit {
        limit
    } else if value < -limit {
        -limit
    } else {
        value
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    #[inline]
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    #[inline]
    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

/// The distance between two scores.
impl Sub for Score {
    type Output = i32;

    #[inline]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

/// How a search result relates to the true value.
///
/// ```
/// use tsumero_control::{Bound, Score};
///
/// // Whether the stored result of a node ends its search within the window from alpha to beta.
/// let ends = |result: Score, bound, alpha: Score, beta: Score| match bound {
///     Bound::Exact => true,
///     Bound::Lower => result >= beta,
///     Bound::Upper => result <= alpha,
/// };
/// let (result, alpha, beta) = (Score::new(60), Score::ZERO, Score::new(50));
/// // The value is at least 60, and 50 is enough. A value of at most 60 may still be 10.
/// assert!(ends(result, Bound::Lower, alpha, beta));
/// assert!(!ends(result, Bound::Upper, alpha, beta));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The result is the value.
    Exact,
    /// The value is at least the result (the search failed high).
    Lower,
    /// The value is at most the result (the search failed low).
    Upper,
}

impl Bound {
    /// The bound in two bits, for a table. No bound has 0, which stays free for an entry without a result.
    ///
    /// ```
    /// use tsumero_control::Bound;
    ///
    /// for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
    ///     assert_eq!(Bound::from_code(bound.code()), Some(bound));
    /// }
    /// assert_eq!(Bound::from_code(0), None);
    /// ```
    #[inline]
    pub const fn code(self) -> u8 {
        match self {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        }
    }

    /// The bound with a [`code`](Bound::code); `None` for any other number.
    #[inline]
    pub const fn from_code(code: u8) -> Option<Bound> {
        match code {
            1 => Some(Bound::Exact),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Upper),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_mate_is_a_mate() {
        for (value, meant) in [
            (0, Score::ZERO),
            (-450, Score::new(-450)),
            (31_990, Score::mate_in(10)),
            (-31_990, Score::mated_in(10)),
            (31_999, Score::mate_in(1)),
            // No mate is recorded like this.
            (31_800, Score::new(31_800)),
            (32_000, Score::new(32_000)),
            (i32::MIN, Score::new(i32::MIN)),
            (i32::MAX, Score::new(i32::MAX)),
        ] {
            assert_eq!(Score::recorded(value), meant, "{value}");
        }
    }

    #[test]
    fn a_mean_lies_between_its_scores() {
        let (low, high) = (Score::new(-300), Score::new(500));
        assert_eq!((high.towards(low, 1024), high.towards(low, 0)), (high, low));
        assert_eq!(high.towards(low, 512), high.midpoint(low));
        assert_eq!(high.towards(low, 256), Score::new(-100));
    }

    #[test]
    fn mates_are_told_from_ordinary_values() {
        assert_eq!(Score::mate_in(1).kind(), ScoreKind::Mate(1));
        assert_eq!(Score::mated_in(2).kind(), ScoreKind::Mate(-2));
        assert_eq!(Score::mated_in(0).kind(), ScoreKind::Mate(0));
        assert_eq!(Score::mate_in(MAX_PLY).kind(), ScoreKind::Mate(MAX_PLY as i32));
        assert_eq!(Score::new(-345).kind(), ScoreKind::Centipawns(-345));
        for extreme in [i32::MAX, i32::MIN + 1] {
            assert!(!Score::new(extreme).is_mate());
        }
        assert!(Score::mate_in(3) > Score::mate_in(5));
        assert!(Score::mated_in(2) < Score::mated_in(4));
    }

    /// Every score is a win, a loss or ordinary. A perpetual check is decided, but no mate.
    #[test]
    fn a_perpetual_check_is_decided() {
        for value in -Score::MATE.0..=Score::MATE.0 {
            let score = Score(value);
            let kinds = [score.is_win(), score.is_loss(), score.is_ordinary()];
            assert_eq!(kinds.iter().filter(|&&kind| kind).count(), 1, "{value}");
            assert!(!score.is_mate() || !score.is_ordinary(), "{value}");
        }
        let win = Score::PERPETUAL_CHECK;
        assert!(win.is_win() && (-win).is_loss() && !win.is_mate() && !(-win).is_mate());
        assert!(win > Score::MAX_ORDINARY && win < Score::mate_in(MAX_PLY));
        assert_eq!((-win).kind(), ScoreKind::Centipawns(-20_000));
    }

    #[test]
    fn kinds_are_written_in_the_words_of_usi() {
        for (score, text) in [
            (Score::ZERO, "cp 0"),
            (Score::new(-45), "cp -45"),
            (Score::mate_in(5), "mate 5"),
            (Score::mated_in(4), "mate -4"),
            (Score::mated_in(0), "mate -0"),
        ] {
            let kind = score.kind();
            assert_eq!(format!("{kind}|{kind:>8}"), format!("{text}|{text:>8}"));
        }
    }

    #[test]
    fn the_table_counts_mates_from_the_node() {
        for ply in [0, 1, 60, MAX_PLY] {
            for plies in ply..=MAX_PLY {
                let perpetual = Score::PERPETUAL_CHECK;
                for score in [
                    Score::mate_in(plies.max(1)),
                    Score::mated_in(plies),
                    Score::new(77),
                    -perpetual,
                ] {
                    assert_eq!(Score::from_table(score.to_table(ply), ply), score);
                }
            }
        }
        // A mate found three plies below the root is three plies nearer when the position occurs at
        // the root.
        let found = Score::mate_in(8).to_table(3);
        assert_eq!(Score::from_table(found, 0), Score::mate_in(5));
    }
}
