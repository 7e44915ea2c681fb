//! A cursor that moves through a game.

use tsumero_core::{IllegalMove, Position, UsiMove};

use crate::{Game, NodeId, NodeKind};

/// A place in a game, with the position there.
///
/// A move that is not there yet begins a branch:
///
/// ```
/// use tsumero_core::Position;
/// use tsumero_record::{Cursor, Game};
/// let mut game = Game::new(Position::startpos());
/// let mut cursor = Cursor::new(&game);
/// let first = cursor.play(&mut game, "7g7f".parse()?)?;
/// cursor.play(&mut game, "3c3d".parse()?)?;
/// cursor.go_to(&game, first);
/// cursor.play(&mut game, "8c8d".parse()?)?;
/// assert_eq!((game.branches(), cursor.position().ply()), (1, 3));
/// // The pawn on 3c is in the bishop's way.
/// assert!(cursor.play(&mut game, "8h2b+".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cursor {
    node: NodeId,
    history: tsumero_core::Game,
}

impl Cursor {
    /// A cursor at the start of a game.
    pub fn new(game: &Game) -> Cursor {
        Cursor { node: NodeId::ROOT, history: game.start().into() }
    }

    /// The node.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// The position after the node.
    pub fn position(&self) -> &Position {
        self.history.position()
    }

    /// The position after the node, with the moves that led to it.
    pub fn history(&self) -> &tsumero_core::Game {
        &self.history
    }

    /// Goes to a node. The time is proportional to the distance.
    ///
    /// # Panics
    ///
    /// When the game has no such node, or no longer has that of the cursor. It may also panic when the game is
    /// not that of the cursor.
    pub fn go_to(&mut self, game: &Game, node: NodeId) {
        let mut forward = Vec::new();
        let (mut from, mut to) = (self.node, node);
        while from != to {
            if game.node(from).number() > game.node(to).number() {
                from = self.step_back(game, from);
            } else {
                forward.push(to);
                to = game.node(to).parent().unwrap_or(NodeId::ROOT);
            }
        }
        for id in forward.into_iter().rev() {
            if let Some(mv) = game.node(id).mv() {
                self.history.play_unchecked(mv);
            }
        }
        self.node = node;
    }

    fn step_back(&mut self, game: &Game, from: NodeId) -> NodeId {
        if game.node(from).mv().is_some() {
            self.history.undo();
        }
        game.node(from).parent().unwrap_or(NodeId::ROOT)
    }

    /// Plays a move and goes there. The move is added to the game if it is not there yet.
    ///
    /// # Errors
    ///
    /// The rule that the move breaks. The game is unchanged.
    ///
    /// # Panics
    ///
    /// When the game has no node where the cursor is.
    pub fn play(&mut self, game: &mut Game, mv: UsiMove) -> Result<NodeId, IllegalMove> {
        let mv = self.history.validate(mv)?;
        self.node = game.add(self.node, NodeKind::Move(mv));
        self.history.play_unchecked(mv);
        Ok(self.node)
    }
}
