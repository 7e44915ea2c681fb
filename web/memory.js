// What a page keeps on the device. A browser may forbid it, or lose it: then the page goes on without.

/** @param {string} name @returns {string | null} */
export function remembered(name) {
    try {
        return localStorage.getItem(name);
    } catch {
        return null;
    }
}

/** @param {string} name @param {string} value */
export function remember(name, value) {
    try {
        localStorage.setItem(name, value);
    } catch {
        // Nothing is kept.
    }
}

/**
 * A value that was kept as JSON. What an earlier version or another program has kept under the name may be anything.
 * @param {string} name
 * @param {any} otherwise
 */
export function recall(name, otherwise) {
    try {
        return JSON.parse(remembered(name) ?? "null") ?? otherwise;
    } catch {
        return otherwise;
    }
}
