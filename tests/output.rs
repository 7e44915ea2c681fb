//! The grammar of what the engine prints, as the strictest of its readers understand it.
//!
//! Three readers judge every line: this one, which follows the way ShogiHome, shoginet and cshogi
//! split lines, and the crates `usi` and `rsshogi-usi`.

use std::collections::HashSet;

/// One line of output.
#[derive(Clone, Debug)]
pub(crate) enum Line {
    /// `info` with a variation or progress.
    Info(Info),
    /// `info string`.
    Note(String),
    /// An answer to a `go`.
    Answer(Answer),
    /// `id`, `option`, `usiok`, `readyok`.
    Handshake(String),
    /// What our own extensions print, and empty lines.
    Other(String),
}

/// What ends a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// `bestmove M [ponder P]`
    Move {
        /// The move.
        best: String,
        /// The expected reply.
        ponder: Option<String>,
    },
    /// `bestmove resign`
    Resign,
    /// `bestmove win`
    Win,
    /// `checkmate M...`
    Checkmate(Vec<String>),
    /// `checkmate nomate`
    NoMate,
    /// `checkmate timeout`
    Timeout,
}

/// A score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Score {
    /// `cp N`
    Centipawns(i64),
    /// `mate N`, N not 0 but for `-0`, which counts as -1 here: a loss.
    Mate(i64),
}

/// An `info` line without text.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Info {
    pub(crate) depth: Option<u64>,
    pub(crate) seldepth: Option<u64>,
    pub(crate) time: Option<u64>,
    pub(crate) nodes: Option<u64>,
    pub(crate) nps: Option<u64>,
    pub(crate) hashfull: Option<u64>,
    pub(crate) multipv: Option<u64>,
    pub(crate) score: Option<Score>,
    /// Whether the score is only a bound.
    pub(crate) bound: bool,
    pub(crate) pv: Vec<String>,
}

impl Line {
    /// Reads a line without its end.
    pub(crate) fn read(text: &str) -> Result<Line, String> {
        if !text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err("not printable ASCII".to_owned());
        }
        if text.ends_with(' ') || text.starts_with(' ') && text.trim().is_empty() {
            return Err("blank at the end".to_owned());
        }
        let words: Vec<&str> = text.split(' ').collect();
        let protocol = matches!(
            words[0],
            "id" | "option" | "info" | "bestmove" | "checkmate" | "usiok" | "readyok"
        );
        if protocol {
            if words.contains(&"") && words.get(1) != Some(&"string") {
                return Err("two blanks".to_owned());
            }
            other_readers(text)?;
        }
        match words[0] {
            "info" if words.get(1) == Some(&"string") => Ok(Line::Note(text.to_owned())),
            "info" => Ok(Line::Info(info(&words[1..])?)),
            "bestmove" => Ok(Line::Answer(best_move(&words[1..])?)),
            "checkmate" => Ok(Line::Answer(checkmate(&words[1..])?)),
            "option" => option(&words).map(|()| Line::Handshake(text.to_owned())),
            "id" if words.len() >= 3 && matches!(words[1], "name" | "author") => {
                Ok(Line::Handshake(text.to_owned()))
            }
            "usiok" | "readyok" if words.len() == 1 => Ok(Line::Handshake(text.to_owned())),
            "id" | "usiok" | "readyok" => Err("malformed".to_owned()),
            _ => Ok(Line::Other(text.to_owned())),
        }
    }

    /// The text of a line that is neither progress nor an answer; empty for those.
    pub(crate) fn text(&self) -> &str {
        match self {
            Line::Handshake(text) | Line::Other(text) | Line::Note(text) => text,
            Line::Info(_) | Line::Answer(_) => "",
        }
    }

    /// Whether the line tells of bad input.
    pub(crate) fn is_error(&self) -> bool {
        matches!(self, Line::Note(text) if text.starts_with("info string Error! "))
    }
}

