//! A game with its branches, comments and times.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use tsumero_core::{Color, Handicap, Move, Position, Setup};

use crate::Ending;
use crate::handicap;
use crate::text::without_controls;

/// A game: its first position, its headers, and a tree of moves with comments. Every move is legal
/// in its position.
///
/// Headers, comments and bookmarks contain no control characters, so they can be written to any
/// format and to a terminal. They are left out where text is added; a tab becomes a blank, and a
/// line end begins a new comment.
///
/// The first child of each node continues the main line; further children are branches. Two
/// games are equal if their starts, headers and trees are. The number of the first move and the
/// notes do not count.
///
/// ```
/// use tsumero_record::{Ending, Format, read, write};
/// let file = read("先手：甲\n後手：乙\n   1 ７六歩(77)\n".as_bytes());
/// let mut game = file.into_games()?.remove(0);
/// assert_eq!((game.header("後手"), game.ending()), (Some("乙"), None));
/// let last = game.main_line().last().unwrap();
/// game.add_comment(last, "角道を開ける。");
/// game.add_ending(last, Ending::Interrupted);
/// let csa = write(&[game], Format::Csa);
/// assert!(csa.ends_with("+7776FU\n'*角道を開ける。\n%CHUDAN\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    /// Names and values in the order of the file. The names are those of KIF: 先手, 後手, 棋戦, 開始日時.
    /// Headers that only CSA has keep their CSA names, with the `$`.
    headers: Vec<(String, String)>,
    /// The first node is the start. Parents come before their children. `None` stands for a node that was
    /// removed: the others keep their identifiers.
    nodes: Vec<Option<Node>>,
    /// What the reader of the file noticed. It is no part of the game.
    remarks: Vec<String>,
}

/// The identifier of a node of one [`Game`]. In another game it stands for another node or for none, and
/// for none once its node is removed. If it stands for none, the methods that need the node panic.
///
/// ```
/// use tsumero_record::{NodeId, read};
/// let kif = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n\n変化：2手\n2 ８四歩(83)\n";
/// let game = read(kif.as_bytes()).into_games()?.remove(0);
/// let first = game.node(NodeId::ROOT).children()[0];
/// let &[main, branch] = game.node(first).children() else { panic!("there are two replies") };
/// assert_eq!(game.main_line().last(), Some(main));
/// assert_eq!(game.node(branch).parent(), Some(first));
/// assert_eq!(game.node(branch).mv().unwrap().to_string(), "8c8d");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The start of every game.
    pub const ROOT: NodeId = NodeId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is: the start, a move or an ending.
///
/// ```
/// use tsumero_record::{NodeKind, read};
/// let game = read(b"position startpos moves 7g7f resign\n").into_games()?.remove(0);
/// let words = game.main_line().map(|id| match game.node(id).kind() {
///     NodeKind::Start => "start".to_owned(),
///     NodeKind::Move(mv) => mv.to_string(),
///     NodeKind::Ending(ending) => ending.word().to_owned(),
/// });
/// assert_eq!(words.collect::<Vec<_>>(), ["start", "7g7f", "resign"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// The start of the game.
    Start,
    /// A move.
    Move(Move),
    /// An ending.
    Ending(Ending),
}

/// The start, a move or an ending, with its comments, bookmarks and time.
///
/// ```
/// use std::time::Duration;
/// use tsumero_record::{Format, read, write};
/// let kif = "手合割：平手\n1 ７六歩(77) ( 0:16/)\n*定跡\n2 ３四歩(33) ( 1:05/)\n";
/// let mut game = read(kif.as_bytes()).into_games()?.remove(0);
/// let times = game.main_line().filter_map(|id| game.node(id).time());
/// assert_eq!(times.sum::<Duration>(), Duration::from_secs(81));
/// let first = game.main_line().nth(1).unwrap();
/// assert_eq!((game.node(first).number(), &game.node(first).comments()[0][..]), (1, "定跡"));
/// game.add_bookmark(first, "序盤");
/// assert!(write(&[game], Format::Kif).contains("*定跡\n&序盤\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Node {
    kind: NodeKind,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    number: u32,
    comments: Vec<String>,
    bookmarks: Vec<String>,
    time: Option<Duration>,
}

impl Node {
    fn new(kind: NodeKind, parent: Option<NodeId>, number: u32) -> Node {
        Node {
            kind,
            parent,
            children: Vec::new(),
            number,
            comments: Vec::new(),
            bookmarks: Vec::new(),
            time: None,
        }
    }

    /// What the node is.
    pub fn kind(&self) -> NodeKind {
        self.kind
    }

    /// The move of the node, if it is one.
    pub fn mv(&self) -> Option<Move> {
        match self.kind {
            NodeKind::Move(mv) => Some(mv),
            NodeKind::Start | NodeKind::Ending(_) => None,
        }
    }

