// A mate problem that is being solved: the person attacks, the defense answers as well as it can, and every proven solution counts.
import { givesCheck } from "./moves.js";
import { after, readSfen } from "./position.js";

/** @typedef {import("./position.js").Position} Position */
/**
 * What is known about a check: it is mate; the defense replies, and the mate then takes `left` plies; it mates, but what follows is not
 * known (`proven`); it does not mate, because of a reply; nobody knows.
 * @typedef {{ kind: "mate" } | { kind: "reply", move: string, left: number } | { kind: "proven", plies: number } | { kind: "wrong", reply: string | null } | { kind: "unknown" }} Answer
 */
/**
 * @typedef {object} Solver
 * @property {(moves: string[]) => Promise<Answer>} answer to the last of the moves from the problem on, a check
 * @property {(moves: string[]) => Promise<string | null>} best the best move after these
 */
/** What happened last: the key of a text, the moves that it names, and the position and the move before these. @typedef {{ key: string, move?: string, reply?: string, before?: Position, last?: string, left?: number }} Said */

export class Solving {
    /**
     * @param {{ sfen: string, plies: number, solver: Solver, changed: () => void }} parts
     */
    constructor({ sfen, plies, solver, changed }) {
        this.sfen = sfen;
        this.plies = plies;
        this.solver = solver;
        this.changed = changed;
        /** @type {string[]} */
        this.moves = [];
        /** @type {"open" | "waiting" | "solved"} */
        this.state = "open";
        /** Whether the solution was looked at or a hint was taken, whether it was the solution, and how many moves were wrong. */
        this.helped = false;
        this.seen = false;
        this.wrong = 0;
        /** Milliseconds until the clock began to run last. */
        this.used = 0;
        /** When that was. Null while the clock stands still. @type {number | null} */
        this.started = performance.now();
        /** @type {Said} */
        this.said = { key: "solveIt" };
        this.position = readSfen(sfen);
        this.attacker = this.position.turn;
        /** Later questions make the answers to earlier ones void. */
        this.asked = 0;
    }

    /** Milliseconds in which the problem was shown and not solved. */
    get spent() {
        return this.used + (this.started === null ? 0 : performance.now() - this.started);
    }

    get seconds() {
        return Math.floor(this.spent / 1000);
    }

    /** The clock stands still: the problem is solved, or is shown no longer. */
    pause() {
        this.used = this.spent;
        this.started = null;
    }

    /** The clock goes on, if it stands still and the problem is not solved. */
    goOn() {
        if (this.state !== "solved") this.started ??= performance.now();
    }

    /** Who may move now: the attacker, or nobody. */
    get mover() {
        return this.state === "open" ? this.attacker : null;
    }

    /** @param {string[]} moves */
    go(moves) {
        this.moves = moves;
        this.position = moves.reduce(after, readSfen(this.sfen));
    }

    /** @param {string} move a legal one */
    async play(move) {
        const before = this.position;
        const last = this.moves.at(-1);
        if (!givesCheck(before, move)) {
            this.wrong += 1;
            this.say({ key: "notCheck", move, before, last });
            return;
        }
        this.asked += 1;
        const mine = this.asked;
        const earlier = this.moves;
        this.go([...earlier, move]);
        this.state = "waiting";
        this.say({ key: "thinking" });
        const answer = await this.solver.answer(this.moves);
        if (mine !== this.asked) return;
        if (answer.kind === "mate" || answer.kind === "proven") {
            this.state = "solved";
            this.pause();
            this.say({ key: answer.kind === "mate" ? "solved" : "provenToo", left: answer.kind === "proven" ? answer.plies : 0, move, before, last });
        } else if (answer.kind === "reply") {
            this.state = "open";
            const between = this.position;
            this.go([...this.moves, answer.move]);
            this.say({ key: "answered", move: answer.move, before: between, last: move, left: answer.left });
        } else {
            this.state = "open";
            this.go(earlier);
            if (answer.kind === "wrong") this.wrong += 1;
            this.say(answer.kind === "wrong" ? { key: answer.reply ? "wrongBecause" : "wrongMove", move, reply: answer.reply ?? undefined, before, last } : { key: "notKnown", move, before, last });
        }
    }

    /** Takes back a move of the attacker with the reply to it. */
    back() {
        this.asked += 1;
        this.state = "open";
        this.goOn();
        this.go(this.moves.slice(0, Math.max(0, this.moves.length - (this.moves.length % 2 === 0 ? 2 : 1))));
        this.say({ key: "solveIt" });
    }

    restart() {
        this.asked += 1;
        Object.assign(this, { state: "open", wrong: 0, used: 0, started: performance.now() });
        this.go([]);
        this.say({ key: "solveIt" });
    }

    /** Goes on where it was left, with another solver: what was asked before has no answer. @param {Pick<Solving, "solver" | "changed">} parts */
    resume({ solver, changed }) {
        Object.assign(this, { solver, changed });
        this.goOn();
        const move = this.moves.at(-1);
        if (this.state !== "waiting" || move === undefined) return;
        this.go(this.moves.slice(0, -1));
        this.play(move);
    }

    /** The best move now. @returns {Promise<string | null>} */
    async hint() {
        this.helped = true;
        this.asked += 1;
        const mine = this.asked;
        const { moves, position: before } = this;
        const move = await this.solver.best(moves);
        if (mine !== this.asked) return null;
        this.say(move ? { key: "hintMove", move, before, last: moves.at(-1) } : { key: "noSolution" });
        return move;
    }

    /** @param {Said} said */
    say(said) {
        this.said = said;
        this.changed();
    }
}

/** The ranks that a problem needs: those of its pieces and of the moves in it, and one more, so that the king's way out is seen. @param {string} sfen @param {string[]} moves @returns {[number, number]} */
export function ranksOf(sfen, moves) {
    const { squares, turn } = readSfen(sfen);
    const ranks = [...squares.keys(), ...moves.map((move) => move.slice(2, 4))].map((square) => "abcdefghi".indexOf(square[1]));
    return turn === "b" ? [0, Math.min(8, Math.max(4, ...ranks.map((rank) => rank + 1)))] : [Math.max(0, Math.min(4, ...ranks.map((rank) => rank - 1))), 8];
}
