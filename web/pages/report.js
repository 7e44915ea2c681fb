// The report: shows analyzed games, and handles keys, taps and buttons.
import { Board, rankNames } from "../board.js";
import { copy } from "../clipboard.js";
import { button, make, replace, tell } from "../elements.js";
import { Graph, chance, valueText } from "../graph.js";
import { badge, badges, lossNote, mistakeList, totals } from "../judgments.js";
import { linkTo, shownHash } from "../links.js";
import { markMove, moveList } from "../move-list.js";
import { drawLetters } from "../pieces.js";
import { ends, writeSfen } from "../position.js";
import { shogiView } from "../shogi-view.js";
import { timeText } from "../clock.js";
import { colorWord, setSeatsOf, word } from "../words.js";
import { Drill } from "./drill.js";
import { ReportGame, spoken, valueOf } from "../report-game.js";
import { DATA, askedNumber, header, readSettings, setAddress } from "./settings.js";
import "./report-words.js";

/** @typedef {import("../report-game.js").Line} Line */

/** @type {ReportGame[]} */
const games = DATA.games.map((/** @type {import("../report-game.js").PageGame} */ game) => new ReportGame(game));
let game = games[0];
let ply = 0;
/** The line beside the game that is shown. @type {Line | null} */
let line = null;
let byValue = false;
/** On a wide window the lines are always in sight, and the other panels are tabs. */
const wide = matchMedia("(min-width: 900px)");
let tab = "explained";

const view = /** @type {HTMLElement} */ (document.getElementById("view"));
const board = new Board({ square: (square) => drill.tapping.square(square), hand: (color, key) => drill.tapping.hand(color, key), drop: (at, square) => drill.tapping.drop(at, square) });
/** @type {Drill} */
const drill = new Drill(board, () => { line = null; if (drill.running) ply = drill.ply; showAll(); }, enter);
const graph = new Graph((chosen) => goTo(chosen));
const status = make("p", { class: "status", role: "status" });
const steps = make("div", { class: "actions steps" });
const chart = make("div", { class: "chart" }, graph.element);
const explained = make("section", { class: "panel explained", id: "panel-explained" });
const panels = make("div", { class: "panels" });
const tabs = make("div", { role: "tablist", class: "tabs" });
const side = make("div", { class: "side" });
const foot = make("footer", {});
/** @type {HTMLElement} */
let list = make("ol");
view.append(make("div", { class: "report page" }, make("div", { class: "main" }, board.element, status, chart, steps), side), foot);

/** @param {number} chosen */
function goTo(chosen) {
    if (drill.running) return;
    ply = Math.min(Math.max(chosen, 0), game.last);
    line = null;
    show();
}

/** One step along the game, or along the line that is shown. A step back from its first move leaves the line. @param {number} by */
function step(by) {
    if (line) {
        const at = Math.min(line.moves.length, line.step + by);
        if (at < 1) {
            ply = line.from;
            line = null;
        } else {
            line = { ...line, step: at };
        }
        show();
    } else {
        goTo(ply + by);
    }
}

/** @param {Line} entered */
function enter(entered) {
    line = entered;
    show();
}

function nextMistake() {
    const next = game.nextMistake(ply);
    if (next === null) return tell(word("noMore"));
    if (drill.running) return;
    tab = wide.matches ? tab : "explained";
    goTo(next);
    const { note } = game.positions[next - 1];
    tell([next, spoken(game.positions[next - 1].move), note && word(note)].filter(Boolean).join(" "));
}

/** @param {import("../graph.js").Value} value */
const longValue = (value) => (value.winner ? ReportGame.long(value, colorWord(value.winner)) : valueText(value));

/** What the shown position is worth; a win by declaration is no mate. @param {import("../graph.js").Value} value */
const worthText = (value) => (!line && value.winner && game.declares(ply) ? word("declaresWin", colorWord(value.winner)) : longValue(value));

/** Black's win rate in words, and as short as a phone needs it: the style shows one of them. @param {number} share */
function rates(share) {
    const percent = Math.round(100 * share);
    return [make("span", { class: "rate" }, word("winRate", colorWord("b"), percent)), make("span", { class: "short rate" }, `☗${percent}%`)];
}

/** A line as text. Some lines are joined anew each time that they are shown. @param {Line} given */
const lineText = ({ from, name, moves }) => [from, name, ...moves.map(({ usi }) => usi)].join(" ");

