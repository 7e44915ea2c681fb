//! The names of castles (囲い) and openings (戦型). The board alone decides.

mod table;

use std::sync::LazyLock;

use serde::Serialize;
use tsumero_core::{Color, File, PieceKind, Position, Rank, Square};

use crate::{Language, Phase};
use table::{CASTLES, STYLES, TOGETHER};

/// The name of a castle or of what a player plays.
///
/// ```
/// use tsumero_analysis::{Language, castle};
/// use tsumero_core::{Color, Position};
/// let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2PP5/PPB1PPPPP/2SR1GSK1/LN1G3NL b - 1";
/// assert_eq!(castle(&sfen.parse::<Position>()?, Color::Black), None);
/// let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2PP5/PPB1PPPPP/2SRG1SK1/LN3G1NL b - 1";
/// let name = castle(&sfen.parse::<Position>()?, Color::Black).unwrap();
/// assert_eq!((name.in_language(Language::Japanese), name.en), ("美濃囲い", "Mino castle"));
/// # Ok::<(), tsumero_core::SfenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct ShapeName {
    /// In Japanese.
    pub ja: &'static str,
    /// In English.
    pub en: &'static str,
}

impl ShapeName {
    /// The name in a language.
    pub const fn in_language(self, language: Language) -> &'static str {
        match language {
            Language::Japanese => self.ja,
            Language::English => self.en,
        }
    }
}

/// What kind of thing a shape is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Castle,
    /// The rook has gone to the other side.
    Ranging,
    /// The rook stays where it starts, or near.
    Static,
    /// Both players together.
    Together,
}

/// A row of a table.
struct Shape {
    japanese: &'static str,
    english: &'static str,
    pattern: &'static str,
    kind: Kind,
    /// The side that alone plays it; `None` if both do.
    only: Option<Color>,
}

impl Shape {
    const fn name(&self) -> ShapeName {
        ShapeName { ja: self.japanese, en: self.english }
    }
}

/// Something that a pattern asks about one piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fact {
    /// It stands on a square.
    At(Square),
    /// None of its kind stands on a file.
    NotOnFile(File),
    /// It is in hand.
    InHand,
}

/// A fact about a piece of the player, or of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Claim {
    is_own: bool,
    kind: PieceKind,
    fact: Fact,
}

impl Claim {
    /// Reads a claim such as `K28`; `None` if it is not well formed.
    fn read(text: &str) -> Option<Claim> {
        let mut letters = text.chars();
        let (piece, first, second) = (letters.next()?, letters.next()?, letters.next());
        let kind = PieceKind::from_letter(piece.to_ascii_uppercase())?;
        let number = |letter: char| letter.to_digit(10).map(|digit| digit as u8);
        let fact = match (first, second) {
            ('*', None) => Fact::InHand,
            (file, Some('x')) => Fact::NotOnFile(File::new(number(file)?)?),
            (file, Some(rank)) => {
                Fact::At(Square::new(File::new(number(file)?)?, Rank::new(number(rank)?)?))
            }
            (_, None) => return None,
        };
        letters.next().is_none().then_some(Claim { is_own: piece.is_ascii_uppercase(), kind, fact })
    }

    fn holds(self, position: &Position, player: Color) -> bool {
        let owner = if self.is_own { player } else { player.opponent() };
        let is_it = |square: Square| {
            let piece = position.piece_at(square.relative_to(player));
            piece.is_some_and(|piece| piece.color() == owner && piece.kind() == self.kind)
        };
        match self.fact {
            Fact::At(square) => is_it(square),
            Fact::NotOnFile(file) => !Rank::all().any(|rank| is_it(Square::new(file, rank))),
            Fact::InHand => position.hand(owner).contains(self.kind),
        }
    }
}

/// Claims of which one must hold, or none if it is negated.
#[derive(Debug)]
struct Condition {
    is_negated: bool,
    claims: Vec<Claim>,
}

/// A pattern, ready to be compared.
struct Pattern(Vec<Condition>);

impl Pattern {
    /// Reads a pattern of the table.
    ///
    /// # Panics
    ///
    /// When it is not well formed.
    fn read(text: &str) -> Pattern {
        let condition = |text: &str| {
            let (is_negated, text) =
                text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
            let claims = text.split('/').map(|claim| {
                Claim::read(claim).unwrap_or_else(|| panic!("{claim}: not a condition"))
            });
            Condition { is_negated, claims: claims.collect() }
        };
        Pattern(text.split(' ').map(condition).collect())
    }

    fn holds(&self, position: &Position, player: Color) -> bool {
        self.0.iter().all(|condition| {
            condition.claims.iter().any(|claim| claim.holds(position, player))
                != condition.is_negated
        })
    }
}

/// A table, ready to be searched.
struct Patterns {
    shapes: &'static [Shape],
    patterns: Vec<Pattern>,
}

impl Patterns {
    fn of(shapes: &'static [Shape]) -> Patterns {
        Patterns { shapes, patterns: shapes.iter().map(|s| Pattern::read(s.pattern)).collect() }
    }

