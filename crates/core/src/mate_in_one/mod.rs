//! Static mate in one.
use crate::{Move, Position};
impl Position {
    /// A move that mates at once, or `None` if no legal move does.
    pub fn mate_in_one(&self) -> Option<Move> {
        let mut position = self.clone();
        let mut checks = crate::MoveList::new();
        self.generate_checks(&mut checks);
        checks.into_iter().find(|&mv| {
            position.do_move(mv);
            let mate = !position.has_legal_move();
            position.undo_move();
            mate
        })
    }
}
