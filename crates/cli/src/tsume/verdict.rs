//! What is said of a problem: the verdict in one line, every finding in a line of its own, and JSON.

use serde::Serialize;
use tsumero_core::{Move, Position, Square, notation};
use tsumero_mate::MateUnknown;
use tsumero_mate::tsume::{Judge, Lenience, Report, Rules, SecondSolution, Solution, Variation};

use crate::language::{Language, counted};

/// The verdict on a problem.
pub(super) enum Finding {
    Sound {
        solution: Solution,
        /// The number of moves of the given line before the first one that is not best. An error: this was too
        /// hard to say.
        first_wrong: Result<Option<u32>, MateUnknown>,
        idle: Result<Vec<Square>, MateUnknown>,
    },
    /// A second check mates after the line.
    Second {
        line: Vec<Move>,
        other: Move,
    },
    /// It is a mate in another number of plies.
    OtherLength {
        length: u32,
        claimed: u32,
    },
    NoMate,
    Unknown(MateUnknown),
}

impl Finding {
    /// The verdict in one line.
    pub(super) fn text(&self, position: &Position, language: Language) -> String {
        match language {
            Language::English => self.english(),
            Language::Japanese => self.japanese(position),
        }
    }

    fn english(&self) -> String {
        match self {
            Finding::Sound { solution, first_wrong, idle } => {
                let mut parts = vec!["sound".to_owned()];
                match first_wrong {
                    Ok(None) => {}
                    Ok(Some(ply)) => parts.push(format!("given line fails at move {}", ply + 1)),
                    Err(why) => parts.push(format!("given line unknown {}", why.word())),
                }
                parts.extend(remarks(idle.as_ref().map_err(|&why| why), solution));
                parts.join("; ")
            }
            Finding::Second { line, other } => {
                let all: Vec<Move> = line.iter().chain([other]).copied().collect();
                format!("second solution {}", moves(&all))
            }
            Finding::OtherLength { length, claimed } if length < claimed => {
                format!("shorter {length}")
            }
            Finding::OtherLength { length, .. } => format!("longer {length}"),
            Finding::NoMate => "no mate".to_owned(),
            Finding::Unknown(why) => format!("unknown {}", why.word()),
        }
    }

    fn japanese(&self, position: &Position) -> String {
        match self {
            Finding::Sound { solution, first_wrong, idle } => {
                let mut parts = vec![format!("完全作（{}手詰）", solution.line.len())];
                match first_wrong {
                    Ok(None) => {}
                    Ok(Some(ply)) => parts.push(format!("作意に誤り：{}手目", ply + 1)),
                    Err(why) => parts.push(format!("作意は未判定（{}）", reason(*why))),
                }
                match idle {
                    Ok(idle) if idle.is_empty() => {}
                    Ok(idle) => {
                        let squares: Vec<String> = idle.iter().map(|&at| square(at)).collect();
                        parts.push(format!("不要駒：{}", squares.join(" ")));
                    }
                    Err(why) => parts.push(format!("不要駒は未判定（{}）", reason(*why))),
                }
                if solution.left_in_hand > 0 {
                    parts.push(format!("駒余り：{}枚", solution.left_in_hand));
                }
                parts.join("；")
            }
            Finding::Second { line, other } => {
                let number = line.len() + 1;
                format!("余詰あり：{number}手目 {}", japanese_move(position, line, *other))
            }
            Finding::OtherLength { length, claimed } if length < claimed => {
                format!("早詰（{claimed}手ではなく{length}手）")
            }
            Finding::OtherLength { length, claimed } => {
                format!("手数違い（{claimed}手ではなく{length}手）")
            }
            Finding::NoMate => "不詰".to_owned(),
            Finding::Unknown(why) => format!("未判定（{}）", reason(*why)),
        }
    }

    /// The solution of a sound problem.
    pub(super) fn into_solution(self) -> Option<Vec<Move>> {
        match self {
            Finding::Sound { solution, .. } => Some(solution.line),
            _ => None,
        }
    }
}

/// Moves as USI writes them.
pub(super) fn moves(line: &[Move]) -> String {
    words(line).join(" ")
}

fn words(line: &[Move]) -> Vec<String> {
    line.iter().map(ToString::to_string).collect()
}

