// The games that were played on this device.
import { button, guarded, make } from "./elements.js";
import { isTexts, recall, remember } from "./memory.js";
import { currentLanguage, word } from "./words.js";

/** `date` in milliseconds. @typedef {import("./game-tree.js").Played & { date: number, b: string, w: string, result: string }} KeptGame */

const NAME = "games";
/** So many are kept; the oldest go first. */
const MOST = 200;
/** Fewer moves are no game. */
export const SHORTEST = 4;

/** @param {any} headers */
const areHeaders = (headers) => Array.isArray(headers) && headers.every((pair) => isTexts(pair) && pair.length === 2);
/** Earlier versions have kept neither headers nor the ending. @param {any} one */
const isGame = (one) => isTexts(one?.moves) && isTexts([one.root, one.b, one.w, one.result, one.ending ?? ""]) && areHeaders(one.headers ?? []) && typeof one.date === "number" && !Number.isNaN(new Date(one.date).getTime());

/** @returns {KeptGame[]} the newest first */
export function keptGames() {
    return recall(NAME, /** @type {any[]} */ ([]), Array.isArray).filter(isGame);
}

/** @param {KeptGame} game */
export function keepGame(game) {
    const others = keptGames().filter(({ root, moves }) => root !== game.root || moves.join() !== game.moves.join());
    remember(NAME, JSON.stringify([game, ...others].slice(0, MOST)));
}

/** Takes a game off the list. Its date names it: another tab may have changed the order meanwhile. @param {number} wanted */
export const forgetGame = (wanted) => remember(NAME, JSON.stringify(keptGames().filter(({ date }) => date !== wanted)));

/** The game that was taken off the list last, with its place there: it can be put back. @type {{ game: KeptGame, place: number } | null} */
let forgotten = null;

/** Puts a game back on the list. @param {KeptGame} game */
const putBack = (game) => remember(NAME, JSON.stringify([...keptGames(), game].sort((one, other) => other.date - one.date).slice(0, MOST)));

/**
 * The list, as a panel that opens.
 * @param {boolean} isOpen
 * @param {(isOpen: boolean) => void} toggled
 * @param {(game: KeptGame) => void} open
 * @param {() => void} changed
 */
export function gameList(isOpen, toggled, open, changed) {
    const games = keptGames();
    const forget = (/** @type {KeptGame} */ game, /** @type {number} */ place) => {
        forgetGame(game.date);
        forgotten = { game, place };
        changed();
        document.getElementById("put-back")?.focus();
    };
    const when = new Intl.DateTimeFormat(currentLanguage() === "ja" ? "ja-JP" : "en-GB", { dateStyle: "medium", timeStyle: "short" });
    const items = games.map((game, number) => make("li", {},
        make("button", { type: "button", id: `game-${number}`, class: "game", click: () => open(game) }, make("b", {}, `☗${game.b} – ☖${game.w}`), make("small", {}, `${when.format(game.date)} · ${word("pliesCount", game.moves.length)} · ${game.result || word("unfinished")}`)),
        make("button", { type: "button", id: `forget-${number}`, "aria-label": word("forgetGame", number + 1), click: () => forget(game, number) }, "×")));
    if (forgotten) {
        const { game, place } = forgotten;
        const undo = () => {
            putBack(game);
            forgotten = null;
            changed();
        };
        items.splice(place, 0, guarded(make("li", {}, button("putBack", undo, { id: "put-back", class: "game" }))));
    }
    return make("details", { class: "panel games", open: isOpen, toggle: (/** @type {Event} */ event) => toggled(/** @type {HTMLDetailsElement} */ (event.currentTarget).open) },
        make("summary", {}, word("keptGames", games.length)),
        items.length > 0 ? make("ul", {}, ...items) : make("p", { class: "note" }, word("noGames")));
}
