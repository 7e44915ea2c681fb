/** The text of a part of a link, or null where it is badly encoded.
 * @param {string} text
 * @returns {string | null} */
export const decoded = (text) => { try { return decodeURIComponent(text); } catch { return null; } };
