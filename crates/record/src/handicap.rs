//! What game files know about handicaps (駒落ち).

use std::sync::LazyLock;

use tsumero_core::{Handicap, Position};

/// The names of the presets in JKF.
const PRESETS: [(Handicap, &str); Handicap::ALL.len()] = [
    (Handicap::Even, "HIRATE"),
    (Handicap::Lance, "KY"),
    (Handicap::RightLance, "KY_R"),
    (Handicap::Bishop, "KA"),
    (Handicap::Rook, "HI"),
    (Handicap::RookAndLance, "HIKY"),
    (Handicap::TwoPieces, "2"),
    (Handicap::ThreePieces, "3"),
    (Handicap::FourPieces, "4"),
    (Handicap::FivePieces, "5"),
    (Handicap::LeftFivePieces, "5_L"),
    (Handicap::SixPieces, "6"),
    (Handicap::LeftSevenPieces, "7_L"),
    (Handicap::RightSevenPieces, "7_R"),
    (Handicap::EightPieces, "8"),
    (Handicap::TenPieces, "10"),
];

/// The first positions of all handicaps.
static STARTS: LazyLock<[(Handicap, Position); Handicap::ALL.len()]> =
    LazyLock::new(|| Handicap::ALL.map(|handicap| (handicap, handicap.position())));

/// The handicap that starts with this position.
pub(crate) fn of(position: &Position) -> Option<Handicap> {
    STARTS.iter().find(|(_, start)| start == position).map(|&(handicap, _)| handicap)
}

/// The handicap with this name of a JKF preset.
pub(crate) fn with_preset(preset: &str) -> Option<Handicap> {
    PRESETS.iter().find(|(_, name)| *name == preset).map(|&(handicap, _)| handicap)
}

/// The name of the JKF preset, if there is one.
pub(crate) fn preset(handicap: Handicap) -> Option<&'static str> {
    PRESETS.iter().find(|(known, _)| *known == handicap).map(|&(_, name)| name)
}

/// The handicap that starts with this position, if other programs know its name. They treat all
/// others as an even game.
pub(crate) fn widely_known(position: &Position) -> Option<Handicap> {
    of(position).filter(|handicap| {
        !matches!(
            handicap,
            Handicap::ThreePieces
                | Handicap::FivePieces
                | Handicap::LeftFivePieces
                | Handicap::LeftSevenPieces
                | Handicap::RightSevenPieces
        )
    })
}
