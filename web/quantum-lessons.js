// The first steps in quantum shogi: what a move tells, what counting tells, and how a game is won.
import { button, make, replace, tell } from "./elements.js";
import { QuantumBoard, kindsOf, label, withMove } from "./quantum-board.js";
import { quantumBundle } from "./quantum-problems.js";
import { ends } from "./position.js";
import { quantumLook } from "./rules.js";
import { colorWord, word } from "./words.js";

/** @typedef {import("./rules.js").QuantumLook} QuantumLook */
/** @typedef {import("./rules.js").QuantumPiece} QuantumPiece */

/**
 * A step: where it begins, and whether a move with the piece that it has moved is what is asked for.
 * @typedef {{ text: () => Promise<string | undefined>, isDone: (after: QuantumLook, moved: QuantumPiece) => boolean }} Step
 */
/** @type {Step[]} */
const STEPS = [
    { text: async () => "startpos", isDone: (_, moved) => kindsOf(moved.kinds).length < 8 },
    { text: async () => "startpos moves 7g7f 3c3d", isDone: (_, moved) => moved.name === "J" && ["R", "B"].includes(kindsOf(moved.kinds).join("")) },
    { text: async () => (await quantumBundle())[1]?.[0]?.[0], isDone: (after) => after.end?.why === "king captured" },
];

/** The step that was shown when the page was left, and the move that was made in it. A change of the language leaves the page, too. @type {{ number: number, move?: string }} */
let left = { number: 0 };

/**
 * @param {HTMLElement} host
 * @param {() => HTMLElement} menu
 * @param {(part: "game" | "problems") => void} goOn
 */
export function quantumLessons(host, menu, goOn) {
    let number = 0;
    let text = "startpos";
    /** @type {string | undefined} */
    let last;
    let done = false;
    let said = "";
    let asked = 0;
    let seen = quantumLook(text);
    const place = new QuantumBoard({ text: () => text, seen: () => seen, mover: () => (done ? null : seen.turn), play });
    const status = make("p", { class: "status", role: "status" });
    const actions = make("div", { class: "actions" });
    const side = make("div", { class: "side" });
    host.replaceChildren(make("div", { class: "quantum page" }, make("div", { class: "main" }, place.board.element, status, actions), side));

    /** @param {number} chosen @param {string} [move] that was made in it before */
    async function open(chosen, move) {
        asked += 1;
        const mine = asked;
        const found = await STEPS[chosen].text();
        // Meanwhile the person may have chosen another step, or something else.
        if (mine !== asked) return;
        if (found === undefined) return tell(word("noProblems"));
        [number, text] = [chosen, found];
        [last, done, said] = [undefined, false, word(`lessonTask${chosen + 1}`)];
        seen = quantumLook(text);
        place.forget();
        place.board.flip(seen.turn === "w");
        show();
        if (move) play(move);
    }

    /** @param {string} move */
    function play(move) {
        const next = withMove(text, move);
        const after = quantumLook(next);
        const to = ends(move)[1];
        const moved = /** @type {QuantumPiece} */ (after.pieces.find(({ square }) => square === to));
        place.inspected = moved.name;
        if (!STEPS[number].isDone(after, moved)) {
            tell(word("lessonAgain", label(moved)));
            return show();
        }
        [text, seen, last, done] = [next, after, move, true];
        said = word(`lessonDone${number + 1}`, label(moved));
        show();
    }

    function show() {
        place.show(last, { b: colorWord("b"), w: colorWord("w") });
        status.textContent = said;
        status.classList.toggle("good", done);
        const isLast = number === STEPS.length - 1;
        replace(actions,
            button("restart", () => open(number), { id: "restart", disabled: !done }),
            ...(done && !isLast ? [button("nextStep", () => open(number + 1), { id: "next-step", class: "primary" })] : []),
            ...(done && isLast ? [button("quantumProblems", () => goOn("problems"), { id: "to-problems", class: "primary" }), button("quantumGame", () => goOn("game"), { id: "to-game" })] : []));
        const steps = STEPS.map((_, at) => make("button", { type: "button", id: `step-${at + 1}`, "aria-pressed": String(at === number), click: () => open(at) }, word("stepNumber", at + 1)));
        replace(side, menu(), make("section", { class: "panel" }, make("h2", {}, word("stepNumber", number + 1)), make("p", { id: "lesson" }, word(`lesson${number + 1}`)), make("div", { class: "actions" }, ...steps)), place.odds);
    }

    show();
    open(left.number, left.move);
    return { leave: () => { asked += 1; left = { number, move: last }; }, key: () => {} };
}
