//! Tests of the options.

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

#[cfg(feature = "tune")]
#[test]
fn the_numbers_of_the_search_are_options_for_tuners() {
    let mut options = Options::default();
    for info in tsumero_search::Parameters::TABLE {
        let spec = declared().find(|spec| spec.name == info.name).expect("it is declared");
        let range = format!("default {} min {} max {}", info.default, info.min, info.max);
        assert_eq!(spec.to_string(), format!("option name {} type spin {range}", info.name));
        let set = options.set(info.name, Some(info.max.to_string().as_bytes()));
        assert_eq!(set, Ok(Effect::Remembered));
        assert_eq!(options.settings.parameters.get(info.name), Some(info.max));
        let beyond = i64::from(info.max) + 1;
        assert!(options.set(info.name, Some(beyond.to_string().as_bytes())).is_err());
        assert_eq!(options.settings.parameters.get(info.name), Some(info.max));
    }
}

#[test]
fn both_games_have_the_same_defaults() {
    let ours = format!("{:?}", Options::default().quantum_settings());
    assert_eq!(ours, format!("{:?}", tsumero_quantum::Settings::default()));
}

#[test]
fn quantum_shogi_takes_the_settings_that_it_knows() {
    let mut options = Options::default();
    for line in [
        "setoption name ResignValue value 777",
        "setoption name DepthLimit value 7",
        "setoption name NodesLimit value 70000",
        "setoption name MinimumThinkingTime value 3456",
    ] {
        assert_eq!(set(&mut options, line), Ok(Effect::Remembered), "{line}");
    }
    let settings = options.quantum_settings();
    assert_eq!((settings.resign_value, settings.depth_limit), (Some(777), Some(7)));
    assert_eq!(settings.nodes_limit, Some(70_000));
    assert_eq!(format!("{:?}", settings.time), format!("{:?}", options.settings.time));
    assert_ne!(format!("{:?}", settings.time), format!("{:?}", Options::default().settings.time));
}

/// The strength is set by a level or by Elo, whichever a GUI sends, and in any order.
#[test]
fn the_level_is_set_by_its_number_or_by_elo() {
    let mut options = Options::default();
    let full = tsumero_search::Level::FULL;
    assert_eq!(options.shogi_settings().level, full);
    let wanted = tsumero_search::Level::new(6).unwrap();
    let elo = format!("setoption name USI_Elo value {}", wanted.elo() + 20);
    for (line, level) in [
        ("setoption name SkillLevel value 3", 3),
        (&elo, 3),
        ("setoption name USI_LimitStrength value true", 6),
        ("setoption name Skill Level value 9", 6),
        ("setoption name UCI_LimitStrength value false", 9),
        ("setoption name SkillLevel value 20", 20),
    ] {
        assert_eq!(set(&mut options, line), Ok(Effect::Remembered), "{line}");
        assert_eq!(options.shogi_settings().level.number(), level, "{line}");
    }
    for bad in
        ["SkillLevel value 0", "SkillLevel value 21", "USI_Elo value 99", "USI_Elo value 9999"]
    {
        assert!(set(&mut options, &format!("setoption name {bad}")).is_err(), "{bad}");
    }
    assert_eq!(options.shogi_settings().level, full);
}

#[test]
fn half_of_the_processors_search_unless_another_number_is_set() {
    let processors = std::thread::available_parallelism().unwrap().get();
    assert_eq!(Options::default().settings.threads, half_of(processors));
    // A GUI may send the default back, also on a machine with thousands of processors.
    for (processors, usual) in [(1, 1), (4, 2), (5, 3), (1_024, 512), (4_096, 512)] {
        assert_eq!(half_of(processors), usual);
        let line = format!("setoption name Threads value {usual}");
        assert_eq!(set(&mut Options::default(), &line), Ok(Effect::Remembered));
    }
}

#[test]
fn a_choice_is_the_one_of_the_name_that_was_set() {
    let (mut variant, mut rule) = (Variant::default(), EnteringKingRule::default());
    for choice in [&mut variant as &mut dyn OneOf, &mut rule] {
        for number in (0..choice.names().len()).rev() {
            choice.set(number);
            assert_eq!(choice.get(), number, "{}", choice.names()[number]);
        }
    }
}

