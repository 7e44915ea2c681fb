//! Reading layer stacks, and finding their rule.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::progress::{self, Progress};
use super::rule::{RuleError, RuleReason, StackChoice, StackRule};
use super::shape::{Described, HASH, StackArchitecture};
use super::{Stack, Stacks};
use crate::error::NetworkError;
use crate::family::STACKS;
use crate::input::Input;
use crate::kind::Kind;
use crate::transformer::{Transformer, memory_for_rows};

/// What stands before the weights of the progress.
const PROGRESS: u32 = 0x6f50_524f;

/// The file beside a network with the weights of the progress.
pub(crate) const PROGRESS_FILE: &str = "progress.bin";

/// What lies beside a network file, and what the user says about it.
#[derive(Default)]
pub(crate) struct Beside<'a> {
    /// The rule that the user has set.
    pub(crate) rule: Option<StackRule>,
    /// The network file, if it is one.
    pub(crate) file: Option<&'a Path>,
    /// The contents of `progress.bin`, if it is no file.
    pub(crate) progress: Option<&'a [u8]>,
    /// The rule that `eval_options.txt` names.
    pub(crate) options: Option<&'a str>,
}

impl Beside<'_> {
    /// The file with the weights of the progress.
    fn progress_file(&self) -> Option<PathBuf> {
        let file = self.file?.with_file_name(PROGRESS_FILE);
        file.is_file().then_some(file)
    }

    fn has_progress(&self) -> bool {
        self.progress.is_some() || self.progress_file().is_some()
    }

    /// The weights of the progress for a rule that needs them.
    fn read_progress(&self, rule: StackRule) -> Result<Progress, RuleError> {
        let wrong = |found| RuleError::ProgressFile { found, rule };
        if let Some(bytes) = self.progress {
            return Progress::of_file(bytes).map_err(wrong);
        }
        let file = self.progress_file().ok_or_else(|| wrong("no such file".to_owned()))?;
        let unreadable =
            |error: std::io::Error| wrong(format!("no readable file ({})", error.kind()));
        let mut bytes = Vec::new();
        // One byte more shows that a file is too long.
        let limit = progress::FILE_SIZE as u64 + 1;
        let file = std::fs::File::open(file).map_err(unreadable)?;
        file.take(limit).read_to_end(&mut bytes).map_err(unreadable)?;
        Progress::of_file(&bytes).map_err(wrong)
    }

    /// The rule for a number of stacks.
    fn choose(&self, stacks: usize, described: &Described) -> Result<StackChoice, RuleError> {
        let meant = described.meant.filter(|rule| rule.fits(stacks));
        let choice = |rule, reason| StackChoice { rule, reason, passed_over: None };
        let read = |name: &str, reason| {
            name.parse::<StackRule>().map_err(|error| match error {
                RuleError::Unknown { name, .. } => {
                    RuleError::Unknown { name, reason: Some(reason) }
                }
                other => other,
            })
        };
        let named =
            (!described.rule.is_empty()).then(|| read(&described.rule, RuleReason::Description));
        let choice = match (named, self.rule, self.options) {
            (Some(Ok(rule)), set, _) => StackChoice {
                passed_over: set.filter(|&set| set != rule),
                ..choice(rule, RuleReason::Description)
            },
            (_, Some(rule), _) => choice(rule, RuleReason::Set),
            (Some(Err(error)), None, _) => return Err(error),
            (None, None, Some(name)) => {
                choice(read(name, RuleReason::OptionsFile)?, RuleReason::OptionsFile)
            }
            (None, None, None) => match stacks {
                _ if let Some(rule) = meant => choice(rule, RuleReason::Shape),
                1 => choice(StackRule::SINGLE, RuleReason::Single),
                8 | 9 if self.has_progress() => {
                    choice(StackRule::USUAL_OUTSIDE, RuleReason::ProgressFile)
                }
                9 => choice(StackRule::USUAL, RuleReason::Usual),
                _ => return Err(RuleError::Missing { stacks }),
            },
        };
        match choice.rule.fits(stacks) {
            true => Ok(choice),
            false => Err(RuleError::Count { stacks, rule: choice.rule, reason: choice.reason }),
        }
    }
}

