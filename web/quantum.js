// Quantum shogi against the engine: each piece shows what it may still be.
import { Board } from "./board.js";
import { button, make, replace, tell } from "./elements.js";
import { confirmation, endText, newGameForm, showClocks } from "./match-page.js";
import { Match } from "./match.js";
import { moveList } from "./move-list.js";
import { quantumArt } from "./pieces.js";
import { KINDS, ends } from "./position.js";
import { quantumJudge, quantumLook } from "./rules.js";
import { goFor } from "./strength.js";
import { Tapping } from "./tapping.js";
import { colorWord, currentLanguage, pieceWord, squareWord, word } from "./words.js";

/** @typedef {import("./rules.js").QuantumPiece} QuantumPiece */
/** @typedef {import("./rules.js").QuantumLook} QuantumLook */

const HINT = "go nodes 100000";

/** The kinds of a set. @param {number} kinds */
const kindsOf = (kinds) => KINDS.filter((_, place) => (kinds >> place) & 1);

/** @param {QuantumPiece} piece */
function label(piece) {
    const kinds = kindsOf(piece.kinds);
    const names = kinds.map((kind) => pieceWord(kind, piece.promoted && kind !== "G" && kind !== "K"));
    const text = kinds.length === KINDS.length ? word("unknown") : kinds.length === 1 ? names[0] : word("oneOf", names.join("・"));
    return piece.promoted ? `${word("promotedPiece")} ${text}` : text;
}

/** @param {QuantumLook} seen @param {string | undefined} last @param {{ b: string, w: string }} names */
function view(seen, last, names) {
    /** @type {Map<string, import("./board.js").Shown>} */
    const squares = new Map();
    const byName = new Map(seen.pieces.map((piece) => [piece.name, piece]));
    for (const piece of seen.pieces) {
        if (piece.square) squares.set(piece.square, { art: quantumArt(piece.kinds, piece.promoted), label: label(piece), color: piece.owner });
    }
    const held = (/** @type {string[]} */ hand) =>
        hand.flatMap((name) => {
            const piece = byName.get(name);
            return piece ? [{ key: name, art: quantumArt(piece.kinds, false), label: label(piece), count: 1 }] : [];
        });
    const places = last ? ends(last).filter((place) => place !== null) : [];
    return { squares, hands: { b: held(seen.hands[0]), w: held(seen.hands[1]) }, last: places, turn: seen.turn, names };
}

/** How likely a piece is to be what, as bars. @param {QuantumPiece} piece @param {QuantumPiece | null} after the same piece after a move */
function oddsTable(piece, after) {
    const rows = KINDS.map((kind, place) => {
        const share = Math.round((after ?? piece).odds[place] * 100);
        const text = (after ?? piece).odds[place] > 0 && share === 0 ? "<1%" : `${share}%`;
        const bar = make("span", { class: "bar" });
        const inner = make("span", {});
        inner.style.width = `${share}%`;
        bar.append(inner);
        const row = make("tr", {}, make("th", { scope: "row" }, pieceWord(kind, false)), make("td", { "aria-hidden": "true" }, bar), make("td", {}, text));
        if ((after ?? piece).odds[place] === 0) row.classList.add("impossible");
        return row;
    });
    return make("table", { class: "odds" }, make("tbody", {}, ...rows));
}

/** A move in words: quantum pieces have no names, so it is where from and where to. @param {string} move @param {number} number */
function moveText(move, number) {
    const [from, to] = ends(move);
    const sign = number % 2 === 0 ? "▲" : "△";
    const start = from === null ? (currentLanguage() === "ja" ? "打" : "drop") : squareWord(from);
    const promoted = move.endsWith("+") ? (currentLanguage() === "ja" ? "成" : "+") : "";
    return from === null ? `${sign}${squareWord(to)}${start}` : `${sign}${start}→${squareWord(to)}${promoted}`;
}

/**
 * @param {HTMLElement} host
 * @param {import("./engine-client.js").EngineClient} engine
 */
