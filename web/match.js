// A game of a person against the engine, or of two people on one screen: whose turn it is, what may be taken back, how it ended.
// Ordinary and quantum shogi differ in the rules that are given to it.

import { alone } from "./alone.js";
import { Clock } from "./clock.js";
import { remember, remembered } from "./memory.js";
import { textOf } from "./position.js";

/** @typedef {import("./rules.js").End} End */
/** @typedef {{ turn: "b" | "w", moves: string[], end: End | null }} Seen */
/**
 * @typedef {object} Saved
 * @property {string} root
 * @property {string[]} moves
 * @property {"b" | "w" | "both"} person which side the person plays
 * @property {string} limit how long the engine thinks
 * @property {import("./clock.js").Rate} [rate] of the clock
 * @property {Record<"b" | "w", number>} [left] seconds of main time, when the side to move began to think
 * @property {(Record<"b" | "w", number> | null)[]} [lefts] the same before each move, to take moves back
 * @property {number} [thought] seconds that the person to move has thought since then
 * @property {number} [started] when it began
 * @property {number} [listed] when it was put on the list of games
 * @property {End | null} end kept, because not every end shows on the board, and repetition not before the module is loaded
 */

/** Whoever looks at the clock later than this after the last look has slept, in milliseconds. Hidden pages look once a second. */
const SLEEP = 2000;

/** @returns {Saved} */
const nothing = () => ({ root: "startpos", moves: [], person: "b", limit: "nodes 1000", end: null });

/** What two pages agree on; each has a clock of its own. @param {Saved} saved */
const playedText = ({ root, moves, person, limit, rate, end }) => JSON.stringify([root, moves, person, limit, rate, end]);

/** @param {any} value */
export const isEnd = (value) => typeof value?.why === "string" && ["b", "w", null].includes(value.winner);
/** @param {any} value */
const isTime = (value) => Number.isFinite(value) && value >= 0;
/** @param {any} value */
const isMoment = (value) => isTime(value) && !Number.isNaN(new Date(value).getTime());
/** @param {any} value */
const isLeft = (value) => isTime(value?.b) && isTime(value?.w);

/**
 * What is kept as a game, or null if it has not the form of one. What an earlier version or another program has kept may be anything: of
 * times and ends, only those are taken that are well formed.
 * @param {any} kept
 * @returns {Saved | null}
 */
function savedOf(kept) {
    const { root, moves, person, limit, rate, left, lefts, thought, started, listed, end } = kept ?? {};
    const isGame = typeof root === "string" && Array.isArray(moves) && moves.every((move) => typeof move === "string") && ["b", "w", "both"].includes(person) && typeof limit === "string";
    if (!isGame) return null;
    return {
        root, moves, person, limit, end: isEnd(end) ? end : null,
        ...(isTime(rate?.main) && isTime(rate.byoyomi) ? { rate } : {}),
        ...(isLeft(left) ? { left } : {}),
        ...(Array.isArray(lefts) ? { lefts: lefts.map((one) => (isLeft(one) ? one : null)) } : {}),
        ...(isTime(thought) ? { thought } : {}),
        ...(isMoment(started) ? { started } : {}),
        ...(isTime(listed) ? { listed } : {}),
    };
}

/** @template {Seen} S */
export class Match {
    /**
     * @param {object} parts
     * @param {string} parts.name under which it is kept on the device
     * @param {(text: string) => S} parts.look the rules
     * @param {import("./engine-client.js").EngineClient} parts.engine
     * @param {(text: string) => string} parts.position what the engine is told
     * @param {(limit: string, clock: string) => string} parts.go
     * @param {(limit: string) => [string, string][]} [parts.options] that a limit needs
     * @param {(saved: Saved, end: End | null) => void} [parts.over] a game has ended, or another one begins
     * @param {(text: string, move: string) => void} parts.moved a move was made here in a position
     * @param {() => void} parts.changed
     * @param {() => void} parts.failed
     */
    constructor({ name, look, engine, position, go, options = () => [], over = () => {}, moved, changed, failed }) {
        this.name = name;
        this.lookAt = look;
        this.engine = engine;
        this.position = position;
        this.go = go;
        this.options = options;
        this.over = over;
        this.moved = moved;
        this.changed = changed;
        this.failed = failed;
        /** Puts a side below on the board: who plays is another one. @type {(person: Saved["person"]) => void} */
        this.sits = () => {};
        /** Whether the engine thinks, here or in another page. */
        this.thinking = false;
        /** Whether another page with this game lets its engine think. */
        this.waits = false;
        /** Ends what the engine thinks about, or the waiting for it. */
        this.wanted = new AbortController();
        /** When the clock was looked at last. */
        this.looked = Infinity;
        /** Counts what happens to the game. An answer to a question from before the last change is for nobody. */
        this.changes = 0;
        /** Whether the engine gave no answer; the person may ask again. */
        this.stuck = false;
        /** @type {Saved} */
        this.saved = nothing();
        /** What is kept on the device, as this page knows it. @type {string | null} */
        this.kept = null;
        this.begun = this.restore();
        /** @type {S} */
        this.seen = look(this.text);
        this.clock = this.newClock();
    }

