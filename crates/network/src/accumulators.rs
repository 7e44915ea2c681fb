//! The transformer's sums along a line of play.
//!
//! Making a move only records it. The sums of the position after it are computed when an evaluation
//! asks for them, move by move from the nearest earlier position that has them. For most kinds of
//! inputs, a move of the viewer's own king changes all of them. In this case the sums are computed
//! from a cache. For each square of the king, it keeps the last sums and their inputs.
//!
//! The same holds for all families of networks, and for the sums of the progress by which some of
//! them choose a stack.

use tsumero_core::{ByColor, Color, Move, Position};

use crate::features::{self, InputSet, Ply, View};
use crate::kind::Kind;
use crate::lanes::{Chosen, Words};
use crate::layers::Scratch;
use crate::network::{Head, Network};
use crate::placed::Placed;
use crate::stacks::{PROGRESS_KIND, Progress, Situation};
use crate::transformer::Transformer;

/// The sums of both views for a position and for those before it in the line of play.
///
/// ```
/// use tsumero_core::{Line, Position};
/// use tsumero_network::{Accumulators, Architecture, Kind, Network, Parameters};
/// let parameters = Parameters::zeros(Architecture::standard(Kind::Kp));
/// let network = Network::from_parameters(&parameters).unwrap();
/// let mut line = Line::from(Position::startpos());
/// let mut accumulators = Accumulators::new(&network, &line);
/// let mv = line.parse_move("7g7f").unwrap();
/// accumulators.push(&line, mv);
/// line.do_move(mv);
/// assert_eq!(accumulators.evaluate(&network, &line), 0);
/// accumulators.pop();
/// line.undo_move();
/// ```
pub struct Accumulators {
    /// The number of the network that the sums belong to.
    network: u64,
    kind: Kind,
    /// Blocks of one view.
    width: usize,
    /// One for the root and one for each move; `plies[0]` holds no move.
    plies: Vec<PlyState>,
    /// Black's and White's view of each ply.
    sums: Vec<Words>,
    cache: ByColor<Cache>,
    /// Black's and White's sum of the progress after each ply, as far as they were asked for.
    progress: Vec<ByColor<Option<i64>>>,
    scratch: Box<Scratch>,
    /// The rows that a refresh adds and removes.
    rows: [Vec<usize>; 2],
}

/// The state of the position after a ply.
#[derive(Clone, Copy)]
struct PlyState {
    ply: Ply,
    /// Whether the sums of each view are computed.
    computed: ByColor<bool>,
}

/// For each square of the own king that matters, the last sums that were computed with it, and the
/// pieces that they hold.
struct Cache {
    placed: Vec<Placed>,
    sums: Vec<Words>,
}

impl Cache {
    fn new(kind: Kind, transformer: &Transformer) -> Cache {
        let places = features::places(kind);
        Cache { placed: vec![Placed::NONE; places], sums: transformer.biases().repeat(places) }
    }
}

impl Accumulators {
    /// Accumulators of a network that begin with a position.
    pub fn new(network: &Network, position: &Position) -> Accumulators {
        let cache = || Cache::new(network.kind(), &network.transformer);
        let mut accumulators = Accumulators {
            network: network.id(),
            kind: network.kind(),
            width: network.transformer.width(),
            plies: Vec::new(),
            sums: Vec::new(),
            cache: ByColor([cache(), cache()]),
            progress: Vec::new(),
            scratch: Scratch::new(),
            rows: Default::default(),
        };
        accumulators.reset(network, position);
        accumulators
    }

    /// Begins again with another position. If the network is the same, cached sums are kept.
    pub fn reset(&mut self, network: &Network, position: &Position) {
        if network.id() != self.network {
            *self = Accumulators::new(network, position);
            return;
        }
        self.plies.clear();
        self.progress.clear();
        self.push_ply(Ply::NULL);
        for view in Color::ALL {
            self.refresh(network, position, view);
        }
    }

    /// Records a move that is about to be made. `position` is the one before it.
    #[inline]
    pub fn push(&mut self, position: &Position, mv: Move) {
        self.push_ply(Ply::new(position, mv));
    }

    /// Records a null move.
    #[inline]
    pub fn push_null(&mut self) {
        self.push_ply(Ply::NULL);
    }

    #[inline]
    fn push_ply(&mut self, ply: Ply) {
        self.plies.push(PlyState { ply, computed: ByColor([false; 2]) });
    }

    /// Forgets the last move or null move.
    ///
    /// # Panics
    ///
    /// When there is none.
    #[inline]
    pub fn pop(&mut self) {
        assert!(self.plies.len() > 1, "a move was noted before it is forgotten");
        self.plies.pop();
        self.progress.truncate(self.plies.len());
    }

    /// Number of moves and null moves recorded since the beginning.
    #[inline]
    pub fn len(&self) -> usize {
        self.plies.len() - 1
    }

