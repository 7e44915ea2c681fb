//! Lengths of mates.

/// A length in plies: of a mate, or a bound within which there is no mate.
pub type Length = u16;

/// Longer than any mate that can be searched. As a bound of "no mate within" it means no mate at
/// all.
pub const UNBOUNDED: Length = 4095;

/// The bound of a search for any mate: an odd length far above that of every known problem.
pub const ANY_LENGTH: Length = 4001;
const _: () = assert!(ANY_LENGTH < UNBOUNDED && ANY_LENGTH % 2 == 1);

/// The bound of a search that is asked for a mate of at most `length` plies: odd, because mates are, and
/// at most [`ANY_LENGTH`]. `None` if no mate is so short.
pub(super) fn odd_bound(length: Length) -> Option<Length> {
    let shorter = length.min(ANY_LENGTH).checked_sub(1)?;
    Some(shorter | 1)
}
