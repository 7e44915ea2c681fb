//! Handicaps: which pieces White (上手) plays without.

use std::sync::LazyLock;

use tsumero_core::{Color, Position};

/// A handicap.
pub(crate) struct Handicap {
    /// The names of 手合割; the first is the usual one.
    names: &'static [&'static str],
    /// The name of the preset in JKF.
    preset: &'static str,
    /// The squares whose pieces White lacks.
    lacking: &'static [&'static str],
}

/// The king always stays, so ten pieces are the largest handicap.
#[rustfmt::skip]
static HANDICAPS: [Handicap; 16] = [
    Handicap { names: &["平手"], preset: "HIRATE", lacking: &[] },
    Handicap { names: &["香落ち"], preset: "KY", lacking: &["1a"] },
    Handicap { names: &["右香落ち"], preset: "KY_R", lacking: &["9a"] },
    Handicap { names: &["角落ち"], preset: "KA", lacking: &["2b"] },
    Handicap { names: &["飛車落ち", "飛落ち"], preset: "HI", lacking: &["8b"] },
    Handicap { names: &["飛香落ち"], preset: "HIKY", lacking: &["8b", "1a"] },
    Handicap { names: &["二枚落ち"], preset: "2", lacking: &["8b", "2b"] },
    Handicap { names: &["三枚落ち"], preset: "3", lacking: &["8b", "2b", "1a"] },
    Handicap { names: &["四枚落ち"], preset: "4", lacking: &["8b", "2b", "1a", "9a"] },
    Handicap { names: &["五枚落ち", "右五枚落ち"], preset: "5", lacking: &["8b", "2b", "1a", "9a", "8a"] },
    Handicap { names: &["左五枚落ち"], preset: "5_L", lacking: &["8b", "2b", "1a", "9a", "2a"] },
    Handicap { names: &["六枚落ち"], preset: "6", lacking: &["8b", "2b", "1a", "9a", "8a", "2a"] },
    Handicap { names: &["左七枚落ち"], preset: "7_L", lacking: &["8b", "2b", "1a", "9a", "8a", "2a", "3a"] },
    Handicap { names: &["右七枚落ち"], preset: "7_R", lacking: &["8b", "2b", "1a", "9a", "8a", "2a", "7a"] },
    Handicap { names: &["八枚落ち"], preset: "8", lacking: &["8b", "2b", "1a", "9a", "8a", "2a", "3a", "7a"] },
    Handicap { names: &["十枚落ち"], preset: "10", lacking: &["8b", "2b", "1a", "9a", "8a", "2a", "3a", "7a", "4a", "6a"] },
];

/// The names that other programs know. They treat all others as an even game.
const WIDELY_KNOWN: [&str; 11] = [
    "平手",
    "香落ち",
    "右香落ち",
    "角落ち",
    "飛車落ち",
    "飛香落ち",
    "二枚落ち",
    "四枚落ち",
    "六枚落ち",
    "八枚落ち",
    "十枚落ち",
];

impl Handicap {
    /// The handicap with this name as 手合割.
    pub(crate) fn named(name: &str) -> Option<&'static Handicap> {
        HANDICAPS.iter().find(|handicap| handicap.names.contains(&name))
    }

    /// The handicap with this name of a JKF preset.
    pub(crate) fn with_preset(preset: &str) -> Option<&'static Handicap> {
        HANDICAPS.iter().find(|handicap| handicap.preset == preset)
    }

    /// The handicap that starts with this position.
    pub(crate) fn of(position: &Position) -> Option<&'static Handicap> {
        let sfen = position.to_sfen();
        let wanted = fields(&sfen);
        let mut pairs = HANDICAPS.iter().zip(STARTS.iter());
        pairs.find(|(_, start)| fields(start) == wanted).map(|(handicap, _)| handicap)
    }

    /// The usual name.
    pub(crate) fn name(&self) -> &'static str {
        self.names[0]
    }

    /// Whether other programs know the name.
    pub(crate) fn is_widely_known(&self) -> bool {
        WIDELY_KNOWN.contains(&self.name())
    }

    /// The name of the JKF preset.
    pub(crate) fn preset(&self) -> &'static str {
        self.preset
    }

    /// Whether it is none: the even game.
    pub(crate) fn is_even(&self) -> bool {
        self.lacking.is_empty()
    }

    /// Who moves first.
    pub(crate) fn first_player(&self) -> Color {
        if self.is_even() { Color::Black } else { Color::White }
    }

    /// The first position.
    pub(crate) fn position(&self) -> Position {
        let mut pairs = HANDICAPS.iter().zip(STARTS.iter());
        let start = pairs.find(|(handicap, _)| handicap.preset == self.preset);
        let (_, sfen) = start.expect("every handicap has a row");
        Position::from_sfen(sfen).expect("fewer pieces are still a position")
    }

    fn sfen(&self) -> String {
        let lacking: Vec<_> = self.lacking.iter().map(|square| square.parse()).collect();
        let even = Position::startpos();
        crate::text_of_position(
            |square| {
                let is_there = !lacking.contains(&Ok(square));
                even.piece_at(square).filter(|_| is_there)
            },
            |_, _| 0,
            self.first_player(),
        )
    }
}

/// The SFENs of the first positions, in the order of [`HANDICAPS`].
static STARTS: LazyLock<[String; HANDICAPS.len()]> =
    LazyLock::new(|| HANDICAPS.each_ref().map(Handicap::sfen));

/// An SFEN without the number of the move.
fn fields(sfen: &str) -> &str {
    sfen.rsplit_once(' ').map_or(sfen, |(fields, _)| fields)
}
