//! The interface of evaluations for the search. An evaluator gives the value of the last position
//! of a line of moves, and keeps what it needs along the line.

use std::num::NonZeroU16;
use std::sync::{Arc, LazyLock};

use tsumero_control::{Evaluation, Score};
use tsumero_core::{ByColor, Color, GOLDEN_GAMMA, Move, Position, mix};
use tsumero_network::{Accumulators, Network, value_of_raw};

/// Evaluates the last position of a line of moves.
pub(crate) trait Evaluator<'a> {
    /// The data that all threads share.
    type Source: Copy + Send + Sync + 'a;

    /// An evaluator for a line that begins with the given position.
    fn new(source: Self::Source, root: &Position) -> Self;

    /// A move is about to be made in `before`.
    fn push(&mut self, before: &Position, mv: Move);

    /// A null move is about to be made.
    fn push_null(&mut self);

    /// The last move or null move has been taken back.
    fn pop(&mut self);

    /// The value of the current position for the side to move. It is never a mate score.
    fn evaluate(&mut self, position: &Position) -> Score;

    /// Whether the player who evaluates overlooks a move inside the tree. The full strength overlooks
    /// nothing, and the question is compiled away there.
    #[inline]
    fn overlooks(&self, _: Move) -> bool {
        false
    }
}

/// A network and the scale of its values.
///
/// ```
/// use std::num::NonZeroU16;
/// use tsumero_core::Position;
/// use tsumero_network::{Architecture, Kind, Network, Parameters};
/// use tsumero_search::{EvaluationFunction, NetworkEvaluation, Searcher};
/// let mut parameters = Parameters::zeros(Architecture::new(Kind::Kp, 128, 8, 32).unwrap());
/// parameters.layers[2].biases[0] = 1600;
/// let mut evaluation = NetworkEvaluation::new(Network::from_parameters(&parameters)?);
/// assert_eq!(evaluation.fv_scale.get(), 16);
/// evaluation.fv_scale = NonZeroU16::new(20).unwrap();
/// let mut searcher = Searcher::new(1);
/// searcher.set_evaluation_function(EvaluationFunction::Network(evaluation));
/// assert_eq!(searcher.evaluation_function().evaluate(&Position::startpos()).value(), 80);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NetworkEvaluation {
    /// The network.
    pub network: Arc<Network>,
    /// The divisor of the network's last integer: [`Network::fv_scale`] unless the user sets
    /// another one.
    pub fv_scale: NonZeroU16,
}

impl NetworkEvaluation {
    /// Evaluates with a network, at the scale that its makers advise.
    pub fn new(network: Network) -> NetworkEvaluation {
        let fv_scale = network.fv_scale();
        NetworkEvaluation { network: Arc::new(network), fv_scale }
    }

    /// The network that comes with this crate; `docs/network.md` says how it was made.
    pub fn internal() -> NetworkEvaluation {
        static INTERNAL: LazyLock<NetworkEvaluation> = LazyLock::new(|| {
            let network = Network::from_bytes(include_bytes!("internal.nn.bin"));
            NetworkEvaluation::new(network.expect("a test reads the file"))
        });
        INTERNAL.clone()
    }
}

/// What a search evaluates with.
///
/// ```
/// use tsumero_core::Handicap;
/// use tsumero_search::EvaluationFunction;
/// // White moves first, and has neither rook nor bishop.
/// let position = Handicap::TwoPieces.position();
/// for evaluation_function in [EvaluationFunction::AttackMaps, EvaluationFunction::default()] {
///     let evaluation = evaluation_function.explain(&position);
///     let name = match evaluation_function {
///         EvaluationFunction::AttackMaps => "attack maps".to_owned(),
///         EvaluationFunction::Network(by) => by.network.shape().to_string(),
///     };
///     assert!(evaluation.total.value() < -500, "{name}: {:?}", evaluation.parts);
/// }
/// ```
#[derive(Clone, Debug)]
pub enum EvaluationFunction {
    /// The attack maps, with weights fitted to games.
    AttackMaps,
    /// A network.
    Network(NetworkEvaluation),
}

/// The network that comes with this crate.
impl Default for EvaluationFunction {
    fn default() -> EvaluationFunction {
        EvaluationFunction::Network(NetworkEvaluation::internal())
    }
}

impl EvaluationFunction {
    /// The value of a position with its parts, computed from scratch. A network's value has two
    /// parts: the material, by the weights of the attack maps, and the rest.
    pub fn explain(&self, position: &Position) -> Evaluation {
        match self {
            EvaluationFunction::AttackMaps => super::evaluate_by_attack_maps(position),
            EvaluationFunction::Network(_) => {
                let total = self.evaluate(position);
                let black = position.side_to_move() == Color::Black;
                let of_black = if black { total.value() } else { -total.value() };
                let mut parts = super::material_parts(position);
                let known =
                    |(_, value): &(_, ByColor<i32>)| value[Color::Black] - value[Color::White];
                let beyond = of_black - parts.iter().map(known).sum::<i32>();
                parts.push(("network", ByColor([beyond.max(0), (-beyond).max(0)])));
                Evaluation { total, parts }
            }
        }
    }

    /// The static value of a position for the side to move, computed from scratch.
    pub fn evaluate(&self, position: &Position) -> Score {
        match self {
            EvaluationFunction::AttackMaps => super::static_score(position),
            EvaluationFunction::Network(NetworkEvaluation { network, fv_scale }) => {
                Score::ordinary(value_of_raw(network.evaluate_from_scratch(position), *fv_scale))
            }
        }
    }

    /// A number that almost certainly differs between different evaluations, whatever their files are
    /// called. It is made of static values along random games, and is the same on every machine. Takes
    /// about a thousand static values, each computed from scratch.
    ///
    /// ```
    /// use tsumero_search::EvaluationFunction;
    /// let [by_network, attack_maps] = [EvaluationFunction::default(), EvaluationFunction::AttackMaps];
    /// assert_eq!(by_network.fingerprint(), EvaluationFunction::default().fingerprint());
    /// assert_ne!(by_network.fingerprint(), attack_maps.fingerprint());
    /// ```
    pub fn fingerprint(&self) -> u64 {
        const GAMES: u64 = 10;
        const PLIES: u64 = 100;
        let mut number = 0;
        for game in 0..GAMES {
            let mut position = Position::startpos();
            for ply in 0..PLIES {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let chance = mix((game * PLIES + ply + 1).wrapping_mul(GOLDEN_GAMMA));
                position.play_unchecked(moves[(chance % moves.len() as u64) as usize]);
                let value = self.evaluate(&position).value();
                number = mix(number ^ u64::from(value.cast_unsigned()));
            }
        }
        number
    }
}

/// Evaluates by a network.
pub(crate) struct NetworkEvaluator<'a> {
    source: &'a NetworkEvaluation,
    accumulators: Accumulators,
}

impl<'a> Evaluator<'a> for NetworkEvaluator<'a> {
    type Source = &'a NetworkEvaluation;

    fn new(source: &'a NetworkEvaluation, root: &Position) -> NetworkEvaluator<'a> {
        NetworkEvaluator { source, accumulators: Accumulators::new(&source.network, root) }
    }

    #[inline]
    fn push(&mut self, before: &Position, mv: Move) {
        self.accumulators.push(before, mv);
    }

    #[inline]
    fn push_null(&mut self) {
        self.accumulators.push_null();
    }

    #[inline]
    fn pop(&mut self) {
        self.accumulators.pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let raw = self.accumulators.evaluate(&self.source.network, position);
        Score::ordinary(value_of_raw(raw, self.source.fv_scale))
    }
}
