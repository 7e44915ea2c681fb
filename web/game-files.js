// Opening games: from a text or a link that is pasted, and from files that are chosen or dropped.
import { button, make, tell } from "./elements.js";
import { ANALYSIS } from "./links.js";
import { linkedGame } from "./open-game.js";
import { readGames } from "./rules.js";
import { word } from "./words.js";

/** @typedef {import("./rules.js").Game} Game */

/** The largest file in megabytes. What its games take here is many times as much. */
const MOST = 10;
/** The longest link that is looked for, in bytes: that of thousands of moves. */
const LONGEST_LINK = 100_000;

/** How a link begins. A whole game in JSON may be one word, too, with a link in a comment. */
const LINK = /^(https?:|file:|#)/i;

/** What the reader says of a text in which nothing looks like a game. Any other reason says more. */
const NO_GAME = ["not a game record", "the file is empty"];

/** The file that was chosen last. @type {Blob | null} */
let latest = null;

/**
 * What a file contains. Null if another one has been chosen meanwhile, and, with a word to the person, if it is too large or cannot be
 * read: a folder that was dropped, or a file that is gone.
 * @param {Blob} file
 */
export async function bytesOf(file) {
    latest = file;
    if (file.size > MOST * 1e6) {
        tell(word("tooLarge", MOST));
        return null;
    }
    try {
        const bytes = new Uint8Array(await file.arrayBuffer());
        return latest === file ? bytes : null;
    } catch {
        if (latest === file) tell(word("notRead"));
        return null;
    }
}

/** Who played a game and when, as far as its headers say it. @param {Game} game */
function about({ headers }) {
    const header = new Map(headers);
    const players = [header.get("先手") || header.get("下手"), header.get("後手") || header.get("上手")];
    const told = [players.some(Boolean) ? players.map((name) => name || "–").join(" – ") : "", header.get("開始日時") ?? ""].filter(Boolean);
    return told.length > 0 ? [make("small", {}, told.join(" · "))] : [];
}

export class GameFiles {
    /**
     * @param {Game[]} games those that are open
     * @param {number} chosen the place of the one that is shown, or -1
     * @param {boolean} isShown whether the panel is open
     * @param {(game: Game, file: Game[] | null, isLinked: boolean) => void} take shows a game: of a file, of a link, or of the list
     * @param {AbortSignal} signal the page is left: nothing is opened any more
     */
    constructor(games, chosen, isShown, take, signal) {
        this.games = games;
        this.chosen = chosen;
        this.isShown = isShown;
        this.take = take;
        this.signal = signal;
        /** The choice of games, made once: there may be thousands. @type {HTMLElement | null} */
        this.list = null;
        this.text = make("textarea", { id: "paste", rows: "4", spellcheck: "false", autocomplete: "off" });
        this.file = make("input", { type: "file", id: "file", accept: ".kif,.kifu,.ki2,.ki2u,.csa,.jkf,.json,.sfen,.usi,.txt", change: () => { const chosen = this.file.files?.[0]; if (chosen) this.openFile(chosen); } });
    }

    /** @param {Blob} chosen */
    async openFile(chosen) {
        const bytes = await bytesOf(chosen);
        // The same file may be chosen again after it has changed.
        this.file.value = "";
        if (bytes && !this.signal.aborted) this.open(bytes);
    }

    /** @param {Uint8Array} bytes */
    open(bytes) {
        const [link, ...more] = new TextDecoder().decode(bytes.subarray(0, LONGEST_LINK)).trim().split(/\s+/);
        if (more.length === 0 && LINK.test(link) && ANALYSIS.test(link)) {
            const game = linkedGame(link);
            if (game) this.show(game, null, true);
            return;
        }
        const read = readGames(bytes);
        const bad = read.games.find((game) => "reason" in game);
        const good = read.games.flatMap((game) => ("reason" in game ? [] : [game]));
        if (bad && "reason" in bad) tell(NO_GAME.includes(bad.reason) ? word("noGameThere") : word("line", bad.line, bad.reason));
        // What is no game leaves those that are open.
        if (good.length === 0) return;
        this.show(good[0], good);
    }

    /** @param {Game} game @param {Game[] | null} [file] @param {boolean} [isLinked] */
    show(game, file = null, isLinked = false) {
        this.isShown = false;
        this.take(game, file, isLinked);
    }

    /** @param {Game[]} games @param {number} chosen */
    offer(games, chosen) {
        if (games !== this.games) this.list = null;
        Object.assign(this, { games, chosen });
    }

    panel() {
        const { chosen, games, text, file } = this;
        this.list ??= make("div", { class: "branches", role: "group", "aria-label": word("games") },
            ...games.map((game, number) => make("button", { type: "button", click: () => this.show(game) }, word("gameOf", number + 1), ...about(game))));
        this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
        this.list.querySelectorAll("button")[chosen]?.setAttribute("aria-current", "true");
        return make("details", { class: "panel", open: this.isShown, toggle: (/** @type {Event} */ event) => { this.isShown = /** @type {HTMLDetailsElement} */ (event.currentTarget).open; } },
            make("summary", {}, word("open")), make("label", { for: "paste", class: "note" }, word("openHelp")), text,
            make("div", { class: "actions" }, button("read", () => this.open(new TextEncoder().encode(text.value)), { id: "read", class: "primary" }),
                make("label", { class: "button", for: "file" }, word("chooseFile")), file), ...(games.length > 1 || (games.length > 0 && chosen < 0) ? [this.list] : []));
    }
}
