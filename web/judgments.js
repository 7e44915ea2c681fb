// Judgments on the moves of a game, for all pages that show them.
import { make, wholes } from "./elements.js";
import { valueText } from "./graph.js";
import { spoken, valueOf } from "./report-game.js";
import { currentLanguage, word } from "./words.js";
import "./judgment-words.js";

/** @typedef {import("./report-game.js").ReportGame} ReportGame */

/** The note on a move as a badge. @param {string | null} note */
export const badge = (note) => (note ? [make("span", { class: `badge ${note}` }, word(note))] : []);

/** That the game turns. @param {boolean} turns */
export const turnsBadge = (turns) => (turns ? [make("span", { class: "badge turns" }, `▼ ${word("turns")}`)] : []);

/** All that is said about a move. @param {import("./report-game.js").PagePosition} before the position in which it was played */
export function badges(before) {
    const said = [...badge(before.note), ...turnsBadge(before.turns)];
    if (before.is_best) said.push(make("span", { class: "badge good" }, word("wasBest")));
    if (before.believed_lost) said.push(make("span", { class: "badge missed_mate" }, word("believedLost")));
    return said;
}

/** What a move has lost. @param {import("./report-game.js").PagePosition} before */
export const lossNote = (before) => ((before.loss ?? 0) >= 1 ? [make("span", { class: "note" }, word("loss", before.loss ?? 0))] : []);

/** The serious mistakes as a list. @param {ReportGame} game @param {(ply: number) => void} go to the position after a mistake */
export function mistakeList(game, go) {
    const items = game.mistakes(null).map((at) => {
        const here = game.positions[at];
        const best = here.missed_mate?.[0] ?? here.lines[0]?.moves[0];
        const values = `${valueText(valueOf(here))} → ${valueText(valueOf(game.positions[at + 1]))}`;
        const entry = make("button", { type: "button", id: `mistake-${at}`, click: () => go(at + 1) },
            make("span", { class: "move" }, `${at + 1} ${spoken(here.move)}`), ...badge(here.note), ...turnsBadge(here.turns),
            make("small", {}, ...wholes([values, word("loss", here.loss ?? 0), ...(best && !here.is_best ? [word("bestMove", spoken(best))] : [])], " · ")));
        return make("li", {}, entry);
    });
    return items.length > 0 ? make("ol", { class: "mistakes" }, ...items) : make("p", { class: "note" }, word("noNotes"));
}

/** How both players played, in numbers. @param {ReportGame} game */
export function totals(game) {
    const [black, white] = game.data.summary;
    const named = (/** @type {import("./report-game.js").Name | null} */ name) => name?.[currentLanguage()] ?? "–";
    const percent = (/** @type {number | null} */ value) => (value === null ? "–" : `${value.toFixed(1)}%`);
    const cells = (/** @type {string} */ key, /** @type {string | number} */ left, /** @type {string | number} */ right, cls = "") =>
        make("tr", { class: cls }, make("td", {}, String(left)), make("th", { scope: "row" }, word(key)), make("td", {}, String(right)));
    const { opening, castles } = game.data;
    return make("table", { class: "totals" },
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, `☗ ${game.player("b")}`), make("td", {}), make("th", { scope: "col" }, `☖ ${game.player("w")}`))),
        make("tbody", {}, cells("accuracy", percent(black.accuracy), percent(white.accuracy), "big"), cells("bestRate", percent(black.best_moves), percent(white.best_moves)),
            ...["inaccuracy", "dubious", "mistake", "blunder"].map((note, at) => cells(note, black.notes[at], white.notes[at])),
            cells("missed_mate", black.missed_mates, white.missed_mates),
            ...(opening?.styles.some(Boolean) ? [cells("style", named(opening.styles[0]), named(opening.styles[1]))] : []),
            ...(castles?.some(Boolean) ? [cells("castle", named(castles[0]), named(castles[1]))] : [])));
}