/// Remarks on a sound problem.
pub(super) fn remarks(idle: Result<&Vec<Square>, MateUnknown>, solution: &Solution) -> Vec<String> {
    let mut remarks = Vec::new();
    match idle {
        Ok(idle) if idle.is_empty() => {}
        Ok(idle) => {
            let squares: Vec<String> = idle.iter().map(ToString::to_string).collect();
            remarks.push(format!("idle {}", squares.join(" ")));
        }
        Err(why) => remarks.push(format!("idle unknown {}", why.word())),
    }
    if solution.left_in_hand > 0 {
        remarks.push(format!("left in hand {}", solution.left_in_hand));
    }
    remarks
}

/// Why something could not be decided, in Japanese.
const fn reason(why: MateUnknown) -> &'static str {
    match why {
        MateUnknown::Time => "時間の上限",
        MateUnknown::Nodes => "ノード数の上限",
        MateUnknown::Memory => "メモリ不足",
        MateUnknown::Depth => "手順が長すぎる",
        MateUnknown::Stopped => "中断",
        // The reasons of `MateUnknown` may become more.
        _ => "プログラムの誤り",
    }
}

/// A square as Japanese moves name it.
fn square(square: Square) -> String {
    let file = "１２３４５６７８９".chars().nth(square.file().index());
    let rank = "一二三四五六七八九".chars().nth(square.rank().index());
    file.into_iter().chain(rank).collect()
}

/// A move in the notation of books, after a line from the position.
fn japanese_move(position: &Position, line: &[Move], mv: Move) -> String {
    let mut here = position.clone();
    line.iter().for_each(|&mv| here.play_unchecked(mv));
    notation::japanese(&here, mv, line.last().copied())
}

/// What is no second solution, but worth knowing.
pub(super) struct Remarks {
    variations: Result<Vec<Variation>, MateUnknown>,
    futile: Result<Vec<(u32, Move)>, MateUnknown>,
    /// The length without futile interpositions.
    length: Result<u32, MateUnknown>,
}

impl Remarks {
    pub(super) fn of(judge: &mut Judge, position: &Position, report: &Report) -> Remarks {
        let line = &report.solution.line;
        let futile = judge.futile(position, line);
        // Behind futile interpositions the rules have longer lines than tradition.
        let variations = if line.len() as u32 == report.exact_length {
            judge.variations(position, line)
        } else {
            Ok(Vec::new())
        };
        let is_futile = |variation: &Variation| {
            let this = (variation.ply, variation.mv);
            futile.as_ref().is_ok_and(|futile| futile.contains(&this))
        };
        let variations = variations
            .map(|variations| variations.into_iter().filter(|one| !is_futile(one)).collect());
        let length = judge.length_without_futile(position, report.exact_length);
        Remarks { variations, futile, length }
    }

    /// A line for each finding.
    pub(super) fn lines(
        &self,
        position: &Position,
        report: &Report,
        language: Language,
    ) -> Vec<String> {
        let teller = Teller { position, line: &report.solution.line, language };
        let mut lines = vec![teller.solution(report.exact_length)];
        let second = report.second.iter().map(|second| teller.second(second, report.rules));
        lines.extend(second);
        lines.extend(report.elsewhere.iter().map(|(line, mv)| teller.elsewhere(line, *mv)));
        let last = teller.line.len().saturating_sub(1) as u32;
        lines.extend(
            report
                .last
                .iter()
                .map(|&mv| teller.at(last, mv, ["last-move choice", "最終手余詰"], String::new())),
        );
        lines.extend(self.variation_lines(&teller));
        lines.extend(self.futile_lines(&teller, report.exact_length));
        lines.extend(report.undecided.iter().map(|&(ply, mv, why)| {
            teller.at(ply, mv, ["undecided", "未判定"], teller.note(why.word(), reason(why)))
        }));
        if let Some(why) = report.elsewhere_unknown {
            lines.push(teller.unknown("other longest lines", "変化", why));
        }
        lines.into_iter().map(|line| format!("  {line}")).collect()
    }

    fn variation_lines(&self, teller: &Teller<'_>) -> Vec<String> {
        const NAMES: [&str; 2] = ["equal-length variation", "変化同手数"];
        let variations = match &self.variations {
            Ok(variations) => variations,
            Err(why) => return vec![teller.unknown(NAMES[0], NAMES[1], *why)],
        };
        // Those at one place that leave as many pieces stand together.
        let mut variations = variations.clone();
        variations.sort_by_key(|one| (one.ply, one.left_in_hand));
        let together = variations
            .chunk_by(|one, other| (one.ply, one.left_in_hand) == (other.ply, other.left_in_hand));
        let text = |together: &[Variation]| {
            let Variation { ply, left_in_hand: left, .. } = together[0];
            let note = match left {
                0 => String::new(),
                _ => teller.note(&format!("{left} left in hand"), &format!("駒余り{left}枚")),
            };
            let moves: Vec<String> = together.iter().map(|one| teller.mv(ply, one.mv)).collect();
            teller.placed(ply, NAMES, &moves.join(" "), &note)
        };
        together.map(text).collect()
    }

