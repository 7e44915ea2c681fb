//! The options: one table of names, kinds, defaults, ranges and effects.
//!
//! Every default printed here may come back as `setoption`, so each of them reads back as the
//! value that is in force already.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tsumero_core::{Color, EnteringKingRule};
use tsumero_search::Settings;

use crate::book;
use crate::command::printable;
use crate::evaluation;
use crate::game::Variant;

/// The values of all options.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the search reads.
    pub settings: Settings,
    /// `USI_Hash`: size of the transposition table in megabytes, at least 1.
    pub hash_mb: usize,
    /// `USI_Variant`: the game that is played where no position was sent.
    pub variant: Variant,
    /// `Stochastic_Ponder`: whether the opponent's choice is searched on the opponent's time.
    pub stochastic_ponder: bool,
    /// `MateShortest`: whether `go mate` looks for the shortest mate.
    pub mate_shortest: bool,
    /// `EvalFile`, `EvalDir` and `FV_SCALE`: what evaluates.
    pub evaluation: evaluation::Choice,
    /// The options of the opening book.
    pub book: book::Choice,
    /// `DebugLogFile`: where the dialogue is written; an empty name for nowhere.
    pub debug_log_file: PathBuf,
}

impl Default for Options {
    /// The declared defaults.
    fn default() -> Options {
        Options {
            settings: Settings::default(),
            hash_mb: 256,
            variant: Variant::Shogi,
            stochastic_ponder: false,
            mate_shortest: true,
            evaluation: evaluation::Choice::default(),
            book: book::Choice::default(),
            debug_log_file: PathBuf::new(),
        }
    }
}

/// What is left to do after an option was set, beyond remembering its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    Remembered,
    /// The tables are to be emptied.
    ClearHash,
    /// Another game may be played from now on.
    Variant,
    /// The dialogue goes to another file from now on.
    DebugLogFile,
    /// The option of this name is one of other engines; here it changes nothing.
    Nothing(&'static str),
}

/// One option as declared in the table.
#[derive(Debug)]
pub struct OptionSpec {
    /// The name; one word, because GUIs split the line at spaces.
    pub name: &'static str,
    kind: Kind,
    effect: Effect,
}

/// A value of an option that is a number to the GUI.
trait Number {
    fn get(&self) -> i64;
    /// Takes over a number from the option's range.
    fn set(&mut self, number: i64);
}

macro_rules! number {
    ($($type:ty),*) => {$(
        impl Number for $type {
            fn get(&self) -> i64 {
                i64::try_from(*self).unwrap_or(i64::MAX)
            }

            fn set(&mut self, number: i64) {
                // The range keeps it within the type.
                *self = <$type>::try_from(number).unwrap_or_default();
            }
        }
    )*};
}
number!(usize, u32, i32, u64);

/// In milliseconds.
impl Number for Duration {
    fn get(&self) -> i64 {
        i64::try_from(self.as_millis()).unwrap_or(i64::MAX)
    }

    fn set(&mut self, number: i64) {
        *self = Duration::from_millis(number.unsigned_abs());
    }
}

/// A value of an option that is one of several names to the GUI.
trait Choice {
    /// The names.
    fn names(&self) -> &'static [&'static str];
    /// The number of its name.
    fn get(&self) -> usize;
    fn set(&mut self, number: usize);
}

impl Choice for Variant {
    fn names(&self) -> &'static [&'static str] {
        &["shogi", "quantum"]
    }

    fn get(&self) -> usize {
        *self as usize
    }

    fn set(&mut self, number: usize) {
        *self = [Variant::Shogi, Variant::Quantum][number];
    }
}

impl Choice for EnteringKingRule {
    fn names(&self) -> &'static [&'static str] {
        &ENTERING_KING_RULES
    }

    fn get(&self) -> usize {
        let number = EnteringKingRule::NAMES.iter().position(|(rule, _)| rule == self);
        number.expect("every rule has a name")
    }

    fn set(&mut self, number: usize) {
        *self = EnteringKingRule::NAMES[number].0;
    }
}

