//! The same work done by each library.

/// One library's way to do what is measured. Every count is returned, so that a wrong one shows.
pub(crate) trait Peer {
    const NAME: &'static str;
    type Position;

    fn read(sfen: &str) -> Self::Position;
    /// Perft that counts the last moves without making them.
    fn perft_bulk(position: &mut Self::Position, depth: u32) -> u64;
    /// Perft that makes every move.
    fn perft_made(position: &mut Self::Position, depth: u32) -> u64;
    /// Number of legal moves, all of them written to a list.
    fn list(position: &Self::Position) -> u64;
    /// Every legal move made and unmade, so many times over; the moves are generated once.
    fn make_all(position: &mut Self::Position, rounds: u32) -> u64;
    /// Whether there is a mate in one, if the library can tell.
    fn mate_in_one(position: &Self::Position) -> Option<bool>;
    /// Every legal move made, the position asked for a mate in one, and the move unmade, so many
    /// times over; the moves are generated once. The number of mates found in one round.
    fn nodes(position: &mut Self::Position, rounds: u32) -> Option<u64>;
    /// The same after each legal move: every round asks the replies to all moves, so that nothing
    /// found out about one position serves for another. The number of mates in one round.
    fn replies(position: &mut Self::Position, rounds: u32) -> Option<u64>;
}

pub(crate) struct Tsumero;

impl Peer for Tsumero {
    const NAME: &'static str = "tsumero";
    type Position = tsumero_core::Line;

    fn read(sfen: &str) -> Self::Position {
        tsumero_core::Position::from_sfen(sfen).expect("a measured position is valid").into()
    }

    fn perft_bulk(position: &mut Self::Position, depth: u32) -> u64 {
        tsumero_core::perft(position, depth, true)
    }

    fn perft_made(position: &mut Self::Position, depth: u32) -> u64 {
        tsumero_core::perft(position, depth, false)
    }

    fn list(position: &Self::Position) -> u64 {
        position.legal_moves().len() as u64
    }

    fn make_all(position: &mut Self::Position, rounds: u32) -> u64 {
        let mut keys = 0u64;
        let moves = position.legal_moves();
        for _ in 0..rounds {
            for &mv in &moves {
                position.do_move(mv);
                keys = keys.wrapping_add(position.key());
                position.undo_move();
            }
        }
        keys
    }

    fn mate_in_one(position: &Self::Position) -> Option<bool> {
        Some(position.mate_in_one().is_some())
    }

    fn nodes(position: &mut Self::Position, rounds: u32) -> Option<u64> {
        let mut mates = 0;
        let moves = position.legal_moves();
        for _ in 0..rounds {
            for &mv in &moves {
                position.do_move(mv);
                mates += u64::from(position.mate_in_one().is_some());
                position.undo_move();
            }
        }
        Some(mates / u64::from(rounds))
    }

    fn replies(position: &mut Self::Position, rounds: u32) -> Option<u64> {
        let mut mates = 0;
        let lists = position.legal_moves().into_iter().map(|mv| {
            position.do_move(mv);
            let replies = position.legal_moves();
            position.undo_move();
            (mv, replies)
        });
        let lists: Vec<_> = lists.collect();
        for _ in 0..rounds {
            for (mv, replies) in &lists {
                position.do_move(*mv);
                for &reply in replies {
                    position.do_move(reply);
                    mates += u64::from(position.mate_in_one().is_some());
                    position.undo_move();
                }
                position.undo_move();
            }
        }
        Some(mates / u64::from(rounds))
    }
}

pub(crate) struct Haitaka;

impl Peer for Haitaka {
    const NAME: &'static str = "haitaka";
    type Position = haitaka::Board;

    fn read(sfen: &str) -> Self::Position {
        haitaka::Board::from_sfen(sfen).expect("a measured position is valid")
    }

    fn perft_bulk(position: &mut Self::Position, depth: u32) -> u64 {
        if depth <= 1 {
            let mut nodes = 0;
            position.generate_moves(|moves| {
                nodes += moves.into_iter().len() as u64;
                false
            });
            return nodes;
        }
        let mut nodes = 0;
        position.generate_moves(|moves| {
            for mv in moves {
                let mut child = position.clone();
                child.play_unchecked(mv);
                nodes += Self::perft_bulk(&mut child, depth - 1);
            }
            false
        });
        nodes
    }

