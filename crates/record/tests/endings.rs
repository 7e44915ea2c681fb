//! Tests of how games begin and end: handicaps known by name, the words of endings, last lines, fouls, and what stands behind an ending.

mod read_back;

use read_back::is_read_back;
use tsumero_core::PieceKind::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};
use tsumero_core::{Color, Position};
use tsumero_record::{Cursor, Ending, Format, NodeId, NodeKind, read, write};

/// No ending says that the side to move won by a resignation or on time, or that the other one did so by
/// a declaration.
#[test]
fn a_winner_whom_no_ending_names_stays_in_a_comment() {
    for text in [
        "で後手の勝ち",
        "で時間切れにより後手の勝ち",
        "で先手の時間切れ負け",
        "で先手の投了",
        "で先手の入玉勝ち",
        "で持将棋により先手の勝ち",
    ] {
        let line = format!("まで1手{text}");
        let game = &read(format!("▲７六歩\n{line}\n").as_bytes()).into_games().unwrap()[0];
        let last = game.main_line().last().unwrap();
        assert_eq!((game.ending(), game.node(last).comments()), (None, [line].as_slice()));
    }
}

/// The result of a game is that of its last line, whoever is to move.
#[test]
fn the_last_line_names_the_winner_or_the_loser() {
    for (text, ending) in [
        ("で先手の勝ち", Ending::Resign),
        ("、先手勝ち", Ending::Resign),
        ("で投了", Ending::Resign),
        ("で後手の投了", Ending::Resign),
        ("で後手の時間切れ", Ending::Timeout),
        ("で後手の切れ負け", Ending::Timeout),
        ("で先手の不戦勝", Ending::DefaultLoss),
        ("で先手の不戦敗", Ending::DefaultWin),
        ("で後手の不戦勝", Ending::DefaultWin),
        ("で持将棋により後手の勝ち", Ending::Declaration),
        ("で後手の宣言勝ち", Ending::Declaration),
        ("で千日手", Ending::Repetition),
        ("で反則勝ち", Ending::FoulWin),
    ] {
        let file = format!("▲７六歩\nまで、1手{text}\n");
        let game = read(file.as_bytes()).into_games().unwrap().remove(0);
        assert_eq!((game.ending(), game.notes().len()), (Some(ending), 0), "{text}");
    }
    // What the moves say comes first.
    let file = "手合割：平手\n1 ７六歩(77)\n2 反則勝ち\nまで1手で不明\n";
    let game = read(file.as_bytes()).into_games().unwrap().remove(0);
    assert_eq!(game.ending(), Some(Ending::FoulWin));
}

/// Words of programs for which there is no ending of the same meaning.
#[test]
fn a_word_that_says_more_than_an_ending_stays_in_a_comment() {
    for (text, ending, comments) in [
        ("1 ７六歩(77)\n2 トライ (0:01/)", None, ["トライ"].as_slice()),
        ("1 ７六歩(77)\n2 接続切れ (0:01/)", Some(Ending::Timeout), &["接続切れ"]),
        ("▲７六歩\nまで1手でトライ", None, &["まで1手でトライ"]),
        ("▲７六歩\nまで1手でトライにより先手の勝ち", None, &["まで1手でトライにより先手の勝ち"]),
        ("▲７六歩\nまで1手で接続切れ", Some(Ending::Timeout), &["まで1手で接続切れ"]),
        ("1 ７六歩(77)\n2 トライ\nまで1手でトライ", None, &["トライ"]),
        ("1 ７六歩(77)\n2 宣言勝ち", Some(Ending::Declaration), &[]),
        ("1 ７六歩(77)\n2 入玉宣言勝ち", Some(Ending::Declaration), &[]),
        ("▲７六歩\nまで1手で入玉宣言勝ち", Some(Ending::Declaration), &[]),
    ] {
        let game = read(text.as_bytes()).into_games().unwrap().remove(0);
        let last = game.main_line().last().unwrap();
        assert_eq!((game.ending(), game.moves().count()), (ending, 1), "{text}");
        assert_eq!(game.node(last).comments(), comments, "{text}");
        assert_eq!(game.node(last).time().is_some(), ending.is_some() && text.contains("(0:01/)"));
        is_read_back(&game);
    }
    // A branch may begin beside it, in the main line and in a branch, too.
    for text in [
        "1 ７六歩(77)\n2 トライ\n\n変化：2手\n2 ３四歩(33)",
        "▲７六歩\nまで1手でトライ\n\n変化：2手\n△３四歩",
        "1 ７六歩(77)\n2 投了\n\n変化：1手\n1 ２六歩(27)\n2 トライ\n\n変化：2手\n2 ３四歩(33)",
    ] {
        let game = read(text.as_bytes()).into_games().unwrap().remove(0);
        let line = |first| game.line_from(first).map(|id| game.node(id).kind()).collect::<Vec<_>>();
        let [.., first] = game.node(NodeId::ROOT).children() else { panic!("no move: {text}") };
        let [NodeKind::Move(_), NodeKind::Move(reply)] = line(*first)[..] else {
            panic!("{:?} in {text}", line(*first))
        };
        assert_eq!(reply.to_string(), "3c3d", "{text}");
        is_read_back(&game);
    }
    // Nothing is played on, and any other word is an error.
    for text in ["1 ７六歩(77)\n2 トライ\n3 ３四歩(33)", "1 ７六歩(77)\n2 トライト"]
    {
        assert!(read(text.as_bytes()).into_games().is_err(), "{text}");
    }
}