    /// The futile interpositions, those at one place in one line, and the length without them.
    fn futile_lines(&self, teller: &Teller<'_>, exact_length: u32) -> Vec<String> {
        const NAMES: [&str; 2] = ["futile interposition", "無駄合"];
        let mut lines = Vec::new();
        match &self.futile {
            Ok(futile) => {
                for together in futile.chunk_by(|one, other| one.0 == other.0) {
                    let ply = together[0].0;
                    let moves: Vec<String> =
                        together.iter().map(|&(_, mv)| teller.mv(ply, mv)).collect();
                    lines.push(teller.placed(ply, NAMES, &moves.join(" "), ""));
                }
            }
            Err(why) => lines.push(teller.unknown(NAMES[0], NAMES[1], *why)),
        }
        if let Ok(length) = self.length
            && length < exact_length
        {
            lines.push(match teller.language {
                Language::English => {
                    let length = counted(length.into(), "ply", "plies");
                    format!("{length} without futile interpositions, {exact_length} by the rules")
                }
                Language::Japanese => {
                    format!("無駄合を数えずに{length}手、規則どおりに数えて{exact_length}手")
                }
            });
        }
        lines
    }
}

/// Says in a language what was found along a line.
struct Teller<'a> {
    position: &'a Position,
    line: &'a [Move],
    language: Language,
}

impl Teller<'_> {
    fn choose<'t>(&self, [english, japanese]: [&'t str; 2]) -> &'t str {
        match self.language {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }

    /// A move after so many moves of the line.
    fn mv(&self, ply: u32, mv: Move) -> String {
        self.mv_after(&self.line[..ply as usize], mv)
    }

    fn mv_after(&self, line: &[Move], mv: Move) -> String {
        match self.language {
            Language::English => mv.to_string(),
            Language::Japanese => japanese_move(self.position, line, mv),
        }
    }

    fn moves(&self, line: &[Move]) -> String {
        let each = line.iter().enumerate().map(|(ply, &mv)| self.mv_after(&line[..ply], mv));
        each.collect::<Vec<_>>().join(" ")
    }

    fn note(&self, english: &str, japanese: &str) -> String {
        match self.language {
            Language::English => format!(", {english}"),
            Language::Japanese => format!("（{japanese}）"),
        }
    }

    /// `move 3: NAME MOVE NOTE`.
    fn placed(&self, ply: u32, names: [&str; 2], moves: &str, note: &str) -> String {
        let number = ply + 1;
        let name = self.choose(names);
        match self.language {
            Language::English => format!("move {number}: {name} {moves}{note}"),
            Language::Japanese => format!("{number}手目：{name} {moves}{note}"),
        }
    }

    fn at(&self, ply: u32, mv: Move, names: [&str; 2], note: String) -> String {
        self.placed(ply, names, &self.mv(ply, mv), &note)
    }

    fn unknown(&self, english: &str, japanese: &str, why: MateUnknown) -> String {
        match self.language {
            Language::English => format!("{english}: unknown {}", why.word()),
            Language::Japanese => format!("{japanese}：未判定（{}）", reason(why)),
        }
    }

    fn solution(&self, exact_length: u32) -> String {
        let length = self.line.len();
        let moves = self.moves(self.line);
        let name = self.choose(["solution", "本手順"]);
        let by_rules = if length as u32 == exact_length {
            String::new()
        } else {
            let japanese = format!("無駄合を数えると{exact_length}手");
            self.note(&format!("{exact_length} with futile interpositions"), &japanese)
        };
        match self.language {
            Language::English => format!("{name} in {length}{by_rules}: {moves}"),
            Language::Japanese => format!("{name}（{length}手）{by_rules}：{moves}"),
        }
    }

    /// By tradition, what it forgives is no second solution.
    fn second(&self, second: &SecondSolution, rules: Rules) -> String {
        let why = second.lenience.map(|lenience| match lenience {
            Lenience::Detour => ["detour", "迂回手順"],
            Lenience::Promotion => ["promotion without difference", "成不成非限定"],
            Lenience::Distance => ["drop from any distance", "打ち場所非限定"],
        });
        let (name, note) = match (why, rules) {
            (None, _) => (["second solution", "余詰"], String::new()),
            (Some(why), Rules::Traditional) => (why, String::new()),
            (Some(why), Rules::Strict) => (["second solution", "余詰"], self.note(why[0], why[1])),
        };
        let plies = second.plies;
        let length = if second.is_exact {
            self.note(&counted(plies.into(), "ply", "plies"), &format!("{plies}手"))
        } else {
            let most = counted(plies.into(), "ply", "plies");
            self.note(&format!("at most {most}"), &format!("{plies}手以内"))
        };
        self.at(second.ply, second.mv, name, length + &note)
    }

    fn elsewhere(&self, line: &[Move], mv: Move) -> String {
        let number = line.len() + 1;
        let mv = self.mv_after(line, mv);
        if line.is_empty() {
            return self.placed(0, ["second solution", "余詰"], &mv, "");
        }
        let moves = self.moves(line);
        match self.language {
            Language::English => format!("move {number} after {moves}: second solution {mv}"),
            Language::Japanese => format!("{number}手目（変化 {moves}）：余詰 {mv}"),
        }
    }
}

