// The page's end of the conversation with the engine.

/**
 * A line of a search.
 * @typedef {{ number: number, depth: number, nodes: number, nps: number, cp: number | null, mate: number | null, bound: boolean, moves: string[] }} Line
 */

/** The tables of the engine in megabytes: enough for minutes of thinking, little enough for a phone. */
const HASH = 32;
/** So often in a row a worker may fail before it is given up. */
const FAILURES = 3;
/** The level that is full strength. */
const FULL_STRENGTH = 20;

/**
 * Reads an `info` line. Null if it is not about a line of moves.
 * @param {string} text
 * @returns {Line | null}
 */
export function readInfo(text) {
    const words = text.split(" ");
    const pv = words.indexOf("pv");
    // To declare a win is no move.
    if (words[0] !== "info" || pv < 0 || words[pv + 1] === "win") return null;
    const after = (/** @type {string} */ word) => {
        const place = words.indexOf(word);
        return place < 0 || place > pv ? null : words[place + 1];
    };
    const cp = after("cp");
    const mate = after("mate");
    return {
        number: Number(after("multipv") ?? 1),
        depth: Number(after("depth") ?? 0),
        nodes: Number(after("nodes") ?? 0),
        nps: Number(after("nps") ?? 0),
        cp: cp === null ? null : Number(cp),
        mate: mate === null ? null : mate === "+" || mate === "-" ? Number(`${mate}1`) : Number(mate),
        bound: words.includes("lowerbound") || words.includes("upperbound"),
        moves: words.slice(pv + 1),
    };
}

/** What the engine says is wrong; null if the line is another one. @param {string} line */
export const readFault = (line) => /^info string Error! (.*)/.exec(line)?.[1] ?? null;

/** One engine. Searches run one after another: a new one stops the one before. */
export class EngineClient {
    /** @param {WebAssembly.Module | Promise<WebAssembly.Module>} module what is said to the engine waits for it */
    constructor(module) {
        this.module = Promise.resolve(module);
        /** Shared with the worker where the page is isolated: a running search reads it. */
        this.stopped = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
        this.stops = 0;
        /** How many workers have failed since the last answer. */
        this.failures = 0;
        /** @type {Map<string, string>} */
        this.options = new Map([["USI_Hash", String(HASH)]]);
        /** @type {{ answer: (line: string) => void, info: (line: string) => void, isMate: boolean, last: string, lost: boolean } | null} */
        this.running = null;
        /** @type {Promise<unknown>} */
        this.queue = Promise.resolve();
        /** The number of the latest question; older ones that still wait are not asked. */
        this.latest = 0;
        /** Whether the engine plays at levels; known when `ready`. */
        this.hasLevels = true;
        this.levelsSeen = false;
        /** @type {() => void} */
        let known = () => {};
        this.ready = new Promise((/** @type {(value?: any) => void} */ resolve) => { known = resolve; });
        this.known = known;
        this.worker = this.start();
    }

    /** @returns {Worker} */
    start() {
        const worker = new Worker(new URL("engine-worker.js", import.meta.url), { type: "module" });
        worker.addEventListener("message", ({ data }) => {
            if (worker === this.worker) this.hear(data);
        });
        // The engine has failed. It is started again, unless it fails all the time; whoever waits gets the best move so far.
        worker.addEventListener("error", () => {
            if (worker !== this.worker) return;
            this.failures += 1;
            this.restart("bestmove none");
        });
        this.worker = worker;
        this.post((module) => ({ module, stopped: this.stopped }));
        this.say("usi");
        for (const [name, value] of this.options) this.say(`setoption name ${name} value ${value}`);
        return worker;
    }

    /** A new worker in place of one that cannot be reached. Its tables are empty. @param {string} [mate] the answer to a search for a mate */
    restart(mate = "checkmate timeout") {
        this.worker.terminate();
        const running = this.running;
        this.running = null;
        if (this.failures < FAILURES) this.start();
        running?.answer(running.isMate ? mate : `bestmove ${readInfo(running.last)?.moves[0] ?? "none"}`);
    }

    /** Sends a message as soon as the module is there, after those before it. @param {(module: WebAssembly.Module) => any} message */
    post(message) {
        const { worker } = this;
        this.module.then((module) => worker.postMessage(message(module)), () => {
            // The page says that there is no engine.
        });
    }

    /** @param {string} line */
    say(line) {
        const { stops } = this;
        this.post(() => ({ line, stops }));
    }

    /** @param {string} line */
    hear(line) {
        const { running } = this;
        if (line.startsWith("option name SkillLevel ")) this.levelsSeen = true;
        if (line === "usiok") {
            this.hasLevels = this.levelsSeen;
            this.known();
        }
        if (line.startsWith("bestmove ") || line.startsWith("checkmate ")) {
            this.running = null;
            this.failures = 0;
            running?.answer(line);
        } else if (running) {
            if (line.startsWith("info ") && line.includes(" pv ")) running.last = line;
            running.info(line);
        }
    }

    /**
     * @param {string} name
     * @param {string} value
     */
    set(name, value) {
        if (this.options.get(name) === value) return;
        this.options.set(name, value);
        this.say(`setoption name ${name} value ${value}`);
    }

    /**
     * Asks a question, such as `go nodes 1000`, about a position. The answer is the line `bestmove ...` or `checkmate ...`; null if
     * another question came before this one could be asked.
     * @param {string} position
     * @param {string} go
     * @param {(line: string) => void} [info] takes each line before the answer
     * @param {[string, string][]} [options] what has to be set for it
     * @returns {Promise<string | null>}
     */
    ask(position, go, info = () => {}, options = []) {
        this.latest += 1;
        const mine = this.latest;
        this.stop();
        const answered = this.queue.then(() => {
            if (mine !== this.latest) return null;
            return new Promise((/** @type {(line: string) => void} */ answer) => {
                // The one before was given up.
                if (this.failures >= FAILURES) this.start();
                this.running = { answer, info, isMate: go.startsWith("go mate"), last: "", lost: false };
                // A level holds for the question that names it alone.
                if (this.hasLevels && !options.some(([name]) => name === "SkillLevel")) this.set("SkillLevel", String(FULL_STRENGTH));
                for (const [name, value] of options) this.set(name, value);
                this.say(`position ${position}`);
                this.say(go);
            });
        });
        this.queue = answered;
        return answered;
    }

    /** Ends the running search. It answers at once. */
    stop() {
        if (!this.running || this.running.lost) return;
        this.running.lost = true;
        this.stops += 1;
        if (this.stopped) {
            Atomics.store(this.stopped, 0, this.stops);
        } else {
            // Without shared memory a running search hears nothing.
            this.restart();
        }
    }

    /** Ends the running search, and forgets the questions that wait. */
    cancel() {
        this.latest += 1;
        this.stop();
    }
}
