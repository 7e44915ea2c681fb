//! KIF and KI2. They share headers, diagrams, comments and branches. Only their moves differ.

mod games;
mod moves;
mod read;
mod start;
mod write;

pub(crate) use moves::milliseconds_of;
pub use moves::{move_with_origin, read_ki2_move};
pub(crate) use read::read;
pub(crate) use start::MissingHand;
pub use write::ki2_move;
pub(crate) use write::{write_ki2, write_kif};

/// What a line reveals about the format of its file.
pub(crate) enum Evidence {
    /// Only KIF has such lines.
    Kif,
    /// Only KI2 has such lines.
    Ki2,
    /// Both have.
    Header,
}

/// What a trimmed line reveals about the format.
pub(crate) fn looks_like(line: &str) -> Option<Evidence> {
    if line.starts_with("#KIF") {
        return Some(Evidence::Header);
    }
    if line.starts_with(['*', '#', '&']) {
        return None;
    }
    if moves::is_title(line) || moves::numbered(line).is_some() {
        Some(Evidence::Kif)
    } else if line.starts_with(moves::MARKS) {
        Some(Evidence::Ki2)
    } else if line.starts_with("+--") || start::side(line).is_some() || has_known_name(line) {
        Some(Evidence::Header)
    } else {
        None
    }
}

/// Whether a line is a header with a usual name. The name is checked, because other texts contain
/// colons, too.
fn has_known_name(line: &str) -> bool {
    const NAMES: [&str; 22] = [
        "手合割",
        "先手",
        "後手",
        "下手",
        "上手",
        "開始日時",
        "終了日時",
        "対局日",
        "棋戦",
        "表題",
        "場所",
        "持ち時間",
        "秒読み",
        "戦型",
        "備考",
        "消費時間",
        "対局ID",
        "作品番号",
        "作品名",
        "作者",
        "発表誌",
        "手番",
    ];
    let name = line.split_once(['：', ':']).map(|(name, _)| name.trim());
    name.is_some_and(|name| NAMES.contains(&name) || start::is_start(name))
}
