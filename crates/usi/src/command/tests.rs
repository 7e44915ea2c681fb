//! Tests of the reading of commands.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;

fn go(line: &str) -> GoRequest {
    match GuiCommand::parse(line.as_bytes()) {
        GuiCommand::Go(go) => go,
        other => panic!("{line} was read as {other:?}"),
    }
}

fn option(line: &[u8]) -> (String, Option<Vec<u8>>) {
    match GuiCommand::parse(line) {
        GuiCommand::SetOption { name, value } => (name, value),
        other => panic!("read as {other:?}"),
    }
}

#[test]
fn white_space_and_line_ends_do_not_matter() {
    for line in ["usi", "usi\r\n", "  usi\n", "\tusi \t", "\u{feff}usi\n"] {
        assert_eq!(GuiCommand::parse(line.as_bytes()), GuiCommand::Usi, "{line:?}");
    }
    for line in ["", "\r\n", " \t "] {
        assert_eq!(GuiCommand::parse(line.as_bytes()), GuiCommand::Blank, "{line:?}");
    }
    assert_eq!(
        GuiCommand::parse(b"  go\t btime  100\twtime 200  "),
        GuiCommand::parse(b"go wtime 200 btime 100")
    );
}

#[test]
fn what_nobody_knows_is_unknown_and_printable() {
    for line in [&b"USI"[..], b"debug on", b"register later", b"\xff\xfe", b"\0usi", b"\x82\xa0"] {
        match GuiCommand::parse(line) {
            GuiCommand::Unknown(word) => {
                assert!(word.bytes().all(|b| b.is_ascii_graphic()), "{word:?}");
            }
            other => panic!("{line:?} was read as {other:?}"),
        }
    }
    let long = vec![b'x'; 300_000];
    match GuiCommand::parse(&long) {
        GuiCommand::Unknown(word) => assert!(word.len() < 60),
        other => panic!("read as {other:?}"),
    }
}

#[test]
fn only_long_texts_end_in_dots() {
    for length in 0..60 {
        let text = "x".repeat(length);
        let shown = if length <= 48 { text.clone() } else { format!("{}...", &text[..48]) };
        assert_eq!(printable(text.as_bytes()), shown);
    }
    assert_eq!(printable(b"a\xff\0\n"), "a\\xff\\x00\\n");
}

#[test]
fn numbers_saturate_and_are_cut_and_never_lose_the_command() {
    assert_eq!(go("go btime 99999999999999999999999").clock.black_time, Some(u64::MAX));
    assert_eq!(go("go depth 70000000000").depth, Some(u32::MAX));
    assert_eq!(go("go nodes 5000000000").nodes, Some(5_000_000_000));
    assert_eq!(go("go btime -50 wtime +70").clock.black_time, Some(0));
    assert_eq!(go("go btime -50 wtime +70").clock.white_time, Some(70));
    assert_eq!(go("go movetime 0.9 btime 56712").move_time, Some(0));
    assert_eq!(go("go movetime 0.9 btime 56712").clock.black_time, Some(56712));
    assert_eq!(go("go movetime 12.").move_time, Some(12));
    for line in
        ["go depth x", "go depth", "go depth 1e3", "go depth .5", "go depth - 3", "go depth 0x10"]
    {
        assert_eq!(go(line).depth, None, "{line}");
    }
    // A missing number does not swallow the next word.
    assert_eq!(go("go btime wtime 100 byoyomi").clock.white_time, Some(100));
    assert_eq!(go("go depth infinite"), go("go infinite"));
    // The later of two readable numbers counts.
    assert_eq!(go("go depth 3 depth 5 depth x").depth, Some(5));
}

#[test]
fn go_takes_its_words_in_any_order_and_steps_over_others() {
    let all = go("go ponder btime 1 wtime 2 byoyomi 3 binc 4 winc 5");
    assert_eq!(go("go winc 5 foo binc 4 byoyomi 3 wtime 2 bar 9 btime 1 ponder"), all);
    assert_eq!(go("go movestogo 40 depth 3"), go("go depth 3"));
    assert_eq!(go("go"), GoRequest::default());
}

#[test]
fn mate_takes_milliseconds_infinite_or_nothing() {
    assert_eq!(go("go mate 60000").task, GoTask::Mate(MateTime::Milliseconds(60000)));
    assert_eq!(go("go mate infinite").task, GoTask::Mate(MateTime::Infinite));
    assert!(!go("go mate infinite").infinite);
    assert_eq!(go("go mate").task, GoTask::Mate(MateTime::Infinite));
    for line in ["go mate 100 perft 3", "go perft 3 mate", "go perft 3 perft x"] {
        assert_eq!(go(line).task, GoTask::Perft(3), "{line}");
    }
    assert_eq!(go("go mate nodes 7").nodes, Some(7));
}

#[test]
fn searchmoves_ends_at_the_next_known_word() {
    let go = go("go searchmoves 7g7f 2g2f P*5e depth 4");
    assert!(go.search_moves.iter().eq(["7g7f", "2g2f", "P*5e"]));
    assert_eq!(go.depth, Some(4));
}

