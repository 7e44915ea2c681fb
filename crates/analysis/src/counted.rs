//! Numbers of things in English texts.

/// A number of things, in words for one of them and for many.
///
/// ```
/// use tsumero_analysis::counted;
/// let counted = [0, 1, 2].map(|count| counted(count, "inaccuracy", "inaccuracies"));
/// assert_eq!(counted, ["0 inaccuracies", "1 inaccuracy", "2 inaccuracies"]);
/// ```
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
