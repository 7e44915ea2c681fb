// A record of quantum shogi: stepped through, and shared by a link or a file.
import { copy } from "./clipboard.js";
import { button, make, replace, tell } from "./elements.js";
import { bytesOf } from "./game-files.js";
import { isEnd } from "./match.js";
import { endText } from "./match-page.js";
import { linkTo, setHash } from "./links.js";
import { keepInTab, keptInTab } from "./memory.js";
import { moveList } from "./move-list.js";
import { pictureButton, saveFile } from "./picture.js";
import { textOf } from "./position.js";
import { QuantumBoard, moveTexts } from "./quantum-board.js";
import { quantumLook } from "./rules.js";
import { colorWord, word } from "./words.js";

/** The name of the record that was left, and of the place in it. */
const LEFT = "quantum-record";

/** `at`: the number of moves on the board; `end`: how the game ended, which may not show on the board. @typedef {{ root: string, moves: string[], at?: number, end?: import("./rules.js").End | null }} QuantumRecord */

/** Reads a record: a USI text with or without its first words. Throws what is wrong if it is none. @param {string} text @returns {QuantumRecord} */
function readRecord(text) {
    const words = text.trim().replace(/^position\s+/, "").replace(/^quantum\s+/, "").split(/\s+/);
    const end = words.includes("moves") ? words.indexOf("moves") : words.length;
    const record = { root: words.slice(0, end).join(" "), moves: words.slice(end + 1) };
    quantumLook(textOf(record.root, record.moves));
    return record;
}

/** Reads a record. Null, with a word to the person, if it is none. @param {string} text */
export function recordOf(text) {
    try {
        return readRecord(text);
    } catch (error) {
        tell(word("noRecord", String(error)));
        return null;
    }
}

/** The record that was left, or an empty one: what another version of the page has kept may be none. @param {any} left @returns {QuantumRecord} */
function recordBefore(left) {
    try {
        return { ...readRecord(left.whole), end: isEnd(left.end) ? left.end : null };
    } catch {
        return { root: "startpos", moves: [] };
    }
}

/**
 * @param {HTMLElement} host
 * @param {() => HTMLElement} menu
 * @param {QuantumRecord | null} given
 */
export function quantumRecord(host, menu, given) {
    const left = keptInTab(LEFT);
    const before = recordBefore(left);
    let record = given ?? before;
    const whole = () => textOf(record.root, record.moves);
    // The record that was left is shown again where it was.
    const isLeft = left?.whole === whole() && Number.isInteger(left.at) && left.at >= 0 && left.at <= record.moves.length;
    // Its address does not say how it ended.
    if (isLeft && record.end === undefined) record = { ...record, end: before.end };
    let at = given?.at ?? (isLeft ? left.at : record.moves.length);
    const text = () => textOf(record.root, record.moves.slice(0, at));
    let seen = quantumLook(text());
    let hasLeft = false;
    const place = new QuantumBoard({ text, seen: () => seen, mover: () => null, play: () => {} });
    if (isLeft && left.flipped === true) place.board.flip(true);
    const status = make("p", { class: "status", role: "status" });
    const steps = make("div", { class: "actions steps" });
    const side = make("div", { class: "side" });
    const box = make("textarea", { id: "record-text", rows: "3", spellcheck: "false", autocomplete: "off" });
    const file = make("input", { type: "file", id: "record-file", accept: ".usi,.txt", change: () => { const chosen = file.files?.[0]; if (chosen) openFile(chosen); } });
    host.replaceChildren(make("div", { class: "quantum page" }, make("div", { class: "main" }, place.board.element, status, steps), side));

    /** @param {Blob} chosen */
    async function openFile(chosen) {
        const bytes = await bytesOf(chosen);
        // The same file may be chosen again after it has changed.
        file.value = "";
        if (bytes && !hasLeft) open(new TextDecoder().decode(bytes));
    }

    /** @param {string} read */
    function open(read) {
        const found = recordOf(read);
        if (!found) return;
        record = found;
        at = 0;
        place.forget();
        show();
        document.getElementById("next")?.focus();
    }

    /** @param {number} ply */
    function go(ply) {
        const next = Math.min(Math.max(ply, 0), record.moves.length);
        if (next === at) return;
        // Only a step forward tells what has become certain by it.
        if (next !== at + 1) place.before = new Map();
        at = next;
        show();
    }

    function show() {
        seen = quantumLook(text());
        const isLast = at === record.moves.length;
        const end = isLast ? seen.end ?? record.end : null;
        const address = record.moves.length > 0 || record.root !== "startpos" ? `#quantum=${whole().replaceAll(" ", "_")}` : "#quantum=record";
        setHash(address);
        const certain = place.show(record.moves[at - 1], { b: colorWord("b"), w: colorWord("w") });
        if (certain) tell(certain);
        const said = moveTexts(record.root, record.moves);
        status.textContent = [at === 0 ? word("startOfGame") : `${at} ${said[at - 1]}`, end ? endText(end, at) : null].filter(Boolean).join(" · ");
        const step = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {number} */ ply, /** @type {boolean} */ disabled) =>
            make("button", { type: "button", id: name, "aria-label": word(name), disabled, click: () => go(ply) }, sign);
        replace(steps, step("first", "|◀", 0, at === 0), step("previous", "◀", at - 1, at === 0), step("next", "▶", at + 1, isLast), step("last", "▶|", record.moves.length, isLast),
            button("flip", () => place.board.flip(!place.board.flipped), { id: "flip" }));
        const isEmpty = record.moves.length === 0;
        const list = make("section", { class: "panel" }, make("h2", {}, word("moves")), isEmpty ? make("p", { class: "note" }, word("noMoves")) : moveList(said, at, go),
            make("div", { class: "actions" }, button("copyLink", () => copy(linkTo(address)), { id: "copy-link", disabled: isEmpty }),
                button("saveRecord", () => saveFile(new Blob([`position quantum ${whole()}\n`], { type: "text/plain" }), "quantum.usi"), { id: "save-record", disabled: isEmpty }), pictureButton(place.board)));
        const opening = make("section", { class: "panel" }, make("h2", {}, word("openRecordFile")), make("label", { for: "record-text", class: "note" }, word("openRecordHelp")), box,
            make("div", { class: "actions" }, button("read", () => open(box.value), { id: "read", class: "primary" }), make("label", { class: "button", for: "record-file" }, word("chooseFile")), file));
        replace(side, menu(), place.odds, list, opening);
    }

    const keep = () => keepInTab(LEFT, { whole: whole(), at, end: record.end, flipped: place.board.flipped });
    const ended = new AbortController();
    addEventListener("pagehide", keep, { signal: ended.signal });
    // A phone may end a page that is out of sight without a further word.
    document.addEventListener("visibilitychange", () => { if (document.hidden) keep(); }, { signal: ended.signal });

    show();
    return {
        leave: () => {
            hasLeft = true;
            ended.abort();
            keep();
        },
        drop: openFile,
        /** @param {KeyboardEvent} event */
        key: (event) => {
            const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -1e6, End: 1e6 }[event.key];
            if (by === undefined) return;
            event.preventDefault();
            go(at + by);
        },
    };
}
