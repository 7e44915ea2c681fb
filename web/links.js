// What the address of the page says about what it shows.

/** The text of a part of a link, or null where it is badly encoded.
 * @param {string} text
 * @returns {string | null} */
export const decoded = (text) => { try { return decodeURIComponent(text); } catch { return null; } };

/** Whether a link leads to the analysis. Who writes it by hand may spell it otherwise. */
export const ANALYSIS = /#analy[sz]e=?/i;

/** How long to wait until a browser may take an address again, in milliseconds. */
const PATIENCE = 1000;
let waiting = 0;
/** The address that the browser has taken last. */
let taken = "";
/** The address that it has not taken. @type {string | null} */
let missed = null;

function stopWaiting() {
    clearTimeout(waiting);
    missed = null;
}

// Somebody follows a link. The address of what was shown before comes too late.
addEventListener("hashchange", stopWaiting);

/** Names in the address what is shown. It takes the place of the address before: Back leaves the page, and does not go through all steps. Browsers take only so many addresses in ten seconds, as a key that is held down makes. @param {string} hash */
export function setHash(hash) {
    stopWaiting();
    try {
        history.replaceState(null, "", hash);
    } catch {
        // Safari and Firefox say so. Chromium passes over it.
    }
    if (location.hash === new URL(hash, location.href).hash) {
        taken = location.hash;
    } else {
        missed = hash;
        waiting = window.setTimeout(() => setHash(hash), PATIENCE);
    }
}

/** The address of what is shown, also if the browser has not taken it. */
export const shownHash = () => missed ?? location.hash;

/** The address of what is shown, or was shown before the browser took no more. A link that somebody follows does not change it. */
export const takenHash = () => taken;

/** The whole link. @param {string} hash */
export const linkTo = (hash) => new URL(hash, location.href).href;
