// Moves in words: in English as in reports (crates/analysis/src/notation.rs), in Japanese as long as no module writes them. In Japanese,
// which of several equal pieces moved is told by its square, not by 右 or 左.
import { judge } from "./moves.js";
import { RANKS, ends } from "./position.js";
import { currentLanguage, squareWord } from "./words.js";

/** @type {Record<string, string>} */
const SHORT = { P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉", "+P": "と", "+L": "成香", "+N": "成桂", "+S": "成銀", "+B": "馬", "+R": "龍" };

/** A square as two digits. @param {string} square */
const digits = (square) => `${square[0]}${RANKS.indexOf(square[1]) + 1}`;

/** @param {import("./position.js").Position} position before the move @param {string} move @param {string} [last] the move before it */
export function moveName(position, move, last = "") {
    const { squares, turn } = position;
    const [from, to] = ends(move);
    const piece = from === null ? { kind: move[0], promoted: false } : squares.get(from);
    if (!piece) return move;
    const isLegal = (/** @type {string} */ one) => judge(position, one) === "";
    const kind = piece.promoted ? `+${piece.kind}` : piece.kind;
    const hasRival = [...squares].some(([square, other]) => square !== from && other.color === turn && other.kind === piece.kind && other.promoted === piece.promoted && (isLegal(`${square}${to}`) || isLegal(`${square}${to}+`)));
    const promotes = move.endsWith("+");
    const declines = from !== null && !promotes && isLegal(`${from}${to}+`);
    if (currentLanguage() === "en") {
        const way = from === null ? "*" : `${hasRival ? digits(from) : ""}${squares.has(to) ? "x" : "-"}`;
        return `${turn === "b" ? "☗" : "☖"}${kind}${way}${digits(to)}${promotes ? "+" : declines ? "=" : ""}`;
    }
    const place = ends(last)[1] === to ? "同" : squareWord(to);
    const ending = promotes ? "成" : declines ? "不成" : from === null && hasRival ? "打" : "";
    return `${turn === "b" ? "▲" : "△"}${place}${SHORT[kind]}${ending}${from !== null && hasRival ? `(${digits(from)})` : ""}`;
}
