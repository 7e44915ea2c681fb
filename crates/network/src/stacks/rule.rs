//! The rules by which a position chooses one of the stacks.
//!
//! A wrong rule gives wrong values that look right. So a rule is never taken without saying which
//! one and why: [`StackChoice`].

use std::fmt;
use std::str::FromStr;

use tsumero_core::{ByColor, Color, Hand, PieceKind, Position, Square};

use crate::features::king_seen;
use crate::text::printable;

/// How the hands of both sides choose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Hands {
    /// By whether there are pieces of some groups of kinds.
    Groups(&'static [&'static [PieceKind]]),
    /// By the sum of points.
    Points,
}

/// How the kings choose: by their zones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Zones {
    K3,
    K9,
    K9z,
    K13z,
    K21,
    K29,
}

/// How the progress of the game chooses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Progress {
    /// By weights in the network file; the number of classes.
    Inside(u8),
    /// By weights in a file beside it; in eight classes.
    Outside {
        /// Whether positions in which both kings have advanced have a stack of their own.
        entering: bool,
    },
}

const P: PieceKind = PieceKind::Pawn;
const L: PieceKind = PieceKind::Lance;
const N: PieceKind = PieceKind::Knight;
const S: PieceKind = PieceKind::Silver;
const G: PieceKind = PieceKind::Gold;
const B: PieceKind = PieceKind::Bishop;
const R: PieceKind = PieceKind::Rook;

/// The names of rules on hands. The groups are in the order of their bits, the lowest first.
const HANDS: [(&str, Hands); 6] = [
    ("hand4", Hands::Groups(&[&[B]])),
    ("hand16", Hands::Groups(&[&[P], &[B]])),
    ("hand64", Hands::Groups(&[&[P, L, N], &[S, G, R], &[B]])),
    ("hand256", Hands::Groups(&[&[P, L, N], &[S, G], &[B], &[R]])),
    ("hand1024", Hands::Groups(&[&[P], &[L, N], &[S, G], &[B], &[R]])),
    ("hand64z", Hands::Points),
];

/// The names of rules on kings.
const ZONES: [(&str, Zones); 6] = [
    ("k3k3", Zones::K3),
    ("k9k9", Zones::K9),
    ("k9k9z", Zones::K9z),
    ("k13k13z", Zones::K13z),
    ("k21k21", Zones::K21),
    ("k29k29", Zones::K29),
];

/// The names of rules on the progress.
const PROGRESS: [(&str, Progress); 8] = [
    ("progress2", Progress::Inside(2)),
    ("progress3", Progress::Inside(3)),
    ("progress4", Progress::Inside(4)),
    ("progress8", Progress::Inside(8)),
    ("progress16", Progress::Inside(16)),
    ("progress32", Progress::Inside(32)),
    ("progress8kpabs", Progress::Outside { entering: false }),
    ("progress8ek", Progress::Outside { entering: true }),
];

impl Hands {
    /// Number of classes of one hand.
    fn classes(self) -> usize {
        match self {
            Hands::Groups(groups) => 1 << groups.len(),
            Hands::Points => 8,
        }
    }

    fn class(self, hand: Hand) -> usize {
        match self {
            Hands::Groups(groups) => {
                let bits = groups.iter().enumerate().map(|(bit, group)| {
                    usize::from(group.iter().any(|&kind| hand.contains(kind))) << bit
                });
                bits.sum()
            }
            Hands::Points => {
                let points = [(P, 1), (L, 2), (N, 2), (S, 3), (G, 3), (B, 5), (R, 5)];
                let points: u32 = points.iter().map(|&(kind, each)| each * hand.count(kind)).sum();
                (points as usize).div_ceil(4).min(7)
            }
        }
    }
}

impl Zones {
    /// Number of zones of one king.
    fn classes(self) -> usize {
        match self {
            Zones::K3 => 3,
            Zones::K9 | Zones::K9z => 9,
            Zones::K13z => 13,
            Zones::K21 => 21,
            Zones::K29 => 29,
        }
    }

