// The rules of moves, for pages that have no engine inside: which moves are legal, and which rule a move breaks.
// scripts/web/test compares it with the rules of the engine, position by position.
import { RANKS, after, ends, other } from "./position.js";

/** @typedef {import("./position.js").Position} Position */
/** @typedef {import("./position.js").Piece} Piece */
/** @typedef {import("./position.js").Color} Color */
/** @typedef {[file: number, rank: number]} Vector in files to the left and ranks down, as Black moves */

/** @type {Vector[]} */
const STRAIGHT = [[0, -1], [1, 0], [-1, 0], [0, 1]];
/** @type {Vector[]} */
const SLANTED = [[1, -1], [-1, -1], [1, 1], [-1, 1]];
/** @type {Vector[]} */
const GOLD = [...STRAIGHT, [1, -1], [-1, -1]];
/** @type {Record<string, Vector[]>} */
const STEPS = {
    P: [[0, -1]], N: [[1, -2], [-1, -2]], S: [[0, -1], ...SLANTED], G: GOLD, K: [...STRAIGHT, ...SLANTED],
    "+P": GOLD, "+L": GOLD, "+N": GOLD, "+S": GOLD, "+B": STRAIGHT, "+R": SLANTED,
};
/** @type {Record<string, Vector[]>} */
const SLIDES = { L: [[0, -1]], B: SLANTED, R: STRAIGHT, "+B": SLANTED, "+R": STRAIGHT };

/** How far a rank is from the far edge of a side: 0 to 8. @param {string} square @param {Color} color */
const depth = (square, color) => (color === "b" ? RANKS.indexOf(square[1]) : 8 - RANKS.indexOf(square[1]));

/** The squares that a piece attacks or guards. @param {Position} position @param {string} from @param {Piece} piece */
export function reach({ squares }, from, { kind, color, promoted }) {
    const name = promoted ? `+${kind}` : kind;
    const sign = color === "b" ? 1 : -1;
    const [file, rank] = [Number(from[0]), RANKS.indexOf(from[1])];
    /** @type {string[]} */
    const found = [];
    for (const [vectors, most] of /** @type {[Vector[], number][]} */ ([[STEPS[name] ?? [], 1], [SLIDES[name] ?? [], 8]])) {
        for (const [dx, dy] of vectors) {
            for (let step = 1; step <= most; step += 1) {
                const [x, y] = [file + sign * dx * step, rank + sign * dy * step];
                if (x < 1 || x > 9 || y < 0 || y > 8) break;
                const square = `${x}${RANKS[y]}`;
                found.push(square);
                if (squares.has(square)) break;
            }
        }
    }
    return found;
}

/** Whether the king of a side is attacked; a side without a king is never in check. @param {Position} position @param {Color} color */
export function inCheck(position, color) {
    const king = [...position.squares].find(([, piece]) => piece.kind === "K" && piece.color === color)?.[0];
    if (king === undefined) return false;
    for (const [square, piece] of position.squares) {
        if (piece.color !== color && reach(position, square, piece).includes(king)) return true;
    }
    return false;
}

/** Whether a piece could never move again from a square. @param {string} kind @param {string} square @param {Color} color */
const isDead = (kind, square, color) => (kind === "P" || kind === "L" ? depth(square, color) === 0 : kind === "N" && depth(square, color) <= 1);

/** @param {Position} position @param {string} file @param {Color} color */
const hasPawn = (position, file, color) => [...RANKS].some((rank) => {
    const piece = position.squares.get(`${file}${rank}`);
    return piece?.kind === "P" && !piece.promoted && piece.color === color;
});

/** Whether the side to move has no legal move and is in check. @param {Position} position */
export const isMate = (position) => inCheck(position, position.turn) && legalMoves(position).length === 0;

/** The rule that a move breaks, by the name that the engine gives it; empty if it is legal. @param {Position} position @param {string} move */
export function judge(position, move) {
    const { squares, hands, turn } = position;
    const [from, to] = ends(move);
    if (from === null) {
        const kind = move[0];
        if (!hands[turn].get(kind)) return "NotInHand";
        if (squares.has(to)) return "OccupiedDropSquare";
        if (isDead(kind, to, turn)) return "DeadPiece";
        if (kind === "P" && hasPawn(position, to[0], turn)) return "TwoPawns";
    } else {
        const piece = squares.get(from);
        if (!piece) return "NoPiece";
        if (piece.color !== turn) return "WrongSide";
        if (squares.get(to)?.color === turn) return "OwnPieceOnTarget";
        if (!reach(position, from, piece).includes(to)) return "NotAlongVector";
        const promotes = move.endsWith("+");
        const inZone = depth(from, turn) <= 2 || depth(to, turn) <= 2;
        if (promotes && (piece.promoted || piece.kind === "G" || piece.kind === "K" || !inZone)) return "CannotPromote";
        if (!promotes && !piece.promoted && isDead(piece.kind, to, turn)) return "MustPromote";
    }
    const next = after(position, move);
    if (inCheck(next, turn)) return "LeavesKingInCheck";
    return move.startsWith("P*") && isMate(next) ? "PawnDropMate" : "";
}

/** All legal moves. @param {Position} position @returns {string[]} */
export function legalMoves(position) {
    const { squares, hands, turn } = position;
    /** @type {string[]} */
    const tried = [];
    for (const [from, piece] of squares) {
        if (piece.color !== turn) continue;
        for (const to of reach(position, from, piece)) tried.push(from + to, `${from}${to}+`);
    }
    for (const kind of hands[turn].keys()) {
        for (let file = 1; file <= 9; file += 1) {
            for (const rank of RANKS) tried.push(`${kind}*${file}${rank}`);
        }
    }
    return tried.filter((move) => judge(position, move) === "");
}

/** Whether a legal move gives check. @param {Position} position @param {string} move */
export const givesCheck = (position, move) => inCheck(after(position, move), other(position.turn));
