//! The JSON lines that the tools for quantum shogi read and write.

use serde::{Deserialize, Serialize};
use tsumero_quantum::{ARMY_SIZE, KindSet, kinds_that_move};

/// Events of one side.
#[derive(Deserialize)]
pub(super) struct Vector {
    pub(super) id: String,
    pub(super) ev: Vec<Event>,
}

/// Something that happens to a piece.
#[derive(Deserialize)]
pub(super) struct Event {
    /// Index of the piece, 0 to 19.
    p: usize,
    /// What happens.
    t: String,
    /// The displacement seen from the owner.
    v: Option<[i64; 2]>,
    /// Whether the piece was promoted before.
    pr: Option<u8>,
    /// The kinds to which the piece is restricted.
    m: Option<String>,
}

/// The effect of an event on its piece.
pub(super) enum Happened {
    /// Only these kinds remain.
    Narrowed(KindSet),
    /// It was captured.
    Captured,
}

impl Event {
    /// The piece and what happens to it.
    pub(super) fn read(&self) -> Result<(usize, Happened), String> {
        if self.p >= ARMY_SIZE {
            return Err(format!("piece {} is not below {ARMY_SIZE}", self.p));
        }
        let moved = match self.v {
            Some(displacement) => match displacement.map(on_some_board) {
                [Some(dx), Some(dy)] => kinds_that_move(dx, dy, self.pr == Some(1)),
                // No kind leaves every board.
                _ => KindSet::EMPTY,
            },
            None => KindSet::ALL,
        };
        let allowed = match self.t.as_str() {
            "N" => moved,
            "P" => moved & KindSet::PROMOTABLE,
            "1" => moved.without(KindSet::DEAD_ON_LAST_RANK),
            "2" => moved.without(KindSet::DEAD_ON_SECOND_LAST_RANK),
            "C" => return Ok((self.p, Happened::Captured)),
            "R" => {
                let mask = self.m.as_deref().unwrap_or_default();
                let is_hexadecimal = mask.len() == 2 && mask.bytes().all(|b| b.is_ascii_hexdigit());
                match u8::from_str_radix(mask, 16) {
                    Ok(bits) if is_hexadecimal => KindSet::from_bits(bits),
                    _ => return Err("m is not two hexadecimal digits".to_owned()),
                }
            }
            _ => return Err("t is none of N P 1 2 C R".to_owned()),
        };
        if matches!(self.t.as_str(), "N" | "P") && self.v.is_none() {
            return Err("a move without v".to_owned());
        }
        Ok((self.p, Happened::Narrowed(allowed)))
    }
}

/// A part of a displacement, if some move on a board has it.
fn on_some_board(distance: i64) -> Option<i8> {
    i8::try_from(distance).ok().filter(|distance| distance.unsigned_abs() < 9)
}

/// The answer to a [`Vector`].
#[derive(Serialize)]
pub(super) struct Record<'a> {
    pub(super) id: &'a str,
    pub(super) ev: Vec<Converged>,
}

/// The answer to an [`Event`].
#[derive(Serialize)]
pub(super) struct Converged {
    /// `ok`, `x` for a contradiction, `k` if the king was captured.
    pub(super) r: &'static str,
    /// The kinds of the 20 pieces, two hexadecimal digits each.
    pub(super) w: String,
}

/// A game with all moves that were tried in it.
#[derive(Deserialize, Serialize)]
pub(super) struct Game {
    pub(super) id: String,
    pub(super) tries: Vec<Try>,
    /// The winner, `b` or `w`, or nothing.
    pub(super) end: String,
    /// The last position.
    pub(super) q: String,
    /// How the game ended. Games from other sources may lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
}

/// A move that was tried.
#[derive(Deserialize, Serialize)]
pub(super) struct Try {
    pub(super) m: String,
    /// 1 for a legal move, 0 for an illegal one.
    pub(super) ok: u8,
    /// Number of legal moves before it.
    pub(super) n: u64,
    /// After a legal move, the kinds of all 40 pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) s: Option<String>,
}
