//! Games that are changed: what is added, removed and put first.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tsumero_core::Position;
use tsumero_record::{Cursor, Ending, Format, Game, NodeId, NodeKind, read, write};

/// The same tree in the plainest form: each node owns those after it.
#[derive(Debug)]
struct Tree {
    id: NodeId,
    kind: NodeKind,
    children: Vec<Tree>,
}

impl Tree {
    fn leaf(game: &Game, id: NodeId) -> Tree {
        Tree { id, kind: game.node(id).kind(), children: Vec::new() }
    }

    /// The places of all nodes but the start, as the numbers of the children on the way to them.
    fn places(&self) -> Vec<Vec<usize>> {
        let below = |(number, child): (usize, &Tree)| {
            let places =
                child.places().into_iter().map(move |place| [vec![number], place].concat());
            std::iter::once(vec![number]).chain(places).collect::<Vec<_>>()
        };
        self.children.iter().enumerate().flat_map(below).collect()
    }

    fn at(&mut self, place: &[usize]) -> &mut Tree {
        place.iter().fold(self, |tree, &number| &mut tree.children[number])
    }

    fn add(&mut self, game: &Game, id: NodeId) {
        if self.children.iter().all(|child| child.id != id) {
            self.children.push(Tree::leaf(game, id));
        }
    }

    fn put_first(&mut self, place: &[usize]) {
        let (&number, parent) = place.split_last().unwrap();
        let child = self.at(parent).children.remove(number);
        self.at(parent).children.insert(0, child);
    }

    fn branches(&self) -> usize {
        let below: usize = self.children.iter().map(Tree::branches).sum();
        below + self.children.len().saturating_sub(1)
    }

    /// Plays the tree from the cursor on.
    fn play(&self, game: &mut Game, cursor: &mut Cursor) {
        let here = cursor.node();
        for child in &self.children {
            match child.kind {
                NodeKind::Move(mv) => {
                    cursor.play(game, mv.to_usi()).unwrap();
                    child.play(game, cursor);
                    cursor.go_to(game, here);
                }
                NodeKind::Ending(ending) => {
                    game.add_ending(here, ending);
                }
                NodeKind::Start => unreachable!("only the root is the start"),
            }
        }
    }
}

/// Changes a game and the plain tree alike: adds, removes, or puts first.
fn change(game: &mut Game, tree: &mut Tree, rng: &mut StdRng) {
    let places = tree.places();
    let place =
        if places.is_empty() { &[] } else { &places[rng.random_range(0..places.len())][..] };
    let here = tree.at(place);
    let is_ending = matches!(here.kind, NodeKind::Ending(_));
    match rng.random_range(0..8) {
        0 => {
            game.remove(here.id);
            match place.split_last() {
                Some((&number, parent)) => drop(tree.at(parent).children.remove(number)),
                None => here.children.clear(),
            }
        }
        1 if !place.is_empty() => {
            game.put_first(here.id);
            tree.put_first(place);
        }
        2 if !place.is_empty() => {
            game.put_in_main_line(here.id);
            // From the leaf to the root, so that the rest of the place stays what it is.
            (1..=place.len()).rev().for_each(|end| tree.put_first(&place[..end]));
        }
        3 if !is_ending => {
            let ending = Ending::ALL[rng.random_range(0..Ending::ALL.len())];
            let id = game.add_ending(here.id, ending);
            here.add(game, id);
        }
        _ if !is_ending => {
            let mut cursor = Cursor::new(game);
            cursor.go_to(game, here.id);
            // One of a few, so that it is sometimes there already.
            let mv = cursor.position().legal_moves()[rng.random_range(0..4)];
            let id = cursor.play(game, mv.to_usi()).unwrap();
            here.add(game, id);
        }
        _ => {}
    }
}

/// A game that was changed is the game that would have been made so at once.
#[test]
fn a_changed_game_does_not_remember_what_it_was() {
    let mut branches = 0;
    for seed in 0..300 {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut game = Game::new(Position::startpos());
        let mut tree = Tree::leaf(&game, NodeId::ROOT);
        for _ in 0..40 {
            change(&mut game, &mut tree, &mut rng);
            let mut anew = Game::new(Position::startpos());
            tree.play(&mut anew, &mut Cursor::new(&game));
            assert_eq!(game, anew, "seed {seed}: {tree:?}");
            assert_eq!(game.branches(), tree.branches());
        }
        let text = write(std::slice::from_ref(&game), Format::Jkf);
        assert_eq!(read(text.as_bytes()).into_games().unwrap(), [game]);
        branches += tree.branches();
    }
    assert!(branches > 300, "{branches}");
}

#[test]
#[should_panic(expected = "the node was removed")]
fn a_removed_node_is_none() {
    let mut game = read(b"startpos moves 7g7f 3c3d").into_games().unwrap().remove(0);
    let [first, second] = [1, 2].map(|number| game.main_line().nth(number).unwrap());
    game.remove(first);
    assert_eq!((game.moves().count(), game.main_line().last()), (0, Some(NodeId::ROOT)));
    game.node(second);
}
