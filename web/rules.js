// The rules, answered by the module itself on the page: fast enough to ask at every tap. Until it is loaded, early-rules.js answers what a
// game needs.
import { earlyHandicaps, earlyJudge, earlyLook, namesOf } from "./early-rules.js";
import init, * as engine from "./engine.js";
import { currentLanguage } from "./words.js";

/** @typedef {{ why: string, winner: "b" | "w" | null }} End */
/** @typedef {{ sfen: string, turn: "b" | "w", in_check: boolean, moves: string[], end: End | null, may_declare: boolean }} Look */
/** @typedef {{ name: string, square: string | null, owner: "b" | "w", promoted: boolean, kinds: number, odds: number[] }} QuantumPiece */
/** @typedef {{ turn: "b" | "w", ply: number, position: string, pieces: QuantumPiece[], hands: [string[], string[]], moves: string[], end: End | null }} QuantumLook */
/** `time` in milliseconds. @typedef {{ parent: number | null, move: string | null, ending: string | null, comments: string[], bookmarks?: string[], time?: number | null }} GameNode */
/** @typedef {{ initial: string, headers: [string, string][], nodes: GameNode[], notes?: string[] }} Game */
/** @typedef {{ line: number, reason: string }} BadGame */

let isLoaded = false;

/** The module did not come: the network or the server has failed. */
export class NotLoaded extends Error {}

/** The name of a type of files, and the number that each of them begins with. */
const WASM = { type: "application/wasm", magic: 0x0061736d };

/** @param {URL} url @returns {Promise<WebAssembly.Module>} */
async function compiled(url) {
    const response = await fetch(url);
    if (response.headers.get("Content-Type") === WASM.type) return WebAssembly.compileStreaming(response);
    // Not every server knows the type, and without it browsers compile nothing that is still on its way.
    const bytes = await response.arrayBuffer();
    // What comes may be a page of the network that asks for a name.
    if (!response.ok || new DataView(bytes).getUint32(0) !== WASM.magic) throw new TypeError(`${response.status}, no module`);
    return WebAssembly.compile(bytes);
}

/**
 * Loads the module for the page. The same compiled module is for the engine's worker.
 * @returns {Promise<WebAssembly.Module>}
 */
export async function load() {
    const module = await compiled(new URL("engine_bg.wasm", import.meta.url)).catch((error) => {
        // It came, and the browser does not understand it.
        if (error instanceof WebAssembly.CompileError) throw error;
        throw new NotLoaded(String(error));
    });
    await init({ module_or_path: module });
    isLoaded = true;
    return module;
}

/** @param {string} text @returns {Look} */
export const look = (text) => (isLoaded ? JSON.parse(engine.shogiLook(text)) : earlyLook(text));
/** @param {string} text @param {string} move */
export const judge = (text, move) => (isLoaded ? engine.shogiJudge(text, move) : earlyJudge(text, move));
/** Moves in words; the module writes Japanese. @param {string} text @param {string[]} moves @returns {string[]} */
export const moveNames = (text, moves) => (isLoaded && currentLanguage() === "ja" ? JSON.parse(engine.japanese(text, moves.join(" "))) : namesOf(text, moves));
/** What the core calls a game without handicap. */
export const EVEN = "平手";
/** @returns {[string, string][]} */
export const handicaps = () => (isLoaded ? JSON.parse(engine.handicaps()) : earlyHandicaps());
/** @param {string} text @returns {QuantumLook} */
export const quantumLook = (text) => JSON.parse(engine.quantumLook(text));
/** @param {string} text @param {string} move */
export const quantumJudge = (text, move) => engine.quantumJudge(text, move);
/** @param {Uint8Array} bytes @returns {{ format: string | null, games: (Game | BadGame)[] }} */
export const readGames = (bytes) => JSON.parse(engine.readGames(bytes));
/**
 * The line of a game that is shown, as the module reads games.
 * @param {import("./game-tree.js").GameTree} tree
 */
export const gameText = (tree) => ({
    text: tree.text(tree.tip),
    headers: tree.headers.filter(([name]) => name !== "手合割").map((pair) => pair.join("=").replaceAll("\n", " ")).join("\n"),
    ending: tree.ending ?? "",
});
/** The text of a whole game with all its branches. @param {Game} game @param {string} format */
export const writeTree = (game, format) => engine.writeTree(JSON.stringify(game), format);
/** The text of one line. @param {{ text: string, headers: string, ending: string }} game @param {string} format */
export const writeGame = ({ text, headers, ending }, format) => engine.writeGame(text, headers, ending, format);
