//! The kinds of inputs that networks have, and their numbers in files.
//!
//! All kinds number pieces alike: 1548 inputs for pieces on the board and in hand. They differ in
//! what the own king chooses, and in whether kings are inputs, too.

use std::fmt;

/// Number of squares.
pub(crate) const SQUARES: usize = 81;
/// Number of inputs that stand for pieces on the board and in hand.
pub(crate) const PIECE_INPUTS: usize = 1548;
/// The first input of a piece on the board. Those below stand for hands and for missing pieces.
pub(crate) const FIRST_ON_BOARD: u16 = 90;
/// The first input of the viewer's own king.
pub(crate) const OWN_KING: u16 = PIECE_INPUTS as u16;
/// The first input of the other king, where each king has a block of its own.
pub(crate) const OTHER_KING: u16 = OWN_KING + SQUARES as u16;
/// The number of pieces in an even game, without the kings.
pub(crate) const PIECES: usize = 38;

/// The kind of a network's inputs.
///
/// ```
/// use tsumero_network::{Architecture, Kind};
/// // The size of the transformer, the largest part of a network:
/// let weights = |architecture: Architecture| architecture.kind().inputs() * architecture.l1();
/// assert_eq!(weights(Architecture::standard(Kind::HalfKp)), 81 * 1548 * 256);
/// assert_eq!(weights(Architecture::standard(Kind::Kp)), (162 + 1548) * 256);
/// // Two kings are active inputs of K-P.
/// assert_eq!([Kind::HalfKp, Kind::Kp].map(Kind::active), [38, 40]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Pairs of the viewer's own king and another piece: 81 times 1548 inputs.
    HalfKp,
    /// Kings and pieces separately: 162 and 1548 inputs.
    Kp,
    /// HalfKP on a board that is mirrored if the own king stands on the files 6 to 9: 45 times 1548
    /// inputs.
    HalfKpVm,
    /// Pairs of the own king and any piece, kings included: 81 times 1710 inputs.
    HalfKa1,
    /// As [`Kind::HalfKa1`], where both kings share a block of inputs: 81 times 1629 inputs.
    HalfKa2,
    /// [`Kind::HalfKa1`] on a board mirrored like that of [`Kind::HalfKpVm`]: 45 times 1710 inputs.
    HalfKaHm1,
    /// [`Kind::HalfKa2`] on a board mirrored like that of [`Kind::HalfKpVm`]: 45 times 1629 inputs.
    HalfKaHm2,
    /// Kings separately, and all pieces with the kings once more: 162 and 1629 inputs.
    KA2,
    /// As [`Kind::HalfKa1`], with nine zones of the own king in place of its 81 squares: nine times
    /// 1710 inputs. This kind is our own.
    ZoneKa1,
}

/// How kings are inputs besides the choice of the rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kings {
    /// They are not.
    None,
    /// Each king has a block of its own.
    Split,
    /// Both share one block.
    Merged,
    /// Both share one block, and each has one of its own behind it.
    Twice,
}

/// What the square of the viewer's own king chooses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnKing {
    /// Nothing.
    Ignored,
    /// One of 81 parts of the rows.
    Square,
    /// One of 45 parts, on a board mirrored so that the king stands on the files 1 to 5.
    Mirrored,
    /// One of nine parts: the [zone](ZONE) of the square.
    Zone,
}

/// Number of zones of a king.
pub(crate) const ZONES: usize = 9;