    /// The zone of a square as its own side sees it. The home rank is the last one.
    fn class(self, square: usize) -> usize {
        let (file, rank) = (square / 9, square % 9);
        match (self, rank) {
            (Zones::K3, _) => rank / 3,
            (Zones::K9, _) => rank,
            (Zones::K13z, 0..7) => rank,
            (Zones::K13z, _) => 7 + 3 * (rank - 7) + file / 3,
            (_, 0..6) => rank / 3,
            (Zones::K29, _) => 2 + 9 * (rank - 6) + file,
            (_, 6) => 2,
            (Zones::K9z, _) => 3 + 3 * (rank - 7) + file / 3,
            (Zones::K21, _) => 3 + 9 * (rank - 7) + file,
        }
    }
}

/// The rule by which a position chooses one of the stacks of a network: by the pieces in hand, by
/// the squares of the kings, by the progress of the game, or by several of them.
///
/// The names are those of the makers, joined by `_`:
///
/// | by | names |
/// |---|---|
/// | hands | `hand4`, `hand16`, `hand64`, `hand256`, `hand1024`, `hand64z` |
/// | kings | `k3k3`, `k9k9`, `k9k9z`, `k13k13z`, `k21k21`, `k29k29` |
/// | progress, with weights in the file | `progress2`, `progress3`, `progress4`, `progress8`, `progress16`, `progress32` |
/// | progress, with weights in `progress.bin` | `progress8kpabs`, `progress8ek` |
///
/// ```
/// use tsumero_network::StackRule;
/// let rule: StackRule = "Hand4_K3K3".parse()?;
/// assert_eq!(rule.to_string(), "hand4_k3k3");
/// assert!(rule.fits(36) && !rule.fits(9));
/// assert!("k4k4".parse::<StackRule>().is_err());
/// # Ok::<(), tsumero_network::RuleError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct StackRule {
    /// The number of the rule in [`HANDS`], and so on.
    hands: Option<u8>,
    zones: Option<u8>,
    progress: Option<u8>,
}

/// What a rule looks at.
pub(crate) struct Situation {
    pub(crate) side: Color,
    pub(crate) kings: ByColor<Option<Square>>,
    pub(crate) hands: ByColor<Hand>,
}

impl Situation {
    #[inline]
    pub(crate) fn of(position: &Position) -> Situation {
        Situation {
            side: position.side_to_move(),
            kings: ByColor(Color::ALL.map(|color| position.king(color))),
            hands: ByColor(Color::ALL.map(|color| position.hand(color))),
        }
    }
}

impl StackRule {
    /// There is one stack only.
    pub(crate) const SINGLE: StackRule = StackRule { hands: None, zones: None, progress: None };

    /// The usual rule for nine stacks: `k3k3`.
    pub(crate) const USUAL: StackRule = StackRule { zones: Some(0), ..StackRule::SINGLE };

    /// The usual rule where a file beside the network has weights of the progress:
    /// `progress8kpabs`.
    pub(crate) const USUAL_OUTSIDE: StackRule =
        StackRule { progress: Some(6), ..StackRule::SINGLE };

    #[inline]
    fn hands(self) -> Option<Hands> {
        self.hands.map(|number| HANDS[usize::from(number)].1)
    }

    #[inline]
    fn zones(self) -> Option<Zones> {
        self.zones.map(|number| ZONES[usize::from(number)].1)
    }

    #[inline]
    fn progress(self) -> Option<Progress> {
        self.progress.map(|number| PROGRESS[usize::from(number)].1)
    }

    /// Number of classes of both hands, of both kings, and of the progress.
    fn classes(self) -> [usize; 3] {
        let squared = |classes: usize| classes * classes;
        [
            self.hands().map_or(1, |hands| squared(hands.classes())),
            self.zones().map_or(1, |zones| squared(zones.classes())),
            match self.progress() {
                None => 1,
                Some(Progress::Inside(classes)) => classes.into(),
                Some(Progress::Outside { entering }) => 8 + usize::from(entering),
            },
        ]
    }

