// What the engine thinks of the position that is shown: its best lines as long as it thinks, and the answer to a search for a mate.
import { make, replace, tell, wholes } from "./elements.js";
import { readFault, readInfo } from "./engine-client.js";
import { valueText } from "./graph.js";
import { ends } from "./position.js";
import { moveNames } from "./rules.js";
import { colorWord, countWord, word } from "./words.js";
import "./judgment-words.js";

/** @typedef {import("./engine-client.js").Line} Line */
/** @typedef {import("./graph.js").Value} Value */
/** The position that is shown. @typedef {{ node: number, text: string, turn: "b" | "w", mayDeclare: boolean, isOver: boolean }} Here */

/** The longest search for a mate, in milliseconds. */
const MATE_TIME = 10_000;
const LINES = 3;
/** What is said of an answer to `go mate` without moves. @type {Record<string, string>} */
const NO_MATES = { nomate: "noMate", timeout: "mateUnknown", notimplemented: "mateUnknown" };

/** The value of a line from Black's side. @param {Line} line @param {"b" | "w"} turn @returns {Value} */
function valueOf({ cp, mate }, turn) {
    const sign = turn === "b" ? 1 : -1;
    return { cp: cp === null ? null : sign * cp, mate: mate === null ? null : sign * mate };
}

/** A value in words, from Black's side as Japanese programs show it. @param {Value} value */
export function scoreText(value) {
    if (value.mate === null) return valueText(value);
    const winner = colorWord(value.winner ?? (value.mate > 0 ? "b" : "w"));
    return value.mate === 0 ? word("matedBy", winner) : word("advantage", word("mateScore", Math.abs(value.mate)), winner);
}

/** That the engine has failed, and why if it has said so. @param {string | null} fault */
const failedText = (fault) => (fault === null ? word("failed") : word("because", word("failed"), fault));

export class Thinking {
    /**
     * @param {import("./engine-client.js").EngineClient} engine
     * @param {object} told
     * @param {() => Here} told.here
     * @param {(node: number, value: Value) => void} told.valued the value of a position is known
     * @param {() => void} told.heard there are new lines, or a new answer to the search for a mate
     * @param {() => void} told.changed thinking has begun or ended
     * @param {(move: string) => void} told.mates a move mates
     * @param {(move: string) => void} told.play the first move of a line is chosen
     */
    constructor(engine, told) {
        this.engine = engine;
        this.told = told;
        /** @type {Line[]} */
        this.lines = [];
        /** Whether it thinks as long as nobody stops it. */
        this.live = false;
        this.mateText = "";
        /** Later questions make the answer to a search for a mate void. */
        this.sought = 0;
        /** Whether the engine looks for a mate. */
        this.seeking = false;
        /** The number of the latest question; what is heard to earlier ones is of another position or game. */
        this.thought = 0;
        this.painting = 0;
        /** The line on which the keyboard was when the lines went away. */
        this.left = -1;
        /** One for each line. They stay while reports come, because a button that is taken away while it is pressed is not clicked. */
        this.buttons = Array.from({ length: LINES }, (_, place) => make("button", { type: "button", id: `line-${place + 1}`, click: () => this.told.play(this.lines[place].moves[0]) }));
        this.items = this.buttons.map((button) => make("li", {}, button));
        this.list = make("ol", { class: "pv" });
        this.note = make("p", { class: "note" });
        this.found = make("p", { class: "mate" });
        this.element = make("div", {}, make("h2", {}, word("lines")), this.list, this.note, this.found);
    }

    /** Another position is shown: what was said is about the one before. */
    forget() {
        this.lines = [];
        this.mateText = "";
        this.sought += 1;
        if (this.seeking) this.engine.cancel();
        this.seeking = false;
    }

    /** Goes on with the position that is shown. */
    goOn() {
        if (this.live) this.think();
    }

