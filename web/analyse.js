// Analyse: a game from a file, its positions, and what the engine thinks of them.
import { Board } from "./board.js";
import { copy } from "./clipboard.js";
import { button, make, replace, tell } from "./elements.js";
import { readInfo } from "./engine-client.js";
import { GameAnalysis } from "./game-analysis.js";
import { GameTree } from "./game-tree.js";
import { Graph, chance, valueText } from "./graph.js";
import { badge } from "./judgments.js";
import { decoded } from "./links.js";
import { keepInTab, keptInTab } from "./memory.js";
import { moveList } from "./move-list.js";
import { pictureButton, saveFile } from "./picture.js";
import { pieceArt } from "./pieces.js";
import { ends, readSfen } from "./position.js";
import { judge, look, moveNames, readGames, writeTree } from "./rules.js";
import { shogiView } from "./shogi-view.js";
import { Tapping } from "./tapping.js";
import { colorWord, countWord, endingWord, word } from "./words.js";

/** @typedef {import("./engine-client.js").Line} Line */
/** @typedef {import("./rules.js").Game} Game */

/** The longest search for a mate, in milliseconds. */
const MATE_TIME = 10_000;
const LINES = 3;
/** The name of the game that stays open. */
const NAME = "analyzed";
/** What is said of an answer to `go mate` without moves. @type {Record<string, string>} */
const NO_MATES = { nomate: "noMate", timeout: "mateUnknown", notimplemented: "mateUnknown" };

/** The value of a line from Black's side. @param {Line} line @param {"b" | "w"} turn @returns {import("./graph.js").Value} */
function valueOf({ cp, mate }, turn) {
    const sign = turn === "b" ? 1 : -1;
    return { cp: cp === null ? null : sign * cp, mate: mate === null ? null : sign * mate };
}

/** A value in words, from Black's side as Japanese programs show it. @param {import("./graph.js").Value} value */
function scoreText(value) {
    if (value.mate === null) return valueText(value);
    return word("advantage", word("mateScore", Math.abs(value.mate)), colorWord(value.winner ?? (value.mate > 0 ? "b" : "w")));
}

/** The address of a position of a game. @param {GameTree} tree */
const addressOf = (tree) => `#analyse=${tree.text(tree.current).replaceAll(" ", "_")}`;

/** The game of a link, at its end. Null, with a word to the person, if the link has none. @param {string | null} text behind the sign of equality */
function linked(text) {
    const [game] = text ? readGames(new TextEncoder().encode(`position ${text}`)).games : [];
    if (!game || "reason" in game) {
        tell([word("badLink"), game?.reason].filter(Boolean).join(": "));
        return null;
    }
    const tree = new GameTree(game);
    tree.go(tree.tip);
    return tree;
}

/** The game that was open when the page was left, with the place in it. Null if none was, or if it is none. */
function left() {
    const kept = keptInTab(NAME);
    // If another version of the page has kept what this one cannot show, it is tried only once.
    keepInTab(NAME, null);
    try {
        const { game, current, tip, games, known, flipped } = kept;
        const tree = new GameTree(game);
        Object.assign(tree, { current, tip });
        look(tree.text(current));
        return { tree, games: /** @type {Game[]} */ ([...games]), known: { data: known.data, line: [...known.line], values: [...known.values] }, flipped: flipped === true };
    } catch {
        return null;
    }
}

/** A game that was played here, at its end. Null, with a word to the person, if it is none. @param {import("./game-tree.js").Played} given */
function played(given) {
    const tree = GameTree.of(given);
    tree.go(tree.tip);
    try {
        look(tree.text(tree.tip));
        return tree;
    } catch (error) {
        tell(String(error));
        return null;
    }
}

/**
 * @param {HTMLElement} host
 * @param {import("./engine-client.js").EngineClient} engine
 * @param {import("./game-tree.js").Played | null} given a game to begin with
 */