/// A network with layer stacks, as read from a file.
pub(crate) struct StackFile {
    pub(crate) transformer: Transformer,
    pub(crate) stacks: Stacks,
    /// Whether all hashes are the usual ones.
    pub(crate) hashes_agree: bool,
}

/// Reads all that follows the description. `counted` says that the number of stacks comes first,
/// `file_hash` is that in the header.
pub(crate) fn read(
    input: &mut Input<impl Read>,
    description: &[u8],
    file_hash: u32,
    counted: bool,
    beside: &Beside,
) -> Result<StackFile, NetworkError> {
    let described = Described::new(description);
    let count = if counted { Some(input.number()?) } else { None };
    let transformer_hash = input.number()?;
    let (kind, transformer) = read_transformer(input)?;
    let width = 32 * transformer.width();

    let mut rest = input.bytes(input.left() as usize)?;
    input.end()?;
    let mut weights = None;
    if rest.first_chunk() == Some(&PROGRESS.to_le_bytes()) {
        let numbers = rest.get(4..4 * (progress::WEIGHTS + 2)).ok_or_else(|| input.cut())?;
        let numbers = numbers.as_chunks().0.iter().map(|bytes| i32::from_le_bytes(*bytes));
        weights = Some(numbers.collect::<Vec<i32>>());
        rest.drain(..4 * (progress::WEIGHTS + 2));
    }
    let shape_error = |shapes| NetworkError::StackShape {
        bytes: rest.len() as u64,
        shapes,
        description: description.to_vec(),
    };
    let architecture =
        StackArchitecture::recognize(kind, width, &rest, &described).map_err(shape_error)?;
    if count.is_some_and(|count| count as usize != architecture.stacks) {
        return Err(shape_error(0));
    }

    let is_described = described.widths == Some([width, architecture.l2, architecture.l3]);
    let meant = described.meant.filter(|_| is_described);
    let choice = beside.choose(architecture.stacks, &Described { meant, ..described })?;
    let rule = choice.rule;
    let progress = match (weights, rule.inside()) {
        (Some(weights), Some(classes)) => {
            Some(Progress::new(weights[0], weights[1..].to_vec(), classes))
        }
        (None, None) if rule.is_outside() => Some(beside.read_progress(rule)?),
        (None, None) => None,
        (weights, _) => Err(RuleError::Progress { found: weights.is_some(), rule })?,
    };

    let usual_file_hash = STACKS.0[usize::from(rule.inside().is_some())];
    let mut hashes_agree = (file_hash, transformer_hash) == (usual_file_hash, STACKS.1);
    let mut stacks = Vec::with_capacity(architecture.stacks);
    for bytes in rest.chunks_exact(architecture.stack_size()) {
        let mut input = Input::new(bytes, bytes.len() as u64);
        hashes_agree &= input.number()? == HASH;
        let shapes = architecture.layers();
        let mut layers =
            [input.layer(shapes[0])?, input.layer(shapes[1])?, input.layer(shapes[2])?];
        if let Some(shards) = architecture.shards {
            let rows = layers[0].weights.chunks_exact_mut(width);
            for (output, row) in rows.enumerate() {
                let own = shards.inputs(shapes[0].outputs, output);
                row[shards.common..own.start].fill(0);
                row[own.end..].fill(0);
            }
        }
        stacks.push(Stack::new(shapes, layers));
    }
    let stacks = Stacks { architecture, choice, progress, stacks };
    Ok(StackFile { transformer, stacks, hashes_agree })
}

