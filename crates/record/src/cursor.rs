//! Walking through a game.

use tsumero_core::{IllegalMove, Position, UsiMove};

use crate::{Entry, Game, NodeId};

/// A place in a game, with the position there.
#[derive(Clone, Debug)]
pub struct Cursor {
    node: NodeId,
    position: Position,
}

impl Cursor {
    /// The start of a game.
    pub fn new(game: &Game) -> Cursor {
        Cursor { node: NodeId::ROOT, position: game.initial().clone() }
    }

    /// The node.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// The position after the node, with the moves that led to it.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Goes to a node. Takes as long as the way there is.
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
                self.position.do_move(mv);
            }
        }
        self.node = node;
    }

    fn step_back(&mut self, game: &Game, from: NodeId) -> NodeId {
        if game.node(from).mv().is_some() {
            self.position.undo_move();
        }
        game.node(from).parent().unwrap_or(NodeId::ROOT)
    }

    /// Plays a move, which becomes part of the game unless it is already, and goes there.
    ///
    /// # Errors
    ///
    /// The rule that the move breaks. Nothing has changed then.
    pub fn play(&mut self, game: &mut Game, mv: UsiMove) -> Result<NodeId, IllegalMove> {
        let mv = self.position.validate(mv)?;
        self.node = game.add(self.node, Entry::Move(mv));
        self.position.do_move(mv);
        Ok(self.node)
    }
}
