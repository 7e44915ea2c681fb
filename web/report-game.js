// An analyzed game: its data as the program writes them (crates/analysis/src/page.rs), and what pages ask about them.
import { chance } from "./graph.js";
import { after, readSfen } from "./position.js";
import { currentLanguage, endingWord, word } from "./words.js";

/** @typedef {"b" | "w"} Color */
/** @typedef {{ usi: string, ja: string, en: string }} PageMove */
/** @typedef {{ cp: number | null, mate: number | null, winner: "black" | "white" | null, moves: PageMove[] }} PageLine */
/**
 * @typedef {{ ply: number, sfen: string, move: PageMove | null, cp: number | null, mate: number | null, winner: "black" | "white" | null,
 *     win: number, depth: number, nodes: number, lines: PageLine[], loss: number | null, note: string | null, is_best: boolean,
 *     turns: boolean, missed_mate: PageMove[] | null, believed_lost?: boolean, comments?: string[], time?: number | null }} PagePosition
 */
/**
 * @typedef {{ file: string, number: number, headers: [string, string][], black: string | null, white: string | null,
 *     handicap?: boolean, ending: string | null, summary: PlayerSummary[], positions: PagePosition[], kif?: string, rough?: boolean, branches?: Branch[],
 *     opening?: { name: Name | null, styles: (Name | null)[], phases: { middle: number | null, end: number | null } }, castles?: (Name | null)[] }} PageGame what a
 *     game has not is missing or null
 */
/** @typedef {{ ja: string, en: string }} Name */
/** @typedef {{ number: number, parent: number, from: number, moves: PageMove[], positions: PagePosition[] }} Branch */
/** @typedef {{ accuracy: number | null, best_moves: number | null, notes: number[], missed_mates: number }} PlayerSummary */
/**
 * A line that is stepped through: it leaves the game at `from`. `values` are those after each of its moves, where they are known.
 * @typedef {{ from: number, name: string, moves: PageMove[], step: number, value: import("./graph.js").Value | null, values?: (import("./graph.js").Value | null)[] }} Line
 */

/** The notes that are worth a stop, and a problem of the drill. */
const SERIOUS = ["dubious", "mistake", "blunder", "missed_mate"];
/** A move that loses at most so much of the chance to win, in points, is as good as the best one. */
const NEARLY = 3;

/** @param {PageMove | null} move */
export const spoken = (move) => move?.[currentLanguage()] ?? "";

/** @param {{ cp: number | null, mate: number | null, winner: "black" | "white" | null }} found @returns {import("./graph.js").Value} */
export const valueOf = ({ cp, mate, winner }) => ({ cp, mate, winner: winner === null ? null : winner === "black" ? "b" : "w" });

export class ReportGame {
    /** @param {PageGame} data */
    constructor(data) {
        this.data = data;
        this.positions = data.positions;
    }

    get last() {
        return this.positions.length - 1;
    }

    /** @param {string} name */
    header(name) {
        return this.data.headers.find(([key]) => key === name)?.[1] || null;
    }

    /** @param {Color} color */
    player(color) {
        const { black, white } = this.data;
        return (color === "b" ? black : white) || word(this.data.handicap ? (color === "b" ? "lower" : "upper") : color === "b" ? "black" : "white");
    }

    get title() {
        const { black, white, file } = this.data;
        return black || white ? `☗${this.player("b")} – ☖${this.player("w")}` : (this.header("表題") ?? this.header("棋戦") ?? file);
    }

    get subtitle() {
        const { file, ending } = this.data;
        const opening = this.data.opening?.name?.[currentLanguage()];
        return [this.header("棋戦"), this.header("開始日時"), this.data.handicap ? this.header("手合割") : null, opening, file === this.title ? null : file, ending && endingWord(ending)].filter(Boolean).join(" · ");
    }

    /** Whose move leads on from a position. @param {number} ply @returns {Color} */
    mover(ply) {
        return this.positions[ply].sfen.split(" ")[1] === "w" ? "w" : "b";
    }

    /** Where mistakes are: the positions before them. @param {Color | null} side both if null */
    mistakes(side) {
        return this.positions.filter((here) => here.move && (here.missed_mate ?? here.lines[0]?.moves[0]) && (SERIOUS.includes(here.note ?? "") || here.turns) && (side === null || this.mover(here.ply) === side)).map(({ ply }) => ply);
    }

    /** The first position after a later mistake. @param {number} ply */
    nextMistake(ply) {
        return this.mistakes(null).map((one) => one + 1).find((one) => one > ply) ?? null;
    }

