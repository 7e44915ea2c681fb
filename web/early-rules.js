// The rules as long as the module is not loaded: enough to begin a game on a slow connection. Repetition and declaration wait for it.
// The module names moves in Japanese only, so their English names always come from here.
import { lineNames } from "./move-name.js";
import { inCheck, judge, legalMoves } from "./moves.js";
import { START, after, ends, other, readSfen, writeSfen } from "./position.js";

const SFEN = /^[1-9PLNSGBRKplnsgbrk+/]+ [bw] [-\dPLNSGBRplnsgbr]+( \d+)?$/;
const MOVE = /^([1-9][a-i]|[PLNSGBR]\*)[1-9][a-i]\+?$/;

/** The position that a text describes, and its moves. @param {string} text */
function read(text) {
    const [root, moves = ""] = text.split(" moves ");
    const sfen = root === "startpos" ? START : root.replace(/^sfen /, "");
    if (!SFEN.test(sfen)) throw new Error(`not a position: ${sfen}`);
    return { start: readSfen(sfen), moves: moves.split(" ").filter(Boolean) };
}

/** A move that has a piece to make it. Other illegal moves wait for the module. @param {import("./position.js").Position} position @param {string} move */
function step(position, move) {
    const [from] = ends(move);
    const { squares, hands, turn } = position;
    if (!MOVE.test(move) || !(from === null ? hands[turn].get(move[0]) : squares.get(from)?.color === turn)) throw new Error(`not a move: ${move}`);
    return after(position, move);
}

/** @param {string} text */
function position(text) {
    const { start, moves } = read(text);
    return moves.reduce(step, start);
}

/** Moves in words, one after another from a position on. @param {string} text @param {string[]} moves @returns {string[]} */
export function namesOf(text, moves) {
    const { start, moves: before } = read(text);
    const here = before.reduce(step, start);
    moves.reduce(step, here);
    return lineNames(here, moves, before.at(-1));
}

/** The answer before, because a page asks about one position several times. @type {{ text: string, look: import("./rules.js").Look } | null} */
let known = null;

/** @param {string} text @returns {import("./rules.js").Look} */
export function earlyLook(text) {
    if (known?.text !== text) known = { text, look: lookAt(text) };
    return known.look;
}

/** @param {string} text @returns {import("./rules.js").Look} */
function lookAt(text) {
    const here = position(text);
    const moves = legalMoves(here);
    return { sfen: writeSfen(here), turn: here.turn, in_check: inCheck(here, here.turn), moves, end: moves.length === 0 ? { why: "checkmate", winner: other(here.turn) } : null, may_declare: false };
}

/** @param {string} text @param {string} move */
export const earlyJudge = (text, move) => judge(position(text), move);

/** @returns {[string, string][]} */
export const earlyHandicaps = () => [["平手", START]];
