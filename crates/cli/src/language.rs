//! The language of texts for people.

use clap::ValueEnum;
use tsumero_analysis::Language;

/// The languages of the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Lang {
    /// Japanese
    Ja,
    /// English
    En,
}

impl Lang {
    /// The chosen language, or that of the system.
    pub(super) fn language(asked: Option<Lang>) -> Language {
        match asked {
            Some(Lang::Ja) => Language::Japanese,
            Some(Lang::En) => Language::English,
            None => {
                let set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter();
                let set = set.filter_map(|name| std::env::var(name).ok());
                match set.into_iter().find(|value| !value.is_empty()) {
                    Some(value) if value.starts_with("ja") => Language::Japanese,
                    _ => Language::English,
                }
            }
        }
    }
}
