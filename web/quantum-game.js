// A game of quantum shogi against the engine, or of two people.
import { button, make, replace, tell } from "./elements.js";
import { endText, newGameForm, noteLeft, resigning, showClocks, takeUp } from "./match-page.js";
import { Match } from "./match.js";
import { moveList } from "./move-list.js";
import { pictureButton } from "./picture.js";
import { other } from "./position.js";
import { QuantumBoard, moveText, moveTexts } from "./quantum-board.js";
import { quantumLook } from "./rules.js";
import { goFor } from "./strength.js";
import { colorWord, word } from "./words.js";

const HINT = "go nodes 100000";

/**
 * @param {HTMLElement} host
 * @param {import("./engine-client.js").EngineClient} engine
 * @param {() => HTMLElement} menu
 * @param {(record: import("./quantum-record.js").QuantumRecord) => void} openRecord
 */
export function quantumGame(host, engine, menu, openRecord) {
    const match = new Match({
        name: "quantum-game", look: quantumLook, engine, position: (text) => `quantum ${text}`, go: goFor,
        changed: () => show(), failed: () => tell(word("failed")),
        moved: (_, move) => { if (!match.end) tell([moveText(move, other(match.seen.turn)), certain].filter(Boolean).join(" · ")); },
    });
    /** What has become certain by the last change. */
    let certain = "";
    const resign = resigning(match, () => show());
    const place = new QuantumBoard({ text: () => match.text, seen: () => match.seen, mover: () => match.mover, play: (move) => match.play(move) });
    const { board, odds } = place;
    const before = takeUp(match, board);
    let { formShown } = before;
    /** The form of a new game. What somebody has filled in stays while this one goes on. @type {HTMLElement | null} */
    let form = newForm();
    before.choose(form);
    const status = make("p", { class: "status", role: "status" });
    const actions = make("div", { class: "actions" });
    const side = make("div", { class: "side" });
    host.replaceChildren(make("div", { class: "quantum page" }, make("div", { class: "main" }, board.element, status, actions), side));

    function namesOf() {
        const { person } = match.saved;
        const name = (/** @type {"b" | "w"} */ color) => (person === "both" || person === color ? colorWord(color) : `${colorWord(color)} Tsumero`);
        return { b: name("b"), w: name("w") };
    }

    const record = () => ({ root: match.saved.root, moves: match.saved.moves, end: match.end });

    function statusText() {
        if (!match.begun) return word("beforeGame");
        if (match.end) return endText(match.end, match.saved.moves.length);
        if (match.stuck) return word("failed");
        return match.thinking ? word("thinking") : match.saved.person === "both" ? word("turnOf", colorWord(match.seen.turn)) : word("yourTurn");
    }

    async function hint() {
        const { text, changes } = match;
        const answer = await engine.ask(`quantum ${text}`, HINT);
        // An opponent that looks at a few positions does not know what the hint has found.
        engine.say("setoption name ClearHash");
        const move = answer?.split(" ")[1];
        if (changes !== match.changes || answer === null) return;
        if (!move || !match.seen.moves.includes(move)) return tell(word("failed"));
        place.point(move);
        tell(word("hintIs", moveText(move, match.seen.turn)));
    }

    function newForm() {
        // The levels are of ordinary shogi.
        return newGameForm(match.saved, [], false, (person, limit, rate) => {
            formShown = false;
            form = null;
            place.forget();
            match.start({ root: "startpos", person, limit, rate });
            board.focus();
        });
    }

    function show() {
        certain = place.show(match.saved.moves.at(-1), namesOf());
        status.textContent = statusText();
        if (match.end) tell(statusText());
        else if (certain) tell(certain);
        replace(actions,
            ...(match.stuck ? [button("again", () => match.reply(), { class: "primary", id: "again" })] : []),
            button("undo", () => match.undo(), { disabled: !match.mayUndo, id: "undo" }),
            button("hint", hint, { disabled: match.mover === null, id: "hint" }),
            button("flip", () => board.flip(!board.flipped), { id: "flip" }),
            resign.element(),
        );
        const said = moveTexts(match.saved.root, match.saved.moves);
        form ??= newForm();
        const open = make("details", { class: "panel", open: formShown, toggle: (/** @type {Event} */ event) => { formShown = /** @type {HTMLDetailsElement} */ (event.currentTarget).open; } },
            make("summary", {}, word("newGame")), make("p", { class: "note" }, word("quantumHelp")), form);
        const list = make("section", { class: "panel" }, make("h2", {}, word("moves")),
            said.length > 0 ? moveList(said, said.length, (number) => openRecord({ ...record(), at: number })) : make("p", { class: "note" }, word("noMoves")),
            make("div", { class: "actions" },
                button("openRecord", () => openRecord(record()), { id: "open-record", disabled: said.length === 0 }),
                // Not in a running game, as in ordinary shogi.
                ...(match.end ? [pictureButton(board)] : [])));
        replace(side, ...(match.begun ? [odds, menu(), list, open] : [menu(), open, odds]));
        clocks.paint();
    }

    const clocks = showClocks(board, match);
    show();
    match.resume();
    clocks.paint();
    return { leave: () => { noteLeft(match, board, formShown, form); clocks.end(); match.leave(); }, key: () => {} };
}