    /// The previous node; `None` at the start.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// Lines of comment, without the comment marks of a format.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// Names of bookmarks (しおり).
    pub fn bookmarks(&self) -> &[String] {
        &self.bookmarks
    }

    /// The time that the move or the ending took.
    pub fn time(&self) -> Option<Duration> {
        self.time
    }

    /// The time in whole seconds, as KIF and JKF write it; 0 without one. Totals are sums of these: reading
    /// a file and writing it again changes nothing.
    pub(crate) fn whole_seconds(&self) -> Duration {
        Duration::from_secs(self.time.unwrap_or_default().as_secs())
    }

    /// The next nodes, the main line first.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// Number of the move or ending in the game: 0 at the start.
    pub fn number(&self) -> u32 {
        self.number
    }

    fn says_the_same(&self, other: &Node) -> bool {
        self.kind == other.kind
            && self.comments == other.comments
            && self.bookmarks == other.bookmarks
            && self.time == other.time
            && self.children.len() == other.children.len()
    }
}

impl Game {
    /// A game without moves.
    pub fn new(start: Position) -> Game {
        let nodes = vec![Some(Node::new(NodeKind::Start, None, 0))];
        Game { start, headers: Vec::new(), nodes, remarks: Vec::new() }
    }

    /// The position in which the game starts.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The SFEN of the start with 1 as the number of the next move.
    pub fn start_sfen(&self) -> String {
        format!("{} 1", self.start.to_sfen_without_move_number())
    }

    /// The headers with Black's and White's name: in a game with a handicap, White is 上手.
    ///
    /// ```
    /// use tsumero_core::Handicap;
    /// use tsumero_record::Game;
    /// let headers = |handicap: Handicap| Game::new(handicap.position()).player_headers();
    /// assert_eq!(headers(Handicap::Even), ["先手", "後手"]);
    /// assert_eq!(headers(Handicap::TwoPieces), ["下手", "上手"]);
    /// ```
    pub fn player_headers(&self) -> [&'static str; 2] {
        match handicap::widely_known(&self.start) {
            None | Some(Handicap::Even) => ["先手", "後手"],
            Some(_) => ["下手", "上手"],
        }
    }

    /// Sets the number of the first move, which an SFEN tells; 0 counts as 1.
    ///
    /// ```
    /// use tsumero_record::{Format, read, write};
    /// let mut game = read(b"startpos moves 7g7f").into_games()?.remove(0);
    /// game.set_move_number(7);
    /// assert!(write(&[game], Format::Usi).ends_with(" b - 7 moves 7g7f\n"));
    /// # Ok::<(), tsumero_record::BadGame>(())
    /// ```
    pub fn set_move_number(&mut self, number: u32) {
        // The pieces of a position make one with every number.
        if let Ok(start) = Setup::from(&self.start).set_move_number(number).build_diagram() {
            self.start = start;
        }
    }