    /// Number of stacks among which the rule chooses.
    pub fn stacks(self) -> usize {
        self.classes().iter().product()
    }

    /// Whether the rule is one for so many stacks. Of nine stacks, `progress8kpabs` never chooses
    /// the last one.
    pub fn fits(self, stacks: usize) -> bool {
        let spare = self.progress() == Some(Progress::Outside { entering: false });
        stacks == self.stacks() || spare && stacks == 9
    }

    /// Number of classes of the progress, with weights in the network file.
    pub(crate) fn inside(self) -> Option<usize> {
        match self.progress() {
            Some(Progress::Inside(classes)) => Some(classes.into()),
            _ => None,
        }
    }

    /// Whether the rule needs the weights of a file beside the network.
    pub(crate) fn is_outside(self) -> bool {
        matches!(self.progress(), Some(Progress::Outside { .. }))
    }

    /// The number of the stack for a position. `progress` is its class.
    #[inline]
    pub(crate) fn stack(self, situation: &Situation, progress: impl FnOnce() -> usize) -> usize {
        let Situation { side, kings, hands } = situation;
        let king = |color: Color| king_seen(color, kings[color]);
        let mut stack = 0;
        if let Some(rule) = self.hands() {
            let class = |color: Color| rule.class(hands[color]);
            stack = class(*side) * rule.classes() + class(!*side);
        }
        if let Some(zones) = self.zones() {
            let class = |color: Color| zones.class(king(color));
            stack = (stack * zones.classes() + class(*side)) * zones.classes() + class(!*side);
        }
        match self.progress() {
            None => stack,
            Some(Progress::Inside(classes)) => stack * usize::from(classes) + progress(),
            // On the five ranks that are farthest from home.
            Some(Progress::Outside { entering: true })
                if Color::ALL.iter().all(|&color| king(color) % 9 <= 4) =>
            {
                8
            }
            Some(Progress::Outside { .. }) => progress(),
        }
    }

    /// All rules for a number of stacks.
    fn all_for(stacks: usize) -> Vec<StackRule> {
        let optional = |count: usize| std::iter::once(None).chain((0..count as u8).map(Some));
        let mut rules = Vec::new();
        for hands in optional(HANDS.len()) {
            for zones in optional(ZONES.len()) {
                for progress in optional(PROGRESS.len()) {
                    let rule = StackRule { hands, zones, progress };
                    let alone = hands.is_none() && zones.is_none();
                    if rule.fits(stacks) && (alone || !rule.is_outside()) {
                        rules.push(rule);
                    }
                }
            }
        }
        rules
    }
}

/// The name, as the makers write it.
impl fmt::Display for StackRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            self.hands.map(|number| HANDS[usize::from(number)].0),
            self.zones.map(|number| ZONES[usize::from(number)].0),
            self.progress.map(|number| PROGRESS[usize::from(number)].0),
        ];
        let names: Vec<&str> = names.into_iter().flatten().collect();
        f.write_str(if names.is_empty() { "the only stack" } else { "" })?;
        f.write_str(&names.join("_"))
    }
}

/// The name.
impl fmt::Debug for StackRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for StackRule {
    type Err = RuleError;