/** The moves of a line as buttons that step through it. @param {Line} given @param {string} id */
function walk(given, id) {
    return given.moves.map((move, at) => {
        const isHere = line !== null && lineText(line) === lineText(given) && line.step === at + 1;
        const entry = make("button", { type: "button", class: "move", id: `${id}-${at}`, click: () => enter({ ...given, step: at + 1 }) }, spoken(move));
        if (isHere) entry.setAttribute("aria-current", "step");
        return entry;
    });
}

/** @param {Line} given @param {string} id @param {string} title */
const row = (given, id, title) => make("li", { class: given.name }, make("b", {}, title), make("span", { class: "walk" }, ...walk(given, id)));

function showExplained() {
    const here = game.positions[ply];
    // A drill explains the mistake, which leads on from its position.
    const told = drill.running ? ply + 1 : ply;
    const before = game.positions[told - 1];
    const value = line ? ReportGame.worth(line) : valueOf(here);
    /** @type {HTMLElement[]} */
    const parts = value === null ? [] : [make("p", { class: "value" }, make("strong", {}, worthText(value)), ...rates(chance(value)))];
    if (before?.move) {
        const used = before.time ? [make("span", { class: "note" }, word("used", timeText(before.time / 1000)))] : [];
        parts.push(make("p", { class: "said" }, make("b", {}, `${told} ${spoken(before.move)}`), ...badges(before), ...used, ...lossNote(before)));
        const given = game.explanations(told);
        if (given.length > 0) parts.push(make("ul", { class: "compared" }, ...given.map((one, number) => row(one, `why-${number}`, `${word(one.name)} ${one.value ? valueText(one.value) : ""}`))));
    }
    const lines = game.lines(ply);
    if (lines.length > 0) parts.push(make("h2", {}, word("lines")), make("ol", { class: "walks" }, ...lines.map((one, number) => row(one, `line-${number}`, one.value ? valueText(one.value) : ""))));
    const branches = game.branches(ply);
    if (branches.length > 0) parts.push(make("h2", {}, word("branches")), make("ol", { class: "walks" }, ...branches.map((one, number) => row(one, `branch-${number}`, word("branch")))));
    if (game.data.rough) parts.push(make("p", { class: "note" }, word("rough")));
    const { comments } = game.positions[told];
    if (comments?.length) parts.push(make("p", { class: "comments" }, comments.join("\n")));
    const inLine = line && !drill.running ? [button("back", () => { ply = line?.from ?? ply; line = null; show(); }, { id: "leave-line" })] : [];
    replace(explained, ...parts, ...inLine);
    // On a phone a line is one row, in which the move that is shown comes into sight.
    const shown = explained.querySelector(".walk [aria-current]");
    const walked = shown?.parentElement;
    if (shown && walked) walked.scrollLeft += shown.getBoundingClientRect().left - walked.getBoundingClientRect().left - walked.clientWidth / 3;
    view.querySelector(".page")?.classList.toggle("in-line", line !== null);
}

/** Everything that depends on the step. */
function show() {
    const { position, last } = game.board(ply, line);
    const names = { b: game.player("b"), w: game.player("w") };
    // Outside of a drill, what is drawn over the board is a step.
    board.show({ ...shogiView(writeSfen(position), position.turn, last, names), isFixed: !drill.running || !drill.open });
    const here = game.positions[ply];
    const value = line ? ReportGame.worth(line) : valueOf(here);
    const isAsking = drill.running && drill.open;
    board.evaluate(isAsking || value === null ? null : chance(value), value === null ? "" : worthText(value));
    /** @type {import("../board.js").Arrow[]} */
    const arrows = [];
    const arrow = (/** @type {string | undefined} */ usi, played = false) => {
        if (!usi || arrows.some(({ from, to }) => `${from}${to}` === `${ends(usi)[0]}${ends(usi)[1]}`)) return;
        const [from, to] = ends(usi);
        arrows.push({ from, to, rank: 0, played });
    };
    if (line) arrow(line.moves[line.step]?.usi);
    else if (!isAsking) {
        arrow((here.missed_mate ?? here.lines[0]?.moves)?.[0]?.usi);
        arrow(here.move?.usi, true);
    }
    board.arrows(arrows);
    status.textContent = drill.running && !line ? drill.said : line ? word("lineAt", word(line.name), line.step, line.moves.length) : `${word("plyAt", ply, game.last)} ${ply > 0 ? spoken(game.positions[ply - 1].move) : word("startOfGame")}`;
    const [isFirst, isLast] = [line === null && ply === 0, line ? line.step === line.moves.length : ply === game.last];
    // A drill leaves its position only in a line.
    const stuck = drill.running && (drill.open || line === null);
    replace(steps,
        make("button", { type: "button", id: "first", "aria-label": word("first"), disabled: isFirst || drill.running, click: () => goTo(0) }, "|◀"),
        make("button", { type: "button", id: "previous", "aria-label": word("previous"), disabled: isFirst || stuck, click: () => step(-1) }, "◀"),
        make("button", { type: "button", id: "next", "aria-label": word("next"), disabled: isLast || stuck, click: () => step(1) }, "▶"),
        make("button", { type: "button", id: "last", "aria-label": word("last"), disabled: isLast || drill.running, click: () => goTo(game.last) }, "▶|"),
        button("nextMistake", nextMistake, { id: "next-mistake", class: "primary", disabled: drill.running }),
        make("button", { type: "button", id: "flip", click: () => board.flip(!board.flipped) }, "⇅", make("span", {}, ` ${word("flip")}`)));
    graph.show({
        values: game.positions.map(valueOf), current: ply, byValue,
        marks: game.positions.map((_, at) => game.positions[at - 1]?.note ?? null),
        turns: game.positions.map((_, at) => game.positions[at - 1]?.turns ?? false),
        branch: line && value ? { from: line.from, at: line.from + line.step, value } : null,
        sections: [game.data.opening?.phases.middle ?? null, game.data.opening?.phases.end ?? null],
    });
    if (!isAsking) showExplained();
    markMove(list, ply);
    if (!drill.running) setAddress({ game: game.data.number, ply });
}

