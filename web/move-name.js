// Moves in words: in English as in reports (crates/analysis/src/notation.rs), in Japanese as in crates/core/src/notation.rs.
// scripts/web/test compares the Japanese names with those of the module.
import { judge, reach } from "./moves.js";
import { RANKS, after, ends } from "./position.js";
import { currentLanguage, squareWord } from "./words.js";

/** @typedef {import("./position.js").Position} Position */

/** @type {Record<string, string>} */
const SHORT = { P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉", "+P": "と", "+L": "成香", "+N": "成桂", "+S": "成銀", "+B": "馬", "+R": "竜" };

/** A square as two digits. @param {string} square */
export const digits = (square) => `${square[0]}${RANKS.indexOf(square[1]) + 1}`;

/** How a piece moves, as the mover sees it. @param {Position} position @param {string} from @param {string} to */
function motionOf({ turn }, from, to) {
    const down = (RANKS.indexOf(to[1]) - RANKS.indexOf(from[1])) * (turn === "b" ? 1 : -1);
    return down < 0 ? "上" : down > 0 ? "引" : "寄";
}

/** On which side of another square a square lies, as the mover sees it. @param {Position} position @param {string} square @param {string} of */
function sideOf({ turn }, square, of) {
    // The numbers of files grow to Black's left.
    const left = (Number(square[0]) - Number(of[0])) * (turn === "b" ? 1 : -1);
    return left > 0 ? "左" : left < 0 ? "右" : "";
}

/**
 * The characters that tell a piece from others of its kind that could go to the same square.
 * @param {Position} position @param {string} kind @param {string} from @param {string} to @param {string[]} rivals the squares of the others
 */
function originOf(position, kind, from, to, rivals) {
    if (rivals.length === 0) return "";
    const motion = motionOf(position, from, to);
    if (rivals.every((rival) => motionOf(position, rival, to) !== motion)) return motion;
    // Two rooks or bishops are told apart by which side of each other they stand on, other pieces by the side that they come from.
    if (["B", "R", "+B", "+R"].includes(kind)) return sideOf(position, from, rivals[0]);
    const side = sideOf(position, from, to);
    if (side === "" && motion === "上") return "直";
    return rivals.every((rival) => sideOf(position, rival, to) !== side) ? side : side + motion;
}

/** @param {Position} position before the move @param {string} move @param {string} [last] the move before it */
export function moveName(position, move, last = "") {
    const { squares, turn } = position;
    const [from, to] = ends(move);
    const piece = from === null ? { kind: move[0], promoted: false } : squares.get(from);
    if (!piece) return move;
    const isLegal = (/** @type {string} */ one) => judge(position, one) === "";
    const kind = piece.promoted ? `+${piece.kind}` : piece.kind;
    const rivals = [...squares].filter(([square, one]) => square !== from && one.color === turn && one.kind === piece.kind && one.promoted === piece.promoted && reach(position, square, one).includes(to)).map(([square]) => square);
    const promotes = move.endsWith("+");
    const declines = from !== null && !promotes && isLegal(`${from}${to}+`);
    if (currentLanguage() === "en") {
        // In English, pieces that are pinned are no rivals; in Japanese they are, so that nobody has to look for pins.
        const hasRival = rivals.some((square) => isLegal(`${square}${to}`) || isLegal(`${square}${to}+`));
        const way = from === null ? "*" : `${hasRival ? digits(from) : ""}${squares.has(to) ? "x" : "-"}`;
        return `${turn === "b" ? "☗" : "☖"}${kind}${way}${digits(to)}${promotes ? "+" : declines ? "=" : ""}`;
    }
    const place = ends(last)[1] === to ? "同" : squareWord(to);
    const ending = promotes ? "成" : declines ? "不成" : from === null && rivals.length > 0 ? "打" : "";
    return `${turn === "b" ? "▲" : "△"}${place}${SHORT[kind]}${from === null ? "" : originOf(position, kind, from, to, rivals)}${ending}`;
}

/** The names of moves, one after another from a position on. @param {Position} position @param {string[]} moves @param {string} [last] the move before them */
export function lineNames(position, moves, last = "") {
    let here = position;
    return moves.map((move, number) => {
        const name = moveName(here, move, moves[number - 1] ?? last);
        here = after(here, move);
        return name;
    });
}