    /// Names and values in the order of the file, named as in KIF.
    pub fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The headers for a map, which has every name once. The values of one name are joined as lines: with `\n` in two characters, as in [`add_header`](Game::add_header).
    ///
    /// ```
    /// use tsumero_record::read;
    /// let kif = "備考：昼休\n手合割：平手\n備考：封じ手\n先手：甲\n1 ７六歩(77)\n";
    /// let game = read(kif.as_bytes()).into_games()?.remove(0);
    /// let joined = game.headers_joined();
    /// assert_eq!(joined, [("備考", "昼休\\n封じ手".to_owned()), ("先手", "甲".to_owned())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn headers_joined(&self) -> Vec<(&str, String)> {
        let mut joined: Vec<(&str, String)> = Vec::new();
        let mut places = HashMap::<_, usize>::new();
        for (name, value) in &self.headers {
            match places.entry(name) {
                Entry::Occupied(place) => joined[*place.get()].1 += &format!("\\n{value}"),
                Entry::Vacant(place) => {
                    place.insert(joined.len());
                    joined.push((name, value.clone()));
                }
            }
        }
        joined
    }

    /// Adds a header after the others. A line end becomes the two characters `\n`, as Kifu for
    /// Windows writes it, and a colon in the name becomes a blank.
    pub fn add_header(&mut self, name: &str, value: &str) {
        let one_line = |text: &str| {
            let text = text.trim().replace("\r\n", "\\n").replace(['\n', '\r'], "\\n");
            without_controls(&text).trim().to_owned()
        };
        self.headers.push((one_line(&name.replace([':', '：'], " ")), one_line(value)));
    }

    /// Replaces the headers.
    pub fn set_headers(&mut self, headers: &[(String, String)]) {
        self.headers.clear();
        headers.iter().for_each(|(name, value)| self.add_header(name, value));
    }

    /// A node.
    ///
    /// # Panics
    ///
    /// When the game has no such node.
    pub fn node(&self, id: NodeId) -> &Node {
        self.nodes[id.index()].as_ref().expect("the node was removed")
    }

    /// All nodes, parents before their children.
    fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().flatten()
    }

    /// The side to move before the move or the ending of a node.
    pub(crate) fn side_before(&self, id: NodeId) -> Color {
        let first = self.start.side_to_move();
        if self.node(id).number() % 2 == 1 { first } else { first.opponent() }
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        self.nodes[id.index()].as_mut().expect("the node was removed")
    }

    /// Sets the time that the move or the ending took.
    ///
    /// # Panics
    ///
    /// When the game has no such node.
    pub fn set_time(&mut self, id: NodeId, time: Option<Duration>) {
        self.node_mut(id).time = time;
    }

    /// Adds a comment line by line.
    ///
    /// # Panics
    ///
    /// When the game has no such node.
    pub fn add_comment(&mut self, id: NodeId, text: &str) {
        let text = text.replace("\r\n", "\n");
        self.node_mut(id).comments.extend(text.split(['\n', '\r']).map(without_controls));
    }

    /// Replaces the comments of a node.
    ///
    /// # Panics
    ///
    /// When the game has no such node.
    pub fn set_comments(&mut self, id: NodeId, lines: &[String]) {
        self.node_mut(id).comments.clear();
        lines.iter().for_each(|line| self.add_comment(id, line));
    }

    /// Adds a bookmark.
    ///
    /// # Panics
    ///
    /// When the game has no such node.
    pub fn add_bookmark(&mut self, id: NodeId, name: &str) {
        let name = without_controls(name).trim().to_owned();
        self.node_mut(id).bookmarks.push(name);
    }

    /// What is unusual about the game: the rules that the pieces of its first position break, and
    /// numbers of moves in its file that are wrong. Its moves break no rules.
    ///
    /// ```
    /// use tsumero_record::read;
    /// let game = read(b"4k4/9/9/4P4/9/4P4/9/9/4K4 b - 1").into_games()?.remove(0);
    /// assert_eq!(game.notes(), ["the first position: two pawns of Black on file 5"]);
    /// let game = read("▲７六歩 △３四歩\nまで99手で中断\n".as_bytes()).into_games()?.remove(0);
    /// assert_eq!(game.notes(), ["line 2: the number of moves is 2, not 99"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn notes(&self) -> Vec<String> {
        let broken = self.start.broken_rules().into_iter();
        let broken = broken.map(|rule| format!("the first position: {rule}"));
        broken.chain(self.remarks.iter().cloned()).collect()
    }

    /// Adds to the [notes](Game::notes) what a reader noticed. Control characters are left out.
    pub fn add_note(&mut self, note: &str) {
        self.remarks.push(without_controls(note));
    }

    /// The child that holds this. If there is none, it is added after the others. Nothing comes after
    /// an ending: what is added to one is added beside it.
    pub(crate) fn add(&mut self, parent: NodeId, kind: NodeKind) -> NodeId {
        let parent = match self.node(parent) {
            Node { kind: NodeKind::Ending(_), parent: Some(before), .. } => *before,
            _ => parent,
        };
        let siblings = &self.node(parent).children;
        if let Some(&child) = siblings.iter().find(|&&child| self.node(child).kind == kind) {
            return child;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("a file has fewer moves"));
        let number = self.node(parent).number + 1;
        self.nodes.push(Some(Node::new(kind, Some(parent), number)));
        self.node_mut(parent).children.push(id);
        id
    }

    /// Adds an ending after a node, unless it is there already. After an ending, it is added as a
    /// branch beside that one.
    ///
    /// # Panics
    ///
    /// When the game has no such node.
    pub fn add_ending(&mut self, parent: NodeId, ending: Ending) -> NodeId {
        self.add(parent, NodeKind::Ending(ending))
    }

    /// Removes a node with all that comes after it. Of the start, only what comes after it is removed. The
    /// identifiers of the removed nodes stand for none from now on, and a [`Cursor`](crate::Cursor) at one of
    /// them has to be made anew.
    ///
    /// ```
    /// use tsumero_record::{Format, read, write};
    /// let mut game = read(b"startpos moves 7g7f 3c3d 8h2b+ 3a2b").into_games()?.remove(0);
    /// let exchange = game.main_line().nth(3).unwrap();
    /// game.remove(exchange);
    /// assert_eq!(write(&[game], Format::Usi), "position startpos moves 7g7f 3c3d\n");
    /// # Ok::<(), tsumero_record::BadGame>(())
    /// ```
    ///
    /// # Panics
    ///
    /// When the game has no such node.
    pub fn remove(&mut self, id: NodeId) {
        let mut waiting = std::mem::take(&mut self.node_mut(id).children);
        if let Some(parent) = self.node(id).parent {
            self.node_mut(parent).children.retain(|&child| child != id);
            self.nodes[id.index()] = None;
        }
        while let Some(id) = waiting.pop() {
            waiting
                .extend(self.nodes[id.index()].take().into_iter().flat_map(|node| node.children));
        }
    }

    /// Puts a node before its siblings: then the line of its parent continues with it. The others keep
    /// their order.
    ///
    /// # Panics
    ///
    /// When the game has no such node.
    pub fn put_first(&mut self, id: NodeId) {
        if let Some(parent) = self.node(id).parent {
            let siblings = &mut self.node_mut(parent).children;
            if let Some(place) = siblings.iter().position(|&child| child == id) {
                siblings[..=place].rotate_right(1);
            }
        }
    }

    /// Makes a node part of the main line: puts it and all nodes before it [first](Game::put_first).
    ///
    /// ```
    /// use tsumero_record::{Format, NodeId, read, write};
    /// let kif = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n\n変化：1手\n1 ２六歩(27)\n2 ８四歩(83)\n";
    /// let mut game = read(kif.as_bytes()).into_games()?.remove(0);
    /// let branch = game.node(NodeId::ROOT).children()[1];
    /// game.put_in_main_line(branch);
    /// assert_eq!(write(&[game], Format::Usi), "position startpos moves 2g2f 8c8d\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// When the game has no such node.
    pub fn put_in_main_line(&mut self, id: NodeId) {
        let mut next = Some(id);
        while let Some(id) = next {
            self.put_first(id);
            next = self.node(id).parent;
        }
    }

    /// The nodes from the given one to the end of its line, always by the first child. The given
    /// node is included.
    ///
    /// # Panics
    ///
    /// When the game has no such node.
    pub fn line_from(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |&id| self.node(id).children.first().copied())
    }

    /// The nodes of the main line, start and ending included.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.line_from(NodeId::ROOT)
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.main_line().filter_map(|id| self.node(id).mv())
    }

    /// How the main line ends; `None` if it just stops.
    pub fn ending(&self) -> Option<Ending> {
        match self.main_line().last().map(|id| self.node(id).kind) {
            Some(NodeKind::Ending(ending)) => Some(ending),
            _ => None,
        }
    }

    /// The number of branches.
    pub fn branches(&self) -> usize {
        self.nodes().map(|node| node.children.len().saturating_sub(1)).sum()
    }

    /// Visits all nodes except the start, line by line: first the main line, then the branches. The
    /// branch that leaves last comes first, and each branch is followed by its own branches. This
    /// is the order of a KIF. The callback gets a node and whether it begins a branch.
    pub(crate) fn visit_lines(&self, mut visit: impl FnMut(NodeId, bool)) {
        let mut waiting: Vec<(NodeId, bool)> =
            self.node(NodeId::ROOT).children.first().map(|&id| (id, false)).into_iter().collect();
        // The branches at the start are the siblings of its first child.
        while let Some((first, is_branch)) = waiting.pop() {
            for id in self.line_from(first) {
                visit(id, is_branch && id == first);
                // If a branch begins here, its later siblings are still waiting.
                if is_branch && id == first {
                    continue;
                }
                let parent = self.node(id).parent.unwrap_or(NodeId::ROOT);
                waiting.extend(self.node(parent).children[1..].iter().rev().map(|&id| (id, true)));
            }
        }
    }
}

