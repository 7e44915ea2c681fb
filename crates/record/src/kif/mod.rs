//! KIF and KI2. They share headers, diagrams, comments and branches and differ in their moves.

mod moves;
mod read;
mod start;
mod write;

pub(crate) use moves::milliseconds_of;
pub use moves::{move_with_origin, read_ki2_move};
pub(crate) use read::read;
pub use write::ki2_move;
pub(crate) use write::{write_ki2, write_kif};

/// What a line says about the format of the file it stands in.
pub(crate) enum Evidence {
    /// Only KIF has such lines.
    Kif,
    /// Only KI2 has such lines.
    Ki2,
    /// Both have.
    Header,
}

/// What a line without blanks around it says about the format.
pub(crate) fn looks_like(line: &str) -> Option<Evidence> {
    if line.starts_with(['*', '#', '&']) {
        return None;
    }
    if line.starts_with("手数-") || moves::numbered(line).is_some() {
        Some(Evidence::Kif)
    } else if line.starts_with(moves::MARKS) {
        Some(Evidence::Ki2)
    } else if line.starts_with("+--") || line.contains(['：', ':']) || start::side(line).is_some()
    {
        Some(Evidence::Header)
    } else {
        None
    }
}
