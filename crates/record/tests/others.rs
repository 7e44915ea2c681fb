//! What other programs need in a file that they read.

use std::time::Duration;

use tsumero_record::{Ending, Format, Game, read, write};

fn game(kif: &str) -> Game {
    read(kif.as_bytes()).into_games().unwrap().remove(0)
}

/// Readers that keep to the schema of JKF refuse a time without the total of the player.
#[test]
fn a_jkf_has_the_total_times_of_both_players_in_every_branch() {
    let game = game(
        "手合割：平手\n1 ７六歩(77) (0:10/)\n2 ３四歩(33) (1:00/)\n3 ２六歩(27) (59:55/)\n4 ８四歩(83)\n\
         5 投了 (0:02/)\n\n変化：3手\n3 ６六歩(67)\n4 ８四歩(83) (2:00/)\n5 ６八銀(79) (0:07/)\n\n\
         変化：2手\n2 ８四歩(83) (0:05/)\n3 ２六歩(27) (0:01/)\n",
    );
    let text = write(&[game], Format::Jkf);
    let mut times: Vec<&str> = text.split("\"time\":").skip(1).collect();
    times.iter_mut().for_each(|time| *time = time.split_once("}}").unwrap().0);
    // A fork stands before the next move of its line.
    let expected = [
        r#"{"now":{"m":0,"s":10},"total":{"m":0,"s":10"#,
        r#"{"now":{"m":1,"s":0},"total":{"m":1,"s":0"#,
        r#"{"now":{"m":0,"s":5},"total":{"m":0,"s":5"#,
        r#"{"now":{"m":0,"s":1},"total":{"m":0,"s":11"#,
        r#"{"now":{"m":59,"s":55},"total":{"h":1,"m":0,"s":5"#,
        r#"{"now":{"m":2,"s":0},"total":{"m":3,"s":0"#,
        r#"{"now":{"m":0,"s":7},"total":{"m":0,"s":17"#,
        r#"{"now":{"m":0,"s":2},"total":{"h":1,"m":0,"s":7"#,
    ];
    assert_eq!(times, expected, "{text}");
}

/// The schema has whole seconds, each header once, and the words of CSA 2.2 for endings.
#[test]
fn a_jkf_keeps_to_the_schema_and_is_read_outside_of_it() {
    const WORDS: [&str; 13] = [
        "TORYO",
        "CHUDAN",
        "SENNICHITE",
        "TIME_UP",
        "ILLEGAL_MOVE",
        "+ILLEGAL_ACTION",
        "JISHOGI",
        "KACHI",
        "HIKIWAKE",
        "MATTA",
        "TSUMI",
        "FUZUMI",
        "ERROR",
    ];
    for ending in Ending::ALL {
        let mut game = game("備考：一\n手合割：平手\n備考：二\n1 ７六歩(77) (0:10.6/)\n");
        let last = game.main_line().last().unwrap();
        let end = game.add_ending(last, ending);
        game.set_time(end, Some(Duration::from_millis(3_661_999)));
        game.add_comment(end, "終わり");
        let text = write(std::slice::from_ref(&game), Format::Jkf);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let objects = json["moves"].as_array().unwrap();
        assert!(WORDS.contains(&objects[2]["special"].as_str().unwrap()), "{text}");
        assert_eq!(objects[1]["time"]["now"]["s"].as_u64(), Some(10), "{text}");
        assert_eq!(objects[2]["time"]["now"], serde_json::json!({"h": 1, "m": 1, "s": 1}));
        assert_eq!(text.matches("備考").count(), 1, "{text}");
        let back = read(text.as_bytes()).into_games().unwrap().remove(0);
        assert_eq!(back.ending(), Some(ending), "{text}");
        let back_end = back.main_line().last().unwrap();
        assert_eq!(back.node(back_end).comments(), ["終わり"], "{text}");
    }
    // A comment that only looks like the name of an ending stays one.
    for ending in [Ending::Draw, Ending::Interrupted, Ending::MaxMoves, Ending::DefaultWin] {
        for words in [
            "最大手数",
            "引き分け",
            "中断 不戦敗",
            "中断 中断",
            "引き分け 最大手数 一",
            "一 最大手数",
        ] {
            let comments: Vec<String> = words.split(' ').map(str::to_owned).collect();
            let mut game = game("手合割：平手\n1 ７六歩(77)\n");
            let last = game.main_line().last().unwrap();
            let end = game.add_ending(last, ending);
            game.set_comments(end, &comments);
            let text = write(std::slice::from_ref(&game), Format::Jkf);
            assert!(read(text.as_bytes()).into_games().unwrap()[0] == game, "{text}");
        }
    }
    let loose = r#"{"header":{"備考":"一","備考":"二"},"moves":[{"comment":"始"},{"special":"MAX_MOVES","time":{"now":{"m":0,"s":1.5}}}]}"#;
    let loose = game(loose);
    assert_eq!((loose.ending(), loose.headers().len()), (Some(Ending::MaxMoves), 2));
    let nodes: Vec<_> = loose.main_line().map(|id| loose.node(id)).collect();
    assert_eq!(nodes[0].comments(), ["始"]);
    assert_eq!(nodes[1].time(), Some(Duration::from_millis(1500)));
}

