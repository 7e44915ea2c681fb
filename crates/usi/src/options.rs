//! The options: one table of names, kinds, defaults, ranges and effects.
//!
//! Every default printed here may come back as `setoption`, so each of them reads back as the
//! value that is in force already.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use tsumero_core::{Color, EnteringKingRule};
use tsumero_search::Settings;

use crate::command::printable;
use crate::quantum::Variant;

/// The values of all options.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the search reads.
    pub settings: Settings,
    /// `USI_Hash`: size of the transposition table in megabytes, at least 1.
    pub hash_mb: usize,
    /// `USI_Variant`: the game that is played.
    pub variant: Variant,
    /// `DebugLogFile`: where the dialogue is written; `None` for nowhere.
    pub debug_log_file: Option<PathBuf>,
}

/// What is left to do after an option was set, beyond remembering its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    Remembered,
    /// The transposition table is to be emptied.
    ClearHash,
    /// Another game may be played from now on.
    Variant,
    /// The dialogue goes to another file from now on.
    DebugLogFile,
}

/// One option as declared in the table.
#[derive(Debug)]
pub struct OptionSpec {
    /// The name; one word, because GUIs split the line at spaces.
    pub name: &'static str,
    kind: Kind,
    effect: Effect,
}

#[derive(Debug)]
enum Kind {
    Check {
        default: bool,
        set: fn(&mut Options, bool),
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
        set: fn(&mut Options, i64),
    },
    /// The default is the choice at that index.
    Combo {
        default: usize,
        choices: &'static [&'static str],
        set: fn(&mut Options, usize),
    },
    Button,
    /// The default is always the empty name.
    Filename {
        set: fn(&mut Options, Option<PathBuf>),
    },
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

const fn check(name: &'static str, default: bool, set: fn(&mut Options, bool)) -> OptionSpec {
    OptionSpec { name, kind: Kind::Check { default, set }, effect: Effect::Remembered }
}

const fn spin(
    name: &'static str,
    [default, min, max]: [i64; 3],
    set: fn(&mut Options, i64),
) -> OptionSpec {
    OptionSpec { name, kind: Kind::Spin { default, min, max, set }, effect: Effect::Remembered }
}

/// Milliseconds of a spin whose minimum is not negative.
fn milliseconds(value: i64) -> Duration {
    Duration::from_millis(value.unsigned_abs())
}

/// A value that its spin's range keeps within any integer type; the clamp never acts.
fn number<T: TryFrom<i64> + Default>(value: i64) -> T {
    T::try_from(value).unwrap_or_default()
}

/// All options, in the order in which they are declared to the GUI.
pub static OPTIONS: [OptionSpec; 22] = [
    spin("USI_Hash", [256, 1, 33_554_432], |o, v| o.hash_mb = number(v)),
    OptionSpec {
        name: "USI_Variant",
        kind: Kind::Combo {
            default: 0,
            choices: &Variant::NAMES,
            set: |o, choice| o.variant = Variant::ALL[choice],
        },
        effect: Effect::Variant,
    },
    check("USI_Ponder", false, |o, v| o.settings.time.ponder_enabled = v),
    spin("Threads", [1, 1, 512], |o, v| o.settings.threads = number(v)),
    spin("MultiPV", [1, 1, 600], |o, v| o.settings.multi_pv = number(v)),
    spin("NetworkDelay", [120, 0, 10_000], |o, v| o.settings.time.network_delay = milliseconds(v)),
    spin("NetworkDelay2", [1120, 0, 10_000], |o, v| {
        o.settings.time.network_delay2 = milliseconds(v)
    }),
    spin("MinimumThinkingTime", [2000, 0, 100_000], |o, v| {
        o.settings.time.minimum_thinking_time = milliseconds(v);
    }),
    spin("SlowMover", [100, 1, 1000], |o, v| o.settings.time.slow_mover = number(v)),
    check("RoundUpToFullSecond", true, |o, v| o.settings.time.round_up_to_full_second = v),
    spin("ResignValue", [99_999, 0, 99_999], |o, v| o.settings.resign_value = number(v)),
    spin("MaxMovesToDraw", [0, 0, 100_000], |o, v| o.settings.max_moves_to_draw = number(v)),
    spin("DrawValueBlack", [-2, -30_000, 30_000], |o, v| {
        o.settings.draw_value[Color::Black] = number(v);
    }),
    spin("DrawValueWhite", [-2, -30_000, 30_000], |o, v| {
        o.settings.draw_value[Color::White] = number(v);
    }),
    OptionSpec {
        name: "EnteringKingRule",
        kind: Kind::Combo {
            default: 3,
            choices: &ENTERING_KING_RULES,
            set: |o, choice| o.settings.entering_king_rule = EnteringKingRule::NAMES[choice].0,
        },
        effect: Effect::Remembered,
    },
    check("MateSearch", true, |o, v| o.settings.mate_search = v),
    spin("PvInterval", [300, 0, 100_000_000], |o, v| o.settings.pv_interval = milliseconds(v)),
    check("OutputFailLHPV", true, |o, v| o.settings.output_fail_bounds = v),
    spin("DepthLimit", [0, 0, 1_000], |o, v| o.settings.depth_limit = number(v)),
    spin("NodesLimit", [0, 0, i64::MAX], |o, v| o.settings.nodes_limit = v.unsigned_abs()),
    OptionSpec {
        name: "DebugLogFile",
        kind: Kind::Filename { set: |o, path| o.debug_log_file = path },
        effect: Effect::DebugLogFile,
    },
    OptionSpec { name: "ClearHash", kind: Kind::Button, effect: Effect::ClearHash },
];

