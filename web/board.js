// The board with both piece stands: shows a position and tells which square or piece in hand was chosen. It knows no rules.
import { draw, make } from "./elements.js";
import { colorWord, squareWord, word } from "./words.js";

/** @typedef {{ art: SVGElement, label: string, color: "b" | "w" }} Shown */
/** @typedef {{ key: string, art: SVGElement, label: string, count: number }} Held */
/** @typedef {{ from: string | null, to: string, rank: number, color: string }} Arrow */
/**
 * @typedef {{ squares: Map<string, Shown>, hands: { b: Held[], w: Held[] }, last: string[], turn: "b" | "w", names: { b: string, w: string } }} View
 */

const RANKS = "abcdefghi";

/** The two squares of a move in USI; the first is null for a drop. @param {string} move @returns {[string | null, string]} */
export const ends = (move) => (move[1] === "*" ? [null, move.slice(2, 4)] : [move.slice(0, 2), move.slice(2, 4)]);

export class Board {
    /**
     * @param {{ square: (square: string) => void, hand: (color: "b" | "w", key: string) => void, look?: (square: string | null) => void }} chosen
     */
    constructor(chosen) {
        this.chosen = chosen;
        this.flipped = false;
        /** @type {View | null} */
        this.view = null;
        /** @type {Map<string, HTMLButtonElement>} */
        this.cells = new Map();
        /** The square that the Tab key comes to. */
        this.focused = "5i";
        /** @type {Arrow[]} */
        this.drawn = [];
        /** @type {{ at: string | null, targets: Set<string> }} */
        this.selected = { at: null, targets: new Set() };
        /** @type {((value: string | null) => void) | null} */
        this.answer = null;
        this.grid = make("div", { class: "grid", role: "grid", "aria-label": word("board"), keydown: (/** @type {KeyboardEvent} */ event) => this.key(event) });
        this.overlay = draw("svg", { class: "overlay", viewBox: "0 0 9 9", preserveAspectRatio: "none", "aria-hidden": "true" });
        this.files = make("div", { class: "files", "aria-hidden": "true" });
        this.ranks = make("div", { class: "ranks", "aria-hidden": "true" });
        this.square = make("div", { class: "square" }, this.files, this.grid, this.ranks, this.overlay);
        this.stands = { b: make("div", { class: "stand" }), w: make("div", { class: "stand" }) };
        this.element = make("div", { class: "table" }, this.stands.w, this.square, this.stands.b);
        this.lay();
    }

    /** Makes the cells in the order in which they are seen. */
    lay() {
        this.cells.clear();
        const order = (/** @type {number} */ place) => (this.flipped ? 8 - place : place);
        const rows = [...RANKS].map((_, y) => {
            const cells = [...RANKS].map((_, x) => {
                const square = `${9 - order(x)}${RANKS[order(y)]}`;
                const cell = make("button", { type: "button", role: "gridcell", "data-square": square, tabindex: "-1",
                    click: () => { this.focused = square; this.chosen.square(square); },
                    pointerenter: () => this.chosen.look?.(square), pointerleave: () => this.chosen.look?.(null),
                    focus: () => this.chosen.look?.(square) });
                this.cells.set(square, cell);
                return cell;
            });
            return make("div", { role: "row" }, ...cells);
        });
        this.grid.replaceChildren(...rows);
        this.files.replaceChildren(...[..."987654321"].map((_, x) => make("span", {}, String(9 - order(x)))));
        this.ranks.replaceChildren(...[...RANKS].map((_, y) => make("span", {}, "一二三四五六七八九"[order(y)])));
        this.element.classList.toggle("flipped", this.flipped);
        const [above, below] = this.flipped ? [this.stands.b, this.stands.w] : [this.stands.w, this.stands.b];
        above.classList.replace("below", "above") || above.classList.add("above");
        below.classList.replace("above", "below") || below.classList.add("below");
        this.element.replaceChildren(above, this.square, below);
    }

    /** @param {boolean} flipped */
    flip(flipped) {
        if (flipped === this.flipped) return;
        this.flipped = flipped;
        this.lay();
        if (this.view) this.show(this.view);
        this.arrows(this.drawn);
    }

    /** @param {View} view */
    show(view) {
        this.view = view;
        this.close(null);
        for (const [square, cell] of this.cells) {
            const piece = view.squares.get(square);
            cell.replaceChildren(...(piece ? [this.turned(piece)] : []));
            cell.setAttribute("aria-label", piece ? `${squareWord(square)} ${colorWord(piece.color)} ${piece.label}` : `${squareWord(square)} ${word("empty")}`);
            cell.classList.toggle("last", view.last.includes(square));
            cell.tabIndex = square === this.focused ? 0 : -1;
        }
        for (const color of /** @type {("b" | "w")[]} */ (["b", "w"])) {
            const stand = this.stands[color];
            stand.setAttribute("role", "group");
            stand.setAttribute("aria-label", word("stand", colorWord(color)));
            const turned = (color === "w") !== this.flipped;
            const pieces = view.hands[color].map((held) => {
                const art = /** @type {SVGElement} */ (held.art.cloneNode(true));
                art.classList.toggle("turned", turned);
                const count = held.count > 1 ? [make("span", { class: "count", "aria-hidden": "true" }, String(held.count))] : [];
                return make("button", { type: "button", "data-hand": held.key, "aria-label": `${colorWord(color)} ${word("inHand")} ${held.label}${held.count > 1 ? ` ${held.count}` : ""}`, click: () => this.chosen.hand(color, held.key) }, art, ...count);
            });
            stand.classList.toggle("moving", view.turn === color);
            stand.replaceChildren(make("p", { class: "name" }, make("span", { class: "sign", "aria-hidden": "true" }, color === "b" ? "☗" : "☖"), ` ${view.names[color]}`), make("div", { class: "held" }, ...pieces));
        }
        this.select(null, []);
    }