/// What the two published parsers say.
fn other_readers(text: &str) -> Result<(), String> {
    let command =
        rsshogi_usi::parse_line(text).map_err(|error| format!("rsshogi-usi: {error:?}"))?;
    if let rsshogi_usi::UsiCommand::Info(info) = &command
        && !info.extras.is_empty()
    {
        return Err(format!("rsshogi-usi does not know {:?}", info.extras));
    }
    if let rsshogi_usi::UsiCommand::Extension { name, .. } = &command {
        return Err(format!("rsshogi-usi does not know {name}"));
    }
    rsshogi_usi::validate_portable_command(&command)
        .map_err(|error| format!("rsshogi-usi: {error:?}"))?;
    match usi::EngineCommand::parse(text) {
        Ok(usi::EngineCommand::Unknown) => Err("the crate usi does not know it".to_owned()),
        Ok(_) => Ok(()),
        Err(error) => Err(format!("the crate usi: {error:?}")),
    }
}

fn number(word: Option<&&str>, key: &str) -> Result<u64, String> {
    let word = word.ok_or_else(|| format!("{key} without a number"))?;
    word.parse().map_err(|_| format!("{key} {word} is not a number"))
}

fn is_move(word: &str) -> bool {
    word.parse::<tsumero_core::UsiMove>().is_ok()
}

fn info(words: &[&str]) -> Result<Info, String> {
    let mut info = Info::default();
    let mut seen = HashSet::new();
    let mut rest = words.iter();
    while let Some(&key) = rest.next() {
        if !seen.insert(key) {
            return Err(format!("{key} twice"));
        }
        match key {
            "depth" => info.depth = Some(number(rest.next(), key)?),
            "seldepth" => {
                info.seldepth = Some(number(rest.next(), key)?);
                if info.depth.is_none() {
                    return Err("seldepth without depth before it".to_owned());
                }
            }
            "time" => info.time = Some(number(rest.next(), key)?),
            "nodes" => info.nodes = Some(number(rest.next(), key)?),
            "nps" => info.nps = Some(number(rest.next(), key)?),
            "multipv" => info.multipv = Some(number(rest.next(), key)?),
            "hashfull" => {
                let permille = number(rest.next(), key)?;
                info.hashfull = Some(permille);
                if permille > 1000 {
                    return Err(format!("hashfull {permille}"));
                }
            }
            "score" => info.score = Some(score(rest.next(), rest.next())?),
            "lowerbound" | "upperbound" => {
                info.bound = true;
                if info.score.is_none() || info.pv.is_empty() && rest.len() == 0 {
                    return Err("a bound must stand between the score and other words".to_owned());
                }
            }
            "pv" => {
                info.pv = rest.by_ref().map(|&word| word.to_owned()).collect();
                // Whoever is mated already has no move to show, nor has whoever declares a win.
                let decided = [("resign", Score::Mate(-1)), ("win", Score::Mate(1))];
                let is_said = |(word, score)| info.pv == [word] && info.score == Some(score);
                if decided.into_iter().any(is_said) {
                    info.pv.clear();
                    continue;
                }
                if info.pv.is_empty() || !info.pv.iter().all(|word| is_move(word)) {
                    return Err("pv holds no moves, or other words".to_owned());
                }
            }
            _ => return Err(format!("unknown key {key}")),
        }
    }
    Ok(info)
}

fn score(kind: Option<&&str>, value: Option<&&str>) -> Result<Score, String> {
    let text = value.ok_or("score without a value")?;
    let value: i64 = text.parse().map_err(|_| format!("score {text}"))?;
    match kind {
        Some(&"cp") if value.abs() < 32_000 => Ok(Score::Centipawns(value)),
        Some(&"mate") if value == 0 && *text != "-0" => Err("mate 0".to_owned()),
        Some(&"mate") if value == 0 => Ok(Score::Mate(-1)),
        Some(&"mate") => Ok(Score::Mate(value)),
        _ => Err(format!("score {kind:?} {text}")),
    }
}

