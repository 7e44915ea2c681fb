// Play: a game of shogi against the engine.
import { Board } from "./board.js";
import { button, choice, make, replace, tell } from "./elements.js";
import { SHORTEST, forgetGame, gameList, keepGame, keptGames } from "./game-list.js";
import { endText, newGameForm, noteLeft, resigning, showClocks, takeUp } from "./match-page.js";
import { Match } from "./match.js";
import { moveList } from "./move-list.js";
import { pieceArt } from "./pieces.js";
import { ends, readSfen } from "./position.js";
import { EVEN, handicaps, judge, look, moveNames } from "./rules.js";
import { shogiView } from "./shogi-view.js";
import { goFor, optionsFor } from "./strength.js";
import { Tapping } from "./tapping.js";
import { colorWord, handicapWord, setSeats, setSeatsOf, word } from "./words.js";

/** How games end here, in the words of game files. @type {Record<string, string>} */
const ENDINGS = { resignation: "resign", checkmate: "mate", repetition: "repetition", declaration: "declaration", timeout: "timeout" };
/** A moment as game files have it. @param {Date} date */
function dateText(date) {
    const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
    return `${date.getFullYear()}/${two(date.getMonth() + 1)}/${two(date.getDate())} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
}

/** The positions that a hint looks at. */
const HINT = "go nodes 200000";

/**
 * @param {HTMLElement} host
 * @param {import("./engine-client.js").EngineClient} engine
 * @param {(played: import("./game-tree.js").Played) => void} analyse
 */
export function playPage(host, engine, analyse) {
    let starts = new Map(handicaps());
    const match = new Match({
        name: "shogi-game", look, engine, position: (text) => text, go: goFor, options: optionsFor,
        over: putOnList, changed: () => show(), failed: () => tell(word("failed")),
        // Also of the engine's moves: a screen reader does not see them.
        moved: (text, move) => tell(match.end ? endText(match.end, match.saved.moves.length) : moveNames(text, [move])[0]),
    });
    /** @type {Tapping} */
    let tapping;
    const board = new Board({ square: (square) => tapping.square(square), hand: (color, key) => tapping.hand(color, key), drop: (at, square) => tapping.drop(at, square) });
    tapping = new Tapping(board, {
        moves: () => match.seen.moves,
        mover: () => match.mover,
        judge: (move) => judge(match.text, move),
        play: (move) => match.play(move),
        art: (at, promoted) => pieceArt(readSfen(match.seen.sfen).squares.get(at)?.kind ?? at.slice(2), promoted, match.seen.turn),
    });
    const status = make("p", { class: "status", role: "status" });
    const actions = make("div", { class: "actions" });
    const side = make("div", { class: "side" });
    const list = make("section", { class: "panel" });
    host.replaceChildren(make("div", { class: "play page" }, make("div", { class: "main" }, board.element, status, actions), side));
    const resign = resigning(match, () => show());
    const before = takeUp(match, board);
    let { formShown } = before;
    /** @type {ReturnType<typeof choice>} */
    let handicap;
    /** The form of a new game. What somebody has filled in stays while this one goes on. @type {HTMLElement | null} */
    let form = newForm();
    before.choose(form);
    let listShown = false;

    /**
     * Puts the game on the list, in the place of an end of it that was taken back. If nothing was played since then, that end stays.
     * @param {import("./match.js").Saved} saved
     * @param {import("./match.js").End | null} end
     */
    function putOnList(saved, end) {
        const { moves, listed } = saved;
        if (moves.length < SHORTEST) return;
        const before = keptGames().find(({ date }) => date === listed);
        if (before && end === null && moves.every((move, at) => move === before.moves[at])) return;
        if (listed !== undefined) forgetGame(listed);
        saved.listed = Date.now();
        keepGame({ ...played(), date: saved.listed, ...namesOf(), result: end ? endText(end, moves.length) : "" });
    }

    /** The game as game files have it. A person has no name. */
    function played() {
        const { root, moves, person, started } = match.saved;
        const [b, w] = root === "startpos" ? ["先手", "後手"] : ["下手", "上手"];
        /** @type {[string, string][]} */
        const headers = [];
        if (started !== undefined) headers.push(["開始日時", dateText(new Date(started))]);
        if (person !== "both") headers.push([person === "b" ? w : b, engineName()]);
        return { root, moves, headers, ending: ending() };
    }

    function ending() {
        const { end, seen } = match;
        // Who gives check again and again breaks a rule.
        if (end?.why === "perpetual check") return end.winner === seen.turn ? "foul_win" : "foul_loss";
        return end && Object.hasOwn(ENDINGS, end.why) ? ENDINGS[end.why] : null;
    }

    /** @returns {{ b: string, w: string }} */
    function namesOf() {
        const { person } = match.saved;
        const name = (/** @type {"b" | "w"} */ color) => {
            const seat = colorWord(color);
            return person === "both" || person === color ? seat : `${seat} ${engineName()}`;
        };
        return { b: name("b"), w: name("w") };
    }

    function engineName() {
        const [kind, level] = match.saved.limit.split(" ");
        return kind === "level" ? `Tsumero ${word("level", level)}` : "Tsumero";
    }

    function statusText() {
        if (!match.begun) return word("beforeGame");
        if (match.end) return endText(match.end, match.saved.moves.length);
        if (match.stuck) return word("failed");
        const turn = match.thinking ? word("thinking") : match.saved.person === "both" ? word("turnOf", namesOf()[match.seen.turn]) : word("yourTurn");
        return match.seen.in_check ? `${word("check")} · ${turn}` : turn;
    }

    async function hint() {
        const { text, changes } = match;
        const answer = await engine.ask(text, HINT, undefined, [["MultiPV", "1"]]);
        const move = answer?.split(" ")[1];
        if (changes !== match.changes || answer === null) return;
        if (move === "win" && match.seen.may_declare) return tell(word("hintIs", word("declare")));
        if (!move || !match.seen.moves.includes(move)) return tell(word("failed"));
        const [from, to] = ends(move);
        board.arrows([{ from, to, rank: 0 }]);
        tell(word("hintIs", moveNames(text, [move])[0]));
    }

    /** The handicap of the game that is shown. */
    function handicapBefore() {
        const [name] = [...starts].find(([, sfen]) => match.saved.root === `sfen ${sfen}`) ?? [EVEN];
        return name;
    }

    function newForm() {
        handicap = choice("handicap", [...starts.keys()].map((name) => [name, handicapWord(name)]), handicapBefore());
        handicap.select.id = "handicap";
        return newGameForm(match.saved, [handicap.label], engine.hasLevels, (person, limit, rate) => start(person, limit, rate, handicap.select.value));
    }

    function start(/** @type {"b" | "w" | "both"} */ person, /** @type {string} */ limit, /** @type {import("./clock.js").Rate} */ rate, /** @type {string} */ handicap) {
        formShown = false;
        form = null;
        const root = handicap === EVEN ? "startpos" : `sfen ${starts.get(handicap)}`;
        match.start({ root, person, limit, rate });
        board.focus();
        tell(statusText());
    }

    function show() {
        setSeatsOf(match.saved.root !== "startpos");
        board.show({ ...shogiView(match.seen.sfen, match.seen.turn, match.saved.moves.at(-1), namesOf()), isFixed: match.mover === null });
        board.arrows([]);
        showActions();
        showSide();
    }

    /** What stands under the board. */
    function showActions() {
        status.textContent = statusText();
        replace(actions,
            ...(match.stuck ? [button("again", () => match.reply(), { class: "primary", id: "again" })] : []),
            button("undo", () => match.undo(), { disabled: !match.mayUndo, id: "undo" }),
            button("hint", hint, { disabled: match.mover === null, id: "hint" }),
            ...(match.seen.may_declare && match.mover !== null ? [button("declare", () => match.finish({ why: "declaration", winner: match.seen.turn }))] : []),
            button("flip", () => board.flip(!board.flipped), { id: "flip" }),
            resign.element(),
        );
    }

    function showMoves() {
        const said = moveNames(match.saved.root, match.saved.moves);
        replace(list, make("h2", {}, word("moves")),
            said.length > 0 ? moveList(said, said.length, (at) => analyse({ ...played(), at })) : make("p", { class: "note" }, word("noMoves")),
            ...(said.length > 0 ? [button("toAnalysis", () => analyse(played()), { class: match.end ? "primary" : "" })] : []));
    }

    /** What stands beside the board. */
    function showSide() {
        showMoves();
        form ??= newForm();
        const open = make("details", { class: "panel", open: formShown || !match.begun, toggle: (/** @type {Event} */ event) => { formShown = /** @type {HTMLDetailsElement} */ (event.currentTarget).open; } },
            make("summary", {}, word("newGame")), form);
        const games = gameList(listShown, (isOpen) => { listShown = isOpen; }, analyse, show);
        replace(side, ...(match.begun ? [list, open, games] : [open, list, games]));
        clocks.paint();
    }

    /** The module is there: it knows handicaps, repetition and declaration. A form that somebody fills in gets its further choices alone. */
    function loaded() {
        starts = new Map(handicaps());
        const { select } = handicap;
        const there = [...select.options].map(({ value }) => value);
        select.append(...[...starts.keys()].filter((name) => !there.includes(name)).map((name) => make("option", { value: name }, handicapWord(name))));
        // It could not be chosen before.
        if (!there.includes(handicapBefore()) && select.value === EVEN) select.value = handicapBefore();
        match.lookAgain();
        showActions();
        showMoves();
    }

    const clocks = showClocks(board, match);
    show();
    match.resume();
    clocks.paint();
    return { leave: () => { noteLeft(match, board, formShown, form); clocks.end(); match.leave(); setSeats(); }, key: () => {}, loaded };
}