    /// Small and capital letters are alike.
    fn from_str(text: &str) -> Result<StackRule, RuleError> {
        let unknown = || RuleError::Unknown { name: text.to_owned(), reason: None };
        let mut rule = StackRule::SINGLE;
        let name = text.to_ascii_lowercase();
        /// The number of a name in a table.
        fn number<T>(table: &[(&str, T)], part: &str) -> Option<u8> {
            table.iter().position(|(name, _)| *name == part).map(|number| number as u8)
        }
        for part in name.split('_') {
            if let Some(hands) = number(&HANDS, part)
                && rule == StackRule::SINGLE
            {
                rule.hands = Some(hands);
            } else if let Some(zones) = number(&ZONES, part)
                && (rule.zones, rule.progress) == (None, None)
            {
                rule.zones = Some(zones);
            } else if let Some(progress) = number(&PROGRESS, part)
                && rule.progress.is_none()
            {
                rule.progress = Some(progress);
            } else {
                return Err(unknown());
            }
        }
        let alone = (rule.hands, rule.zones) == (None, None);
        if rule.is_outside() && !alone { Err(unknown()) } else { Ok(rule) }
    }
}

/// The rule that is used for a network, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StackChoice {
    /// The rule.
    pub rule: StackRule,
    /// Where it comes from.
    pub reason: RuleReason,
    /// A rule that was set and is not used, because the description names another one.
    pub passed_over: Option<StackRule>,
}

/// Where the rule of a network comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleReason {
    /// The network has one stack only.
    Single,
    /// The description in the file names it.
    Description,
    /// The user has set it.
    Set,
    /// The description names a shape whose makers use it.
    Shape,
    /// `eval_options.txt` beside the file names it.
    OptionsFile,
    /// A file `progress.bin` lies beside the network.
    ProgressFile,
    /// It is the usual one for nine stacks, and nothing else is known.
    Usual,
}

/// The reason, such as `as set`.
impl fmt::Display for RuleReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RuleReason::Single => "because there is one stack only",
            RuleReason::Description => "as the description says",
            RuleReason::Set => "as set",
            RuleReason::Shape => "for which the name in the description stands",
            RuleReason::OptionsFile => "as eval_options.txt says",
            RuleReason::ProgressFile => "because progress.bin lies beside it",
            RuleReason::Usual => "the usual rule, because nothing else is said",
        })
    }
}

/// The rule and the reason, such as `k3k3 (the usual rule, because nothing else is said)`.
impl fmt::Display for StackChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reason == RuleReason::Single {
            return self.rule.fmt(f);
        }
        write!(f, "{} ({}", self.rule, self.reason)?;
        if let Some(other) = self.passed_over {
            write!(f, ", not {other} as set")?;
        }
        f.write_str(")")
    }
}

/// Why no stack can be chosen.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RuleError {
    /// No rule has this name.
    #[error("found the stack rule \"{}\"{}, expected one such as k3k3, hand64 or progress8kpabs", printable(.name.as_bytes()), .reason.map_or_else(String::new, |reason| format!(" ({reason})")))]
    Unknown {
        /// The name.
        name: String,
        /// Where it comes from, if it belongs to a network.
        reason: Option<RuleReason>,
    },
    /// The rule is one for another number of stacks.
    #[error("found {stacks} stacks, expected {} for the rule {rule} ({reason})", .rule.stacks())]
    Count {
        /// The number in the file.
        stacks: usize,
        /// The rule.
        rule: StackRule,
        /// Where it comes from.
        reason: RuleReason,
    },
    /// Nothing says which rule is the right one.
    #[error("found {stacks} stacks and no word on how one is chosen, expected a rule to be set{}", candidates(*.stacks))]
    Missing {
        /// The number in the file.
        stacks: usize,
    },
    /// The file has weights of the progress, and the rule does not use them; or the other way
    /// round.
    #[error("found {} of the progress in the file, expected {} for the rule {rule}", if *.found { "weights" } else { "no weights" }, if *.found { "none" } else { "them" })]
    Progress {
        /// Whether the file has weights.
        found: bool,
        /// The rule.
        rule: StackRule,
    },
    /// The file with the weights of the progress is missing or wrong.
    #[error(
        "found {found}, expected a progress.bin of 1003104 bytes beside the network for the rule {rule}"
    )]
    ProgressFile {
        /// What was found.
        found: String,
        /// The rule.
        rule: StackRule,
    },
}

