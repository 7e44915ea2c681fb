// A game with its branches: which node is shown, and the line on which it lies.
import { START, textOf } from "./position.js";

/** @typedef {import("./rules.js").GameNode} GameNode */
/** @typedef {import("./rules.js").Game} Game */
/** A game that was played here. `ending` is a word of game files, `at` the number of moves on the board. @typedef {{ root: string, moves: string[], headers?: [string, string][], ending?: string | null, at?: number }} Played */

export class GameTree {
    /** @param {Game} game */
    constructor(game) {
        this.root = game.initial === START ? "startpos" : `sfen ${game.initial}`;
        this.initial = game.initial;
        this.headers = game.headers;
        /** What is unusual about it: the module says it. */
        this.notes = game.notes ?? [];
        this.nodes = game.nodes.slice();
        this.current = 0;
        /** The last node of the line that is shown. */
        this.tip = this.end(0);
    }

    /** @param {Played} played */
    static of({ root, moves, headers = [], ending = null }) {
        const initial = root === "startpos" ? START : root.replace(/^sfen /, "");
        /** @type {GameNode[]} */
        const nodes = [null, ...moves].map((move, number) => ({ parent: number === 0 ? null : number - 1, move, ending: null, comments: [] }));
        if (ending !== null) nodes.push({ parent: moves.length, move: null, ending, comments: [] });
        return new GameTree({ initial, headers, nodes });
    }

    /** The game with all its branches, as the module reads and writes it. @returns {Game} */
    get game() {
        const { initial, headers, nodes, notes } = this;
        return { initial, headers, nodes, notes };
    }

    /** @param {number} node */
    children(node) {
        return this.nodes.map((_, place) => place).filter((place) => place > 0 && this.nodes[place].parent === node);
    }

    /** The end of the first line from a node on. Endings are no positions; a branch may go on where the game has ended. @param {number} node */
    end(node) {
        for (;;) {
            const [next] = this.children(node);
            if (next === undefined || this.nodes[next].move === null) return node;
            node = next;
        }
    }

    /** The nodes from the start to one. @param {number} node */
    path(node) {
        const path = [];
        for (let place = /** @type {number | null} */ (node); place !== null; place = this.nodes[place].parent) path.unshift(place);
        return path;
    }

    /** The nodes of the line that is shown, the start first. */
    get line() {
        return this.path(this.tip);
    }

    /** @param {number} node */
    moves(node) {
        return this.path(node).flatMap((place) => this.nodes[place].move ?? []);
    }

    /** @param {number} node */
    text(node) {
        return textOf(this.root, this.moves(node));
    }

    /** Shows a node, an ending by the position before it; if it is not on the line, the line changes. @param {number} node */
    go(node) {
        const ended = this.nodes[node].ending === null ? null : this.nodes[node].parent;
        this.current = ended ?? node;
        if (ended !== null) this.tip = ended;
        else if (!this.line.includes(node)) this.tip = this.end(node);
    }

    /** Goes on with a move, which may be new. @param {string} move */
    play(move) {
        let node = this.children(this.current).find((child) => this.nodes[child].move === move);
        if (node === undefined) {
            node = this.nodes.length;
            this.nodes.push({ parent: this.current, move, ending: null, comments: [] });
        }
        this.go(node);
    }

    /** The node that says how the game of this line ended, if the file has one. @returns {GameNode | null} */
    get lastNode() {
        const ending = this.children(this.tip).find((child) => this.nodes[child].ending !== null);
        return ending === undefined ? null : this.nodes[ending];
    }

    /** How the game of this line ended, if the file says it. */
    get ending() {
        return this.lastNode?.ending ?? null;
    }
}
