// Problems: solving them without end, one for each day, making them, and composing one's own.
import { COMPOSED, composer, isDiagram } from "./composer.js";
import { button, choice, guarded, make, replace, tell } from "./elements.js";
import { decoded, setHash, shownHash } from "./links.js";
import { isRecordOf, isTexts, keepInTab, keptInTab, recall, remember } from "./memory.js";
import { pictureButton } from "./picture.js";
import { ProblemBoard } from "./problem-board.js";
import { START, textOf } from "./position.js";
import { look } from "./rules.js";
import { chosenStyle, styleForm } from "./style-form.js";
import { setSeats, word } from "./words.js";
import { Workshop } from "./workshop.js";

/** The lengths that are offered, in plies. */
const LENGTHS = [1, 3, 5, 7, 9];
/** The length of the day's problem, Sunday first: longer at the weekend. */
const DAILY = [7, 3, 3, 5, 5, 5, 7];
/** The seed of the problems that come one after the other; those of problems.json are the first of them. */
const SEED = 1;
/** What the module says of a style that cannot be (crates/wasm/src/problems.rs). */
const TOO_MANY = "too many pieces for the area or the kinds";

/** What is being solved: one of the endless ones, that of the day, one that was made or composed. @typedef {"endless" | "daily" | "own"} Kind */
/** @typedef {{ sfen: string, line: string[] }} Made */
/** @typedef {{ next: Record<string, number>, solved: Record<string, number>, day: string, streak: number }} Progress */

/** A problem that was on the board, and what was done with it. @typedef {{ address: string, kind: Kind, plies: number, shown: number, day: Date, problem: Made, left: import("./problem-board.js").Left }} Before */

/** The problem that was there when the page was left. A change of the language leaves the page, too. @type {Before | null} */
let leftProblem = null;

const NONE_YET = { day: "", streak: 0 };

/** @param {any} found */
function isProgress(found) {
    if (!isRecordOf(found, () => true)) return false;
    const { next, solved, day, streak } = { ...NONE_YET, ...found };
    return [next, solved].every((one) => isRecordOf(one, (count) => Number.isInteger(count) && count >= 0)) && typeof day === "string" && Number.isInteger(streak);
}

/** What was solved on this device so far. @returns {Progress} */
const progressBefore = () => ({ ...NONE_YET, ...recall("problem-progress", { next: {}, solved: {} }, isProgress) });

/** @param {any} found */
const isMade = (found) => isTexts(found?.line) && found.line.length > 0 && typeof found.sfen === "string" && isPosition(found.sfen, found.line);

/** A day as a number such as 20260131, by the clock of the device. @param {Date} date */
const dayNumber = (date) => String(date.getFullYear() * 10_000 + (date.getMonth() + 1) * 100 + date.getDate());
/** The day before one. @param {Date} date */
const dayBefore = (date) => dayNumber(new Date(date.getFullYear(), date.getMonth(), date.getDate() - 1));

/** The problems that come with the page, by their lengths. @type {Promise<Record<string, [sfen: string, line: string][]>> | null} */
let bundled = null;
function bundle() {
    bundled ??= fetch(new URL("problems.json", import.meta.url)).then((response) => response.json()).catch(() => { bundled = null; return {}; });
    return bundled;
}

/** Whether a text is the SFEN of a position, and nothing more, and moves can be made from it. @param {string} sfen @param {string[]} [moves] */
function isPosition(sfen, moves = []) {
    try {
        return sfen.split(" ").length <= 4 && look(textOf(`sfen ${sfen}`, moves)) !== null;
    } catch {
        return false;
    }
}

/**
 * @param {HTMLElement} host
 * @param {Promise<WebAssembly.Module>} module
 */