/// Names that GUIs and scripts send to every engine, or that belong to engines they were written
/// for. We have nothing to set there, and saying so would only worry the user.
static KNOWN_ELSEWHERE: [&str; 36] = [
    "BookDepthLimit",
    "BookDir",
    "BookEvalBlackLimit",
    "BookEvalDiff",
    "BookEvalWhiteLimit",
    "BookFile",
    "BookIgnoreRate",
    "BookMoves",
    "BookOnTheFly",
    "BookPvMoves",
    "ConsiderBookMoveCount",
    "ConsiderationMode",
    "EvalDir",
    "EvalFile",
    "EvalShare",
    "FV_SCALE",
    "FlippedBook",
    "GenerateAllLegalMoves",
    "Hash",
    "IgnoreBookPly",
    "LargePageEnable",
    "NarrowBook",
    "NumaPolicy",
    "Ponder",
    "SkillLevel",
    "Stochastic_Ponder",
    "UCI_AnalyseMode",
    "UCI_Variant",
    "USI_AnalyseMode",
    "USI_LimitStrength",
    "USI_MultiPV",
    "USI_OwnBook",
    "USI_ShowCurrLine",
    "USI_ShowRefutations",
    "USI_Strength",
    "WriteDebugLog",
];

impl Default for Options {
    /// The declared defaults.
    fn default() -> Options {
        let mut options = Options {
            settings: Settings::default(),
            hash_mb: 1,
            variant: Variant::Shogi,
            debug_log_file: None,
        };
        for spec in &OPTIONS {
            match spec.kind {
                Kind::Check { default, set } => set(&mut options, default),
                Kind::Spin { default, set, .. } => set(&mut options, default),
                Kind::Combo { default, set, .. } => set(&mut options, default),
                Kind::Filename { set } => set(&mut options, None),
                Kind::Button => {}
            }
        }
        options
    }
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
        let Some(spec) = OPTIONS.iter().find(|spec| spec.name.eq_ignore_ascii_case(name)) else {
            if KNOWN_ELSEWHERE.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                return Ok(Effect::Remembered);
            }
            return Err(OptionError::Unknown(printable(name.as_bytes())));
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
            Kind::Check { set, .. } => {
                let yes = ["true", "1"].iter().any(|word| text.eq_ignore_ascii_case(word));
                let no = ["false", "0"].iter().any(|word| text.eq_ignore_ascii_case(word));
                if !yes && !no {
                    return Err(bad_value("true or false".to_owned()));
                }
                set(self, yes);
            }
            Kind::Spin { min, max, set, .. } => match text.parse::<i64>() {
                Ok(number) if (min..=max).contains(&number) => set(self, number),
                _ => return Err(bad_value(format!("a number from {min} to {max}"))),
            },
            Kind::Combo { choices, set, .. } => {
                let choice = choices.iter().position(|choice| choice.eq_ignore_ascii_case(text));
                let Some(choice) = choice else {
                    return Err(bad_value(format!("one of {}", choices.join(" "))));
                };
                set(self, choice);
            }
            Kind::Filename { set } => set(self, path(value)),
            Kind::Button => {}
        }
        Ok(spec.effect)
    }
}

