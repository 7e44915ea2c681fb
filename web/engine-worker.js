// The engine in a worker. The page sends the compiled module once, and then lines of USI.
import { begin, hear, initSync } from "./engine.js";

/** How many searches were told to stop so far; shared with the page where it is isolated. @type {Int32Array | null} */
let stopped = null;
/** How long a search that waits sleeps before it looks again, in milliseconds. */
const PAUSE = 10;

// Here the module finds what it needs (crates/wasm/src/browser.rs).
Object.assign(globalThis, {
    tsumeroHost: {
        say: (/** @type {string} */ line) => postMessage(line),
        now: () => performance.now(),
        stops: () => (stopped ? Atomics.load(stopped, 0) : 0),
        // A search that has nothing left to do waits for its stop. Without shared memory, the page ends the worker.
        pause: () => { if (stopped) Atomics.wait(stopped, 0, Atomics.load(stopped, 0), PAUSE); },
    },
});

addEventListener("message", ({ data }) => {
    if (data.module) {
        stopped = data.stopped;
        initSync({ module: data.module });
        begin();
    } else {
        hear(data.line, data.stops);
    }
});
