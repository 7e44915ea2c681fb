//! Checking a mate before it is claimed, and its line.
//!
//! The proof is replayed move by move from the root: the attacker's move that the table names
//! must be legal and give check, and every legal evasion must be answered, down to positions
//! without evasion. Nothing is believed of what hands, path or hash keys made of it. Where the
//! table has lost a part of the proof, that part is searched again.

use std::collections::HashMap;

use tsumero_core::{Move, Position};

use super::path::position_key;
use super::table::{Known, Length};
use super::{Answer, Dfpn, Watch};
use crate::mate::MateUnknown;

/// Positions of a proof that are remembered, so that each is replayed once; with their key some
/// 18 bytes each, up to twice as many of which are set aside.
const REMEMBERED: usize = 1 << 20;

/// Why a proof could not be replayed to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Broken {
    /// A limit ended it.
    Limit(MateUnknown),
    /// The proof does not hold.
    Wrong,
}

impl From<MateUnknown> for Broken {
    fn from(reason: MateUnknown) -> Broken {
        Broken::Limit(reason)
    }
}

/// The lengths of the proof's positions with the attacker to move, by key and hand.
type Lengths = HashMap<u64, Length>;

impl<W: Watch> Dfpn<'_, W> {
    /// Replays the proof of a mate of at most `length` plies and returns its line: the moves that
    /// prove the mate, against the evasions that last longest.
    pub(crate) fn line(&mut self, length: Length) -> Result<Vec<Move>, Broken> {
        let mut lengths = Lengths::new();
        self.replay_attack(length, &mut lengths)?;
        let root: Position = self.position.clone();
        let line = self.follow(length, &mut lengths);
        self.position = root;
        line
    }

    /// The proven move of a position that mates within `length` plies, and the length that is
    /// known.
    fn proven_move(&mut self, length: Length) -> Result<(Move, Length), Broken> {
        for _ in 0..2 {
            if let Known::Mate { length, best, .. } = self.look_up(length) {
                let mv = self.position.unpack_move(best).ok_or(Broken::Wrong)?;
                if !self.position.gives_check(mv) {
                    return Err(Broken::Wrong);
                }
                return Ok((mv, length));
            }
            if let Answer::NoMate(_) = self.solve(length)? {
                return Err(Broken::Wrong);
            }
        }
        Err(Broken::Limit(MateUnknown::Memory))
    }

    /// The length of the proof below a position with the attacker to move.
    fn replay_attack(&mut self, length: Length, lengths: &mut Lengths) -> Result<Length, Broken> {
        let key = position_key(self.key(), self.hand());
        if let Some(&known) = lengths.get(&key)
            && known <= length
        {
            return Ok(known);
        }
        self.watch.enter_node()?;
        let (mv, bound) = self.proven_move(length)?;
        self.position.do_move(mv);
        let after = bound.checked_sub(1).ok_or(Broken::Wrong);
        let longest = after.and_then(|bound| self.replay_defence(bound, lengths));
        self.position.undo_move();
        let found = longest? + 1;
        if lengths.len() < REMEMBERED {
            lengths.insert(key, found);
        }
        Ok(found)
    }

    /// The same with the defender to move.
    fn replay_defence(&mut self, length: Length, lengths: &mut Lengths) -> Result<Length, Broken> {
        let mut longest = 0;
        for mv in self.position.legal_moves() {
            let left = length.checked_sub(1).ok_or(Broken::Wrong)?;
            self.position.do_move(mv);
            let found = self.replay_attack(left, lengths);
            self.position.undo_move();
            longest = longest.max(found? + 1);
        }
        Ok(longest)
    }

    /// Follows the proof along the evasions that last longest.
    fn follow(&mut self, length: Length, lengths: &mut Lengths) -> Result<Vec<Move>, Broken> {
        let mut line = Vec::new();
        let mut left = length;
        loop {
            let (mv, bound) = self.proven_move(left)?;
            self.position.do_move(mv);
            line.push(mv);
            let mut longest = None;
            for evasion in self.position.legal_moves() {
                self.position.do_move(evasion);
                let found = self.replay_attack(bound.saturating_sub(2), lengths);
                self.position.undo_move();
                let found = found?;
                if longest.is_none_or(|(_, length)| length < found) {
                    longest = Some((evasion, found));
                }
            }
            let Some((evasion, found)) = longest else { return Ok(line) };
            self.position.do_move(evasion);
            line.push(evasion);
            left = found;
        }
    }
}
