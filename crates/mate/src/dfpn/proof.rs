//! Proof replay: checks a mate move by move before it is claimed, and finds its line.
//!
//! The proof is replayed from the root. The attacker's move that the table names must be legal and
//! give check. Every legal evasion must be answered, down to positions without evasion. The replay
//! trusts no hands and no paths, and of the keys only those of positions that it has replayed
//! itself. If the table has lost a part of the proof, that part is searched again.
//!
//! *Hands.* A mate with many interpositions reaches the same boards with ever different hands. A
//! replayed position also proves another position with the same board, under two conditions: the
//! attacker has at least as much in hand, and the defender, who has less, still has enough of each
//! kind for all remaining moves. Then both positions have the same lines.
//!
//! *Memory.* Replayed positions are remembered, so that a part to which many lines lead is replayed
//! once. There is room for a share of the table's memory. When it is used up, the shortest mates are
//! forgotten, which are many and cost little to replay again.

use tsumero_core::{Hand, KeyMap, Line, Move};

use super::length::{Length, odd_bound};
use super::table::Known;
use super::{Answer, Dfpn};
use crate::watch::{MateUnknown, Watch};

/// Bytes of the table for each byte that a replay may remember.
const REPLAY_SHARE: usize = 8;
/// Bytes for each remembered position and the free places beside it, with the old list and map
/// while they are made anew.
const STEP_BYTES: usize = 64;
/// The least number of positions that are remembered, for tables of half a megabyte and less.
const LEAST_ROOM: usize = 1 << 10;
/// How often a line is begun again because the table has changed under it.
const ATTEMPTS: usize = 3;

/// A position with the attacker to move that was replayed.
#[derive(Clone, Copy)]
struct Step {
    /// The attacker's hand.
    hand: Hand,
    /// The length of the mate against the longest defense, in plies.
    length: Length,
    /// The move that was replayed, packed.
    mv: u16,
    /// The evasion that lasts longest, packed, or 0 if there is none.
    evasion: u16,
    /// The place of another step with the same board, or [`NOWHERE`].
    next: u32,
}

/// The place of no step.
const NOWHERE: u32 = u32::MAX;

/// The steps that are remembered.
struct Proof {
    /// The most of them.
    room: usize,
    /// Shorter mates are not remembered.
    shortest: Length,
    steps: Vec<Step>,
    /// The last step of each board, by its key.
    last: KeyMap<u32>,
}

impl Proof {
    fn new(room: usize) -> Proof {
        Proof { room, shortest: 0, steps: Vec::new(), last: KeyMap::default() }
    }

    /// The number of steps that fit into the share of a table of so many bytes. The map beside them
    /// is at most seven eighths full, and doubles when it is.
    fn room_beside(table_bytes: usize) -> usize {
        let most = (table_bytes / REPLAY_SHARE / STEP_BYTES).max(LEAST_ROOM);
        (1 << most.ilog2()) / 8 * 7
    }

    /// A replayed mate that holds for this position, too, and whose length is wanted.
    fn find(&self, key: u64, position: &Line, is_wanted: impl Fn(Length) -> bool) -> Option<&Step> {
        let mut place = *self.last.get(&key)?;
        while let Some(step) = self.steps.get(place as usize) {
            if is_wanted(step.length) && step.holds_for(position) {
                return Some(step);
            }
            place = step.next;
        }
        None
    }

    /// Remembers a step, unless its mate is too short for the room that there is.
    fn remember(&mut self, key: u64, step: Step) {
        if step.length >= self.shortest && self.steps.len() >= self.room {
            self.forget_short();
        }
        if step.length >= self.shortest {
            self.push(key, step);
        }
    }

    fn push(&mut self, key: u64, step: Step) {
        let place = self.steps.len() as u32;
        let next = self.last.insert(key, place).unwrap_or(NOWHERE);
        self.steps.push(Step { next, ..step });
    }

    /// Forgets at least half of the steps, the shortest mates.
    fn forget_short(&mut self) {
        let mut lengths: Vec<Length> = self.steps.iter().map(|step| step.length).collect();
        lengths.sort_unstable();
        self.shortest = lengths.get(lengths.len() / 2).map_or(0, |&middle| middle + 1);
        let (steps, last) = (std::mem::take(&mut self.steps), std::mem::take(&mut self.last));
        for (key, mut place) in last {
            while let Some(&step) = steps.get(place as usize) {
                if step.length >= self.shortest {
                    self.push(key, step);
                }
                place = step.next;
            }
        }
    }
}