/// The last line of KI2, which many programs write in KIF, too, may be in any words.
#[test]
fn a_last_line_in_other_words_loses_no_game() {
    for (line, ending, comment) in [
        ("まで1手で甲の勝ち", Some(Ending::Resign), None),
        ("まで1手で勝又の勝ち", None, Some("まで1手で勝又の勝ち")), // who cannot have won
        ("まで1手で乙の勝ち", None, Some("まで1手で乙の勝ち")),
        ("まで1手で勝負あり", None, Some("まで1手で勝負あり")),
        ("まで1手", None, None),
        (
            "まで1手で切断により先手の勝ち",
            Some(Ending::Timeout),
            Some("まで1手で切断により先手の勝ち"),
        ),
    ] {
        let text = format!("手合割：平手\n先手：甲\n後手：勝又\n1 ７六歩(77)\n{line}\n");
        let game = read(text.as_bytes()).into_games().unwrap().remove(0);
        let last = game.main_line().last().unwrap();
        assert_eq!((game.ending(), game.moves().count()), (ending, 1), "{line}");
        assert_eq!(game.node(last).comments().first().map(String::as_str), comment, "{line}");
        is_read_back(&game);
    }
    // Where moves may have been lost, it is a fault.
    let bad = read("手合割：平手\n1 ７六歩(77)\nまで3手で勝負あり\n".as_bytes()).into_games();
    assert_eq!(bad.unwrap_err().to_string(), "3: \"で勝負あり\" is no ending");
}

/// 81Dojo tells these endings only in the last comment.
#[test]
fn a_comment_of_81dojo_ends_a_game() {
    for comment in ["時間切れにて終局", "接続切れにて終局"] {
        let text = format!("手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n*{comment}\n");
        let game = read(text.as_bytes()).into_games().unwrap().remove(0);
        assert_eq!((game.ending(), game.moves().count()), (Some(Ending::Timeout), 2), "{comment}");
        is_read_back(&game);
        // Not if the record says otherwise, or the comment stands elsewhere.
        for (from, to, ending) in [
            (format!("*{comment}\n"), format!("*{comment}\n3 投了\n"), Some(Ending::Resign)),
            (format!("*{comment}"), format!("*{comment}だ"), None),
        ] {
            let game = read(text.replace(&from, &to).as_bytes()).into_games().unwrap().remove(0);
            assert_eq!(game.ending(), ending, "{to}");
        }
    }
}

