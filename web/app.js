// The page: loads the engine, and shows one of four modes.
import { analysePage } from "./analyse.js";
import { button, make } from "./elements.js";
import { EngineClient } from "./engine-client.js";
import { playPage } from "./play.js";
import { puzzlesPage } from "./puzzles.js";
import { ANALYSIS, setHash, shownHash } from "./links.js";
import { drawLetters } from "./pieces.js";
import { quantumPage } from "./quantum.js";
import { NotLoaded, load } from "./rules.js";
import { currentLanguage, setLanguage, word } from "./words.js";
import "./app-words.js";

/** @typedef {"play" | "analyse" | "puzzles" | "quantum"} Mode */
/** @type {Mode[]} */
const MODES = ["play", "analyse", "puzzles", "quantum"];

const view = /** @type {HTMLElement} */ (document.getElementById("view"));
const tabs = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#tabs [role=tab]")]);
const language = /** @type {HTMLButtonElement} */ (document.getElementById("language"));

/** @type {() => void} */
let begin = () => {};
/** What the page needs for everything but the beginning of a game. It is large, so it is loaded when the page is in sight. */
const module = new Promise((/** @type {(value?: undefined) => void} */ resolve) => { begin = resolve; }).then(loadAtLast);
const engine = new EngineClient(module);
let isLoaded = false;
/** Loads the module again, if it could not be loaded. @type {(() => void) | null} */
let again = null;
/** A game that waits for the module in the mode that is shown. @type {import("./game-tree.js").Played | null} */
let waiting = null;
/** The mode that is shown. @type {Mode} */
let mode = "play";
/** `loaded`: the module is there; `drop`: opens a file. @type {{ leave: () => void, key: (event: KeyboardEvent) => void, loaded?: () => void, drop?: (file: Blob) => void } | null} */
let page = null;
/** A file that was dropped and is not opened yet. @type {Blob | null} */
let dropped = null;

/** @param {string} hash @returns {Mode} */
const modeOf = (hash) => (ANALYSIS.test(hash) ? "analyse" : MODES.find((one) => hash.toLowerCase().startsWith(`#${one}`)) ?? "play");

function words() {
    document.documentElement.lang = currentLanguage();
    for (const element of document.querySelectorAll("[data-word]")) element.textContent = word(element.getAttribute("data-word") ?? "");
    for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", word(element.getAttribute("data-label") ?? ""));
    const other = currentLanguage() === "ja" ? "en" : "ja";
    language.textContent = other === "ja" ? "日本語" : "English";
    language.lang = other;
}

/**
 * @param {Mode} chosen
 * @param {import("./game-tree.js").Played | null} [game] to analyse
 */
function open(chosen, game = chosen === mode ? waiting : null) {
    page?.leave();
    mode = chosen;
    waiting = isLoaded ? null : game;
    for (const tab of tabs) {
        const isChosen = tab.dataset.mode === chosen;
        tab.setAttribute("aria-selected", String(isChosen));
        tab.tabIndex = isChosen ? 0 : -1;
    }
    view.setAttribute("aria-labelledby", `tab-${chosen}`);
    if (modeOf(shownHash()) !== chosen) setHash(`#${chosen}`);
    if (again || (chosen !== "play" && !isLoaded)) {
        // It is opened when the module is there.
        page = null;
        view.replaceChildren(make("div", { id: "loading" }, make("p", { role: "status" }, word(again ? "notLoaded" : "loading")),
            ...(again ? [button("loadAgain", again, { id: "load-again", class: "primary" })] : [])));
    } else if (chosen === "play") page = playPage(view, engine, (played) => open("analyse", played));
    else if (chosen === "analyse") page = analysePage(view, engine, game);
    else if (chosen === "puzzles") page = puzzlesPage(view, engine.module);
    else page = quantumPage(view, engine);
    if (game) view.focus();
    openDropped();
}

/** Opens the file that was dropped, if the page that is shown opens files. */
function openDropped() {
    if (!dropped || !page?.drop) return;
    const file = dropped;
    dropped = null;
    page.drop(file);
}

/** Opens the file that was dropped where such files are opened. @param {Blob} file */
async function openElsewhere(file) {
    // What cannot be read is reported by the analysis.
    const beginning = await file.slice(0, 99).text().catch(() => "");
    // Another one was dropped meanwhile, or the person has gone where it is opened.
    if (dropped !== file) return;
    const isRecord = /^\s*(position\s+)?quantum\s/.test(beginning);
    if (isRecord) setHash("#quantum=record");
    open(isRecord ? "quantum" : "analyse");
}

for (const tab of tabs) {
    tab.addEventListener("click", () => open(/** @type {Mode} */ (tab.dataset.mode)));
    tab.addEventListener("keydown", (event) => {
        const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (by === 0) return;
        event.stopPropagation();
        const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
        next.focus();
        next.click();
    });
}
language.addEventListener("click", () => {
    setLanguage(currentLanguage() === "ja" ? "en" : "ja");
    words();
    open(mode);
});
addEventListener("hashchange", () => open(modeOf(shownHash())));
// The whole window takes files, and where games are opened, texts. Where it did not, the browser would leave the page for the file.
/** @param {DataTransfer | null} data @returns {data is DataTransfer} */
const isTaken = (data) => data !== null && (data.types.includes("Files") || mode === "analyse");
document.addEventListener("dragover", (event) => { if (isTaken(event.dataTransfer)) event.preventDefault(); });
document.addEventListener("drop", (event) => {
    const data = event.dataTransfer;
    if (!isTaken(data)) return;
    event.preventDefault();
    dropped = data.files[0] ?? new Blob([data.getData("text")]);
    if (page?.drop) openDropped();
    else openElsewhere(dropped);
});
document.addEventListener("keydown", (event) => {
    const { target } = event;
    const isTyping = target instanceof HTMLElement && target.closest("textarea, input, select, [role=dialog], [role=grid]");
    if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) page?.key(event);
});

/** Whether the person has done anything yet. */
let touched = false;
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { touched = true; }, { once: true });

/**
 * Keeps the site for use without a network. Where the server does not send the headers of an isolated page, the service worker adds
 * them from the next load on, so the page is loaded once more, unless somebody uses it already.
 */
async function keepOffline() {
    if (!("serviceWorker" in navigator)) return;
    await navigator.serviceWorker.register("service-worker.js");
    await navigator.serviceWorker.ready;
    if (!globalThis.crossOriginIsolated && !touched && sessionStorage.getItem("reloaded") === null) {
        sessionStorage.setItem("reloaded", "1");
        location.reload();
    }
}

/** Lets the browser paint. */
const pause = () => new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });

/** Loads the module, as often as it does not come and somebody wants to try again. */
async function loadAtLast() {
    for (;;) {
        try {
            return await load();
        } catch (error) {
            if (!(error instanceof NotLoaded)) throw error;
            await new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
                again = resolve;
                open(mode);
            });
            again = null;
            open(mode);
        }
    }
}

/** The module is there. */
function goOn() {
    isLoaded = true;
    if (mode !== "play") open(mode);
    else page?.loaded?.();
}

words();
drawLetters();
try {
    // What is there already appears first.
    await pause();
    open(modeOf(shownHash()));
    await pause();
    begin();
    await module;
    goOn();
    await engine.ready;
    document.documentElement.dataset.ready = "true";
} catch (error) {
    view.textContent = `この環境では動きません。 This browser cannot run the engine: ${error}`;
}
keepOffline().catch(() => {
    // The page works without it; only not without a network.
});