impl Step {
    /// Whether the same moves mate a position with the same board in the same number of plies. The
    /// attacker must hold at least what it held here. Where it holds more of a kind, the defender must
    /// still have enough of that kind for all evasions.
    fn holds_for(&self, position: &Line) -> bool {
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

/// A position with the attacker to move whose replay is not finished. Its move has been made.
struct Frame {
    key: u64,
    hand: Hand,
    /// The move, packed.
    mv: u16,
    /// The plies that a mate may take after an evasion, if it may take any.
    left: Option<Length>,
    /// Where its evasions begin in the list of all. Those after it are still to be answered.
    first: usize,
    /// The evasion that is being answered, packed.
    evasion: u16,
    /// The evasion that lasts longest so far, packed, and the length of the mate after it.
    longest: Option<(u16, Length)>,
}

impl Frame {
    /// Takes in the length of the mate after the evasion that was answered.
    fn answered(&mut self, length: Length) {
        if self.longest.is_none_or(|(_, longest)| longest < length) {
            self.longest = Some((self.evasion, length));
        }
    }

    /// The finished replay.
    fn step(&self) -> Step {
        let (evasion, length) = self.longest.map_or((0, 1), |(mv, length)| (mv, length + 2));
        Step { hand: self.hand, length, mv: self.mv, evasion, next: NOWHERE }
    }
}

impl<W: Watch> Dfpn<'_, W> {
    /// Replays the proof of a mate in at most `length` plies, which counts as in [`Dfpn::solve`], and
    /// returns its line: the replayed moves, against the evasions that last longest. The line is as long as
    /// the proof is deep. The replay remembers an eighth of what the table may hold, in bytes.
    ///
    /// ```
    /// use tsumero_mate::dfpn::{Answer, Dfpn, Table};
    /// use tsumero_mate::{MateUnknown, NodeLimit};
    ///
    /// let position = "1k7/n8/2P6/9/9/9/9/9/9 b GNp 1".parse().unwrap();
    /// let (table, mut watch) = (Table::new(1).unwrap(), NodeLimit::new(1000));
    /// let mut search = Dfpn::new(&position, &table, &mut watch);
    /// assert_eq!(search.solve(3), Ok(Answer::Mate(3)));
    /// assert_eq!(search.line(3).unwrap().len(), 3);
    /// // There is no mate in one, so there is nothing to replay.
    /// assert_eq!(search.line(1), Err(MateUnknown::Broken));
    /// // The replay needs nodes, too.
    /// let mut no_nodes = NodeLimit::new(0);
    /// let line = Dfpn::new(&position, &table, &mut no_nodes).line(3);
    /// assert_eq!(line, Err(MateUnknown::Nodes));
    /// ```
    ///
    /// # Errors
    /// The watch ended the replay, the table has lost parts of the proof again and again
    /// ([`MateUnknown::Memory`]), or the proof does not hold ([`MateUnknown::Broken`]).
    pub fn line(&mut self, length: Length) -> Result<Vec<Move>, MateUnknown> {
        let length = odd_bound(length).ok_or(MateUnknown::Broken)?;
        self.line_remembering(length, Proof::room_beside(self.table.bytes()))
    }

    /// The line, from a replay that remembers at most so many positions.
    fn line_remembering(&mut self, length: Length, room: usize) -> Result<Vec<Move>, MateUnknown> {
        let root = self.position.clone();
        for _ in 0..ATTEMPTS {
            let line = self.replayed_line(length, room);
            self.position.clone_from(&root);
            if let Some(line) = line? {
                return Ok(line);
            }
        }
        Err(MateUnknown::Memory)
    }

    /// The line; `None` if a part had to be replayed again and was shorter than before, because the
    /// table had changed. Then another part may be the longest.
    fn replayed_line(
        &mut self,
        length: Length,
        room: usize,
    ) -> Result<Option<Vec<Move>>, MateUnknown> {
        let mut proof = Proof::new(room);
        let mut left = self.replay(length, &mut proof)?;
        let mut line = Vec::new();
        loop {
            let Some(&step) = proof.find(self.key(), &self.position, |length| length == left)
            else {
                // Only the first position of a replay is sure to be remembered.
                proof = Proof::new(room);
                if self.replay(left, &mut proof)? != left {
                    return Ok(None);
                }
                continue;
            };
            for packed in [step.mv, step.evasion] {
                if packed == 0 {
                    return Ok(Some(line));
                }
                let mv = self.position.unpack_move(packed).ok_or(MateUnknown::Broken)?;
                self.position.do_move(mv);
                line.push(mv);
            }
            left = step.length - 2;
        }
    }

    /// Makes the defense of a shortest mate from the position last longest. A proof may answer an evasion
    /// in more plies than that takes. Then the line has this evasion, though another one lasts longer.
    /// From there on, the line is replaced by one of the same length.
    ///
    /// # Errors
    /// The watch ended the work, or a proof does not hold. The line is a shortest mate all the same.
    pub(crate) fn defend_longest(&mut self, line: &mut Vec<Move>) -> Result<(), MateUnknown> {
        let root = self.position.clone();
        let done = self.defend_longest_here(line);
        self.position = root;
        done
    }

    fn defend_longest_here(&mut self, line: &mut Vec<Move>) -> Result<(), MateUnknown> {
        let length = line.len();
        // In the last three plies every evasion lasts as long.
        for place in (1..length.saturating_sub(3)).step_by(2) {
            let rest = (length - place - 1) as Length;
            self.position.do_move(line[place - 1]);
            let longest = self.evasion_beyond(rest - 2, line[place])?;
            self.position.do_move(longest);
            if longest != line[place] {
                let after = self.line(rest)?;
                line.truncate(place);
                line.push(longest);
                line.extend(after);
            }
        }
        Ok(())
    }

    /// An evasion after which there is no mate within `length` plies, `preferred` if it is one.
    fn evasion_beyond(&mut self, length: Length, preferred: Move) -> Result<Move, MateUnknown> {
        let others = self.position.legal_moves().into_iter().filter(|&mv| mv != preferred);
        for mv in std::iter::once(preferred).chain(others) {
            self.position.do_move(mv);
            let answer = self.solve(length);
            self.position.undo_move();
            if let Answer::NoMate(_) = answer? {
                return Ok(mv);
            }
        }
        Err(MateUnknown::Broken)
    }

    /// The proven move of a position with a mate within `length` plies, and the known length.
    fn proven_move(&mut self, length: Length) -> Result<(Move, Length), MateUnknown> {
        for _ in 0..2 {
            if let Known::Mate { length, best, .. } = self.look_up(length) {
                let mv = self.position.unpack_move(best).ok_or(MateUnknown::Broken)?;
                if length == 0 || !self.position.gives_check(mv) {
                    return Err(MateUnknown::Broken);
                }
                return Ok((mv, length));
            }
            if let Answer::NoMate(_) = self.solve(length)? {
                return Err(MateUnknown::Broken);
            }
        }
        Err(MateUnknown::Memory)
    }

    /// Replays the proof below a position with the attacker to move. Returns the length of the mate
    /// against the longest defense. After an error the position is somewhere down the proof.
    fn replay(&mut self, length: Length, proof: &mut Proof) -> Result<Length, MateUnknown> {
        let mut frames = Vec::<Frame>::new();
        let mut evasions = Vec::new();
        let mut left = length;
        loop {
            let known = proof.find(self.key(), &self.position, |length| length <= left);
            let mut found = known.map(|step| step.length);
            if found.is_none() {
                frames.push(self.attack(left, &mut evasions)?);
            }
            // Back to a position with an evasion that is not answered yet.
            loop {
                if let Some(length) = found {
                    let Some(frame) = frames.last_mut() else { return Ok(length) };
                    self.position.undo_move();
                    frame.answered(length);
                }
                let Some(frame) = frames.last_mut() else { return Err(MateUnknown::Broken) };
                if evasions.len() > frame.first
                    && let Some(evasion) = evasions.pop()
                {
                    left = frame.left.ok_or(MateUnknown::Broken)?;
                    frame.evasion = evasion.to_usi().pack();
                    self.position.do_move(evasion);
                    break;
                }
                let (key, step) = (frame.key, frame.step());
                frames.pop();
                self.position.undo_move();
                proof.remember(key, step);
                found = Some(step.length);
            }
        }
    }

    /// Makes the proven move of a position with a mate within `length` plies, and appends the
    /// evasions, the last one first.
    fn attack(&mut self, length: Length, evasions: &mut Vec<Move>) -> Result<Frame, MateUnknown> {
        self.watch.enter_node()?;
        let (key, hand, first) = (self.key(), self.hand(), evasions.len());
        let (mv, bound) = self.proven_move(length)?;
        self.position.do_move(mv);
        evasions.extend(self.position.legal_moves().iter().rev());
        let (mv, left) = (mv.to_usi().pack(), bound.checked_sub(2));
        Ok(Frame { key, hand, mv, left, first, evasion: 0, longest: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dfpn::tests::problems;
    use crate::dfpn::{ANY_LENGTH, Table};
    use crate::watch::NodeLimit;

    fn step(length: Length) -> Step {
        Step { hand: Hand::EMPTY, length, mv: 1, evasion: 0, next: NOWHERE }
    }

    /// At the end of the room the shorter half goes, and mates as short are remembered no more.
    #[test]
    fn a_proof_remembers_as_much_as_there_is_room_for() {
        let position = Line::from(tsumero_core::Position::startpos());
        let mut proof = Proof::new(100);
        let knows = |proof: &Proof, key, length| {
            proof.find(key, &position, |found| found == length).is_some()
        };
        // Two mates for each of fifty boards.
        for place in 0..100 {
            proof.remember(place / 2, step(1 + 2 * place as Length));
            assert!(knows(&proof, place / 2, 1 + 2 * place as Length));
        }
        assert_eq!(proof.steps.len(), 100);
        // The hundred-and-first makes room: the mates in 103 plies and more stay.
        proof.remember(7, step(301));
        assert_eq!((proof.steps.len(), proof.shortest), (50, 102));
        assert!(knows(&proof, 7, 301));
        for place in 0..100 {
            assert_eq!(knows(&proof, place / 2, 1 + 2 * place as Length), place > 50, "{place}");
        }
        proof.remember(7, step(101));
        assert!(!knows(&proof, 7, 101));
        // Mates of one length only: all go, and the next one is longer.
        let mut proof = Proof::new(2);
        (0..3).for_each(|key| proof.remember(key, step(5)));
        assert!(proof.steps.is_empty() && proof.last.is_empty());
        proof.remember(9, step(7));
        assert!(knows(&proof, 9, 7));
    }

    #[test]
    fn the_room_is_a_share_of_the_table() {
        for megabytes in [1, 4, 64, 256, 4096] {
            let bytes = megabytes << 20;
            let room = Proof::room_beside(bytes);
            // A map of this many entries and the list, each with its predecessor half as large.
            let places = room / 7 * 8;
            let map = places * (size_of::<(u64, u32)>() + 1);
            let list = places * size_of::<Step>();
            assert!((map + list) / 2 * 3 <= bytes / REPLAY_SHARE, "{megabytes} MB");
            assert!(room >= 1 << 10, "{megabytes} MB: {room}");
        }
        assert!(Proof::room_beside(0) > 500);
    }

    /// The end of a line that was not remembered is replayed again, however little room there is.
    #[test]
    fn a_line_is_found_with_little_room() {
        let mut in_parts = 0;
        for position in &problems("mate9", 0..5) {
            let (table, mut watch) = (Table::new(1).unwrap(), NodeLimit::new(10_000_000));
            let mut dfpn = Dfpn::new(position, &table, &mut watch);
            let Ok(Answer::Mate(length)) = dfpn.solve(ANY_LENGTH) else { panic!("{position}") };
            let mut replayed_with = |room| {
                let before = dfpn.watch().nodes();
                let line = dfpn.line_remembering(length, room);
                (line, dfpn.watch().nodes() - before)
            };
            let (whole, nodes_at_once) = replayed_with(1 << 16);
            let whole = whole.unwrap();
            for room in (2..200).step_by(8) {
                let (line, nodes) = replayed_with(room);
                assert_eq!(line.map(|line| line.len()), Ok(whole.len()), "{position} {room}");
                in_parts += u32::from(nodes > nodes_at_once);
            }
        }
        assert!(in_parts > 10, "{in_parts}");
    }

    /// Each position of a proof is replayed once, so its nodes are as many as its positions.
    #[test]
    fn a_replay_visits_a_shared_part_once() {
        for position in &problems("classics", 77..78) {
            let (table, mut watch) = (Table::new(64).unwrap(), NodeLimit::new(3_000_000));
            let mut dfpn = Dfpn::new(position, &table, &mut watch);
            let Ok(Answer::Mate(length)) = dfpn.solve(ANY_LENGTH) else { panic!("{position}") };
            let (mut proof, before) = (Proof::new(1 << 20), dfpn.watch().nodes());
            dfpn.replay(length, &mut proof).unwrap();
            let first = dfpn.watch().nodes() - before;
            // What the first replay had to search again is in the table now.
            dfpn.position = position.into();
            let (mut proof, before) = (Proof::new(1 << 20), dfpn.watch().nodes());
            dfpn.replay(length, &mut proof).unwrap();
            let nodes = dfpn.watch().nodes() - before;
            println!("{first} nodes, then {nodes}");
            assert!(nodes <= first && nodes > 5_000, "{nodes}");
            assert_eq!(nodes as usize, proof.steps.len());
        }
    }
}