/// The start and the moves of a game that is played: all that it has.
///
/// ```
/// use tsumero_record::{Ending, Format, Game, write};
/// let played: tsumero_core::Game = "startpos moves 7g7f 3c3d".parse().unwrap();
/// let mut game = Game::from(&played);
/// game.add_header("先手", "甲");
/// let last = game.main_line().last().unwrap();
/// game.add_ending(last, Ending::Resign);
/// assert_eq!(write(&[game], Format::Usi), "position startpos moves 7g7f 3c3d resign\n");
/// ```
impl From<&tsumero_core::Game> for Game {
    fn from(played: &tsumero_core::Game) -> Game {
        let mut game = Game::new(played.start().clone());
        let mut last = NodeId::ROOT;
        for mv in played.moves() {
            last = game.add(last, NodeKind::Move(mv));
        }
        game
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        if self.start_sfen() != other.start_sfen()
            || self.headers != other.headers
            || self.nodes().count() != other.nodes().count()
        {
            return false;
        }
        // Nodes lie in memory in the order in which they were read.
        let mut pairs = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((ours, theirs)) = pairs.pop() {
            let (ours, theirs) = (self.node(ours), other.node(theirs));
            if !ours.says_the_same(theirs) {
                return false;
            }
            pairs.extend(ours.children.iter().copied().zip(theirs.children.iter().copied()));
        }
        true
    }
}