/// Moves may have been lost. A foul may be counted or not.
#[test]
fn a_wrong_number_of_moves_is_noted_and_no_fault() {
    for (text, noted) in [
        ("▲７六歩 △３四歩\nまで2手で中断\n", ""),
        ("▲７六歩 △３四歩\nまで99手で中断\n", "line 2: the number of moves is 2, not 99"),
        ("▲７六歩\nまで2手で中断\n", "line 2: the number of moves is 1, not 2"),
        ("手合割：平手\n1 ７六歩(77)\n2 投了\nまで1手で先手の勝ち\n", ""),
        (
            "手合割：平手\n1 ７六歩(77)\n2 投了\nまで3手で先手の勝ち\n",
            "line 4: the number of moves is 1, not 3",
        ),
        // A game that begins later is counted as its moves are.
        ("手合割：平手\n31 ７六歩(77)\n32 中断\nまで31手で中断\n", ""),
        (
            "手合割：平手\n31 ７六歩(77)\n32 中断\nまで1手で中断\n",
            "line 4: the number of moves is 31, not 1",
        ),
        ("1 ７六歩(77)\n2 ３三角(22)\n3 反則勝ち\nまで1手で後手の反則負け\n", ""),
        ("1 ▲７六歩(77)\n2 △３三角(22)\n3 ▲反則勝ち\nまで1手で後手の反則負け\n", ""),
        ("1 ☗ ７六歩(77)\n2 ☖ ３三角(22)\n3 ☗ 反則勝ち\nまで1手で後手の反則負け\n", ""),
        ("1 ７六歩（77）\n2 ３三角（22）\n3 反則勝ち\nまで1手で後手の反則負け\n", ""),
        ("1 ７六歩(77)\n2 ３三角(22)\n3 反則勝ち\nまで2手で後手の反則負け\n", ""),
        (
            "1 ７六歩(77)\n2 ３四歩(33)\n3 中断\nまで2手で中断\n\n変化：2手\n2 ８四歩(83)\n3 ２六歩(27)\n4 中断\nまで2手で中断\n",
            "line 10: the number of moves is 3, not 2",
        ),
    ] {
        let game = read(text.as_bytes()).into_games().unwrap().remove(0);
        assert_eq!(game.notes().join("|"), noted, "{text}");
        if text.contains("反則勝ち") {
            let last = game.main_line().last().unwrap();
            assert!(game.node(last).comments()[0].ends_with("３三角 2b3c"), "{text}");
        }
        // What is written counts right.
        is_read_back(&game);
        let kif = write(std::slice::from_ref(&game), Format::Kif);
        assert!(read(kif.as_bytes()).into_games().unwrap()[0].notes().is_empty(), "{kif}");
    }
}

/// Only names whose pieces are certain are read. They are written as diagrams.
#[test]
fn a_handicap_may_be_known_by_its_name_alone() {
    for (name, white, hand) in [
        ("トンボ", "4k4/1r5b1/ppppppppp", "-"),
        ("トンボ＋香", "l3k3l/1r5b1/ppppppppp", "-"),
        ("トンボ＋桂香", "ln2k2nl/1r5b1/ppppppppp", "-"),
        ("歩三兵", "4k4/9/9", "3p"),
        ("裸玉", "4k4/9/9", "-"),
    ] {
        let text = format!("手合割：{name}\n1 ４二玉(51)\n2 ７六歩(77)\n");
        let game = read(text.as_bytes()).into_games().unwrap().remove(0);
        let sfen = format!("{white}/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w {hand} 1");
        assert_eq!(game.start_sfen(), sfen, "{name}");
        assert!(write(std::slice::from_ref(&game), Format::Kif).contains("手合割：その他"));
        is_read_back(&game);
    }
    // What White lacks there is in Black's hand here.
    for taken in ["香", "角", "飛車", "飛香", "二枚", "四枚", "六枚", "八枚"] {
        let game = |name: &str| {
            let text = format!("手合割：{taken}{name}\n1 ４二玉(51)\n2 ７六歩(77)\n");
            read(text.as_bytes()).into_games().unwrap().remove(0)
        };
        let (gained, lost) = (game("得"), game("落ち"));
        is_read_back(&gained);
        let [gained, lost] = [gained, lost].map(|game| game.start().clone());
        assert!(gained.pieces().eq(lost.pieces()), "{taken}");
        assert_eq!(gained.side_to_move(), Color::White);
        let whole = Position::startpos();
        for kind in [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook] {
            let on = |position: &Position| {
                position.pieces().filter(|(_, piece)| piece.kind() == kind).count() as u32
            };
            let hands = Color::ALL.map(|color| gained.hand(color).count(kind));
            assert_eq!(hands, [on(&whole) - on(&gained), 0], "{taken} {kind:?}");
        }
    }
    let bad = read("手合割：金得\n".as_bytes()).into_games().unwrap_err();
    assert_eq!(bad.to_string(), "1: the handicap \"金得\" is not known");
}

