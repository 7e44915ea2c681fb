//! The benchmark: a fixed list of positions. Its node count is the signature of the search.

use std::time::Duration;

use tsumero_control::{Limits, Signals};
use tsumero_core::{Game, Position};

use crate::evaluate::EvaluationFunction;
use crate::searcher::{Question, Searcher, SearcherError};
use crate::settings::Settings;

/// How to run the benchmark.
///
/// With one thread the same options count the same nodes every time:
///
/// ```
/// use std::thread;
/// use tsumero_search::{BenchOptions, STACK_SIZE, bench};
/// let options = BenchOptions { depth: Some(1), hash_mb: 1, ..BenchOptions::default() };
/// assert_eq!(options.threads, 1);
/// let run = move || [(); 2].map(|()| bench(options.clone(), &mut |_| {}));
/// let [first, second] = thread::Builder::new().stack_size(STACK_SIZE).spawn(run)?.join().unwrap();
/// assert_eq!(first.unwrap().nodes, second.unwrap().nodes);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BenchOptions {
    /// Depth for each position; a default depth if neither this nor `nodes` is given.
    pub depth: Option<u32>,
    /// Nodes for each position.
    pub nodes: Option<u64>,
    /// Number of threads. Only with one is the node count the same every time.
    pub threads: usize,
    /// Size of the transposition table in megabytes.
    pub hash_mb: usize,
    /// What to evaluate with.
    pub evaluation_function: EvaluationFunction,
}

impl Default for BenchOptions {
    /// What the signature of the search is counted with: the default depth, one thread, a table of
    /// 16 MB, the network in the program.
    fn default() -> BenchOptions {
        BenchOptions {
            depth: None,
            nodes: None,
            threads: 1,
            hash_mb: 16,
            evaluation_function: EvaluationFunction::default(),
        }
    }
}

/// Result of one position.
///
/// ```
/// use std::thread;
/// use tsumero_search::{BenchLine, BenchOptions, STACK_SIZE, SearcherError, bench};
/// let run = || {
///     let options = BenchOptions { nodes: Some(20), hash_mb: 1, ..BenchOptions::default() };
///     let (mut shown, mut sum) = (Vec::new(), 0);
///     let result = bench(options, &mut |BenchLine { number, count, position, nodes }| {
///         shown.push(format!("{number}/{count} {position}: {nodes} nodes"));
///         sum += nodes;
///     })?;
///     assert_eq!(sum, result.nodes);
///     Ok::<_, SearcherError>(shown)
/// };
/// let shown = thread::Builder::new().stack_size(STACK_SIZE).spawn(run)?.join().unwrap()?;
/// let count = shown.len();
/// assert!(shown[0].starts_with(&format!("1/{count} lnsgkgsnl/1r5b1/ppppppppp/")));
/// assert!(shown[count - 1].starts_with(&format!("{count}/{count} ")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BenchLine {
    /// Number of the position, from 1.
    pub number: usize,
    /// Number of positions in the list.
    pub count: usize,
    /// The position.
    pub position: Position,
    /// Nodes searched.
    pub nodes: u64,
}

/// Result of all positions.
///
/// ```
/// use std::thread;
/// use tsumero_search::{BenchOptions, EvaluationFunction, STACK_SIZE, bench};
/// let run = || {
///     let shallow = BenchOptions { depth: Some(1), hash_mb: 1, ..BenchOptions::default() };
///     let options = BenchOptions { evaluation_function: EvaluationFunction::AttackMaps, ..shallow };
///     bench(options, &mut |_| {})
/// };
/// let result = thread::Builder::new().stack_size(STACK_SIZE).spawn(run)?.join().unwrap()?;
/// assert!(result.nodes > 0 && !result.time.is_zero());
/// let exact = result.nodes as f64 / result.time.as_secs_f64();
/// assert!((result.nps() as f64 / exact - 1.0).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        tsumero_control::nodes_per_second(self.nodes, self.time)
    }
}

/// Depth of the search where the options name neither depth nor nodes.
const DEFAULT_DEPTH: u32 = 11;