/// What kind of value an option has, and where among the [`Options`] it is.
#[derive(Debug)]
enum Kind {
    Check(fn(&mut Options) -> &mut bool),
    Spin {
        min: i64,
        max: i64,
        at: fn(&mut Options) -> &mut dyn Number,
    },
    Combo(fn(&mut Options) -> &mut dyn Choice),
    Button,
    /// A path; the GUI offers to look for a file.
    Filename(fn(&mut Options) -> &mut PathBuf),
    /// A path of which the GUI knows only that it is text.
    Path(fn(&mut Options) -> &mut PathBuf),
}

/// Why an option keeps its value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// The line names no option.
    #[error("setoption without an option name")]
    NoName,
    /// We have no option of that name.
    #[error("no such option: {0}")]
    Unknown(String),
    /// The word `value` is missing.
    #[error("option {0} needs a value")]
    NoValue(&'static str),
    /// The value is not of the option's kind.
    #[error("option {name} takes {expected}, not '{value}'")]
    BadValue {
        /// The option.
        name: &'static str,
        /// What it takes, in words.
        expected: String,
        /// The value, made printable.
        value: String,
    },
}

/// The names of [`EnteringKingRule::NAMES`].
const ENTERING_KING_RULES: [&str; EnteringKingRule::NAMES.len()] = {
    let mut names = [""; EnteringKingRule::NAMES.len()];
    let mut number = 0;
    while number < names.len() {
        names[number] = EnteringKingRule::NAMES[number].1;
        number += 1;
    }
    names
};

const fn option(name: &'static str, kind: Kind) -> OptionSpec {
    OptionSpec { name, kind, effect: Effect::Remembered }
}

const fn check(name: &'static str, at: fn(&mut Options) -> &mut bool) -> OptionSpec {
    option(name, Kind::Check(at))
}

const fn spin(
    name: &'static str,
    [min, max]: [i64; 2],
    at: fn(&mut Options) -> &mut dyn Number,
) -> OptionSpec {
    option(name, Kind::Spin { min, max, at })
}

impl OptionSpec {
    const fn with(self, effect: Effect) -> OptionSpec {
        OptionSpec { effect, ..self }
    }
}

