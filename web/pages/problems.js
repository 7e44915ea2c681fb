// The page of mate problems: one is solved at a time; in print, all of them with their solutions.
import { rankNames } from "../board.js";
import { timeText } from "../clock.js";
import { button, make, replace } from "../elements.js";
import { isRecordOf, recall, remember } from "../memory.js";
import { drawLetters } from "../pieces.js";
import { ProblemBoard } from "../problem-board.js";
import { currentLanguage, word } from "../words.js";
import { DATA, asked, askedNumber, header, readSettings, setAddress } from "./settings.js";
import { diagram } from "./diagram.js";
import { treeSolver } from "./tree.js";
import "./problem-words.js";

/** @typedef {{ usi: string, ja: string, en: string }} PageMove */
/** @typedef {{ number: number, name: string | null, sfen: string, moves: PageMove[], tree: import("./tree.js").Node[] }} PageProblem */

/** @type {PageProblem[]} */
const problems = DATA.problems;
/** What was solved on this device: the seconds it took, by the problem. @type {Record<string, number>} */
let solvedIn = solvedBefore();
/** @returns {Record<string, number>} */
function solvedBefore() {
    return recall("problems-solved", {}, (found) => isRecordOf(found, Number.isFinite));
}

/** The order in which the problems come. @type {number[]} */
let order = problems.map((_, at) => at);
let isShuffled = false;
let at = 0;

const view = /** @type {HTMLElement} */ (document.getElementById("view"));
const side = make("div", { class: "side" });
const printed = make("section", { class: "printed", "aria-hidden": "true" });
const foot = make("footer", {});
const place = new ProblemBoard({
    solved: (solving) => {
        if (solving.helped) return;
        solvedIn = { ...solvedBefore(), [solving.sfen]: solving.seconds };
        remember("problems-solved", JSON.stringify(solvedIn));
        showList();
    },
    more: () => (problems.length > 1 ? [button("nextOne", () => go(1), { id: "next-problem", class: "primary" })] : []),
});
view.append(make("div", { class: "problems page" }, place.element, side), printed, foot);

/** Goes on in the order that is chosen. @param {number} by */
function go(by) {
    const next = (order.indexOf(at) + by + order.length) % order.length;
    choose(order[next]);
}

/** @param {number} chosen */
function choose(chosen) {
    at = chosen;
    const problem = problems[at];
    const line = problem.moves.map(({ usi }) => usi);
    place.show({
        sfen: problem.sfen, plies: line.length, solver: treeSolver(problem.tree, line), line,
        names: () => problem.moves.map((move) => move[currentLanguage()]),
    });
    setAddress({ problem: problem.number, step: null });
    showList();
}

function shuffle() {
    isShuffled = !isShuffled;
    order = problems.map((_, number) => number);
    if (isShuffled) {
        for (let last = order.length - 1; last > 0; last -= 1) {
            const chosen = Math.floor(Math.random() * (last + 1));
            [order[last], order[chosen]] = [order[chosen], order[last]];
        }
    }
    showList();
}

/** @param {PageProblem} problem */
const title = (problem) => [word("problemNumber", problem.number), problem.name].filter(Boolean).join(" ");

function showList() {
    const items = problems.map((problem, number) => {
        const seconds = solvedIn[problem.sfen];
        const isSolved = seconds !== undefined;
        const entry = make("button", { type: "button", id: `problem-${problem.number}`, class: isSolved ? "is-solved" : "", title: title(problem), click: () => choose(number) },
            make("b", {}, String(problem.number)), " ", make("small", {}, isSolved ? `✓ ${timeText(seconds)}` : word("lengthOf", problem.moves.length)));
        if (number === at) entry.setAttribute("aria-current", "true");
        return make("li", {}, entry);
    });
    const solved = problems.filter(({ sfen }) => solvedIn[sfen] !== undefined).length;
    replace(side, make("section", { class: "panel" },
        make("h2", { id: "problem-title" }, `${title(problems[at])} · ${word("lengthOf", problems[at].moves.length)}`),
        make("p", { class: "note", id: "solved-count" }, word("solvedCount", problems.length, solved)),
        make("ol", { class: "numbers", "aria-label": word("problems") }, ...items),
        make("div", { class: "actions" },
            button("previousOne", () => go(-1), { id: "previous-problem" }),
            make("button", { type: "button", id: "order", "aria-pressed": String(isShuffled), click: shuffle }, word(isShuffled ? "shuffled" : "inOrder")),
            button("forget", () => {
                solvedIn = solvedBefore();
                for (const { sfen } of problems) delete solvedIn[sfen];
                remember("problems-solved", JSON.stringify(solvedIn));
                showList();
            }, { id: "forget", disabled: solved === 0 }))));
}

function showAll() {
    const heading = word("problemCount", problems.length);
    /** @type {HTMLElement} */ (document.getElementById("title")).textContent = heading;
    /** @type {HTMLElement} */ (document.getElementById("subtitle")).textContent = word("subtitleOf");
    document.title = `${heading} – Tsumero`;
    foot.textContent = word("footer");
    printed.replaceChildren(
        ...problems.map((problem) => make("article", {}, make("h2", {}, `${title(problem)} ${word("lengthOf", problem.moves.length)}`), diagram(problem.sfen, problem.moves.map(({ usi }) => usi)))),
        make("section", { class: "answers" }, make("h2", {}, word("answers")),
            make("ol", {}, ...problems.map((problem) => make("li", { value: String(problem.number) }, problem.moves.map((move) => move[currentLanguage()]).join(" "))))));
    place.board.nameRanks(rankNames());
    place.changed();
    showList();
}

/** Opens the problem that the address names, and a step of its solution. */
function open() {
    const step = asked().has("step") ? askedNumber("step") : null;
    const chosen = Math.max(0, problems.findIndex(({ number }) => number === askedNumber("problem")));
    // One that is being solved goes on.
    if (chosen !== at || !place.problem) choose(chosen);
    if (step === null) return;
    const walked = Math.min(step, problems[at].moves.length);
    place.walk(walked);
    setAddress({ step: walked });
}

addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || (target instanceof HTMLElement && target.closest("[role=grid], [role=dialog]"))) return;
    if (place.key(event)) event.preventDefault();
});

readSettings();
drawLetters();
header(showAll, open);
open();
showAll();
document.documentElement.dataset.ready = "true";
