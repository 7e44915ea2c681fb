// What the pages of both games have in common: the form of a new game, the buttons, and how a game ends in words.
import { button, choice, guarded, make, tell } from "./elements.js";
import { RATES, timeText } from "./clock.js";
import { strengths } from "./strength.js";
import { colorWord, word } from "./words.js";

/** @typedef {import("./rules.js").End} End */

/** @param {End} end @param {number} plies */
export function endText(end, plies) {
    const result = end.winner === null ? word("drawn", plies) : word("wins", plies, colorWord(end.winner));
    return word("because", result, word(end.why));
}

/** @param {number} main @param {number} byoyomi seconds */
function rateText(main, byoyomi) {
    if (main === 0 && byoyomi === 0) return word("noClock");
    if (main === 0) return word("byoyomiOnly", byoyomi);
    return byoyomi === 0 ? word("suddenDeath", main / 60) : word("mainAndByoyomi", main / 60, byoyomi);
}

/**
 * Shows the clocks of a game on the stands, until it is told to end. They stand still while the page is closed.
 * @param {import("./board.js").Board} board
 * @param {import("./match.js").Match<any>} match
 */
export function showClocks(board, match) {
    const paint = () => {
        match.tick();
        const shown = match.clock;
        for (const color of /** @type {const} */ (["b", "w"])) {
            const { main, byoyomi } = shown.rest(color);
            const inByoyomi = main === 0 && shown.rate.byoyomi > 0;
            board.time(color, shown.isUsed ? (inByoyomi ? word("byoyomiLeft", Math.ceil(byoyomi)) : timeText(Math.ceil(main))) : "", shown.running === color && (inByoyomi ? byoyomi <= 5 : shown.rate.byoyomi === 0 && main <= 10));
        }
    };
    const timer = setInterval(paint, 200);
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener("pagehide", () => match.pause(), { signal });
    // The browser has kept the whole page, and shows it again.
    addEventListener("pageshow", ({ persisted }) => {
        if (!persisted) return;
        match.follow();
        match.resume();
    }, { signal });
    addEventListener("storage", ({ key }) => { if (key === match.turnName) match.waitAnew(); else match.follow(); }, { signal });
    // A phone may end a hidden page without a word.
    document.addEventListener("visibilitychange", () => { if (document.hidden) match.keepTime(); else match.takeOver(); }, { signal });
    return { paint, end: () => { clearInterval(timer); listening.abort(); } };
}

/**
 * How the page of each game was left: whether its board was turned and the form of a new game open, and what was chosen there. A change
 * of the language leaves the page, too.
 * @type {Map<string, { isTurned: boolean, formShown: boolean, chosen: [id: string, value: string][] }>}
 */
const left = new Map();

/**
 * Takes up the page of a game as it was left.
 * @param {import("./match.js").Match<any>} match
 * @param {import("./board.js").Board} board
 */
export function takeUp(match, board) {
    const { name, begun, saved } = match;
    const before = left.get(name);
    board.flip((saved.person === "w") !== (before?.isTurned ?? false));
    match.sits = (person) => board.flip(person === "w");
    return {
        formShown: before?.formShown ?? !begun,
        /** Chooses in a form what was chosen before. @param {HTMLElement} form */
        choose: (form) => {
            for (const [id, value] of before?.chosen ?? []) {
                const select = form.querySelector(`#${id}`);
                if (select instanceof HTMLSelectElement && [...select.options].some((option) => option.value === value)) select.value = value;
            }
        },
    };
}

/** Notes how the page of a game is left. @param {import("./match.js").Match<any>} match @param {import("./board.js").Board} board @param {boolean} formShown @param {HTMLElement | null} form */
export function noteLeft({ name, saved }, board, formShown, form) {
    left.set(name, { isTurned: board.flipped !== (saved.person === "w"), formShown, chosen: [...(form?.querySelectorAll("select") ?? [])].map(({ id, value }) => [id, value]) });
}

/**
 * The form of a new game.
 * @param {{ person: string, limit: string, rate?: import("./clock.js").Rate }} before what was chosen last
 * @param {HTMLElement[]} more further choices
 * @param {boolean} hasLevels
 * @param {(person: "b" | "w" | "both", limit: string, rate: import("./clock.js").Rate) => void} start
 */
export function newGameForm(before, more, hasLevels, start) {
    const side = choice("side", [["b", `☗ ${word("black")}`], ["w", `☖ ${word("white")}`], ["random", word("random")], ["both", word("both")]], before.person);
    side.select.id = "side";
    const rates = RATES.map(([main, byoyomi]) => /** @type {[string, string]} */ ([`${main} ${byoyomi}`, rateText(main, byoyomi)]));
    const clock = choice("clock", rates, `${before.rate?.main ?? 0} ${before.rate?.byoyomi ?? 0}`);
    clock.select.id = "clock";
    const offered = strengths(hasLevels);
    const strength = choice("strength", offered, offered.some(([value]) => value === before.limit) ? before.limit : offered[hasLevels ? 4 : 2][0]);
    strength.select.id = "strength";
    strength.select.setAttribute("aria-describedby", "strength-note");
    const begin = () => {
        const chosen = side.select.value === "random" ? (crypto.getRandomValues(new Uint8Array(1))[0] < 128 ? "b" : "w") : side.select.value;
        const [main, byoyomi] = clock.select.value.split(" ").map(Number);
        start(/** @type {"b" | "w" | "both"} */ (chosen), strength.select.value, { main, byoyomi });
    };
    return make("section", { class: "panel form" }, make("h2", {}, word("newGame")), side.label, ...more, strength.label,
        make("p", { class: "note", id: "strength-note" }, word(hasLevels ? "levelNote" : "strengthNote")), clock.label, button("start", begin, { class: "primary", id: "start" }));
}

/**
 * The button that resigns. It asks once more, until something else happens in the game; who was asked loses.
 * @param {import("./match.js").Match<any>} match
 * @param {() => void} show shows the buttons anew
 */
export function resigning(match, show) {
    /** Who is asked, and at which change of the game. @type {{ color: "b" | "w", changes: number } | null} */
    let asked = null;
    const end = () => { asked = null; };
    return {
        get isAsking() {
            return asked !== null && asked.changes === match.changes;
        },
        element() {
            const { mover, changes } = match;
            if (!asked || !this.isAsking) return button("resign", () => { asked = mover && { color: mover, changes }; show(); }, { disabled: mover === null, id: "resign" });
            /** @type {End} */
            const lost = { why: "resignation", winner: asked.color === "b" ? "w" : "b" };
            return confirmation(word("reallyResign"), () => { end(); match.finish(lost); tell(endText(lost, match.saved.moves.length)); }, () => { end(); show(); document.getElementById("resign")?.focus(); });
        },
    };
}

/**
 * A question with yes and no in the place of what asks it.
 * @param {string} question
 * @param {() => void} yes
 * @param {() => void} no
 */
function confirmation(question, yes, no) {
    const panel = guarded(make("div", { class: "confirm", role: "group", "aria-label": question }, make("p", {}, question), button("yes", yes, { class: "primary" }), button("no", no)));
    requestAnimationFrame(() => panel.querySelector("button")?.focus());
    return panel;
}
