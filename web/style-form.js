// The style of mate problems that are to be made: the same choices as `tsumero tsume generate` has.
import { choice, make } from "./elements.js";
import { isRecordOf, isTexts, recall, remember } from "./memory.js";
import { pieceArt } from "./pieces.js";
import { pieceWord, word } from "./words.js";

/**
 * What is wanted, by the names of the options; what is left out is free.
 * @typedef {{ board?: string, hand?: string, area?: string, pieces?: [number, number], both_kings?: boolean, loose?: boolean }} Style
 */

/** Kinds on the board, promoted ones included, and kinds in hand, as SFEN writes them. */
const ON_BOARD = ["P", "L", "N", "S", "G", "B", "R", "+P", "+L", "+N", "+S", "+B", "+R"];
const IN_HAND = ["P", "L", "N", "S", "G", "B", "R"];
/** Where pieces may stand: files, then ranks. */
const AREAS = { "": "areaAny", "1-4,1-4": "areaCorner", "1-5,1-5": "areaWideCorner", "4-6,1-3": "areaTop", "1-9,1-3": "areaFar" };
/** The fewest and the most pieces on the board, kings included. */
const COUNTS = { "": "countAny", "2-4": "countFew", "4-6": "countSome", "6-10": "countMany" };

/** The style that was chosen last. @returns {Style} */
export const chosenStyle = () => recall("problem-style", {}, isStyle);

/** @param {any} found */
function isStyle(found) {
    if (!isRecordOf(found, () => true)) return false;
    const { board = "P", hand = "P", area = "", pieces = [], both_kings = true, loose = true } = found;
    return isTexts([board, hand]) && /^(\+?[PLNSGBR])+$/.test(board) && /^[PLNSGBR]+$/.test(hand) && Object.hasOwn(AREAS, area) &&
        Array.isArray(pieces) && Object.hasOwn(COUNTS, pieces.join("-")) && typeof both_kings === "boolean" && typeof loose === "boolean";
}

/** A choice of kinds: each is a button with the piece on it. @param {string} name @param {string[]} kinds @param {string | undefined} chosen @param {(chosen: string | undefined) => void} change */
function kindsOf(name, kinds, chosen, change) {
    const isChosen = (/** @type {string} */ kind) => chosen === undefined || chosen.match(/\+?[A-Z]/g)?.includes(kind) === true;
    const buttons = kinds.map((kind) => {
        const [letter, promoted] = [kind.at(-1) ?? "", kind.length > 1];
        const toggle = () => {
            const left = kinds.filter((one) => isChosen(one) !== (one === kind));
            // At least one kind stays.
            if (left.length > 0) change(left.length === kinds.length ? undefined : left.join(""));
        };
        return make("button", { type: "button", class: "tool", id: `${name}-${kind}`, "aria-pressed": String(isChosen(kind)), "aria-label": pieceWord(letter, promoted), click: toggle }, pieceArt(letter, promoted, "b"));
    });
    return make("fieldset", {}, make("legend", {}, word(name)), make("div", { class: "row" }, ...buttons));
}

/** @param {string} name @param {boolean} chosen @param {(chosen: boolean) => void} change */
const check = (name, chosen, change) => make("label", { class: "check" }, make("input", { type: "checkbox", id: name, checked: chosen, change: (/** @type {Event} */ event) => change(/** @type {HTMLInputElement} */ (event.target).checked) }), word(name));

/**
 * The form, closed as long as nobody asks for it.
 * @param {boolean} isOpen
 * @param {(isOpen: boolean) => void} toggled
 * @param {() => void} changed
 */
export function styleForm(isOpen, toggled, changed) {
    const style = chosenStyle();
    /** @param {Style} change */
    const set = (change) => {
        remember("problem-style", JSON.stringify({ ...style, ...change }));
        changed();
    };
    /** @param {string} name @param {Record<string, string>} options @param {string} chosen @param {(value: string) => void} change */
    const select = (name, options, chosen, change) => {
        const { label, select: box } = choice(name, Object.entries(options).map(([value, key]) => [value, word(key)]), chosen);
        box.id = name;
        box.addEventListener("change", () => change(box.value));
        return label;
    };
    return make("details", { class: "style", open: isOpen, toggle: (/** @type {Event} */ event) => toggled(/** @type {HTMLDetailsElement} */ (event.currentTarget).open) },
        make("summary", {}, word("problemStyle")),
        kindsOf("kindsOnBoard", ON_BOARD, style.board, (board) => set({ board })),
        kindsOf("kindsInHand", IN_HAND, style.hand, (hand) => set({ hand })),
        select("problemArea", AREAS, style.area ?? "", (area) => set({ area: area || undefined })),
        select("pieceCount", COUNTS, style.pieces?.join("-") ?? "", (count) => set({ pieces: count ? /** @type {[number, number]} */ (count.split("-").map(Number)) : undefined })),
        check("bothKings", style.both_kings === true, (both_kings) => set({ both_kings })),
        check("looseProblems", style.loose === true, (loose) => set({ loose })),
        make("p", { class: "note" }, word("styleNote")));
}
