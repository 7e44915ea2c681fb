// Lets one of several pages of this site do something, while the others wait.

/**
 * Runs a task as soon as no other page runs one under the name. Where the browser has no locks, or refuses them, it runs at once.
 * @param {string} name
 * @param {object} how
 * @param {boolean} how.first no page is waited for: one that runs a task loses its place
 * @param {AbortSignal} how.signal the task is not wanted any more
 * @param {() => Promise<void>} task
 * @returns {Promise<boolean>} false if another page has taken the place of this one
 */
export async function alone(name, { first, signal }, task) {
    if (!navigator.locks) {
        await task();
        return true;
    }
    const given = new Promise((/** @type {(value: void) => void} */ end) => signal.addEventListener("abort", () => end(), { once: true }));
    let begun = false;
    try {
        // The browser allows no signal for a place that is taken at once.
        await navigator.locks.request(name, first ? { steal: true } : { signal }, async () => {
            begun = true;
            // A task that ends late holds up nobody.
            if (!signal.aborted) await Promise.race([task(), given]);
        });
        return true;
    } catch (error) {
        if (signal.aborted) return true;
        if (begun && error instanceof DOMException && error.name === "AbortError") return false;
        if (begun) throw error;
        await task();
        return true;
    }
}
