// What every page says, in Japanese and English. Pages add words of their own.
import { remember, remembered } from "./memory.js";

/** @type {Record<string, [ja: string, en: string]>} */
const WORDS = {
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
    hint: ["ヒント", "Hint"],
    flip: ["盤を反転", "Flip board"],
    check: ["王手", "Check"],
    moves: ["指し手", "Moves"],
    noMoves: ["まだ指し手がありません", "No moves yet"],
    startOfGame: ["開始局面", "Start"],
    yes: ["はい", "Yes"],
    no: ["いいえ", "No"],
    first: ["最初へ", "First"],
    previous: ["一手戻る", "Back"],
    next: ["一手進む", "Forward"],
    last: ["最後へ", "Last"],
    graph: ["評価値グラフ", "Evaluation graph"],
    lines: ["読み筋", "Lines"],
    copyKif: ["KIFをコピー", "Copy KIF"],
    copySfen: ["SFENをコピー", "Copy SFEN"],
    copyLink: ["リンクをコピー", "Copy link"],
    copied: ["コピーしました", "Copied"],
    notCopied: ["コピーできませんでした", "Could not copy"],
    inHand: ["持ち駒", "in hand"],
    // Why a move is not legal: the names in crates/core and crates/quantum.
    NotAlongVector: ["その駒はそこへ動けません", "The piece does not move that way"],
    Leap: ["駒を飛び越えることはできません", "The piece would leap over another"],
    OwnPieceOnTarget: ["味方の駒があります", "Your own piece is there"],
    NotInHand: ["その駒は持っていません", "No such piece in hand"],
    OccupiedDropSquare: ["駒のあるマスには打てません", "The square is occupied"],
    DeadPiece: ["行き所のない駒です", "The piece could never move from there"],
    TwoPawns: ["二歩です", "Two pawns on the file (nifu)"],
    CannotPromote: ["ここでは成れません", "It cannot promote here"],
    MustPromote: ["成らなければなりません", "It must promote here"],
    LeavesKingInCheck: ["玉を取られる手です", "The king would be left in check"],
    PawnDropMate: ["打ち歩詰めです", "Mate by a dropped pawn (uchifuzume)"],
    NoPiece: ["駒がありません", "No piece there"],
    WrongSide: ["相手の駒です", "The piece is the opponent’s"],
    OutsideZone: ["成れるのは敵陣（三段目まで）だけです", "It promotes on the three far ranks only"],
    PromotedAlready: ["もう成っています", "It is promoted already"],
    GameOver: ["終局しています", "The game is over"],
    illegal: ["指せない手です", "That move is not legal"],
};

/** The names of handicaps as the core has them. @type {Record<string, string>} */
const HANDICAPS = {
    平手: "Even game", 香落ち: "Lance", 右香落ち: "Right lance", 角落ち: "Bishop", 飛車落ち: "Rook", 飛香落ち: "Rook and lance",
    二枚落ち: "Two pieces", 三枚落ち: "Three pieces", 四枚落ち: "Four pieces", 五枚落ち: "Five pieces", 左五枚落ち: "Five pieces, left",
    六枚落ち: "Six pieces", 左七枚落ち: "Seven pieces, left", 右七枚落ち: "Seven pieces, right", 八枚落ち: "Eight pieces",
    十枚落ち: "Ten pieces",
};

/** How games end in game files: the words of crates/record. @type {Record<string, string>} */
const ENDINGS = {
    resign: "投了", interrupted: "中断", repetition: "千日手", mate: "詰み", no_mate: "不詰", impasse: "持将棋", draw: "引き分け",
    declaration: "入玉勝ち", timeout: "切れ負け", foul_loss: "反則負け", foul_win: "反則勝ち", max_moves: "最大手数", default_win: "不戦勝",
    default_loss: "不戦敗", matta: "待った", error: "エラー",
};

/** @typedef {"ja" | "en"} Language */
/** @type {Language} */
let language = (remembered("language") ?? (navigator.language.startsWith("ja") ? "ja" : "en")) === "ja" ? "ja" : "en";

export const currentLanguage = () => language;

/** @param {Language} chosen */
export function setLanguage(chosen) {
    language = chosen;
    remember("language", chosen);
}

/** Words of a page or a part of it. One key never means two things. @param {Record<string, [ja: string, en: string]>} words */
export function addWords(words) {
    for (const [key, pair] of Object.entries(words)) {
        if (WORDS[key] && WORDS[key].join() !== pair.join()) throw new Error(`${key}: ${WORDS[key]} and ${pair}`);
        WORDS[key] = pair;
    }
}

/**
 * @param {string} key
 * @param {...(string | number)} values stand in for {0}, {1}, ...; {0#move#moves} is a number with its noun
 */
export function word(key, ...values) {
    // What was kept on the device names ends of games, and may name anything.
    if (!hasWord(key)) return key;
    return WORDS[key][language === "ja" ? 0 : 1].replace(/\{(\d)(?:#([^#}]*)#([^}]*))?\}/g, (_, place, one, several) => {
        const value = values[Number(place)];
        return one === undefined ? String(value) : `${value} ${Number(value) === 1 ? one : several}`;
    });
}

/** @param {string} key */
export const hasWord = (key) => Object.hasOwn(WORDS, key);

/** @param {string} rule the name of a broken rule */
export const ruleWord = (rule) => word(WORDS[rule] ? rule : "illegal");
/** @param {string} name */
export const handicapWord = (name) => (language === "ja" ? name : (HANDICAPS[name] ?? name));
/** @param {string} ending */
export const endingWord = (ending) => (language === "ja" && Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : ending.replaceAll("_", " "));

/** @type {Record<string, [ja: string, en: string, promotedJa: string]>} */
const PIECES = {
    P: ["歩", "pawn", "と金"], L: ["香車", "lance", "成香"], N: ["桂馬", "knight", "成桂"], S: ["銀", "silver", "成銀"],
    G: ["金", "gold", ""], B: ["角", "bishop", "馬"], R: ["飛車", "rook", "竜"], K: ["玉", "king", ""],
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

/** The keys of what the two sides are called. @type {{ b: string, w: string }} */
const EVEN_SEATS = { b: "black", w: "white" };
let seats = EVEN_SEATS;

/** @param {{ b: string, w: string }} [keys] */
export const setSeats = (keys = EVEN_SEATS) => { seats = keys; };

/** In a handicap game the weaker player is Black, but White moves first. @param {boolean} isHandicap */
export const setSeatsOf = (isHandicap) => setSeats(isHandicap ? { b: "lower", w: "upper" } : EVEN_SEATS);

/** @param {"b" | "w"} color */
export const colorWord = (color) => word(seats[color]);

/** @param {string} square such as 7g */
export function squareWord(square) {
    if (language === "en") return square;
    return "１２３４５６７８９"["123456789".indexOf(square[0])] + "一二三四五六七八九"["abcdefghi".indexOf(square[1])];
}

/** Words one after another. @param {string[]} words */
export const listWord = (words) => words.join(language === "ja" ? "、" : ", ");

/** Large numbers as people say them. @param {number} number */
export function countWord(number) {
    if (language === "ja") return number >= 10_000 ? `${Math.round(number / 1000) / 10}万`.replace(".0万", "万") : String(number);
    if (number >= 1_000_000) return `${Math.round(number / 100_000) / 10}M`;
    return number >= 10_000 ? `${Math.round(number / 1000)}k` : String(number);
}
