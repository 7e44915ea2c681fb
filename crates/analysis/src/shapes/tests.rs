//! A position for each pattern, set up by hand from diagrams, and games that pass through openings.

use std::collections::HashSet;

use tsumero_record::read;

use super::*;
use crate::{Finding, FoundLine, GameReport, Study, Value};

/// The four last ranks of Black in a position with each castle, files 9 to 1, as an SFEN writes them.
/// Only pieces that can belong to it are there.
#[rustfmt::skip]
const CASTLE_POSITIONS: [(&str, [&str; 4]); 48] = [
    ("総矢倉",         ["2PPP4", "PPSGSPPPP", "1KG4R1", "LN5NL"]),
    ("総矢倉",         ["2PPP4", "PPSGSPPPP", "2G1B2R1", "LNK4NL"]),
    ("菱矢倉",         ["2PSP4", "PPSG1PPPP", "1KG4R1", "LN5NL"]),
    ("矢倉穴熊",       ["P1PPP4", "1PSG1PPPP", "L1G3SR1", "KN5NL"]),
    ("矢倉",           ["2PPP4", "PPSG1PPPP", "1KG3SR1", "LN5NL"]),
    ("矢倉",           ["2PPP4", "PPSG1PPPP", "2G1B1SR1", "LNK4NL"]),
    ("矢倉",           ["2PPP4", "PPSG1PPPP", "2G3SR1", "LN1K3NL"]),
    ("銀矢倉",         ["2PPP4", "PPSS1PPPP", "1KG1G2R1", "LN5NL"]),
    ("銀立ち矢倉",     ["2SPP4", "PP1G1PPPP", "1KG3SR1", "LN5NL"]),
    ("片矢倉",         ["2PPP4", "PPSG1PPPP", "2KG2SR1", "LN5NL"]),
    ("土居矢倉",       ["2PPP4", "PPSG1PPPP", "2K1G1SR1", "LN5NL"]),
    ("菊水矢倉",       ["2PPP4", "PPNG1PPPP", "1SG3SR1", "LK5NL"]),
    ("ボナンザ囲い",   ["2PPP4", "PPS2PPPP", "2KGG2R1", "LN4SNL"]),
    ("カニ囲い",       ["2P1P4", "PP1P1PPPP", "1BGSG2R1", "LN1K2SNL"]),
    ("雁木",           ["2PPP4", "PP1SSPPPP", "1BG1G2R1", "LN1K3NL"]),
    ("雁木",           ["2PP1P3", "PP1SPS1PP", "1BG1G2R1", "LN1K3NL"]),
    ("右玉",           ["2PPPPP1P", "PPSG1SN2", "2G2K3", "LN5RL"]),
    ("右玉",           ["2PPPPP1P", "PPS1GSN2", "2G3K2", "LN5RL"]),
    ("中住まい",       ["2P6", "PP1PPPP1P", "1BG1K1GR1", "LNS3SNL"]),
    ("中住まい",       ["2P6", "PP1PPPP1P", "2G1KS1R1", "LNS2G1NL"]),
    ("中住まい",       ["2P6", "PP1PPPP1P", "2G1K1SR1", "LNS2G1NL"]),
    ("中原囲い",       ["2P6", "PP1PPPP1P", "1SG2S1R1", "LN1KG2NL"]),
    ("無敵囲い",       ["2P1P4", "PP1P1PPPP", "1B1SRS3", "LN1GKG1NL"]),
    ("箱入り娘",       ["2P6", "PP1PPPPPP", "1BKG3R1", "LNSG2SNL"]),
    ("エルモ囲い",     ["2P6", "PP1PPPPPP", "1BKS3R1", "LNG2GSNL"]),
    ("舟囲い",         ["2P1P4", "PP1P1PPPP", "1BK1G2R1", "LNSG2SNL"]),
    ("舟囲い",         ["2P1P4", "PP1PSPPPP", "1BKSG2R1", "LN1G3NL"]),
    ("天守閣美濃",     ["1PP6", "PK1PPPPPP", "1BS1G2R1", "LN1G2SNL"]),
    ("左美濃",         ["2P6", "PP1PPPPPP", "1KS1G2R1", "LN1G2SNL"]),
    ("左美濃",         ["2P6", "PP1PPPPPP", "1BS1G2R1", "LNKG2SNL"]),
    ("左美濃",         ["2P6", "PP1PPPPPP", "1KS1G2R1", "LNG3SNL"]),
    ("ミレニアム",     ["2P1P4", "PPNP1PPPP", "1SG4R1", "LKG3SNL"]),
    ("ミレニアム",     ["2P1P4", "PPNP1PPPP", "1SGG3R1", "LK4SNL"]),
    ("米長玉",         ["PPPPP4", "1S1G1PPPP", "K1G4R1", "LN4SNL"]),
    ("串カツ囲い",     ["P1PPP4", "1PB2PPPP", "KSG4R1", "LNG3SNL"]),
    ("ビッグ4",        ["PPPPP4", "1SS2PPPP", "LGG4R1", "KN5NL"]),
    ("松尾流穴熊",     ["P1PPP4", "1PBG1PPPP", "LSG4R1", "KNS4NL"]),
    ("銀冠穴熊",       ["PPPPP4", "1S1G1PPPP", "L1G3SR1", "KN5NL"]),
    ("居飛車穴熊",     ["P1PPP4", "1PB2PPPP", "LSG4R1", "KNG3SNL"]),
    ("振り飛車穴熊",   ["2P1P3P", "PPBP1PPP1", "2SR2GSL", "LN4GNK"]),
    ("ダイヤモンド美濃", ["2PP1P2P", "PPB1PSPP1", "3RG1SK1", "LN3G1NL"]),
    ("美濃囲い",       ["2PP4P", "PPB1PPPP1", "2SRG1SK1", "LN3G1NL"]),
    ("高美濃",         ["2PP1P2P", "PPB1PGPP1", "2SR2SK1", "LN3G1NL"]),
    ("銀美濃",         ["2PP4P", "PPB1PPPP1", "3RS1SK1", "LN2GG1NL"]),
    ("片美濃",         ["2PP4P", "PPBGPPPP1", "2SR2SK1", "LN3G1NL"]),
    ("木村美濃",       ["2PP1P2P", "PPB1PSPP1", "2SR2GK1", "LN3G1NL"]),
    ("金美濃",         ["2PP4P", "PPB1PPPP1", "2SR1SGK1", "LN3G1NL"]),
    ("銀冠",           ["2PP1PPPP", "PPB1PG1S1", "2SR2GK1", "LN5NL"]),
];

