// What the page says, in Japanese and English.

/** @type {Record<string, [ja: string, en: string]>} */
const WORDS = {
    play: ["対局", "Play"],
    analyse: ["検討", "Analyze"],
    quantum: ["量子将棋", "Quantum"],
    modes: ["モード", "Modes"],
    board: ["将棋盤", "Shogi board"],
    stand: ["{0}の駒台", "{0}’s stand"],
    empty: ["空き", "empty"],
    black: ["先手", "Black"],
    white: ["後手", "White"],
    lower: ["下手", "Black (weaker)"],
    upper: ["上手", "White (giver)"],
    promote: ["成", "Promote"],
    keep: ["不成", "Do not promote"],
    promotion: ["成りますか", "Promote?"],
    newGame: ["新しい対局", "New game"],
    start: ["対局開始", "Start"],
    side: ["あなたの手番", "You play"],
    random: ["振り駒", "Random"],
    both: ["二人で指す", "Two people"],
    handicap: ["手合割", "Handicap"],
    even: ["平手", "Even game"],
    strength: ["相手の読み", "The engine thinks"],
    nodes: ["1手{0}局面", "{0} positions a move"],
    seconds: ["1手{0}秒", "{0} s a move"],
    strengthNote: ["読む局面が少ないほど弱くなります。", "The fewer positions it looks at, the weaker it plays."],
    undo: ["待った", "Take back"],
    hint: ["ヒント", "Hint"],
    resign: ["投了", "Resign"],
    declare: ["宣言勝ち", "Declare"],
    flip: ["盤を反転", "Flip board"],
    toAnalysis: ["この対局を検討", "Analyze this game"],
    yourTurn: ["あなたの番です", "Your move"],
    turnOf: ["{0}の番です", "{0} to move"],
    thinking: ["考えています…", "Thinking…"],
    check: ["王手", "Check"],
    moves: ["指し手", "Moves"],
    noMoves: ["まだ指し手がありません", "No moves yet"],
    startOfGame: ["開始局面", "Start"],
    wins: ["{0}手まで、{1}の勝ち", "{1} wins after {0} moves"],
    drawn: ["{0}手まで、引き分け", "Drawn after {0} moves"],
    checkmate: ["詰み", "checkmate"],
    resignation: ["投了", "resignation"],
    repetition: ["千日手", "repetition"],
    "perpetual check": ["連続王手の千日手", "perpetual check"],
    declaration: ["入玉宣言", "declaration"],
    "king captured": ["玉を取った", "the king is taken"],
    "no legal move": ["指せる手がない", "no legal move"],
    reallyResign: ["投了しますか", "Resign?"],
    yes: ["はい", "Yes"],
    no: ["いいえ", "No"],
    hintIs: ["候補: {0}", "Try {0}"],
    failed: ["エンジンが答えませんでした", "The engine did not answer"],
    again: ["もう一度考えさせる", "Let it think again"],
    // Analysis.
    open: ["棋譜を開く", "Open a game"],
    openHelp: ["KIF・KI2・CSA・JKF・SFENを貼り付けるか、ファイルをここに落としてください（Shift_JISも可）", "Paste KIF, KI2, CSA, JKF or SFEN, or drop a file here (Shift_JIS, too)"],
    chooseFile: ["ファイルを選ぶ", "Choose a file"],
    read: ["読み込む", "Read"],
    line: ["{0}行目: {1}", "Line {0}: {1}"],
    gameOf: ["棋譜 {0}", "Game {0}"],
    games: ["棋譜の一覧", "Games of the file"],
    first: ["最初へ", "First"],
    previous: ["一手戻る", "Back"],
    next: ["一手進む", "Forward"],
    last: ["最後へ", "Last"],
    live: ["検討する", "Think"],
    stopLive: ["検討を止める", "Stop thinking"],
    graph: ["評価値グラフ", "Evaluation graph"],
    wholeGame: ["全局面を調べる", "Analyze the game"],
    stopWhole: ["中止", "Stop"],
    mateSearch: ["詰みを探す", "Search for mate"],
    noMate: ["詰みはありません", "There is no mate"],
    mateUnknown: ["10秒では分かりませんでした", "Not found in 10 s"],
    mateIn: ["{0}手詰（{1}秒）: {2}", "Mate in {0} ({1} s): {2}"],
    lines: ["読み筋", "Lines"],
    linesHelp: ["「検討する」を押すと、読み筋が出ます。", "Press “Think” for lines."],
    depth: ["深さ{0} {1}局面 毎秒{2}", "Depth {0}, {1} positions, {2}/s"],
    advantage: ["{0}（{1}）", "{0} ({1})"],
    mateScore: ["{0}手詰", "mate {0}"],
    matedScore: ["{0}手で詰まされる", "mated in {0}"],
    branches: ["変化", "Branches"],
    copyKif: ["KIFをコピー", "Copy KIF"],
    saveKif: ["KIFを保存", "Save KIF"],
    copySfen: ["SFENをコピー", "Copy SFEN"],
    copyLink: ["リンクをコピー", "Copy link"],
    copied: ["コピーしました", "Copied"],
    notCopied: ["コピーできませんでした", "Could not copy"],
    ended: ["終局: {0}", "End: {0}"],
    // Quantum shogi.
    mayBe: ["この駒の可能性", "What this piece may be"],
    mayBeHelp: ["駒に触れると、何の駒である確率がどれだけかが出ます。", "Tap a piece to see how likely it is to be what."],
    reveals: ["この手のあと", "After this move"],
    quantumHelp: [
        "どの駒も、まだ何の駒か決まっていません。動かすたびに、その動きができる駒に絞られます。玉でしかありえない駒を取れば勝ちです。",
        "No piece is anything yet. Each move leaves only what could have made it. Take a piece that can only be the king, and you win.",
    ],
    unknown: ["未定", "anything"],
    oneOf: ["{0}のどれか", "one of {0}"],
    promotedPiece: ["成り駒", "promoted"],
    inHand: ["持ち駒", "in hand"],
    converged: ["確定: {0}", "Now certain: {0}"],
    // Why a move is not legal: the names in crates/core and crates/quantum.
    NotAlongVector: ["その駒はそこへ動けません", "The piece does not move that way"],
    Leap: ["駒を飛び越えることはできません", "The piece would leap over another"],
    OwnPieceOnTarget: ["味方の駒があります", "Your own piece is there"],
    NotInHand: ["その駒は持っていません", "No such piece in hand"],
    OccupiedDropSquare: ["空いていないマスには打てません", "The square is occupied"],
    DeadPiece: ["行き所のない駒です", "The piece could never move from there"],
    TwoPawns: ["二歩です", "Two pawns on the file (nifu)"],
    CannotPromote: ["ここでは成れません", "It cannot promote here"],
    MustPromote: ["成らなければなりません", "It must promote here"],
    LeavesKingInCheck: ["王手を放置しています", "The king would be left in check"],
    PawnDropMate: ["打ち歩詰めです", "Mate by a dropped pawn (uchifuzume)"],
    NoPiece: ["駒がありません", "No piece there"],
    WrongSide: ["相手の駒です", "The piece is the opponent’s"],
    OutsideZone: ["成れるのは敵陣の三段だけです", "It promotes on the three far ranks only"],
    PromotedAlready: ["もう成っています", "It is promoted already"],
    GameOver: ["終局しています", "The game is over"],
    illegal: ["指せない手です", "That move is not legal"],
};