/// In a handicap game, 先手 may mean either player.
#[test]
fn the_winner_of_a_handicap_game_is_not_called_by_the_names_of_an_even_one() {
    for (start, winner) in [("平手", "先手"), ("香落ち", "上手"), ("三枚落ち", "上手")]
    {
        let kif = format!("手合割：{start}\n   1 ３四歩(33)\n   2 投了\n");
        let kif =
            if start == "平手" { kif.replace("３四歩(33)", "７六歩(77)") } else { kif };
        let games = read(kif.as_bytes()).into_games().unwrap();
        for format in [Format::Kif, Format::Ki2] {
            let text = write(&games, format);
            assert!(text.ends_with(&format!("まで1手で{winner}の勝ち\n")), "{text}");
        }
        is_read_back(&games[0]);
    }
}

#[test]
fn what_follows_an_ending_is_added_beside_it() {
    let mut game =
        read("   1 ７六歩(77)\n   2 中断\n*続く\n".as_bytes()).into_games().unwrap().remove(0);
    let last = game.main_line().last().unwrap();
    game.add_ending(last, Ending::Resign);
    let mut cursor = Cursor::new(&game);
    cursor.go_to(&game, last);
    cursor.play(&mut game, "3c3d".parse().unwrap()).unwrap();
    assert_eq!((game.ending(), game.branches()), (Some(Ending::Interrupted), 2));
    is_read_back(&game);
}

#[test]
fn a_comment_on_an_ending_that_csa_lacks_is_kept() {
    let games = read("   1 ７六歩(77)\n   2 不戦敗\n*理由\n".as_bytes()).into_games().unwrap();
    let csa = write(&games, Format::Csa);
    assert!(csa.ends_with("'*不戦敗\n'*理由\n"), "{csa}");
}

#[test]
fn a_foul_without_its_side_is_the_opponents() {
    let json = r#"{"moves":[{},{"move":{"piece":"FU","from":{"x":7,"y":7},"to":{"x":7,"y":6}}},
        {"special":"ILLEGAL_ACTION"}]}"#;
    assert_eq!(read(json.as_bytes()).into_games().unwrap()[0].ending(), Some(Ending::FoulWin));
}

/// An illegal move is an error, unless the record itself calls it a foul of the player who made it.
#[test]
fn a_csa_ends_before_a_move_that_it_calls_a_foul() {
    for (ending, is_read) in [
        ("\n%ILLEGAL_MOVE", true),
        ("\nT3\n'a comment\n%-ILLEGAL_ACTION", true),
        (",T3,%ILLEGAL_MOVE", true),
        ("\nT3,%illegal_move", true),
        ("\nT3\n\n'a comment, T4, %TORYO\n, %ILLEGAL_MOVE", true),
        ("\nT3,%TORYO\n%ILLEGAL_MOVE", false),
        ("\n'a comment, %ILLEGAL_MOVE", false),
        ("\n%+ILLEGAL_ACTION", false),
        ("\n%TORYO", false),
        ("", false),
    ] {
        let csa = format!("PI\n+\n+7776FU\n-0055FU{ending}\n");
        let games = read(csa.as_bytes()).games;
        match &games[0] {
            Ok(game) => {
                assert_eq!((game.moves().count(), game.ending()), (1, Some(Ending::FoulLoss)));
                let comment = "反則手：-0055FU P*5e";
                assert!(write(std::slice::from_ref(game), Format::Csa).contains(comment));
                is_read_back(game);
            }
            Err(bad) => assert!(bad.to_string().starts_with("4: move 2 -0055FU: "), "{bad}"),
        }
        assert_eq!(games[0].is_ok(), is_read, "{ending}");
    }
}