/// More castles that need a row of their own.
#[rustfmt::skip]
const MORE_CASTLE_POSITIONS: [(&str, [&str; 4]); 9] = [
    ("雁木",           ["2PP1P3", "PP1SPS1PP", "1BG1G4", "LN1K2RNL"]),
    ("右玉",           ["2PPPPP1P", "PP1S1SN2", "2G1GK3", "LN5RL"]),
    ("振り飛車ミレニアム", ["2PP3PP", "PPB1PPN2", "2SR3S1", "LN4GKL"]),
    ("右矢倉",         ["2PP1PP2", "PPB1PGS1P", "1R4GK1", "LNS4NL"]),
    ("銀冠",           ["PPPPP4", "1S1G1PPPP", "1KG3SR1", "LN5NL"]),
    ("銀冠",           ["PPPPP4", "1S3PPPP", "2KG2SR1", "LN2G2NL"]),
    ("銀冠穴熊",       ["2PP1PPPP", "PPB1P2S1", "2SR2G1L", "LN3G1NK"]),
    ("金無双",         ["2PP5", "PPB1PPPPP", "2R1GGKS1", "LNS4NL"]),
    ("早囲い",         ["2PP5", "PPB1PPPPP", "2SR1SK2", "LN1G1G1NL"]),
];

/// The position as the other player has it.
fn turned(sfen: &str) -> String {
    let swap = |letter: char| match letter {
        letter if letter.is_ascii_uppercase() => letter.to_ascii_lowercase(),
        letter => letter.to_ascii_uppercase(),
    };
    let mut board = String::new();
    // A plus sign stays before its letter.
    let cells: Vec<char> = sfen.chars().collect();
    let mut index = cells.len();
    while index > 0 {
        index -= 1;
        let is_promoted = index > 0 && cells[index - 1] == '+';
        if is_promoted {
            board.push('+');
            index -= 1;
            board.push(swap(cells[index + 1]));
        } else {
            board.push(swap(cells[index]));
        }
    }
    board
}