/// All options, in the order in which they are declared to the GUI. Their defaults are those of
/// [`Options`].
pub static OPTIONS: &[OptionSpec] = &[
    spin("USI_Hash", [1, 33_554_432], |o| &mut o.hash_mb),
    check("USI_Ponder", |o| &mut o.settings.time.ponder_enabled),
    check("Stochastic_Ponder", |o| &mut o.stochastic_ponder),
    spin("Threads", [1, 512], |o| &mut o.settings.threads),
    spin("MultiPV", [1, 600], |o| &mut o.settings.multi_pv),
    spin("NetworkDelay", [0, 10_000], |o| &mut o.settings.time.network_delay),
    spin("NetworkDelay2", [0, 10_000], |o| &mut o.settings.time.network_delay2),
    spin("MinimumThinkingTime", [0, 100_000], |o| &mut o.settings.time.minimum_thinking_time),
    spin("SlowMover", [1, 1000], |o| &mut o.settings.time.slow_mover),
    check("RoundUpToFullSecond", |o| &mut o.settings.time.round_up_to_full_second),
    spin("ResignValue", [0, 99_999], |o| &mut o.settings.resign_value),
    spin("MaxMovesToDraw", [0, 100_000], |o| &mut o.settings.max_moves_to_draw),
    spin("DrawValueBlack", [-30_000, 30_000], |o| &mut o.settings.draw_value[Color::Black]),
    spin("DrawValueWhite", [-30_000, 30_000], |o| &mut o.settings.draw_value[Color::White]),
    option("EnteringKingRule", Kind::Combo(|o| &mut o.settings.entering_king_rule)),
    check("MateSearch", |o| &mut o.settings.mate_search),
    check("MateShortest", |o| &mut o.mate_shortest),
    spin("PvInterval", [0, 100_000_000], |o| &mut o.settings.pv_interval),
    check("OutputFailLHPV", |o| &mut o.settings.output_fail_bounds),
    check("ConsiderationMode", |o| &mut o.settings.consideration_mode),
    spin("DepthLimit", [0, 1_000], |o| &mut o.settings.depth_limit),
    spin("NodesLimit", [0, i64::MAX], |o| &mut o.settings.nodes_limit),
    option("EvalFile", Kind::Filename(|o| &mut o.evaluation.file)),
    option("EvalDir", Kind::Path(|o| &mut o.evaluation.folder)),
    spin("FV_SCALE", [0, 1024], |o| &mut o.evaluation.fv_scale),
    check("USI_OwnBook", |o| &mut o.book.own_book),
    option("BookFile", Kind::Filename(|o| &mut o.book.file)),
    option("BookDir", Kind::Path(|o| &mut o.book.folder)),
    spin("BookMoves", [0, 10_000], |o| &mut o.book.policy.moves),
    spin("BookEvalDiff", [0, 99_999], |o| &mut o.book.policy.eval_diff),
    spin("BookEvalBlackLimit", [-99_999, 99_999], |o| &mut o.book.policy.black_limit),
    spin("BookEvalWhiteLimit", [-99_999, 99_999], |o| &mut o.book.policy.white_limit),
    spin("BookDepthLimit", [0, 99_999], |o| &mut o.book.policy.depth_limit),
    check("ConsiderBookMoveCount", |o| &mut o.book.policy.by_count),
    check("BookOnTheFly", |o| &mut o.book.on_the_fly),
    check("IgnoreBookPly", |o| &mut o.book.lookup.ignore_ply),
    check("FlippedBook", |o| &mut o.book.lookup.flipped),
    option("DebugLogFile", Kind::Filename(|o| &mut o.debug_log_file)).with(Effect::DebugLogFile),
    option("ClearHash", Kind::Button).with(Effect::ClearHash),
    // The last one, where it is not changed by accident.
    option("USI_Variant", Kind::Combo(|o| &mut o.variant)).with(Effect::Variant),
];

/// Other names of options. Besides, an underline, a hyphen or a blank more or less makes no other
/// name: `Clear_Hash` is `ClearHash`.
static ALIASES: &[(&str, &str)] = &[
    ("Hash", "USI_Hash"),
    ("Ponder", "USI_Ponder"),
    ("USI_MultiPV", "MultiPV"),
    ("USI_Threads", "Threads"),
    ("MoveOverhead", "NetworkDelay"),
    ("WriteDebugLog", "DebugLogFile"),
];

/// Names that GUIs send to every engine, whatever options it declares. There is nothing to set here,
/// and saying so would only worry the user.
static SENT_TO_EVERYONE: &[&str] = &[
    "UCI_AnalyseMode",
    "UCI_Variant",
    "USI_AnalyseMode",
    "USI_LimitStrength",
    "USI_ShowCurrLine",
    "USI_ShowRefutations",
    "USI_Strength",
];

/// Names that belong to other engines. Whoever sets them is told that they do nothing here.
static KNOWN_ELSEWHERE: &[&str] = &[
    "BookIgnoreRate",
    "BookPvMoves",
    "Contempt",
    "ContemptFromBlack",
    "EvalShare",
    "GenerateAllLegalMoves",
    "LargePageEnable",
    "NarrowBook",
    "NumaPolicy",
    "SkillLevel",
];

/// Whether two names are the same but for case, underlines, hyphens and blanks.
fn is_same(name: &str, other: &str) -> bool {
    let letters = |name: &str| -> Vec<char> {
        let letters = name.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
        letters.map(|c| c.to_ascii_lowercase()).collect()
    };
    letters(name) == letters(other)
}

