//! Japanese move notation, by the Japan Shogi Association's "How to write game records"
//! (棋譜の表記方法): ▲７六歩, △同銀右, ▲５二金打, ▲２三歩不成.
//!
//! If other pieces of the same kind could go to the same square, the text adds how the piece moves
//! (上 forwards, 寄 sideways, 引 backwards), where it comes from (右, 左, or 直 for straight up), or
//! both, in that order of preference. A drop is marked 打 if such a piece on the board could go there.

use std::cmp::Ordering;

use crate::color::Color;
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::position::Position;
use crate::square::Square;

const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The name of a kind as it stands in a move.
const fn kind_name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "歩",
        PieceKind::Lance => "香",
        PieceKind::Knight => "桂",
        PieceKind::Silver => "銀",
        PieceKind::Gold => "金",
        PieceKind::Bishop => "角",
        PieceKind::Rook => "飛",
        PieceKind::King => "玉",
        PieceKind::Tokin => "と",
        PieceKind::PromotedLance => "成香",
        PieceKind::PromotedKnight => "成桂",
        PieceKind::PromotedSilver => "成銀",
        PieceKind::Horse => "馬",
        PieceKind::Dragon => "竜",
    }
}

/// The legal move in Japanese notation, with the mover's mark. A move to the target of `last`, the
/// move before it, is written 同.
///
/// ```
/// use tsumero_core::{Game, notation::japanese};
/// let mut game = Game::default();
/// let mut texts = Vec::new();
/// for text in ["7g7f", "3c3d", "8h2b+", "3a2b"] {
///     let mv = game.parse_move(text).unwrap();
///     texts.push(japanese(&game, mv, game.last_move()));
///     game.play_unchecked(mv);
/// }
/// assert_eq!(texts, ["▲７六歩", "△３四歩", "▲２二角成", "△同銀"]);
/// ```
pub fn japanese(position: &Position, mv: Move, last: Option<Move>) -> String {
    let (us, to, kind) = (mv.color(), mv.to(), mv.kind());
    let mut text = String::from(match us {
        Color::Black => "▲",
        Color::White => "△",
    });
    if last.is_some_and(|last| last.to() == to) {
        text.push('同');
    } else {
        text.push(FILES[to.file().index()]);
        text.push(RANKS[to.rank().index()]);
    }
    text.push_str(kind_name(kind));
    let rivals = rivals(position, mv);
    match mv.from() {
        None if rivals.is_empty() => {}
        None => text.push('打'),
        Some(from) => {
            text.push_str(&origin(us, kind, from, to, &rivals));
            if mv.promotes() {
                text.push('成');
            } else if kind.promoted().is_some()
                && (from.in_promotion_zone(us) || to.in_promotion_zone(us))
            {
                text.push_str("不成");
            }
        }
    }
    text
}

/// The squares of the other pieces of the same kind that reach the same square. A pinned piece
/// counts too, so that readers need not look for pins.
fn rivals(position: &Position, mv: Move) -> Vec<Square> {
    position
        .attackers(mv.color(), mv.to())
        .iter()
        .filter(|&square| {
            Some(square) != mv.from() && position.piece_at(square) == Some(mv.piece())
        })
        .collect()
}

/// How a piece moves, as the mover sees it.
fn motion(us: Color, from: Square, to: Square) -> &'static str {
    let (from, to) = (from.relative_to(us), to.relative_to(us));
    match to.rank().cmp(&from.rank()) {
        Ordering::Less => "上",
        Ordering::Equal => "寄",
        Ordering::Greater => "引",
    }
}

/// On which side of another square a square lies, as the mover sees it.
fn side(us: Color, square: Square, of: Square) -> &'static str {
    // File numbers grow to Black's left.
    match square.relative_to(us).file().cmp(&of.relative_to(us).file()) {
        Ordering::Greater => "左",
        Ordering::Equal => "",
        Ordering::Less => "右",
    }
}

/// The characters that distinguish the piece on `from` from its rivals.
fn origin(us: Color, kind: PieceKind, from: Square, to: Square, rivals: &[Square]) -> String {
    if rivals.is_empty() {
        return String::new();
    }
    let own_motion = motion(us, from, to);
    if rivals.iter().all(|&rival| motion(us, rival, to) != own_motion) {
        return own_motion.to_string();
    }
    // Two rooks or two bishops, promoted or not, are told apart by which side of each other they
    // stand on. All other kinds are told apart by the side of the target that they come from.
    let by_each_other =
        matches!(kind, PieceKind::Rook | PieceKind::Bishop | PieceKind::Dragon | PieceKind::Horse);
    if by_each_other {
        return side(us, from, rivals[0]).to_string();
    }
    let own_side = side(us, from, to);
    if own_side.is_empty() && own_motion == "上" {
        return "直".to_string();
    }
    if rivals.iter().all(|&rival| side(us, rival, to) != own_side) {
        return own_side.to_string();
    }
    format!("{own_side}{own_motion}")
}
