// Analyzes games, and makes and solves mate problems, in a worker of its own, which the page may end at any time. The page sends the
// compiled module once, and then questions.
import { analyzeGame, begin, initSync, problemAnswer, problemCheck, problemMake, problemMate, quantumAnswer, quantumBest } from "./engine.js";

/** @type {Record<string, (...given: any[]) => string>} */
const calls = { analyze: analyzeGame, answer: problemAnswer, check: problemCheck, make: problemMake, mate: problemMate, quantumAnswer, quantumBest };

// What the module asks its host for (crates/wasm/src/browser.rs). No search here waits for its stop, so nothing pauses.
Object.assign(globalThis, { tsumeroHost: { say: (/** @type {string} */ line) => { if (line.startsWith("{")) postMessage({ progress: line }); }, now: () => performance.now(), stops: () => 0 } });

addEventListener("message", ({ data }) => {
    if (data.module) {
        initSync({ module: data.module });
        begin();
        return;
    }
    try {
        postMessage({ id: data.id, value: calls[data.call](...data.given) });
    } catch (error) {
        postMessage({ id: data.id, error: String(error) });
    }
});
