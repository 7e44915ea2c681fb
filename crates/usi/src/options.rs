//! The options: one table of names, kinds, defaults, ranges and effects.
//!
//! A GUI may send every printed default back with `setoption`. So each default must be read as the
//! value that is already set.
//!
//! A new option needs a row in `OPTIONS`, a field in [`Options`] or in the settings of the search,
//! and a row in the tables of `docs/usi.md` and `docs/ja/usi.md`. The tests compare all of these.

use std::fmt;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tsumero_core::{Color, EnteringKingRule};
use tsumero_network::StackRule;
use tsumero_search::{Level, Settings};

use crate::book;
use crate::command::printable;
use crate::evaluation;

/// The game that is played: the value of `USI_Variant`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Variant {
    /// Ordinary shogi.
    #[default]
    Shogi,
    /// Quantum shogi.
    Quantum,
}

/// The values of all options.
#[derive(Clone, Debug)]
pub struct Options {
    /// The settings of the search.
    pub settings: Settings,
    /// `USI_Hash`: size of the transposition table in megabytes, at least 1.
    pub hash_mb: usize,
    /// `USI_Variant`: the game that is played if no position has been sent.
    pub variant: Variant,
    /// `Stochastic_Ponder`: whether all replies of the opponent are searched on the opponent's
    /// time.
    pub stochastic_ponder: bool,
    /// `MateShortest`: whether `go mate` looks for the shortest mate.
    pub mate_shortest: bool,
    /// `EvalFile`, `EvalDir`, `FV_SCALE` and `EvalStacks`: the evaluation.
    pub evaluation: evaluation::Choice,
    /// The options of the opening book.
    pub book: book::Choice,
    /// `USI_LimitStrength`: whether `USI_Elo` sets the level instead of `SkillLevel`.
    pub limit_strength: bool,
    /// `USI_Elo`: the strength wanted, in Elo.
    pub elo: u32,
    /// `DebugLogFile`: where the dialogue is written; an empty name for nowhere.
    pub debug_log_file: PathBuf,
}

impl Default for Options {
    /// The declared defaults.
    fn default() -> Options {
        Options {
            settings: Settings { threads: usual_threads(), ..Settings::default() },
            hash_mb: crate::searchers::DEFAULT_HASH_MB,
            variant: Variant::Shogi,
            stochastic_ponder: false,
            mate_shortest: true,
            evaluation: evaluation::Choice::default(),
            book: book::Choice::default(),
            limit_strength: false,
            elo: USUAL_LEVEL.elo(),
            debug_log_file: PathBuf::new(),
        }
    }
}

/// The threads that are used if nobody says how many: half of the processors, so that the GUI and
/// everything else keep theirs.
fn usual_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |processors| half_of(processors.get()))
}

/// Half of the processors, as a value of `Threads`.
fn half_of(processors: usize) -> usize {
    processors.div_ceil(2).min(MOST_THREADS)
}

/// The largest value of `Threads`.
const MOST_THREADS: usize = 512;

/// The level that `USI_LimitStrength` alone sets: the middle one.
const USUAL_LEVEL: Level = Level::new(10).expect("it is a level");

/// What must be done after an option has been set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    Remembered,
    /// Clear the tables.
    ClearHash,
    /// Another game may be played from now on.
    Variant,
    /// The dialogue goes to another file from now on.
    DebugLogFile,
    /// The option of this name belongs to other engines and does nothing here.
    Nothing(&'static str),
}

/// One option as declared in the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OptionSpec {
    /// The name. It is one word, because GUIs split the line at spaces.
    pub name: &'static str,
    kind: Kind,
    effect: Effect,
}

/// The value of an option that is a number in the protocol.
trait Number {
    fn get(&self) -> i64;
    /// Sets a number within the option's range.
    fn set(&mut self, number: i64);
}