/// Programs write numbers as strings, and one comment without its list.
#[test]
fn a_jkf_may_have_strings_where_the_schema_has_none() {
    let text = r#"{"header":null,"initial":{"preset":"OTHER","data":{"color":"1","board":BOARD,"hands":[{"FU":"2"},{}]}},
        "moves":[{"comments":"始"},
            {"move":{"color":"1","from":{"x":"5","y":"1"},"to":{"x":"5","y":"2"},"piece":"OU","promote":null},
                "time":{"now":{"m":"1","s":"2.5"}}},
            {"move":{"to":{"x":1,"y":2},"piece":"FU"},"time":{"now":{}}}]}"#;
    let empty = format!("[{}]", ["{}"; 9].join(","));
    let mut files = vec![empty; 9];
    let king = |color: u8| format!("{{\"color\":\"{color}\",\"kind\":\"OU\"}}");
    files[4] = format!("[{},{},{}]", king(1), ["{}"; 7].join(","), king(0));
    let game = game(&text.replace("BOARD", &format!("[{}]", files.join(","))));
    assert_eq!(game.start_sfen(), "4k4/9/9/9/9/9/9/9/4K4 w 2P 1");
    let nodes: Vec<_> = game.main_line().map(|id| game.node(id)).collect();
    assert_eq!(nodes[0].comments(), ["始"]);
    assert_eq!(nodes[1].time(), Some(Duration::from_millis(62_500)));
    assert_eq!((nodes[2].mv().unwrap().to_string(), nodes[2].time()), ("P*1b".to_owned(), None));
}

/// A value that is not understood does not turn a move into another one.
#[test]
fn a_square_and_a_promotion_of_a_jkf_are_read_or_refused() {
    for (mv, reason) in [
        (
            r#""from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU","promote":"true""#,
            "Boolean should stand here, not String",
        ),
        // Without the square that it comes from, it would be a drop.
        (r#""from":"77","to":{"x":5,"y":5},"piece":"KA""#, "Object should stand here, not String"),
    ] {
        let text = format!("{{\"moves\":[{{\"move\":{{{mv}}}}}]}}");
        let bad = read(text.as_bytes()).into_games().unwrap_err();
        assert_eq!(bad.to_string(), format!("1: {reason}"));
    }
}

/// A `まで` line with any other word makes Kifu for JS refuse the whole file.
#[test]
fn a_kif_has_no_last_line_that_other_programs_refuse() {
    const KNOWN: [&str; 9] = [
        "で先手の勝ち",
        "で時間切れにより先手の勝ち",
        "で後手の反則勝ち",
        "で後手の反則負け",
        "で中断",
        "で持将棋",
        "で千日手",
        "で詰",
        "で不詰",
    ];
    let mut without = 0;
    for ending in Ending::ALL {
        let mut game = game("手合割：平手\n1 ７六歩(77)\n");
        let last = game.main_line().last().unwrap();
        game.add_ending(last, ending);
        let text = write(std::slice::from_ref(&game), Format::Kif);
        match text.split_once("まで1手") {
            Some((_, line)) => assert!(KNOWN.contains(&line.trim_end()), "{text}"),
            None => without += 1,
        }
        if ending.kif_word().is_some() {
            let back = read(text.as_bytes()).into_games().unwrap().remove(0);
            assert!(back == game, "{text}");
        }
    }
    assert_eq!(without, 5);
}

#[test]
fn players_of_handicap_games_have_the_names_of_handicap_games() {
    let csa = |start: &str| format!("V2.2\nN+甲\nN-乙\n{start}\n");
    // Lance, even game, and a handicap that is written as a diagram, which is one of an even game.
    let starts = [
        ("PI11KY\n-", ["下手", "上手"]),
        ("PI\n+", ["先手", "後手"]),
        ("PI11KY91KY\n-", ["先手", "後手"]),
    ];
    for (start, [black, white]) in starts {
        let games = read(csa(start).as_bytes()).into_games().unwrap();
        for format in [Format::Kif, Format::Ki2] {
            let text = write(&games, format);
            assert!(text.contains(&format!("{black}：甲\n{white}：乙\n")), "{text}");
            let back = read(text.as_bytes()).into_games().unwrap();
            let again = write(&back, Format::Csa);
            assert!(again.contains("N+甲\nN-乙\n"), "{again}");
        }
    }
}

#[test]
fn a_game_that_was_played_is_that_of_its_text() {
    for text in [
        "startpos",
        "startpos moves 7g7f 3c3d 8h2b+ 3a2b",
        "sfen 4k4/9/4P4/9/9/9/9/9/4K4 w G 7 moves 5a4a G*4b",
    ] {
        let played: tsumero_core::Game = text.parse().unwrap();
        let made = Game::from(&played);
        assert!(made == game(text) && made.notes().is_empty(), "{text}");
        assert_eq!(write(&[made], Format::Usi), format!("position {text}\n"));
    }
}

/// CSA has milliseconds. A time below one needs no version 3, and a header without a name has no line.
#[test]
fn what_csa_cannot_say_is_left_out() {
    let mut game = read("startpos moves 7g7f".as_bytes()).into_games().unwrap().remove(0);
    let last = game.main_line().last().unwrap();
    game.set_time(last, Some(Duration::from_micros(1_000_400)));
    game.set_headers(&[(String::new(), "x".to_owned()), ("棋戦".to_owned(), "y".to_owned())]);
    let csa = write(&[game], Format::Csa);
    assert!(csa.starts_with("V2.2\n") && csa.ends_with("+7776FU\nT1\n"), "{csa}");
    assert!(!csa.contains('x') && csa.contains("$EVENT:y\n"), "{csa}");
    let again = write(&read(csa.as_bytes()).into_games().unwrap(), Format::Csa);
    assert_eq!(again, csa);
}
