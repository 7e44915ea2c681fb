// The board on which a mate problem is solved, with all that belongs to it: what happened, hint, time, and the solution.
import { Board } from "./board.js";
import { timeText } from "./clock.js";
import { button, make, replace, tell } from "./elements.js";
import { lineNames } from "./move-name.js";
import { judge, legalMoves } from "./moves.js";
import { pieceArt } from "./pieces.js";
import { FULL_SET, HAND_ORDER, after, ends, other, readSfen, writeSfen } from "./position.js";
import { shogiView } from "./shogi-view.js";
import { Solving, ranksOf } from "./solving.js";
import { Tapping } from "./tapping.js";
import { addWords, setSeats, word } from "./words.js";

addWords({
    attacker: ["攻方", "Attacker"],
    defender: ["玉方", "Defender"],
    theRest: ["残り全部", "holds all the rest"],
    solveIt: ["{0}手詰です。駒を動かしてください", "Mate in {0}. Move a piece"],
    thinking: ["考えています…", "Thinking…"],
    notCheck: ["{1} は王手ではありません", "{1} gives no check"],
    answered: ["{1} と応じました。残り{3}手", "The defense plays {1}. {3#move#moves} left"],
    wrongMove: ["{1} では詰みません", "{1} does not mate"],
    wrongBecause: ["{1} では詰みません（{2}）", "{1} does not mate ({2})"],
    notKnown: ["{1} で詰むかどうかはわかりません", "Whether {1} mates is not known"],
    solved: ["詰みました！ {4}", "Mate! {4}"],
    provenToo: ["正解です。{1} でも{3}手で詰みます {4}", "Right: {1} mates, too, in {3} {4}"],
    hintMove: ["ヒント: {1}", "Hint: {1}"],
    takeBack: ["一手戻す", "Take back"],
    restart: ["最初から", "Restart"],
    solution: ["解答", "Solution"],
    hideSolution: ["解答を閉じる", "Hide solution"],
    untilMate: ["まで{0}手詰", "mate in {0}"],
    time: ["時間", "Time"],
    withoutHelp: ["（{0}、誤り{1}回）", "({0}, {1} wrong)"],
    noSolution: ["手順はわかりません", "No line is known"],
});

/** Whether a side holds all pieces that are neither on the board nor in the other hand. @param {import("./position.js").Position} position @param {"b" | "w"} side */
export function holdsTheRest({ squares, hands }, side) {
    const count = new Map([...hands.b]);
    for (const [kind, held] of hands.w) count.set(kind, (count.get(kind) ?? 0) + held);
    for (const { kind } of squares.values()) count.set(kind, (count.get(kind) ?? 0) + 1);
    return HAND_ORDER.every((kind) => (count.get(kind) ?? 0) === FULL_SET[kind]) && HAND_ORDER.some((kind) => hands[side].has(kind));
}

/**
 * @typedef {object} Problem
 * @property {string} sfen
 * @property {number} plies
 * @property {import("./solving.js").Solver} solver
 * @property {string[]} line one of its solutions
 * @property {() => string[]} [names] of the moves of the line
 */
/** A problem that was left: how far it is solved, the step of the solution that is shown, and whether it was solved before. @typedef {Pick<ProblemBoard, "solving" | "step" | "marked">} Left */

export class ProblemBoard {
    /**
     * @param {{ solved: (solving: Solving) => void, more: () => HTMLElement[] }} parts `more` makes further buttons
     */
    constructor({ solved, more }) {
        this.whenSolved = solved;
        this.more = more;
        /** @type {Problem | null} */
        this.problem = null;
        /** @type {Solving} */
        this.solving = new Solving({ sfen: "9/9/9/9/9/9/9/9/9 b - 1", plies: 1, solver: { answer: async () => ({ kind: "unknown" }), best: async () => null }, changed: () => {} });
        /** The ranks that are shown, from the first to the last. @type {[number, number]} */
        this.ranks = [0, 8];
        /** How many moves of the solution are on the board; null if it is hidden. @type {number | null} */
        this.step = null;
        this.board = new Board({ square: (square) => this.tapping.square(square), hand: (color, key) => this.tapping.hand(color, key), drop: (at, square) => this.tapping.drop(at, square) });
        /** @type {Tapping} */
        this.tapping = new Tapping(this.board, {
            moves: () => legalMoves(this.solving.position),
            mover: () => this.mover,
            judge: (move) => judge(this.solving.position, move),
            play: (move) => this.solving.play(move),
            art: (at, promoted) => pieceArt(this.solving.position.squares.get(at)?.kind ?? at.slice(2), promoted, this.solving.position.turn),
        });
        this.status = make("p", { class: "status", role: "status" });
        this.timer = make("p", { class: "timer" });
        this.actions = make("div", { class: "actions" });
        this.line = make("div", { class: "solution" });
        this.element = make("div", { class: "main problem-board" }, this.board.element, this.status, this.timer, this.actions, this.line);
        /** Whether it was said that the problem is solved. Moves may be taken back since. */
        this.marked = false;
        const timer = setInterval(() => this.tick(), 500);
        const listening = new AbortController();
        document.addEventListener("visibilitychange", () => this.setClock(), { signal: listening.signal });
        this.end = () => { clearInterval(timer); listening.abort(); this.forget(); };
    }

    /** Whose pieces may be moved now, if anybody's. */
    get mover() {
        return this.step === null && this.problem ? this.solving.mover : null;
    }

    /** Nothing is to be solved. An answer that comes later is for nobody. */
    forget() {
        this.problem = null;
        this.solving.pause();
        this.solving.asked += 1;
        const { view } = this.board;
        if (view) this.board.show({ ...view, isFixed: true });
    }

