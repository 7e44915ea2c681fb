// Analyse: a game from a file, its positions, and what the engine thinks of them.
import { Board } from "./board.js";
import { copy } from "./clipboard.js";
import { button, make, replace, tell } from "./elements.js";
import { GameAnalysis } from "./game-analysis.js";
import { GameFiles } from "./game-files.js";
import { GameTree } from "./game-tree.js";
import { Graph, chance } from "./graph.js";
import { badge } from "./judgments.js";
import { linkTo, setHash } from "./links.js";
import { moveList } from "./move-list.js";
import { addressOf, atEnd, beside, firstGame, keepOpen } from "./open-game.js";
import { pictureButton, saveFile } from "./picture.js";
import { pieceArt } from "./pieces.js";
import { ends, readSfen } from "./position.js";
import { EVEN, handicaps, judge, look, moveNames, writeTree } from "./rules.js";
import { shogiView } from "./shogi-view.js";
import { Tapping } from "./tapping.js";
import { Thinking, scoreText } from "./thinking.js";
import { colorWord, endingWord, setSeats, setSeatsOf, word } from "./words.js";

/** @typedef {import("./open-game.js").Worked} Worked */

/** How far a key steps. @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1, Home: -1e6, End: 1e6 };

/** Whether the players are 下手 and 上手: by the headers, or by a customary start. Reports know any start that lacks White's pieces. @param {GameTree} tree */
function isHandicap({ headers, initial }) {
    const header = new Map(headers);
    const named = header.get("手合割")?.trim();
    // 「その他」 says only that the file has a diagram.
    if (named && named !== "その他") return named !== EVEN;
    return Boolean(header.get("下手")) || handicaps().some(([name, sfen]) => name !== EVEN && sfen === initial);
}

class AnalysePage {
    /**
     * @param {HTMLElement} host
     * @param {import("./engine-client.js").EngineClient} engine
     * @param {import("./game-tree.js").Played | null} given a game to begin with
     */
    constructor(host, engine, given) {
        this.engine = engine;
        const { tree, again } = firstGame(given);
        this.tree = tree;
        this.seen = look(tree.text(tree.current));
        this.analysis = new GameAnalysis(engine.module, { valued: () => this.showChart(), changed: () => this.showRest() });
        if (again) this.analysis.restore(again.known);
        this.thinking = new Thinking(engine, {
            here: () => ({ node: this.tree.current, text: this.text, turn: this.seen.turn, mayDeclare: this.seen.may_declare, isOver: this.seen.end !== null }),
            valued: (node, value) => this.analysis.values.set(node, value),
            heard: () => { this.showLines(); this.showChart(); },
            changed: () => this.show(),
            mates: (move) => this.board.arrows([{ from: ends(move)[0], to: ends(move)[1], rank: 0 }]),
            play: (move) => this.play(move),
        });
        this.ended = new AbortController();
        const { signal } = this.ended;
        /** What was done with the games of the list that are not shown. @type {Map<import("./rules.js").Game, Worked>} */
        this.others = new Map(again?.others);
        this.files = new GameFiles(again?.games ?? [], again?.chosen ?? -1, tree.nodes.length === 1, (game, file, isLinked) => this.take(game, file, isLinked), signal);
        this.board = new Board({ square: (square) => this.tapping.square(square), hand: (color, key) => this.tapping.hand(color, key), drop: (at, square) => this.tapping.drop(at, square) });
        /** @type {Tapping} */
        this.tapping = new Tapping(this.board, {
            moves: () => this.seen.moves,
            mover: () => this.seen.turn,
            judge: (move) => judge(this.text, move),
            play: (move) => this.play(move),
            art: (at, promoted) => pieceArt(readSfen(this.seen.sfen).squares.get(at)?.kind ?? at.slice(2), promoted, this.seen.turn),
        });
        this.status = make("p", { class: "status", role: "status" });
        this.steps = make("div", { class: "actions steps" });
        this.graph = new Graph((ply) => this.go(this.tree.line[ply]));
        this.chart = make("div", { class: "chart", hidden: true }, this.graph.element);
        // The graph is in sight together with the board: below it on a phone, beside it on a wide screen.
        this.isWide = matchMedia("(min-width: 900px)").matches;
        this.better = make("div", {});
        this.lineBox = make("section", { class: "panel lines" }, this.thinking.element, this.better);
        this.judgments = make("section", { class: "panel judgments" });
        this.side = make("div", { class: "side" });
        host.replaceChildren(make("div", { class: "analyse page" }, make("div", { class: "main" }, this.board.element, this.status, this.steps, ...(this.isWide ? [] : [this.chart])), this.side));
        if (again?.flipped) this.board.flip(true);
        this.moved();
        addEventListener("pagehide", () => this.keep(), { signal });
        // A phone may end a page that is out of sight without a further word.
        document.addEventListener("visibilitychange", () => { if (document.hidden) this.keep(); }, { signal });
    }

