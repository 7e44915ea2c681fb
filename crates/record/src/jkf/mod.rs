//! JKF, the JSON Kifu Format.

mod read;
mod tree;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;

use crate::Ending;

/// The ending that is written for one without a word in JKF. The word of KIF for it becomes the first
/// comment.
fn substitute(ending: Ending) -> Option<Ending> {
    match ending {
        Ending::MaxMoves => Some(Ending::Draw),
        Ending::DefaultWin | Ending::DefaultLoss => Some(Ending::Interrupted),
        _ => None,
    }
}

/// The ending that a comment on a written one names: that one, or one for which it is written.
fn named_ending(written: Ending, comment: &str) -> Option<Ending> {
    let named = Ending::ALL.into_iter().find(|ending| ending.kif_word() == Some(comment))?;
    (named == written || substitute(named) == Some(written)).then_some(named)
}

/// The ending that is meant by the written one, if the first comment on it is there to name it. The
/// word of the written one itself does so only where the next comment would be taken for a name.
fn meant_ending(written: Ending, comments: &[String]) -> Option<Ending> {
    let named = named_ending(written, comments.first()?)?;
    let guards = || comments.get(1).is_some_and(|next| named_ending(written, next).is_some());
    (named != written || guards()).then_some(named)
}