#[test]
fn option_values_are_taken_whole() {
    assert_eq!(
        option(b"setoption name USI_Hash value 64"),
        ("USI_Hash".into(), Some(b"64".to_vec()))
    );
    assert_eq!(
        option(b"setoption name EvalDir value  C:\\my  eval dir \r\n"),
        ("EvalDir".into(), Some(b"C:\\my  eval dir".to_vec()))
    );
    let path = "評価 関数/nn.bin".as_bytes();
    assert_eq!(option(&[b"setoption name F value ", path].concat()).1.as_deref(), Some(path));
    let cp932 = b"\x95\x5d\x89\xbf\x8a\xd6\x90\x94";
    assert_eq!(
        option(&[b"setoption name F value ", &cp932[..]].concat()).1.as_deref(),
        Some(&cp932[..])
    );
    for line in [
        &b"setoption name F value"[..],
        b"setoption name F value  ",
        b"setoption name F value <empty>",
    ] {
        assert_eq!(option(line), ("F".into(), Some(Vec::new())));
        assert_eq!(GuiCommand::parse(line).to_string(), "setoption name F value <empty>");
    }
    assert_eq!(option(b"setoption name Clear  Hash"), ("Clear Hash".into(), None));
    assert_eq!(option(b"setoption"), (String::new(), None));
    assert_eq!(
        option(b"setoption name F value the value is value").1.as_deref(),
        Some(&b"the value is value"[..])
    );
}

#[test]
fn position_forms() {
    let position = |line: &str| match GuiCommand::parse(line.as_bytes()) {
        GuiCommand::Position { root, moves } => (root, moves),
        other => panic!("{line} was read as {other:?}"),
    };
    assert_eq!(position("position startpos"), (Root::Startpos, words([])));
    assert_eq!(position("position startpos moves "), (Root::Startpos, words([])));
    let words_alone = Root::StartposWithout("move 7g7f".into());
    assert_eq!(position("position startpos  move 7g7f"), (words_alone, words([])));
    let quantum = Root::Quantum("startpos".into());
    assert_eq!(position("position quantum startpos moves 7g7f"), (quantum, words(["7g7f"])));
    assert_eq!(position("position startpos moves 7g7f  3c3d").1, words(["7g7f", "3c3d"]));
    let after_a_word = position("position startpos 0 moves 7g7f");
    assert_eq!(after_a_word, (Root::Startpos, words(["7g7f"])));
    let sfen = Root::Sfen("9/9/9/9/9/9/9/9/9 b 2P".into());
    assert_eq!(position("position sfen 9/9/9/9/9/9/9/9/9  b 2P moves").0, sfen);
    assert_eq!(position("position 9/9/9/9/9/9/9/9/9 b 2P moves P*5e"), (sfen, words(["P*5e"])));
    assert_eq!(position("position"), (Root::Sfen(String::new()), words([])));
}

#[test]
fn words_of_moves_are_kept_in_order() {
    for (given, text) in
        [(&[][..], ""), (&["7g7f"], "7g7f"), (&["7g7f", "3c3d", "x"], "7g7f 3c3d x")]
    {
        let collected: MoveWords = given.iter().map(|word| word.as_bytes()).collect();
        assert_eq!(collected.iter().collect::<Vec<_>>(), given);
        assert_eq!(
            (collected.to_string().as_str(), collected.is_empty()),
            (text, given.is_empty())
        );
    }
}

#[test]
fn clocks_without_time_differ_from_no_clocks() {
    for (line, is_given, is_all_zero) in [
        ("go", false, false),
        ("go nodes 0 movetime 0", false, false),
        ("go btime 0", true, true),
        ("go btime 0 wtime 0 byoyomi 0 binc 0 winc 0", true, true),
        ("go btime 1 wtime 0", true, false),
        ("go btime 0 wtime 1", true, false),
        ("go btime 0 wtime 0 byoyomi 1", true, false),
        ("go btime 0 wtime 0 binc 1", true, false),
        ("go btime 0 wtime 0 winc 1", true, false),
    ] {
        let clock = go(line).clock;
        assert_eq!((clock.is_given(), clock.is_all_zero()), (is_given, is_all_zero), "{line}");
    }
}

fn words<const COUNT: usize>(words: [&str; COUNT]) -> MoveWords {
    words.into_iter().map(str::as_bytes).collect()
}

fn move_words() -> impl Strategy<Value = MoveWords> {
    vec(word(), 0..5).prop_map(|words| words.iter().map(String::as_bytes).collect())
}

/// Commands that take words.
const COMMANDS: [&str; 5] = ["go", "position", "setoption", "ponderhit", "gameover"];