function movesPanel() {
    const said = game.positions.slice(1).map((_, at) => spoken(game.positions[at].move));
    list = moveList(said, ply, goTo, (number) => [...badge(game.positions[number - 1]?.note ?? null), make("i", {}, valueText(valueOf(game.positions[number])))]);
    return [list];
}

function mistakesPanel() {
    const drills = /** @type {("b" | "w")[]} */ (["b", "w"]).filter((color) => game.mistakes(color).length > 0)
        .map((color) => make("button", { type: "button", id: `drill-${color}`, click: () => drill.start(game, color) }, word("drillOf", game.player(color), game.mistakes(color).length)));
    const go = (/** @type {number} */ chosen) => { tab = wide.matches ? tab : "explained"; goTo(chosen); if (!wide.matches) showPanels(); };
    return [mistakeList(game, go), make("div", { class: "actions" }, ...drills)];
}

/** The position that is shown, with the number of its next move. */
function sfenHere() {
    const number = Number(game.positions[line ? line.from : ply].sfen.split(" ")[3]);
    return writeSfen(game.board(ply, line).position, number + (line?.step ?? 0));
}

function summaryPanel() {
    const { kif } = game.data;
    return [totals(game), make("div", { class: "actions" },
        button("copySfen", () => copy(sfenHere()), { id: "copy-sfen" }),
        ...(kif ? [button("copyKif", () => copy(kif), { id: "copy-kif" })] : []),
        button("copyLink", () => copy(linkTo(shownHash())), { id: "copy-link" }),
        make("button", { type: "button", id: "scale", click: () => { byValue = !byValue; showAll(); } }, word(byValue ? "byValue" : "byWin"))),
        make("p", { class: "note" }, word("help"))];
}

/** The panels below the board or beside it, one of which is shown. */
function showPanels() {
    const names = wide.matches ? ["moves", "mistakes", "summary"] : ["explained", "moves", "mistakes", "summary"];
    if (!names.includes(tab)) tab = names[0];
    const made = names.map((name) => {
        const chosen = name === tab;
        return make("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(chosen), "aria-controls": "panel", tabindex: chosen ? "0" : "-1",
            click: () => { tab = name; showPanels(); document.getElementById(`tab-${name}`)?.focus(); },
            keydown: (/** @type {KeyboardEvent} */ event) => {
                const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
                if (by === 0) return;
                event.preventDefault();
                event.stopPropagation();
                tab = names[(names.indexOf(name) + by + names.length) % names.length];
                showPanels();
                document.getElementById(`tab-${tab}`)?.focus();
            } }, word(name));
    });
    tabs.setAttribute("aria-label", word("game"));
    tabs.replaceChildren(...made);
    const content = tab === "explained" ? [explained] : tab === "moves" ? movesPanel() : tab === "mistakes" ? mistakesPanel() : summaryPanel();
    const panel = make("div", { role: "tabpanel", id: "panel", class: tab === "explained" ? "" : "panel", "aria-labelledby": `tab-${tab}`, tabindex: "0" }, ...content);
    replace(panels, panel);
}

