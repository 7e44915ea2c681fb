// The list of moves: one button for each, so that a game can be read and any position reached.
import { make } from "./elements.js";
import { word } from "./words.js";

/**
 * @param {string[]} moves as text
 * @param {number} current the number of the move that was just made; 0 is the start
 * @param {(number: number) => void} go
 * @param {(number: number) => Node[]} [more] what stands behind a move: a judgment, a value
 */
export function moveList(moves, current, go, more = () => []) {
    const items = [word("startOfGame"), ...moves].map((text, number) => {
        const entry = make("button", { type: "button", click: () => go(number) }, make("span", { class: "move" }, number === 0 ? text : `${number} ${text}`), ...more(number));
        if (number === current) entry.setAttribute("aria-current", "step");
        return make("li", {}, entry);
    });
    const list = make("ol", { class: "moves", "aria-label": word("moves"), tabindex: "0" }, ...items);
    // The current move is in sight as soon as the list is on the page.
    requestAnimationFrame(() => markMove(list, current));
    return list;
}

/** Marks another move as the current one. @param {HTMLElement} list @param {number} current */
export function markMove(list, current) {
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = list.children[current];
    if (!(item instanceof HTMLElement)) return;
    item.firstElementChild?.setAttribute("aria-current", "step");
    // What scrolls is the list or a panel around it, never the page.
    let place = /** @type {HTMLElement | null} */ (list);
    while (place && place !== document.body && (place.scrollHeight <= place.clientHeight + 4 || getComputedStyle(place).overflowY === "visible")) place = place.parentElement;
    if (!place || place === document.body) return;
    const [inner, outer] = [item.getBoundingClientRect(), place.getBoundingClientRect()];
    place.scrollTop += inner.top - outer.top - (place.clientHeight - inner.height) / 2;
}
