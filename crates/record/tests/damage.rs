//! Tests with damaged files and random games: nothing panics, every game that is read is legal, and
//! every game that is written is read back.

mod read_back;

use std::path::Path;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use read_back::is_read_back;
use tsumero_core::Position;
use tsumero_record::{Cursor, Ending, Format, Game, NodeId, read, write};

/// Damages a file: changes, doubles and removes bytes, copies a piece to another place, or cuts off the end.
fn damage(bytes: &mut Vec<u8>, random: &mut SmallRng) {
    for _ in 0..random.random_range(1..4) {
        if bytes.is_empty() {
            return;
        }
        let at = random.random_range(0..bytes.len());
        match random.random_range(0..6) {
            0 => bytes[at] = random.random(),
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, bytes[at]),
            3 => bytes.truncate(at),
            4 => {
                let from = random.random_range(0..bytes.len());
                let piece = bytes[from..(from + 40).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                let end = (at + random.random_range(1..60)).min(bytes.len());
                bytes.drain(at..end);
            }
        }
    }
}

#[test]
fn damaged_files_are_refused_or_read_but_never_a_surprise() {
    let mut random = SmallRng::seed_from_u64(1);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let folders = ["real", "made", "bad"].map(|folder| data.join(folder).read_dir().unwrap());
    let mut files: Vec<_> =
        folders.into_iter().flatten().map(|file| file.unwrap().path()).collect();
    files.sort();
    let rounds = if cfg!(debug_assertions) { 3 } else { 15 };
    let (mut refused, mut kept) = (0, 0);
    for file in files {
        let original = std::fs::read(&file).unwrap();
        if original.len() > 30_000 {
            continue;
        }
        for _ in 0..rounds {
            let mut bytes = original.clone();
            damage(&mut bytes, &mut random);
            let reading = read(&bytes);
            assert!(!reading.games.is_empty());
            for game in reading.games {
                match game {
                    Ok(game) => {
                        kept += 1;
                        is_read_back(&game);
                    }
                    Err(bad) => {
                        refused += 1;
                        assert!((1..=bytes.len() + 1).contains(&bad.line), "{bad}");
                        assert!(!bad.reason.is_empty() && !bad.reason.contains('\n'), "{bad}");
                    }
                }
            }
        }
    }
    assert!(refused > rounds * 20 && kept > rounds * 20, "{refused} refused, {kept} read");
}

/// A random game with random branches, endings, comments and times.
fn random_game(random: &mut SmallRng) -> Game {
    let starts = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        // Many pieces of a kind go to the same squares.
        "4k4/9/3+r1+B3/2g3g2/2+P+P1+P+P2/9/2+s+s1+S+S2/3+b1+R3/4K4 b 2G2N2L2Pn2p 1",
    ];
    let start = starts[random.random_range(0..starts.len())];
    let mut game = Game::new(Position::from_sfen(start).unwrap());
    let mut cursor = Cursor::new(&game);
    let mut nodes = vec![NodeId::ROOT];
    for _ in 0..random.random_range(1..5) {
        cursor.go_to(&game, nodes[random.random_range(0..nodes.len())]);
        for _ in 0..random.random_range(1..60) {
            let moves = cursor.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.random_range(0..moves.len())];
            let node = cursor.play(&mut game, mv.to_usi()).unwrap();
            nodes.push(node);
            if random.random_ratio(1, 10) {
                game.add_comment(node, "コメント\n\n▲７六歩：まで3手で");
            }
        }
        if random.random_ratio(1, 2) {
            game.add_ending(cursor.node(), Ending::ALL[random.random_range(0..14)]);
        }
    }
    game
}

#[test]
fn random_games_are_read_back_from_every_format() {
    let mut random = SmallRng::seed_from_u64(2);
    let rounds = if cfg!(debug_assertions) { 20 } else { 300 };
    for _ in 0..rounds {
        let game = random_game(&mut random);
        is_read_back(&game);
        for format in [Format::Kif, Format::Ki2, Format::Jkf] {
            let back = read(write(std::slice::from_ref(&game), format).as_bytes());
            assert!(back.into_games().unwrap()[0] == game, "{format}");
        }
    }
}

/// Files of several games, some of them without headers, moves or endings.
#[test]
fn several_random_games_are_read_back_from_one_file() {
    let mut random = SmallRng::seed_from_u64(3);
    let rounds = if cfg!(debug_assertions) { 10 } else { 150 };
    for _ in 0..rounds {
        let games: Vec<Game> = (0..random.random_range(2..6))
            .map(|_| {
                let mut game = random_game(&mut random);
                if random.random_ratio(1, 3) {
                    game = Game::new(game.start().clone());
                    if random.random_ratio(1, 2) {
                        game.add_comment(NodeId::ROOT, "手合割：平手");
                    }
                }
                for (name, value) in [("開始日時", "2026/11/28"), ("先手", "甲"), ("備考", "")]
                {
                    if random.random_ratio(1, 2) {
                        game.add_header(name, value);
                    }
                }
                game
            })
            .collect();
        for format in [Format::Kif, Format::Ki2, Format::Jkf] {
            let text = write(&games, format);
            let back = read(text.as_bytes()).into_games();
            let back = back.unwrap_or_else(|bad| panic!("{format}: {bad}\n{text}"));
            assert!(back == games, "{format}:\n{text}");
        }
    }
}

