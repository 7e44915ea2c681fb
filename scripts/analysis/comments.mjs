// Reads an analyzed KIF as ShogiHome does, with tsshogi, and compares values and lines with the JSON of the same analysis.
// Arguments: the KIF, the JSON. Ends with 1 at the first difference.
import { readFileSync } from "node:fs";
import { importKIF, parsePV } from "tsshogi";

const [kifFile, jsonFile] = process.argv.slice(2);
const bytes = readFileSync(kifFile);
const text = new TextDecoder(kifFile.endsWith(".kif") ? "shift_jis" : "utf-8").decode(bytes);
const positions = readFileSync(jsonFile, "utf-8").trim().split("\n").map((line) => JSON.parse(line));
const record = importKIF(text);
if (record instanceof Error) throw record;

function fail(ply, what, found, expected) {
    console.error(`${kifFile}: ply ${ply}: ${what} ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
    process.exit(1);
}

// The moves of a line as USI. The position is that after the node.
function moves(position, pv) {
    return parsePV(position, pv).map((move) => move.usi);
}

let values = 0;
let lines = 0;
for (let ply = 1; ply < positions.length; ply += 1) {
    record.goto(ply);
    const expected = positions[ply];
    const found = {};
    for (const line of record.current.comment.split("\n")) {
        const cp = /^#評価値=([+-]?[0-9]+)/.exec(line);
        const mate = /^#詰み=(先手勝ち|後手勝ち)(?::([0-9]+)手)?/.exec(line);
        const pv = /^#読み筋=(.*)/.exec(line);
        const gui = /^\*解析 .* 評価値 (?:([+-]?[0-9]+)|([+-])詰 ([0-9]*)) ?(?:読み筋 (.*))?/.exec(line);
        if (cp) found.cp = Number(cp[1]);
        if (mate) found.mate = (mate[1] === "先手勝ち" ? 1 : -1) * Number(mate[2] ?? 0);
        if (pv) found.pv = moves(record.position, pv[1]);
        if (gui) {
            found.guiCp = gui[1] === undefined ? null : Number(gui[1]);
            found.guiMate = gui[2] === undefined ? null : Number(gui[2] + "1") * Number(gui[3] || 0);
            found.guiPv = gui[4] ? moves(record.position, gui[4]) : [];
        }
    }
    if ((found.cp ?? null) !== expected.cp) fail(ply, "value", found.cp, expected.cp);
    if (Math.abs(found.mate ?? -1) !== Math.abs(expected.mate ?? -1)) fail(ply, "mate", found.mate, expected.mate);
    if (expected.mate && found.mate !== expected.mate) fail(ply, "mate", found.mate, expected.mate);
    if (found.guiCp !== expected.cp) fail(ply, "ShogiGUI's value", found.guiCp, expected.cp);
    if (Math.abs(found.guiMate ?? -1) !== Math.abs(expected.mate ?? -1)) fail(ply, "ShogiGUI's mate", found.guiMate, expected.mate);
    for (const [what, pv] of [["line", found.pv ?? []], ["ShogiGUI's line", found.guiPv]]) {
        if (pv.join(" ") !== expected.pv.join(" ")) fail(ply, what, pv, expected.pv);
    }
    values += 1;
    lines += expected.pv.length > 0 ? 1 : 0;
}
console.log(`${kifFile}: ${values} values and ${lines} lines read back`);
