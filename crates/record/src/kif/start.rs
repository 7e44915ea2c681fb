//! The start of a game in KIF and KI2: 手合割, a diagram, the side to move.

use tsumero_core::{
    ByColor, Color, File, Handicap, Piece, PieceKind, Position, Rank, Setup, SetupError, Square,
};

use crate::{BadGame, Fault, names, setup};

/// The information from the lines before the first move.
#[derive(Default)]
pub(super) struct Start {
    /// The value of 手合割 and its line.
    handicap: Option<(usize, String)>,
    /// The ranks of the diagram from the top.
    rows: Vec<[Option<Piece>; 9]>,
    /// The line of the last rank.
    last_row: usize,
    hands: Vec<(Color, PieceKind, u32)>,
    /// The first line with pieces in hand.
    hand_line: Option<usize>,
    /// Whose hands are described.
    described: ByColor<bool>,
    /// Who holds all pieces that are left.
    holds_rest: Option<Color>,
    side: Option<Color>,
}

/// What a diagram means that does not describe the hand of the side not to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MissingHand {
    /// The hand is empty, as in a game.
    Empty,
    /// It holds all pieces that are left, as in a mate problem.
    Rest,
}

/// The name of the header for the handicap, which every program writes.
pub(super) const HANDICAP: &str = "手合割";

/// The name of the header with the side to move.
pub(super) const SIDE: &str = "手番";

/// The handicap of a position that a diagram shows.
const OTHER: &str = "その他";

/// Handicaps that are known only by name, with White's camp and the pieces in hand: what White lacks may be
/// in Black's (香得). They are written as diagrams.
const OTHER_HANDICAPS: [(&str, &str, &str); 13] = [
    ("トンボ", "4k4/1r5b1/ppppppppp", "-"),
    ("トンボ＋香", "l3k3l/1r5b1/ppppppppp", "-"),
    ("トンボ＋桂香", "ln2k2nl/1r5b1/ppppppppp", "-"),
    ("歩三兵", "4k4/9/9", "3p"),
    ("裸玉", "4k4/9/9", "-"),
    ("香得", "lnsgkgsn1/1r5b1/ppppppppp", "L"),
    ("角得", "lnsgkgsnl/1r7/ppppppppp", "B"),
    ("飛車得", "lnsgkgsnl/7b1/ppppppppp", "R"),
    ("飛香得", "lnsgkgsn1/7b1/ppppppppp", "RL"),
    ("二枚得", "lnsgkgsnl/9/ppppppppp", "RB"),
    ("四枚得", "1nsgkgsn1/9/ppppppppp", "RB2L"),
    ("六枚得", "2sgkgs2/9/ppppppppp", "RB2N2L"),
    ("八枚得", "3gkg3/9/ppppppppp", "RB2S2N2L"),
];

/// The first position of a handicap, with the side that moves first.
fn handicap(name: &str) -> Option<Setup> {
    if let Ok(handicap) = name.parse::<Handicap>() {
        return Some(handicap.into());
    }
    let (_, camp, hand) = OTHER_HANDICAPS.iter().find(|(other, ..)| *other == name)?;
    let sfen = format!("{camp}/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w {hand} 1");
    Position::from_sfen(&sfen).ok().map(|position| Setup::from(&position))
}

/// How a hand of all pieces that are left is written.
const REST: [&str; 8] = [
    "残り全部",
    "残り全て",
    "残りすべて",
    "残り駒全部",
    "残り駒全て",
    "残駒全部",
    "残り駒",
    "残り",
];

/// The side to move, if the line names it.
pub(super) fn side(line: &str) -> Option<Color> {
    match line {
        "先手番" | "下手番" => Some(Color::Black),
        "後手番" | "上手番" => Some(Color::White),
        _ => None,
    }
}

/// Whether the line belongs to a diagram: its border, a rank, or the file numbers.
pub(super) fn is_diagram(line: &str) -> bool {
    line.starts_with('|') || line.starts_with("+--") || super::moves::is_file_numbers(line)
}

/// What a header can say about the start.
enum Fact {
    Handicap,
    Side,
    Hand(Color),
}

fn what_it_says(name: &str) -> Option<Fact> {
    Some(match name {
        HANDICAP => Fact::Handicap,
        SIDE => Fact::Side,
        _ => Fact::Hand(holder(name)?),
    })
}

/// The side whose pieces in hand a header names. The attacker of a mate problem (攻方) plays upwards.
fn holder(name: &str) -> Option<Color> {
    let side = name.strip_suffix("の持駒").or_else(|| name.strip_suffix("の持ち駒"))?;
    match side {
        "先手" | "下手" | "攻方" | "攻め方" | "詰方" => Some(Color::Black),
        "後手" | "上手" | "玉方" | "受方" | "受け方" => Some(Color::White),
        _ => None,
    }
}

/// Whether a header with this name describes the start.
pub(super) fn is_start(name: &str) -> bool {
    what_it_says(name).is_some()
}

impl Start {
    pub(super) fn set_side(&mut self, side: Color) {
        self.side = Some(side);
    }

    /// Uses a header if it describes the start. Returns whether it does.
    pub(super) fn take_header(
        &mut self,
        number: usize,
        name: &str,
        value: &str,
    ) -> Result<bool, BadGame> {
        match what_it_says(name) {
            // A form that was not filled in names no handicap.
            Some(Fact::Handicap) if value.is_empty() => {}
            Some(Fact::Handicap) => self.handicap = Some((number, value.to_owned())),
            Some(Fact::Side) => self.side = side(value).or_else(|| side(&format!("{value}番"))),
            Some(Fact::Hand(color)) => self.read_hand(number, color, value)?,
            None => return Ok(false),
        }
        Ok(true)
    }

