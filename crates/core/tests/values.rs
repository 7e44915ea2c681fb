//! Tests that a position is a plain value: small, shared between threads, and without a heap.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use tsumero_core::{Game, Line, Move, MoveList, Position};

/// Counts what each thread asks of the heap.
struct Counting;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static HEAP: Counting = Counting;

/// How often the work asks for memory.
fn asked_by<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = ASKED.get();
    let result = work();
    (result, ASKED.get() - before)
}

const fn is_a_value<T: Clone + Send + Sync + Eq + std::hash::Hash>() {}
const fn can_be_shared<T: Clone + Send + Sync + Eq>() {}
const fn can_be_sent<T: Clone + Send>() {}

const _: () = {
    is_a_value::<Position>();
    can_be_shared::<Game>();
    can_be_sent::<Line>();
    assert!(size_of::<Position>() <= 1024);
    assert!(!std::mem::needs_drop::<Position>(), "it owns nothing");
};

#[test]
fn a_position_uses_no_heap() {
    let start = Position::startpos();
    assert!(asked_by(|| Box::new(1)).1 > 0, "the heap is counted");
    let (end, asked) = asked_by(|| {
        let mut position = start.clone();
        for ply in 0..200_usize {
            let (moves, mut checks) = (position.legal_moves(), MoveList::new());
            position.generate_checks(&mut checks);
            let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
            assert_eq!(position.count_legal_moves(), moves.len() as u64);
            std::hint::black_box((position.count_replies(mv), position.mate_in_one()));
            let mut after = position.clone();
            after.play_unchecked(mv);
            assert_eq!(position.play(mv), Ok(mv));
            assert_eq!(position, after);
        }
        position
    });
    // Debug builds compare every position with one computed from scratch, but by the same means.
    assert_eq!(asked, 0);
    assert!(end.ply() > 20, "{end}");
}

/// A position is read by many threads at once.
#[test]
fn threads_share_a_position() {
    let position = Position::startpos();
    let game = Game::from(&position);
    let moves: Vec<Move> = position.legal_moves().into_iter().collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut line = Line::from(&game);
                for &mv in &moves {
                    line.do_move(mv);
                    assert_eq!(line.count_legal_moves(), position.count_replies(mv));
                    line.undo_move();
                }
            });
        }
    });
}
