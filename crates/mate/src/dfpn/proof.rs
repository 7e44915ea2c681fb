//! Proof replay: checks a mate move by move before it is claimed, and finds its line.
//!
//! The proof is replayed from the root. The attacker's move that the table names must be legal and
//! give check. Every legal evasion must be answered, down to positions without evasion. The replay
//! trusts no hands, paths or hash keys. If the table has lost a part of the proof, that part is
//! searched again.
//!
//! *Hands.* A mate with many interpositions reaches the same boards with ever different hands. A
//! replayed position also proves another position with the same board, under two conditions: the
//! attacker has at least as much in hand, and the defender, who has less, still has enough of each
//! kind for all remaining moves. Then both positions have the same lines.

use thiserror::Error;
use tsumero_core::{Hand, Move, Position};

use super::table::{Known, Length};
use super::{Answer, Dfpn};
use crate::key_map::KeyMap;
use crate::watch::{MateUnknown, Watch};

/// Positions of a proof that are remembered, so that each is replayed once: about 20 megabytes.
const REMEMBERED: usize = (1 << 19) / 8 * 7;
/// When half of this room is used, mates within this many plies are no longer remembered but
/// replayed again. Most positions of a proof are such mates.
const SOON: Length = 5;

/// Why a proof could not be replayed to its end.
///
/// ```
/// use tsumero_mate::dfpn::{Answer, Broken, Dfpn, Table};
/// use tsumero_mate::{MateUnknown, NodeLimit};
///
/// let position = "1k7/n8/2P6/9/9/9/9/9/9 b GNp 1".parse().unwrap();
/// let (table, mut watch) = (Table::new(1).unwrap(), NodeLimit::new(1000));
/// let mut search = Dfpn::new(&position, &table, &mut watch);
/// assert_eq!(search.solve(3), Ok(Answer::Mate(3)));
/// assert_eq!(search.line(3).unwrap().len(), 3);
/// // There is no mate in one, so there is nothing to replay.
/// assert_eq!(search.line(1), Err(Broken::Wrong));
/// // The replay needs nodes, too.
/// let mut no_nodes = NodeLimit::new(0);
/// let line = Dfpn::new(&position, &table, &mut no_nodes).line(3);
/// assert_eq!(line, Err(Broken::Limit(MateUnknown::Nodes)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Broken {
    /// A limit ended it.
    #[error(transparent)]
    Limit(#[from] MateUnknown),
    /// The table proves no mate of this length: there is none, or what was stored does not hold.
    #[error("the table proves no mate of this length")]
    Wrong,
}

/// The result of replaying a position with the attacker to move.
#[derive(Clone, Copy)]
struct Replayed {
    /// The length of the mate against the longest defense, in plies.
    length: Length,
    /// Its place among the steps, or [`NOWHERE`].
    place: u32,
}

/// The place of a step that is not remembered.
const NOWHERE: u32 = u32::MAX;

/// A position with the attacker to move that was replayed, and the line from there.
#[derive(Clone, Copy)]
struct Step {
    /// The attacker's hand.
    hand: Hand,
    length: Length,
    /// The move that was replayed, packed.
    mv: u16,
    /// The evasion that lasts longest, packed, or 0 if there is none, and the place of the step
    /// after it.
    evasion: u16,
    child: u32,
    /// The place of another step with the same board.
    next: u32,
}

/// The steps that are remembered.
struct Proof {
    /// The most of them.
    room: usize,
    steps: Vec<Step>,
    /// The last step of each board, by its key.
    last: KeyMap<u32>,
}

impl Proof {
    fn new(room: usize) -> Proof {
        Proof { room, steps: Vec::new(), last: KeyMap::default() }
    }

    fn step(&self, place: u32) -> Option<&Step> {
        self.steps.get(place as usize)
    }

    /// A replayed mate within `length` plies that holds for this position, too.
    fn find(&self, key: u64, position: &Position, length: Length) -> Option<Replayed> {
        let mut place = *self.last.get(&key)?;
        while let Some(step) = self.step(place) {
            if step.length <= length && step.holds_for(position) {
                return Some(Replayed { length: step.length, place });
            }
            place = step.next;
        }
        None
    }

    /// Remembers a step, if there is room, and returns its place.
    fn remember(&mut self, key: u64, step: Step) -> u32 {
        let shortest = if self.steps.len() < self.room / 2 { 1 } else { SOON + 1 };
        if step.length < shortest || self.steps.len() >= self.room {
            return NOWHERE;
        }
        let place = self.steps.len() as u32;
        let next = self.last.insert(key, place).unwrap_or(NOWHERE);
        self.steps.push(Step { next, ..step });
        place
    }
}

impl Step {
    /// Whether the same moves mate a position with the same board in the same number of plies. Each
    /// side must hold the pieces that it used here, and must not hold a kind that it lacked here.
    fn holds_for(&self, position: &Position) -> bool {
        let attacker = position.side_to_move();
        let (hand, defender) = (position.hand(attacker), position.hand(!attacker));
        let evasions = u32::from(self.length / 2);
        let differs = |kind, count| self.hand.count(kind) != count;
        hand.dominates(self.hand)
            && hand
                .iter()
                .all(|(kind, count)| !differs(kind, count) || defender.count(kind) >= evasions)
    }
}