/// Reads the transformer. Its numbers of values and of inputs follow from those of the numbers.
fn read_transformer(input: &mut Input<impl Read>) -> Result<(Kind, Transformer), NetworkError> {
    // Some trainers compress biases and weights together.
    let mut biases = vec![0; StackArchitecture::MAX_WIDTH];
    let bytes = input.compressed_bytes()?;
    let width = input.compressed(bytes, &mut biases)?;
    if !StackArchitecture::is_width(width) {
        return Err(NetworkError::StackWidth { width });
    }
    biases.truncate(width);
    // The number of bytes limits that of the numbers. Memory that is not written costs nothing.
    let bytes = input.compressed_bytes()?;
    let fits = |kind: &Kind| kind.inputs() * width <= bytes;
    // Rows that parts share are in dense files only.
    let kinds = || Kind::ALL.into_iter().filter(|kind| !kind.shares_rows());
    let most = kinds().filter(fits).map(Kind::inputs).max();
    let most = most.ok_or(NetworkError::StackInputs { weights: bytes, width })?;
    let mut rows = memory_for_rows(most, width)?;
    let weights = input.compressed(bytes, bytemuck::cast_slice_mut(&mut rows))?;
    let kind = kinds().find(|kind| kind.inputs() * width == weights);
    let kind = kind.ok_or(NetworkError::StackInputs { weights, width })?;
    rows.truncate(weights / 32);
    Ok((kind, Transformer::of_rows(kind, &biases, rows)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_is_that_of_the_description_then_the_one_that_is_set() {
        let rule = |name: &str| name.parse::<StackRule>().unwrap();
        let described = |name: &str| Described { rule: name.to_owned(), ..Described::default() };
        let progress = vec![0; progress::FILE_SIZE];
        let chosen = |stacks, name, set: Option<&str>, options, outside: bool| {
            let progress = outside.then_some(&progress[..]);
            let beside = Beside { rule: set.map(rule), file: None, progress, options };
            beside.choose(stacks, &described(name)).map(|choice| choice.to_string())
        };
        let is = |found: Result<String, RuleError>, line: &str| assert_eq!(found.unwrap(), line);
        is(chosen(9, "", None, None, false), "k3k3 (the usual rule, because nothing else is said)");
        is(chosen(9, "", None, None, true), "progress8kpabs (because progress.bin lies beside it)");
        is(chosen(8, "", None, None, true), "progress8kpabs (because progress.bin lies beside it)");
        is(
            chosen(9, "", None, Some("progress8ek"), true),
            "progress8ek (as eval_options.txt says)",
        );
        is(chosen(9, "", Some("k3k3"), Some("progress8ek"), true), "k3k3 (as set)");
        is(chosen(9, "k3k3", None, Some("progress8ek"), true), "k3k3 (as the description says)");
        is(
            chosen(9, "k3k3", Some("progress8ek"), None, true),
            "k3k3 (as the description says, not progress8ek as set)",
        );
        is(chosen(9, "k3k3", Some("k3k3"), None, true), "k3k3 (as the description says)");
        is(chosen(81, "k9k4", Some("k9k9z"), None, false), "k9k9z (as set)");
        is(chosen(1, "", None, None, true), "the only stack");
        let meant = |set: Option<&str>, options, stacks| {
            let described = Described { meant: Some(StackRule::USUAL), ..Described::default() };
            let beside =
                Beside { rule: set.map(rule), file: None, progress: Some(&progress), options };
            beside.choose(stacks, &described).map(|choice| choice.to_string())
        };
        is(meant(None, None, 9), "k3k3 (for which the name in the description stands)");
        is(meant(Some("progress8ek"), None, 9), "progress8ek (as set)");
        is(meant(None, Some("progress8ek"), 9), "progress8ek (as eval_options.txt says)");
        is(meant(None, None, 8), "progress8kpabs (because progress.bin lies beside it)");
        let missing = |stacks| Err(RuleError::Missing { stacks });
        assert_eq!(chosen(81, "", None, None, true), missing(81));
        assert_eq!(chosen(8, "", None, None, false), missing(8));
        // Errors say where the rule comes from.
        let unknown =
            |reason| Err(RuleError::Unknown { name: "k9k4".to_owned(), reason: Some(reason) });
        let [said, set, options] =
            [RuleReason::Description, RuleReason::Set, RuleReason::OptionsFile];
        assert_eq!(chosen(81, "k9k4", None, None, false), unknown(said));
        assert_eq!(chosen(81, "", None, Some("k9k4"), false), unknown(options));
        let count =
            |stacks, name, reason| Err(RuleError::Count { stacks, rule: rule(name), reason });
        assert_eq!(chosen(8, "", Some("k3k3"), None, false), count(8, "k3k3", set));
        assert_eq!(
            chosen(8, "", None, Some("progress8ek"), false),
            count(8, "progress8ek", options)
        );
        assert_eq!(chosen(9, "k9k9", Some("k3k3"), None, false), count(9, "k9k9", said));
    }
}
