// The game that the analysis begins with: one that was played here, that of a link, or the one that was open before.
import { tell } from "./elements.js";
import { GameTree } from "./game-tree.js";
import { ANALYSIS, decoded, shownHash, takenHash } from "./links.js";
import { keepInTab, keptInTab } from "./memory.js";
import { look, readGames } from "./rules.js";
import { word } from "./words.js";

/** @typedef {import("./rules.js").Game} Game */
/** @typedef {import("./game-analysis.js").GameAnalysis["known"]} Known */
/** What was done with a game: moves that were tried, the place in it, and what is known of it. @typedef {{ tree: GameTree, known: Known }} Worked */
/**
 * What stays of an open game as long as the tab is open: also the games of its file, the place among them, and what was done with the others.
 * `hash`: the address when it was left.
 * @typedef {Worked & { games: Game[], chosen: number, others: [Game, Worked][], flipped: boolean, hash?: string }} Open
 */

/** The name of the game that stays open. */
const NAME = "analyzed";

/** The address of a position of a game. @param {GameTree} tree */
export const addressOf = (tree) => `#analyse=${tree.text(tree.current).replaceAll(" ", "_")}`;

/** @param {Worked} worked */
const keptOf = ({ tree, known }) => ({ game: tree.game, current: tree.current, tip: tree.tip, known });

/** What was kept. Fails if it has another form. @param {any} kept @returns {Worked} */
function workedOf({ game, current, tip, known }) {
    const tree = new GameTree(game);
    Object.assign(tree, { current, tip });
    look(tree.text(current));
    return { tree, known: { data: known.data, line: [...known.line], values: [...known.values] } };
}

/** Nothing is known of a game yet. @returns {Known} */
const nothing = () => ({ data: null, line: [], values: [] });

/** Keeps the open game. Of the other games, the judgments go first if there is no room, then the moves that were tried, then the games. @param {Open} open */
export function keepOpen({ games, chosen, others, flipped, ...worked }) {
    const places = (/** @type {Open["others"]} */ kept) => kept.map(([game, one]) => [games.indexOf(game), keptOf(one)]);
    const whole = { ...keptOf(worked), games, chosen, others: places(others), flipped, hash: takenHash() };
    const tried = places(others.map(([game, { tree }]) => [game, { tree, known: nothing() }]));
    keepInTab(NAME, whole, { ...whole, others: tried }, { ...whole, others: [] }, { ...whole, others: [], games: [], chosen: -1 });
}

/** The position that a link names, as the rules read it. Null if it is badly encoded. @param {string} link */
const askedBy = (link) => decoded(link.split(ANALYSIS)[1] ?? "")?.replaceAll("_", " ") ?? null;

/** The game of a position. Null, with a word to the person, if there is none. @param {string | null} text */
function gameTo(text) {
    const [game] = text ? readGames(new TextEncoder().encode(`position ${text}`)).games : [];
    if (game && !("reason" in game)) return game;
    tell([word("badLink"), game?.reason].filter(Boolean).join(": "));
    return null;
}

/** The game of a link to this page. Null, with a word to the person, if the link has none. @param {string} link */
export const linkedGame = (link) => gameTo(askedBy(link));

/** A game at its end. @param {Game} game */
export function atEnd(game) {
    const tree = new GameTree(game);
    tree.go(tree.tip);
    return tree;
}

/** The game that was open when the page was left, with the place in it. Null if none was, or if it is none. @returns {Open | null} */
function left() {
    const kept = keptInTab(NAME);
    // If another version of the page has kept what this one cannot show, it is tried only once.
    keepInTab(NAME, null);
    try {
        const { games, chosen, others, flipped, hash } = kept;
        /** @type {[Game, Worked][]} */
        const worked = (others ?? []).map((/** @type {[number, any]} */ [place, one]) => [games[place], workedOf(one)]);
        return { ...workedOf(kept), games: [...games], chosen: Number.isInteger(chosen) ? chosen : -1, others: worked, flipped: flipped === true, hash };
    } catch {
        return null;
    }
}

/** A game that was played here, at its end if nothing else is asked for. Null, with a word to the person, if it is none. @param {import("./game-tree.js").Played} given */
function played(given) {
    const tree = GameTree.of(given);
    // The moves are nodes of their own numbers.
    tree.go(given.at ?? tree.tip);
    try {
        look(tree.text(tree.tip));
        return tree;
    } catch (error) {
        tell(String(error));
        return null;
    }
}

/** Whether a game that was left has nothing but the first moves of another one. @param {Worked} left @param {GameTree} tree */
function isWithin({ tree: left, known }, tree) {
    const moves = left.nodes.filter(({ move }) => move !== null).length;
    const isLine = moves === left.moves(left.tip).length;
    return known.data === null && isLine && (moves === 0 || `${tree.text(tree.tip)} `.startsWith(`${left.text(left.tip)} `));
}

/**
 * The games that can be chosen when another one is shown, with what was done with them: those that could be chosen before, and the one
 * that was open.
 * @param {Pick<Open, "games" | "chosen" | "others"> & Worked} before
 * @param {GameTree} tree the other one
 * @returns {Pick<Open, "games" | "others">}
 */
export function beside({ games, chosen, others, tree: left, known }, tree) {
    const worked = { tree: left, known };
    if (!games[chosen] && isWithin(worked, tree)) return { games, others };
    const game = games[chosen] ?? left.game;
    return { games: games[chosen] ? games : [...games, game], others: [...others, [game, worked]] };
}

/**
 * The game to begin with, and what else is kept of it if it was open before.
 * @param {import("./game-tree.js").Played | null} given a game that was played here
 * @returns {{ tree: GameTree, again: Open | null }}
 */
export function firstGame(given) {
    const asked = askedBy(shownHash());
    const before = left();
    // The address of the game that was open leads to it, even if it names an earlier step of it; another address leads to another game.
    const isBefore = asked === "" || (before !== null && (shownHash() === before.hash || asked === before.tree.text(before.tree.current)));
    const linked = given || isBefore ? null : gameTo(asked);
    const other = given ? played(given) : linked && atEnd(linked);
    const again = other && before ? { ...beside(before, other), tree: other, known: nothing(), chosen: -1, flipped: false } : before;
    return { tree: other ?? again?.tree ?? GameTree.of({ root: "startpos", moves: [] }), again };
}
