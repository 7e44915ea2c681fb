//! Japanese names of pieces, squares and numbers, and the letters of CSA.

use tsumero_core::{File, PieceKind, Rank, Square};

/// Names of the kinds as KIF writes them.
const KIF_NAMES: [(PieceKind, &str); 14] = [
    (PieceKind::Pawn, "歩"),
    (PieceKind::Lance, "香"),
    (PieceKind::Knight, "桂"),
    (PieceKind::Silver, "銀"),
    (PieceKind::Gold, "金"),
    (PieceKind::Bishop, "角"),
    (PieceKind::Rook, "飛"),
    (PieceKind::King, "玉"),
    (PieceKind::Tokin, "と"),
    (PieceKind::PromotedLance, "成香"),
    (PieceKind::PromotedKnight, "成桂"),
    (PieceKind::PromotedSilver, "成銀"),
    (PieceKind::Horse, "馬"),
    (PieceKind::Dragon, "龍"),
];

/// Other names in use, and those of one letter on diagrams.
const OTHER_NAMES: [(PieceKind, &str); 5] = [
    (PieceKind::King, "王"),
    (PieceKind::PromotedLance, "杏"),
    (PieceKind::PromotedKnight, "圭"),
    (PieceKind::PromotedSilver, "全"),
    (PieceKind::Dragon, "竜"),
];

const CSA_NAMES: [(PieceKind, &str); 14] = [
    (PieceKind::Pawn, "FU"),
    (PieceKind::Lance, "KY"),
    (PieceKind::Knight, "KE"),
    (PieceKind::Silver, "GI"),
    (PieceKind::Gold, "KI"),
    (PieceKind::Bishop, "KA"),
    (PieceKind::Rook, "HI"),
    (PieceKind::King, "OU"),
    (PieceKind::Tokin, "TO"),
    (PieceKind::PromotedLance, "NY"),
    (PieceKind::PromotedKnight, "NK"),
    (PieceKind::PromotedSilver, "NG"),
    (PieceKind::Horse, "UM"),
    (PieceKind::Dragon, "RY"),
];

const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

fn name_in(names: &[(PieceKind, &'static str)], kind: PieceKind) -> &'static str {
    names.iter().find(|(named, _)| *named == kind).map_or("", |(_, name)| name)
}

/// The name of a kind in a KIF move.
pub(crate) fn kif_name(kind: PieceKind) -> &'static str {
    name_in(&KIF_NAMES, kind)
}

/// The name of a kind on a diagram: one character.
pub(crate) fn diagram_name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::PromotedLance | PieceKind::PromotedKnight | PieceKind::PromotedSilver => {
            name_in(&OTHER_NAMES, kind)
        }
        _ => kif_name(kind),
    }
}

/// Reads the kind at the start of a text, and returns it with the rest.
pub(crate) fn take_piece(text: &str) -> Option<(PieceKind, &str)> {
    let names = KIF_NAMES.iter().chain(&OTHER_NAMES);
    names.into_iter().find_map(|&(kind, name)| Some((kind, text.strip_prefix(name)?)))
}

/// The letters of a kind in CSA and JKF.
pub(crate) fn csa_name(kind: PieceKind) -> &'static str {
    name_in(&CSA_NAMES, kind)
}

/// The kind with these letters in CSA and JKF.
pub(crate) fn csa_kind(name: &str) -> Option<PieceKind> {
    CSA_NAMES.iter().find(|(_, letters)| *letters == name).map(|&(kind, _)| kind)
}

/// The square of two numbers from 1 to 9.
pub(crate) fn square(file: u32, rank: u32) -> Option<Square> {
    let file = File::new(u8::try_from(file).ok()?)?;
    Some(Square::new(file, Rank::new(u8::try_from(rank).ok()?)?))
}

/// A digit from 0 to 9, of half or full width.
pub(crate) fn digit(letter: char) -> Option<u32> {
    letter.to_digit(10).or_else(|| {
        let distance = u32::from(letter).checked_sub(u32::from('０'))?;
        (distance <= 9).then_some(distance)
    })
}

/// The rank with a Japanese numeral.
fn rank_number(letter: char) -> Option<u32> {
    let index = RANKS.iter().position(|&rank| rank == letter)?;
    Some(index as u32 + 1)
}

/// Reads the square at the start of a text (７六, 7六, ７６ or 76), and returns it with the rest.
pub(crate) fn take_square(text: &str) -> Option<(Square, &str)> {
    let mut letters = text.chars();
    let file = digit(letters.next()?)?;
    let rank = letters.next()?;
    Some((square(file, rank_number(rank).or_else(|| digit(rank))?)?, letters.as_str()))
}

/// The Japanese name of a square.
pub(crate) fn square_name(square: Square) -> String {
    [FILES[square.file().index()], RANKS[square.rank().index()]].iter().collect()
}

/// The Japanese name of a rank.
pub(crate) fn rank_name(rank: Rank) -> char {
    RANKS[rank.index()]
}

/// Reads the number of pieces at the start of a text (二, 十八, 2, ２; 1 if there is none), and returns
/// it with the rest.
pub(crate) fn take_count(text: &str) -> (u32, &str) {
    let (mut total, mut unit) = (0u32, None::<u32>);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if letter == '十' {
            total = total.saturating_add(10 * unit.take().unwrap_or(1));
        } else if let Some(number) = rank_number(letter).or_else(|| digit(letter)) {
            unit = Some(unit.unwrap_or(0).saturating_mul(10).saturating_add(number));
        } else {
            break;
        }
        rest = &rest[letter.len_utf8()..];
    }
    match (rest.len() == text.len(), total.saturating_add(unit.unwrap_or(0))) {
        (true, _) => (1, text),
        (false, count) => (count, rest),
    }
}

/// A number of pieces from 1 to 18, as it is written after a piece in hand.
pub(crate) fn count_name(count: u32) -> String {
    let mut text = String::new();
    if count >= 10 {
        text.push('十');
    }
    if let Some(index) = (count % 10).checked_sub(1).filter(|_| count > 1) {
        text.push(RANKS[index as usize]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_back() {
        for count in 1..=18 {
            assert_eq!(take_count(&count_name(count)), (count, ""), "{}", count_name(count));
        }
        assert_eq!(take_count("　歩"), (1, "　歩"));
        assert_eq!(take_count("２　"), (2, "　"));
        assert_eq!(take_count("十五 "), (15, " "));
    }

    #[test]
    fn squares_are_read_in_every_spelling() {
        let square = "7f".parse().unwrap();
        for text in ["７六歩", "7六歩", "７６歩", "76歩"] {
            assert_eq!(take_square(text), Some((square, "歩")), "{text}");
        }
        for text in ["", "７", "０六", "７十", "七六"] {
            assert_eq!(take_square(text), None, "{text}");
        }
    }

    #[test]
    fn long_names_come_before_the_letters_in_them() {
        assert_eq!(take_piece("成銀右"), Some((PieceKind::PromotedSilver, "右")));
        assert_eq!(take_piece("銀成"), Some((PieceKind::Silver, "成")));
        for kind in PieceKind::ALL {
            assert_eq!(take_piece(kif_name(kind)), Some((kind, "")));
            assert_eq!(take_piece(diagram_name(kind)), Some((kind, "")));
            assert_eq!(csa_kind(csa_name(kind)), Some(kind));
        }
    }
}