/// Otherwise users would never learn of a new setting without an option.
#[test]
fn every_setting_of_the_search_has_an_option() {
    let settings = format!("{:?}", Settings::default());
    // The numbers of the search, in builds for tuning, have their own test.
    let settings = settings.split(", parameters:").next().unwrap_or_default();
    let values = settings.matches(": ").count() - settings.matches(" {").count() + 1;
    // A draw has a value for each color, but is printed as one list of two.
    let others = [
        "USI_Hash",
        "Stochastic_Ponder",
        "USI_LimitStrength",
        "USI_Elo",
        "MateShortest",
        "EvalFile",
        "EvalDir",
        "FV_SCALE",
        "EvalStacks",
        "USI_OwnBook",
        "DebugLogFile",
    ];
    let book = |spec: &&OptionSpec| spec.name.contains("Book") && spec.name != "USI_OwnBook";
    let others = others.len() + OPTIONS.iter().filter(book).count();
    let others = others + ["ClearHash", "USI_Variant", "DrawValueWhite"].len();
    // The seed of the levels is for matches that have to be the same every time.
    let without_option = settings.matches("level_seed: ").count();
    assert_eq!(OPTIONS.len() - others, values - without_option, "{settings}");
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
            Kind::OptionalSpin { min, max, none, .. } => {
                assert!((min..=max).contains(&none), "{}", spec.name);
                if none < max { (none + 1).to_string() } else { (none - 1).to_string() }
            }
            Kind::Combo(at) => {
                let choice = at(&mut options);
                choice.names()[(choice.get() + 1) % choice.names().len()].to_owned()
            }
            Kind::Filename(_) | Kind::Path(_) => "some file.log".to_owned(),
            Kind::StackRule(_) => "K3K3".to_owned(),
            Kind::Button => continue,
            #[cfg(feature = "tune")]
            Kind::Parameter(_) => continue,
        };
        set(&mut options, &format!("setoption name {} value {other}", spec.name)).unwrap();
        let (before, after) = (format!("{:?}", Options::default()), format!("{options:?}"));
        assert_ne!(before, after, "{} changes nothing", spec.name);
        let parts = |text: &str| text.split(", ").map(str::to_owned).collect::<Vec<_>>();
        let changed = parts(&before).iter().zip(&parts(&after)).filter(|(b, a)| b != a).count();
        assert_eq!(changed, 1, "{} changes one value", spec.name);
    }
}

/// Other engines have the same numbers for "no limit" and "never".
#[test]
fn some_numbers_mean_that_there_is_no_value() {
    let mut options = Options::default();
    let mut after = |name: &str, value: i64| {
        set(&mut options, &format!("setoption name {name} value {value}")).unwrap();
        let Settings { max_moves_to_draw, resign_value, depth_limit, nodes_limit, .. } =
            options.settings;
        let fv_scale = options.evaluation.fv_scale.map(|scale| i64::from(scale.get()));
        match name {
            "MaxMovesToDraw" => max_moves_to_draw.map(i64::from),
            "DepthLimit" => depth_limit.map(i64::from),
            "NodesLimit" => nodes_limit.map(|nodes| i64::try_from(nodes).unwrap()),
            "FV_SCALE" => fv_scale,
            _ => resign_value.map(i64::from),
        }
    };
    for (name, largest) in [
        ("MaxMovesToDraw", 100_000),
        ("DepthLimit", 1_000),
        ("NodesLimit", i64::MAX),
        ("FV_SCALE", 1024),
    ] {
        assert_eq!([1, largest, 0].map(|value| after(name, value)), [Some(1), Some(largest), None]);
    }
    let resigns = [0, 99_998, 99_999].map(|value| after("ResignValue", value));
    assert_eq!(resigns, [Some(0), Some(99_998), None]);
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
        ("setoption name EvalStacks value k3", "takes auto or a rule such as k3k3"),
        ("setoption name EvalStacks value", "takes auto or a rule such as k3k3"),
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
    // Elsewhere, this one is of type check.
    for (value, file) in [
        ("false", ""),
        ("my log", "my log"),
        ("0", ""),
        ("True", "tsumero.log"),
        ("<empty>", ""),
        ("1", "tsumero.log"),
    ] {
        let line = format!("setoption name Write_Debug_Log value {value}");
        assert_eq!(set(&mut options, &line), Ok(Effect::DebugLogFile));
        assert_eq!(options.debug_log_file, Path::new(file), "{value}");
    }
    set(&mut options, "setoption name DebugLogFile value false").unwrap();
    assert_eq!(options.debug_log_file, Path::new("false"));
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