    /// The number of the first row whose pattern holds.
    fn find(&self, position: &Position, player: Color) -> Option<usize> {
        let mut rows = self.shapes.iter().zip(&self.patterns);
        rows.position(|(shape, pattern)| {
            shape.only.is_none_or(|side| side == player) && pattern.holds(position, player)
        })
    }
}

static CASTLE_PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns::of(&CASTLES));
static STYLE_PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns::of(&STYLES));
static TOGETHER_PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns::of(&TOGETHER));

const COLORS: [Color; 2] = [Color::Black, Color::White];

/// The castle of a player.
pub fn castle(position: &Position, player: Color) -> Option<ShapeName> {
    let row = CASTLE_PATTERNS.find(position, player)?;
    Some(CASTLE_PATTERNS.shapes[row].name())
}

/// The opening of a game.
///
/// ```
/// use tsumero_analysis::{Finding, FoundLine, GameReport, Language, Study, Value};
/// use tsumero_record::read;
/// let game = read(b"startpos moves 7g7f 3c3d 2g2f 8b4b 2f2e 2b3c\n").into_games()?.remove(0);
/// let line = FoundLine { value: Value::Cp(30), depth: 9, seldepth: 12, pv: Vec::new() };
/// let findings = vec![Finding::of_search(vec![line], 900); 7];
/// let study = Study::of_findings(&game, findings);
/// let opening = GameReport::new("game.usi", 1, &study, true).opening;
/// assert_eq!(opening.name(Language::Japanese), Some("四間飛車".to_owned()));
/// let [black, white] = opening.styles.map(|style| style.map(|name| name.en));
/// assert_eq!((black, white), (Some("Static Rook"), Some("Fourth File Rook")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Opening {
    /// What Black and White play.
    pub styles: [Option<ShapeName>; 2],
    /// What both play together.
    pub together: Option<ShapeName>,
    /// Which of the players have a ranging rook.
    ranging: [bool; 2],
}

/// The styles that are so common that they say nothing beside another one.
const PLAIN: &str = "居飛車";
/// The styles that name a kind of what both play together.
const KINDS_OF_TOGETHER: [&str; 3] = ["棒銀", "早繰り銀", "腰掛け銀"];

impl Opening {
    /// The name of the opening, if it has one. A ranging rook names it before anything else, then
    /// what both play together, then what each plays.
    pub fn name(&self, language: Language) -> Option<String> {
        let say = |japanese: &str, english: &str| match language {
            Language::Japanese => japanese.to_owned(),
            Language::English => english.to_owned(),
        };
        let of = |name: ShapeName| name.in_language(language);
        let [black, white] = self.styles;
        match (self.ranging, black, white) {
            ([true, true], ..) => return Some(say("相振り飛車", "Double Ranging Rook")),
            ([true, false], Some(name), _) | ([false, true], _, Some(name)) => {
                return Some(of(name).to_owned());
            }
            _ => {}
        }
        if let Some(together) = self.together {
            let has_kinds = matches!(together.ja, "角換わり" | "相掛かり");
            let kind = self.styles.into_iter().flatten();
            let kind = kind.filter(|_| has_kinds).find(|s| KINDS_OF_TOGETHER.contains(&s.ja));
            return Some(match kind {
                None => of(together).to_owned(),
                Some(kind) => {
                    let between = say("", ", ");
                    format!("{}{between}{}", of(together), of(kind))
                }
            });
        }
        match (black, white) {
            (Some(black), Some(white)) if black == white => {
                let both = say("相", "Double ");
                Some(format!("{both}{}", of(black)))
            }
            (Some(one), Some(other)) if one.ja == PLAIN || other.ja == PLAIN => {
                Some(of(if one.ja == PLAIN { other } else { one }).to_owned())
            }
            (Some(black), Some(white)) => {
                let against = say("対", " against ");
                Some(format!("{}{against}{}", of(black), of(white)))
            }
            (Some(one), None) | (None, Some(one)) if one.ja != PLAIN => Some(of(one).to_owned()),
            _ => None,
        }
    }
}

/// Collects what the positions of a game say about its opening.
#[derive(Default)]
pub(crate) struct Styles {
    /// The rows of the last styles of both players.
    last: [Option<usize>; 2],
    /// The first row of all that held for both together.
    together: Option<usize>,
}

impl Styles {
    /// Looks at the next position of a game.
    pub(crate) fn look_at(&mut self, position: &Position, phase: Phase) {
        if phase != Phase::Opening {
            return;
        }
        for player in COLORS {
            let style = STYLE_PATTERNS.find(position, player);
            let last = &mut self.last[player.index()];
            *last = style.or(*last);
            let together = TOGETHER_PATTERNS.find(position, player);
            self.together = self.together.into_iter().chain(together).min();
        }
    }

    /// The opening, when all positions have been looked at.
    pub(crate) fn opening(&self) -> Opening {
        let name = |row: usize| STYLES[row].name();
        Opening {
            styles: self.last.map(|row| row.map(name)),
            together: self.together.map(|row| TOGETHER[row].name()),
            ranging: self.last.map(|row| row.is_some_and(|row| STYLES[row].kind == Kind::Ranging)),
        }
    }
}

#[cfg(test)]
mod tests;