    fn perft_made(position: &mut Self::Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        position.generate_moves(|moves| {
            for mv in moves {
                let mut child = position.clone();
                child.play_unchecked(mv);
                nodes += Self::perft_made(&mut child, depth - 1);
            }
            false
        });
        nodes
    }

    fn list(position: &Self::Position) -> u64 {
        let mut list = Vec::with_capacity(600);
        position.generate_moves(|moves| {
            list.extend(moves);
            false
        });
        std::hint::black_box(&list);
        list.len() as u64
    }

    fn make_all(position: &mut Self::Position, rounds: u32) -> u64 {
        let mut keys = 0u64;
        let mut list = Vec::with_capacity(600);
        position.generate_moves(|moves| {
            list.extend(moves);
            false
        });
        for _ in 0..rounds {
            for &mv in &list {
                let mut child = position.clone();
                child.play_unchecked(mv);
                keys = keys.wrapping_add(child.hash());
            }
        }
        keys
    }

    fn mate_in_one(_: &Self::Position) -> Option<bool> {
        None
    }

    fn nodes(_: &mut Self::Position, _: u32) -> Option<u64> {
        None
    }

    fn replies(_: &mut Self::Position, _: u32) -> Option<u64> {
        None
    }
}

pub(crate) struct Rsshogi;

impl Rsshogi {
    fn moves(position: &rsshogi::board::Position) -> rsshogi::board::Move32List {
        let mut list = rsshogi::board::Move32List::new();
        rsshogi::board::movegen::generate_legal_all_move32(position, &mut list);
        list
    }
}

impl Peer for Rsshogi {
    const NAME: &'static str = "rsshogi";
    type Position = rsshogi::board::Position;

    fn read(sfen: &str) -> Self::Position {
        rsshogi::board::init();
        let mut position =
            rsshogi::board::position_from_sfen(sfen).expect("a measured position is valid");
        position.init_stack();
        position
    }

    fn perft_bulk(position: &mut Self::Position, depth: u32) -> u64 {
        let moves = Self::moves(position);
        if depth <= 1 {
            return moves.len() as u64;
        }
        let mut nodes = 0;
        for &mv in moves.iter() {
            position.apply_move32(mv);
            nodes += Self::perft_bulk(position, depth - 1);
            position.undo_move32(mv).expect("the move was made");
        }
        nodes
    }

    fn perft_made(position: &mut Self::Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        for &mv in Self::moves(position).iter() {
            position.apply_move32(mv);
            nodes += Self::perft_made(position, depth - 1);
            position.undo_move32(mv).expect("the move was made");
        }
        nodes
    }

    fn list(position: &Self::Position) -> u64 {
        Self::moves(position).len() as u64
    }

    fn make_all(position: &mut Self::Position, rounds: u32) -> u64 {
        let mut keys = 0u64;
        let moves = Self::moves(position);
        for _ in 0..rounds {
            for &mv in moves.iter() {
                position.apply_move32(mv);
                keys = keys.wrapping_add(std::hint::black_box(&*position).board_key().low_u64());
                position.undo_move32(mv).expect("the move was made");
            }
        }
        keys
    }

    fn mate_in_one(position: &Self::Position) -> Option<bool> {
        Some(rsshogi::mate::solve_mate_in_one(position).is_some())
    }

    fn nodes(position: &mut Self::Position, rounds: u32) -> Option<u64> {
        let mut mates = 0;
        let moves = Self::moves(position);
        for _ in 0..rounds {
            for &mv in moves.iter() {
                position.apply_move32(mv);
                mates += u64::from(rsshogi::mate::solve_mate_in_one_in_place(position).is_some());
                position.undo_move32(mv).expect("the move was made");
            }
        }
        Some(mates / u64::from(rounds))
    }

    fn replies(position: &mut Self::Position, rounds: u32) -> Option<u64> {
        let mut mates = 0;
        let lists = Self::moves(position);
        let lists = lists.iter().map(|&mv| {
            position.apply_move32(mv);
            let replies = Self::moves(position);
            position.undo_move32(mv).expect("the move was made");
            (mv, replies)
        });
        let lists: Vec<_> = lists.collect();
        for _ in 0..rounds {
            for (mv, replies) in &lists {
                position.apply_move32(*mv);
                for &reply in replies.iter() {
                    position.apply_move32(reply);
                    mates +=
                        u64::from(rsshogi::mate::solve_mate_in_one_in_place(position).is_some());
                    position.undo_move32(reply).expect("the move was made");
                }
                position.undo_move32(*mv).expect("the move was made");
            }
        }
        Some(mates / u64::from(rounds))
    }
}
