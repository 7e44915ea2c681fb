//! Text of others in messages.

/// The beginning of a text in a file, with all other bytes than printable ASCII escaped.
pub(crate) fn printable(text: &[u8]) -> String {
    const MOST: usize = 60;
    let dots = if text.len() > MOST { "..." } else { "" };
    format!("{}{dots}", text[..text.len().min(MOST)].escape_ascii())
}