/// The zone of a king by its square, as its owner sees it.
///
/// The last two ranks are divided into the files 1 and 2, 3 to 5, 6 and 7, 8 and 9. The ranks before
/// them are one zone. So a zone is a castle or a part of one. Left and right differ, because the
/// rook and the bishop do.
pub(crate) const ZONE: [u8; SQUARES] = {
    let mut zones = [ZONES as u8 - 1; SQUARES];
    let mut file = 0;
    while file < 9 {
        let group = match file {
            0 | 1 => 0,
            2..=4 => 1,
            5 | 6 => 2,
            _ => 3,
        };
        zones[9 * file + 7] = 2 * group;
        zones[9 * file + 8] = 2 * group + 1;
        file += 1;
    }
    zones
};

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 9] = [
        Kind::HalfKp,
        Kind::Kp,
        Kind::HalfKpVm,
        Kind::HalfKa1,
        Kind::HalfKa2,
        Kind::HalfKaHm1,
        Kind::HalfKaHm2,
        Kind::KA2,
        Kind::ZoneKa1,
    ];

    /// What the own king chooses, and how kings are inputs: all that tells the kinds apart.
    #[inline]
    const fn facts(self) -> (OwnKing, Kings) {
        match self {
            Kind::HalfKp => (OwnKing::Square, Kings::None),
            Kind::Kp => (OwnKing::Ignored, Kings::Split),
            Kind::HalfKpVm => (OwnKing::Mirrored, Kings::None),
            Kind::HalfKa1 => (OwnKing::Square, Kings::Split),
            Kind::HalfKa2 => (OwnKing::Square, Kings::Merged),
            Kind::HalfKaHm1 => (OwnKing::Mirrored, Kings::Split),
            Kind::HalfKaHm2 => (OwnKing::Mirrored, Kings::Merged),
            Kind::KA2 => (OwnKing::Ignored, Kings::Twice),
            Kind::ZoneKa1 => (OwnKing::Zone, Kings::Split),
        }
    }

    #[inline]
    pub(crate) const fn own_king(self) -> OwnKing {
        self.facts().0
    }

    #[inline]
    pub(crate) const fn kings(self) -> Kings {
        self.facts().1
    }

    /// Number of parts among which the own king chooses.
    pub(crate) const fn parts(self) -> usize {
        match self.own_king() {
            OwnKing::Ignored => 1,
            OwnKing::Square => SQUARES,
            OwnKing::Mirrored => 5 * 9,
            OwnKing::Zone => ZONES,
        }
    }

    /// The part that a square of the own king chooses: the rows of part `n` begin at `n` times the
    /// number of inputs of a part. The square is numbered as its owner sees it, file by file: 0 is
    /// 1a, 1 is 1b and 80 is 9i.
    ///
    /// # Panics
    ///
    /// If there is no such square.
    pub const fn part(self, square: usize) -> usize {
        assert!(square < SQUARES);
        match self.own_king() {
            OwnKing::Ignored => 0,
            OwnKing::Square => square,
            // On the files 6 to 9.
            OwnKing::Mirrored if square >= 5 * 9 => mirrored_square(square),
            OwnKing::Mirrored => square,
            OwnKing::Zone => ZONE[square] as usize,
        }
    }

    /// Whether files hold rows that all parts share, and differences from them.
    pub(crate) const fn shares_rows(self) -> bool {
        matches!(self.own_king(), OwnKing::Zone)
    }

    /// Number of inputs in each part.
    #[inline]
    pub(crate) const fn inputs_of_part(self) -> usize {
        PIECE_INPUTS
            + match self.kings() {
                Kings::None => 0,
                Kings::Merged => SQUARES,
                Kings::Split => 2 * SQUARES,
                Kings::Twice => 3 * SQUARES,
            }
    }

    /// Number of inputs of each of the two views.
    pub const fn inputs(self) -> usize {
        self.parts() * self.inputs_of_part()
    }

    /// Number of active inputs of each view in every position: one for each of 38 pieces, where
    /// missing ones count as input 0, and those of the kings.
    pub const fn active(self) -> usize {
        PIECES
            + match self.kings() {
                Kings::None => 0,
                Kings::Merged | Kings::Split => 2,
                Kings::Twice => 4,
            }
    }

    /// The kind as which the inputs are kept in memory. The two rows that K+A2 has for each king
    /// are always active together. Added up, they are the rows of K-P.
    pub(crate) const fn in_memory(self) -> Kind {
        match self {
            Kind::KA2 => Kind::Kp,
            other => other,
        }
    }

    /// The name in descriptions of files.
    pub(crate) const fn feature_name(self) -> &'static str {
        match self {
            Kind::HalfKp => "HalfKP(Friend)",
            Kind::Kp => "K+P",
            Kind::HalfKpVm => "HalfKP_vm(Friend)",
            Kind::HalfKa1 => "HalfKA1(Friend)",
            Kind::HalfKa2 => "HalfKA2(Friend)",
            Kind::HalfKaHm1 => "HalfKA_hm1(Friend)",
            Kind::HalfKaHm2 => "HalfKA_hm2(Friend)",
            Kind::KA2 => "K+A2",
            Kind::ZoneKa1 => "ZoneKA1(Friend)",
        }
    }

    /// The kind that a name in a description stands for, in one of the forms that trainers write:
    /// `HalfKP(Friend)`, `HalfKP`, `K+P`, `K-P(Friend)`, `halfkahm2`.
    pub(crate) fn named(name: &str) -> Option<Kind> {
        let letters = |name: &str| -> String {
            let name = name.to_ascii_lowercase().replace("(friend)", "");
            name.chars().filter(|c| !matches!(c, '+' | '-' | '^' | '_')).collect()
        };
        // Names without the version of the inputs mean the second one, which nearly all files have.
        let name = match letters(name).as_str() {
            "halfkahm" | "halfkahmmerged" => "halfkahm2".to_owned(),
            "halfka" => "halfka2".to_owned(),
            other => other.to_owned(),
        };
        Kind::ALL.into_iter().find(|kind| name == letters(kind.feature_name()))
    }

    /// The number that stands for the inputs in the hashes of dense files.
    pub(crate) const fn hash(self) -> u32 {
        const K: u32 = 0xd3ce_e169;
        match self {
            Kind::HalfKp => 0x5d69_d5b8,
            Kind::Kp => K ^ 0x764c_fb4b_u32.rotate_left(1),
            Kind::HalfKpVm => 0x0b6b_1d9a,
            Kind::HalfKa1 => 0x5f13_4cb8,
            Kind::HalfKa2 => 0x5f23_4cb8,
            Kind::HalfKaHm1 => 0x7f13_4cb8,
            Kind::HalfKaHm2 => 0x7f23_4cb8,
            Kind::KA2 => K ^ 0xa20d_cb9b_u32.rotate_left(1),
            Kind::ZoneKa1 => 0x5a13_4cb8,
        }
    }
}

