//! First moves: every move that starts a mate. This serves problems that should have one solution,
//! and those whose first move has a rule of its own ([`MateProblem`]).
//!
//! A first move mates if every reply to it is mated, and each reply is a search of its own. Each is
//! judged as a position where the attacker begins, so none can depend on the path of another. A
//! failure by repetition in one search proves nothing in the next, and none is carried over.
//!
//! The searches take turns. Each gets a small share of nodes, then each that is still open gets a
//! share four times as large, and so on. A single reply refutes a first move, and most often a
//! cheap search finds it. Then the expensive replies are never searched.

use tsumero_core::{MateProblem, Move, Position};

use super::solver_watch::SolverWatch;
use super::{Mate, MateAnswer, MateInfo, MateQuestion, MateSolver};
use crate::watch::MateUnknown;

/// The answer of a search for all first moves.
///
/// ```
/// use tsumero_core::MateProblem;
/// use tsumero_mate::{MateAnswer, MateLimits, MateQuestion, MateSolver, Signals};
///
/// // The gold mates at once on 1b. Which other first moves mate?
/// let problem = MateProblem::from_sfen("8k/9/8S/9/9/9/9/9/9 b 2G2r2b2g3s4n4l18p 1")?;
/// let (limits, signals) = (MateLimits::default(), Signals::new());
/// let choices = MateSolver::new(1).solve_all(&MateQuestion::for_problem(&problem, &limits, &signals));
/// assert!(matches!(choices.answer, MateAnswer::Mate(mate) if mate.plies() == 1));
/// let shown: Vec<String> = choices.others.iter().map(|(mv, answer)| match answer {
///     MateAnswer::Mate(mate) => format!("{mv} mates in {}", mate.plies()),
///     MateAnswer::NoMate => format!("{mv} does not mate"),
///     MateAnswer::Unknown(reason) => format!("{mv} is not decided: {reason}"),
/// }).collect();
/// assert_eq!(shown[..3], ["G*2b mates in 1", "G*2a mates in 3", "1c1b+ does not mate"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MateChoices {
    /// The answer to the problem. From a position it is that of [`MateSolver::solve`], unless that
    /// may not be the shortest mate and the search for other first moves has found a shorter one.
    pub answer: MateAnswer,
    /// If the answer is a mate, all other first checks: mates first, the shortest first. The line of
    /// each begins with it.
    pub others: Vec<(Move, MateAnswer)>,
}

/// Nodes that each reply gets in the first turn.
const FIRST_SHARE: u64 = 500;
/// How much larger a share is in the next turn.
const SHARE_GROWTH: u64 = 4;

impl MateSolver {
    /// Looks for a mate by the side to move as [`MateSolver::solve`] does, even where that side
    /// could capture the king. There, `report` receives no mate before the end.
    pub fn solve_problem(
        &mut self,
        question: &MateQuestion<'_, MateProblem>,
        report: &mut dyn FnMut(MateInfo),
    ) -> MateAnswer {
        let MateQuestion { position: problem, limits, signals, started } = *question;
        if let Some(position) = problem.position() {
            return self.solve(&MateQuestion { position, limits, signals, started }, report);
        }
        let mut watch = SolverWatch::new(question);
        watch.report = Some(report);
        let mut first_moves = FirstMoves::new(problem);
        first_moves.decide(self, &mut watch, Aim::Shortest);
        let answer = first_moves.choices(None).answer;
        self.effort = watch.effort();
        watch.tell(match &answer {
            MateAnswer::Mate(mate) => mate.line.clone(),
            MateAnswer::NoMate | MateAnswer::Unknown(_) => Vec::new(),
        });
        answer
    }

    /// Looks for a mate, and then for every other first move that mates, each with the shortest
    /// mate after it. A mate may return to its start, so a check that can be taken back counts with
    /// its longer line. The limits hold for all searches together.
    pub fn solve_all(&mut self, question: &MateQuestion<'_, MateProblem>) -> MateChoices {
        let mut watch = SolverWatch::new(question);
        let mut first_moves = FirstMoves::new(question.position);
        let mut known = None;
        if let Some(position) = question.position.position() {
            let answer = self.solve_under(position, &mut watch);
            let MateAnswer::Mate(mate) = answer else {
                self.effort = watch.effort();
                return MateChoices { answer, others: Vec::new() };
            };
            known = Some(mate.clone());
            first_moves.settle(mate);
        }
        first_moves.decide(self, &mut watch, Aim::All);
        self.effort = watch.effort();
        first_moves.choices(known.as_ref())
    }
}

