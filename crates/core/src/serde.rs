//! Serialization, with the feature `serde`. A type that has a text form is written as that text,
//! and read with the same errors. So a position of a diagram that breaks a rule is written, and read
//! only as a [`Setup`]. A hand is a list of seven counts instead, from the pawn to the rook. Files and
//! ranks alone are not serialized.

use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    Color, EnteringKingRule, Game, Hand, Handicap, Move, Piece, PieceKind, Position, Setup, Square,
    UsiMove,
};

/// Writes a type as its text, and reads it from there.
macro_rules! as_text {
    ($($name:ty: $what:literal),* $(,)?) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(|error| D::Error::custom(format_args!(
                    "{error}: {text:?} instead of {}", $what
                )))
            }
        }
    )*};
}

as_text! {
    Color: "b or w",
    PieceKind: "a kind such as P or +P",
    Piece: "a piece such as P or +p",
    Square: "a square such as 7g",
    UsiMove: "a move such as 7g7f",
    Position: "an SFEN",
    Setup: "an SFEN",
    Game: "a game such as startpos moves 7g7f",
    Handicap: "the name of a handicap",
    EnteringKingRule: "a rule such as CSARule27",
}

/// A move is written as its USI text. To read it, read a [`UsiMove`] and let a position complete
/// it.
impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Hand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        PieceKind::HAND.map(|kind| self.count(kind)).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Hand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hand, D::Error> {
        let counts = <[u32; 7]>::deserialize(deserializer)?;
        let mut hand = Hand::EMPTY;
        for (kind, count) in PieceKind::HAND.into_iter().zip(counts) {
            if count > Hand::limit(kind) {
                let found = Unexpected::Unsigned(count.into());
                return Err(D::Error::invalid_value(found, &"no more pieces than a set has"));
            }
            hand = hand.with_count(kind, count);
        }
        Ok(hand)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back<T>(value: &T, json: &str)
    where
        T: Serialize + for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug,
    {
        assert_eq!(serde_json::to_string(value).unwrap(), json);
        assert_eq!(&serde_json::from_str::<T>(json).unwrap(), value);
    }

    #[test]
    fn values_come_back() {
        let position = Position::startpos();
        there_and_back(&position, &format!("\"{}\"", position.to_sfen()));
        let setup = Setup::from_sfen("4k4/4G4/9/4P4/9/4P4/9/9/9 b - 1").unwrap();
        there_and_back(&setup, "\"4k4/4G4/9/4P4/9/4P4/9/9/9 b - 1\"");
        let game: Game = "startpos moves 7g7f 3c3d".parse().unwrap();
        there_and_back(&game, "\"startpos moves 7g7f 3c3d\"");
        there_and_back(&"7g".parse::<Square>().unwrap(), "\"7g\"");
        there_and_back(&"P*5e".parse::<UsiMove>().unwrap(), "\"P*5e\"");
        there_and_back(&Piece::new(Color::White, PieceKind::Horse), "\"+b\"");
        there_and_back(&PieceKind::Horse, "\"+B\"");
        there_and_back(&Color::White, "\"w\"");
        there_and_back(&Handicap::TwoPieces, "\"二枚落ち\"");
        there_and_back(&EnteringKingRule::TryRule, "\"TryRule\"");
        let hand = Hand::EMPTY.with_count(PieceKind::Pawn, 18).with(PieceKind::Rook);
        there_and_back(&hand, "[18,0,0,0,0,0,1]");
        let mv = position.parse_move("2g2f").unwrap();
        assert_eq!(serde_json::to_string(&mv).unwrap(), "\"2g2f\"");
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_reason() {
        let error = serde_json::from_str::<Square>("\"7j\"").unwrap_err().to_string();
        assert!(error.contains("not a square"), "{error}");
        let error = serde_json::from_str::<Position>("\"9/9 b -\"").unwrap_err().to_string();
        assert!(error.contains("ranks"), "{error}");
        assert!(serde_json::from_str::<Hand>("[19,0,0,0,0,0,0]").is_err());
        assert!(serde_json::from_str::<Hand>("[1,0]").is_err());
        let error = serde_json::from_str::<EnteringKingRule>("\"Rule\"").unwrap_err().to_string();
        assert!(error.contains("instead of a rule such as CSARule27"), "{error}");
        assert!(serde_json::from_str::<Color>("\"black\"").is_err());
    }
}
