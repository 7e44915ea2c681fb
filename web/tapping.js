// From taps to moves: choose a piece, then a target. What is not legal is named and changes nothing.
import { tell } from "./elements.js";
import { ends } from "./position.js";
import { ruleWord, word } from "./words.js";

/**
 * @typedef {object} Game what taps need to know
 * @property {() => string[]} moves all legal moves of the person who may move now; none if nobody may
 * @property {() => ("b" | "w" | null)} mover whose pieces may be chosen now
 * @property {(move: string) => string} judge the rule that a move breaks
 * @property {(move: string) => void} play
 * @property {(square: string, promoted: boolean) => SVGElement} art the moving piece as it may become
 * @property {(place: string | null) => void} [inspect] something was tapped: a square, or `b:P` in hand
 * @property {(move: string | null) => void} [consider] a target is looked at while a piece is chosen
 */

export class Tapping {
    /**
     * @param {import("./board.js").Board} board
     * @param {Game} game
     */
    constructor(board, game) {
        this.board = board;
        this.game = game;
    }

    /** The beginning of the moves of the chosen piece: `7g` or `P*`. */
    get chosen() {
        const { at } = this.board.selected;
        return at === null ? null : at.includes(":") ? `${at.slice(2)}*` : at;
    }

    /** @param {string} at */
    choose(at) {
        const beginning = at.includes(":") ? `${at.slice(2)}*` : at;
        const moves = this.game.moves().filter((move) => move.startsWith(beginning));
        this.board.select(at, moves.map((move) => ends(move)[1]));
    }

    /** @param {string} square */
    async square(square) {
        // A tap elsewhere is no answer to a question about the move before.
        this.board.close(null);
        const mover = this.game.mover();
        const piece = this.board.view?.squares.get(square);
        const { chosen } = this;
        this.game.inspect?.(piece ? square : null);
        if (this.board.selected.at === square) return this.board.select(null, []);
        if (piece && piece.color === mover) return this.choose(square);
        if (chosen === null || mover === null) return;
        const plain = chosen + square;
        const moves = this.game.moves().filter((move) => move === plain || move === `${plain}+`);
        if (moves.length === 0) {
            const rule = this.game.judge(plain);
            // A piece that has to promote is asked about what else is wrong.
            tell(ruleWord(rule === "MustPromote" ? this.game.judge(`${plain}+`) || rule : rule));
            return;
        }
        if (moves.length === 1) return this.game.play(moves[0]);
        const at = /** @type {string} */ (this.board.selected.at);
        const promotes = await this.board.ask(square, word("promotion"), [
            { value: `${plain}+`, label: word("promote"), art: this.game.art(at, true) },
            { value: plain, label: word("keep"), art: this.game.art(at, false) },
        ]);
        if (promotes !== null && this.game.mover() === mover) this.game.play(promotes);
    }

    /** A piece was dragged. @param {string} at where from @param {string} square */
    drop(at, square) {
        const color = at.includes(":") ? at[0] : this.board.view?.squares.get(at)?.color;
        if (color !== this.game.mover()) return;
        this.board.select(null, []);
        this.choose(at);
        this.square(square);
    }

    /** @param {"b" | "w"} color @param {string} key */
    hand(color, key) {
        this.board.close(null);
        const at = `${color}:${key}`;
        this.game.inspect?.(at);
        if (this.board.selected.at === at) this.board.select(null, []);
        else if (color === this.game.mover()) this.choose(at);
    }

    /** @param {string | null} square */
    look(square) {
        const { chosen } = this;
        if (!this.game.consider) return;
        const move = chosen !== null && square !== null && this.board.selected.targets.has(square) ? chosen + square : null;
        this.game.consider(move === null || this.game.moves().includes(move) ? move : `${move}+`);
    }
}
