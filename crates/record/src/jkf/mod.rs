//! JKF, the JSON Kifu Format.

mod read;
mod tree;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;

use crate::Ending;

/// The ending that is written for one without a word in JKF. The word of KIF for it becomes the first comment.
fn substitute(ending: Ending) -> Option<Ending> {
    match ending {
        Ending::MaxMoves => Some(Ending::Draw),
        Ending::DefaultWin | Ending::DefaultLoss => Some(Ending::Interrupted),
        _ => None,
    }
}