fn best_move(words: &[&str]) -> Result<Answer, String> {
    match words {
        ["resign"] => Ok(Answer::Resign),
        ["win"] => Ok(Answer::Win),
        [best] if is_move(best) => Ok(Answer::Move { best: (*best).to_owned(), ponder: None }),
        [best, "ponder", reply] if is_move(best) && is_move(reply) => {
            Ok(Answer::Move { best: (*best).to_owned(), ponder: Some((*reply).to_owned()) })
        }
        _ => Err("malformed bestmove".to_owned()),
    }
}

fn checkmate(words: &[&str]) -> Result<Answer, String> {
    match words {
        ["nomate"] => Ok(Answer::NoMate),
        ["timeout"] => Ok(Answer::Timeout),
        [] => Err("checkmate without a word".to_owned()),
        moves if moves.iter().all(|word| is_move(word)) => {
            Ok(Answer::Checkmate(moves.iter().map(|&word| word.to_owned()).collect()))
        }
        _ => Err("malformed checkmate".to_owned()),
    }
}

/// `option name N type T` and then keys with values, all of them complete for the type.
fn option(words: &[&str]) -> Result<(), String> {
    let ["option", "name", _, "type", kind, pairs @ ..] = words else {
        return Err("not 'option name N type T'".to_owned());
    };
    let [keys, values]: [Vec<&str>; 2] =
        [0, 1].map(|first| pairs.iter().skip(first).step_by(2).copied().collect());
    if keys.len() != values.len() {
        return Err("a key without a value".to_owned());
    }
    let whole = |index: usize| values[index].parse::<i64>().map_err(|_| "not a number".to_owned());
    match (*kind, &keys[..]) {
        ("check", ["default"]) if matches!(values[0], "true" | "false") => Ok(()),
        ("spin", ["default", "min", "max"]) => {
            let (default, min, max) = (whole(0)?, whole(1)?, whole(2)?);
            if (min..=max).contains(&default) {
                Ok(())
            } else {
                Err("default out of range".to_owned())
            }
        }
        ("combo", ["default", vars @ ..]) if vars.iter().all(|key| *key == "var") => {
            if values[1..].contains(&values[0]) {
                Ok(())
            } else {
                Err("default is no var".to_owned())
            }
        }
        ("string" | "filename", ["default"]) => Ok(()),
        ("button", []) => Ok(()),
        _ => Err("fields do not fit the type".to_owned()),
    }
}

#[test]
fn the_grammar_refuses_what_clients_cannot_read() {
    let bad = [
        "info depth 3 score mate 0 pv 7g7f",
        "info depth 3 score mate +",
        "info depth 3 pv 7g7f nodes 3",
        "info seldepth 3 depth 2",
        "info depth 3 score cp 5 lowerbound",
        "info depth 3 tbhits 0",
        "info hashfull 1001",
        "info depth 1 score mate -3 pv resign",
        "info depth 1 score mate -1 pv win",
        "bestmove 7g7f ponder",
        "bestmove 7g7f ",
        "bestmove none",
        "checkmate none",
        "checkmate",
        "usiok ",
        "option name Skill Level type spin default 1 min 0 max 3",
        "option name X type string default",
        "option name X type spin default 9 min 0 max 3",
    ];
    for line in bad {
        assert!(Line::read(line).is_err(), "{line}");
    }
    let good = [
        "",
        "info string Error!  two blanks",
        "info depth 3 seldepth 4 score mate -0",
        "info depth 0 score mate -0 pv resign",
        "info depth 0 score mate 1 pv win",
        "info depth 3 score cp -5 upperbound nodes 3 pv 7g7f P*5e",
        "bestmove win",
        "checkmate P*5e 5d5e 7g7f+",
        "option name X type filename default <empty>",
    ];
    for line in good {
        Line::read(line).unwrap_or_else(|reason| panic!("{line}: {reason}"));
    }
}