impl MateSolver {
    /// Judges every check but the first move of a known mate: the other checks of the problem, each
    /// with the shortest mate after it, in the order of generation. The limits hold for all searches
    /// together.
    ///
    /// ```
    /// use tsumero_core::MateProblem;
    /// use tsumero_mate::{MateAnswer, MateLimits, MateQuestion, MateSolver, Signals};
    ///
    /// let problem = MateProblem::from_sfen("8k/9/8S/9/9/9/9/9/9 b 2G2r2b2g3s4n4l18p 1")?;
    /// let (limits, signals) = (MateLimits::default(), Signals::new());
    /// let known: Vec<_> = problem.checks().into_iter().map(|(mv, _)| mv).filter(|mv| {
    ///     mv.to_string() == "G*1b"
    /// }).collect();
    /// let question = MateQuestion::for_problem(&problem, &limits, &signals);
    /// let others = MateSolver::new(1).solve_others(&question, &known);
    /// let mates = others.iter().filter(|(_, answer)| matches!(answer, MateAnswer::Mate(_)));
    /// let words: Vec<String> = mates.map(|(mv, _)| mv.to_string()).collect();
    /// assert_eq!(words, ["G*2a", "G*2b"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_others(
        &mut self,
        question: &MateQuestion<'_, MateProblem>,
        known: &[Move],
    ) -> Vec<(Move, MateAnswer)> {
        let mut watch = SolverWatch::new(question);
        let mut first_moves = FirstMoves::new(question.position);
        first_moves.0.retain(|candidate| Some(&candidate.mv) != known.first());
        first_moves.decide(self, &mut watch, Aim::All);
        self.effort = watch.effort();
        first_moves.decided().collect()
    }
}

/// What is asked about the first moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Aim {
    /// Find one of the fastest mates.
    Shortest,
    /// Find all moves that mate.
    All,
}

/// The state of the search of a first move.
#[derive(Clone, PartialEq, Eq, Debug)]
enum State {
    Open,
    Decided(MateAnswer),
    /// It mates no faster than another move, and only faster ones are of interest.
    TooLong,
}

struct Reply {
    mv: Move,
    /// The known mate after it.
    mate: Option<Mate>,
    /// Whether another search would be useless.
    is_settled: bool,
}

struct Candidate {
    mv: Move,
    after: Position,
    replies: Vec<Reply>,
    state: State,
}

struct FirstMoves(Vec<Candidate>);

impl FirstMoves {
    fn new(problem: &MateProblem) -> FirstMoves {
        let candidate = |(mv, after): (Move, Position)| {
            let reply = |&mv: &Move| Reply { mv, mate: None, is_settled: false };
            let replies = after.legal_moves().iter().map(reply).collect();
            Candidate { mv, after, replies, state: State::Open }
        };
        FirstMoves(problem.checks().into_iter().map(candidate).collect())
    }

    /// Takes over a mate for the first move of its line.
    fn settle(&mut self, mate: Mate) {
        let first = mate.line.first();
        if let Some(candidate) = self.0.iter_mut().find(|candidate| first == Some(&candidate.mv)) {
            candidate.state = State::Decided(MateAnswer::Mate(mate));
        }
    }

    /// Decides every first move, as far as the limits allow.
    fn decide(&mut self, solver: &mut MateSolver, watch: &mut SolverWatch<'_>, aim: Aim) {
        let all_nodes = watch.limits.nodes;
        for candidate in &mut self.0 {
            // A move that mates at once needs no search, and nothing is faster.
            if candidate.replies.is_empty() {
                candidate.conclude();
            }
        }
        if aim == Aim::Shortest && self.shortest().is_some() {
            self.0.retain(|candidate| candidate.state != State::Open);
        }
        let mut share = FIRST_SHARE;
        let mut ended = Ok(());
        while ended.is_ok() && self.0.iter().any(|candidate| candidate.state == State::Open) {
            for number in 0..self.0.len() {
                let shorter_than = match aim {
                    Aim::Shortest => self.shortest(),
                    Aim::All => None,
                };
                let candidate = &mut self.0[number];
                if candidate.state == State::Open {
                    let search = Turn { all_nodes, share, shorter_than };
                    ended = candidate.search(solver, watch, &search);
                }
                if ended.is_err() {
                    break;
                }
            }
            share = share.saturating_mul(SHARE_GROWTH);
        }
        watch.limits.nodes = all_nodes;
        if let Err(reason) = ended {
            self.0.iter_mut().for_each(|candidate| candidate.give_up(reason));
        }
    }

