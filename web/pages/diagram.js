// A problem as a diagram, as it is printed: the ranks that it needs, and both hands beside it.
import { draw, make } from "../elements.js";
import { LETTERS } from "../pieces.js";
import { holdsTheRest } from "../problem-board.js";
import { HAND_ORDER, RANKS, readSfen } from "../position.js";
import { ranksOf } from "../solving.js";
import { word } from "../words.js";

const CELL = 30;

/** @param {Map<string, number>} hand */
const handText = (hand) => HAND_ORDER.filter((kind) => hand.has(kind)).map((kind) => `${LETTERS[kind]}${(hand.get(kind) ?? 0) > 1 ? hand.get(kind) : ""}`).join(" ") || "—";

/** @param {string} sfen @param {string[]} moves the solution */
export function diagram(sfen, moves) {
    const position = readSfen(sfen);
    const turned = position.turn === "w";
    const [first, last] = ranksOf(sfen, moves);
    const count = last - first + 1;
    const [left, top] = [4, 18];
    const row = (/** @type {number} */ rank) => (turned ? last - rank : rank - first);
    const column = (/** @type {number} */ file) => (turned ? file - 1 : 9 - file);
    const shapes = [draw("rect", { x: left, y: top, width: 9 * CELL, height: count * CELL, class: "frame" })];
    /** @type {SVGElement[]} */
    const rest = [];
    for (let line = 1; line < 9; line += 1) rest.push(draw("line", { x1: left + line * CELL, x2: left + line * CELL, y1: top, y2: top + count * CELL, class: "line" }));
    for (let line = 1; line < count; line += 1) rest.push(draw("line", { x1: left, x2: left + 9 * CELL, y1: top + line * CELL, y2: top + line * CELL, class: "line" }));
    for (let file = 1; file <= 9; file += 1) rest.push(draw("text", { x: left + (column(file) + 0.5) * CELL, y: 13, class: "small" }, String(file)));
    for (let rank = first; rank <= last; rank += 1) rest.push(draw("text", { x: left + 9 * CELL + 12, y: top + (row(rank) + 0.5) * CELL + 5, class: "small" }, "一二三四五六七八九"[rank]));
    for (const [square, { kind, color, promoted }] of position.squares) {
        const [x, y] = [left + (column(Number(square[0])) + 0.5) * CELL, top + (row(RANKS.indexOf(square[1])) + 0.5) * CELL];
        const name = promoted ? `+${kind}` : kind;
        const text = kind === "K" && color === "w" ? "王" : LETTERS[name];
        rest.push(draw("text", { transform: `translate(${x} ${y})${(color === "w") !== turned ? " rotate(180)" : ""}`, y: 8, class: "letter" }, text));
    }
    const attacker = position.turn;
    const defender = attacker === "b" ? "w" : "b";
    const defended = holdsTheRest(position, defender) ? word("theRest") : handText(position.hands[defender]);
    return make("div", { class: "diagram" },
        make("p", {}, `${word("defender")} ${defended}`),
        draw("svg", { viewBox: `0 0 ${left + 9 * CELL + 24} ${top + count * CELL + 4}`, "aria-hidden": "true" }, ...shapes, ...rest),
        make("p", {}, `${word("attacker")} ${handText(position.hands[attacker])}`));
}