    /**
     * @param {Problem} problem
     * @param {Left | null} [left] what was done with it before
     */
    show(problem, left = null) {
        this.forget();
        this.problem = problem;
        this.step = left?.step ?? null;
        this.marked = left?.marked ?? false;
        const parts = { solver: problem.solver, changed: () => this.changed() };
        this.solving = left?.solving ?? new Solving({ sfen: problem.sfen, plies: problem.plies, ...parts });
        const { attacker } = this.solving;
        setSeats(attacker === "b" ? { b: "attacker", w: "defender" } : { b: "defender", w: "attacker" });
        this.board.flip(attacker === "w");
        this.ranks = ranksOf(problem.sfen, problem.line);
        this.board.crop(...this.ranks);
        this.changed();
        left?.solving.resume(parts);
        this.setClock();
    }

    /** The clock stands still while the page is out of sight: behind another one, or on a phone that is locked. */
    setClock() {
        if (document.hidden) this.solving.pause();
        else if (this.problem) this.solving.goOn();
    }

    /** A defense beside the solution may lead to ranks that the solution does not need. */
    widen() {
        const { problem, ranks, solving } = this;
        const [first, last] = ranksOf(solving.sfen, [...(problem?.line ?? []), ...solving.moves]);
        if (first >= ranks[0] && last <= ranks[1]) return;
        this.ranks = [Math.min(first, ranks[0]), Math.max(last, ranks[1])];
        this.board.crop(...this.ranks);
    }

    /** @param {number | null} step */
    walk(step) {
        if (this.step === null && step !== null && this.solving.state !== "solved") Object.assign(this.solving, { helped: true, seen: true });
        this.step = step;
        this.changed();
    }

    tick() {
        this.timer.textContent = this.problem ? `${word("time")} ${timeText(this.solving.seconds)}` : "";
    }

    /** What happened last, in words. */
    get said() {
        const { said, plies, wrong, seconds } = this.solving;
        const named = said.move ? [said.move, ...(said.reply ? [said.reply] : [])] : [];
        const [name = "", reply = ""] = said.before ? lineNames(said.before, named, said.last) : [];
        return word(said.key, plies, name, reply, said.left ?? 0, word("withoutHelp", timeText(seconds), wrong));
    }

    changed() {
        const { problem, solving } = this;
        if (!problem) return;
        if (solving.state === "solved" && !this.marked) {
            this.marked = true;
            this.whenSolved(solving);
        }
        this.widen();
        let position = solving.position;
        let last = solving.moves.at(-1);
        if (this.step !== null) {
            const moves = problem.line.slice(0, this.step);
            position = moves.reduce(after, readSfen(problem.sfen));
            last = moves.at(-1);
        }
        const names = { b: word(solving.attacker === "b" ? "attacker" : "defender"), w: word(solving.attacker === "w" ? "attacker" : "defender") };
        const view = { ...shogiView(writeSfen(position), position.turn, last, names), isFixed: this.mover === null };
        const defender = other(solving.attacker);
        if (holdsTheRest(position, defender)) {
            view.hands[defender] = [];
            view.names[defender] += ` ${word("theRest")}`;
        }
        this.board.show(view);
        const { said } = solving;
        const arrows = said.key === "hintMove" && said.move && this.step === null ? [said.move] : [];
        this.board.arrows(arrows.map((move) => ({ from: ends(move)[0], to: ends(move)[1], rank: 0 })));
        const text = this.step === null ? this.said : `${word("solution")} ${this.step}/${problem.line.length}`;
        const isNew = text !== this.status.textContent;
        this.status.textContent = text;
        if (this.step === null && isNew && !["solveIt", "thinking"].includes(said.key)) tell(text);
        this.element.classList.toggle("is-solved", solving.state === "solved" && this.step === null);
        this.tick();
        const isOpen = this.step === null && solving.state === "open";
        replace(this.actions,
            button("hint", () => { this.solving.hint(); }, { id: "hint", disabled: !isOpen }),
            button("takeBack", () => this.solving.back(), { id: "take-back", disabled: this.step !== null || solving.moves.length === 0 }),
            button("restart", () => this.solving.restart(), { id: "restart", disabled: this.step !== null }),
            button(this.step === null ? "solution" : "hideSolution", () => this.walk(this.step === null ? 0 : null), { id: "solution", disabled: problem.line.length === 0 }),
            ...this.more());
        this.showLine();
    }

    showLine() {
        const { problem, step } = this;
        if (!problem || step === null) return replace(this.line);
        const names = problem.names?.() ?? lineNames(readSfen(problem.sfen), problem.line);
        const moves = names.map((text, number) => {
            const entry = make("button", { type: "button", class: "move", id: `step-${number + 1}`, click: () => this.walk(number + 1) }, text);
            if (number + 1 === step) entry.setAttribute("aria-current", "step");
            return make("li", {}, entry);
        });
        const last = problem.line.length;
        replace(this.line,
            make("div", { class: "actions steps" },
                make("button", { type: "button", id: "previous", "aria-label": word("previous"), disabled: step === 0, click: () => this.walk(step - 1) }, "◀"),
                make("button", { type: "button", id: "next", "aria-label": word("next"), disabled: step === last, click: () => this.walk(step + 1) }, "▶")),
            make("ol", { class: "walk" }, ...moves, make("li", { class: "note" }, word("untilMate", last))));
    }

    /** @param {KeyboardEvent} event @returns {boolean} whether it was for the board */
    key(event) {
        if (this.step === null || !this.problem) return false;
        const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
        if (by === undefined) return false;
        this.walk(Math.min(Math.max(this.step + by, 0), this.problem.line.length));
        return true;
    }
}