/// The usual name, such as `HalfKP` or `K-P`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::HalfKp => "HalfKP",
            Kind::Kp => "K-P",
            Kind::HalfKpVm => "HalfKP_vm",
            Kind::HalfKa1 => "HalfKA1",
            Kind::HalfKa2 => "HalfKA2",
            Kind::HalfKaHm1 => "HalfKA_hm1",
            Kind::HalfKaHm2 => "HalfKA_hm2",
            Kind::KA2 => "K+A2",
            Kind::ZoneKa1 => "ZoneKA1",
        })
    }
}

/// The same square with left and right exchanged; squares as the view numbers them.
#[inline]
pub(crate) const fn mirrored_square(square: usize) -> usize {
    9 * (8 - square / 9) + square % 9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_inputs_are_the_published_ones() {
        let inputs = Kind::ALL.map(Kind::inputs);
        assert_eq!(
            inputs,
            [125_388, 1_710, 69_660, 138_510, 131_949, 76_950, 73_305, 1_791, 15_390]
        );
        assert_eq!(Kind::ALL.map(Kind::active), [38, 40, 38, 40, 40, 40, 40, 42, 40]);
        for kind in Kind::ALL {
            for name in [kind.feature_name(), &kind.to_string()] {
                assert_eq!(Kind::named(name), Some(kind), "{name}");
            }
        }
        assert_eq!(Kind::named("halfkahm2"), Some(Kind::HalfKaHm2));
        assert_eq!(Kind::named("HalfKP(Enemy)"), None);
    }
}
