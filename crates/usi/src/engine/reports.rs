//! What the engine makes of the reports of its threads.

use tsumero_control::Instant;
use tsumero_mate::{MateAnswer, MateUnknown};
use tsumero_search::SearcherError;

use crate::game::Info;
use crate::reply::Reply;
use crate::search_thread::{Report, SearchAnswer};

use super::{Activity, Engine, NO_PERFT};

impl Engine {
    /// Handles a report. A report of an old search is ignored.
    pub(super) fn on_report(&mut self, report: Report, now: Instant, replies: &mut Vec<Reply>) {
        let running = match &self.activity {
            Activity::Searching(running) => Some(running),
            Activity::Idle | Activity::Preparing { .. } => None,
        };
        let is_current = |generation| running.is_some() && generation == self.generation;
        let deferred = running.and_then(|running| running.deferred.as_ref());
        match report {
            Report::Prepared(notices) => {
                replies.extend(notices.into_iter().map(Reply::from));
                if let Activity::Preparing { is_asked, .. } = self.activity {
                    replies.extend(is_asked.then_some(Reply::ReadyOk));
                    self.activity = Activity::Idle;
                    self.run_waiting(now, replies);
                }
            }
            Report::Notice(notice) => replies.push(notice.into()),
            Report::Explanation(explanation) => {
                self.end_side_job(Reply::Explanation(explanation), now, replies);
            }
            Report::Bench(result) => {
                let failed = |error: SearcherError| Reply::Error(error.to_string());
                self.end_side_job(result.map_or_else(failed, Reply::Bench), now, replies);
            }
            Report::Info(generation, info) if is_current(generation) => {
                let info = match deferred {
                    Some(deferred) => deferred.as_seen_later(&info),
                    None => Some(info),
                };
                if let Some(info) = info {
                    self.hold_back(info);
                }
                self.tell_if_there_is_room(replies);
            }
            Report::MateInfo(generation, info) if is_current(generation) => {
                if !self.is_output_backlogged || !info.mate.is_empty() {
                    replies.push(Reply::MateInfo(info));
                }
            }
            Report::PerftMove(generation, mv, count) if is_current(generation) => {
                replies.push(Reply::PerftMove(mv, count));
            }
            Report::Done(generation, outcome) if is_current(generation) => {
                self.end_search(outcome, now, replies);
            }
            Report::Info(..) | Report::MateInfo(..) | Report::PerftMove(..) | Report::Done(..) => {
                log::debug!("a report of an old search was dropped");
            }
        }
    }

    /// Answers a side job, and goes on with what waited for it.
    fn end_side_job(&mut self, answer: Reply, now: Instant, replies: &mut Vec<Reply>) {
        self.has_side_job = false;
        replies.push(answer);
        self.run_waiting(now, replies);
    }

    /// Answers for a search that has ended, unless another one follows it up.
    fn end_search(&mut self, outcome: SearchAnswer, now: Instant, replies: &mut Vec<Reply>) {
        self.tell_held_back(replies);
        if self.follow_up(now, replies) {
            return;
        }
        if let SearchAnswer::Checkmate(Some(MateAnswer::Unknown(reason))) = outcome
            && reason == MateUnknown::Broken
        {
            // The protocol has no word for it, and it must not pass for a lack of time.
            replies.push(Reply::Error(reason.to_string()));
        }
        replies.push(match outcome {
            SearchAnswer::BestMove(best) => Reply::BestMove(best),
            SearchAnswer::Checkmate(answer) => Reply::Checkmate(answer),
            SearchAnswer::Perft(Some(total)) => Reply::PerftTotal(total),
            SearchAnswer::Perft(None) => Reply::Note(NO_PERFT.to_owned()),
        });
        self.activity = Activity::Idle;
        self.run_waiting(now, replies);
    }

    /// Keeps a report until it can be written. It replaces the same line of an older report, and the
    /// lines behind that: they belong to the older one, and may begin with a move of the new one.
    fn hold_back(&mut self, info: Info) {
        self.held_back.retain(|held| held.multipv < info.multipv);
        self.held_back.push(info);
    }

    /// Sends what the search has said last, unless replies come faster than they are written.
    pub(super) fn tell_if_there_is_room(&mut self, replies: &mut Vec<Reply>) {
        if !self.is_output_backlogged {
            self.tell_held_back(replies);
        }
    }

    /// Sends what the search has said last.
    fn tell_held_back(&mut self, replies: &mut Vec<Reply>) {
        replies.extend(self.held_back.drain(..).map(Reply::Info));
    }
}
