//! The positions that are measured.

/// A named position and the depth its sequences of moves are counted to.
pub(crate) struct Named {
    pub(crate) name: &'static str,
    pub(crate) sfen: &'static str,
    pub(crate) depth: u32,
}

const fn named(name: &'static str, sfen: &'static str, depth: u32) -> Named {
    Named { name, sfen, depth }
}

/// Nine kinds of positions; depths are chosen so that a run takes some ten milliseconds.
pub(crate) const POSITIONS: [Named; 9] = [
    named("startpos", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 4),
    named("opening", "lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9", 4),
    named("matsuri", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 3),
    named(
        "tactical_hands",
        "ln1gk2nl/1rs6/2pppp+R+B1/p7p/9/2P5P/P1+pP+bPP2/3G2S2/LN2KG1NL w GSs5p 38",
        3,
    ),
    named("pins", "1k2l3b/1s7/p1p1P1N1g/9/r1G1K1S1+r/9/2GP1P3/9/+b6L1 b GSN2P2p 1", 3),
    named(
        "evasions",
        "ln2+r1r2/5s+Pkl/3+B1p1p1/p4B2p/2P6/P6PP/1PNP1P3/2G3SK1/L4G1NL w 2GSN3Ps3p 76",
        4,
    ),
    named(
        "entering_kings",
        "2+R4K1/3+P2G+B1/4+N+P1+L1/2p5p/1p7/p7P/+p+p+p6/2+p5L/k+p1+r5 w G2S3N3Pb2g2s2l3p 1",
        3,
    ),
    named(
        "big_hands",
        "4k4/PP1P1P1PP/1NL3L2/7N1/9/1n7/2l3ln1/pp1p1p1pp/4K4 b RB2G2S3Prb2g2s3p 1",
        3,
    ),
    named(
        "endgame",
        "ln1k5/2s1g4/r1ppp3s/pp7/2P1bP3/2GP1S3/PPB1G1+ls1/L1+rNK2+l+n/1N7 w 5Pg3p 100",
        3,
    ),
];
