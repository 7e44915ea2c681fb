//! Checking a mate before it is claimed, and its line.
//!
//! The proof is replayed move by move from the root: the attacker's move that the table names
//! must be legal and give check, and every legal evasion must be answered, down to positions
//! without evasion. Nothing is believed of what hands, path or hash keys made of it. Where the
//! table has lost a part of the proof, that part is searched again.

use tsumero_core::{Move, Position};

use super::path::position_key;
use super::table::{Known, Length};
use super::{Answer, Dfpn, Watch};
use crate::key_map::KeyMap;
use crate::mate::MateUnknown;

/// Positions of a proof that are remembered, so that each is replayed once: as many as fit a
/// hash map of a million places, some 18 megabytes.
const REMEMBERED: usize = (1 << 20) / 8 * 7;

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

/// What was replayed of a position with the attacker to move.
#[derive(Clone, Copy)]
struct Replayed {
    /// The mate takes so many plies against the longest defence.
    length: Length,
    /// The move that was replayed.
    mv: Move,
}

/// The replayed positions by key and hand.
#[derive(Default)]
struct Proof {
    replayed: KeyMap<Replayed>,
    /// Those of an earlier replay, whose moves are taken first.
    earlier: KeyMap<Replayed>,
}

impl<W: Watch> Dfpn<'_, W> {
    /// Replays the proof of a mate of at most `length` plies and returns its line: the moves that
    /// were replayed, against the evasions that last longest. It is as long as the proof is deep.
    pub(crate) fn line(&mut self, length: Length) -> Result<Vec<Move>, Broken> {
        let mut proof = Proof::default();
        for _ in 0..2 {
            let replayed = self.replay_attack(length, &mut proof)?;
            let root: Position = self.position.clone();
            let line = self.follow(replayed, &mut proof);
            self.position = root;
            let line = line?;
            if line.len() == usize::from(replayed.length) {
                return Ok(line);
            }
            // A position that was met again with less time left was answered anew, by a shorter
            // mate, so what had been replayed above it lasts less long than was thought. The
            // second replay has the last answers from its start.
            proof = Proof { earlier: proof.replayed, ..Proof::default() };
        }
        // Not all could be remembered, and a part was proven anew in another way.
        Err(Broken::Limit(MateUnknown::Memory))
    }

    /// The proven move of a position that mates within `length` plies, and the length that is
    /// known.
    fn proven_move(&mut self, length: Length, proof: &Proof) -> Result<(Move, Length), Broken> {
        let earlier = proof.earlier.get(&position_key(self.key(), self.hand()));
        if let Some(earlier) = earlier.filter(|earlier| earlier.length <= length) {
            return Ok((earlier.mv, earlier.length));
        }
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

    /// Replays the proof below a position with the attacker to move.
    fn replay_attack(&mut self, length: Length, proof: &mut Proof) -> Result<Replayed, Broken> {
        let key = position_key(self.key(), self.hand());
        if let Some(&known) = proof.replayed.get(&key)
            && known.length <= length
        {
            return Ok(known);
        }
        self.watch.enter_node()?;
        let (mv, bound) = self.proven_move(length, proof)?;
        self.position.do_move(mv);
        let after = bound.checked_sub(1).ok_or(Broken::Wrong);
        let longest = after.and_then(|bound| self.replay_defence(bound, proof));
        self.position.undo_move();
        let replayed = Replayed { length: longest? + 1, mv };
        // What is soon mate is soon replayed, too; most positions of a large proof are that.
        let least = if proof.replayed.len() < REMEMBERED / 2 { 0 } else { 5 };
        if replayed.length > least && proof.replayed.len() < REMEMBERED {
            proof.replayed.insert(key, replayed);
        }
        Ok(replayed)
    }

    /// The length of the proof below a position with the defender to move.
    fn replay_defence(&mut self, length: Length, proof: &mut Proof) -> Result<Length, Broken> {
        let mut longest = 0;
        for mv in self.position.legal_moves() {
            let left = length.checked_sub(1).ok_or(Broken::Wrong)?;
            self.position.do_move(mv);
            let found = self.replay_attack(left, proof);
            self.position.undo_move();
            longest = longest.max(found?.length + 1);
        }
        Ok(longest)
    }

    /// Follows what was replayed along the evasions that last longest.
    fn follow(&mut self, root: Replayed, proof: &mut Proof) -> Result<Vec<Move>, Broken> {
        let mut line = Vec::new();
        let mut next = root;
        loop {
            self.position.do_move(next.mv);
            line.push(next.mv);
            let mut longest: Option<(Move, Replayed)> = None;
            for evasion in self.position.legal_moves() {
                let left = next.length.checked_sub(2).ok_or(Broken::Wrong)?;
                self.position.do_move(evasion);
                let found = self.replay_attack(left, proof);
                self.position.undo_move();
                let found = found?;
                if longest.is_none_or(|(_, other)| other.length < found.length) {
                    longest = Some((evasion, found));
                }
            }
            let Some((evasion, found)) = longest else { return Ok(line) };
            self.position.do_move(evasion);
            line.push(evasion);
            next = found;
        }
    }
}
