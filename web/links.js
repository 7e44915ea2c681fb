// What the address of the page says about what it shows.

/** The text of a part of a link, or null where it is badly encoded.
 * @param {string} text
 * @returns {string | null} */
export const decoded = (text) => { try { return decodeURIComponent(text); } catch { return null; } };

/** How long to wait until a browser may take an address again, in milliseconds. */
const PATIENCE = 1000;
let waiting = 0;

/** Names in the address what is shown. Some browsers take only so many addresses in ten seconds, as a key that is held down makes. @param {string} hash */
export function setHash(hash) {
    clearTimeout(waiting);
    try {
        history.replaceState(null, "", hash);
    } catch {
        waiting = window.setTimeout(() => setHash(hash), PATIENCE);
    }
}

/** The whole link. @param {string} hash */
export const linkTo = (hash) => new URL(hash, location.href).href;