export function analysePage(host, engine, given) {
    const asked = decoded(location.hash.replace(/^#analyse=?/, ""))?.replaceAll("_", " ") ?? null;
    const before = left();
    // The address of the game that was open leads to it; another address to another game.
    const isBefore = asked === "" || (before !== null && asked === before.tree.text(before.tree.current));
    const other = given ? played(given) : isBefore ? null : linked(asked);
    const again = other ? null : before;
    /** @type {Game[]} */
    let games = again?.games ?? [];
    let tree = other ?? again?.tree ?? GameTree.of({ root: "startpos", moves: [] });
    let seen = look(tree.text(tree.current));
    const analysis = new GameAnalysis(engine.module, { valued: () => showChart(), changed: () => show() });
    if (again) analysis.restore(again.known);
    /** @type {Line[]} */
    let lines = [];
    let live = false;
    let opened = tree.nodes.length === 1;
    let mateText = "";
    /** Later questions make the answer to a search for a mate void. */
    let sought = 0;
    /** @type {Tapping} */
    let tapping;
    const board = new Board({ square: (square) => tapping.square(square), hand: (color, key) => tapping.hand(color, key), drop: (at, square) => tapping.drop(at, square) });
    tapping = new Tapping(board, {
        moves: () => seen.moves,
        mover: () => seen.turn,
        judge: (move) => judge(tree.text(tree.current), move),
        play: (move) => { tree.play(move); moved(); },
        art: (at, promoted) => pieceArt(readSfen(seen.sfen).squares.get(at)?.kind ?? at.slice(2), promoted, seen.turn),
    });
    const status = make("p", { class: "status", role: "status" });
    const steps = make("div", { class: "actions steps" });
    const graph = new Graph((ply) => { tree.go(tree.line[ply]); moved(); });
    const chart = make("div", { class: "chart", hidden: true }, graph.element);
    // The graph is in sight together with the board: below it on a phone, beside it on a wide screen.
    const isWide = matchMedia("(min-width: 900px)").matches;
    const lineBox = make("section", { class: "panel lines" });
    const judgments = make("section", { class: "panel judgments" });
    const side = make("div", { class: "side" });
    host.replaceChildren(make("div", { class: "analyse page" }, make("div", { class: "main" }, board.element, status, steps, ...(isWide ? [] : [chart])), side));
    const drop = make("textarea", { id: "paste", rows: "4", spellcheck: "false", autocomplete: "off" });
    const file = make("input", { type: "file", id: "file", accept: ".kif,.kifu,.ki2,.ki2u,.csa,.jkf,.json,.sfen,.usi,.txt", change: () => { const chosen = file.files?.[0]; if (chosen) openFile(chosen); } });
    const ended = new AbortController();
    const { signal } = ended;
    // The whole window takes files. Where it did not, the browser would leave the page for the file.
    document.addEventListener("dragover", (event) => event.preventDefault(), { signal });
    document.addEventListener("drop", (event) => {
        event.preventDefault();
        const dropped = event.dataTransfer?.files[0];
        if (dropped) openFile(dropped);
        else open(new TextEncoder().encode(event.dataTransfer?.getData("text") ?? ""));
    }, { signal });

    const keep = () => keepInTab(NAME, { game: tree.game, current: tree.current, tip: tree.tip, games, known: analysis.known, flipped: board.flipped });

    /** @param {File} chosen */
    async function openFile(chosen) {
        const bytes = new Uint8Array(await chosen.arrayBuffer());
        // The same file may be chosen again after it has changed.
        file.value = "";
        if (!signal.aborted) open(bytes);
    }

    /** @param {Uint8Array} bytes */
    function open(bytes) {
        const read = readGames(bytes);
        const bad = read.games.find((game) => "reason" in game);
        const good = read.games.flatMap((game) => ("reason" in game ? [] : [game]));
        if (bad && "reason" in bad) tell(word("line", bad.line, bad.reason));
        else if (good.length === 0) tell(word("noGameThere"));
        // What is no game leaves those that are open.
        if (good.length === 0) return;
        games = good;
        take(games[0]);
    }

    /** @param {import("./rules.js").Game} game */
    function take(game) {
        engine.cancel();
        tree = new GameTree(game);
        analysis.forget();
        opened = false;
        moved();
        document.getElementById("next")?.focus();
    }

    /** Another position is shown. */
    function moved() {
        const text = tree.text(tree.current);
        seen = look(text);
        lines = [];
        mateText = "";
        sought += 1;
        history.replaceState(null, "", addressOf(tree));
        show();
        if (live) think();
    }

    let painting = 0;
    /** The number of the latest question; what is heard to earlier ones is of another position or game. */
    let thought = 0;
    async function think() {
        thought += 1;
        const mine = thought;
        const node = tree.current;
        const turn = seen.turn;
        if (seen.end) {
            // The search of the position before would go on unseen.
            engine.cancel();
            return showLines();
        }
        /** @type {Map<number, Line>} */
        const latest = new Map();
        const answer = await engine.ask(tree.text(node), "go infinite", (said) => {
            const line = readInfo(said);
            if (!line || line.bound || !live || mine !== thought) return;
            latest.set(line.number, line);
            if (line.number === 1) analysis.values.set(node, valueOf(line, turn));
            if (painting) return;
            painting = requestAnimationFrame(() => {
                painting = 0;
                if (!live || mine !== thought) return;
                lines = [...latest.values()].sort((a, b) => a.number - b.number);
                showLines();
                showChart();
            });
        }, [["MultiPV", String(LINES)]]);
        if (answer === null || !live || mine !== thought) return;
        // Nobody has stopped it: the engine has failed.
        live = false;
        show();
        tell(word("failed"));
    }

    async function mate() {
        live = false;
        sought += 1;
        const mine = sought;
        mateText = "";
        show();
        const text = tree.text(tree.current);
        const started = performance.now();
        const answer = await engine.ask(text, `go mate ${MATE_TIME}`, undefined, [["MultiPV", "1"]]);
        if (mine !== sought || answer === null) return;
        const [kind, ...words] = answer.split(" ");
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        const none = kind === "checkmate" ? NO_MATES[words[0]] : "failed";
        mateText = none ? word(none) : word("mateIn", words.length, seconds, moveNames(text, words).join(" "));
        tell(mateText);
        showLines();
        if (none) return;
        const [from, to] = ends(words[0]);
        board.arrows([{ from, to, rank: 0 }]);
    }

    function toggle() {
        sought += 1;
        live = !live;
        if (live) think();
        else engine.cancel();
        show();
    }

    /** @param {number} by */
    function step(by) {
        const { line } = tree;
        const place = Math.min(Math.max(line.indexOf(tree.current) + by, 0), line.length - 1);
        if (line[place] === tree.current) return;
        tree.go(line[place]);
        moved();
    }

    function showLines() {
        const text = tree.text(tree.current);
        const items = lines.map((line) => {
            const said = moveNames(text, line.moves.slice(0, 12)).join(" ");
            const go = () => { tree.play(line.moves[0]); moved(); };
            return make("li", {}, make("button", { type: "button", click: go, id: `line-${line.number}` }, make("b", {}, scoreText(valueOf(line, seen.turn))), ` ${said}`));
        });
        const [best] = lines;
        replace(lineBox, make("h2", {}, word("lines")),
            ...(best ? [make("ol", { class: "pv" }, ...items), make("p", { class: "note" }, word("depth", best.depth, countWord(best.nodes), countWord(best.nps)))] : mateText ? [] : [make("p", { class: "note" }, word("linesHelp"))]),
            ...(mateText ? [make("p", { class: "mate" }, mateText)] : []),
            ...analysis.explained(tree.current, (ply, move) => { tree.go(analysis.line[ply]); tree.play(move); moved(); }));
        if (lines.length > 0) {
            board.arrows(lines.filter((line) => line.moves.length > 0).map((line) => {
                const [from, to] = ends(line.moves[0]);
                return { from, to, rank: line.number - 1 };
            }));
        }
    }

    function showChart() {
        const { line } = tree;
        const shown = line.map((node) => analysis.values.get(node));
        chart.hidden = !shown.some(Boolean);
        graph.show({ values: shown, current: line.indexOf(tree.current), ...analysis.marks(line) });
        const here = analysis.values.get(tree.current);
        board.evaluate(here ? chance(here) : null, here ? scoreText(here) : "");
    }

    const kif = () => writeTree(tree.game, "kif");

    const save = () => saveFile(new Blob([kif()], { type: "text/plain" }), "game.kifu");

    function show() {
        const header = new Map(tree.headers);
        // A file may have the headers without names in them.
        const names = { b: header.get("先手") || header.get("下手") || word("black"), w: header.get("後手") || header.get("上手") || word("white") };
        const { line } = tree;
        const ply = line.indexOf(tree.current);
        const isLast = ply === line.length - 1;
        board.show(shogiView(seen.sfen, seen.turn, tree.nodes[tree.current].move ?? undefined, names));
        board.arrows([]);
        const said = moveNames(tree.root, tree.moves(tree.tip));
        const ending = tree.ending !== null && isLast ? word("ended", endingWord(tree.ending)) : null;
        const here = ply === 0 ? word("startOfGame") : `${ply} ${said[ply - 1] ?? ""}`;
        status.textContent = [here, ending, seen.in_check ? word("check") : null].filter(Boolean).join(" · ");
        replace(steps,
            make("button", { type: "button", id: "first", "aria-label": word("first"), disabled: ply === 0, click: () => step(-ply) }, "|◀"),
            make("button", { type: "button", id: "previous", "aria-label": word("previous"), disabled: ply === 0, click: () => step(-1) }, "◀"),
            make("button", { type: "button", id: "next", "aria-label": word("next"), disabled: isLast, click: () => step(1) }, "▶"),
            make("button", { type: "button", id: "last", "aria-label": word("last"), disabled: isLast, click: () => step(line.length) }, "▶|"),
            button(live ? "stopLive" : "live", toggle, { id: "live", class: "primary", "aria-pressed": String(live) }));
        showChart();
        showLines();
        // The game may end where a branch goes on.
        const ways = tree.children(tree.current).map((child) => {
            const { move, ending } = tree.nodes[child];
            const named = move === null ? word("ended", endingWord(ending ?? "")) : moveNames(tree.text(tree.current), [move])[0];
            return make("button", { type: "button", click: () => { tree.go(child); moved(); } }, named);
        });
        const branches = ways.length > 1 ? [make("div", { class: "branches" }, make("h3", {}, word("branches")), ...ways)] : [];
        const comments = [tree.nodes[tree.current], ...(isLast && tree.lastNode ? [tree.lastNode] : [])].flatMap((node) => node.comments);
        const list = make("section", { class: "panel" }, make("h2", {}, word("moves")),
            said.length > 0 ? moveList(said, ply, (number) => { tree.go(line[number]); moved(); }, (number) => badge(analysis.before(line[number])?.note ?? null)) : make("p", { class: "note" }, word("noMoves")),
            ...branches, ...(comments.length > 0 ? [make("p", { class: "comments" }, comments.join("\n"))] : []),
            make("div", { class: "actions" },
                button("mateSearch", mate, { id: "mate", disabled: seen.end !== null }),
                button("flip", () => board.flip(!board.flipped), { id: "flip" }),
                button("copyKif", () => copy(kif()), { id: "copy-kif" }),
                button("saveKif", save, { id: "save-kif" }),
                button("copySfen", () => copy(seen.sfen), { id: "copy-sfen" }),
                button("copyLink", () => copy(location.href), { id: "copy-link" }), pictureButton(board)));
        const several = games.length > 1
            ? [make("div", { class: "branches", role: "group", "aria-label": word("games") }, ...games.map((game, number) => make("button", { type: "button", click: () => take(game) }, word("gameOf", number + 1))))]
            : [];
        const openPanel = make("details", { class: "panel", open: opened, toggle: (/** @type {Event} */ event) => { opened = /** @type {HTMLDetailsElement} */ (event.currentTarget).open; } },
            make("summary", {}, word("open")), make("label", { for: "paste", class: "note" }, word("openHelp")), drop,
            make("div", { class: "actions" }, button("read", () => open(new TextEncoder().encode(drop.value)), { id: "read", class: "primary" }),
                make("label", { class: "button", for: "file" }, word("chooseFile")), file), ...several);
        analysis.panel(judgments, tree, (chosen) => { tree.go(analysis.line[chosen]); moved(); });
        replace(side, ...(isWide ? [chart] : []), ...(tree.nodes.length > 1 ? [lineBox, judgments, list, openPanel] : [openPanel, lineBox, list]));
    }

    if (again?.flipped) board.flip(true);
    moved();
    addEventListener("pagehide", keep, { signal });
    // A phone may end a page that is out of sight without a further word.
    document.addEventListener("visibilitychange", () => { if (document.hidden) keep(); }, { signal });
    return {
        leave: () => { keep(); ended.abort(); live = false; sought += 1; analysis.stop(); engine.cancel(); },
        /** @param {KeyboardEvent} event */
        key: (event) => {
            /** @type {Record<string, number>} */
            const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1, Home: -1e6, End: 1e6 };
            if (by[event.key] === undefined) return;
            event.preventDefault();
            step(by[event.key]);
        },
    };
}
