// Quantum shogi: a game, the first steps, problems, and records.
import { button, make, tell } from "./elements.js";
import { decoded, setHash, shownHash } from "./links.js";
import { quantumGame } from "./quantum-game.js";
import { quantumLessons } from "./quantum-lessons.js";
import { quantumProblems } from "./quantum-problems.js";
import { quantumRecord, recordOf } from "./quantum-record.js";
import { word } from "./words.js";

/** @typedef {"game" | "lessons" | "problems" | "record"} Part */
/** The parts with the words on their buttons. @type {[Part, string][]} */
const PARTS = [["game", "quantumGame"], ["lessons", "quantumLessons"], ["problems", "quantumProblems"], ["record", "quantumRecord"]];

/**
 * @param {HTMLElement} host
 * @param {import("./engine-client.js").EngineClient} engine
 */
export function quantumPage(host, engine) {
    /** @type {{ leave: () => void, key: (event: KeyboardEvent) => void, drop?: (file: Blob) => void }} */
    let page;
    /** @type {Part} */
    let part = "game";

    const menu = () => make("section", { class: "panel parts" }, make("div", { class: "actions" },
        ...PARTS.map(([name, key]) => button(key, () => change(name), { id: `part-${name}`, "aria-pressed": String(name === part) }))));

    /** @param {Part} name @param {import("./quantum-record.js").QuantumRecord | null} [record] */
    function show(name, record = null) {
        part = name;
        // A record names itself.
        if (name !== "record") setHash(name === "game" ? "#quantum" : `#quantum=${name}`);
        if (name === "game") page = quantumGame(host, engine, menu, (given) => change("record", given));
        else if (name === "lessons") page = quantumLessons(host, menu, (next) => change(next));
        else if (name === "problems") page = quantumProblems(host, engine.module, menu);
        else page = quantumRecord(host, menu, record);
    }

    /** @param {Part} name @param {import("./quantum-record.js").QuantumRecord | null} [record] */
    function change(name, record = null) {
        page.leave();
        show(name, record);
        document.getElementById(`part-${name}`)?.focus();
    }

    const asked = decoded(shownHash().replace(/^#quantum=?/i, ""));
    const named = PARTS.find(([name]) => name === asked)?.[0];
    const linked = named || !asked ? null : recordOf(asked.replaceAll("_", " "));
    show(named ?? (linked ? "record" : "game"), linked);
    if (asked === null) tell(word("badLink"));
    return { leave: () => page.leave(), key: (/** @type {KeyboardEvent} */ event) => page.key(event), get drop() { return page.drop; } };
}
