//! The language of the system.

/// Whether the user reads Japanese, as far as the system knows: by the variables `LC_ALL`,
/// `LC_MESSAGES` and `LANG`, and on Windows, where they are seldom set, by the language of its menus.
pub fn is_japanese() -> bool {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter();
    let mut set = set.filter_map(|name| std::env::var(name).ok());
    match set.find(|value| !value.is_empty()) {
        Some(value) => value.starts_with("ja"),
        None => has_japanese_menus(),
    }
}

#[cfg(windows)]
#[allow(unsafe_code)]
fn has_japanese_menus() -> bool {
    /// The primary language of a language identifier is in its lower ten bits.
    const PRIMARY: u16 = 0x3ff;
    const JAPANESE: u16 = 0x11;
    // SAFETY: the function takes nothing, reads a setting of the user, and cannot fail.
    let language = unsafe { windows_sys::Win32::Globalization::GetUserDefaultUILanguage() };
    language & PRIMARY == JAPANESE
}

#[cfg(not(windows))]
fn has_japanese_menus() -> bool {
    false
}