/// Words with a meaning somewhere in the protocol, and numbers at the limits.
const MEANINGFUL: [&str; 34] = [
    "ponder",
    "infinite",
    "btime",
    "wtime",
    "byoyomi",
    "binc",
    "winc",
    "movetime",
    "rtime",
    "depth",
    "nodes",
    "mate",
    "perft",
    "searchmoves",
    "movestogo",
    "moves",
    "go",
    "position",
    "setoption",
    "ponderhit",
    "value",
    "name",
    "startpos",
    "sfen",
    "win",
    "-1",
    "0",
    "+7",
    "1.5",
    "99999999999999999999",
    "7g7f",
    "P*5e",
    "<empty>",
    "stop",
];

fn word() -> impl Strategy<Value = String> {
    "[!-~あ-ん]{1,8}".prop_filter("must not be a keyword", |word| {
        !GO_WORDS.contains(&word.as_bytes())
            && !["value", "name", "moves", "startpos", "sfen", "<empty>"].contains(&word.as_str())
    })
}

fn clock() -> impl Strategy<Value = ClockWords> {
    (
        option::of(any::<u64>()),
        option::of(any::<u64>()),
        option::of(any::<u64>()),
        option::of(any::<u64>()),
        option::of(any::<u64>()),
    )
        .prop_map(|(black_time, white_time, black_increment, white_increment, byoyomi)| {
            ClockWords { black_time, white_time, black_increment, white_increment, byoyomi }
        })
}

fn go_request() -> impl Strategy<Value = GoRequest> {
    let time = prop_oneof![any::<u64>().prop_map(MateTime::Milliseconds), Just(MateTime::Infinite)];
    let task = prop_oneof![
        Just(GoTask::BestMove),
        time.prop_map(GoTask::Mate),
        any::<u32>().prop_map(GoTask::Perft)
    ];
    (
        (any::<bool>(), any::<bool>(), clock(), option::of(any::<u64>()), option::of(any::<u64>())),
        (task, option::of(any::<u32>()), option::of(any::<u64>()), move_words()),
    )
        .prop_map(
            |(
                (ponder, infinite, clock, move_time, random_time),
                (task, depth, nodes, search_moves),
            )| {
                GoRequest {
                    task,
                    ponder,
                    infinite,
                    clock,
                    move_time,
                    random_time,
                    depth,
                    nodes,
                    search_moves,
                }
            },
        )
}

fn command() -> impl Strategy<Value = GuiCommand> {
    let joined = || vec(word(), 1..5).prop_map(|words| words.join(" "));
    let root = prop_oneof![
        Just(Root::Startpos),
        joined().prop_map(Root::Sfen),
        joined().prop_map(Root::Quantum)
    ];
    let result = option::of(prop_oneof![
        Just(GameResult::Win),
        Just(GameResult::Loss),
        Just(GameResult::Draw)
    ]);
    prop_oneof![
        Just(GuiCommand::Usi),
        Just(GuiCommand::IsReady),
        Just(GuiCommand::UsiNewGame),
        Just(GuiCommand::Stop),
        Just(GuiCommand::Quit),
        Just(GuiCommand::Display),
        Just(GuiCommand::Eval),
        Just(GuiCommand::Bench),
        Just(GuiCommand::Blank),
        (
            joined(),
            option::of(prop_oneof![Just(Vec::new()), joined().prop_map(String::into_bytes)])
        )
            .prop_map(|(name, value)| GuiCommand::SetOption { name, value }),
        (root, move_words()).prop_map(|(root, moves)| GuiCommand::Position { root, moves }),
        joined().prop_map(|words| {
            let (root, moves) = (Root::StartposWithout(words), MoveWords::default());
            GuiCommand::Position { root, moves }
        }),
        go_request().prop_map(GuiCommand::Go),
        clock().prop_map(GuiCommand::PonderHit),
        result.prop_map(GuiCommand::GameOver),
    ]
}

proptest! {
    #[test]
    fn a_printed_command_reads_back_as_itself(command in command()) {
        prop_assert_eq!(GuiCommand::parse(command.to_string().as_bytes()), command);
    }

    #[test]
    fn any_bytes_behind_a_command_are_read_and_printing_them_is_stable(
        command in proptest::sample::select(COMMANDS.to_vec()),
        bytes in vec(any::<u8>(), 0..200),
    ) {
        let once = GuiCommand::parse(&[command.as_bytes(), b" ", &bytes].concat());
        let printed = once.to_string();
        prop_assert!(!matches!(once, GuiCommand::Unknown(_)));
        prop_assert_eq!(GuiCommand::parse(printed.as_bytes()).to_string(), printed);
    }

    #[test]
    fn any_bytes_at_all_are_read(bytes in vec(any::<u8>(), 0..200)) {
        if let GuiCommand::Unknown(word) = GuiCommand::parse(&bytes) {
            prop_assert!(word.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' '));
        }
    }

    #[test]
    fn shuffled_protocol_words_never_confuse_the_reader(
        command in proptest::sample::select(COMMANDS.to_vec()),
        words in vec(proptest::sample::select(MEANINGFUL.to_vec()), 0..12),
    ) {
        let once = GuiCommand::parse(format!("{command} {}", words.join(" ")).as_bytes());
        prop_assert_eq!(GuiCommand::parse(once.to_string().as_bytes()), once);
    }
}
