// The list of moves: one button for each, so that a game can be read and any position reached.
import { make } from "./elements.js";
import { word } from "./words.js";

/**
 * @param {string[]} moves as text
 * @param {number} current the number of the move that was just made; 0 is the start
 * @param {(number: number) => void} go
 * @param {(number: number) => string} [mark] a sign behind a move
 */
export function moveList(moves, current, go, mark = () => "") {
    const items = [word("startOfGame"), ...moves].map((text, number) => {
        const name = number === 0 ? text : `${number} ${text}${mark(number)}`;
        const entry = make("button", { type: "button", click: () => go(number) }, name);
        if (number === current) entry.setAttribute("aria-current", "step");
        return make("li", {}, entry);
    });
    const list = make("ol", { class: "moves", "aria-label": word("moves"), tabindex: "0" }, ...items);
    // The current move is in sight as soon as the list is on the page.
    requestAnimationFrame(() => {
        const entry = list.children[current];
        if (entry instanceof HTMLElement) list.scrollTop = entry.offsetTop - list.offsetTop - list.clientHeight / 2;
    });
    return list;
}
