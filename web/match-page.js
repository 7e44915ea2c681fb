// What the pages of both games have in common: the form of a new game, the buttons, and how a game ends in words.
import { button, choice, make } from "./elements.js";
import { strengths } from "./strength.js";
import { colorWord, word } from "./words.js";

/** @typedef {import("./rules.js").End} End */

/** @param {End} end @param {number} plies */
export function endText(end, plies) {
    const result = end.winner === null ? word("drawn", plies) : word("wins", plies, colorWord(end.winner));
    return `${result}（${word(end.why === "resignation" ? "resignation" : end.why)}）`;
}

/**
 * The form of a new game.
 * @param {{ person: string, limit: string }} before what was chosen last
 * @param {HTMLElement[]} more further choices
 * @param {(person: "b" | "w" | "both", limit: string) => void} start
 */
export function newGameForm(before, more, start) {
    const side = choice("side", [["b", `☗ ${word("black")}`], ["w", `☖ ${word("white")}`], ["random", word("random")], ["both", word("both")]], before.person);
    const strength = choice("strength", strengths(), before.limit);
    strength.select.setAttribute("aria-describedby", "strength-note");
    const begin = () => {
        const chosen = side.select.value === "random" ? (crypto.getRandomValues(new Uint8Array(1))[0] < 128 ? "b" : "w") : side.select.value;
        start(/** @type {"b" | "w" | "both"} */ (chosen), strength.select.value);
    };
    return make("section", { class: "panel form" }, make("h2", {}, word("newGame")), side.label, ...more, strength.label,
        make("p", { class: "note", id: "strength-note" }, word("strengthNote")), button("start", begin, { class: "primary", id: "start" }));
}

/**
 * A question with yes and no in the place of what asks it.
 * @param {string} question
 * @param {() => void} yes
 * @param {() => void} no
 */
export function confirmation(question, yes, no) {
    const panel = make("div", { class: "confirm", role: "group", "aria-label": question }, make("p", {}, question), button("yes", yes, { class: "primary" }), button("no", no));
    requestAnimationFrame(() => panel.querySelector("button")?.focus());
    return panel;
}