/// A file name from outside; `None` if it is empty.
fn path(value: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    let path = {
        use std::os::unix::ffi::OsStrExt as _;
        PathBuf::from(std::ffi::OsStr::from_bytes(value))
    };
    #[cfg(not(unix))]
    let path = PathBuf::from(String::from_utf8_lossy(value).into_owned());
    (!value.is_empty()).then_some(path)
}

/// The declaration as a GUI reads it: `option name N type T ...`.
impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Spin { default, min, max, .. } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            Kind::Combo { default, choices, .. } => {
                write!(f, "combo default {}", choices[default])?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            Kind::Button => f.write_str("button"),
            Kind::Filename { .. } => f.write_str("filename default <empty>"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::command::GuiCommand;

    /// Sends a line through the parser, as the GUI does.
    fn set(options: &mut Options, line: &str) -> Result<Effect, OptionError> {
        match GuiCommand::parse(line.as_bytes()) {
            GuiCommand::SetOption { name, value } => options.set(&name, value.as_deref()),
            other => panic!("{line} was read as {other:?}"),
        }
    }

    fn default_of(line: &str) -> Option<&str> {
        line.split_once(" default ").map(|(_, rest)| rest.split(' ').next().unwrap())
    }

    #[test]
    fn the_defaults_are_those_of_the_search() {
        let ours = format!("{:?}", Options::default().settings);
        assert_eq!(ours, format!("{:?}", Settings::default()));
        let ours = format!("{:?}", Options::default().quantum_settings());
        assert_eq!(ours, format!("{:?}", tsumero_quantum::Settings::default()));
    }

    #[test]
    fn every_default_is_accepted_and_changes_nothing() {
        let mut options = Options::default();
        for spec in &OPTIONS {
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
        for spec in &OPTIONS {
            let mut options = Options::default();
            let other = match spec.kind {
                Kind::Check { default, .. } => (!default).to_string(),
                Kind::Spin { default, min, max, .. } => match (default < max, default > min) {
                    (true, _) => (default + 1).to_string(),
                    (_, true) => (default - 1).to_string(),
                    _ => panic!("{} has a single value", spec.name),
                },
                Kind::Combo { default, choices, .. } => {
                    choices[(default + 1) % choices.len()].to_owned()
                }
                Kind::Filename { .. } => "some file.log".to_owned(),
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
        for spec in &OPTIONS {
            let line = spec.to_string();
            assert!(line.is_ascii() && !line.contains("  ") && line.trim() == line, "{line}");
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(words[..2], ["option", "name"]);
            assert_eq!(words[3], "type");
            assert_eq!(words.len() % 2, 1, "keys and values alternate: {line}");
            assert!(names.insert(spec.name.to_lowercase()));
            assert!(!KNOWN_ELSEWHERE.iter().any(|name| name.eq_ignore_ascii_case(spec.name)));
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
        for line in ["setoption name ClearHash", "setoption name clearhash value true"] {
            assert_eq!(set(&mut options, line), Ok(Effect::ClearHash));
        }
    }

    #[test]
    fn options_of_other_engines_are_taken_in_silence() {
        let mut options = Options::default();
        for name in KNOWN_ELSEWHERE {
            set(&mut options, &format!("setoption name {name} value x")).unwrap();
        }
    }

    /// The table of options in Markdown, as the documentation shows it.
    fn markdown_table() -> String {
        let mut table = String::from("| option | type | default | range |\n|---|---|---|---|\n");
        for spec in &OPTIONS {
            let (kind, default, range) = match spec.kind {
                Kind::Check { default, .. } => ("check", default.to_string(), String::new()),
                Kind::Spin { default, min, max, .. } => {
                    ("spin", default.to_string(), format!("{min} to {max}"))
                }
                Kind::Combo { default, choices, .. } => {
                    ("combo", choices[default].to_owned(), choices.join(" "))
                }
                Kind::Button => ("button", String::new(), String::new()),
                Kind::Filename { .. } => ("filename", "`<empty>`".to_owned(), String::new()),
            };
            let _ = writeln!(table, "| `{}` | {kind} | {default} | {range} |", spec.name);
        }
        table
    }

    #[test]
    fn the_documentation_shows_this_table() {
        let documentation = include_str!("../../../docs/usi.md");
        for line in markdown_table().lines() {
            assert!(documentation.contains(line), "docs/usi.md lacks: {line}");
        }
    }
}
