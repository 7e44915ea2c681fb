// Positions as data: reading and writing SFEN, and making a move that is known to be legal. It knows no rules (moves.js does).

/** The kinds of pieces; for quantum pieces, in the order of their bits. */
export const KINDS = ["P", "L", "N", "S", "G", "B", "R", "K"];

/** The kinds in hand in the order in which they are shown. */
export const HAND_ORDER = ["R", "B", "G", "S", "N", "L", "P"];

/** How many of each kind there are. @type {Record<string, number>} */
export const FULL_SET = { P: 18, L: 4, N: 4, S: 4, G: 4, B: 2, R: 2, K: 2 };

export const RANKS = "abcdefghi";

/** The first position of an even game. */
export const START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/** @typedef {"b" | "w"} Color */
/** @typedef {{ kind: string, color: Color, promoted: boolean }} Piece */
/** @typedef {{ squares: Map<string, Piece>, hands: Record<Color, Map<string, number>>, turn: Color }} Position */

/** @param {Color} color @returns {Color} */
export const other = (color) => (color === "b" ? "w" : "b");

/** The two squares of a move in USI; the first is null for a drop. @param {string} move @returns {[string | null, string]} */
export const ends = (move) => (move[1] === "*" ? [null, move.slice(2, 4)] : [move.slice(0, 2), move.slice(2, 4)]);

/** A position with the moves from it, as USI has them. @param {string} root @param {string[]} moves */
export const textOf = (root, moves) => (moves.length > 0 ? `${root} moves ${moves.join(" ")}` : root);

/** @param {string} sfen @returns {Position} */
export function readSfen(sfen) {
    const [rows, turn, held] = sfen.split(" ");
    /** @type {Map<string, Piece>} */
    const squares = new Map();
    const color = (/** @type {string} */ letter) => /** @type {Color} */ (letter === letter.toUpperCase() ? "b" : "w");
    rows.split("/").forEach((row, rank) => {
        let file = 9;
        let promoted = false;
        for (const letter of row) {
            if (letter === "+") {
                promoted = true;
            } else if (letter >= "1" && letter <= "9") {
                file -= Number(letter);
            } else {
                squares.set(`${file}${RANKS[rank]}`, { kind: letter.toUpperCase(), color: color(letter), promoted });
                promoted = false;
                file -= 1;
            }
        }
    });
    /** @type {Record<Color, Map<string, number>>} */
    const hands = { b: new Map(), w: new Map() };
    for (const [, count, letter] of held.matchAll(/(\d*)([A-Za-z])/g)) {
        hands[color(letter)].set(letter.toUpperCase(), Number(count || 1));
    }
    return { squares, hands, turn: turn === "w" ? "w" : "b" };
}

/** @param {Position} position @param {number} [number] of the next move */
export function writeSfen({ squares, hands, turn }, number = 1) {
    const letter = (/** @type {string} */ kind, /** @type {Color} */ color) => (color === "b" ? kind : kind.toLowerCase());
    const rows = [...RANKS].map((rank) => {
        let row = "";
        let empty = 0;
        for (let file = 9; file >= 1; file -= 1) {
            const piece = squares.get(`${file}${rank}`);
            if (!piece) {
                empty += 1;
                continue;
            }
            row += `${empty || ""}${piece.promoted ? "+" : ""}${letter(piece.kind, piece.color)}`;
            empty = 0;
        }
        return row + (empty || "");
    });
    const held = (/** @type {Color} */ color) => HAND_ORDER.map((kind) => {
        const count = hands[color].get(kind) ?? 0;
        return count === 0 ? "" : `${count > 1 ? count : ""}${letter(kind, color)}`;
    }).join("");
    return `${rows.join("/")} ${turn} ${held("b") + held("w") || "-"} ${number}`;
}

/** @param {Position} position @returns {Position} */
export const copyOf = ({ squares, hands, turn }) => ({ squares: new Map(squares), hands: { b: new Map(hands.b), w: new Map(hands.w) }, turn });

/** The same position with the sides exchanged, the board turned around. @param {Position} position @returns {Position} */
export function turned({ squares, hands, turn }) {
    const across = (/** @type {string} */ square) => `${10 - Number(square[0])}${RANKS[8 - RANKS.indexOf(square[1])]}`;
    const exchanged = [...squares].map(([square, piece]) => /** @type {[string, Piece]} */ ([across(square), { ...piece, color: other(piece.color) }]));
    return { squares: new Map(exchanged), hands: { b: new Map(hands.w), w: new Map(hands.b) }, turn: other(turn) };
}

/** The position after a legal move. The one before does not change. @param {Position} position @param {string} move @returns {Position} */
export function after(position, move) {
    const next = copyOf(position);
    const { turn } = position;
    next.turn = other(turn);
    const hand = next.hands[turn];
    const [from, to] = ends(move);
    if (from === null) {
        const left = (hand.get(move[0]) ?? 0) - 1;
        if (left > 0) hand.set(move[0], left);
        else hand.delete(move[0]);
        next.squares.set(to, { kind: move[0], color: turn, promoted: false });
        return next;
    }
    const piece = position.squares.get(from);
    if (!piece) return next;
    const taken = position.squares.get(to);
    if (taken && taken.kind !== "K") hand.set(taken.kind, (hand.get(taken.kind) ?? 0) + 1);
    next.squares.delete(from);
    next.squares.set(to, { ...piece, promoted: piece.promoted || move.endsWith("+") });
    return next;
}
