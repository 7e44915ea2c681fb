// The graph of a game: who is ahead at each position, from Black's side. A finger or a pointer on it chooses a position.
import { draw, make } from "./elements.js";
import { word } from "./words.js";

/** @typedef {{ cp: number | null, mate: number | null, winner?: "b" | "w" | null }} Value from Black's side; `winner` decides where the sign of a mate in 0 cannot */
/**
 * @typedef {object} Shown
 * @property {(Value | undefined)[]} values one for each position of the game
 * @property {number} current
 * @property {{ from: number, at: number, value: Value } | null} [branch] a line beside the game: where it leaves it, which position of it is shown, what it is worth
 * @property {(string | null)[]} [marks] for each position, the class of the judgment on the move that led to it
 * @property {boolean[]} [turns] whether the game turned by that move
 * @property {(number | null)[]} [sections] positions where a part of the game begins
 * @property {boolean} [byValue] whether heights are values; otherwise the chance to win
 */

/** Values beyond it are drawn at the edge. */
const LIMIT = 3000;

/** The chance of Black to win, 0 to 1: a half at 0, 73 % at 600. @param {Value} value */
export function chance({ cp, mate, winner }) {
    if (winner) return winner === "b" ? 1 : 0;
    if (mate !== null) return mate > 0 ? 1 : 0;
    return 1 / (1 + Math.exp(-(cp ?? 0) / 600));
}

/** A value as a short text. @param {Value} value */
export function valueText({ cp, mate, winner }) {
    if (mate !== null) return `${(winner ?? (mate > 0 ? "b" : "w")) === "b" ? "☗" : "☖"}#${Math.abs(mate)}`;
    const value = cp ?? 0;
    return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
}

export class Graph {
    /** @param {(ply: number) => void} go */
    constructor(go) {
        /** @type {Shown} */
        this.shown = { values: [], current: 0 };
        this.go = go;
        this.picture = draw("svg", { "aria-hidden": "true" });
        this.element = make("div", { class: "graph", role: "slider", tabindex: "0" }, this.picture);
        const follow = (/** @type {PointerEvent} */ event) => {
            const box = this.picture.getBoundingClientRect();
            const { left, right, width } = this.measures();
            const share = (((event.clientX - box.left) / box.width) * width - left) / (right - left);
            const last = this.shown.values.length - 1;
            const ply = Math.min(Math.max(Math.round(share * last), 0), last);
            if (ply !== this.shown.current || this.shown.branch) this.go(ply);
        };
        this.element.addEventListener("pointerdown", (event) => { this.element.setPointerCapture(event.pointerId); follow(event); });
        this.element.addEventListener("pointermove", (event) => { if (event.buttons) follow(event); });
        // It is drawn in the size that it has, so that letters keep their shape.
        new ResizeObserver(() => this.paint()).observe(this.element);
    }

    measures() {
        const [width, height] = [Math.max(this.element.clientWidth, 200), Math.max(this.element.clientHeight, 40)];
        const isSmall = height < 100;
        return { width, height, isSmall, left: isSmall ? 6 : 38, right: width - 8, top: 6, bottom: height - (isSmall ? 6 : 20) };
    }

    /** @param {Shown} shown */
    show(shown) {
        this.shown = shown;
        this.paint();
    }

    paint() {
        const { values, current, branch, marks = [], turns = [], sections = [], byValue = false } = this.shown;
        const { width, height, isSmall, left, right, top, bottom } = this.measures();
        const last = Math.max(values.length - 1, 1);
        const share = (/** @type {Value} */ value) => {
            if (!byValue || value.mate !== null) return chance(value);
            return 0.5 + Math.min(Math.max(value.cp ?? 0, -LIMIT), LIMIT) / (2 * LIMIT);
        };
        const x = (/** @type {number} */ ply) => left + (Math.min(ply, last) / last) * (right - left);
        const y = (/** @type {number} */ part) => bottom - part * (bottom - top);
        const point = (/** @type {number} */ ply, /** @type {number} */ part) => `${x(ply).toFixed(1)},${y(part).toFixed(1)}`;
        const known = values.flatMap((value, ply) => (value ? [{ ply, value }] : []));
        const line = known.map(({ ply, value }) => point(ply, share(value))).join(" ");
        const shapes = [draw("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "ground" })];
        /** @type {SVGElement[]} */
        const rest = [];
        if (known.length > 1) rest.push(draw("polygon", { points: `${point(known[0].ply, 0)} ${line} ${point(known[known.length - 1].ply, 0)}`, class: "area" }));
        for (const part of isSmall ? [0.5] : [0, 0.25, 0.5, 0.75, 1]) {
            rest.push(draw("line", { x1: left, x2: right, y1: y(part), y2: y(part), class: part === 0.5 ? "even" : "scale" }));
            const label = byValue ? String(Math.round((part - 0.5) * 2 * LIMIT)) : `${part * 100}%`;
            if (!isSmall) rest.push(draw("text", { x: left - 5, y: y(part) + 4, "text-anchor": "end" }, label));
        }
        if (!isSmall) {
            const step = [5, 10, 20, 50, 100, 200, 500].find((one) => values.length / one <= width / 70) ?? 1000;
            for (let ply = 0; ply < values.length; ply += step) {
                // The last number may stand at the edge, where half of it would be cut off.
                const isAtEdge = x(ply) + 4 * String(ply).length > width;
                rest.push(draw("text", { x: isAtEdge ? width : x(ply), y: height - 5, "text-anchor": isAtEdge ? "end" : "middle" }, String(ply)));
            }
        }
        for (const ply of sections) {
            if (ply !== null) rest.push(draw("line", { x1: x(ply), x2: x(ply), y1: top, y2: bottom, class: "section" }));
        }
        rest.push(draw("polyline", { points: line, class: "values" }));
        for (const { ply, value } of known) {
            const mark = marks[ply] ?? null;
            /** @type {Record<string, string | number>} */
            const told = { cx: x(ply).toFixed(2), cy: y(share(value)).toFixed(2), r: mark ? (isSmall ? 3 : 4.5) : 0.01, class: `point${mark ? ` mark-${mark}` : ""}`, "data-ply": ply };
            if (value.cp !== null) told["data-cp"] = value.cp;
            if (value.mate !== null) told["data-mate"] = value.mate;
            rest.push(draw("circle", told));
            if (turns[ply]) rest.push(draw("path", { d: `M${x(ply) - 5} ${top} h10 l-5 8 z`, class: "turning" }));
        }
        if (branch) {
            const from = values[branch.from];
            const at = share(branch.value);
            const start = from ? `${point(branch.from, share(from))} ` : "";
            rest.push(draw("polyline", { points: `${start}${point(branch.from + 1, at)} ${point(Math.max(branch.at, branch.from + 1), at)}`, class: "branch" }));
            rest.push(draw("circle", { cx: x(branch.at), cy: y(at), r: 4.5, class: "branch-point" }));
        }
        const cursor = x(branch ? branch.at : current);
        rest.push(draw("line", { x1: cursor, x2: cursor, y1: top, y2: bottom, class: "now" }));
        this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
        this.picture.replaceChildren(...shapes, ...rest);
        const here = values[current];
        for (const [name, value] of Object.entries({ label: word("graph"), valuemin: 0, valuemax: Math.max(values.length - 1, 0), valuenow: current, valuetext: `${current}${here ? ` ${valueText(here)}` : ""}` })) {
            this.element.setAttribute(`aria-${name}`, String(value));
        }
    }
}