    /** The name under which other pages see that the engine begins to think. */
    get turnName() {
        return `${this.name}-turn`;
    }

    /** The game so far as the rules and the engine read it. */
    get text() {
        return textOf(this.saved.root, this.saved.moves);
    }

    /** @returns {boolean} whether there was a game on this device */
    restore() {
        try {
            const text = remembered(this.name);
            const saved = savedOf(JSON.parse(text ?? "null"));
            if (!saved) return false;
            this.lookAt(textOf(saved.root, saved.moves));
            this.saved = saved;
            this.kept = text;
            return true;
        } catch {
            // Its moves are not those of a game.
            return false;
        }
    }

    keep() {
        if (this.clock.isUsed) {
            this.saved.left = this.clock.left;
            // A search that is broken off begins anew, and so does its time.
            if (this.clock.running !== null) this.saved.thought = this.mover === null ? 0 : this.clock.thought;
        }
        this.kept = JSON.stringify(this.saved);
        // A game as it stood before would be taken for this one.
        remember(this.name, this.kept, true);
    }

    /** Keeps what the clock shows, unless another page has gone on with the game. */
    keepTime() {
        if (this.begun && remembered(this.name) === this.kept) this.keep();
    }

    /** Another page may have gone on with the game, or have begun another one: then it goes on here, too. */
    follow() {
        const { person } = this.saved;
        const before = this.begun && playedText(this.saved);
        if (remembered(this.name) === this.kept || !this.restore() || playedText(this.saved) === before) return;
        this.stopThinking();
        this.begun = true;
        this.seen = this.lookAt(this.text);
        this.clock = this.newClock();
        if (this.saved.person !== person) this.sits(this.saved.person);
        this.changed();
        this.resume(false);
    }

    newClock() {
        const rate = this.saved.rate ?? { main: 0, byoyomi: 0 };
        return new Clock(rate, this.saved.left ?? { b: rate.main, w: rate.main }, (color) => {
            if (!this.waits) return this.finish({ why: "timeout", winner: color === "b" ? "w" : "b" });
            // The other page may sleep. So no time is lost here.
            this.clock.pause();
            this.takeOver();
        });
    }

    /** @returns {End | null} */
    get end() {
        return this.saved.end ?? this.seen.end;
    }

    /** Whose pieces the person may move now. @returns {"b" | "w" | null} */
    get mover() {
        const { person } = this.saved;
        const { turn } = this.seen;
        return this.begun && !this.end && (person === "both" || person === turn) ? turn : null;
    }

    /** @param {Pick<Saved, "root" | "person" | "limit" | "rate">} wanted */
    start(wanted) {
        this.stopThinking();
        if (this.begun && !this.end) this.over(this.saved, null);
        this.saved = { ...wanted, moves: [], end: null, started: Date.now() };
        this.begun = true;
        this.clock = this.newClock();
        this.engine.say("usinewgame");
        this.sits(this.saved.person);
        this.update();
    }

    /** What the engine thinks about is past. */
    stopThinking() {
        this.changes += 1;
        this.wanted.abort();
        this.engine.cancel();
        this.thinking = false;
        this.waits = false;
        this.stuck = false;
    }

    update() {
        this.changes += 1;
        this.seen = this.lookAt(this.text);
        if (this.seen.end) return this.finish(this.seen.end);
        this.clock.turn(this.seen.turn);
        // It asks to think before other pages hear of the move. So it is the first.
        this.reply();
        this.keep();
        if (!this.thinking) this.changed();
    }

    /** The rules know more than before: looks at the position again. */
    lookAgain() {
        try {
            this.seen = this.lookAt(this.text);
        } catch {
            // The early rules have let pass what is no game.
            this.stopThinking();
            this.saved = nothing();
            this.begun = false;
            this.clock = this.newClock();
            this.seen = this.lookAt(this.text);
            this.changed();
        }
        if (this.begun && this.seen.end && !this.saved.end) this.finish(this.seen.end);
    }