    /// Length of the shortest mate known to be one.
    fn shortest(&self) -> Option<usize> {
        let lengths = self.0.iter().filter_map(|candidate| match &candidate.state {
            State::Decided(MateAnswer::Mate(mate)) => Some(mate.line.len()),
            _ => None,
        });
        lengths.min()
    }

    fn decided(self) -> impl Iterator<Item = (Move, MateAnswer)> {
        self.0.into_iter().filter_map(|candidate| match candidate.state {
            State::Decided(answer) => Some((candidate.mv, answer)),
            State::Open | State::TooLong => None,
        })
    }

    /// The results. `known` is a mate of the whole problem: among mates of the same length, the answer
    /// is the one that begins as it does.
    fn choices(self, known: Option<&Mate>) -> MateChoices {
        let preferred = known.and_then(|mate| mate.line.first());
        let mut decided: Vec<(Move, MateAnswer)> = self.decided().collect();
        decided.sort_by_key(|(mv, answer)| {
            let length = match answer {
                MateAnswer::Mate(mate) => mate.line.len(),
                // A fault of the program must not pass for a limit.
                MateAnswer::Unknown(MateUnknown::Broken) => usize::MAX - 2,
                MateAnswer::Unknown(_) => usize::MAX - 1,
                MateAnswer::NoMate => usize::MAX,
            };
            (length, Some(mv) != preferred)
        });
        let is_certain = decided.iter().all(|(_, answer)| match answer {
            MateAnswer::Mate(mate) => mate.is_shortest,
            MateAnswer::Unknown(_) => false,
            MateAnswer::NoMate => true,
        });
        let is_shortest = is_certain || known.is_some_and(|mate| mate.is_shortest);
        let mut decided = decided.into_iter();
        match decided.next() {
            Some((_, MateAnswer::Mate(Mate { line, .. }))) => MateChoices {
                answer: MateAnswer::Mate(Mate { line, is_shortest }),
                others: decided.collect(),
            },
            Some((_, answer)) => MateChoices { answer, others: Vec::new() },
            None => MateChoices { answer: MateAnswer::NoMate, others: Vec::new() },
        }
    }
}

/// The limits of one turn of a candidate, and the question asked.
struct Turn {
    /// Nodes of the whole search.
    all_nodes: Option<u64>,
    /// Nodes of each reply.
    share: u64,
    /// If given, only mates in fewer plies are of interest.
    shorter_than: Option<usize>,
}

impl Candidate {
    /// Searches each open reply for one turn.
    ///
    /// # Errors
    /// The limit that ends the whole search.
    fn search(
        &mut self,
        solver: &mut MateSolver,
        watch: &mut SolverWatch<'_>,
        turn: &Turn,
    ) -> Result<(), MateUnknown> {
        // The length counts the move itself, the reply and the mate after it.
        let is_too_long =
            |line: &[Move]| turn.shorter_than.is_some_and(|shortest| line.len() + 2 >= shortest);
        for reply in &mut self.replies {
            if !reply.is_settled {
                let mut position = self.after.clone();
                position.play_unchecked(reply.mv);
                match search_reply(&position, solver, watch, turn)? {
                    Searched::Decides(answer) => {
                        self.state = State::Decided(answer);
                        return Ok(());
                    }
                    Searched::Mated { mate, is_settled } => {
                        (reply.mate, reply.is_settled) = (Some(mate), is_settled);
                    }
                    Searched::Open => {}
                }
            }
            if let Some(Mate { line, is_shortest: true }) = &reply.mate
                && is_too_long(line)
            {
                self.state = State::TooLong;
                return Ok(());
            }
        }
        if self.replies.iter().all(|reply| reply.is_settled) {
            self.conclude();
        }
        Ok(())
    }

    /// Decides the move as a mate, if every reply is mated.
    fn conclude(&mut self) {
        let mut longest = vec![self.mv];
        let mut is_shortest = true;
        for reply in &self.replies {
            let Some(mate) = &reply.mate else { return };
            is_shortest &= mate.is_shortest;
            if longest.len() < mate.line.len() + 2 {
                longest = [&[self.mv, reply.mv], &mate.line[..]].concat();
            }
        }
        self.state = State::Decided(MateAnswer::Mate(Mate { line: longest, is_shortest }));
    }

