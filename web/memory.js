// What a page keeps on the device, or as long as its tab is open. A browser may forbid it, or lose it: then the page goes on without.

/** What the browser has not taken: it may forbid everything, or have no room. It lasts as long as the page. @type {Map<string, string>} */
const refused = new Map();

/** @param {string} name @returns {string | null} */
export function remembered(name) {
    try {
        return refused.get(name) ?? localStorage.getItem(name);
    } catch {
        return null;
    }
}

/**
 * @param {string} name
 * @param {string} value
 * @param {boolean} [isAlone] whether an earlier value would be wrong: without room for the new one, it goes
 */
export function remember(name, value, isAlone = false) {
    try {
        localStorage.setItem(name, value);
        refused.delete(name);
    } catch {
        refused.set(name, value);
        if (isAlone) remove(name);
    }
    // The page says so as long as something is not kept.
    const note = document.getElementById("no-room");
    if (note) note.hidden = refused.size === 0;
}

/** @param {string} name */
function remove(name) {
    try {
        localStorage.removeItem(name);
    } catch {
        // Nothing is kept where it is forbidden.
    }
}

/** Whether a value is an object, no list, with values that are right. @param {any} found @param {(value: any) => boolean} isRight */
export const isRecordOf = (found, isRight) => typeof found === "object" && found !== null && !Array.isArray(found) && Object.values(found).every(isRight);

/** Whether a value is a list of texts. @param {any} found */
export const isTexts = (found) => Array.isArray(found) && found.every((one) => typeof one === "string");

/**
 * A value that was kept as JSON. What an earlier version or another program has kept under the name may be anything.
 * @template Value
 * @param {string} name
 * @param {Value} otherwise
 * @param {(found: any) => boolean} isRight whether a value has the form that is expected; any other is ignored
 * @returns {Value}
 */
export function recall(name, otherwise, isRight) {
    try {
        const found = JSON.parse(remembered(name) ?? "null");
        return found !== null && isRight(found) ? found : otherwise;
    } catch {
        return otherwise;
    }
}

/** What stays as long as the tab is open, as JSON: the browser may have no room for it, and what is here outlives no reload. @type {Map<string, string>} */
const inTab = new Map();

/**
 * @param {string} name
 * @param {any} value
 * @param {...any} lesser what a reload finds in its place if the browser has no room for it, the best one first
 */
export function keepInTab(name, value, ...lesser) {
    inTab.set(name, JSON.stringify(value));
    for (const one of [value, ...lesser]) {
        try {
            // What was there fits no longer, even if the new value finds no room.
            sessionStorage.removeItem(name);
            sessionStorage.setItem(name, JSON.stringify(one));
            return;
        } catch {
            // It is lost with the next reload, unless a lesser one fits.
        }
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
