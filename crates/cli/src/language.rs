//! The language of texts for people, and their plurals.

use clap::ValueEnum;
pub(super) use tsumero_analysis::{Language, counted};

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
            None if tsumero_platform::language::is_japanese() => Language::Japanese,
            None => Language::English,
        }
    }
}
