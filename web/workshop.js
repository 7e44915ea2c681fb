// The page's end of a worker for what takes long: analyses of games and mate problems.
import { textOf } from "./position.js";

export class Workshop {
    /** @param {WebAssembly.Module | Promise<WebAssembly.Module>} module */
    constructor(module) {
        this.module = Promise.resolve(module);
        /** @type {Worker | null} */
        this.worker = null;
        this.count = 0;
        /** @type {Map<number, (value: any) => void>} */
        this.waiting = new Map();
        /** Takes the progress of what is being worked on. @type {(progress: any) => void} */
        this.told = () => {};
        /** Why the last call failed, if it did. @type {string | null} */
        this.reason = null;
    }

    /** @returns {Worker} */
    start() {
        const worker = new Worker(new URL("workshop-worker.js", import.meta.url), { type: "module" });
        this.module.then((module) => worker.postMessage({ module }));
        worker.addEventListener("message", ({ data }) => {
            if (worker !== this.worker) return;
            if (data.progress !== undefined) return this.told(JSON.parse(data.progress));
            this.reason = data.error ?? null;
            this.waiting.get(data.id)?.(data.error === undefined ? JSON.parse(data.value) : null);
            this.waiting.delete(data.id);
        });
        // The module has failed. Whoever waits hears that there is no answer.
        worker.addEventListener("error", () => {
            if (worker === this.worker) this.cancel();
        });
        this.worker = worker;
        return worker;
    }

    /**
     * Asks one of the calls of workshop-worker.js.
     * @param {string} call
     * @param {...(string | number)} given
     * @returns {Promise<any>} null if it failed or was cancelled
     */
    ask(call, ...given) {
        const worker = this.worker ?? this.start();
        this.count += 1;
        const id = this.count;
        return new Promise((resolve) => {
            this.waiting.set(id, resolve);
            this.module.then(() => worker.postMessage({ id, call, given }));
        });
    }

    /** Ends what is being worked on, and all that waits. */
    cancel() {
        if (this.waiting.size > 0) this.end();
    }

    /** Ends the worker, and gives back its memory. */
    end() {
        this.worker?.terminate();
        this.worker = null;
        for (const resolve of this.waiting.values()) resolve(null);
        this.waiting.clear();
    }

    /** Who answers to the moves of a person that solves a problem. @param {string} sfen @returns {import("./solving.js").Solver} */
    solver(sfen) {
        const text = (/** @type {string[]} */ moves) => textOf(`sfen ${sfen}`, moves);
        return {
            answer: async (moves) => (await this.ask("answer", text(moves))) ?? { kind: "unknown" },
            best: async (moves) => (await this.ask("mate", text(moves)))?.[0] ?? null,
        };
    }
}