    /** Opens a file that was dropped. @param {Blob} file */
    drop(file) {
        this.files.openFile(file);
    }

    /** The position that is shown, as the rules and the engine read it. */
    get text() {
        return this.tree.text(this.tree.current);
    }

    /** All that stays of the open game. */
    get open() {
        const { games, chosen } = this.files;
        return { tree: this.tree, games, chosen, others: [...this.others], known: this.analysis.known, flipped: this.board.flipped };
    }

    keep() {
        keepOpen(this.open);
    }

    /**
     * @param {import("./rules.js").Game} game
     * @param {import("./rules.js").Game[] | null} file all games of the file that was opened; they are listed in the place of the others
     * @param {boolean} isLinked at its end
     */
    take(game, file, isLinked) {
        this.tellStop();
        this.engine.cancel();
        const next = isLinked ? atEnd(game) : new GameTree(game);
        const { games, others } = file ? { games: file, others: [] } : beside(this.open, next);
        this.files.offer(games, games.indexOf(game));
        this.others = new Map(others);
        const before = this.others.get(game);
        this.others.delete(game);
        this.tree = before?.tree ?? next;
        this.analysis.forget();
        if (before) this.analysis.restore(before.known);
        this.moved();
        document.getElementById("next")?.focus();
    }

    /** @param {number} node */
    go(node) {
        this.tree.go(node);
        this.moved();
    }

    /** A place in a list was chosen: on a phone, the board may be out of sight there. @param {number} node */
    choose(node) {
        this.go(node);
        this.board.element.scrollIntoView({ block: "nearest" });
    }

    /** @param {string} move */
    play(move) {
        this.tree.play(move);
        this.moved();
    }

    /** Another position is shown. */
    moved() {
        this.seen = look(this.text);
        this.thinking.forget();
        setHash(addressOf(this.tree));
        this.show();
        this.thinking.goOn();
    }

    /** @param {number} by */
    step(by) {
        const { line, current } = this.tree;
        const place = Math.min(Math.max(line.indexOf(current) + by, 0), line.length - 1);
        if (line[place] !== current) this.go(line[place]);
    }

    showLines() {
        const { board, thinking } = this;
        thinking.paint();
        if (thinking.lines.length > 0) board.arrows(thinking.arrows);
    }

    showChart() {
        const { analysis, tree } = this;
        const { line } = tree;
        const shown = line.map((node) => analysis.values.get(node));
        this.chart.hidden = !shown.some(Boolean);
        this.graph.show({ values: shown, current: line.indexOf(tree.current), ...analysis.marks(line) });
        const here = analysis.values.get(tree.current);
        const said = here && (this.seen.may_declare ? word("declaresWin", colorWord(this.seen.turn)) : scoreText(here));
        this.board.evaluate(here ? chance(here) : null, said ?? "");
    }

    showBoard() {
        const { seen, tree } = this;
        const header = new Map(tree.headers);
        // A file may have the headers without names in them.
        setSeatsOf(isHandicap(tree));
        const names = { b: header.get("先手") || header.get("下手") || colorWord("b"), w: header.get("後手") || header.get("上手") || colorWord("w") };
        this.board.show(shogiView(seen.sfen, seen.turn, tree.nodes[tree.current].move ?? undefined, names));
        this.board.arrows([]);
    }

    /** What stands under the board. @param {string[]} said the names of the moves @param {number} ply @param {boolean} isLast */
    showSteps(said, ply, isLast) {
        const { thinking, tree } = this;
        const { end, in_check: inCheck } = this.seen;
        const ending = tree.ending !== null && isLast ? word("ended", endingWord(tree.ending)) : end && word("ended", word(end.why));
        const here = ply === 0 ? word("startOfGame") : `${ply} ${said[ply - 1] ?? ""}`;
        this.status.textContent = [here, ending, inCheck && !end ? word("check") : null].filter(Boolean).join(" · ");
        const stepButton = (/** @type {string} */ name, /** @type {number} */ by, /** @type {boolean} */ disabled, /** @type {string} */ sign) =>
            make("button", { type: "button", id: name, "aria-label": word(name), disabled, click: () => this.step(by) }, sign);
        replace(this.steps,
            stepButton("first", -ply, ply === 0, "|◀"), stepButton("previous", -1, ply === 0, "◀"),
            stepButton("next", 1, isLast, "▶"), stepButton("last", tree.line.length, isLast, "▶|"),
            button(thinking.live ? "stopLive" : "live", () => thinking.toggle(), { id: "live", class: "primary", "aria-pressed": String(thinking.live) }));
    }

