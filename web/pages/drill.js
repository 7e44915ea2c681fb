// The drill: the positions before one's own mistakes, to be solved again.
import { button, guarded, make, tell } from "../elements.js";
import { legalMoves, judge } from "../moves.js";
import { pieceArt } from "../pieces.js";
import { ends, readSfen } from "../position.js";
import { Tapping } from "../tapping.js";
import { colorWord, squareWord, pieceWord, word } from "../words.js";
import { spoken } from "../report-game.js";

/** @typedef {import("../report-game.js").ReportGame} ReportGame */

export class Drill {
    /**
     * @param {import("../board.js").Board} board
     * @param {() => void} changed
     * @param {(line: import("../report-game.js").Line) => void} walk shows a line on the board
     */
    constructor(board, changed, walk) {
        this.board = board;
        this.changed = changed;
        this.walk = walk;
        /** @type {ReportGame | null} */
        this.game = null;
        /** @type {number[]} */
        this.plies = [];
        this.at = 0;
        this.solved = 0;
        /** Whether the answer to this one is known, and whether it was found without help. */
        this.open = true;
        this.helped = false;
        /** Says how it stands, in the language of the moment. */
        this.saying = () => "";
        this.tapping = new Tapping(board, {
            moves: () => legalMoves(this.position),
            mover: () => (this.game && this.open ? this.position.turn : null),
            judge: (move) => judge(this.position, move),
            play: (move) => this.attempt(move),
            art: (at, promoted) => pieceArt(this.position.squares.get(at)?.kind ?? at.slice(2), promoted, this.position.turn),
        });
    }

    get said() {
        return this.saying();
    }

    get running() {
        return this.game !== null;
    }

    get ply() {
        return this.plies[this.at] ?? 0;
    }

    get position() {
        return readSfen(/** @type {ReportGame} */ (this.game).positions[this.ply].sfen);
    }

    /** @param {ReportGame} game @param {"b" | "w"} side */
    start(game, side) {
        this.game = game;
        this.plies = game.mistakes(side);
        this.solved = 0;
        this.board.flip(side === "w");
        this.ask(0);
    }

    stop() {
        this.game = null;
        this.changed();
    }

    /** @param {number} at */
    ask(at) {
        if (at >= this.plies.length) {
            tell(word("drillDone", this.plies.length, this.solved));
            this.stop();
            return;
        }
        Object.assign(this, { at, open: true, helped: false });
        this.saying = () => word("drillAsk", this.ply + 1, at + 1, this.plies.length, colorWord(this.position.turn));
        this.changed();
    }

    /** @param {string} usi */
    attempt(usi) {
        const game = /** @type {ReportGame} */ (this.game);
        const { verdict, loss, line } = game.attempt(this.ply, usi);
        const [from, to] = ends(usi);
        const kind = from === null ? { kind: usi[0], promoted: false } : this.position.squares.get(from);
        const name = () => (line ? spoken(line.moves[0]) : `${squareWord(to)}${kind ? pieceWord(kind.kind, kind.promoted) : ""}`);
        if (verdict === "best" || verdict === "good") {
            if (!this.helped) this.solved += 1;
            this.open = false;
            this.saying = () => word(verdict === "best" ? "drillBest" : "drillGood", name());
        } else if (verdict === "played") {
            this.saying = () => word("drillPlayed");
        } else {
            this.saying = () => (verdict === "worse" ? word("drillWorse", name(), Math.round(loss)) : word("drillOther", name()));
        }
        this.changed();
    }

    get best() {
        const game = /** @type {ReportGame} */ (this.game);
        return game.positions[this.ply].missed_mate?.[0] ?? game.lines(this.ply)[0]?.moves[0];
    }

    hint() {
        this.helped = true;
        const [from] = ends(this.best.usi);
        const piece = from === null ? { kind: this.best.usi[0], promoted: false } : this.position.squares.get(from);
        this.saying = () => word("drillHint", `${from === null ? word("inHand") : squareWord(from)} ${piece ? pieceWord(piece.kind, piece.promoted) : ""}`);
        this.changed();
    }

    answer() {
        const game = /** @type {ReportGame} */ (this.game);
        this.helped = true;
        this.open = false;
        const { best } = this;
        this.saying = () => word("drillAnswer", spoken(best));
        this.changed();
        const [line] = game.explanations(this.ply + 1).filter(({ name }) => name !== "happened");
        if (line) this.walk({ ...line, step: 1 });
    }

    /** The panel that leads through the drill. */
    panel() {
        return make("section", { class: "panel drill" }, make("h2", {}, word("drill")), make("p", { class: "said" }, this.said),
            make("div", { class: "actions" },
                button("hint", () => this.hint(), { id: "drill-hint", disabled: !this.open }),
                button("answer", () => this.answer(), { id: "drill-answer", disabled: !this.open }),
                guarded(button("nextProblem", () => this.ask(this.at + 1), { id: "drill-next", class: this.open ? "" : "primary" })),
                button("endDrill", () => this.stop(), { id: "drill-end" })));
    }
}
