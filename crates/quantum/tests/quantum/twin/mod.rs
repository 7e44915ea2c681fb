//! The slow twin of the whole game. Squares are pairs of numbers, rules are written as a player
//! would say them, and convergence is the article's algorithm. It shares no code with the crate.

pub(crate) mod document;

use std::collections::HashMap;

use document::{KINDS, World};

/// File and rank, 1 to 9 each.
type Place = (i8, i8);

#[derive(Clone)]
struct Man {
    /// 0 for Black, 1 for White; changes with a capture.
    owner: usize,
    promoted: bool,
    place: Option<Place>,
}

/// A game on the slow board.
#[derive(Clone)]
pub(crate) struct Game {
    men: HashMap<char, Man>,
    worlds: [World; 2],
    turn: usize,
    /// The winner by capture of the king.
    pub(crate) winner: Option<usize>,
}

/// Why the slow board refuses a move.
#[derive(Debug)]
pub(crate) struct Refused;

const NAMES: &str = "ABCDEFGHIJKLMNOPQRST";

/// The original side of a name and its index there.
fn origin(name: char) -> (usize, usize) {
    let side = usize::from(name.is_ascii_lowercase());
    let index = NAMES.find(name.to_ascii_uppercase()).expect("names are letters from A to T");
    (side, index)
}

/// Whether a piece of one kind can go this far sideways and forward, and whether that is a slide.
fn goes(kind: char, promoted: bool, side: i8, forward: i8) -> bool {
    let (far, ahead) = (side.abs(), forward.abs());
    let straight = (side == 0) != (forward == 0);
    let diagonal = far == ahead && far != 0;
    let step = far.max(ahead) == 1;
    let gold = step && (straight || forward == 1);
    match (kind, promoted) {
        ('P' | 'L' | 'N' | 'S', true) => gold,
        ('B', true) => diagonal || step,
        ('R', true) => straight || step,
        ('P', _) => side == 0 && forward == 1,
        ('L', _) => side == 0 && forward > 0,
        ('N', _) => far == 1 && forward == 2,
        ('S', _) => step && (diagonal || forward == 1),
        ('G', false) => gold,
        ('B', _) => diagonal,
        ('R', _) => straight,
        ('K', false) => step,
        _ => false,
    }
}

fn place(text: &str) -> Place {
    let bytes = text.as_bytes();
    ((bytes[0] - b'0') as i8, (bytes[1] - b'a') as i8 + 1)
}

impl Game {
    pub(crate) fn new() -> Game {
        let mut men = HashMap::new();
        for (side, turned) in [(0, false), (1, true)] {
            for (index, name) in NAMES.char_indices() {
                let index = index as i8;
                let (file, rank) = match index {
                    0..=8 => (9 - index, 9),
                    9 => (8, 8),
                    10 => (2, 8),
                    _ => (9 - (index - 11), 7),
                };
                let place = if turned { (10 - file, 10 - rank) } else { (file, rank) };
                let name = if turned { name.to_ascii_lowercase() } else { name };
                men.insert(name, Man { owner: side, promoted: false, place: Some(place) });
            }
        }
        Game { men, worlds: [World::default(), World::default()], turn: 0, winner: None }
    }

    fn at(&self, place: Place) -> Option<char> {
        self.men.iter().find(|(_, man)| man.place == Some(place)).map(|(&name, _)| name)
    }

    /// The rank as the player to move counts it: 1 is the far edge.
    fn rank(&self, place: Place) -> i8 {
        if self.turn == 0 { place.1 } else { 10 - place.1 }
    }