/// Time and comments are those of the move. A fork beside the move is no fork beside the ending.
#[test]
fn a_jkf_may_have_an_ending_in_the_object_of_a_move() {
    let mv = |from: u8, to: u8| {
        format!(r#""move":{{"from":{{"x":2,"y":{from}}},"to":{{"x":2,"y":{to}}},"piece":"FU"}}"#)
    };
    let (first, second, other) = (mv(7, 6), mv(3, 4), mv(3, 4).replace("\"x\":2", "\"x\":3"));
    let json = format!(
        r#"{{"moves":[{{}},{{{first}}},{{"special":"TORYO","comments":["速い"],{second},
        "time":{{"now":{{"m":0,"s":5}}}},"forks":[[{{{other},"special":"CHUDAN"}}]]}}]}}"#
    );
    let game = read(json.as_bytes()).into_games().unwrap().remove(0);
    assert_eq!((game.moves().count(), game.ending()), (2, Some(Ending::Resign)));
    let nodes: Vec<_> = game.main_line().map(|id| game.node(id)).collect();
    assert_eq!((nodes[2].comments().concat(), nodes[3].comments().len()), ("速い".to_owned(), 0));
    assert_eq!((nodes[2].time().map(|time| time.as_secs()), nodes[3].time()), (Some(5), None));
    let fork = game.line_from(nodes[1].children()[1]).last().unwrap();
    assert_eq!(game.node(fork).kind(), NodeKind::Ending(Ending::Interrupted));
    assert_eq!(game.branches(), 1);
    // An empty word is none, and トライ is a word without an ending.
    let with = |word: &str, next: &str| {
        let json = format!(r#"{{"moves":[{{{first},"special":"{word}"}}{next}]}}"#);
        read(json.as_bytes()).into_games()
    };
    let next = format!(",{{{second}}}");
    for (word, next, comments) in [("", next.as_str(), [].as_slice()), ("トライ", "", &["トライ"])]
    {
        let game = with(word, next).unwrap().remove(0);
        let last = game.node(game.main_line().last().unwrap());
        assert_eq!(game.ending(), None);
        assert_eq!(last.comments(), comments);
    }
    assert!(with("トライ", &next).is_err());
}

/// It makes no node, so its time is not that of the opponent's move before it, nor of the start.
#[test]
fn the_time_of_a_word_without_an_ending_is_left_out() {
    let mv = r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},"#;
    for moves in ["", mv] {
        let word = r#"{"special":"トライ","time":{"now":{"m":0,"s":48}}}"#;
        let json = format!(r#"{{"moves":[{{}},{moves}{word}]}}"#);
        let game = read(json.as_bytes()).into_games().unwrap().remove(0);
        assert!(game.main_line().all(|id| game.node(id).time().is_none()), "{json}");
    }
}

/// KIF and JKF have whole seconds. The totals are sums of these, as another program would compute them.
#[test]
fn fractions_of_seconds_do_not_add_up_in_totals() {
    let csa = "V3.0\nPI\n+\n+7776FU\nT1.7\n-3334FU\nT2.9\n+2726FU\nT1.7\n-8384FU\nT2.9\n";
    let games = read(csa.as_bytes()).into_games().unwrap();
    for format in [Format::Kif, Format::Jkf] {
        let text = write(&games, format);
        let back = read(text.as_bytes()).into_games().unwrap();
        assert_eq!(write(&back, format), text);
    }
}

#[test]
fn a_jkf_ends_before_a_move_that_it_calls_a_foul() {
    const ILLEGAL: Option<&str> = Some("move 2 P*5e: ");
    for (ending, error) in [
        (r#",{"special":"ILLEGAL_MOVE"}"#, None),
        (r#",{"special":"ILLEGAL_ACTION","comments":["why"]}"#, None),
        (r#",{"special":"-ILLEGAL_ACTION"}"#, None),
        (r#",{"special":"+ILLEGAL_ACTION"}"#, ILLEGAL),
        (r#",{"special":"TORYO"}"#, ILLEGAL),
        ("", ILLEGAL),
        (r#",{"special":"ILLEGAL_MOVE"},{"special":"TORYO"}"#, Some("behind the end of the game")),
        (r#",{"special":""}"#, ILLEGAL),
        // In the object of the move.
        (r#","special":"ILLEGAL_MOVE""#, None),
        (r#","special":"TORYO""#, ILLEGAL),
    ] {
        let (inside, behind) = if ending.starts_with(",{") { ("", ending) } else { (ending, "") };
        let json = format!(
            r#"{{"header":{{}},"moves":[{{}},
            {{"move":{{"from":{{"x":7,"y":7}},"to":{{"x":7,"y":6}},"piece":"FU"}}}},
            {{"move":{{"to":{{"x":5,"y":5}},"piece":"FU"}}{inside}}}{behind}]}}"#
        );
        match (&read(json.as_bytes()).games[0], error) {
            (Ok(game), None) => {
                assert_eq!((game.moves().count(), game.ending()), (1, Some(Ending::FoulLoss)));
                let written = write(std::slice::from_ref(game), Format::Jkf);
                assert!(written.contains("反則手：FU P*5e"), "{written}");
                assert_eq!(written.contains("why"), ending.contains("why"));
                is_read_back(game);
            }
            (Err(bad), Some(error)) => assert!(bad.to_string().contains(error), "{bad}"),
            (read, _) => panic!("{ending}: {read:?}"),
        }
    }
}
