//! Mate problems (詰将棋, tsume shogi): judges whether a problem is sound, and generates sound ones.
//!
//! *Sound* has this meaning here, for a mate in exactly N plies with the attacker as fast and the
//! defender as slow as possible, and every legal interposition (合駒) counted:
//!
//! * Along **all** lines in which the defender lasts for the full N plies, not only the main one,
//!   exactly one check mates in each position with the attacker to move. Lines in which the
//!   defender loses sooner are not examined: there the solver may choose.
//! * A check mates if the position after it is lost for the defender **in any number of plies**. So
//!   a longer second way is a second solution (余詰), and so is a detour that returns to the problem.
//!   A promotion and the same move without it are two solutions, and so are two squares for one
//!   drop. Every other check is proven not to mate. If a proof exceeds the limits, the verdict is
//!   unknown, never sound.
//! * Several last moves of a line may mate, unless the last move is also the first.
//!
//! The attacker is the side to move. The defender holds all pieces that are neither on the board
//! nor in the attacker's hand, except kings. The generator obeys this, and the judge assumes it
//! when it tries a problem without a piece.

mod along;
mod findings;
mod generate;
mod given_line;
mod layout;
mod placement;
mod random;
mod report;
mod soundness;
mod style;
mod tree;
mod walk;

pub use findings::{Lenience, Report, Rules, SecondSolution, Variation};
pub use generate::{Generator, Problem, Progress, Recipe};
pub use soundness::{Judge, JudgeLimits, Solution, Verdict};
pub use style::{Area, Kinds, ParseAreaError, ParseKindsError, Style};
pub use tree::{CheckFound, Defense, Tree, TreeLimits, TreeMate, TreeNode, TreeReply};
