//! Reports of a running search: which lines, how often, and how they look.

use std::time::Duration;

use tsumero_control::{Bound, MAX_PLY, Score};
use tsumero_core::{Move, Repetition};

use crate::evaluate::Evaluator;
use crate::report::Info;
use crate::root_moves::RootLine;
use crate::worker::Worker;

/// Reports results, but not more often than wanted.
pub(crate) struct Reporter<'a> {
    report: &'a mut dyn FnMut(Info),
    /// When lines were last reported.
    last: Option<Duration>,
    /// Whether the last report contained exactly the final lines.
    pub(crate) up_to_date: bool,
}

impl<'a> Reporter<'a> {
    pub(crate) fn new(report: &'a mut dyn FnMut(Info)) -> Reporter<'a> {
        Reporter { report, last: None, up_to_date: false }
    }

    /// Reports one piece of information as it is.
    pub(crate) fn tell(&mut self, info: Info) {
        (self.report)(info);
    }
}

/// The pause before a report: as long as the user wants, and at least this long, unless the user wants
/// every report.
fn pause(wanted: Duration, least: Duration) -> Duration {
    if wanted.is_zero() { wanted } else { wanted.max(least) }
}

/// When so many lines may be reported after a last report. There are fewer than a hundred lines a second,
/// but the first ones come as soon as wanted.
fn next_report(last: Option<Duration>, wanted: Duration, lines: usize) -> Duration {
    const FOR_EACH_LINE: Duration = Duration::from_millis(11);
    last.map_or(wanted, |last| last + pause(wanted, FOR_EACH_LINE * lines as u32))
}

impl<'a, E: Evaluator<'a>> Worker<'a, E> {
    /// Reports the lines of an iteration, if the last report is old enough.
    pub(crate) fn report_if_due(&self, lines: &[RootLine], reporter: &mut Reporter<'_>) {
        reporter.up_to_date = false;
        let wanted = self.shared.settings.pv_interval;
        if self.elapsed() >= next_report(reporter.last, wanted, lines.len()) {
            self.report_lines(lines, reporter);
        }
    }

    /// Reports the best lines, unless the last report contained them.
    pub(crate) fn report_final(&self, lines: &[RootLine], reporter: &mut Reporter<'_>) {
        if !reporter.up_to_date {
            self.report_lines(lines, reporter);
        }
    }

    fn report_lines(&self, lines: &[RootLine], reporter: &mut Reporter<'_>) {
        for (index, line) in lines.iter().enumerate() {
            let info = self.info(line, index + 1, Bound::Exact);
            reporter.tell(info);
        }
        reporter.last = Some(self.elapsed());
        reporter.up_to_date = true;
    }

    /// Reports that the value lies outside the window, if the search has taken long.
    pub(crate) fn report_bound(&self, depth: u32, bound: Bound, reporter: &mut Reporter<'_>) {
        let settings = self.shared.settings;
        let wait = pause(settings.pv_interval, Duration::from_millis(100));
        let since = reporter.last.unwrap_or_default();
        if !settings.output_fail_bounds || self.elapsed() < since + wait {
            return;
        }
        // The move that fell out of the window is first in the list. The scores of the others are
        // invalid.
        let mut line = RootLine::of(&self.root.moves[0], depth);
        if line.score == -Score::INFINITE {
            return;
        }
        line.seldepth = self.seldepth;
        let info = self.info(&line, 1, bound);
        reporter.tell(info);
        reporter.last = Some(self.elapsed());
        reporter.up_to_date = false;
    }

    fn info(&self, line: &RootLine, multipv: usize, bound: Bound) -> Info {
        Info {
            depth: line.depth,
            seldepth: line.seldepth,
            time: self.elapsed(),
            nodes: self.shared.nodes(),
            hashfull: self.shared.table.hashfull(),
            multipv,
            score: line.score,
            bound,
            pv: if self.shared.settings.consideration_mode {
                self.lengthened(&line.pv)
            } else {
                line.pv.clone()
            },
        }
    }

    /// A line, extended by moves from the table up to the first repetition of a position. As for the
    /// search, the same board with other pieces in hand is no repetition.
    fn lengthened(&self, line: &[Move]) -> Vec<Move> {
        let mut position = self.position.clone();
        line.iter().for_each(|&mv| position.do_move(mv));
        let mut lengthened = line.to_vec();
        while lengthened.len() < MAX_PLY as usize {
            let repetition = position.repetition_within(lengthened.len());
            if let Some(Repetition::Draw | Repetition::PerpetualCheck { .. }) =
                repetition.or_else(|| position.repetition())
            {
                break;
            }
            let entry = self.shared.table.probe(position.key());
            let Some(mv) = entry.and_then(|entry| position.unpack_move(entry.best)) else { break };
            lengthened.push(mv);
            position.do_move(mv);
        }
        lengthened
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_worker;
    use crate::tt::TableEntry;
    use tsumero_core::{Line, Position};

    /// White gets a pawn, so the board returns with other hands: the game goes on.
    #[test]
    fn a_line_is_lengthened_up_to_its_first_repetition() {
        let position = Position::from_sfen("k3r4/9/9/9/9/9/9/7R1/K8 b 2P 1").unwrap();
        let texts = "P*5e 5a5e 2h3h 5e5c 3h2h 5c5a 2h3h 5a5c 3h2h";
        let mut after = Line::from(&position);
        let (mut moves, mut keys) = (Vec::new(), Vec::new());
        for text in texts.split(' ') {
            moves.push(after.parse_move(text).unwrap());
            keys.push(after.key());
            after.do_move(*moves.last().unwrap());
        }
        with_worker(&position, |worker| {
            for own in 1..9 {
                assert_eq!(worker.lengthened(&moves[..own]), moves[..own]);
            }
            for (key, mv) in keys.iter().zip(&moves) {
                let best = mv.to_usi().pack();
                let entry = TableEntry { best, ..TableEntry::of_static_eval(None, false) };
                worker.shared.table.store(*key, &entry);
            }
            // After eight moves it is the position after four.
            for own in 1..9 {
                assert_eq!(worker.lengthened(&moves[..own]), moves[..8]);
            }
        });
    }

    #[test]
    fn many_lines_are_reported_less_often() {
        let ms = Duration::from_millis;
        for (wanted, lines, expected) in
            [(300, 1, 300), (300, 5, 300), (300, 60, 660), (1_000, 60, 1_000), (0, 60, 0)]
        {
            let next = next_report(Some(ms(40)), ms(wanted), lines);
            assert_eq!(next, ms(40 + expected), "{wanted} {lines}");
            assert_eq!(next_report(None, ms(wanted), lines), ms(wanted), "{wanted} {lines}");
        }
    }
}
