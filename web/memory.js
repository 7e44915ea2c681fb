// What a page keeps on the device, or as long as its tab is open. A browser may forbid it, or lose it: then the page goes on without.

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

/** What stays as long as the tab is open, as JSON: the browser may have no room for it, and what is here outlives no reload. @type {Map<string, string>} */
const inTab = new Map();

/** @param {string} name @param {any} value */
export function keepInTab(name, value) {
    const text = JSON.stringify(value);
    inTab.set(name, text);
    try {
        // What was there fits no longer, even if the new value finds no room.
        sessionStorage.removeItem(name);
        sessionStorage.setItem(name, text);
    } catch {
        // It is lost with the next reload.
    }
}

/** What was kept; null if there is nothing. @param {string} name @returns {any} */
export function keptInTab(name) {
    try {
        return JSON.parse(inTab.get(name) ?? sessionStorage.getItem(name) ?? "null");
    } catch {
        return null;
    }
}
