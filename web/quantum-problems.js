// Problems of quantum shogi: take the king by force within 1, 3 or 5 plies. crates/quantum/examples/problems.rs makes them.
import { button, choice, make, replace, tell } from "./elements.js";
import { isTexts, keepInTab, keptInTab, recall, remember } from "./memory.js";
import { pictureButton } from "./picture.js";
import { other, textOf } from "./position.js";
import { QuantumBoard, moveText, withMove } from "./quantum-board.js";
import { quantumLook } from "./rules.js";
import { colorWord, word } from "./words.js";
import { Workshop } from "./workshop.js";

/** By their plies: positions with a first move. @typedef {Record<string, [position: string, first: string][]>} Problems */

/** @type {Promise<Problems> | null} */
let loaded = null;
/** @returns {Promise<Problems>} */
export function quantumBundle() {
    loaded ??= fetch(new URL("quantum-problems.json", import.meta.url)).then((response) => response.json()).catch(() => { loaded = null; return {}; });
    return loaded;
}

/** The name of the problem that is shown, which stays as long as the tab is open and the problem is not solved here. */
const SHOWN = "quantum-problem";

/** A problem that was left between its moves, as it is when the language changes. @type {{ name: string, moves: string[], left: number } | null} */
let unfinished = null;

/** Those that were solved on this device: their plies and numbers. @returns {string[]} */
const solvedBefore = () => recall("quantum-solved", [], isTexts);

/**
 * @param {HTMLElement} host
 * @param {Promise<WebAssembly.Module>} module
 * @param {() => HTMLElement} menu
 */
export function quantumProblems(host, module, menu) {
    const workshop = new Workshop(module);
    /** @type {Problems} */
    let problems = {};
    let solved = solvedBefore();
    let plies = String(recall("quantum-plies", 1, Number.isInteger));
    let number = 0;
    let root = "startpos";
    /** @type {string[]} */
    let moves = [];
    /** The plies that are left to take the king. */
    let left = 1;
    /** @type {"open" | "waiting" | "solved"} */
    let state = "waiting";
    let said = "";
    /** Later questions make the answers to earlier ones void. */
    let asked = 0;
    const text = () => textOf(root, moves);
    let seen = quantumLook(root);
    const place = new QuantumBoard({ text, seen: () => seen, mover: () => (state === "open" ? seen.turn : null), play });
    const status = make("p", { class: "status", role: "status" });
    const actions = make("div", { class: "actions" });
    const side = make("div", { class: "side" });
    host.replaceChildren(make("div", { class: "quantum page" }, make("div", { class: "main" }, place.board.element, status, actions), side));

    /** The name of a problem of the chosen length. @param {number} at */
    const nameOf = (at) => `${plies}-${at}`;

    /** @param {number} chosen */
    function open(chosen) {
        const list = problems[plies] ?? [];
        if (list.length === 0) return;
        number = (chosen + list.length) % list.length;
        keepInTab(SHOWN, nameOf(number));
        root = list[number][0];
        restart();
        place.board.flip(seen.turn === "w");
    }

    function restart() {
        asked += 1;
        moves = [];
        left = Number(plies);
        state = "open";
        said = word("takeKing", left);
        place.forget();
        show();
    }

    /** Takes up the problem that was left, if it is the one that is shown. */
    function goOn() {
        if (unfinished?.name !== nameOf(number) || unfinished.moves.length === 0) return;
        ({ moves, left } = unfinished);
        seen = quantumLook(text());
        said = word("quantumAnswered", moveText(moves[moves.length - 1], other(seen.turn)), left);
        show();
    }

    /** @param {string} move */
    async function play(move) {
        asked += 1;
        const mine = asked;
        const before = moves;
        const mover = seen.turn;
        moves = [...moves, move];
        state = "waiting";
        said = word("thinking");
        show();
        const answer = await workshop.ask("quantumAnswer", text(), left);
        if (mine !== asked) return;
        state = "open";
        if (answer?.kind === "mate") {
            state = "solved";
            said = word("kingTaken");
            // The next time, another one comes.
            keepInTab(SHOWN, null);
            // Another tab may have solved others.
            solved = [...new Set([...solvedBefore(), nameOf(number)])];
            remember("quantum-solved", JSON.stringify(solved));
        } else if (answer?.kind === "reply") {
            moves = [...moves, answer.move];
            left = answer.left;
            said = word("quantumAnswered", moveText(answer.move, other(mover)), left);
        } else {
            moves = before;
            said = answer ? word("quantumWrong", moveText(move, mover), moveText(answer.reply, other(mover))) : word("failed");
        }
        show();
        tell(said);
    }

    async function hint() {
        asked += 1;
        const mine = asked;
        const move = await workshop.ask("quantumBest", text(), left);
        if (mine !== asked) return;
        if (!move) return tell(word("failed"));
        place.point(move);
        tell(word("hintIs", moveText(move, seen.turn)));
    }

    function show() {
        seen = quantumLook(text());
        place.show(moves.at(-1), { b: colorWord("b"), w: colorWord("w") });
        status.textContent = said;
        status.classList.toggle("good", state === "solved");
        replace(actions,
            button("hint", hint, { id: "hint", disabled: state !== "open" }),
            button("restart", restart, { id: "restart", disabled: moves.length === 0 }),
            button(state === "solved" ? "nextProblem" : "skipProblem", () => open(number + 1), { id: "next-problem", class: state === "solved" ? "primary" : "" }),
            pictureButton(place.board));
        const length = choice("length", Object.keys(problems).map((one) => [one, word("kingIn", one)]), plies);
        length.select.id = "quantum-length";
        length.select.addEventListener("change", () => {
            plies = length.select.value;
            remember("quantum-plies", plies);
            open(0);
        });
        const items = (problems[plies] ?? []).map((_, at) => {
            const isSolved = solved.includes(nameOf(at));
            const entry = make("button", { type: "button", id: `problem-${at}`, "aria-label": word(isSolved ? "problemSolved" : "endlessProblem", at + 1), click: () => open(at) }, make("b", {}, String(at + 1)), make("small", {}, isSolved ? "✓" : " "));
            if (at === number) entry.setAttribute("aria-current", "true");
            return make("li", {}, entry);
        });
        replace(side, menu(), make("section", { class: "panel form" }, make("h2", {}, word("endlessProblem", number + 1)), make("p", { class: "note" }, word("quantumProblemHelp")), length.label,
            make("ol", { class: "numbers", "aria-label": word("quantumProblems") }, ...items)), place.odds);
    }

    show();
    quantumBundle().then((found) => {
        problems = found;
        if (!problems[plies]) plies = Object.keys(problems)[0] ?? plies;
        const list = problems[plies] ?? [];
        if (list.length === 0) {
            said = word("noProblems");
            show();
            return tell(said);
        }
        // The one that was left, or the first that is to be solved.
        const places = [...list.keys()];
        const before = keptInTab(SHOWN);
        open(places.find((at) => nameOf(at) === before) ?? places.find((at) => !solved.includes(nameOf(at))) ?? 0);
        goOn();
    });
    const leave = () => {
        // A move without its answer was not made.
        unfinished = state === "solved" ? null : { name: nameOf(number), moves: state === "waiting" ? moves.slice(0, -1) : moves, left };
        asked += 1;
        workshop.end();
    };
    return { leave, key: () => {} };
}
