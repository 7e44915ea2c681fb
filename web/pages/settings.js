// What both pages of one file have in common: their data, the switches in the header, and the address, which tells how a page opens.
import { make } from "../elements.js";
import { setHash, shownHash } from "../links.js";
import { currentLanguage, setLanguage, word } from "../words.js";

/** The data that was written into the page. @type {any} */
export const DATA = JSON.parse(document.getElementById("data")?.textContent ?? "null");

/** What the address asks for: `#game=2&ply=33&lang=en&theme=dark`. */
export const asked = () => new URLSearchParams(shownHash().slice(1));

/** A whole number of the address, not negative. @param {string} name */
export const askedNumber = (name) => Math.max(0, Number.parseInt(asked().get(name) ?? "0", 10) || 0);

/** @param {Record<string, string | number | null>} values null takes the name away */
export function setAddress(values) {
    const address = asked();
    for (const [name, value] of Object.entries(values)) {
        if (value === null) address.delete(name);
        else address.set(name, String(value));
    }
    setHash(`#${address}`);
}

const THEMES = ["auto", "light", "dark"];
let theme = "auto";

/** @param {string} chosen */
function setTheme(chosen) {
    theme = chosen;
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
}

/** An address that names a setting names the one that holds. @param {string} name @param {string} value */
function keepNamed(name, value) {
    if (asked().has(name)) setAddress({ [name]: value });
}

/**
 * Fills the header, and follows the address, also when it changes later. `changed` shows the page again, in the other language.
 * @param {() => void} changed
 * @param {() => void} opened takes over what else the address asks for
 * @param {(() => HTMLElement)[]} more further things in the header
 */
export function header(changed, opened, more = []) {
    const host = /** @type {HTMLElement} */ (document.getElementById("switches"));
    const fill = () => {
        document.documentElement.lang = currentLanguage();
        const had = document.activeElement?.id;
        host.replaceChildren(...more.map((one) => one()),
            make("button", { type: "button", id: "print", click: () => print() }, word("print")),
            make("button", { type: "button", id: "theme", click: () => { setTheme(THEMES[(THEMES.indexOf(theme) + 1) % 3]); keepNamed("theme", theme); fill(); } }, "◐ ", make("span", {}, word(`theme-${theme}`))),
            make("button", { type: "button", id: "language", lang: currentLanguage() === "ja" ? "en" : "ja", click: () => { setLanguage(currentLanguage() === "ja" ? "en" : "ja"); keepNamed("lang", currentLanguage()); fill(); changed(); } }, currentLanguage() === "ja" ? "English" : "日本語"));
        if (had && host.querySelector(`#${had}`)) document.getElementById(had)?.focus();
    };
    fill();
    addEventListener("hashchange", () => {
        // An address without settings leaves those that were chosen.
        const { lang = currentLanguage(), theme: named = theme } = Object.fromEntries(asked());
        setSettings(lang, named);
        opened();
        fill();
        changed();
    });
}

/** @param {string} language @param {string} theme */
function setSettings(language, theme) {
    setLanguage(language === "en" ? "en" : "ja");
    setTheme(THEMES.includes(theme) ? theme : "auto");
}

/** Sets language and theme as the address asks; otherwise as the data says. */
export function readSettings() {
    setSettings(asked().get("lang") ?? DATA.language, asked().get("theme") ?? "auto");
}
