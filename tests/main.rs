//! Tests of the built engine from outside: what it answers to what, in time, and that nothing a
//! GUI can send makes it fall silent or end. One file for each part of the protocol.

mod analyze;
mod book;
mod clients;
mod composers_check;
mod ending;
mod eval_command;
mod eval_file;
mod files;
mod folder;
mod games;
mod handshake;
mod harness;
mod in_time;
mod info;
mod load;
mod mate;
mod mate_command;
mod mate_problems;
mod options;
mod output;
mod ponder;
mod positions;
mod quantum;
mod reading;
mod readme;
mod record;
mod relative_names;
mod search_limits;
mod second_solutions;
mod shell;
mod stopping;
mod subcommands;
mod terminal;
mod time;
mod transcripts;
mod tsume;
mod version;

/// Positions that several parts need.
mod sfen {
    /// White is mated: the gold on 5b is held by the pawn.
    pub(crate) const MATED: &str = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
    /// Black mates in one by G*5b, among other moves.
    pub(crate) const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    /// Black has exactly one legal move: the king in the corner takes the gold.
    pub(crate) const ONE_LEGAL_MOVE: &str = "4k4/9/9/9/9/9/9/8g/8K b - 1";
    /// Black may declare a win by the 27-point rule: the king and ten pieces in the camp, 18
    /// points on the board and 10 in hand.
    pub(crate) const DECLARATION: &str = "+L+NSGKGS+N+L/1R5B1/9/9/9/9/9/9/4k4 b 10P 1";
    /// A tsume problem: Black has no king and mates in three plies.
    pub(crate) const TSUME_3: &str = "9/kS7/3G5/s1n6/rG3b3/9/9/3+b5/9 b S2Pr2gs3n4l16p 1";
    /// No mate; with three lances in the place of the knight and two pawns a mate in 13 plies.
    pub(crate) const DEFENDER_HOLDS_A_KNIGHT: &str = "k2+l5/9/n1+Ss5/3S5/9/9/9/9/8+R b R2Pn2p 1";
    pub(crate) const DEFENDER_HOLDS_LANCES: &str = "k2+l5/9/n1+Ss5/3S5/9/9/9/9/8+R b R2P3l 1";
    /// A king and a pawn in hand against a king: no mate.
    pub(crate) const NO_MATE: &str = "4k4/9/9/9/9/9/9/9/4K4 b P 1";
    /// Microcosmos by Hashimoto Koji (1986), 1525 plies: no solver ends within seconds. The
    /// position is printed in many places, among them the benchmark of KomoringHeights.
    pub(crate) const HARD_TSUME: &str = "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";
    /// A middle game with many legal moves and no quick end, from a game between programs.
    pub(crate) const MIDDLE_GAME: &str =
        "l+B1g1r1ng/5+P3/1S3+R3/5p1pN/ppp3p1P/4GP1k1/PPP3P2/1B2+n1sKL/LG4+lN1 b 4P2sp 1";
}
