//! The convergence algorithm as the article about the site Shogitter describes it in words, step by
//! step, with the same lists. It is slow, and it was written independently of the crate. The crate
//! is compared with it.
//!
//! Only pieces with a history take part. The others can be everything that is not used up.

use std::collections::BTreeSet;

/// Letters of the kinds, in the order of their bits.
pub(crate) const KINDS: [char; 8] = ['P', 'L', 'N', 'S', 'G', 'B', 'R', 'K'];

type Kinds = BTreeSet<char>;

/// Pieces of one side with the kinds they share.
#[derive(Clone)]
struct Group {
    kinds: Kinds,
    pieces: BTreeSet<usize>,
}

/// What the article calls the world, of one side.
#[derive(Clone, Default)]
pub(crate) struct World {
    /// The pieces with a history, by their index in the side, in the order of their first event.
    members: Vec<usize>,
    kinds: Vec<Kinds>,
    used_up: Kinds,
}

/// No assignment fits.
#[derive(Debug)]
pub(crate) struct Misfit;

fn how_many(kind: char) -> usize {
    match kind {
        'P' => 9,
        'B' | 'R' | 'K' => 1,
        _ => 2,
    }
}

impl World {
    /// Reduces a piece's kinds to those in `allowed`, and converges. The world is unchanged if
    /// nothing fits.
    pub(crate) fn narrow(&mut self, piece: usize, allowed: &[char]) -> Result<(), Misfit> {
        let mut next = self.clone();
        let allowed: Kinds = allowed.iter().copied().collect();
        match next.members.iter().position(|&member| member == piece) {
            Some(place) => next.kinds[place] = &next.kinds[place] & &allowed,
            None => {
                next.members.push(piece);
                next.kinds.push(allowed);
            }
        }
        next.converge()?;
        *self = next;
        Ok(())
    }

    /// Captures the piece. Returns whether it was the king.
    pub(crate) fn capture(&mut self, piece: usize) -> bool {
        if self.narrow(piece, &KINDS[..7]).is_ok() {
            return false;
        }
        self.narrow(piece, &['K']).expect("what cannot be anything but the king is the king");
        true
    }

    /// The kinds a piece can be, as bits.
    pub(crate) fn bits(&self, piece: usize) -> u8 {
        let kinds: Kinds = match self.members.iter().position(|&member| member == piece) {
            Some(place) => self.kinds[place].clone(),
            None => KINDS.into_iter().filter(|kind| !self.used_up.contains(kind)).collect(),
        };
        (0..8).filter(|&bit| kinds.contains(&KINDS[bit])).map(|bit| 1u8 << bit).sum()
    }

    fn converge(&mut self) -> Result<(), Misfit> {
        let matched = self.matched_groups()?;
        self.used_up = matched.iter().flat_map(|group| group.kinds.iter().copied()).collect();
        let compact = compact(matched);
        for (place, kinds) in self.kinds.iter_mut().enumerate() {
            *kinds = match compact.iter().find(|group| group.pieces.contains(&place)) {
                Some(group) => &*kinds & &group.kinds,
                None => &*kinds - &self.used_up,
            };
        }
        Ok(())
    }

    /// Every union of groups of like pieces that has exactly as many pieces as kinds.
    fn matched_groups(&self) -> Result<Vec<Group>, Misfit> {
        let mut groups: Vec<Group> = Vec::new();
        for (place, kinds) in self.kinds.iter().enumerate() {
            match groups.iter_mut().find(|group| group.kinds == *kinds) {
                Some(group) => {
                    group.pieces.insert(place);
                }
                None => groups.push(Group { kinds: kinds.clone(), pieces: [place].into() }),
            }
        }
        let mut matched = Vec::new();
        for choice in 1u32..1 << groups.len() {
            let mut union = Group { kinds: Kinds::new(), pieces: BTreeSet::new() };
            for (number, group) in groups.iter().enumerate() {
                if choice >> number & 1 != 0 {
                    union.kinds.extend(&group.kinds);
                    union.pieces.extend(&group.pieces);
                }
            }
            let room: usize = union.kinds.iter().map(|&kind| how_many(kind)).sum();
            if union.pieces.len() > room {
                return Err(Misfit);
            }
            if union.pieces.len() == room {
                matched.push(union);
            }
        }
        Ok(matched)
    }
}

/// Settles the smallest groups first and takes what they use from the others.
fn compact(mut groups: Vec<Group>) -> Vec<Group> {
    let mut settled = Vec::new();
    groups.retain(|group| !group.kinds.is_empty());
    while !groups.is_empty() {
        let smallest = groups
            .iter()
            .position(|group| {
                groups
                    .iter()
                    .all(|other| other.kinds == group.kinds || !other.kinds.is_subset(&group.kinds))
            })
            .expect("some group holds no other one");
        let found = groups.swap_remove(smallest);
        for group in &mut groups {
            group.kinds = &group.kinds - &found.kinds;
            group.pieces = &group.pieces - &found.pieces;
        }
        groups.retain(|group| !group.kinds.is_empty());
        settled.push(found);
    }
    settled
}