    /** The board at a position of the game, or of a line from it. @param {number} ply @param {Line | null} line */
    board(ply, line) {
        let position = readSfen(this.positions[line ? line.from : ply].sfen);
        let last = this.positions[(line ? line.from : ply) - 1]?.move?.usi;
        for (const move of line ? line.moves.slice(0, line.step) : []) {
            position = after(position, move.usi);
            last = move.usi;
        }
        return { position, last };
    }

    /**
     * What could have been played before a mistake, beside what was played.
     * @param {number} ply the position after the move
     * @returns {Line[]}
     */
    explanations(ply) {
        const [before, here] = [this.positions[ply - 1], this.positions[ply]];
        if (!before?.move) return [];
        const from = ply - 1;
        /** @type {Line[]} */
        const lines = [];
        const [best] = before.lines;
        if (best && !before.is_best && best.moves.length > 0) lines.push({ from, name: "bestBefore", moves: best.moves, step: 0, value: valueOf(best) });
        if (before.missed_mate) {
            // The search may have found the same mate; then it is shown once.
            const text = (/** @type {PageMove[]} */ moves) => moves.map(({ usi }) => usi).join();
            if (lines.length > 0 && text(lines[0].moves) === text(before.missed_mate)) lines.pop();
            const winner = this.mover(from);
            lines.push({ from, name: "missedLine", moves: before.missed_mate, step: 0, value: { cp: null, mate: before.missed_mate.length * (winner === "b" ? 1 : -1), winner } });
        }
        if (lines.length > 0) lines.push({ from, name: "happened", moves: [before.move, ...(here.lines[0]?.moves ?? [])], step: 0, value: valueOf(here) });
        return lines;
    }

    /** The lines of the engine from a position on. @param {number} ply @returns {Line[]} */
    lines(ply) {
        return this.positions[ply].lines.filter(({ moves }) => moves.length > 0).map((line) => ({ from: ply, name: "lines", moves: line.moves, step: 0, value: valueOf(line) }));
    }

    /** The branches of the file that leave the game at a position, those of branches included. @param {number} ply @returns {Line[]} */
    branches(ply) {
        const all = this.data.branches ?? [];
        /** @type {(branch: Branch) => Line} */
        const whole = (branch) => {
            const values = branch.moves.map((_, at) => (branch.positions[at] ? valueOf(branch.positions[at]) : null));
            const parent = all.find(({ number }) => number === branch.parent);
            if (!parent) return { from: branch.from, name: "branch", moves: branch.moves, step: 0, value: null, values };
            const before = whole(parent);
            const kept = branch.from - before.from;
            return { ...before, moves: [...before.moves.slice(0, kept), ...branch.moves], values: [...(before.values ?? []).slice(0, kept), ...values] };
        };
        return all.map(whole).filter(({ from }) => from === ply);
    }

    /** What a line is worth where it is shown. @param {Line} line */
    static worth(line) {
        return line.values?.[line.step - 1] ?? line.value;
    }

    /**
     * Judges a move of the drill.
     * @param {number} ply the position before the mistake
     * @param {string} usi
     * @returns {{ verdict: "best" | "good" | "worse" | "played" | "other", loss: number, line: Line | null }}
     */
    attempt(ply, usi) {
        const here = this.positions[ply];
        const us = this.mover(ply);
        const lines = this.lines(ply);
        const line = lines.find(({ moves }) => moves[0].usi === usi) ?? null;
        const share = (/** @type {Line} */ { value }) => (value === null ? 0 : 100 * (us === "b" ? chance(value) : 1 - chance(value)));
        const loss = line ? Math.max(0, share(lines[0]) - share(line)) : 0;
        const mates = here.missed_mate?.[0].usi === usi;
        if (mates || (line && line === lines[0])) return { verdict: "best", loss: 0, line };
        if (here.move?.usi === usi) return { verdict: "played", loss: here.loss ?? 0, line };
        if (!line) return { verdict: "other", loss: 0, line };
        return { verdict: loss <= NEARLY && !here.missed_mate ? "good" : "worse", loss, line };
    }

    /** Whether the side to move wins a position by declaring: the win needs no move. @param {number} ply */
    declares(ply) {
        const { mate, lines } = this.positions[ply];
        return Math.abs(mate ?? 0) === 1 && !lines.some(({ moves }) => moves.length > 0);
    }

    /** Who has mated or how the value reads. @param {import("./graph.js").Value} value @param {string} side the name of the winner */
    static long(value, side) {
        return value.mate === 0 ? word("matedBy", side) : word("matesIn", side, Math.abs(value.mate ?? 0));
    }
}

