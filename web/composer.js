// Composing a mate problem: an editor whose verdict is live.
import { Board } from "./board.js";
import { copy } from "./clipboard.js";
import { button, guarded, make, replace, tell, wholes } from "./elements.js";
import { linkTo } from "./links.js";
import { keepInTab } from "./memory.js";
import { digits, lineNames, moveName } from "./move-name.js";
import { pictureButton } from "./picture.js";
import { pieceArt } from "./pieces.js";
import { FULL_SET, HAND_ORDER, KINDS, after, copyOf, ends, readSfen, turned, writeSfen } from "./position.js";
import { writeGame } from "./rules.js";
import { shogiView } from "./shogi-view.js";
import { colorWord, currentLanguage, hasWord, pieceWord, setSeats, squareWord, word } from "./words.js";

/** An empty board but for the king that is to be mated. */
const EMPTY = "4k4/9/9/9/9/9/9/9/9 b - 1";
/** How long nothing changes before the verdict is asked for, in milliseconds. */
const PAUSE = 300;

/** The name of the position in the open editor, which stays as long as the tab is open. */
export const COMPOSED = "composed";

/** @typedef {{ verdict: string, reason?: string, plies?: number, line?: string[], second?: { ply: number, move: string, plies: number }[], last?: string[], idle?: string[], left?: number }} Verdict */
/** @typedef {import("./position.js").Position} Position */

/**
 * Whether a text is a position that the editor can show. The rules refuse many of those that are on the way to a problem, such as one in
 * which the king could be taken.
 * @param {string} sfen
 */
export function isDiagram(sfen) {
    try {
        const position = readSfen(sfen);
        return [...position.squares.values()].every(({ kind }) => KINDS.includes(kind)) && writeSfen(position) === sfen;
    } catch {
        return false;
    }
}

/** Gives the defender all pieces that are nowhere else. @param {Position} position */
function complete(position) {
    const whole = copyOf(position);
    whole.turn = "b";
    whole.hands.w = new Map();
    for (const kind of HAND_ORDER) {
        const used = [...whole.squares.values()].filter((piece) => piece.kind === kind).length + (whole.hands.b.get(kind) ?? 0);
        if (used < FULL_SET[kind]) whole.hands.w.set(kind, FULL_SET[kind] - used);
    }
    return whole;
}

/** How many of a kind are still free. @param {Position} position @param {string} kind */
const free = (position, kind) => (kind === "K" ? 1 - [...position.squares.values()].filter((piece) => piece.kind === "K" && piece.color === "w").length : complete(position).hands.w.get(kind) ?? 0);

/**
 * @param {HTMLElement} host
 * @param {import("./workshop.js").Workshop} workshop
 * @param {string} sfen to begin with; empty for an empty board
 * @param {(problem: { sfen: string, line: string[] }) => void} solve
 * @param {() => void} close
 */