/** Everything that depends on the game, the language and the width of the window. */
function showAll() {
    board.nameRanks(rankNames());
    setSeatsOf(game.data.handicap === true);
    const title = /** @type {HTMLElement} */ (document.getElementById("title"));
    title.textContent = game.title;
    document.title = `${game.title} – Tsumero`;
    /** @type {HTMLElement} */ (document.getElementById("subtitle")).textContent = game.subtitle;
    foot.textContent = word("footer");
    if (drill.running) {
        // Nothing beside the board tells the answer.
        replace(side, drill.panel(), ...(drill.open ? [] : [explained]));
    } else {
        replace(side, ...(wide.matches ? [explained] : []), tabs, panels);
        showPanels();
    }
    show();
    printed();
}

/** What only print shows: all moves and all mistakes. */
function printed() {
    view.querySelector(".printed")?.remove();
    const moves = game.positions.slice(1).map((here, at) => make("li", {}, `${at + 1} ${spoken(game.positions[at].move)} `, make("small", {}, [valueText(valueOf(here)), game.positions[at].note && word(game.positions[at].note ?? "")].filter(Boolean).join(" "))));
    view.append(make("div", { class: "printed", "aria-hidden": "true" }, ...(!drill.running && tab === "summary" ? [] : summaryPanel().slice(0, 1)), make("ol", {}, ...moves)));
}

function chooseGame() {
    const select = make("select", { id: "game", "aria-label": word("game"), change: () => {
        drill.game = null;
        game = games[Number(select.value)];
        ply = 0;
        line = null;
        showAll();
    } }, ...games.map((one, at) => make("option", { value: String(at), selected: one === game }, `${one.data.number}. ${one.title}`)));
    return select;
}

function connect() {
    addEventListener("keydown", (event) => {
        const { target } = event;
        if (event.ctrlKey || event.altKey || event.metaKey || (target instanceof HTMLElement && target.closest("select, [role=dialog]"))) return;
        if (target instanceof HTMLElement && target.closest("[role=grid]") && drill.running) return;
        /** @type {Record<string, () => void>} */
        const actions = {
            ArrowLeft: () => step(-1), ArrowUp: () => step(-1), ArrowRight: () => step(1), ArrowDown: () => step(1), Home: () => goTo(0), End: () => goTo(game.last),
            Escape: () => { if (line) { ply = line.from; line = null; show(); } }, n: nextMistake, f: () => board.flip(!board.flipped),
        };
        // Letters are the same with Shift and with Caps Lock.
        const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (!action || (drill.running && drill.open)) return;
        event.preventDefault();
        action();
    });
    // Outside of the drill a pointer on the board steps, and the focus stays where the keys step, too.
    board.square.addEventListener("mousedown", (event) => { if (!drill.running) event.preventDefault(); });
    /** @type {number | null} */
    let startX = null;
    board.square.addEventListener("pointerdown", (event) => { startX = drill.running || event.button !== 0 ? null : event.clientX; });
    addEventListener("pointercancel", () => { startX = null; });
    addEventListener("pointerup", (event) => {
        if (startX === null) return;
        const distance = event.clientX - startX;
        startX = null;
        if (Math.abs(distance) > 30) return step(distance < 0 ? 1 : -1);
        const box = board.square.getBoundingClientRect();
        step(event.clientX > box.left + box.width / 2 ? 1 : -1);
    });
    let turned = 0;
    board.element.addEventListener("wheel", (event) => {
        if (event.ctrlKey) return;
        event.preventDefault();
        // A wheel sends large steps, a touchpad many small ones.
        turned += event.deltaY;
        if (Math.abs(turned) < 40) return;
        step(turned > 0 ? 1 : -1);
        turned = 0;
    }, { passive: false });
    wide.addEventListener("change", showAll);
    // The totals are printed once, whichever panel is shown then.
    addEventListener("beforeprint", printed);
}

/** Opens the page where the address says. */
function open() {
    // The drill has no address: another one ends it.
    drill.game = null;
    game = games.find(({ data }) => data.number === askedNumber("game")) ?? games[0];
    ply = Math.min(game.last, askedNumber("ply"));
    line = null;
}

readSettings();
drawLetters();
open();
tab = wide.matches ? "moves" : "explained";
header(showAll, open, games.length > 1 ? [chooseGame] : []);
connect();
showAll();
document.documentElement.dataset.ready = "true";
