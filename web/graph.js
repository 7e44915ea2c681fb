// The graph of a game's values, from Black's side.
import { draw } from "./elements.js";
import { word } from "./words.js";

/** @typedef {{ cp: number | null, mate: number | null }} Value from Black's side */

/** Where a value lies between -1 and 1: even at 0, 600 at about a half. @param {Value} value */
export const height = ({ cp, mate }) => (mate !== null ? Math.sign(mate) : 2 / (1 + Math.exp(-(cp ?? 0) / 600)) - 1);

/**
 * @param {(Value | undefined)[]} values one for each position of the game
 * @param {number} current
 * @param {(ply: number) => void} go
 */
export function graph(values, current, go) {
    const [width, tall] = [600, 130];
    const last = Math.max(values.length - 1, 1);
    const x = (/** @type {number} */ ply) => 6 + (ply / last) * (width - 12);
    const y = (/** @type {Value} */ value) => tall / 2 - height(value) * (tall / 2 - 6);
    const known = values.flatMap((value, ply) => (value ? [[x(ply), y(value)]] : []));
    const line = known.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(" ");
    const area = known.length > 1 ? `${known[0][0].toFixed(1)},${tall / 2} ${line} ${known[known.length - 1][0].toFixed(1)},${tall / 2}` : "";
    const picture = draw("svg", { viewBox: `0 0 ${width} ${tall}`, class: "graph", role: "img", "aria-label": word("graph"), preserveAspectRatio: "none" },
        draw("rect", { width, height: tall, class: "ground" }),
        draw("polygon", { points: area, class: "area" }),
        draw("line", { x1: 0, x2: width, y1: tall / 2, y2: tall / 2, class: "even" }),
        draw("polyline", { points: line, class: "values" }),
        draw("line", { x1: x(current), x2: x(current), y1: 0, y2: tall, class: "now" }));
    picture.addEventListener("click", (event) => {
        const box = picture.getBoundingClientRect();
        const share = ((event.clientX - box.left) / box.width) * width;
        go(Math.min(Math.max(Math.round(((share - 6) / (width - 12)) * last), 0), values.length - 1));
    });
    return picture;
}
