//! `tsumero-train choices`.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use tsumero_core::Position;
use tsumero_search::BestMove;

use crate::configuration::{Configuration, MoveLimits};
use crate::player::Player;
use crate::progress::tell;

/// Print the move that a configuration chooses in each position, and count how many agree with
/// given moves.
///
/// The count ranks configurations with far fewer nodes than games do. The given moves should come
/// from searches that are much longer, or from strong players.
#[derive(Debug, Args)]
pub struct Choices {
    /// Positions: an SFEN a line, or CSV with the SFEN first; a header is passed over
    positions: PathBuf,
    /// The configuration, as for duel
    #[arg(long, default_value = "hash=16")]
    configuration: Configuration,
    /// Nodes for a position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// CSV of positions and moves, as this command writes it; each must be among the positions
    #[arg(long)]
    against: Option<PathBuf>,
}

/// How many of the given moves were chosen.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Agreement {
    compared: usize,
    agreed: usize,
}

impl Choices {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let Agreement { compared, agreed } = self.choose(io::stdout().lock())?;
        if compared > 0 {
            let share = 100.0 * agreed as f64 / compared as f64;
            tell(format_args!("{agreed} of {compared} moves agree: {share:.2} %"));
        }
        Ok(())
    }

    /// Writes the choices as CSV: SFEN, move, score, depth.
    fn choose(&self, out: impl io::Write) -> anyhow::Result<Agreement> {
        let positions = read_positions(&self.positions)?;
        if positions.is_empty() {
            bail!("{}: no positions", self.positions.display());
        }
        let given = self.against.as_deref().map(read_positions).transpose()?;
        let given: HashMap<&str, &str> = given
            .iter()
            .flatten()
            .filter_map(|row| Some((row.sfen.as_str(), row.answer.as_deref()?)))
            .collect();
        if self.against.is_some() && given.is_empty() {
            bail!("no moves to compare with");
        }
        // Each is either compared or a mistake: the same position may be written in two ways.
        let mut strange: HashSet<&str> = given.keys().copied().collect();
        positions.iter().for_each(|row| _ = strange.remove(row.sfen.as_str()));
        if let Some(sfen) = strange.into_iter().min() {
            bail!("{sfen}: a move is given, but this is none of the positions");
        }
        let limits = MoveLimits { nodes: Some(self.nodes), ..MoveLimits::default() };
        let mut player = Player::new(&self.configuration, limits, None)?;
        let mut out = csv::Writer::from_writer(out);
        let (mut agreement, mut depths, mut moves) = (Agreement::default(), 0_u64, 0_u32);
        for (number, row) in positions.iter().enumerate() {
            let position = Position::from_sfen(&row.sfen).with_context(|| {
                format!("{}, position {}", self.positions.display(), number + 1)
            })?;
            player.new_game();
            let choice = player.choose(&position.into());
            let answer = match choice.answer {
                BestMove::Move { best, .. } => Some(best.to_string()),
                BestMove::Resign | BestMove::DeclareWin => None,
            };
            if let Some(&wanted) = given.get(row.sfen.as_str()) {
                agreement.compared += 1;
                agreement.agreed += usize::from(answer.as_deref() == Some(wanted));
            }
            let Some(answer) = answer else { continue };
            depths += u64::from(choice.depth);
            moves += 1;
            let (score, depth) = (choice.score.value().to_string(), choice.depth.to_string());
            out.write_record([&row.sfen, &answer, &score, &depth])?;
        }
        out.flush()?;
        let depth = depths as f64 / f64::from(moves.max(1));
        tell(format_args!("{} positions, mean depth {depth:.2}", positions.len()));
        Ok(agreement)
    }
}

/// A position, and the move of another player.
struct Row {
    sfen: String,
    answer: Option<String>,
}

/// Reads the first two columns of CSV. Where there is none but the first, the move is missing.
fn read_positions(path: &Path) -> anyhow::Result<Vec<Row>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_path(path)
        .with_context(|| path.display().to_string())?;
    let mut rows = Vec::new();
    for (number, record) in reader.records().enumerate() {
        let record = record.with_context(|| path.display().to_string())?;
        let Some(sfen) = record.get(0).filter(|sfen| !sfen.is_empty()) else { continue };
        if number == 0 && !sfen.contains('/') {
            continue;
        }
        rows.push(Row { sfen: sfen.to_owned(), answer: record.get(1).map(str::to_owned) });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search agrees with itself, and with moves that it did not choose it does not.
    #[test]
    fn agreement_is_counted_by_position() {
        let folder = std::env::temp_dir().join(format!("tsumero-choices-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| folder.join(name);
        let start = Position::startpos().to_sfen();
        let other = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
        std::fs::write(path("positions.csv"), format!("sfen,result\n{start},1\n{other},0\n"))
            .unwrap();
        let choices = |against: Option<&str>| Choices {
            positions: path("positions.csv"),
            configuration: "hash=1".parse().unwrap(),
            nodes: 500,
            against: against.map(path),
        };
        let mut own = Vec::new();
        let nothing_given = choices(None).choose(&mut own).unwrap();
        assert_eq!(nothing_given, Agreement::default());
        std::fs::write(path("own.csv"), &own).unwrap();
        let all = choices(Some("own.csv")).choose(io::sink()).unwrap();
        assert_eq!(all, Agreement { compared: 2, agreed: 2 });
        // No engine begins with a king's move.
        std::fs::write(path("king.csv"), format!("{start},5i5h\n")).unwrap();
        let none = choices(Some("king.csv")).choose(io::sink()).unwrap();
        assert_eq!(none, Agreement { compared: 1, agreed: 0 });
        // Whoever resigns or declares a win does not play the move either.
        let mated = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
        std::fs::write(path("mated.csv"), format!("{mated},5a4a\n")).unwrap();
        let resigns = Choices { positions: path("mated.csv"), ..choices(Some("mated.csv")) };
        let (mut written, resigned) = (Vec::new(), Agreement { compared: 1, agreed: 0 });
        assert_eq!(resigns.choose(&mut written).unwrap(), resigned);
        assert!(written.is_empty());
        // The ply is another.
        std::fs::write(path("strange.csv"), format!("{},5i5h\n", start.replace(" 1", " 2")))
            .unwrap();
        let refused = choices(Some("strange.csv")).choose(io::sink()).unwrap_err().to_string();
        assert!(refused.contains("none of the positions"), "{refused}");
        std::fs::write(path("empty.csv"), "sfen,move\n").unwrap();
        assert!(choices(Some("empty.csv")).choose(io::sink()).is_err());
        let nothing_to_choose = Choices { positions: path("empty.csv"), ..choices(None) };
        assert!(nothing_to_choose.choose(io::sink()).is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