impl Options {
    /// What the search of quantum shogi reads.
    pub fn quantum_settings(&self) -> tsumero_quantum::Settings {
        let Settings { time, resign_value, depth_limit, nodes_limit, .. } = self.settings.clone();
        tsumero_quantum::Settings { time, resign_value, depth_limit, nodes_limit }
    }

    /// Sets the option of the given name, compared without case. What else has to be done is
    /// handed back.
    ///
    /// # Errors
    /// The value is not of the option's kind or outside its range, or nobody knows the name; all
    /// options keep their values then.
    pub fn set(&mut self, name: &str, value: Option<&[u8]>) -> Result<Effect, OptionError> {
        if name.is_empty() {
            return Err(OptionError::NoName);
        }
        let alias = ALIASES.iter().find(|(alias, _)| is_same(alias, name));
        let wanted = alias.map_or(name, |&(_, own)| own);
        let Some(spec) = OPTIONS.iter().find(|spec| is_same(spec.name, wanted)) else {
            let known =
                |names: &[&'static str]| names.iter().copied().find(|known| is_same(known, name));
            return match (known(SENT_TO_EVERYONE), known(KNOWN_ELSEWHERE)) {
                (Some(_), _) => Ok(Effect::Remembered),
                (None, Some(name)) => Ok(Effect::Nothing(name)),
                (None, None) => Err(OptionError::Unknown(printable(name.as_bytes()))),
            };
        };
        if let Kind::Button = spec.kind {
            return Ok(spec.effect);
        }
        let value = value.ok_or(OptionError::NoValue(spec.name))?;
        let bad_value = |expected: String| OptionError::BadValue {
            name: spec.name,
            expected,
            value: printable(value),
        };
        // A value that is not ASCII can only be a file name; for the others it is wrong anyway.
        let text = std::str::from_utf8(value).unwrap_or_default().trim();
        match spec.kind {
            Kind::Check(at) => {
                let yes = ["true", "1"].iter().any(|word| text.eq_ignore_ascii_case(word));
                let no = ["false", "0"].iter().any(|word| text.eq_ignore_ascii_case(word));
                if !yes && !no {
                    return Err(bad_value("true or false".to_owned()));
                }
                *at(self) = yes;
            }
            Kind::Spin { min, max, at } => match text.parse::<i64>() {
                Ok(number) if (min..=max).contains(&number) => at(self).set(number),
                _ => return Err(bad_value(format!("a number from {min} to {max}"))),
            },
            Kind::Combo(at) => {
                let choice = at(self);
                let names = choice.names();
                let number = names.iter().position(|name| name.eq_ignore_ascii_case(text));
                let Some(number) = number else {
                    return Err(bad_value(format!("one of {}", names.join(" "))));
                };
                choice.set(number);
            }
            Kind::Filename(at) | Kind::Path(at) => *at(self) = crate::file_name::path(value),
            Kind::Button => {}
        }
        Ok(spec.effect)
    }
}

/// The declaration as a GUI reads it: `option name N type T ...`.
impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        let mut defaults = Options::default();
        match self.kind {
            Kind::Check(at) => write!(f, "check default {}", at(&mut defaults)),
            Kind::Spin { min, max, at } => {
                write!(f, "spin default {} min {min} max {max}", at(&mut defaults).get())
            }
            Kind::Combo(at) => {
                let choice = at(&mut defaults);
                write!(f, "combo default {}", choice.names()[choice.get()])?;
                choice.names().iter().try_for_each(|name| write!(f, " var {name}"))
            }
            Kind::Button => f.write_str("button"),
            Kind::Filename(at) => write!(f, "filename default {}", shown(at(&mut defaults))),
            Kind::Path(at) => write!(f, "string default {}", shown(at(&mut defaults))),
        }
    }
}

