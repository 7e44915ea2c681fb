//! Tests what is told of files that are something else than a game record.

use tsumero_core::Position;
use tsumero_record::read;

/// A file of something else is one error in words, not one for each line.
#[test]
fn what_a_file_is_instead_is_told_in_words() {
    let sfen = Position::startpos().to_sfen();
    for (file, expected) in [
        ("<!DOCTYPE html>\n<p>\n".to_owned(), "1: a page of markup, not a game record"),
        (
            format!("#YANEURAOU-DB2016 1.00\n# mine\nsfen {sfen}\n7g7f 3c3d 25 20 3\n"),
            "1: an opening book, not a game record",
        ),
        (
            format!("{{\"file\":\"a\",\"sfen\":\"{sfen}\",\"lines\":[]}}\n").repeat(3),
            "1: results of tsumero analyze, not a game record",
        ),
        (
            format!("{{\"branches\":0,\"initial\":\"{sfen}\",\"moves\":[\"7g7f\"]}}\n").repeat(2),
            "1: a line of tsumero record: write it with --to jkf or --to usi",
        ),
        (
            format!("{{\"branches\":0,\"initial\":\"{sfen}\",\"moves\":[]}}\n"),
            "1: a line of tsumero record: write it with --to jkf or --to usi",
        ),
        ("{\"moves\":[{}".to_owned(), "1: no JSON: it ends too early"),
        ("{\"moves\":[{}]}\n{\n".to_owned(), "1: no JSON: something follows its end"),
        ("{\"moves\":[{} {}]}".to_owned(), "1: no JSON: missing comma"),
    ] {
        let games = read(file.as_bytes()).games;
        let told: Vec<String> =
            games.iter().map(|game| game.as_ref().unwrap_err().to_string()).collect();
        assert_eq!(told, [expected], "{file}");
    }
    // Some programs write the first position of a JKF in other words, which are left out.
    for moves in ["{}", ""] {
        let file = format!("{{\"initial\":\"even\",\"moves\":[{moves}]}}");
        assert!(read(file.as_bytes()).into_games().is_ok(), "{file}");
    }
}

/// EUC-JP, for which there is no mark. Read as Shift_JIS it is no game, or one with a line that means nothing.
#[test]
fn a_file_in_another_encoding_is_told_how_to_save_it() {
    let expected = "neither UTF-8 nor Shift_JIS: save it as UTF-8";
    for (text, line) in [
        ("手合割：平手\n   1 ２六歩(27)\n", 1),
        ("先手：甲乙\n後手：丙\n   1 ７六歩(77)\n", 3),
        ("▲７六歩△３四歩▲２六歩\n", 1),
    ] {
        let (bytes, ..) = encoding_rs::EUC_JP.encode(text);
        let bad = read(&bytes).into_games().unwrap_err();
        assert_eq!(bad.to_string(), format!("{line}: {expected}"), "{text}");
    }
    // A name is cut, but a move is what cannot be read.
    let csa = b"V2.2\nN+\x8d\x62\x89\nN-\x89\xb3\nPI\n+\n+7776FU\n-8899KA\n";
    let bad = read(csa).into_games().unwrap_err().to_string();
    assert!(bad.starts_with("7: "), "{bad}");
    // In Shift_JIS, such a line is only bad.
    let (bytes, ..) = encoding_rs::SHIFT_JIS.encode("手合割：平手\nこれは棋譜ではない\n");
    let bad = read(&bytes).into_games().unwrap_err();
    assert!(!bad.to_string().contains(expected), "{bad}");
}