    /// Whether no move has been recorded.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The network's last integer for the position after the recorded moves, as the side to move
    /// sees it.
    ///
    /// In debug builds the sums are compared with sums computed from scratch.
    ///
    /// # Panics
    ///
    /// When the network is not the one that the accumulators were made or reset for.
    #[inline]
    pub fn evaluate(&mut self, network: &Network, position: &Position) -> i32 {
        assert_eq!(network.id(), self.network, "accumulators belong to one network");
        self.make_room();
        for view in Color::ALL {
            self.bring_up(network, position, view);
        }
        let us = position.side_to_move();
        let top = self.plies.len() - 1;
        let width = self.width;
        let stack = match &network.head {
            Head::Dense(_) => 0,
            Head::Stacks(stacks) => stacks.choose(&Situation::of(position), || {
                stacks.progress.as_ref().map_or(0, |progress| self.progress(progress, position))
            }),
        };
        let places = ByColor(Color::ALL.map(|view| self.place(top, view)));
        let Accumulators { sums, scratch, .. } = self;
        let sums = |view| &sums[places[view]..][..width];
        if cfg!(debug_assertions) {
            for view in Color::ALL {
                let slow = network.accumulator::<Chosen>(view, position);
                assert!(sums(view) == slow, "{view:?}'s sums of {position} differ");
            }
            assert_eq!(stack, network.stack(position), "another stack for {position}");
        }
        network.evaluate_accumulators::<Chosen>(stack, sums(us), sums(!us), scratch)
    }

    /// The class of the progress of the last ply's position.
    fn progress(&mut self, progress: &Progress, position: &Position) -> usize {
        let top = self.plies.len() - 1;
        self.progress.resize(top + 1, ByColor([None; 2]));
        let sums = Color::ALL.map(|color| {
            let view = View::new(PROGRESS_KIND, color, || position.king(color));
            let mut known = top;
            let mut sum = loop {
                if let Some(sum) = self.progress[known][color] {
                    break sum;
                }
                if known == 0 || self.plies[known].ply.changes_view(PROGRESS_KIND, color) {
                    known = top;
                    break progress.sum(view, &InputSet::of(PROGRESS_KIND, view, position));
                }
                known -= 1;
            };
            for ply in known + 1..=top {
                let change = self.plies[ply].ply.change(PROGRESS_KIND, view);
                let weights = |inputs: [u16; 2]| -> i64 {
                    let inputs = inputs[..change.count].iter();
                    inputs.map(|&input| progress.weight(view.row(input))).sum()
                };
                sum += weights(change.added) - weights(change.removed);
            }
            self.progress[top][color] = Some(sum);
            sum
        });
        progress.class(ByColor(sums))
    }

    /// Makes room for the sums of all plies, and for as many more.
    #[inline]
    fn make_room(&mut self) {
        let needed = 2 * self.width * self.plies.len();
        if self.sums.len() < needed {
            self.sums.resize(2 * needed, bytemuck::Zeroable::zeroed());
        }
    }

    /// Where the sums of a view after a ply begin.
    #[inline]
    fn place(&self, ply: usize, view: Color) -> usize {
        (2 * ply + view.index()) * self.width
    }

    /// Computes the sums of a view for the last ply, and those of the plies before it if they are
    /// missing.
    #[inline]
    fn bring_up(&mut self, network: &Network, position: &Position, view: Color) {
        let top = self.plies.len() - 1;
        let mut known = top;
        while !self.plies[known].computed[view] {
            if known == 0 || self.plies[known].ply.changes_view(self.kind, view) {
                self.refresh(network, position, view);
                return;
            }
            known -= 1;
        }
        if known == top {
            return;
        }
        let seen = View::new(self.kind, view, || position.king(view));
        for ply in known + 1..=top {
            self.advance(&network.transformer, ply, view, seen);
        }
    }

    /// Computes the sums of a view after a ply from those before it.
    #[inline(always)]
    fn advance(&mut self, transformer: &Transformer, ply: usize, view: Color, seen: View) {
        let change = self.plies[ply].ply.change(self.kind, seen);
        let (from, to) = (self.place(ply - 1, view), self.place(ply, view));
        let (before, after) = self.sums.split_at_mut(to);
        let (from, to) = (&before[from..][..self.width], &mut after[..self.width]);
        let rows = |inputs: [u16; 2]| inputs.map(|input| seen.row(input));
        let (removed, added) = (rows(change.removed), rows(change.added));
        match change.count {
            0 => to.copy_from_slice(from),
            1 => transformer.update::<Chosen, 1>(from, to, [removed[0]], [added[0]]),
            _ => transformer.update::<Chosen, 2>(from, to, removed, added),
        }
        self.plies[ply].computed[view] = true;
    }

    /// Computes the sums of a view for the last ply from the cached sums of the same square of the
    /// own king.
    #[cold]
    fn refresh(&mut self, network: &Network, position: &Position, view: Color) {
        self.make_room();
        let top = self.plies.len() - 1;
        let place = self.place(top, view);
        let seen = View::new(self.kind, view, || position.king(view));
        let cache = &mut self.cache[view];
        let placed = Placed::of(self.kind, seen, position);
        let [removed, added] = &mut self.rows;
        removed.clear();
        added.clear();
        let old = &mut cache.placed[seen.place()];
        old.exchange(
            &placed,
            seen,
            |input| removed.push(seen.row(input)),
            |input| added.push(seen.row(input)),
        );
        *old = placed;
        let kept = &mut cache.sums[seen.place() * self.width..][..self.width];
        network.transformer.apply::<Chosen>(kept, removed, added);
        self.sums[place..][..self.width].copy_from_slice(kept);
        self.plies[top].computed[view] = true;
    }
}