    /** The ways on from here, if there are several. The game may end where a branch goes on. */
    branches() {
        const { tree } = this;
        const ways = tree.children(tree.current).map((child) => {
            const { move, ending } = tree.nodes[child];
            const named = move === null ? word("ended", endingWord(ending ?? "")) : moveNames(this.text, [move])[0];
            return make("button", { type: "button", click: () => this.go(child) }, named);
        });
        return ways.length > 1 ? [make("div", { class: "branches" }, make("h3", {}, word("branches")), ...ways)] : [];
    }

    /** What the reader of its file has noticed about the game, in the words of the module. */
    notes() {
        const { notes } = this.tree;
        return notes.length > 0 ? [make("p", { class: "note", id: "file-notes" }, `${word("fileNotes")} `, make("span", { lang: "en" }, notes.join("; ")))] : [];
    }

    /** The panel of moves. @param {string[]} said the names of the moves @param {number} ply @param {boolean} isLast */
    movesPanel(said, ply, isLast) {
        const { analysis, board, seen, tree } = this;
        const { line } = tree;
        const comments = [tree.nodes[tree.current], ...(isLast && tree.lastNode ? [tree.lastNode] : [])].flatMap((node) => node.comments);
        const kif = () => writeTree(tree.game, "kif");
        return make("section", { class: "panel" }, make("h2", {}, word("moves")),
            said.length > 0 ? moveList(said, ply, (number) => this.choose(line[number]), (number) => badge(analysis.before(line[number])?.note ?? null)) : make("p", { class: "note" }, word("noMoves")),
            ...this.notes(), ...this.branches(), ...(comments.length > 0 ? [make("p", { class: "comments" }, comments.join("\n"))] : []),
            make("div", { class: "actions" },
                button("mateSearch", () => this.thinking.mate(), { id: "mate", disabled: seen.end !== null }),
                button("flip", () => board.flip(!board.flipped), { id: "flip" }),
                button("copyKif", () => copy(kif()), { id: "copy-kif" }),
                button("saveKif", () => saveFile(new Blob([kif()], { type: "text/plain" }), "game.kifu"), { id: "save-kif" }),
                button("copySfen", () => copy(seen.sfen), { id: "copy-sfen" }),
                button("copyLink", () => copy(linkTo(addressOf(this.tree))), { id: "copy-link" }), pictureButton(board)));
    }

    show() {
        this.showBoard();
        this.showRest();
    }

    /** Everything but the board, on which a question may be open. */
    showRest() {
        const { analysis, tree } = this;
        const { line } = tree;
        const ply = line.indexOf(tree.current);
        const isLast = ply === line.length - 1;
        const said = moveNames(tree.root, tree.moves(tree.tip));
        this.showSteps(said, ply, isLast);
        this.showChart();
        this.showLines();
        replace(this.better, ...analysis.explained(tree.current, (better, move) => { tree.go(analysis.line[better]); this.play(move); }));
        const list = this.movesPanel(said, ply, isLast);
        const files = this.files.panel();
        analysis.panel(this.judgments, tree, (chosen) => this.choose(analysis.line[chosen]));
        replace(this.side, ...(this.isWide ? [this.chart] : []), ...(tree.nodes.length > 1 ? [this.lineBox, this.judgments, list, files] : [files, this.lineBox, list]));
    }

    /** The analysis of the whole game ends with its game, or with the page. */
    tellStop() {
        if (this.analysis.running) tell(word("wholeStopped"));
    }

    leave() {
        this.keep();
        this.ended.abort();
        this.thinking.end();
        this.tellStop();
        this.analysis.stop();
        this.engine.cancel();
        setSeats();
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        if (STEPS[event.key] === undefined) return;
        event.preventDefault();
        this.step(STEPS[event.key]);
    }
}

/**
 * @param {HTMLElement} host
 * @param {import("./engine-client.js").EngineClient} engine
 * @param {import("./game-tree.js").Played | null} given a game to begin with
 */
export const analysePage = (host, engine, given) => new AnalysePage(host, engine, given);
