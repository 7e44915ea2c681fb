// Moves in words, for pages that have no engine inside. Which of several equal pieces moved is told by its square, not by 右 or 左.
import { legalMoves } from "./moves.js";
import { ends } from "./position.js";
import { currentLanguage, pieceWord, squareWord } from "./words.js";

/** @type {Record<string, string>} */
const SHORT = { P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉", "+P": "と", "+L": "成香", "+N": "成桂", "+S": "成銀", "+B": "馬", "+R": "龍" };

/** @param {import("./position.js").Position} position before the move @param {string} move */
export function moveName(position, move) {
    const sign = position.turn === "b" ? "☗" : "☖";
    const [from, to] = ends(move);
    const piece = from === null ? { kind: move[0], promoted: false } : position.squares.get(from);
    if (!piece) return move;
    if (currentLanguage() === "en") return `${sign}${pieceWord(piece.kind, piece.promoted)}${from === null ? "*" : "-"}${to}${move.endsWith("+") ? "+" : ""}`;
    const name = SHORT[piece.promoted ? `+${piece.kind}` : piece.kind];
    const rivals = legalMoves(position).filter((one) => {
        const [start, end] = ends(one);
        const other = start === null ? null : position.squares.get(start);
        return end === to && start !== from && other && other.kind === piece.kind && other.promoted === piece.promoted;
    });
    const mayPromote = from !== null && !piece.promoted && piece.kind !== "G" && piece.kind !== "K" && legalMoves(position).includes(`${from}${to}+`);
    const ending = move.endsWith("+") ? "成" : mayPromote ? "不成" : from === null && rivals.length > 0 ? "打" : "";
    return `${sign}${squareWord(to)}${name}${ending}${from !== null && rivals.length > 0 ? `(${from[0]}${"abcdefghi".indexOf(from[1]) + 1})` : ""}`;
}
