//! Reads the test data into plain rows. `data/README.md` names the source of each file.

/// One row of `perft.csv`.
pub(crate) struct PerftRow {
    pub(crate) name: &'static str,
    pub(crate) sfen: &'static str,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

/// One row of `mate1.csv`.
pub(crate) struct MateRow {
    pub(crate) sfen: &'static str,
    /// Every move that mates at once, in USI.
    pub(crate) mates: Vec<&'static str>,
}

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().skip(1).map(|line| line.split(',').collect())
}

/// The reference counts of legal move sequences.
pub(crate) fn perft_rows() -> Vec<PerftRow> {
    rows(include_str!("../data/perft.csv"))
        .map(|fields| PerftRow {
            name: fields[0],
            sfen: fields[1],
            depth: fields[2].parse().expect("the depth is a number"),
            nodes: fields[3].parse().expect("the node count is a number"),
        })
        .collect()
}

/// The positions of the perft table, each once.
pub(crate) fn perft_sfens() -> Vec<&'static str> {
    perft_rows().iter().filter(|row| row.depth == 1).map(|row| row.sfen).collect()
}

/// The reference answers to "which moves mate at once".
pub(crate) fn mate_rows() -> Vec<MateRow> {
    rows(include_str!("../data/mate1.csv"))
        .map(|fields| {
            let mates: Vec<&str> = fields[3].split_whitespace().collect();
            assert_eq!(mates.len().to_string(), fields[2], "{}", fields[0]);
            MateRow { sfen: fields[0], mates }
        })
        .collect()
}