/// The positions: openings, middlegames, endgames with full hands, kings in check, kings that
/// have entered, and one mate problem. All but the first, the kings that have entered and the
/// problem are from games of this engine against itself.
const POSITIONS: [&str; 22] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "ln1g2snl/1r1s2k2/ppppppgp1/5bp1p/7P1/2PPB3P/PPS1PPP2/4K1SR1/LN1G1G1NL w - 20",
    "lnsg1g2l/4k1s2/p1ppppnpp/1r3bp2/1p5P1/P3R3P/BPPPPPP1N/2S3S2/LN1GKG2L w - 20",
    "lng1k2nl/1p1s1s3/p+Pp1pp1pp/3p2g2/2r2PbP1/4B3P/PSNPP1P2/2G2S1R1/L3KG1NL w Pp 40",
    "lnsg1g2l/4k2s1/2pp1pnp1/pr2p4/6p1p/PbPPPP1P1/2S3PBP/2KR1GS2/LN1G3NL w Pp 40",
    "ln1k4l/2s1gg1s1/2ppbpn2/pr2B2p1/1P2P1p1p/P1P2P1P1/2S2GP1P/2G3S2/LNKR3NL w 2Pp 60",
    "ln1gk2nl/1r1s2gs1/4p4/p2S2PRp/1PP3p2/P1GPB1b1P/2S1P2nL/1p7/L3KG1N1 w 4P2p 60",
    "l3g4/1r1s2ks1/2b+Bppn2/5g3/pp2P1p2/2GR1G1pl/PP1P1P2N/3S5/LNK5L w N6Psp 80",
    "lnsgk4/6b2/p1pp1+Ppp1/b3p1s1p/3r5/P1L1N1G2/1PPPP1P1P/1S2K1S+R1/LN1G1G1NL w P2p 80",
    "ln6l/1rkbg1g2/3s1p3/p1pp2Ps1/4PP1Gp/PpPSp2p1/2N2B2P/1PG3SP1/LK1R3NL w N2P 100",
    "lrS6/5kn1+L/2g1ppn2/3pP1gs1/pp3sp2/2G2G3/PP1P1P1+p1/2KS+R4/LN7 w 2B5Pnlp 120",
    "1n1gk2sl/+P1s1g4/2p1ppn2/4r2p1/1p1p1bp2/4PB1Rp/LPPP1PP1N/2S1GGS2/1N3K2L w L3p 120",
    "8+R/2g2k3/2p1pg3/5p1S1/1p4pp1/3Nl4/LPPPPPP2/2S1G1G2/1N3KS+r+p w BLPbs2nl4p 160",
    "+S4k1p1/3s1gb2/p1pp3P1/3r1g3/P5s2/2LNP4/1PPPp1+R1P/1S1K4L/LN1G3N1 w BGNL5Pp 160",
    "ln2k1p2/2g2s1pG/1p1sp4/P2p5/5+BPP1/1Bp1P2RP/3P5/4G4/LG3K1NL w R2S2NL5Pp 120",
    "lnsg2s1l/1r2k4/p1ppp1+Bbp/6p2/1p7/P1P6/1P1PP+pP1P/1S2K1S2/LN1G1G1NL b GN2Prp 35",
    "1+N1gk1l+Rl/3s1s3/p1pppp2p/r5p2/2P3LP1/3PP1P2/PP3P2P/5GN2/2S1K+b2L b 2NPb2gsp 63",
    "ln1S5/1k6+R/1ng1+S+L1+P1/ppppN4/1l2G3p/PRP1P1b2/2NG2+b+pP/1PS6/LKG6 w 5Psp 180",
    "l+L1gkb3/3sP1g1l/pSppppn2/9/+R5pgr/P1PP5/2S1GPPBp/6S2/+p3K2NL w 2N3Pp 100",
    "+R2K1+L3/1S1G+P4/2+P+NG4/9/p7p/9/1+p1+n1g1s1/2k2+p+l2/1+b3s2+r b B3P2N2L4pgs 220",
    "1+P+B1+S4/2K1G2+N1/1+P+L1+P4/9/4p4/P8/3+n+p1g2/1s2+r1k2/2g1+l2+b1 w GS6P3p 250",
    "8k/9/9/5+RB2/9/9/9/9/9 b S2Prb4g3s4n4l16p 1",
];

/// Searches the built-in positions and reports the result of each. Every position starts with empty
/// tables. Blocks until done; the calling thread needs a stack of [`STACK_SIZE`](crate::STACK_SIZE)
/// bytes.
///
/// # Errors
/// There is no memory for a table of the size asked for. With a smaller one, the result would be
/// another.
pub fn bench(
    options: BenchOptions,
    per_position: &mut dyn FnMut(BenchLine),
) -> Result<BenchResult, SearcherError> {
    let depth = match (options.depth, options.nodes) {
        (None, None) => Some(DEFAULT_DEPTH),
        (depth, _) => depth,
    };
    let limits = Limits { depth, nodes: options.nodes, ..Limits::default() };
    let settings = Settings { threads: options.threads.max(1), ..Settings::default() };
    let mut searcher = Searcher::try_new(options.hash_mb)?;
    searcher.set_evaluation_function(options.evaluation_function);
    let mut result = BenchResult { nodes: 0, time: Duration::ZERO };
    for (index, sfen) in POSITIONS.iter().enumerate() {
        let position = Position::from_sfen(sfen).expect("the built-in positions are valid");
        searcher.clear();
        searcher.warm_up(&mut || true);
        let mut nodes = 0;
        let (game, signals) = (Game::from(&position), Signals::new());
        let question = Question::new(&game, &limits, &settings, &signals);
        searcher.search(&question, &mut |info| nodes = info.nodes);
        result.time += question.started.elapsed();
        result.nodes += nodes;
        per_position(BenchLine { number: index + 1, count: POSITIONS.len(), position, nodes });
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_can_be_searched_and_is_its_own() {
        let mut seen = std::collections::HashSet::new();
        let options = BenchOptions {
            depth: Some(1),
            nodes: None,
            threads: 1,
            hash_mb: 1,
            evaluation_function: EvaluationFunction::default(),
        };
        let result = bench(options, &mut |line| {
            assert!(line.position.has_legal_move());
            assert!(seen.insert(line.position.key()), "{}", line.position);
            assert_eq!(line.count, POSITIONS.len());
        });
        let result = result.expect("room for one megabyte");
        assert_eq!(seen.len(), POSITIONS.len());
        assert!(result.nodes > 0 && result.nps() > 0);
    }
}
