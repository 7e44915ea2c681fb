// The board with both piece stands: shows a position and tells which square or piece in hand was chosen. It knows no rules.
import { draw, guarded, make, replace } from "./elements.js";
import { RANKS } from "./position.js";
import { colorWord, currentLanguage, squareWord, word } from "./words.js";

/** @typedef {{ art: SVGElement, label: string, color: "b" | "w" }} Shown */
/** @typedef {{ key: string, art: SVGElement, label: string, count: number }} Held */
/** @typedef {{ from: string | null, to: string, rank: number, played?: boolean }} Arrow the best one has rank 0; or one that was played */
/**
 * @typedef {{ squares: Map<string, Shown>, hands: { b: Held[], w: Held[] }, last: string[], turn: "b" | "w", names: { b: string, w: string }, isFree?: boolean, isFixed?: boolean }} View `isFree`: all pieces may be dragged; `isFixed`: none, because nobody may move
 */

/** What the ranks are called in moves. */
export const rankNames = () => (currentLanguage() === "ja" ? "一二三四五六七八九" : "123456789");

export class Board {
    /**
     * @param {{ square: (square: string) => void, hand: (color: "b" | "w", key: string) => void, look?: (square: string | null) => void,
     *     drop?: (at: string, square: string) => void }} chosen `drop`: a piece was dragged from a place to a square; without it, none can be
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
        this.grid = make("div", { class: "grid", role: "grid", keydown: (/** @type {KeyboardEvent} */ event) => this.key(event) });
        this.overlay = draw("svg", { class: "overlay", viewBox: "0 0 9 9", preserveAspectRatio: "none", "aria-hidden": "true" });
        this.files = make("div", { class: "files", "aria-hidden": "true" });
        this.ranks = make("div", { class: "ranks", "aria-hidden": "true" });
        /** What the ranks are called at the edge. */
        this.rankNames = rankNames();
        /** The ranks that are shown, from the first to the last. */
        this.shownRanks = [0, 8];
        /** The time of each side, and whether it is short. @type {Record<"b" | "w", [text: string, isShort: boolean]>} */
        this.times = { b: ["", false], w: ["", false] };
        this.ahead = make("div", { class: "ahead", role: "img", hidden: true }, make("span", {}));
        this.square = make("div", { class: "square" }, this.files, this.grid, this.ranks, this.overlay, this.ahead);
        this.stands = { b: make("div", { class: "stand" }), w: make("div", { class: "stand" }) };
        this.element = make("div", { class: "table" }, this.stands.w, this.square, this.stands.b);
        this.element.addEventListener("pointerdown", (event) => this.lift(event));
        this.lay();
    }

    /**
     * Shows a part of the board, for problems.
     * @param {number} first the rank nearest to White, from 0
     * @param {number} last
     */
    crop(first, last) {
        this.shownRanks = [first, last];
        this.element.style.setProperty("--ranks", String(last - first + 1));
        const rank = RANKS.indexOf(this.focused[1]);
        if (rank < first || rank > last) this.focused = `5${RANKS[first]}`;
        this.lay();
    }

    /**
     * The bar that shows who is ahead.
     * @param {number | null} share of Black, 0 to 1; null hides it
     * @param {string} label
     */
    evaluate(share, label) {
        this.ahead.hidden = share === null;
        this.ahead.setAttribute("aria-label", label);
        const filled = /** @type {HTMLElement} */ (this.ahead.firstElementChild);
        filled.style.height = `${((share ?? 0) * 100).toFixed(1)}%`;
    }

    /** Makes the cells in the order in which they are seen. */
    lay() {
        const had = this.grid.contains(document.activeElement);
        this.cells.clear();
        const order = (/** @type {number} */ place) => (this.flipped ? 8 - place : place);
        const rows = [...RANKS].map((_, y) => {
            const cells = [...RANKS].map((_, x) => {
                const square = `${9 - order(x)}${RANKS[order(y)]}`;
                const cell = make("button", { type: "button", role: "gridcell", "data-square": square, "aria-label": squareWord(square), tabindex: "-1",
                    click: () => { this.mark(square); this.chosen.square(square); },
                    pointerenter: () => this.chosen.look?.(square), pointerleave: () => this.chosen.look?.(null),
                    focus: () => { this.mark(square); this.chosen.look?.(square); } });
                this.cells.set(square, cell);
                return cell;
            });
            const [first, last] = this.shownRanks;
            return make("div", { role: "row", hidden: order(y) < first || order(y) > last }, ...cells);
        });
        this.grid.replaceChildren(...rows);
        this.files.replaceChildren(...[..."987654321"].map((_, x) => make("span", {}, String(9 - order(x)))));
        this.nameRanks(this.rankNames);
        const [first, last] = this.shownRanks;
        this.overlay.setAttribute("viewBox", `0 ${this.flipped ? 8 - last : first} 9 ${last - first + 1}`);
        this.element.classList.toggle("flipped", this.flipped);
        const [above, below] = this.flipped ? [this.stands.b, this.stands.w] : [this.stands.w, this.stands.b];
        above.classList.replace("below", "above") || above.classList.add("above");
        below.classList.replace("above", "below") || below.classList.add("below");
        this.element.replaceChildren(above, this.square, below);
        if (had) this.focus();
    }

    /** @param {string} names nine letters, as moves on the page name the ranks */
    nameRanks(names) {
        this.rankNames = names;
        const [first, last] = this.shownRanks;
        const shown = [...names].filter((_, rank) => rank >= first && rank <= last);
        this.ranks.replaceChildren(...(this.flipped ? shown.reverse() : shown).map((name) => make("span", {}, name)));
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
        this.grid.setAttribute("aria-label", word("board"));
        const mayDrag = this.chosen.drop !== undefined && !view.isFixed;
        for (const [square, cell] of this.cells) {
            const piece = view.squares.get(square);
            cell.replaceChildren(...(piece ? [this.turned(piece)] : []));
            cell.setAttribute("aria-label", piece ? `${squareWord(square)} ${colorWord(piece.color)} ${piece.label}` : `${squareWord(square)} ${word("empty")}`);
            cell.classList.toggle("last", view.last.at(-1) === square);
            cell.classList.toggle("from", view.last.length > 1 && view.last[0] === square);
            cell.classList.toggle("movable", mayDrag && piece !== undefined && (view.isFree || piece.color === view.turn));
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
                return make("button", { type: "button", class: mayDrag && view.turn === color ? "movable" : "", id: `held-${color}-${held.key}`, "data-hand": held.key, "data-color": color, "aria-label": `${colorWord(color)} ${word("inHand")} ${held.label}${held.count > 1 ? ` ${held.count}` : ""}`, click: () => this.chosen.hand(color, held.key) }, art, ...count);
            });
            stand.classList.toggle("moving", view.turn === color);
            const clock = make("span", { class: "clock", role: "timer" });
            replace(stand, make("p", { class: "name" }, make("span", { class: "sign", "aria-hidden": "true" }, color === "b" ? "☗" : "☖"), ` ${view.names[color]}`, clock), make("div", { class: "held" }, ...pieces));
            this.time(color, ...this.times[color]);
        }
        this.select(null, []);
    }

    /** Shows how much time a side has. @param {"b" | "w"} color @param {string} text @param {boolean} isShort */
    time(color, text, isShort) {
        this.times[color] = [text, isShort];
        const clock = this.stands[color].querySelector(".clock");
        if (!clock || (clock.textContent === text && clock.classList.contains("short") === isShort)) return;
        clock.textContent = text;
        clock.classList.toggle("short", isShort);
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
        const shapes = [...arrows].reverse().map(({ from, to, rank, played }) => {
            const [x, y] = this.middle(to);
            const name = `arrow rank${rank}${played ? " played" : ""}`;
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
        const [first, last] = this.shownRanks;
        const share = (y - (this.flipped ? 8 - last : first)) / (last - first + 1);
        const turned = this.view?.turn === (this.flipped ? "b" : "w");
        const buttons = options.map(({ value, label, art }) => {
            art.classList.toggle("turned", turned);
            return make("button", { type: "button", "data-value": value, click: () => this.close(value) }, art, make("span", {}, label));
        });
        const dialog = guarded(make("div", { class: "ask", role: "dialog", "aria-label": question,
            keydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape") this.close(null); } }, ...buttons));
        dialog.style.left = `${(Math.min(Math.max(x, 1.5), 7.5) / 9) * 100}%`;
        dialog.style.top = `${share * 100}%`;
        dialog.classList.toggle("low", share > 0.5);
        this.square.append(dialog);
        // The question covers squares. The Tab key comes to the board again when it is answered.
        const cell = this.cells.get(this.focused);
        if (cell) cell.tabIndex = -1;
        buttons[0].focus();
        return new Promise((resolve) => { this.answer = resolve; });
    }

    /** Ends the question on the board. @param {string | null} value */
    close(value) {
        const dialog = this.square.querySelector(".ask");
        if (!dialog) return;
        const had = dialog.contains(document.activeElement);
        dialog.remove();
        this.mark(this.focused);
        if (had) this.focus();
        const { answer } = this;
        this.answer = null;
        answer?.(value);
    }

    /** The keyboard comes to the board, on the square where it was last. */
    focus() {
        this.cells.get(this.focused)?.focus();
    }

    /** The Tab key comes to a square, and to no other one. @param {string} square */
    mark(square) {
        const [before, cell] = [this.cells.get(this.focused), this.cells.get(square)];
        if (before) before.tabIndex = -1;
        this.focused = square;
        if (cell) cell.tabIndex = 0;
    }

    /** The arrow keys go from square to square. @param {KeyboardEvent} event */
    key(event) {
        /** @type {Record<string, [number, number]>} */
        const steps = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        const step = steps[event.key];
        const from = event.target instanceof HTMLElement && event.target.dataset.square;
        if (!step || !from) return;
        const sign = this.flipped ? -1 : 1;
        const [file, rank] = [Number(from[0]) + sign * step[0], RANKS.indexOf(from[1]) + sign * step[1]];
        event.preventDefault();
        event.stopPropagation();
        if (file < 1 || file > 9 || rank < this.shownRanks[0] || rank > this.shownRanks[1]) return;
        this.cells.get(`${file}${RANKS[rank]}`)?.focus();
    }

    /** A piece may be dragged to a square: then it is chosen, and the square after it. @param {PointerEvent} event */
    lift(event) {
        const { drop } = this.chosen;
        const held = event.target instanceof Element ? event.target.closest(".movable") : null;
        if (!drop || !(held instanceof HTMLElement) || event.button !== 0) return;
        const at = held.dataset.square ?? `${held.dataset.color}:${held.dataset.hand}`;
        const art = held.querySelector(".piece");
        if (!art) return;
        /** @type {HTMLElement | null} */
        let ghost = null;
        const move = (/** @type {PointerEvent} */ now) => {
            if (now.pointerId !== event.pointerId) return;
            if (!ghost) {
                if (Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) < 9) return;
                const box = art.getBoundingClientRect();
                ghost = make("div", { class: "dragged", "aria-hidden": "true" }, art.cloneNode(true));
                ghost.style.width = `${box.width}px`;
                ghost.style.height = `${box.height}px`;
                document.body.append(ghost);
                held.classList.add("lifted");
            }
            ghost.style.left = `${now.clientX}px`;
            ghost.style.top = `${now.clientY}px`;
        };
        const end = (/** @type {PointerEvent} */ now) => {
            if (now.pointerId !== event.pointerId) return;
            for (const kind of /** @type {const} */ (["pointermove", "pointerup", "pointercancel"])) removeEventListener(kind, kind === "pointermove" ? move : end);
            if (!ghost) return;
            ghost.remove();
            held.classList.remove("lifted");
            // What follows as a click on the place where the piece was lifted is no tap.
            const swallow = (/** @type {Event} */ click) => { click.stopPropagation(); click.preventDefault(); };
            addEventListener("click", swallow, { capture: true, once: true });
            setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
            const below = now.type === "pointerup" ? document.elementFromPoint(now.clientX, now.clientY)?.closest("[data-square]") : null;
            if (below instanceof HTMLElement && below.dataset.square && below.dataset.square !== at) {
                below.focus();
                drop(at, below.dataset.square);
            }
        };
        addEventListener("pointermove", move);
        addEventListener("pointerup", end);
        addEventListener("pointercancel", end);
    }
}
