// The analysis of a whole game with judgments on its moves, the same that `tsumero analyze` makes (crates/wasm/src/analysis.rs).
import { button, choice, make, replace, tell, wholes } from "./elements.js";
import { countWord, word } from "./words.js";
import { badges, lossNote, mistakeList, totals } from "./judgments.js";
import { recall, remember } from "./memory.js";
import { ReportGame, spoken, valueOf } from "./report-game.js";
import { gameText } from "./rules.js";
import { Workshop } from "./workshop.js";

/** @typedef {import("./game-tree.js").GameTree} GameTree */
/** @typedef {import("./report-game.js").PagePosition} PagePosition */

/** How many positions the engine may look at for each position of the game. */
const BUDGETS = [10_000, 30_000, 100_000, 300_000];

export class GameAnalysis {
    /**
     * @param {Promise<WebAssembly.Module>} module
     * @param {{ valued: () => void, changed: () => void }} told `valued`: the value of a position is known; `changed`: an analysis has begun or ended
     */
    constructor(module, told) {
        this.workshop = new Workshop(module);
        this.told = told;
        this.running = false;
        /** @type {ReportGame | null} */
        this.game = null;
        /** The nodes of the analyzed line. @type {number[]} */
        this.line = [];
        /** The values of nodes. @type {Map<number, import("./graph.js").Value>} */
        this.values = new Map();
        /** What was known before the analysis that is running, in case it does not come to its end. @type {ReturnType<GameAnalysis["kept"]> | null} */
        this.earlier = null;
        this.progress = make("p", { class: "note", id: "analysis-progress" });
        this.nodes = recall("analysis-nodes", BUDGETS[1], (nodes) => BUDGETS.includes(nodes));
    }

    /** Forgets everything: another game is shown. */
    forget() {
        this.stop();
        this.earlier = null;
        this.game = null;
        this.line = [];
        this.values = new Map();
    }

    /** What is known, as it is kept. */
    get known() {
        return this.earlier ?? this.kept();
    }

    /** What is known by now, without what an analysis that is running takes the place of. */
    kept() {
        return { data: this.game?.data ?? null, line: this.line, values: [...this.values] };
    }

    /** Takes what was kept. @param {GameAnalysis["known"]} known */
    restore({ data, line, values }) {
        this.game = data && new ReportGame(data);
        this.line = line;
        this.values = new Map(values);
    }

    /** Takes what was known before the analysis that has come to no end. */
    bringBack() {
        if (this.earlier) this.restore(this.earlier);
        this.earlier = null;
    }

    stop() {
        this.running = false;
        this.workshop.end();
    }

    /** @param {GameTree} tree */
    async start(tree) {
        const before = this.known;
        this.forget();
        // Only a whole analysis comes back.
        this.earlier = before.data && before;
        this.running = true;
        this.line = tree.line;
        const { line, workshop } = this;
        this.progress.textContent = word("analyzing", 0, line.length);
        this.told.changed();
        workshop.told = ({ ply, positions, value }) => {
            this.progress.textContent = value ? word("analyzing", ply + 1, positions) : word("lookingAgain", ply + 1);
            if (!value) return;
            this.values.set(line[ply], value);
            this.told.valued();
        };
        const { text, headers, ending } = gameText(tree);
        const data = await workshop.ask("analyze", text, headers, ending, this.nodes);
        if (line !== this.line || !this.running) return;
        this.stop();
        if (data) {
            this.earlier = null;
            const game = new ReportGame(data);
            this.game = game;
            game.positions.forEach((here, ply) => this.values.set(line[ply], valueOf(here)));
            tell(word("analyzed", game.mistakes(null).length));
        } else {
            this.bringBack();
            tell(word("failed"));
        }
        this.told.changed();
    }

    /** What is known of the move that led to a node: the position before it. @param {number | undefined} node @returns {PagePosition | null} */
    before(node) {
        const ply = node === undefined ? -1 : this.line.indexOf(node);
        return this.game?.positions[ply - 1] ?? null;
    }

    /** What the graph shows of a line besides values. @param {number[]} line */
    marks(line) {
        const { middle = null, end = null } = this.game?.data.opening?.phases ?? {};
        return { marks: line.map((node) => this.before(node)?.note ?? null), turns: line.map((node) => this.before(node)?.turns ?? false), sections: [middle, end] };
    }

    /**
     * What is said about the move that led to a node, with the lines that would have been better. A tap on one plays its first move.
     * @param {number} node
     * @param {(ply: number, move: string) => void} play a move in the position of a ply
     */
    explained(node, play) {
        const before = this.before(node);
        if (!this.game || !before) return [];
        const ply = before.ply + 1;
        const lines = this.game.explanations(ply).filter(({ name }) => name !== "happened");
        const items = lines.map(({ name, moves, value }, number) => make("li", {}, make("button", { type: "button", id: `why-${number}`, click: () => play(before.ply, moves[0].usi) },
            make("b", {}, word(name)), " ", ...wholes([...moves.slice(0, 12).map(spoken), ...(value?.mate ? [`(${word("mateScore", Math.abs(value.mate))})`] : [])]))));
        const said = [...badges(before), ...lossNote(before)];
        return [...(said.length > 0 ? [make("p", { class: "said", id: "judgment" }, make("b", {}, `${ply} ${spoken(before.move)}`), ...said)] : []),
            ...(items.length > 0 ? [make("ul", { class: "pv better" }, ...items)] : [])];
    }

    /** The panel: the budget, the progress, and what was found. @param {HTMLElement} host @param {GameTree} tree @param {(ply: number) => void} go */
    panel(host, tree, go) {
        const budget = choice("budget", BUDGETS.map((nodes) => [String(nodes), word("nodesEach", countWord(nodes))]), String(this.nodes));
        budget.select.id = "budget";
        budget.select.addEventListener("change", () => {
            this.nodes = Number(budget.select.value);
            remember("analysis-nodes", budget.select.value);
        });
        const toggle = () => {
            if (!this.running) return this.start(tree);
            this.stop();
            this.bringBack();
            this.told.changed();
        };
        const { game } = this;
        const named = [game?.data.opening?.name ? spoken({ usi: "", ...game.data.opening.name }) : null, game?.data.rough ? word("rough") : null].filter((text) => text !== null);
        replace(host, make("h2", {}, word("judgments")), make("div", { class: "form" }, budget.label),
            make("div", { class: "actions" }, button(this.running ? "stopWhole" : "wholeGame", toggle, { id: "whole", class: this.running || game ? "" : "primary", disabled: tree.line.length < 2 })),
            ...(this.running ? [this.progress] : []),
            ...(game ? [...named.map((text) => make("p", { class: "note" }, text)), totals(game), make("h2", {}, word("mistakes")), mistakeList(game, go)] : []));
    }
}
