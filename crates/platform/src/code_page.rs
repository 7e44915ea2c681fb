//! The code page of this Windows.

/// The number of the ANSI code page, in which programs that do not know Unicode write file names:
/// 932 in Japan, 1252 in Western Europe, 65001 where UTF-8 was chosen.
#[allow(unsafe_code)]
pub fn ansi() -> u32 {
    // SAFETY: the function takes nothing, reads a constant of the process, and cannot fail.
    unsafe { windows_sys::Win32::Globalization::GetACP() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_is_a_code_page() {
        // The smallest numbers (0 to 3) are placeholders such as `CP_ACP`, never an answer.
        assert!((37..=65_001).contains(&super::ansi()));
    }
}
