// Text for other programs.
import { tell } from "./elements.js";
import { word } from "./words.js";

/** @param {string} text */
export async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        tell(word("copied"));
    } catch {
        tell(word("notCopied"));
    }
}
