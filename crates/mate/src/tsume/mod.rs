//! Mate problems (tsume shogi): judging whether one is sound, and making sound ones.
//!
//! *Sound* means here, for a mate of exactly N plies with the attacker shortest, the defender
//! longest, and every legal interposition counted:
//!
//! * Along **all** lines in which the defender holds out for the full N plies, not only the main
//!   one, there is exactly one check that mates in each position with the attacker to move. Lines
//!   in which the defender loses sooner are not looked at: there the solver may choose.
//! * A check mates if the position after it is lost for the defender **in any number of plies**.
//!   So a second way that takes longer is a second solution, a detour that comes back to the
//!   problem included; so are a promotion and the same move without it, and two squares for one
//!   drop. Each other check is proven not to mate; where that takes more than the limits allow,
//!   the verdict is unknown, never sound.
//! * The last move of a line may be one of several, unless it is the first move as well.
//!
//! The attacker is the side to move. What is neither on the board nor in the attacker's hand, but
//! for the kings, is held by the defender; the maker keeps to that, and the judge takes it for
//! granted when it tries what happens without a man.

mod bounded;
mod generate;
mod layout;
mod random;
mod soundness;

pub use generate::{Generator, Problem, Progress, Recipe};
pub use soundness::{Judge, JudgeLimits, Solution, Verdict};