/// A path as GUIs read it, who have a word for nothing.
fn shown(path: &Path) -> impl fmt::Display {
    if path.as_os_str().is_empty() { Path::new("<empty>").display() } else { path.display() }
}

#[cfg(test)]
mod documentation;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::GuiCommand;

    /// Sends a line through the parser, as the GUI does.
    fn set(options: &mut Options, line: &str) -> Result<Effect, OptionError> {
        match GuiCommand::parse(line.as_bytes()) {
            GuiCommand::SetOption { name, value } => options.set(&name, value.as_deref()),
            other => panic!("{line} was read as {other:?}"),
        }
    }

    pub(super) fn default_of(line: &str) -> Option<&str> {
        line.split_once(" default ").map(|(_, rest)| rest.split(' ').next().unwrap())
    }

    #[test]
    fn both_games_have_the_same_defaults() {
        let ours = format!("{:?}", Options::default().quantum_settings());
        assert_eq!(ours, format!("{:?}", tsumero_quantum::Settings::default()));
    }

    /// A new value that has no option would otherwise stay unknown to users.
    #[test]
    fn every_setting_of_the_search_has_an_option() {
        let settings = format!("{:?}", Settings::default());
        let values = settings.matches(": ").count() - settings.matches(" {").count() + 1;
        // A draw has a value for each color; it is printed as one list of two.
        let others = [
            "USI_Hash",
            "Stochastic_Ponder",
            "MateShortest",
            "EvalFile",
            "EvalDir",
            "FV_SCALE",
            "USI_OwnBook",
            "DebugLogFile",
        ];
        let book = |spec: &&OptionSpec| spec.name.contains("Book") && spec.name != "USI_OwnBook";
        let others = others.len() + OPTIONS.iter().filter(book).count();
        let others = others + ["ClearHash", "USI_Variant", "DrawValueWhite"].len();
        assert_eq!(OPTIONS.len() - others, values, "{settings}");
    }

    #[test]
    fn every_default_is_accepted_and_changes_nothing() {
        let mut options = Options::default();
        for spec in OPTIONS {
            let Some(default) = default_of(&spec.to_string()).map(str::to_owned) else { continue };
            for name in [spec.name.to_owned(), spec.name.to_uppercase(), spec.name.to_lowercase()] {
                let effect = set(&mut options, &format!("setoption name {name} value {default}"));
                assert_eq!(effect, Ok(spec.effect));
            }
        }
        assert_eq!(format!("{options:?}"), format!("{:?}", Options::default()));
    }

    #[test]
    fn every_option_changes_a_value_of_its_own() {
        for spec in OPTIONS {
            let mut options = Options::default();
            let other = match spec.kind {
                Kind::Check(at) => (!*at(&mut options)).to_string(),
                Kind::Spin { min, max, at } => {
                    let default = at(&mut options).get();
                    match (default < max, default > min) {
                        (true, _) => (default + 1).to_string(),
                        (_, true) => (default - 1).to_string(),
                        _ => panic!("{} has a single value", spec.name),
                    }
                }
                Kind::Combo(at) => {
                    let choice = at(&mut options);
                    choice.names()[(choice.get() + 1) % choice.names().len()].to_owned()
                }
                Kind::Filename(_) | Kind::Path(_) => "some file.log".to_owned(),
                Kind::Button => continue,
            };
            set(&mut options, &format!("setoption name {} value {other}", spec.name)).unwrap();
            let (before, after) = (format!("{:?}", Options::default()), format!("{options:?}"));
            assert_ne!(before, after, "{} changes nothing", spec.name);
            let parts = |text: &str| text.split(", ").map(str::to_owned).collect::<Vec<_>>();
            let changed = parts(&before).iter().zip(&parts(&after)).filter(|(b, a)| b != a).count();
            assert_eq!(changed, 1, "{} changes one value", spec.name);
        }
    }

    #[test]
    fn names_and_values_are_single_words_and_no_name_is_used_twice() {
        let mut names = std::collections::HashSet::new();
        for spec in OPTIONS {
            let line = spec.to_string();
            assert!(line.is_ascii() && !line.contains("  ") && line.trim() == line, "{line}");
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(words[..2], ["option", "name"]);
            assert_eq!(words[3], "type");
            assert_eq!(words.len() % 2, 1, "keys and values alternate: {line}");
            assert!(names.insert(spec.name.to_lowercase()));
        }
        let mut all: Vec<&str> = OPTIONS.iter().map(|spec| spec.name).collect();
        all.extend(ALIASES.iter().map(|(alias, _)| alias));
        all.extend(SENT_TO_EVERYONE.iter().chain(KNOWN_ELSEWHERE));
        for (number, name) in all.iter().enumerate() {
            assert!(!all[..number].iter().any(|other| is_same(name, other)), "{name}");
        }
    }

    #[test]
    fn a_wrong_value_is_named_and_changes_nothing() {
        let lines = [
            ("setoption name MultiPV value many", "number"),
            ("setoption name MultiPV value 0", "1 to 600"),
            ("setoption name MultiPV value 601", "601"),
            ("setoption name MultiPV value 99999999999999999999999", "number"),
            ("setoption name MultiPV value 1.5", "number"),
            ("setoption name MultiPV value", "number"),
            ("setoption name MultiPV", "needs a value"),
            ("setoption name USI_Ponder value maybe", "true or false"),
            ("setoption name EnteringKingRule value 27", "CSARule27H"),
            ("setoption name Foo value 3", "Foo"),
            ("setoption name ふぉお", "no such option"),
            ("setoption value 3", "without an option name"),
            ("setoption", "without an option name"),
        ];
        let mut options = Options::default();
        for (line, part) in lines {
            let message = set(&mut options, line).unwrap_err().to_string();
            assert!(message.contains(part), "{line}: {message}");
            assert!(message.is_ascii());
        }
        assert_eq!(format!("{options:?}"), format!("{:?}", Options::default()));
    }

    #[test]
    fn checks_may_be_numbers_and_buttons_may_carry_a_value() {
        let mut options = Options::default();
        set(&mut options, "setoption name USI_Ponder value 1").unwrap();
        assert!(options.settings.time.ponder_enabled);
        set(&mut options, "setoption name USI_Ponder value FALSE").unwrap();
        assert!(!options.settings.time.ponder_enabled);
        for line in [
            "setoption name ClearHash",
            "setoption name clearhash value true",
            "setoption name Clear_Hash",
            "setoption name Clear Hash",
        ] {
            assert_eq!(set(&mut options, line), Ok(Effect::ClearHash));
        }
    }

    #[test]
    fn names_of_other_engines_work_or_are_said_to_do_nothing() {
        let mut options = Options::default();
        for (name, value) in [("Hash", "64"), ("Draw_Value_Black", "7"), ("Multi-PV", "3")] {
            set(&mut options, &format!("setoption name {name} value {value}")).unwrap();
        }
        let Options { hash_mb, settings, .. } = &options;
        let values = (*hash_mb, settings.draw_value[Color::Black], settings.multi_pv);
        assert_eq!(values, (64, 7, 3));
        let before = format!("{options:?}");
        for name in SENT_TO_EVERYONE {
            let line = format!("setoption name {name} value x");
            assert_eq!(set(&mut options, &line), Ok(Effect::Remembered));
        }
        for name in KNOWN_ELSEWHERE {
            let line = format!("setoption name {} value x", name.to_uppercase());
            assert_eq!(set(&mut options, &line), Ok(Effect::Nothing(name)));
        }
        assert_eq!(format!("{options:?}"), before);
        for (alias, own) in ALIASES {
            assert!(OPTIONS.iter().any(|spec| spec.name == *own), "{alias}");
        }
    }
}
