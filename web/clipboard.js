// Text for other programs.
import { make, tell } from "./elements.js";
import { word } from "./words.js";

/** Copies a text, and says whether it could. @param {string} text */
export async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        tell(word("copied"));
    } catch {
        // Pages from the disk, or from a server without encryption, may be refused the clipboard. The older way still serves them.
        const area = make("textarea", {}, text);
        document.body.append(area);
        const had = document.activeElement;
        area.select();
        const done = document.execCommand("copy");
        area.remove();
        if (had instanceof HTMLElement) had.focus();
        tell(word(done ? "copied" : "notCopied"));
    }
}