    fn read_hand(&mut self, number: usize, color: Color, value: &str) -> Result<(), BadGame> {
        let mut rest = value.trim();
        self.described[color] |= !rest.is_empty();
        if rest.is_empty() || rest == "なし" {
            return Ok(());
        }
        self.hand_line = self.hand_line.or(Some(number));
        if REST.contains(&rest) {
            return setup::give_rest(&mut self.holds_rest, color)
                .map_err(|reason| BadGame::new(number, reason));
        }
        while !rest.is_empty() {
            let piece = names::take_piece(rest).filter(|(kind, _)| PieceKind::HAND.contains(kind));
            let Some((kind, tail)) = piece else {
                let reason = format!("{:?} are no pieces in hand", super::moves::shorten(rest));
                return Err(BadGame::new(number, reason));
            };
            let (count, tail) = names::take_count(tail);
            self.hands.push((color, kind, count));
            rest = tail.trim_start();
        }
        Ok(())
    }

    /// Reads a rank of the diagram: `|v香v桂 ・v金 ・v玉 ・v桂v香|一`.
    pub(super) fn read_row(&mut self, number: usize, line: &str) -> Result<(), BadGame> {
        let bad = |reason: String| Err(BadGame::new(number, reason));
        let rank = self.rows.len();
        let Some(expected) = u8::try_from(rank + 1).ok().and_then(Rank::new) else {
            let reason =
                "the diagram has more than nine ranks (the header 手合割 begins another game)";
            return bad(reason.to_owned());
        };
        let (cells, label) = line.trim_start_matches('|').split_once('|').unwrap_or((line, ""));
        let label = label.trim();
        if !label.is_empty() && label != names::rank_name(expected).to_string() {
            let missing = names::rank_name(expected);
            return bad(format!("rank {label} of the diagram stands where {missing} should"));
        }
        let mut row = [None; 9];
        let mut count = 0;
        let mut color = Color::Black;
        let mut rest = cells.trim_start_matches('|');
        while let Some(letter) = rest.chars().next() {
            let after = &rest[letter.len_utf8()..];
            let cell = match letter {
                'v' | 'V' | 'ｖ' | '▽' | '△' | '☖' => {
                    color = Color::White;
                    rest = after;
                    continue;
                }
                '^' | '▲' | '▼' | '☗' => {
                    color = Color::Black;
                    rest = after;
                    continue;
                }
                '・' | '･' | '.' | '口' => {
                    rest = after;
                    None
                }
                blank if blank.is_whitespace() => {
                    color = Color::Black;
                    rest = after;
                    continue;
                }
                _ => {
                    let Some((kind, tail)) = names::take_piece(rest) else {
                        return bad(format!("{letter:?} is no piece of a diagram"));
                    };
                    rest = tail;
                    Some(Piece::new(color, kind))
                }
            };
            color = Color::Black;
            let Some(place) = row.get_mut(count) else {
                return bad("the rank has more than nine squares".to_owned());
            };
            *place = cell;
            count += 1;
        }
        if count < 9 {
            return bad(format!("the rank has {count} squares instead of nine"));
        }
        self.rows.push(row);
        self.last_row = number;
        Ok(())
    }

    /// The first position. A diagram takes precedence over 手合割.
    pub(super) fn position(&self, missing: MissingHand) -> Result<Position, BadGame> {
        let named = match &self.handicap {
            None => Some(Handicap::Even.into()),
            Some((_, name)) => handicap(name),
        };
        let side = self.side.or(named.as_ref().map(Setup::side_to_move)).unwrap_or(Color::Black);
        if self.rows.is_empty() {
            if let Some(line) = self.hand_line {
                return Err(BadGame::new(line, "there are pieces in hand, but no diagram"));
            }
            let Some(mut setup) = named else {
                let (line, name) =
                    self.handicap.as_ref().map_or((1, ""), |(line, name)| (*line, name));
                let reason = if name == OTHER {
                    "a position of another kind, but no diagram".to_owned()
                } else {
                    format!("the handicap {name:?} is not known")
                };
                return Err(BadGame::new(line, reason));
            };
            let position = setup.set_side_to_move(side).build();
            return position.map_err(|error| BadGame::new(1, error.to_string()));
        }
        if self.rows.len() < 9 {
            let reason = format!("the diagram has {} ranks instead of nine", self.rows.len());
            return Err(BadGame::new(self.last_row, reason));
        }
        let bad = |error: SetupError| BadGame::new(self.last_row, format!("the diagram: {error}"));
        let mut setup = Setup::empty();
        setup.set_side_to_move(side);
        for (rank, row) in Rank::all().zip(&self.rows) {
            for (file, piece) in File::all().rev().zip(row) {
                if let Some(piece) = *piece {
                    setup.put(Square::new(file, rank), piece);
                }
            }
        }
        for &(color, kind, count) in &self.hands {
            setup::add(&mut setup, color, kind, count).map_err(bad)?;
        }
        let defender = side.opponent();
        let is_missing = missing == MissingHand::Rest && !self.described[defender];
        if let Some(holder) = self.holds_rest.or(is_missing.then_some(defender)) {
            setup::add_rest(&mut setup, holder);
        }
        setup::position(setup).map_err(|fault| {
            let reason = format!("the diagram: {}", fault.reason);
            BadGame::new(self.last_row, Fault { reason, ..fault })
        })
    }
}