    /// Draws the best conclusion when a limit ends the search.
    fn give_up(&mut self, reason: MateUnknown) {
        if self.state == State::Open {
            self.conclude();
        }
        if self.state == State::Open {
            self.state = State::Decided(MateAnswer::Unknown(reason));
        }
    }
}

/// The result of a turn for a reply.
enum Searched {
    /// The reply decides the first move: it does not mate, or the solver cannot tell.
    Decides(MateAnswer),
    /// The reply is mated.
    Mated {
        mate: Mate,
        /// Whether another search would be useless.
        is_settled: bool,
    },
    /// The share did not suffice.
    Open,
}

fn search_reply(
    position: &Position,
    solver: &mut MateSolver,
    watch: &mut SolverWatch<'_>,
    turn: &Turn,
) -> Result<Searched, MateUnknown> {
    let end = watch.all_nodes().saturating_add(turn.share);
    let end = turn.all_nodes.map_or(end, |all| all.min(end));
    watch.limits.nodes = Some(end);
    watch.look_at_limits()?;
    let answer = solver.solve_under(position, watch);
    let is_out_of_nodes = turn.all_nodes.is_some_and(|all| watch.all_nodes() >= all);
    match answer {
        MateAnswer::Mate(mate) => {
            // Only a larger share of nodes could find a shorter mate.
            let is_settled = mate.is_shortest || watch.all_nodes() < end;
            Ok(Searched::Mated { mate, is_settled })
        }
        MateAnswer::NoMate
        | MateAnswer::Unknown(MateUnknown::Memory | MateUnknown::Depth | MateUnknown::Broken) => {
            Ok(Searched::Decides(answer))
        }
        MateAnswer::Unknown(MateUnknown::Nodes) if !is_out_of_nodes => Ok(Searched::Open),
        MateAnswer::Unknown(reason) => Err(reason),
    }
}

#[cfg(test)]
mod tests {
    use tsumero_control::Signals;

    use super::*;
    use crate::dfpn::tests::problems;
    use crate::solver::MateLimits;

    #[test]
    fn the_other_first_moves_do_not_change_the_answer() {
        let limits = MateLimits { nodes: Some(20_000), ..MateLimits::default() };
        let mut others = 0;
        for position in problems("mate1", 0..40).into_iter().chain(problems("mate3", 0..40)) {
            let (problem, signals) = (position.clone().into(), Signals::new());
            let question = MateQuestion::for_problem(&problem, &limits, &signals);
            let choices = MateSolver::new(1).solve_all(&question);
            let question = MateQuestion::new(&position, &limits, &signals);
            let alone = MateSolver::new(1).solve(&question, &mut |_| {});
            assert_eq!(choices.answer, alone, "{position}");
            let mut answers = choices.others.iter().map(|(_, answer)| answer);
            others += usize::from(answers.any(|answer| matches!(answer, MateAnswer::Mate(_))));
        }
        assert!(others > 10, "{others}");
    }

    #[test]
    fn a_fault_of_the_program_does_not_pass_for_a_limit() {
        let problem = MateProblem::from_sfen("8k/9/8S/9/9/9/9/9/9 b 2G 1").unwrap();
        let answer = |reasons: [MateUnknown; 3]| {
            let mut first_moves = FirstMoves::new(&problem);
            for (candidate, reason) in first_moves.0.iter_mut().zip(reasons) {
                candidate.give_up(reason);
            }
            first_moves.choices(None).answer
        };
        use MateUnknown::{Broken, Depth, Nodes};
        assert_eq!(answer([Depth, Nodes, Nodes]), MateAnswer::Unknown(Depth));
        assert_eq!(answer([Nodes, Broken, Nodes]), MateAnswer::Unknown(Broken));
    }

    #[test]
    fn the_last_report_tells_the_mate_in_spite_of_a_standing_check() {
        for (sfen, plies) in [("9/k4R3/9/9/9/9/9/9/9 b 2G 1", 3), ("9/k4R3/9/9/9/9/9/9/9 b - 1", 0)]
        {
            let problem = MateProblem::from_sfen(sfen).unwrap();
            let mut told = None;
            let report = &mut |info: MateInfo| told = Some(info.mate);
            let (limits, signals) = (MateLimits::default(), Signals::new());
            let question = MateQuestion::for_problem(&problem, &limits, &signals);
            MateSolver::new(1).solve_problem(&question, report);
            assert_eq!(told.map(|mate| mate.len()), Some(plies), "{sfen}");
        }
    }
}