/// A main line of so many plies with a branch at every one of them.
#[test]
fn long_games_with_branches_everywhere_take_no_quadratic_time() {
    let shuffle = ["5i5h", "5a5b", "5h5i", "5b5a"];
    let mut game = Game::new(Position::startpos());
    let mut cursor = Cursor::new(&game);
    let mut line = vec![NodeId::ROOT];
    for ply in 0..10_000 {
        line.push(cursor.play(&mut game, shuffle[ply % 4].parse().unwrap()).unwrap());
    }
    for &node in line[..10_000].iter().rev() {
        cursor.go_to(&game, node);
        let other = if cursor.position().side_to_move().index() == 0 { "9g9f" } else { "9c9d" };
        cursor.play(&mut game, other.parse().unwrap()).unwrap();
    }
    assert_eq!(game.branches(), 10_000);
    let started = std::time::Instant::now();
    for format in [Format::Kif, Format::Ki2, Format::Jkf] {
        let back = read(write(std::slice::from_ref(&game), format).as_bytes());
        assert!(back.into_games().unwrap()[0] == game, "{format}");
    }
    // A second in an optimized build; a quadratic algorithm takes minutes.
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

/// Branches inside branches, nested deeper than any call stack.
#[test]
fn branches_may_lie_in_branches_without_end() {
    let shuffle = ["5i5h", "5a5b", "5h5i", "5b5a"];
    let mut game = Game::new(Position::startpos());
    let mut cursor = Cursor::new(&game);
    for ply in 0..5000 {
        let here = cursor.node();
        let other = if ply % 2 == 0 { "9g9f" } else { "9c9d" };
        cursor.play(&mut game, other.parse().unwrap()).unwrap();
        cursor.go_to(&game, here);
        cursor.play(&mut game, shuffle[ply % 4].parse().unwrap()).unwrap();
    }
    for format in [Format::Kif, Format::Ki2, Format::Jkf] {
        let back = read(write(std::slice::from_ref(&game), format).as_bytes());
        assert!(back.into_games().unwrap()[0] == game, "{format}");
    }
}

#[test]
fn other_texts_are_no_games() {
    let refused = |text: &str, line: usize| {
        let games = read(text.as_bytes()).games;
        let [Err(bad)] = games.as_slice() else { panic!("{text:?} is read") };
        assert_eq!(bad.line, line, "{text:?}: {}", bad.reason);
    };
    refused("", 1);
    refused(" \n\n\t\n", 1);
    refused("Error: file not found\nCaused by: the network\n", 1);
    refused("拝啓：お元気ですか。\n敬具", 1);
    refused("{\"a\": 1}", 1);
    refused("[]", 1);
    refused("{\"moves\":\n[{},\n{\"move\":{\"piece\":\"FU\"}}]}", 3);
    refused("手合割：平手\n先手：甲\nこれは棋譜ではない\n", 3);
    refused("手合割：七枚落ち\n", 1);
    refused("手合割：平手\n   1 ７六歩(77)\n変化：1\n", 3);
    refused("手合割：平手\n   1 ７六歩(77)   ( 0:0", 2);
    refused("手合割：平手\n   1 ７六歩(77)\n   3 ３四歩(33)\n", 3);
    refused("手合割：平手\n1. ７六歩(77) ( 0:01/00:00:01)\n", 2);
    refused("手合割：平手\n1 ▲７六歩(77)\n2 ▲３四歩(33)\n", 3);
    refused("手合割：平手\n18446744073709551615 ７六歩(77)\n1 ３四歩(33)\n", 3);
    refused("▲７六歩\nまで2手で後手の勝ち\n", 2);
    refused("V2.2\nPI\n+\n+7776FU\n-3334\n", 5);
    refused("V2.2\nPI\n+\n%TORYO\n+7776FU\n", 5);
    refused("V2.2\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n+\n", 3);
    refused("P-51OU\nP+59OU00AL\nP-00AL\n+\n", 3);
    refused("\u{feff}\u{0}\u{1}", 1);
    let utf16 = read(b"\xff\xfe+\x007\x00");
    let error = utf16.games[0].as_ref().unwrap_err();
    assert_eq!(error.to_string(), "1: UTF-16: save it as UTF-8 or Shift_JIS");
}

#[test]
fn what_people_type_is_read() {
    let moves = |text: &str| {
        let game =
            read(text.as_bytes()).into_games().unwrap_or_else(|bad| panic!("{text:?}: {bad}"));
        game[0].moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
    };
    for text in [
        "1 76歩(77)\n2 34歩(33)",
        "手数----指手--\r\n   1 ７六歩(77)+\r\n   2 ３四歩(33) ( 0:01/) \r\n",
        "手合割：平手\n盤面回転\n１ ７六歩(77) ( 0:01/)\n２手目 ３四歩(33) ( 0:02/)\n",
        "   7 ７六歩(77)\n   8 ３四歩(33)\n   9 投了\n",
        "1 ７六歩（77）（0:01/）\n2 ３四歩（33）（0:01/）\n3 投了（0:01/）\n",
        "１ ７六歩(77)\n２ ３四歩(33)\n変化：２手\n２ ８四歩(83)\n",
        "手合割：\n先手：\n1 ７六歩 (77) (0:01/)\n2 ３四歩  （33）\n",
        "手合割：\n▲７六歩△３四歩",
        "1 ▲７六歩(77) (0:01/)\n2 △３四歩(33)\n3 ▲投了\n",
        "1 ☗７六歩(77)\n2 ☖ ３四歩(33)",
        "☗７六歩☖３四歩",
        "先手：甲\n▲７六歩　　△3四歩 ▲投了",
        " v2\n pi\n +\n +7776fu , t1\n -3334fu",
        "+7776FU\n-3334FU",
        "startpos moves 7g7f 3c3d resign",
        "{\"moves\":[{},{\"move\":{\"piece\":\"FU\",\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6}}},\
         {\"move\":{\"piece\":\"FU\",\"from\":{\"x\":3,\"y\":3},\"to\":{\"x\":3,\"y\":4}}}]}",
    ] {
        assert_eq!(moves(text), "7g7f 3c3d", "{text:?}");
    }
}