/** The names of handicaps as the core has them. @type {Record<string, string>} */
const HANDICAPS = {
    平手: "Even game", 香落ち: "Lance", 右香落ち: "Right lance", 角落ち: "Bishop", 飛車落ち: "Rook", 飛香落ち: "Rook and lance",
    二枚落ち: "Two pieces", 四枚落ち: "Four pieces", 六枚落ち: "Six pieces", 八枚落ち: "Eight pieces", 十枚落ち: "Ten pieces",
};

/** How games end in game files: the words of crates/record. @type {Record<string, string>} */
const ENDINGS = {
    resign: "投了", interrupted: "中断", repetition: "千日手", mate: "詰み", no_mate: "不詰", impasse: "持将棋", draw: "引き分け",
    declaration: "入玉勝ち", timeout: "切れ負け", foul_loss: "反則負け", foul_win: "反則勝ち", max_moves: "最大手数", default_win: "不戦勝",
    default_loss: "不戦敗", matta: "待った", error: "エラー",
};

/** @typedef {"ja" | "en"} Language */
/** @type {Language} */
let language = (localStorage.getItem("language") ?? (navigator.language.startsWith("ja") ? "ja" : "en")) === "ja" ? "ja" : "en";

export const currentLanguage = () => language;

/** @param {Language} chosen */
export function setLanguage(chosen) {
    language = chosen;
    localStorage.setItem("language", chosen);
}

/**
 * @param {string} key
 * @param {...(string | number)} values stand in for {0}, {1}, ...
 */
export function word(key, ...values) {
    const pair = WORDS[key];
    if (!pair) return key;
    return pair[language === "ja" ? 0 : 1].replace(/\{(\d)\}/g, (_, place) => String(values[Number(place)]));
}

/** @param {string} rule the name of a broken rule */
export const ruleWord = (rule) => word(WORDS[rule] ? rule : "illegal");
/** @param {string} name */
export const handicapWord = (name) => (language === "ja" ? name : (HANDICAPS[name] ?? name));
/** @param {string} ending */
export const endingWord = (ending) => (language === "ja" ? (ENDINGS[ending] ?? ending) : ending.replaceAll("_", " "));

/** @type {Record<string, [ja: string, en: string, promotedJa: string]>} */
const PIECES = {
    P: ["歩", "pawn", "と金"], L: ["香車", "lance", "成香"], N: ["桂馬", "knight", "成桂"], S: ["銀", "silver", "成銀"],
    G: ["金", "gold", ""], B: ["角", "bishop", "馬"], R: ["飛車", "rook", "龍"], K: ["玉", "king", ""],
};

/**
 * @param {string} kind
 * @param {boolean} promoted
 */
export function pieceWord(kind, promoted) {
    const [ja, en, promotedJa] = PIECES[kind];
    if (language === "ja") return promoted ? promotedJa : ja;
    return promoted ? `promoted ${en}` : en;
}

/** @param {"b" | "w"} color */
export const colorWord = (color) => word(color === "b" ? "black" : "white");

/** @param {string} square such as 7g */
export function squareWord(square) {
    if (language === "en") return square;
    return "１２３４５６７８９"["123456789".indexOf(square[0])] + "一二三四五六七八九"["abcdefghi".indexOf(square[1])];
}

/** Large numbers as people say them. @param {number} number */
export function countWord(number) {
    if (language === "ja") return number >= 10_000 ? `${Math.round(number / 1000) / 10}万`.replace(".0万", "万") : String(number);
    if (number >= 1_000_000) return `${Math.round(number / 100_000) / 10}M`;
    return number >= 10_000 ? `${Math.round(number / 1000)}k` : String(number);
}