impl<W: Watch> Dfpn<'_, W> {
    /// Replays the proof of a mate in at most `length` plies and returns its line: the replayed
    /// moves, against the evasions that last longest. The line is as long as the proof is deep.
    ///
    /// # Errors
    /// The watch ended the replay, or the proof does not hold.
    pub fn line(&mut self, length: Length) -> Result<Vec<Move>, Broken> {
        self.line_remembering(length, REMEMBERED)
    }

    /// The line, from a replay that remembers at most so many positions.
    fn line_remembering(&mut self, length: Length, room: usize) -> Result<Vec<Move>, Broken> {
        let root: Position = self.position.clone();
        let line = self.replayed_line(length, room);
        self.position = root;
        line
    }

    fn replayed_line(&mut self, length: Length, room: usize) -> Result<Vec<Move>, Broken> {
        let mut proof = Proof::new(room);
        let mut next = self.replay_attack(length, &mut proof)?;
        let mut line = Vec::new();
        loop {
            let Some(&step) = proof.step(next.place) else {
                // A position that was not remembered is replayed again.
                proof = Proof::new(room);
                let again = self.replay_attack(next.length, &mut proof)?;
                if again.length != next.length || again.place == NOWHERE {
                    return Err(Broken::Limit(MateUnknown::Memory));
                }
                next = again;
                continue;
            };
            for packed in [step.mv, step.evasion] {
                if packed == 0 {
                    return Ok(line);
                }
                let mv = self.position.unpack_move(packed).ok_or(Broken::Wrong)?;
                self.position.do_move(mv);
                line.push(mv);
            }
            next = Replayed { length: step.length - 2, place: step.child };
        }
    }

    /// The proven move of a position with a mate within `length` plies, and the known length.
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

    /// Replays the proof below a position with the attacker to move.
    fn replay_attack(&mut self, length: Length, proof: &mut Proof) -> Result<Replayed, Broken> {
        let (key, hand) = (self.key(), self.hand());
        if let Some(known) = proof.find(key, &self.position, length) {
            return Ok(known);
        }
        self.watch.enter_node()?;
        #[cfg(test)]
        super::tests::stack_at(self.position.ply() as u16);
        let (mv, bound) = self.proven_move(length)?;
        let left = bound.checked_sub(1).ok_or(Broken::Wrong)?;
        self.position.do_move(mv);
        let longest = self.replay_defense(left, proof);
        self.position.undo_move();
        let step = match longest? {
            Some((evasion, after)) => Step {
                length: after.length + 2,
                evasion: evasion.to_usi().pack(),
                child: after.place,
                mv: mv.to_usi().pack(),
                hand,
                next: NOWHERE,
            },
            None => {
                let mv = mv.to_usi().pack();
                Step { length: 1, evasion: 0, child: NOWHERE, mv, hand, next: NOWHERE }
            }
        };
        Ok(Replayed { length: step.length, place: proof.remember(key, step) })
    }

    /// Replays the proof below a position with the defender to move. Returns the evasion that lasts
    /// longest and the result after it; `None` if there is no evasion.
    fn replay_defense(
        &mut self,
        length: Length,
        proof: &mut Proof,
    ) -> Result<Option<(Move, Replayed)>, Broken> {
        let mut longest: Option<(Move, Replayed)> = None;
        for mv in self.position.legal_moves() {
            let left = length.checked_sub(1).ok_or(Broken::Wrong)?;
            self.position.do_move(mv);
            let found = self.replay_attack(left, proof);
            self.position.undo_move();
            let found = found?;
            if longest.is_none_or(|(_, other)| other.length < found.length) {
                longest = Some((mv, found));
            }
        }
        Ok(longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dfpn::tests::problems;
    use crate::dfpn::{ANY_LENGTH, Table};
    use crate::watch::NodeLimit;

    /// When half of the room is used, short mates are left out, and at its end everything.
    #[test]
    fn a_proof_remembers_as_much_as_there_is_room_for() {
        let step = |length| Step {
            hand: Hand::EMPTY,
            length,
            mv: 1,
            evasion: 0,
            child: NOWHERE,
            next: NOWHERE,
        };
        let mut proof = Proof::new(100);
        for place in 0..50 {
            assert_eq!(proof.remember(place, step(1)), place as u32);
        }
        for short in [1, SOON] {
            assert_eq!(proof.remember(0, step(short)), NOWHERE);
        }
        for place in 50..100 {
            assert_eq!(proof.remember(place, step(SOON + 1)), place as u32);
        }
        assert_eq!(proof.remember(0, step(99)), NOWHERE);
        assert_eq!(proof.steps.len(), 100);
    }

    /// The end of a line that was not remembered is replayed again. If there is no room for the
    /// first position of a replay, the line cannot be told.
    #[test]
    fn a_line_is_found_with_little_room() {
        let (mut in_parts, mut without_room) = (0, 0);
        for position in &problems("mate9", 0..5) {
            let (table, mut watch) = (Table::new(1).unwrap(), NodeLimit::new(10_000_000));
            let mut dfpn = Dfpn::new(position, &table, &mut watch);
            let Ok(Answer::Mate(length)) = dfpn.solve(ANY_LENGTH) else { panic!("{position}") };
            let mut replayed_with = |room| {
                let before = dfpn.watch().nodes();
                let line = dfpn.line_remembering(length, room);
                (line, dfpn.watch().nodes() - before)
            };
            let (whole, nodes_at_once) = replayed_with(REMEMBERED);
            let whole = whole.unwrap();
            for room in (2..200).step_by(8) {
                let (line, nodes) = replayed_with(room);
                match line {
                    Ok(line) => {
                        assert_eq!(line.len(), whole.len(), "{position}");
                        in_parts += u32::from(nodes > nodes_at_once);
                    }
                    Err(broken) => {
                        assert_eq!(broken, Broken::Limit(MateUnknown::Memory), "{position}");
                        without_room += 1;
                    }
                }
            }
        }
        // Of 125 replays, some take more nodes, and 17 fail; without second replays, 35 would.
        assert!(in_parts > 10, "{in_parts}");
        assert!((10..25).contains(&without_room), "{without_room}");
    }
}