fn all_castle_positions() -> impl Iterator<Item = (&'static str, String)> {
    CASTLE_POSITIONS.into_iter().chain(MORE_CASTLE_POSITIONS).map(|(name, ranks)| {
        // The white king stands where no castle has one.
        (name, format!("9/9/4k4/9/9/{}", ranks.join("/")))
    })
}

#[test]
fn each_castle_is_known_for_both_players() {
    for (name, board) in all_castle_positions() {
        let position = Position::from_sfen(&format!("{board} b - 1")).unwrap();
        let found = castle(&position, Color::Black).map(|found| found.ja);
        assert_eq!(found, Some(name), "{board}");
        assert_eq!(castle(&position, Color::White), None, "{board}");
        let position = Position::from_sfen(&format!("{} w - 1", turned(&board))).unwrap();
        let found = castle(&position, Color::White).map(|found| found.ja);
        assert_eq!(found, Some(name), "turned: {board}");
    }
    assert_eq!(castle(&Position::startpos(), Color::Black), None);
}

/// Each row of the table is the one that names some position, so none is hidden by one before it.
#[test]
fn each_row_of_castles_has_a_position() {
    let rows: HashSet<usize> = all_castle_positions()
        .filter_map(|(_, board)| {
            let position = Position::from_sfen(&format!("{board} b - 1")).unwrap();
            CASTLE_PATTERNS.find(&position, Color::Black)
        })
        .collect();
    let missing = (0..CASTLES.len()).filter(|row| !rows.contains(row));
    let missing: Vec<_> = missing.map(|row| CASTLES[row].japanese).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// A castle without one of its pieces has another name or none.
#[test]
fn no_piece_of_a_castle_may_be_missing() {
    let full = Position::from_sfen("9/9/4k4/9/9/2PP4P/PPB1PPPP1/2SRG1SK1/LN3G1NL b - 1").unwrap();
    assert_eq!(castle(&full, Color::Black).unwrap().ja, "美濃囲い");
    for (sfen, name) in [
        ("9/9/4k4/9/9/2PP4P/PPB1PPPP1/2SR2SK1/LN3G1NL", Some("片美濃")),
        ("9/9/4k4/9/9/2PP4P/PPB1PPPP1/2SRG2K1/LN3G1NL", None),
        ("9/9/4k4/9/9/2PP4P/PPB1PPPP1/2SRG1S1K/LN3G1NL", None),
        // The silvers of 雁木 before a central rook are another shape.
        ("9/9/4k4/9/9/2P1PP3/PP1S1S1PP/1BG1RK3/LN4GNL", None),
        // The gold is one of the opponent.
        ("9/9/4k4/9/9/2PP4P/PPB1PPPP1/2SR2SK1/LN3g1NL", None),
    ] {
        let position = Position::from_sfen(&format!("{sfen} b - 1")).unwrap();
        assert_eq!(castle(&position, Color::Black).map(|found| found.ja), name, "{sfen}");
    }
}

fn opening(moves: &str) -> Opening {
    let text = format!("startpos moves {moves}\n");
    let game = read(text.as_bytes()).into_games().unwrap_or_else(|bad| panic!("{moves}: {bad}"));
    let line = FoundLine { value: Value::Cp(30), depth: 9, seldepth: 12, pv: Vec::new() };
    let count = game[0].moves().count() + 1;
    let study = Study::of_findings(&game[0], vec![Finding::of_search(vec![line], 900); count]);
    GameReport::new("game.usi", 1, &study, true).opening
}

/// The first moves of games, with the name of the opening and the styles of Black and White.
#[rustfmt::skip]
const OPENING_GAMES: [(&str, &str, [&str; 2]); 29] = [
    ("7g7f 3c3d 2g2f 4c4d 2f2e 2b3c 3i4h 8b4b 5i6h 5a6b 6h7h 6b7b", "四間飛車", ["居飛車", "四間飛車"]),
    ("7g7f 3c3d 6g6f 8c8d 2h6h 8d8e 8h7g 7a6b 5i4h 5a4b", "四間飛車", ["四間飛車", "居飛車"]),
    ("7g7f 8c8d 7f7e 8d8e 2h7h 7a6b 5i4h", "早石田", ["早石田", "居飛車"]),
    ("7g7f 8c8d 7f7e 8d8e 2h7h 7a6b 7h7f", "石田流", ["石田流", "居飛車"]),
    ("7g7f 8c8d 6g6f 8d8e 8h7g 3c3d 2h7h 7a6b", "三間飛車", ["三間飛車", "居飛車"]),
    ("7g7f 3c3d 2g2f 5c5d 2f2e 8b5b 4i5h 5d5e", "ゴキゲン中飛車", ["居飛車", "ゴキゲン中飛車"]),
    ("7g7f 3c3d 5g5f 8c8d 2h5h 7a6b 5f5e", "中飛車", ["中飛車", "居飛車"]),
    ("5g5f 8c8d 7g7f 8d8e 8h7g 3c3d 6g6f 7a6b 2h5h", "中飛車", ["中飛車", "居飛車"]),
    ("7g7f 3c3d 2g2f 4c4d 2f2e 2b3c 3i4h 8b2b", "向かい飛車", ["居飛車", "向かい飛車"]),
    ("7g7f 3c3d 2g2f 8b4b 8h2b+ 3a2b", "角交換四間飛車", ["居飛車", "角交換四間飛車"]),
    // Bishops are exchanged in a fight on the fourth file: that is not 角交換四間飛車.
    ("7g7f 3c3d 2g2f 4c4d 3i4h 8b4b 5g5f 3a3b 5i6h 5a6b 6h7h 6b7b 4i5h 7b8b 2f2e 2b3c 9g9f 7a7b 4g4f \
      4a5b 3g3f 3b4c 6i6h 9c9d 4f4e 4d4e 8h3c+ 2a3c", "四間飛車", ["居飛車", "四間飛車"]),
    ("7g7f 3c3d 6g6f 8c8d 2h6h 8d8e 8h7g 7a6b 3i3h 5a4b 1g1f 4b3b 1f1e 5c5d 6i5h 6a5b 4g4f",
     "藤井システム", ["藤井システム", "居飛車"]),
    ("7g7f 3c3d 6g6f 3d3e 8h7g 8b3b 2h8h", "相振り飛車", ["向かい飛車", "早石田"]),
    ("2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2f", "相掛かり", ["居飛車", "居飛車"]),
    ("2g2f 8c8d 2f2e 8d8e 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f", "相掛かり", ["居飛車", "居飛車"]),
    ("2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 3i3h 7a7b 3h2g 1c1d", "相掛かり棒銀", ["棒銀", "居飛車"]),
    ("7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d 2b3c", "横歩取り",
     ["居飛車", "居飛車"]),
    ("7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i8h 4a3b 6i7h 2b7g+ 8h7g 3a2b", "角換わり", ["居飛車", "居飛車"]),
    ("7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i8h 4a3b 6i7h 2b7g+ 8h7g 3a2b 3i4h 2b3c 4g4f 7a6b 4h4g 6c6d \
      4g5f 6b6c", "角換わり腰掛け銀", ["腰掛け銀", "居飛車"]),
    ("7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i8h 4a3b 6i7h 2b7g+ 8h7g 3a2b 3i3h 2b3c 3h2g 1c1d", "角換わり棒銀",
     ["棒銀", "居飛車"]),
    ("7g7f 3c3d 8h2b+ 3a2b B*4e 6a5b 4e3d 2b3c 3d5f 8c8d 2g2f 8d8e 6i7h 4a3b", "筋違い角", ["居飛車", "居飛車"]),
    ("7g7f 3c3d 2g2f 8c8d 6i7h 2b8h+ 7i8h 3a2b 3i3h", "一手損角換わり", ["居飛車", "居飛車"]),
    ("7g7f 8c8d 7i6h 3c3d 6g6f 7a6b 5g5f 5c5d 3i4h 3a4b 4i5h 4a3b 6i7h 5a4a 5i6i 6a5b 6h7g 4b3c \
      2g2f 4c4d", "相矢倉", ["矢倉", "矢倉"]),
    // The right silver goes to 46, as it does in 早繰り銀.
    ("7g7f 8c8d 7i6h 3c3d 6h7g 7a6b 5g5f 5c5d 3i4h 3a4b 4i5h 4a3b 6i7h 5a4a 5i6i 6a5b 6g6f 7c7d 5h6g 4c4d \
      8h7i 4b3c 3g3f 2b3a 4h3g 3a6d 7i6h 5b4c 6i7i 4a3a 2g2f 3a2b 3g4f", "相矢倉", ["矢倉", "矢倉"]),
    // 脇システム: bishops are exchanged on 46.
    ("7g7f 8c8d 7i6h 3c3d 6h7g 7a6b 5g5f 5c5d 3i4h 3a4b 4i5h 4a3b 6i7h 5a4a 5i6i 6a5b 6g6f 7c7d 5h6g 4c4d \
      8h7i 4b3c 3g3f 2b3a 2g2f 3a6d 7i4f 6d4f 4g4f 5b4c", "相矢倉", ["矢倉", "矢倉"]),
    ("7g7f 3c3d 6g6f 8c8d 7i6h 7a6b 6h6g 8d8e 8h7g 5a4b 6i7h 6a5b 3i4h 1c1d 2g2f", "雁木", ["雁木", "居飛車"]),
    ("7g7f 8c8d 6g6f 6c6d 7i6h 7a6b 5g5f 6b6c 4i5h 6c5d 6i7h 8b6b 6h7g", "矢倉対右四間飛車", ["矢倉", "右四間飛車"]),
    ("7g7f 3c3d 2g2f 4c4d 3i4h 3a4b 3g3f 4b4c 4h3g 8b4b 2h3h 5a6b 5i6h", "四間飛車", ["袖飛車", "四間飛車"]),
    ("2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 3i3h 7a7b 3g3f 9c9d 3h3g 1c1d 3g4f", "相掛かり早繰り銀", ["早繰り銀", "居飛車"]),
];

#[test]
fn openings_are_known_from_games() {
    for (moves, name, styles) in OPENING_GAMES {
        let found = opening(moves);
        assert_eq!(found.name(Language::Japanese).as_deref(), Some(name), "{moves}");
        let said = found.styles.map(|style| style.map(|style| style.ja));
        assert_eq!(said, styles.map(Some), "{moves}");
        assert!(found.name(Language::English).is_some_and(|name| name.is_ascii()), "{moves}");
    }
    let nothing = opening("7g7f 3c3d");
    assert_eq!((nothing.name(Language::Japanese), nothing.styles), (None, [None, None]));
    // A name of its own for two that are both special.
    let two = "7g7f 8c8d 7i6h 3c3d 6g6f 7a6b 5g5f 4c4d 3i4h 3a4b 4i5h 4b4c 6i7h 4a3b 6h7g";
    assert_eq!(opening(two).name(Language::Japanese).as_deref(), Some("矢倉対雁木"));
    assert_eq!(opening(two).name(Language::English).as_deref(), Some("Yagura against Snow Roof"));
}

/// Each row of styles is the one that names some position of these games.
#[test]
fn each_row_of_styles_has_a_game() {
    let (mut styles, mut together) = (HashSet::new(), HashSet::new());
    for (moves, ..) in OPENING_GAMES {
        let text = format!("startpos moves {moves}\n");
        let game = read(text.as_bytes()).into_games().unwrap().remove(0);
        let mut position = game.start().clone();
        for mv in game.moves() {
            position.play_unchecked(mv);
            for player in COLORS {
                styles.extend(STYLE_PATTERNS.find(&position, player));
                together.extend(TOGETHER_PATTERNS.find(&position, player));
            }
        }
    }
    let missing = |shapes: &[Shape], found: &HashSet<usize>| -> Vec<&str> {
        (0..shapes.len())
            .filter(|row| !found.contains(row))
            .map(|row| shapes[row].japanese)
            .collect()
    };
    assert_eq!(missing(&STYLES, &styles), [""; 0]);
    assert_eq!(missing(&TOGETHER, &together), [""; 0]);
}

#[test]
fn conditions_are_read_strictly() {
    for text in ["K28", "k28", "P2x", "B*", "L99"] {
        assert!(Claim::read(text).is_some(), "{text}");
    }
    for text in ["", "K", "K2", "K20", "K02", "X28", "K288", "P0x", "28", "K2y"] {
        assert_eq!(Claim::read(text), None, "{text}");
    }
}