export function composer(host, workshop, sfen, solve, close) {
    const given = readSfen(sfen || EMPTY);
    // Here Black attacks.
    let position = given.turn === "b" ? given : turned(given);
    position.hands.w = new Map();
    /** @type {Position[]} */
    const before = [];
    /** What a tap on a square does: sets a piece, or takes one away. @type {{ kind: string, color: "b" | "w" } | "erase"} */
    let tool = { kind: "G", color: "b" };
    /** @type {Verdict | null} */
    let verdict = null;
    let timer = 0;
    /** Later questions make the answers to earlier ones void. */
    let asked = 0;
    setSeats({ b: "attacker", w: "defender" });
    const board = new Board({ square: tap, hand: (_color, key) => hand(key, -1), drop });
    const status = make("p", { class: "status", role: "status", id: "verdict" });
    const tools = make("div", { class: "tools" });
    const actions = make("div", { class: "actions" });
    const side = make("div", { class: "side" });
    // What is used all the time is beside the board on a wide screen, right below it on a phone.
    const desk = make("div", { class: "desk" }, tools, actions);
    const isWide = matchMedia("(min-width: 900px)").matches;
    replace(host, guarded(make("div", { class: "composer page" }, make("div", { class: "main" }, board.element, status, ...(isWide ? [] : [desk])),
        make("div", { class: "side" }, ...(isWide ? [desk] : []), side))));

    /** @param {(next: Position) => void} edit */
    function change(edit) {
        before.push(position);
        position = copyOf(position);
        edit(position);
        changed();
    }

    function changed() {
        verdict = null;
        asked += 1;
        keepInTab(COMPOSED, writeSfen(position));
        show();
        clearTimeout(timer);
        timer = window.setTimeout(judge, PAUSE);
    }

    async function judge() {
        workshop.cancel();
        const mine = asked;
        const hasKing = [...position.squares.values()].some(({ kind, color }) => kind === "K" && color === "w");
        const found = hasKing ? await workshop.ask("check", `sfen ${writeSfen(complete(position))}`) : { verdict: "bad", reason: word("noKing") };
        if (mine !== asked) return;
        verdict = found ?? { verdict: "unknown", reason: word("failed") };
        show();
    }

    /** @param {string} square */
    function tap(square) {
        const piece = position.squares.get(square);
        if (tool === "erase") {
            if (piece) change((next) => next.squares.delete(square));
        } else if (piece && piece.kind === tool.kind && piece.color === tool.color) {
            change((next) => turn(next, square));
        } else {
            const { kind, color } = tool;
            if (free(position, kind) <= 0 && !(piece?.kind === kind && kind !== "K")) return tell(word("noneLeft", pieceWord(kind, false)));
            change((next) => next.squares.set(square, { kind, color, promoted: false }));
        }
    }

    /** A piece that is tapped again promotes, then goes away. @param {Position} next @param {string} square */
    function turn(next, square) {
        const piece = next.squares.get(square);
        if (!piece) return;
        if (!piece.promoted && piece.kind !== "G" && piece.kind !== "K") next.squares.set(square, { ...piece, promoted: true });
        else next.squares.delete(square);
    }

    /** @param {string} at @param {string} square */
    function drop(at, square) {
        change((next) => {
            if (at.includes(":")) {
                const kind = at.slice(2);
                next.hands.b.set(kind, (next.hands.b.get(kind) ?? 1) - 1);
                if (next.hands.b.get(kind) === 0) next.hands.b.delete(kind);
                next.squares.set(square, { kind, color: "b", promoted: false });
                return;
            }
            const piece = next.squares.get(at);
            next.squares.delete(at);
            if (piece) next.squares.set(square, piece);
        });
    }

    /** @param {string} kind @param {number} by */
    function hand(kind, by) {
        if (by > 0 && free(position, kind) <= 0) return tell(word("noneLeft", pieceWord(kind, false)));
        change((next) => {
            const count = (next.hands.b.get(kind) ?? 0) + by;
            if (count > 0) next.hands.b.set(kind, count);
            else next.hands.b.delete(kind);
        });
    }

    function undo() {
        const last = before.pop();
        if (last) {
            position = last;
            changed();
        }
    }

    /** The moves of the solution up to a ply. @param {number} ply */
    const positionAt = (ply) => (verdict?.line ?? []).slice(0, ply).reduce(after, complete(position));

    function verdictText() {
        if (!verdict) return word("judging");
        const { plies = 0, second = [], reason = "" } = verdict;
        if (verdict.verdict === "sound") return word("isSound", plies);
        if (verdict.verdict === "second") return word("hasSecond", plies, second.length);
        if (verdict.verdict === "nomate") return word("hasNoMate");
        return verdict.verdict === "bad" ? word("isBad", word(reason)) : word("isUnknown", hasWord(`unknown ${reason}`) ? word(`unknown ${reason}`) : reason);
    }

    function copyKif() {
        const text = `sfen ${writeSfen(complete(position))}${verdict?.line ? ` moves ${verdict.line.join(" ")}` : ""}`;
        try {
            copy(writeGame({ text, headers: verdict?.plies ? `表題=${word("pliesMate", verdict.plies)}` : "", ending: "" }, "kif"));
        } catch (reason) {
            // Game files hold no position in which the king could be taken.
            tell(word("because", word("notCopied"), word(String(reason))));
        }
    }

    /** A square, as the edge of the board names it. @param {string} square */
    const squareOf = (square) => (currentLanguage() === "en" ? digits(square) : squareWord(square));

    /** A link opens the position as a problem; without a mate, in the editor. */
    const copyLink = () => copy(linkTo(`#puzzles=${writeSfen(complete(position)).replaceAll(" ", "_")}`));

    function show() {
        const shown = shogiView(writeSfen(position), "b", undefined, { b: word("attacker"), w: `${word("defender")} ${word("theRest")}` });
        shown.isFree = true;
        board.show(shown);
        status.textContent = verdictText();
        status.classList.toggle("good", verdict?.verdict === "sound");
        const [first] = verdict?.line ?? [];
        const second = (verdict?.second ?? []).filter(({ ply }) => ply === 0).map(({ move }) => move);
        board.arrows([...(first ? [{ move: first, played: false }] : []), ...second.map((move) => ({ move, played: true }))].map(({ move, played }) => ({ from: ends(move)[0], to: ends(move)[1], rank: 0, played })));
        const piece = (/** @type {string} */ kind, /** @type {"b" | "w"} */ color) => {
            const chosen = typeof tool === "object" && tool.kind === kind && tool.color === color;
            const art = pieceArt(kind, false, color);
            art.classList.toggle("turned", color === "w");
            return make("button", { type: "button", id: `tool-${color}${kind}`, class: "tool", "aria-pressed": String(chosen), "aria-label": `${colorWord(color)} ${pieceWord(kind, false)}`, click: () => { tool = { kind, color }; show(); } }, art);
        };
        replace(tools,
            make("div", { class: "row", role: "group", "aria-label": word("defender") }, ...[...KINDS].reverse().map((kind) => piece(kind, "w"))),
            make("div", { class: "row", role: "group", "aria-label": word("attacker") }, ...HAND_ORDER.map((kind) => piece(kind, "b")),
                make("button", { type: "button", id: "tool-erase", class: "tool", "aria-pressed": String(tool === "erase"), "aria-label": word("erase"), click: () => { tool = "erase"; show(); } }, "⌫")));
        replace(actions,
            button("undoEdit", undo, { id: "undo", disabled: before.length === 0 }),
            button("clear", () => change((next) => { next.squares = readSfen(EMPTY).squares; next.hands.b = new Map(); }), { id: "clear" }),
            button("solveThis", () => solve({ sfen: writeSfen(complete(position)), line: verdict?.line ?? [] }), { id: "solve-this", class: "primary", disabled: !verdict?.line }),
            button("copyKif", copyKif, { id: "copy-kif" }),
            button("copyLink", copyLink, { id: "copy-link" }),
            pictureButton(board),
            button("closeEditor", close, { id: "close-editor" }));
        const counts = HAND_ORDER.map((kind) => make("li", {}, make("span", {}, pieceWord(kind, false)),
            make("button", { type: "button", id: `less-${kind}`, "aria-label": word("less", pieceWord(kind, false)), disabled: !position.hands.b.has(kind), click: () => hand(kind, -1) }, "−"),
            make("output", { id: `count-${kind}` }, String(position.hands.b.get(kind) ?? 0)),
            make("button", { type: "button", id: `more-${kind}`, "aria-label": word("more", pieceWord(kind, false)), disabled: free(position, kind) <= 0, click: () => hand(kind, 1) }, "+")));
        /** @type {HTMLElement[]} */
        const details = [];
        if (verdict?.line) {
            const { line } = verdict;
            const nameAt = (/** @type {number} */ ply, /** @type {string} */ move) => moveName(positionAt(ply), move, line[ply - 1]);
            details.push(make("h2", {}, word("solution")), make("p", { id: "solution-line" }, ...wholes(lineNames(complete(position), line))));
            const { second = [], last = [], idle = [], left = 0 } = verdict;
            if (second.length > 0) details.push(make("h2", {}, word("secondSolutions")), make("ul", { id: "second" }, ...second.map(({ ply, move, plies }) => make("li", {}, word("secondAt", ply + 1, nameAt(ply, move), plies)))));
            if (last.length > 0) details.push(make("p", { class: "note" }, word("lastChoices", last.map((move) => nameAt((verdict?.plies ?? 1) - 1, move)).join(" "))));
            if (idle.length > 0) details.push(make("p", { class: "note" }, word("idlePieces", idle.map(squareOf).join(" "))));
            if (left > 0) details.push(make("p", { class: "note" }, word("leftInHand", left)));
        }
        replace(side, make("section", { class: "panel" }, make("h2", {}, word("composerTitle")), make("p", { class: "note" }, word("composerHelp")), make("h2", {}, word("attackersHand")), make("ul", { class: "counts" }, ...counts)),
            ...(details.length > 0 ? [make("section", { class: "panel verdict" }, ...details)] : []));
    }

    changed();
    return { leave: () => { clearTimeout(timer); asked += 1; workshop.cancel(); } };
}