/// Some of the rules that could be meant.
fn candidates(stacks: usize) -> String {
    let names: Vec<String> =
        StackRule::all_for(stacks).iter().take(4).map(StackRule::to_string).collect();
    if names.is_empty() { String::new() } else { format!(", such as {}", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_read_by_its_name() {
        for stacks in [2, 3, 4, 8, 9, 27, 36, 64, 81, 108, 1296, 6728, 1024 * 841 * 32] {
            let rules = StackRule::all_for(stacks);
            assert!(!rules.is_empty());
            for rule in rules {
                assert_eq!(rule.to_string().parse(), Ok(rule));
                assert_eq!(rule.to_string().to_uppercase().parse(), Ok(rule));
                assert!(rule.fits(stacks));
            }
        }
        for name in [
            "",
            "auto",
            "k3",
            "k3k3_hand4",
            "hand4_hand16",
            "k3k3_",
            "k3k3_progress8ek",
            "progress5",
            "the only stack",
            "k3k3 ",
        ] {
            let error = name.parse::<StackRule>().unwrap_err();
            assert_eq!(error, RuleError::Unknown { name: name.to_owned(), reason: None });
        }
        assert_eq!(StackRule::USUAL.to_string(), "k3k3");
        assert_eq!(StackRule::USUAL_OUTSIDE.to_string(), "progress8kpabs");
        let nine = StackRule::all_for(9);
        let names: Vec<String> = nine.iter().map(StackRule::to_string).collect();
        assert_eq!(names, ["progress8kpabs", "progress8ek", "k3k3"]);
    }

    /// Every class of kings and hands occurs, and their numbers have no gaps.
    #[test]
    fn classes_are_numbered_from_0_on() {
        for (name, zones) in ZONES {
            let mut seen = vec![false; zones.classes()];
            (0..81).for_each(|square| seen[zones.class(square)] = true);
            assert!(seen.iter().all(|&seen| seen), "{name}");
        }
        for (name, hands) in HANDS {
            let mut seen = vec![false; hands.classes()];
            for bits in 0..1 << 7 {
                for most in [1, 18] {
                    let kinds = [P, L, N, S, G, B, R].into_iter().enumerate();
                    let hand = kinds.fold(Hand::EMPTY, |hand, (number, kind)| {
                        hand.with_count(kind, (bits >> number & 1) * Hand::limit(kind).min(most))
                    });
                    seen[hands.class(hand)] = true;
                }
            }
            assert!(seen.iter().all(|&seen| seen), "{name}");
        }
    }

    #[test]
    fn errors_are_one_line() {
        let rule = StackRule::USUAL;
        for (error, line) in [
            (
                RuleError::Unknown { name: "半\n".to_owned(), reason: None },
                "found the stack rule \"\\xe5\\x8d\\x8a\\n\", expected one such as",
            ),
            (
                RuleError::Unknown {
                    name: "k4k4".to_owned(),
                    reason: Some(RuleReason::OptionsFile),
                },
                "found the stack rule \"k4k4\" (as eval_options.txt says), expected one such as",
            ),
            (
                RuleError::Count { stacks: 8, rule, reason: RuleReason::Set },
                "found 8 stacks, expected 9 for the rule k3k3 (as set)",
            ),
            (RuleError::Missing { stacks: 81 }, "expected a rule to be set, such as k9k9, k9k9z"),
            (RuleError::Missing { stacks: 7 }, "found 7 stacks and no word on how one is chosen"),
            (
                RuleError::Progress { found: true, rule },
                "found weights of the progress in the file, expected none for the rule k3k3",
            ),
            (
                RuleError::ProgressFile { found: "no such file".to_owned(), rule },
                "found no such file, expected a progress.bin of 1003104 bytes",
            ),
        ] {
            let found = error.to_string();
            assert!(found.contains(line) && found.is_ascii() && !found.contains('\n'), "{found}");
        }
    }
}
