// Shogi pieces as pictures: an outline drawn here, and the letter in the system's own typeface.
import { draw } from "./elements.js";
import { KINDS } from "./position.js";

/** What stands on the pieces. @type {Record<string, string>} */
export const LETTERS = { P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉", "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍" };
/** How large a piece is: a king is larger than a pawn. @type {Record<string, number>} */
const SIZES = { P: 0.84, L: 0.87, N: 0.89, S: 0.93, G: 0.93, B: 0.97, R: 0.97, K: 1 };
const OUTLINE = "M50 5 C52 5 79 16 80.500 19 L94 103 C94.400 106 92 107 90 107 L10 107 C8 107 5.600 106 6 103 L19.500 19 C21 16 48 5 50 5 Z";

/** @param {number} size @param {...Node} marks */
function outlined(size, ...marks) {
    const shift = `translate(50 57) scale(${size}) translate(-50 -57)`;
    return draw("svg", { viewBox: "0 0 100 112", class: "piece", "aria-hidden": "true", focusable: "false" },
        draw("g", { transform: shift }, draw("path", { d: OUTLINE, class: "shadow", transform: "translate(2.500 3.500)" }), draw("path", { d: OUTLINE, class: "wood" }), ...marks));
}

/** A letter by its name in LETTERS, such as `+P`. It is a picture, made once: no text that a button would be called by. */
const letter = (/** @type {string} */ name, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ size, /** @type {string} */ style) =>
    draw("use", { href: `#letter-${name}`, transform: `translate(${x} ${y}) scale(${size / 100})`, class: style });

/** Makes what all pieces have in common: the wood and the letters. Call it once. */
export function drawLetters() {
    const letters = Object.entries({ ...LETTERS, k: "王", "?": "？" }).map(([name, text]) => draw("text", { id: `letter-${name}`, "font-size": 100, "text-anchor": "middle" }, text));
    const stops = [[0, "#fbeac0"], [0.55, "#f3d798"], [1, "#dfb96b"]].map(([offset, color]) => draw("stop", { offset, "stop-color": color }));
    const defs = draw("defs", {}, draw("linearGradient", { id: "wood", x1: 0, y1: 0, x2: 1, y2: 1 }, ...stops), ...letters);
    document.body.append(draw("svg", { width: 0, height: 0, "aria-hidden": "true", focusable: "false", class: "shapes" }, defs));
}

/** The picture of an ordinary piece. @param {string} kind @param {boolean} promoted @param {"b" | "w"} color */
export function pieceArt(kind, promoted, color) {
    const name = kind === "K" && color === "w" ? "k" : promoted ? `+${kind}` : kind;
    return outlined(SIZES[kind], letter(name, 50, 84, 64, promoted ? "ink red" : "ink"));
}

/** Where each kind stands on a quantum piece that may be several: three rows. @type {[number, number][]} */
const PLACES = [[25, 98], [50, 98], [75, 98], [27, 71], [50, 71], [73, 71], [36, 44], [64, 44]];

/**
 * The picture of a quantum piece: what it may still be.
 * @param {number} kinds one bit for each kind
 * @param {boolean} promoted
 */
export function quantumArt(kinds, promoted) {
    const left = KINDS.map((_, place) => place).filter((place) => (kinds >> place) & 1);
    const text = (/** @type {number} */ place) => {
        const kind = KINDS[place];
        return promoted && LETTERS[`+${kind}`] ? `+${kind}` : kind;
    };
    const ink = promoted ? "ink red" : "ink";
    if (left.length === KINDS.length) return outlined(0.94, letter("?", 50, 82, 52, `${ink} faint`));
    if (left.length === 1) return outlined(SIZES[KINDS[left[0]]], letter(text(left[0]), 50, 84, 64, ink));
    if (left.length === 2) return outlined(0.94, ...left.map((place, number) => letter(text(place), number === 0 ? 31 : 69, 82, 40, ink)));
    if (left.length <= 4) {
        const four = [[32, 62], [68, 62], [32, 99], [68, 99]];
        return outlined(0.94, ...left.map((place, number) => letter(text(place), four[number][0], four[number][1], 36, ink)));
    }
    return outlined(0.96, ...left.map((place) => letter(text(place), ...PLACES[place], 26, ink)));
}
