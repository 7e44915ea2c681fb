//! Forced wins within a few plies: every move and every reply is looked at.

use crate::kind_set::KindSet;
use crate::movegen::Candidate;
use crate::moves::Move;
use crate::piece::PieceId;
use crate::position::Position;

/// No win of more plies is looked for: all moves and replies of so many plies are too many for any
/// machine.
pub const MOST_FORCED_PLIES: u32 = 63;

/// The first moves that win by force within a number of plies: the king is taken with the last of them
/// at the latest, whatever the other side replies. A side without a legal reply has lost, too, as if it
/// passed and its king were taken next: that win takes two plies more. To look for it behind each last
/// move would take ten times as long.
///
/// ```
/// use tsumero_quantum::{Position, forced_win, longest_reply, only_first_move, winning_moves};
///
/// // The king A stands in the corner. The rooks K and k leave it no square.
/// let kinds = "8002020404080810102040010101010101010101".repeat(2);
/// let hands = "/BCDEFGHIJLMNOPQRSTbcdefghijlmnopqrst";
/// let position: Position = format!("a8/9/9/9/9/9/9/8k/A7-K w {hands} 9 {kinds}").parse()?;
/// let shown: Vec<String> = winning_moves(&position, 1).iter().map(|mv| mv.to_string()).collect();
/// assert_eq!(shown, ["1i9i+", "1i9i"]);
/// assert_eq!(forced_win(&position, 3), Some(1));
/// // Promotion does not make another problem of it.
/// assert_eq!(only_first_move(&position, 1), Some("1i9i+".parse()?));
/// assert_eq!(only_first_move(&position, 3), None);
/// // Black to move loses with the next move of White.
/// let position: Position = format!("a8/9/9/9/9/9/9/8k/A7-K b {hands} 9 {kinds}").parse()?;
/// assert_eq!(longest_reply(&position, 3).unwrap().1, Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// More than [`MOST_FORCED_PLIES`] count as so many, here and in the other functions of forced wins.
pub fn winning_moves(position: &Position, plies: u32) -> Vec<Move> {
    let plies = plies.min(MOST_FORCED_PLIES);
    let mut look = Look::at(position, plies);
    let moves = look.candidates().into_iter();
    moves.filter(|&first| plies > 0 && look.wins_by(first, plies)).map(|first| first.mv).collect()
}

/// The plies of the shortest forced win of the side to move, an odd number of at most `most`; `None`
/// without one. The last ply takes the king.
pub fn forced_win(position: &Position, most: u32) -> Option<u32> {
    // Nobody wins after the end.
    if position.winner().is_some() {
        return None;
    }
    let most = most.min(MOST_FORCED_PLIES);
    let mut look = Look::at(position, most);
    (1..=most).step_by(2).find(|&plies| look.wins(plies))
}

/// The first move of a problem of so many plies: the shortest forced win takes just these, and begins
/// with this move alone. With and without promotion is one move here, and so are the drops of all
/// pieces on one square.
pub fn only_first_move(position: &Position, plies: u32) -> Option<Move> {
    let moves = winning_moves(position, plies);
    let way = |mv: &Move| match *mv {
        Move::Board { from, to, .. } => (Some(from), to),
        Move::Drop { to, .. } => (None, to),
    };
    let first = *moves.first()?;
    let is_only = moves.iter().all(|mv| way(mv) == way(&first));
    (is_only && forced_win(position, plies) == Some(plies)).then_some(first)
}

/// The reply that lasts longest, and the plies in which the other side wins after it; `None` in their place if
/// it does not within `most`. There is no reply without a legal move.
pub fn longest_reply(position: &Position, most: u32) -> Option<(Move, Option<u32>)> {
    let replies = position.legal_moves().into_iter().map(|reply| {
        let mut after = position.without_past();
        after.play_unchecked(reply);
        (reply, forced_win(&after, most))
    });
    // Of replies that last equally long, the first one.
    replies.rev().max_by_key(|(_, plies)| plies.unwrap_or(u32::MAX))
}

/// A position, and the replies that have refuted a move before.
struct Look {
    position: Position,
    /// By the plies that are left.
    refuting: Vec<Option<Move>>,
}

impl Look {
    fn at(position: &Position, plies: u32) -> Look {
        Look { position: position.without_past(), refuting: vec![None; plies as usize + 1] }
    }

    fn candidates(&self) -> Vec<Candidate> {
        let mut all = Vec::new();
        self.position.for_each_legal(|candidate| all.push(candidate));
        all
    }

    /// Whether the side to move wins within so many plies. No king is taken yet.
    fn wins(&mut self, plies: u32) -> bool {
        if self.takes_king() {
            return true;
        }
        plies >= 3 && self.candidates().into_iter().any(|first| self.wins_by(first, plies))
    }

    /// Whether a legal move wins within so many plies, itself included.
    fn wins_by(&mut self, first: Candidate, plies: u32) -> bool {
        let us = self.position.side_to_move();
        self.position.play_narrowed(first.mv, first.left);
        let wins = match self.position.winner() {
            Some(winner) => winner == us,
            None => plies >= 3 && self.every_reply_loses(plies - 1),
        };
        self.position.undo();
        wins
    }

    /// Whether the side to move loses within so many plies, whatever it does.
    fn every_reply_loses(&mut self, plies: u32) -> bool {
        let mut replies = self.candidates();
        if let Some(known) = self.refuting[plies as usize]
            && let Some(place) = replies.iter().position(|reply| reply.mv == known)
        {
            replies[..=place].rotate_right(1);
        }
        let refuting = replies.into_iter().find(|&reply| !self.loses_by(reply, plies));
        if let Some(reply) = refuting {
            self.refuting[plies as usize] = Some(reply.mv);
        }
        refuting.is_none()
    }

    fn loses_by(&mut self, reply: Candidate, plies: u32) -> bool {
        self.position.play_narrowed(reply.mv, reply.left);
        // A reply that takes the king leaves nobody to win.
        let loses = self.position.winner().is_none() && self.wins(plies - 1);
        self.position.undo();
        loses
    }

    /// Whether a capture takes the king.
    fn takes_king(&mut self) -> bool {
        let mut is_certain = false;
        let mut open = Vec::new();
        let position = &self.position;
        let may_be_king = |piece: Option<PieceId>| {
            piece.is_some_and(|piece| !(position.kinds(piece) & KindSet::KING).is_empty())
        };
        position.for_each_board_move(may_be_king, |candidate| {
            let Move::Board { from, to, .. } = candidate.mv else { return };
            if let (Some(mover), Some(taken)) = (position.piece_at(from), position.piece_at(to)) {
                is_certain |= position.kinds(taken) == KindSet::KING;
                // Its move may leave another piece of its army nothing but the king.
                if mover.side() == taken.side() {
                    open.push(candidate);
                }
            }
        });
        is_certain
            || open.into_iter().any(|candidate| {
                self.position.play_narrowed(candidate.mv, candidate.left);
                let takes = self.position.winner().is_some();
                self.position.undo();
                takes
            })
    }
}
