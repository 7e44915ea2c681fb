// What the address of the page says about what it shows.

/** The text of a part of a link, or null where it is badly encoded.
 * @param {string} text
 * @returns {string | null} */
export const decoded = (text) => { try { return decodeURIComponent(text); } catch { return null; } };

/** How long to wait until a browser may take an address again, in milliseconds. */
const PATIENCE = 1000;
let waiting = 0;
/** The address that the browser has taken last. */
let taken = "";
/** The address that it has refused. @type {string | null} */
let refused = null;

function stopWaiting() {
    clearTimeout(waiting);
    refused = null;
}

// Somebody follows a link. The address of what was shown before comes too late.
addEventListener("hashchange", stopWaiting);

/** Names in the address what is shown. Some browsers take only so many addresses in ten seconds, as a key that is held down makes. @param {string} hash */
export function setHash(hash) {
    stopWaiting();
    try {
        history.replaceState(null, "", hash);
        taken = location.hash;
    } catch {
        refused = hash;
        waiting = window.setTimeout(() => setHash(hash), PATIENCE);
    }
}

/** The address of what is shown, also if the browser has refused it. */
export const shownHash = () => refused ?? location.hash;

/** The address of what is shown, or was shown before the browser refused one. A link that somebody follows does not change it. */
export const takenHash = () => taken;

/** The whole link. @param {string} hash */
export const linkTo = (hash) => new URL(hash, location.href).href;