    /** The page is open: the clock goes on, and the engine thinks if it is its turn. @param {boolean} [first] here, not in another page */
    resume(first = true) {
        if (!this.begun || this.end) return;
        this.clock.turn(this.seen.turn, this.saved.thought);
        if (!this.thinking) this.reply(first);
        else if (first) this.takeOver();
    }

    /** The engine thinks here, and no longer in another page, which may be hidden and asleep. */
    takeOver() {
        if (!this.waits) return;
        this.stopThinking();
        this.reply(true);
    }

    /** The page is closed, perhaps to be shown again. */
    pause() {
        this.keepTime();
        this.clock.pause();
    }

    /** Something else is shown in the place of the game. */
    leave() {
        this.stopThinking();
        this.pause();
    }

    /** Lets the engine move, if it is its turn. Of several pages with the game, one lets it think. @param {boolean} [first] this one */
    async reply(first = false) {
        if (!this.begun || this.end || this.mover !== null) return;
        const { changes } = this;
        this.thinking = true;
        this.waits = true;
        this.stuck = false;
        this.wanted = new AbortController();
        this.changed();
        const stays = await alone(this.name, { first, signal: this.wanted.signal }, () => this.think(changes));
        if (stays || changes !== this.changes) return;
        this.stopThinking();
        this.beginTurn();
        this.reply();
    }

    /** The engine has the time of a whole turn, here or in another page. */
    beginTurn() {
        this.clock.pause();
        this.clock.turn(this.seen.turn);
    }

    /** An engine whose device has slept has slept, too. It has the time of the whole turn again. */
    wake() {
        const now = performance.now();
        if (now - this.looked > SLEEP && this.thinking && this.clock.running !== null) this.beginTurn();
        this.looked = now;
    }

    /** Looks at the clock. It is to be called several times a second. */
    tick() {
        this.wake();
        this.clock.tick();
    }

    /** The engine begins to think in another page. A page that waits gives it the time. */
    waitAnew() {
        if (this.waits) this.beginTurn();
    }

    /** @param {number} changes when the engine was asked to move */
    async think(changes) {
        // The page before may have moved.
        if (changes === this.changes) this.follow();
        if (changes !== this.changes) return;
        this.waits = false;
        // The time of a search begins with it, and it begins when there is an engine.
        this.clock.pause();
        const isThere = await this.engine.module.then(() => true, () => false);
        if (changes !== this.changes || !isThere) return;
        this.clock.turn(this.seen.turn);
        const { text } = this;
        const words = this.clock.isUsed ? this.clock.words : "";
        remember(this.turnName, String(Date.now()));
        const answer = await this.engine.ask(this.position(text), this.go(this.saved.limit, words), undefined, [["MultiPV", "1"], ...this.options(this.saved.limit)]);
        if (changes !== this.changes) return;
        this.wake();
        this.thinking = false;
        const move = answer?.split(" ")[1];
        if (move === "resign") {
            this.finish({ why: "resignation", winner: this.seen.turn === "b" ? "w" : "b" });
        } else if (move === "win") {
            this.finish({ why: "declaration", winner: this.seen.turn });
        } else if (move && this.seen.moves.includes(move)) {
            this.play(move);
        } else if (answer !== null) {
            this.stuck = true;
            this.changed();
            this.failed();
        }
    }

    /** @param {string} move */
    play(move) {
        const { text, saved: { moves } } = this;
        if (this.clock.isUsed) this.saved.lefts = [...moves.map((_, at) => this.saved.lefts?.[at] ?? null), { ...this.clock.left }];
        this.saved.moves = [...moves, move];
        this.update();
        this.moved(text, move);
    }

    /** @param {End} end */
    finish(end) {
        this.stopThinking();
        this.saved.end = end;
        this.clock.turn(null);
        this.over(this.saved, end);
        this.keep();
        this.changed();
    }

    /** Whether the person has made a move that can be taken back. */
    get mayUndo() {
        const { person, moves, root } = this.saved;
        const moved = person === "both" || person === this.lookAt(root).turn ? 0 : 1;
        return this.begun && moves.length > moved;
    }

    /** Takes back the person's last move, the answer to it, and the time since then. */
    undo() {
        if (!this.mayUndo) return;
        this.stopThinking();
        this.saved.end = null;
        let moves = this.saved.moves.slice(0, -1);
        const turn = (/** @type {string[]} */ played) => this.lookAt(textOf(this.saved.root, played)).turn;
        if (this.saved.person !== "both" && moves.length > 0 && turn(moves) !== this.saved.person) moves = moves.slice(0, -1);
        this.saved.moves = moves;
        this.saved.left = this.saved.lefts?.[moves.length] ?? this.clock.left;
        this.clock = this.newClock();
        this.update();
    }
}