    async think() {
        this.thought += 1;
        // What was heard about another position is not shown, and what is heard about this one does not wait for it.
        cancelAnimationFrame(this.painting);
        this.painting = 0;
        const mine = this.thought;
        const { node, text, turn, isOver } = this.told.here();
        if (isOver) {
            // The search of the position before would go on unseen.
            this.engine.cancel();
            return this.told.heard();
        }
        /** @type {Map<number, Line>} */
        const latest = new Map();
        /** @type {string | null} */
        let fault = null;
        const answer = await this.engine.ask(text, "go infinite", (said) => {
            fault ??= readFault(said);
            const line = readInfo(said);
            if (!line || line.bound || !this.live || mine !== this.thought) return;
            latest.set(line.number, line);
            if (line.number === 1) this.told.valued(node, valueOf(line, turn));
            if (this.painting) return;
            this.painting = requestAnimationFrame(() => {
                this.painting = 0;
                if (!this.live) return;
                this.lines = [...latest.values()].sort((a, b) => a.number - b.number);
                this.told.heard();
            });
        }, [["MultiPV", String(LINES)]]);
        if (answer === null || !this.live || mine !== this.thought) return;
        // Nobody has stopped it: the engine has failed.
        this.live = false;
        this.told.changed();
        tell(failedText(fault));
    }

    /** Looks for a mate. */
    async mate() {
        this.live = false;
        this.sought += 1;
        const mine = this.sought;
        this.mateText = "";
        this.seeking = true;
        this.told.changed();
        const { text } = this.told.here();
        const started = performance.now();
        /** @type {string | null} */
        let fault = null;
        const answer = await this.engine.ask(text, `go mate ${MATE_TIME}`, (said) => { fault ??= readFault(said); }, [["MultiPV", "1"]]);
        if (mine !== this.sought || answer === null) return;
        this.seeking = false;
        const [kind, ...words] = answer.split(" ");
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        // A search that cannot begin is over at once, and says why.
        const hasFailed = kind !== "checkmate" || (words[0] === "timeout" && fault !== null);
        const none = NO_MATES[words[0]];
        if (hasFailed) this.mateText = failedText(fault);
        else this.mateText = none ? word(none, seconds) : word("mateIn", words.length, seconds, moveNames(text, words).join(" "));
        tell(this.mateText);
        this.told.heard();
        if (!hasFailed && !none) this.told.mates(words[0]);
    }

    toggle() {
        this.sought += 1;
        this.seeking = false;
        this.live = !this.live;
        if (this.live) this.think();
        else this.engine.cancel();
        this.told.changed();
    }

    /** The page is left. */
    end() {
        this.live = false;
        this.sought += 1;
    }

    /** Shows what is known by now. */
    paint() {
        const { items, lines, list, mateText } = this;
        const { text, turn, mayDeclare } = this.told.here();
        const shown = list.childElementCount;
        if (shown > lines.length) {
            this.left = items.findIndex((item) => item.contains(document.activeElement));
            replace(list, ...items.slice(0, lines.length));
        } else {
            list.append(...items.slice(shown, lines.length));
        }
        lines.forEach((line, place) => {
            this.buttons[place].replaceChildren(make("b", {}, scoreText(valueOf(line, turn))), " ", ...wholes(moveNames(text, line.moves.slice(0, 12))));
        });
        this.focusAgain();
        const [best] = lines;
        // Who may declare needs no line, and at the end of a game there is none.
        const without = !this.live ? word("linesHelp") : mayDeclare ? word("declaresWin", colorWord(turn)) : "";
        this.note.textContent = best ? word("depth", best.depth, countWord(best.nodes), countWord(best.nps)) : mateText ? "" : without;
        this.found.textContent = mateText;
    }

    /** The keyboard comes back to its line with the lines of the next position, unless it has gone elsewhere. */
    focusAgain() {
        if (this.left < 0 || this.lines.length <= this.left) return;
        if (document.activeElement === document.getElementById("view")) this.buttons[this.left].focus();
        this.left = -1;
    }

    /** The first moves of the lines, as the board draws them. */
    get arrows() {
        return this.lines.filter((line) => line.moves.length > 0).map((line) => {
            const [from, to] = ends(line.moves[0]);
            return { from, to, rank: line.number - 1 };
        });
    }
}