    /** The picture of a piece, upside down if it moves down the board. @param {Shown} piece */
    turned(piece) {
        const art = /** @type {SVGElement} */ (piece.art.cloneNode(true));
        art.classList.toggle("turned", (piece.color === "w") !== this.flipped);
        return art;
    }

    /**
     * Marks the chosen piece and where it may go.
     * @param {string | null} at a square, or `b:P` for a piece in hand
     * @param {string[]} targets
     */
    select(at, targets) {
        this.selected = { at, targets: new Set(targets) };
        for (const [square, cell] of this.cells) {
            cell.classList.toggle("chosen", square === at);
            cell.classList.toggle("target", this.selected.targets.has(square));
            if (square === at) cell.setAttribute("aria-selected", "true");
            else cell.removeAttribute("aria-selected");
        }
        for (const color of /** @type {("b" | "w")[]} */ (["b", "w"])) {
            for (const held of this.stands[color].querySelectorAll("button")) {
                const chosen = at === `${color}:${held.dataset.hand}`;
                held.classList.toggle("chosen", chosen);
                held.setAttribute("aria-pressed", String(chosen));
            }
        }
    }

    /** The middle of a square in the units of the overlay. @param {string} square */
    middle(square) {
        const [x, y] = [9 - Number(square[0]), RANKS.indexOf(square[1])];
        return this.flipped ? [8.5 - x, 8.5 - y] : [x + 0.5, y + 0.5];
    }

    /** @param {Arrow[]} arrows the best one first */
    arrows(arrows) {
        this.drawn = arrows;
        const shapes = [...arrows].reverse().map(({ from, to, rank }) => {
            const [x, y] = this.middle(to);
            const name = `arrow rank${rank}`;
            if (from === null) return draw("circle", { cx: x, cy: y, r: 0.4, class: `${name} drop` });
            const [a, b] = this.middle(from);
            const length = Math.hypot(x - a, y - b);
            const [dx, dy] = [(x - a) / length, (y - b) / length];
            // From the middle to the middle, its head 0.4 long; the width shows the rank.
            const [w, h] = [0.1 - 0.02 * rank, 0.24 - 0.03 * rank];
            const [ex, ey] = [x - dx * 0.42, y - dy * 0.42];
            const points = [[a - dy * w, b + dx * w], [ex - dy * w, ey + dx * w], [ex - dy * h, ey + dx * h], [x, y], [ex + dy * h, ey - dx * h], [ex + dy * w, ey - dx * w], [a + dy * w, b - dx * w]];
            return draw("polygon", { points: points.map((point) => point.map((value) => value.toFixed(3)).join(",")).join(" "), class: name });
        });
        this.overlay.replaceChildren(...shapes);
    }

    /**
     * Asks on the square: shows pictures to choose from. Resolves to the chosen value, or null.
     * @param {string} square
     * @param {string} question
     * @param {{ value: string, label: string, art: SVGElement }[]} options
     * @returns {Promise<string | null>}
     */
    ask(square, question, options) {
        this.close(null);
        const [x, y] = this.middle(square);
        const turned = this.view?.turn === (this.flipped ? "b" : "w");
        const buttons = options.map(({ value, label, art }) => {
            art.classList.toggle("turned", turned);
            return make("button", { type: "button", "data-value": value, click: () => this.close(value) }, art, make("span", {}, label));
        });
        const dialog = make("div", { class: "ask", role: "dialog", "aria-label": question,
            keydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape") this.close(null); } }, ...buttons);
        dialog.style.left = `${(Math.min(Math.max(x, 1.5), 7.5) / 9) * 100}%`;
        dialog.style.top = `${(y / 9) * 100}%`;
        dialog.classList.toggle("low", y > 4.5);
        this.square.append(dialog);
        buttons[0].focus();
        return new Promise((resolve) => { this.answer = resolve; });
    }

    /** Ends the question on the board. @param {string | null} value */
    close(value) {
        const dialog = this.square.querySelector(".ask");
        if (!dialog) return;
        const had = dialog.contains(document.activeElement);
        dialog.remove();
        if (had) this.cells.get(this.focused)?.focus();
        const { answer } = this;
        this.answer = null;
        answer?.(value);
    }

    /** The arrow keys go from square to square. @param {KeyboardEvent} event */
    key(event) {
        /** @type {Record<string, [number, number]>} */
        const steps = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        const step = steps[event.key];
        if (!step || !(event.target instanceof HTMLElement) || !event.target.dataset.square) return;
        const sign = this.flipped ? -1 : 1;
        const [file, rank] = [Number(this.focused[0]) + sign * step[0], RANKS.indexOf(this.focused[1]) + sign * step[1]];
        event.preventDefault();
        event.stopPropagation();
        if (file < 1 || file > 9 || rank < 0 || rank > 8) return;
        const square = `${file}${RANKS[rank]}`;
        const before = this.cells.get(this.focused);
        if (before) before.tabIndex = -1;
        this.focused = square;
        const cell = this.cells.get(square);
        if (cell) {
            cell.tabIndex = 0;
            cell.focus();
        }
    }
}
