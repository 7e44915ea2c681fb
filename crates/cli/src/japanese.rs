//! `--help` in Japanese.
//!
//! `clap` has the English texts, from the comments of the arguments. Where the system is Japanese, they
//! are exchanged for those of [`TEXTS`] before the arguments are read. A test names what has no
//! translation.

mod texts;

use clap::builder::{Resettable, StyledStr};
use clap::{Arg, Command};

use texts::TEXTS;

/// The command with all texts in Japanese, as far as there are any.
pub(crate) fn translated(mut command: Command) -> Command {
    // This makes the arguments and subcommands for help, too.
    command.build();
    with_texts(command)
}

fn with_texts(command: Command) -> Command {
    let about = command.get_about().and_then(translation);
    // The long texts are English; the manual pages have them.
    let command = match about {
        Some(text) => command.about(text).long_about(Resettable::Reset),
        None => command,
    };
    command
        .help_template("{about-with-newline}\n使い方: {usage}\n\n{all-args}{after-help}")
        .subcommand_help_heading("コマンド")
        .mut_args(with_help)
        .mut_subcommands(with_texts)
}

fn with_help(arg: Arg) -> Arg {
    let heading = if arg.is_positional() { "引数" } else { "オプション" };
    let text = arg.get_help().and_then(translation).map(|text| text.to_owned() + &values_of(&arg));
    let arg = arg.help_heading(heading);
    match text {
        Some(text) => {
            let arg = arg.hide_default_value(true).hide_possible_values(true);
            arg.help(text).long_help(Resettable::Reset)
        }
        None => arg,
    }
}

/// The default value and the possible values, which `clap` would announce in English.
fn values_of(arg: &Arg) -> String {
    let mut text = String::new();
    if arg.get_action().takes_values() {
        let default = arg.get_default_values().first().filter(|_| !arg.is_hide_default_value_set());
        text.extend(default.map(|value| format!("［既定値: {}］", value.display())));
        for value in arg.get_possible_values() {
            let help = value.get_help().and_then(translation);
            let help = help.map_or(String::new(), |help| format!(": {help}"));
            text += &format!("\n・{}{help}", value.get_name());
        }
    }
    text
}

/// The translation of a text.
fn translation(english: &StyledStr) -> Option<&'static str> {
    let english = english.to_string();
    TEXTS.iter().find(|(text, _)| *text == english).map(|(_, japanese)| *japanese)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    /// All texts of a command and its subcommands.
    fn texts(command: &Command, found: &mut Vec<String>) {
        found.extend(command.get_about().map(ToString::to_string));
        for arg in command.get_arguments() {
            found.extend(arg.get_help().map(ToString::to_string));
            let values = arg.get_possible_values();
            found.extend(values.iter().filter_map(|value| value.get_help()).map(|v| v.to_string()));
        }
        command.get_subcommands().for_each(|command| texts(command, found));
    }

    #[test]
    fn every_text_of_the_help_has_a_translation_and_none_is_left_over() {
        let mut command = crate::Arguments::command();
        command.build();
        let mut english = Vec::new();
        texts(&command, &mut english);
        assert!(english.len() > 100, "{}", english.len());
        let known = |text: &str| TEXTS.iter().any(|(english, _)| *english == text);
        let missing: Vec<&String> = english.iter().filter(|text| !known(text)).collect();
        assert!(missing.is_empty(), "without a translation: {missing:#?}");
        let said = |text: &str| english.iter().any(|said| said == text);
        let left: Vec<&str> =
            TEXTS.iter().map(|(text, _)| *text).filter(|text| !said(text)).collect();
        assert!(left.is_empty(), "nobody says: {left:#?}");
    }

    /// The help of a command and its subcommands, as it is printed.
    fn helps(command: &mut Command, found: &mut Vec<String>) {
        found.extend([command.render_help().to_string(), command.render_long_help().to_string()]);
        command.get_subcommands_mut().for_each(|command| helps(command, found));
    }

    #[test]
    fn what_is_printed_has_defaults_and_choices_but_nothing_in_english() {
        let mut printed = Vec::new();
        helps(&mut translated(crate::Arguments::command()), &mut printed);
        assert!(printed.len() > 40, "{}", printed.len());
        for text in &printed {
            for english in ["default", "possible", "Possible", "Usage", "Options:", "Print help"] {
                assert!(!text.contains(english), "{english}: {text}");
            }
        }
        let said = |part: &str| printed.iter().any(|text| text.contains(part));
        for part in [
            "スレッドの数［既定値: 1］",
            "・ja: 日本語",
            "・traditional: ",
            "・zsh",
            // This text says itself what holds without a value.
            "わからなければ 16）\n",
        ] {
            assert!(said(part), "{part}");
        }
    }

    #[test]
    fn the_same_arguments_are_read_in_both_languages() {
        for line in [
            "tsumero bench --depth 3",
            "tsumero tsume check --file -",
            "tsumero",
            "tsumero bench --no",
        ] {
            let read = |command: Command| {
                let matches = command.try_get_matches_from(line.split(' '));
                matches.map(|matches| format!("{matches:?}")).map_err(|error| error.kind())
            };
            let english = read(crate::Arguments::command());
            assert_eq!(read(translated(crate::Arguments::command())), english, "{line}");
        }
    }
}