macro_rules! number {
    ($($type:ty),*) => {$(
        impl Number for $type {
            fn get(&self) -> i64 {
                i64::try_from(*self).unwrap_or(i64::MAX)
            }

            fn set(&mut self, number: i64) {
                // The range of the option fits the type.
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

/// By its number.
impl Number for Level {
    fn get(&self) -> i64 {
        i64::from(self.number())
    }

    fn set(&mut self, number: i64) {
        let level = u8::try_from(number).ok().and_then(Level::new);
        *self = level.unwrap_or(Level::FULL);
    }
}

/// The value of an option that may be missing. In the protocol, one of the option's numbers says so.
trait OptionalNumber {
    fn get(&self) -> Option<i64>;
    /// Sets a number within the option's range, or none.
    fn set(&mut self, number: Option<i64>);
}

impl<T: Number + Default> OptionalNumber for Option<T> {
    fn get(&self) -> Option<i64> {
        self.as_ref().map(Number::get)
    }

    fn set(&mut self, number: Option<i64>) {
        *self = number.map(|number| {
            let mut value = T::default();
            value.set(number);
            value
        });
    }
}

impl OptionalNumber for Option<NonZeroU16> {
    fn get(&self) -> Option<i64> {
        self.map(|number| i64::from(number.get()))
    }

    fn set(&mut self, number: Option<i64>) {
        let number = number.and_then(|number| u16::try_from(number).ok());
        *self = number.and_then(NonZeroU16::new);
    }
}

/// The value of an option that is one of several names in the protocol.
trait OneOf {
    /// The names.
    fn names(&self) -> &'static [&'static str];
    /// The number of its name.
    fn get(&self) -> usize;
    fn set(&mut self, number: usize);
}

impl OneOf for Variant {
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

impl OneOf for EnteringKingRule {
    fn names(&self) -> &'static [&'static str] {
        &ENTERING_KING_RULES
    }

    fn get(&self) -> usize {
        let number = EnteringKingRule::ALL.iter().position(|rule| rule == self);
        number.expect("every rule is listed")
    }

    fn set(&mut self, number: usize) {
        *self = EnteringKingRule::ALL[number];
    }
}

/// The kind of an option's value, and its place in [`Options`].
#[derive(Clone, Copy, Debug)]
enum Kind {
    Check(fn(&mut Options) -> &mut bool),
    Spin {
        min: i64,
        max: i64,
        at: fn(&mut Options) -> &mut dyn Number,
    },
    /// A spin of which one number stands for no value.
    OptionalSpin {
        min: i64,
        max: i64,
        none: i64,
        at: fn(&mut Options) -> &mut dyn OptionalNumber,
    },
    Combo(fn(&mut Options) -> &mut dyn OneOf),
    Button,
    /// A path. The GUI offers a file dialog.
    Filename(fn(&mut Options) -> &mut PathBuf),
    /// A path that is plain text for the GUI.
    Path(fn(&mut Options) -> &mut PathBuf),
    /// The rule by which a network chooses a layer stack.
    StackRule(fn(&mut Options) -> &mut Option<StackRule>),
    /// A number of the search, in builds for tuning.
    #[cfg(feature = "tune")]
    Parameter(&'static tsumero_search::ParameterInfo),
}

/// Why an option keeps its value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// The line names no option.
    #[error("setoption without an option name")]
    NoName,
    /// There is no option of that name.
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
        /// The values that it takes, in words.
        expected: String,
        /// The value, made printable.
        value: String,
    },
}

/// The names of [`EnteringKingRule::ALL`].
const ENTERING_KING_RULES: [&str; EnteringKingRule::ALL.len()] = {
    let mut names = [""; EnteringKingRule::ALL.len()];
    let mut number = 0;
    while number < names.len() {
        names[number] = EnteringKingRule::ALL[number].name();
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

/// A number of which 0 means that there is none, such as no limit.
const fn above_zero(
    name: &'static str,
    max: i64,
    at: fn(&mut Options) -> &mut dyn OptionalNumber,
) -> OptionSpec {
    option(name, Kind::OptionalSpin { min: 0, max, none: 0, at })
}

impl OptionSpec {
    const fn with(self, effect: Effect) -> OptionSpec {
        OptionSpec { effect, ..self }
    }
}

/// The options of every build. Their defaults are those of [`Options`].
static OPTIONS: &[OptionSpec] = &[
    spin("USI_Hash", [1, 33_554_432], |o| &mut o.hash_mb),
    check("USI_Ponder", |o| &mut o.settings.time.ponder_enabled),
    check("Stochastic_Ponder", |o| &mut o.stochastic_ponder),
    spin("Threads", [1, MOST_THREADS as i64], |o| &mut o.settings.threads),
    spin("MultiPV", [1, 600], |o| &mut o.settings.multi_pv),
    spin("NetworkDelay", [0, 10_000], |o| &mut o.settings.time.network_delay),
    spin("NetworkDelay2", [0, 10_000], |o| &mut o.settings.time.network_delay2),
    spin("MinimumThinkingTime", [0, 100_000], |o| &mut o.settings.time.minimum_thinking_time),
    spin("SlowMover", [1, 1000], |o| &mut o.settings.time.slow_mover),
    check("RoundUpToFullSecond", |o| &mut o.settings.time.round_up_to_full_second),
    // The largest value: never.
    option(
        "ResignValue",
        Kind::OptionalSpin {
            min: 0,
            max: 99_999,
            none: 99_999,
            at: |o| &mut o.settings.resign_value,
        },
    ),
    above_zero("MaxMovesToDraw", 100_000, |o| &mut o.settings.max_moves_to_draw),
    spin("DrawValueBlack", [-30_000, 30_000], |o| &mut o.settings.draw_value[Color::Black]),
    spin("DrawValueWhite", [-30_000, 30_000], |o| &mut o.settings.draw_value[Color::White]),
    option("EnteringKingRule", Kind::Combo(|o| &mut o.settings.entering_king_rule)),
    spin("SkillLevel", [1, 20], |o| &mut o.settings.level),
    check("USI_LimitStrength", |o| &mut o.limit_strength),
    spin("USI_Elo", [Level::LOWEST.elo() as i64, Level::FULL.elo() as i64], |o| &mut o.elo),
    check("MateSearch", |o| &mut o.settings.mate_search),
    check("MateShortest", |o| &mut o.mate_shortest),
    spin("PvInterval", [0, 100_000_000], |o| &mut o.settings.pv_interval),
    check("OutputFailLHPV", |o| &mut o.settings.output_fail_bounds),
    check("ConsiderationMode", |o| &mut o.settings.consideration_mode),
    above_zero("DepthLimit", 1_000, |o| &mut o.settings.depth_limit),
    above_zero("NodesLimit", i64::MAX, |o| &mut o.settings.nodes_limit),
    option("EvalFile", Kind::Filename(|o| &mut o.evaluation.file)),
    option("EvalDir", Kind::Path(|o| &mut o.evaluation.folder)),
    above_zero("FV_SCALE", 1024, |o| &mut o.evaluation.fv_scale),
    option("EvalStacks", Kind::StackRule(|o| &mut o.evaluation.stacks)),
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
    // It comes last, so that nobody changes it by accident.
    option("USI_Variant", Kind::Combo(|o| &mut o.variant)).with(Effect::Variant),
];

/// All options in the order in which they are declared to the GUI: the table, and in builds for
/// tuning the numbers of the search.
pub(crate) fn declared() -> impl Iterator<Item = OptionSpec> {
    OPTIONS.iter().copied().chain(tunable())
}

#[cfg(not(feature = "tune"))]
fn tunable() -> [OptionSpec; 0] {
    []
}

#[cfg(feature = "tune")]
fn tunable() -> impl Iterator<Item = OptionSpec> {
    let all = tsumero_search::Parameters::TABLE.iter();
    all.map(|info| option(info.name, Kind::Parameter(info)))
}

/// Other names of options. Underscores, hyphens and blanks in names are ignored: `Clear_Hash` is
/// `ClearHash`.
static ALIASES: &[(&str, &str)] = &[
    ("Hash", "USI_Hash"),
    ("Ponder", "USI_Ponder"),
    ("USI_MultiPV", "MultiPV"),
    ("USI_Threads", "Threads"),
    ("UCI_LimitStrength", "USI_LimitStrength"),
    ("UCI_Elo", "USI_Elo"),
    ("MoveOverhead", "NetworkDelay2"),
    ("WriteDebugLog", "DebugLogFile"),
];

/// Names that GUIs send to every engine, whatever options it declares. They are ignored without a
/// message, which would only worry the user.
static SENT_TO_EVERYONE: &[&str] = &[
    "UCI_AnalyseMode",
    "UCI_Variant",
    "USI_AnalyseMode",
    "USI_ShowCurrLine",
    "USI_ShowRefutations",
    "USI_Strength",
];

/// Names of options of other engines. If one is set, a message says that it does nothing here.
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
];

/// Whether two names are equal apart from case, underscores, hyphens and blanks.
fn is_same(name: &str, other: &str) -> bool {
    fn letters(name: &str) -> impl Iterator<Item = char> {
        let letters = name.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
        letters.map(|c| c.to_ascii_lowercase())
    }
    letters(name).eq(letters(other))
}

/// The value of an option of type check.
fn flag(value: &[u8]) -> Option<bool> {
    let is_one_of = |words: [&str; 2]| {
        words.iter().any(|word| value.trim_ascii().eq_ignore_ascii_case(word.as_bytes()))
    };
    if is_one_of(["true", "1"]) { Some(true) } else { is_one_of(["false", "0"]).then_some(false) }
}

impl Options {
    /// The level of ordinary shogi: `SkillLevel`, or the one that `USI_LimitStrength` sets.
    pub fn level(&self) -> Level {
        if self.limit_strength { Level::nearest(self.elo) } else { self.settings.level }
    }

    /// The settings of the search of shogi.
    pub fn shogi_settings(&self) -> Settings {
        Settings { level: self.level(), ..self.settings.clone() }
    }

    /// The settings of the search of quantum shogi.
    pub fn quantum_settings(&self) -> tsumero_quantum::Settings {
        let Settings { time, resign_value, depth_limit, nodes_limit, .. } = self.settings.clone();
        tsumero_quantum::Settings { time, resign_value, depth_limit, nodes_limit }
    }

    /// Sets the option with the given name. Case is ignored. Returns what else must be done.
    ///
    /// # Errors
    /// The value is not of the option's kind or is outside its range, or the name is unknown. All
    /// options keep their values.
    pub fn set(&mut self, name: &str, value: Option<&[u8]>) -> Result<Effect, OptionError> {
        if name.is_empty() {
            return Err(OptionError::NoName);
        }
        let alias = ALIASES.iter().find(|(alias, _)| is_same(alias, name));
        let wanted = alias.map_or(name, |&(_, own)| own);
        let Some(spec) = declared().find(|spec| is_same(spec.name, wanted)) else {
            let known =
                |names: &[&'static str]| names.iter().copied().find(|known| is_same(known, name));
            return match (known(SENT_TO_EVERYONE), known(KNOWN_ELSEWHERE)) {
                (Some(_), _) => Ok(Effect::Remembered),
                (None, Some(name)) => Ok(Effect::Nothing(name)),
                (None, None) => Err(OptionError::Unknown(printable(name.as_bytes()))),
            };
        };
        // In other engines, it is an option of type check.
        let value = match value.and_then(flag).filter(|_| is_same(name, "WriteDebugLog")) {
            Some(true) => Some(&b"tsumero.log"[..]),
            Some(false) => Some(&[][..]),
            None => value,
        };
        if !matches!(spec.kind, Kind::Button) {
            spec.assign(self, value.ok_or(OptionError::NoValue(spec.name))?)?;
        }
        Ok(spec.effect)
    }
}

impl OptionSpec {
    /// Gives the option a value, if that is of its kind and within its range.
    fn assign(&self, options: &mut Options, value: &[u8]) -> Result<(), OptionError> {
        let bad_value = |expected: String| OptionError::BadValue {
            name: self.name,
            expected,
            value: printable(value),
        };
        // Only file names can contain other bytes than ASCII. For all other options such a value is
        // wrong anyway.
        let text = std::str::from_utf8(value).unwrap_or_default().trim();
        let number = |min: i64, max: i64| match text.parse::<i64>() {
            Ok(number) if (min..=max).contains(&number) => Ok(number),
            _ => Err(bad_value(format!("a number from {min} to {max}"))),
        };
        match self.kind {
            Kind::Check(at) => {
                *at(options) = flag(value).ok_or_else(|| bad_value("true or false".to_owned()))?;
            }
            Kind::Spin { min, max, at } => at(options).set(number(min, max)?),
            Kind::OptionalSpin { min, max, none, at } => {
                let number = number(min, max)?;
                at(options).set((number != none).then_some(number));
            }
            Kind::Combo(at) => {
                let choice = at(options);
                let names = choice.names();
                let number = names.iter().position(|name| name.eq_ignore_ascii_case(text));
                let Some(number) = number else {
                    return Err(bad_value(format!("one of {}", names.join(" "))));
                };
                choice.set(number);
            }
            Kind::StackRule(at) => {
                let rule = evaluation::stack_rule(text);
                let expected = "auto or a rule such as k3k3, hand64 or progress8ek";
                *at(options) = rule.map_err(|_| bad_value(expected.to_owned()))?;
            }
            Kind::Filename(at) | Kind::Path(at) => *at(options) = crate::file_name::path(value),
            #[cfg(feature = "tune")]
            Kind::Parameter(info) => {
                let number = number(info.min.into(), info.max.into())?;
                options.settings.parameters.set(info.name, number as i32);
            }
            Kind::Button => {}
        }
        Ok(())
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
            Kind::OptionalSpin { min, max, none, at } => {
                let default = at(&mut defaults).get().unwrap_or(none);
                write!(f, "spin default {default} min {min} max {max}")
            }
            Kind::Combo(at) => {
                let choice = at(&mut defaults);
                write!(f, "combo default {}", choice.names()[choice.get()])?;
                choice.names().iter().try_for_each(|name| write!(f, " var {name}"))
            }
            Kind::Button => f.write_str("button"),
            Kind::Filename(at) => write!(f, "filename default {}", shown(at(&mut defaults))),
            Kind::Path(at) => write!(f, "string default {}", shown(at(&mut defaults))),
            Kind::StackRule(_) => write!(f, "string default {}", evaluation::AUTO),
            #[cfg(feature = "tune")]
            Kind::Parameter(info) => {
                write!(f, "spin default {} min {} max {}", info.default, info.min, info.max)
            }
        }
    }
}

/// A path as GUIs read it. They have a word for an empty one.
fn shown(path: &Path) -> impl fmt::Display {
    if path.as_os_str().is_empty() { Path::new("<empty>").display() } else { path.display() }
}

#[cfg(test)]
mod documentation;

#[cfg(test)]
mod tests;