export function quantumPage(host, engine) {
    const match = new Match({
        name: "quantum-game", look: quantumLook, engine, position: (text) => `quantum ${text}`, go: goFor,
        changed: () => show(), failed: () => tell(word("failed")),
    });
    /** The piece whose odds are shown. @type {string | null} */
    let inspected = null;
    /** The move that is considered. @type {string | null} */
    let considered = null;
    let asking = false;
    let formShown = !match.begun;
    /** The kinds of all pieces when the board was shown last, to see what has become certain. @type {Map<string, number>} */
    let before = new Map();
    /** @type {Tapping} */
    let tapping;
    const board = new Board({ square: (square) => tapping.square(square), hand: (color, key) => tapping.hand(color, key), look: (square) => tapping.look(square), drop: (at, square) => tapping.drop(at, square) });
    tapping = new Tapping(board, {
        moves: () => match.seen.moves,
        mover: () => match.mover,
        judge: (move) => quantumJudge(match.text, move),
        play: (move) => match.play(move),
        art: (at, promoted) => {
            const name = at.includes(":") ? at.slice(2) : null;
            const piece = match.seen.pieces.find((one) => (name ? one.name === name : one.square === at));
            return quantumArt(piece?.kinds ?? 0xff, promoted);
        },
        inspect: (place) => {
            const piece = match.seen.pieces.find((one) => (place?.includes(":") ? one.name === place.slice(2) : one.square === place));
            inspected = piece?.name ?? inspected;
            considered = null;
            showOdds();
        },
        consider: (move) => {
            if (move === considered) return;
            considered = move;
            showOdds();
        },
    });
    const status = make("p", { class: "status", role: "status" });
    const actions = make("div", { class: "actions" });
    const odds = make("section", { class: "panel odds-panel" });
    const side = make("div", { class: "side" });
    host.replaceChildren(make("div", { class: "quantum page" }, make("div", { class: "main" }, board.element, status, actions), side));

    function namesOf() {
        const { person } = match.saved;
        const name = (/** @type {"b" | "w"} */ color) => (person === "both" || person === color ? colorWord(color) : `${colorWord(color)} Tsumero`);
        return { b: name("b"), w: name("w") };
    }

    function statusText() {
        if (!match.begun) return "";
        if (match.end) return endText(match.end, match.saved.moves.length);
        if (match.stuck) return word("failed");
        return match.thinking ? word("thinking") : match.saved.person === "both" ? word("turnOf", colorWord(match.seen.turn)) : word("yourTurn");
    }

    function showOdds() {
        const heading = make("h2", {}, word(considered ? "reveals" : "mayBe"));
        let after = null;
        if (considered && match.seen.moves.includes(considered)) {
            const next = quantumLook(`${match.text}${match.saved.moves.length > 0 ? "" : " moves"} ${considered}`);
            after = next.pieces.find((one) => one.name === inspected) ?? null;
        }
        const piece = match.seen.pieces.find((one) => one.name === inspected);
        const place = piece ? (piece.square ? squareWord(piece.square) : word("inHand")) : "";
        odds.replaceChildren(heading, ...(piece
            ? [make("p", { class: "piece-name" }, `${place} ${colorWord(piece.owner)} ${label(after ?? piece)}`), oddsTable(piece, after)]
            : [make("p", { class: "note" }, word("mayBeHelp"))]));
    }

    async function hint() {
        const { text } = match;
        const answer = await engine.ask(`quantum ${text}`, HINT);
        const move = answer?.split(" ")[1];
        if (text !== match.text || !move || !match.seen.moves.includes(move)) return;
        const [from, to] = ends(move);
        board.arrows([{ from, to, rank: 0 }]);
        tell(word("hintIs", moveText(move, match.saved.moves.length)));
    }

    /** Marks the pieces that have become certain, and says what they are. */
    function announce() {
        const certain = match.seen.pieces.filter((piece) => kindsOf(piece.kinds).length === 1 && kindsOf(before.get(piece.name) ?? piece.kinds).length > 1);
        for (const piece of certain) {
            if (piece.square) board.cells.get(piece.square)?.classList.add("flash");
        }
        for (const [square, cell] of board.cells) {
            if (!certain.some((piece) => piece.square === square)) cell.classList.remove("flash");
        }
        before = new Map(match.seen.pieces.map((piece) => [piece.name, piece.kinds]));
        if (match.end) tell(statusText());
        else if (certain.length > 0) tell(word("converged", certain.map((piece) => `${piece.square ? squareWord(piece.square) : word("inHand")} ${label(piece)}`).join("、")));
    }

    function show() {
        board.show(view(match.seen, match.saved.moves.at(-1), namesOf()));
        board.arrows([]);
        announce();
        status.textContent = statusText();
        const ask = confirmation(word("reallyResign"), () => { asking = false; match.finish({ why: "resignation", winner: match.seen.turn === "b" ? "w" : "b" }); }, () => { asking = false; show(); });
        replace(actions, 
            ...(match.stuck ? [button("again", () => match.reply(), { class: "primary", id: "again" })] : []),
            button("undo", () => match.undo(), { disabled: !match.mayUndo, id: "undo" }),
            button("hint", hint, { disabled: match.mover === null, id: "hint" }),
            button("flip", () => board.flip(!board.flipped), { id: "flip" }),
            asking ? ask : button("resign", () => { asking = true; show(); }, { disabled: match.mover === null, id: "resign" }),
        );
        showOdds();
        const said = match.saved.moves.map(moveText);
        // The levels are of ordinary shogi.
        const form = newGameForm(match.saved, [], false, (person, limit, rate) => {
            formShown = false;
            inspected = null;
            before = new Map();
            board.flip(person === "w");
            match.start({ root: "startpos", person, limit, rate });
        });
        const open = make("details", { class: "panel", open: formShown, toggle: (/** @type {Event} */ event) => { formShown = /** @type {HTMLDetailsElement} */ (event.currentTarget).open; } },
            make("summary", {}, word("newGame")), make("p", { class: "note" }, word("quantumHelp")), form);
        const list = make("section", { class: "panel" }, make("h2", {}, word("moves")),
            said.length > 0 ? moveList(said, said.length, () => {}) : make("p", { class: "note" }, word("noMoves")));
        replace(side, ...(match.begun ? [odds, list, open] : [open, odds]));
        clocks.paint();
    }

    const clocks = showClocks(board, () => match.clock);
    board.flip(match.saved.person === "w");
    show();
    match.reply();
    return { leave: () => { engine.cancel(); clocks.end(); match.clock.turn(null); match.keep(); }, key: () => {} };
}