    /// The piece of a move and the kinds that can make it; `None` if the rules about squares,
    /// owners and promotion forbid it.
    fn kinds(&self, text: &str) -> Option<(char, Place, bool, Vec<char>)> {
        if self.winner.is_some() {
            return None;
        }
        if let Some((name, to)) = text.split_once('*') {
            let name = name.chars().next()?;
            let man = &self.men[&name];
            let to = place(to);
            if man.owner != self.turn || man.place.is_some() || self.at(to).is_some() {
                return None;
            }
            return Some((name, to, false, self.alive(to, KINDS.to_vec())));
        }
        let promote = text.ends_with('+');
        let (from, to) = (place(&text[..2]), place(&text[2..4]));
        let name = self.at(from)?;
        let man = &self.men[&name];
        let own_target = self.at(to).is_some_and(|target| self.men[&target].owner == self.turn);
        if man.owner != self.turn || own_target {
            return None;
        }
        let forward = self.rank(from) - self.rank(to);
        let side = to.0 - from.0;
        let slides =
            side.abs().max(forward.abs()) > 1 && (side == 0 || forward.abs() != 2 * side.abs());
        if slides {
            let (df, dr) = (side.signum(), (to.1 - from.1).signum());
            let mut between = (from.0 + df, from.1 + dr);
            while between != to {
                let off_line = between.0 < 1 || between.0 > 9 || between.1 < 1 || between.1 > 9;
                if off_line || self.at(between).is_some() {
                    return None;
                }
                between = (between.0 + df, between.1 + dr);
            }
        }
        let mut kinds: Vec<char> =
            KINDS.into_iter().filter(|&kind| goes(kind, man.promoted, side, forward)).collect();
        if promote {
            if man.promoted || self.rank(from) > 3 && self.rank(to) > 3 {
                return None;
            }
            kinds.retain(|kind| !"GK".contains(*kind));
        } else if !man.promoted {
            kinds = self.alive(to, kinds);
        }
        Some((name, to, man.promoted || promote, kinds))
    }

    /// The kinds that can move on from there.
    fn alive(&self, to: Place, mut kinds: Vec<char>) -> Vec<char> {
        let dead = match self.rank(to) {
            1 => "PLN",
            2 => "N",
            _ => "",
        };
        kinds.retain(|kind| !dead.contains(*kind));
        kinds
    }

    /// Whether a move is legal, by asking whether the side of the piece can converge.
    pub(crate) fn is_legal(&self, text: &str) -> bool {
        let Some((name, _, _, kinds)) = self.kinds(text) else { return false };
        let (side, index) = origin(name);
        self.worlds[side].clone().narrow(index, &kinds).is_ok()
    }

    /// Every legal move, sorted, found by trying every move that can be written. The test is
    /// whether the piece has a kind left. `is_legal` checks that this test is right.
    pub(crate) fn legal_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        let squares: Vec<String> = ('1'..='9')
            .flat_map(|file| ('a'..='i').map(move |rank| format!("{file}{rank}")))
            .collect();
        for (name, man) in self.men.iter().filter(|(_, man)| man.owner == self.turn) {
            let (side, index) = origin(*name);
            let bits = self.worlds[side].bits(index);
            let start = match man.place {
                Some((file, rank)) => format!("{file}{}", char::from(b'`' + rank as u8)),
                None => format!("{name}*"),
            };
            for to in &squares {
                for promotion in ["", "+"] {
                    if man.place.is_none() && promotion == "+" || start == *to {
                        continue;
                    }
                    let text = format!("{start}{to}{promotion}");
                    let possible = |kind: &char| {
                        KINDS.iter().position(|k| k == kind).is_some_and(|bit| bits >> bit & 1 != 0)
                    };
                    if self.kinds(&text).is_some_and(|(_, _, _, kinds)| kinds.iter().any(possible))
                    {
                        moves.push(text);
                    }
                }
            }
        }
        moves.sort_unstable();
        moves
    }

    /// Makes a move.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), Refused> {
        let (name, to, promoted, kinds) = self.kinds(text).ok_or(Refused)?;
        let (side, index) = origin(name);
        if kinds.len() < 8 {
            self.worlds[side].narrow(index, &kinds).map_err(|_| Refused)?;
        }
        if let Some(captured) = self.at(to) {
            let (side, index) = origin(captured);
            if self.worlds[side].capture(index) {
                self.winner = Some(self.turn);
            }
            let turn = self.turn;
            self.men.insert(captured, Man { owner: turn, promoted: false, place: None });
        }
        self.men.insert(name, Man { owner: self.turn, promoted, place: Some(to) });
        self.turn = 1 - self.turn;
        Ok(())
    }

    /// What all pieces can be, as hexadecimal digits.
    pub(crate) fn kinds_text(&self) -> String {
        (0..40).map(|n| format!("{:02x}", self.worlds[n / 20].bits(n % 20))).collect()
    }
}