/// The JSON line of a problem. What is rarely there is left out where it is not.
#[derive(Default, Serialize)]
struct JsonLine {
    sound: bool,
    plies: Option<u32>,
    line: Vec<String>,
    second: Vec<JsonSecond>,
    last: Vec<String>,
    /// By tradition: second solutions that are forgiven.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forgiven: Vec<JsonSecond>,
    /// Second solutions on other longest lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elsewhere: Vec<JsonElsewhere>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    undecided: Vec<JsonUndecided>,
    /// The length by the rules, if that by tradition is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies_by_rules: Option<u32>,
    /// The claimed length, if it is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    claimed: Option<u32>,
    /// The number of moves of the given line before the first one that is not best.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_wrong: Option<u32>,
    /// Why it is not known whether the given line is a solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    given_unknown: Option<&'static str>,
    /// Why it is not known whether the problem is sound.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonSecond {
    ply: u32,
    #[serde(rename = "move")]
    mv: String,
    plies: u32,
    /// Set if a limit ended the search for a shorter mate.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    at_most: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonElsewhere {
    line: Vec<String>,
    #[serde(rename = "move")]
    mv: String,
}

#[derive(Serialize)]
struct JsonUndecided {
    ply: u32,
    #[serde(rename = "move")]
    mv: String,
    why: &'static str,
}

/// The JSON line of a problem with this verdict, and with the report if there is a mate.
pub(super) fn json(finding: &Finding, report: Option<&Report>) -> String {
    let mut json = JsonLine::default();
    match finding {
        Finding::Unknown(why) => json.unknown = Some(why.word()),
        Finding::OtherLength { claimed, .. } => json.claimed = Some(*claimed),
        Finding::Sound { .. } | Finding::Second { .. } | Finding::NoMate => {}
    }
    json.sound = matches!(finding, Finding::Sound { .. });
    if let Some(report) = report {
        fill(&mut json, report);
    }
    serde_json::to_string(&json).expect("plain data becomes JSON")
}

fn fill(json: &mut JsonLine, report: &Report) {
    let length = report.solution.line.len() as u32;
    json.plies = Some(length);
    json.line = words(&report.solution.line);
    json.last = words(&report.last);
    match report.first_wrong {
        Ok(first_wrong) => json.first_wrong = first_wrong,
        Err(why) => json.given_unknown = Some(why.word()),
    }
    json.plies_by_rules = Some(report.exact_length).filter(|&exact| exact != length);
    for second in &report.second {
        let forgiven = second.lenience.filter(|_| report.rules == Rules::Traditional);
        let why = forgiven.map(|lenience| match lenience {
            Lenience::Detour => "detour",
            Lenience::Promotion => "promotion",
            Lenience::Distance => "distance",
        });
        let (ply, plies, mv) = (second.ply, second.plies, second.mv.to_string());
        let list = if why.is_some() { &mut json.forgiven } else { &mut json.second };
        list.push(JsonSecond { ply, mv, plies, at_most: !second.is_exact, why });
    }
    let elsewhere =
        |(line, mv): &(Vec<Move>, Move)| JsonElsewhere { line: words(line), mv: mv.to_string() };
    json.elsewhere = report.elsewhere.iter().map(elsewhere).collect();
    let undecided = |&(ply, mv, why): &(u32, Move, MateUnknown)| JsonUndecided {
        ply,
        mv: mv.to_string(),
        why: why.word(),
    };
    json.undecided = report.undecided.iter().map(undecided).collect();
}
