// An ordinary position as the board shows it.
import { pieceArt } from "./pieces.js";
import { HAND_ORDER, ends, readSfen } from "./position.js";
import { pieceWord } from "./words.js";

/**
 * @param {string} sfen
 * @param {"b" | "w"} turn
 * @param {string | undefined} last the last move
 * @param {{ b: string, w: string }} names
 * @returns {import("./board.js").View}
 */
export function shogiView(sfen, turn, last, names) {
    const { squares, hands } = readSfen(sfen);
    /** @type {Map<string, import("./board.js").Shown>} */
    const shown = new Map();
    for (const [square, { kind, promoted, color }] of squares) {
        shown.set(square, { art: pieceArt(kind, promoted, color), label: pieceWord(kind, promoted), color });
    }
    const held = (/** @type {"b" | "w"} */ color) =>
        HAND_ORDER.filter((kind) => hands[color].has(kind)).map((kind) => ({ key: kind, art: pieceArt(kind, false, color), label: pieceWord(kind, false), count: hands[color].get(kind) ?? 0 }));
    const places = last ? ends(last).filter((place) => place !== null) : [];
    return { squares: shown, hands: { b: held("b"), w: held("w") }, last: places, turn, names };
}