export function puzzlesPage(host, module) {
    const workshop = new Workshop(module);
    /** Makes the next problem while one is being solved. */
    const ahead = new Workshop(module);
    /** Makes those that are asked for: to stop it stops nothing else. */
    const maker = new Workshop(module);
    let progress = progressBefore();
    /** The day whose problem was opened last. */
    let day = new Date();
    let plies = recall("problem-plies", 3, (length) => LENGTHS.includes(length));
    /** @type {Kind} */
    let kind = "endless";
    /** The number of the endless one that is shown, from 0. */
    let shown = 0;
    /** @type {Made | null} */
    let current = null;
    /** Those that were made last; they stay on the device. @type {Made[]} */
    let made = recall("made-problems", /** @type {any[]} */ ([]), Array.isArray).filter(isMade);
    let making = false;
    let hasLeft = false;
    /** Later questions make the answers to earlier ones void: meanwhile the person has chosen something else. */
    let asked = 0;
    /** Whether the problem that is to be shown is still being made. */
    let isWaiting = false;
    let styleShown = false;
    /** The length of those that are to be made. */
    let makeLength = plies;
    /** @type {Map<string, Promise<Made | null>>} */
    const begun = new Map();
    /** @type {{ leave: () => void } | null} */
    let editor = null;
    /** The problem from which the editor was opened. @type {Before | null} */
    let underEditor = null;
    const side = make("div", { class: "side" });
    const madeList = make("ol", { class: "numbers" });
    const madeCount = make("p", { class: "note", id: "made-count" });
    const place = new ProblemBoard({
        solved: (solving) => {
            change(() => {
                if (kind === "endless") {
                    progress.solved[plies] = (progress.solved[plies] ?? 0) + (solving.helped ? 0 : 1);
                    pass();
                }
                // A hint may be taken; the solution may not be looked at.
                if (kind === "daily" && isDue() && !solving.seen) {
                    progress.streak = progress.day === dayBefore(day) ? progress.streak + 1 : 1;
                    progress.day = dayNumber(day);
                }
            });
            showSide();
        },
        more: () => [
            guarded(button(place.solving.state === "solved" ? "nextProblem" : "skipProblem", next, { id: "next-problem", class: place.solving.state === "solved" ? "primary" : "" })),
            button("editThis", () => compose(current?.sfen ?? ""), { id: "edit-this" }),
            pictureButton(place.board),
        ],
    });

    const whole = make("div", { class: "puzzles page" }, place.element, side);

    /** Whether the day of the problem counts. One before the last that was solved, left open in another tab, does not; one in the future was a wrong clock. */
    const isDue = () => progress.day < dayNumber(day) || progress.day > dayNumber(new Date());

    /** Changes the progress from where another tab may have brought it. @param {() => void} edit */
    function change(edit) {
        progress = progressBefore();
        edit();
        remember("problem-progress", JSON.stringify(progress));
    }

    /** The endless problem that is shown is over. */
    function pass() {
        progress.next[plies] = Math.max(progress.next[plies] ?? 0, shown + 1);
    }

    /** @param {number} length @param {number} seed @param {number} number @param {Workshop} worker @returns {Promise<Made | null>} */
    async function problemOf(length, seed, number, worker) {
        const known = seed === SEED ? (await bundle())[length]?.[number] : undefined;
        if (known) return { sfen: known[0], line: known[1].split(" ") };
        const key = `${length} ${seed} ${number}`;
        let found = begun.get(key);
        if (!found) {
            found = worker.ask("make", length, seed, number, "");
            begun.set(key, found);
            found.then((one) => { if (!one) begun.delete(key); });
        }
        return found;
    }

    /** The address of the problem that is shown. */
    const address = () => (kind === "endless" ? "#puzzles" : kind === "daily" ? "#puzzles=daily" : `#puzzles=${current?.sfen.replaceAll(" ", "_")}`);

    /** @param {Made | null} problem @param {import("./problem-board.js").Left | null} [left] what was done with it before */
    function open(problem, left = null) {
        current = problem;
        isWaiting = false;
        if (!problem) {
            place.status.textContent = word("failed");
            tell(word("failed"));
            return;
        }
        place.show({ sfen: problem.sfen, plies: problem.line.length, solver: workshop.solver(problem.sfen), line: problem.line }, left);
        setHash(address());
    }

    async function endless() {
        leaveEditor();
        kind = "endless";
        const [length, number] = [plies, progress.next[plies] ?? 0];
        shown = number;
        const mine = waiting();
        const problem = await problemOf(length, SEED, number, workshop);
        if (mine !== asked) return;
        open(problem);
        showSide();
        prepare();
    }

    /** The next of the endless ones is ready when this one is solved. */
    const prepare = () => problemOf(plies, SEED, shown + 1, ahead);

    /** The problem on the board. @returns {Before | null} */
    function here() {
        const { problem, solving, step, marked } = place;
        return problem && current && { address: address(), kind, plies, shown, day, problem: current, left: { solving, step, marked } };
    }

    /** Goes on with a problem that was left. @param {Before} before */
    function resume(before) {
        leaveEditor();
        ({ kind, plies, shown, day } = before);
        open(before.problem, before.left);
        showSide();
        if (kind === "endless") prepare();
    }

    async function daily() {
        leaveEditor();
        kind = "daily";
        day = new Date();
        const mine = waiting();
        const problem = await problemOf(DAILY[day.getDay()], Number(dayNumber(day)), 0, workshop);
        if (mine !== asked) return;
        open(problem);
        showSide();
    }

    /** The board says what is done, if that takes a while. Returns the number of the question. */
    function waiting(key = "making") {
        asked += 1;
        isWaiting = true;
        workshop.cancel();
        current = null;
        place.forget();
        place.status.textContent = word(key);
        place.timer.textContent = "";
        return asked;
    }

    function next() {
        // One that nobody has seen is not passed.
        if (kind === "endless" && isWaiting) return;
        if (kind === "endless") change(pass);
        if (kind === "own" && made.length > 1) {
            const at = made.findIndex(({ sfen }) => sfen === current?.sfen);
            open(made[(at + 1) % made.length]);
            showSide();
        } else {
            endless();
        }
    }

    /** @param {Made} problem */
    function own(problem) {
        leaveEditor();
        kind = "own";
        asked += 1;
        workshop.cancel();
        open(problem);
        showSide();
    }

    /** Makes new ones, each of a seed that nobody has. @param {number} length @param {number} count */
    async function makeSome(length, count) {
        making = true;
        const before = made;
        made = [];
        showSide();
        const seed = crypto.getRandomValues(new Uint32Array(1))[0];
        const style = JSON.stringify(chosenStyle());
        let failed = false;
        for (let number = 0; number < count && making; number += 1) {
            const problem = await maker.ask("make", length, seed, number, style);
            if (hasLeft) return;
            if (!problem) {
                failed = making;
                break;
            }
            made.push(problem);
            remember("made-problems", JSON.stringify(made));
            showMade();
        }
        making = false;
        maker.end();
        const found = made.length;
        // Those from before are still on the device.
        if (found === 0) made = before;
        showSide();
        tell(word(!failed ? "madeCount" : maker.reason === TOO_MANY ? "tooManyPieces" : "failed", found));
    }

    function leaveEditor() {
        editor?.leave();
        editor = null;
        keepInTab(COMPOSED, null);
        replace(host, whole);
    }

    /** @param {string} sfen @param {Before | null} [under] the problem that comes back when the editor is closed */
    function compose(sfen, under = here()) {
        editor?.leave();
        underEditor = under;
        kind = "own";
        asked += 1;
        place.forget();
        // An editor that was left is opened again from this address.
        setHash("#puzzles");
        editor = composer(host, workshop, sfen, (problem) => own(problem), () => { if (under) resume(under); else endless(); });
    }

    /** Those that were made, without touching the buttons beside them. */
    function showMade() {
        const items = made.map((problem, number) => {
            const entry = make("button", { type: "button", id: `made-${number}`, click: () => own(problem) }, make("b", {}, String(number + 1)), make("small", {}, word("pliesMate", problem.line.length)));
            if (problem.sfen === current?.sfen) entry.setAttribute("aria-current", "true");
            return make("li", {}, entry);
        });
        madeList.setAttribute("aria-label", word("madeList"));
        replace(madeList, ...items);
        madeCount.textContent = word(making ? "makingCount" : "madeCount", made.length);
    }

    function showSide() {
        const length = choice("length", LENGTHS.map((one) => [String(one), word("pliesMate", one)]), String(plies));
        length.select.id = "length";
        length.select.addEventListener("change", () => {
            plies = Number(length.select.value);
            remember("problem-plies", String(plies));
            endless();
        });
        const solved = LENGTHS.map((one) => progress.solved[one] ?? 0).reduce((sum, one) => sum + one, 0);
        const today = new Date();
        const isDone = progress.day === dayNumber(today);
        // A day without a problem ends the row.
        const streak = isDone || progress.day === dayBefore(today) ? progress.streak : 0;
        const size = choice("length", LENGTHS.map((one) => [String(one), word("pliesMate", one)]), String(makeLength));
        size.select.id = "make-length";
        size.select.addEventListener("change", () => { makeLength = Number(size.select.value); });
        replace(side,
            make("section", { class: "panel form" }, make("h2", {}, word(kind === "daily" ? "dailyProblem" : kind === "own" ? "ownProblem" : "endlessProblem", shown + 1)),
                length.label, make("p", { class: "note", id: "progress" }, word("progress", solved, streak)),
                make("div", { class: "actions" }, button("endless", endless, { id: "endless", "aria-pressed": String(kind === "endless") }),
                    make("button", { type: "button", id: "daily", class: isDone ? "" : "primary", "aria-pressed": String(kind === "daily"), click: daily }, word(isDone ? "dailyDone" : "daily")))),
            make("section", { class: "panel form" }, make("h2", {}, word("makeProblems")), size.label,
                styleForm(styleShown, (isOpen) => { styleShown = isOpen; }, showSide),
                make("div", { class: "actions" },
                    making ? button("stopMaking", () => { making = false; maker.cancel(); }, { id: "stop-making" }) : button("makeTen", () => makeSome(makeLength, 10), { id: "make-ten" }),
                    button("compose", () => compose(""), { id: "compose" })),
                ...(made.length > 0 || making ? [madeList, madeCount] : [])));
        showMade();
    }

    const left = keptInTab(COMPOSED);
    const before = leftProblem;
    leftProblem = null;
    leaveEditor();
    showSide();
    const link = decoded(shownHash().replace(/^#puzzles=?/i, ""))?.replaceAll("_", " ");
    // The tab alone names no problem. The problem of the day is another one tomorrow.
    const again = before && ["#puzzles", before.address].includes(shownHash()) && (before.kind !== "daily" || dayNumber(before.day) === dayNumber(new Date())) ? before : null;
    if (link === "" && typeof left === "string" && isDiagram(left)) compose(left, again);
    else if (again) resume(again);
    else if (link === "daily") daily();
    else if (link && isPosition(link)) openLinked(link);
    else if (link && isDiagram(link)) compose(link);
    else {
        if (link !== "") tell(word("badLink"));
        endless();
    }

    /** A problem that a link names. @param {string} sfen */
    async function openLinked(sfen) {
        kind = "own";
        const mine = waiting("judging");
        const line = await workshop.ask("mate", `sfen ${sfen}`);
        if (mine !== asked) return;
        if (line?.length) own({ sfen, line });
        else compose(sfen.startsWith(START.split(" ")[0]) ? "" : sfen);
    }

    return {
        leave: () => {
            leftProblem = editor ? underEditor : here();
            editor?.leave();
            if (making) tell(word("makingStopped", made.length));
            making = false;
            hasLeft = true;
            asked += 1;
            for (const one of [workshop, ahead, maker]) one.end();
            place.end();
            setSeats();
        },
        /** @param {KeyboardEvent} event */
        key: (event) => { if (!editor && place.key(event)) event.preventDefault(); },
    };
}
