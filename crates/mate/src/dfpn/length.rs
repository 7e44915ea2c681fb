//! Lengths of mates.

/// A length in plies: of a mate, or a bound within which there is no mate.
pub type Length = u16;

/// Longer than any mate that can be searched. As a bound of "no mate within" it means no mate at
/// all.
pub const UNBOUNDED: Length = 4095;

/// The bound of a search for any mate: an odd length far above that of every known problem.
pub const ANY_LENGTH: Length = 4001;
const _: () = assert!(ANY_LENGTH < UNBOUNDED && ANY_LENGTH % 2 == 1);
