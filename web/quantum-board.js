// The board of quantum shogi: each piece shows what it may still be, a tap how likely it is to be what, and a target what the move would tell.
import { Board } from "./board.js";
import { make } from "./elements.js";
import { quantumArt } from "./pieces.js";
import { KINDS, RANKS, ends, other } from "./position.js";
import { quantumJudge, quantumLook } from "./rules.js";
import { Tapping } from "./tapping.js";
import { colorWord, currentLanguage, listWord, pieceWord, squareWord, word } from "./words.js";

/** @typedef {import("./rules.js").QuantumPiece} QuantumPiece */
/** @typedef {import("./rules.js").QuantumLook} QuantumLook */

/** A position with one move more. @param {string} text @param {string} move */
export const withMove = (text, move) => `${text}${/ moves /.test(text) ? "" : " moves"} ${move}`;

/** The kinds of a set. @param {number} kinds */
export const kindsOf = (kinds) => KINDS.filter((_, place) => (kinds >> place) & 1);

/** @param {QuantumPiece} piece */
export function label(piece) {
    const kinds = kindsOf(piece.kinds);
    const names = kinds.map((kind) => pieceWord(kind, piece.promoted && kind !== "G" && kind !== "K"));
    // The name of the only kind says already whether it is promoted.
    if (kinds.length === 1) return names[0];
    const text = kinds.length === KINDS.length ? word("unknown") : word("oneOf", currentLanguage() === "ja" ? names.join("・") : listWord(names));
    return piece.promoted ? `${word("promotedPiece")} ${text}` : text;
}

/** @param {QuantumLook} seen @param {string | undefined} last @param {{ b: string, w: string }} names */
function view(seen, last, names) {
    /** @type {Map<string, import("./board.js").Shown>} */
    const squares = new Map();
    const byName = new Map(seen.pieces.map((piece) => [piece.name, piece]));
    for (const piece of seen.pieces) {
        if (piece.square) squares.set(piece.square, { art: quantumArt(piece.kinds, piece.promoted), label: label(piece), color: piece.owner });
    }
    const held = (/** @type {string[]} */ hand) =>
        hand.flatMap((name) => {
            const piece = byName.get(name);
            return piece ? [{ key: name, art: quantumArt(piece.kinds, false), label: label(piece), count: 1 }] : [];
        });
    const places = last ? ends(last).filter((place) => place !== null) : [];
    return { squares, hands: { b: held(seen.hands[0]), w: held(seen.hands[1]) }, last: places, turn: seen.turn, names };
}

/** How likely a piece is to be what, as bars. @param {QuantumPiece} piece @param {QuantumPiece | null} after the same piece after a move */
function oddsTable(piece, after) {
    const rows = KINDS.map((kind, place) => {
        const odds = (after ?? piece).odds[place];
        const share = Math.round(odds * 100);
        // Only what is impossible has 0 %, and only what is certain 100 %.
        const text = odds > 0 && share === 0 ? "<1%" : odds < 1 && share === 100 ? ">99%" : `${share}%`;
        const bar = make("span", { class: "bar" });
        const inner = make("span", {});
        inner.style.width = `${share}%`;
        bar.append(inner);
        const row = make("tr", {}, make("th", { scope: "row" }, pieceWord(kind, false)), make("td", { "aria-hidden": "true" }, bar), make("td", {}, text));
        if (odds === 0) row.classList.add("impossible");
        return row;
    });
    return make("table", { class: "odds" }, make("tbody", {}, ...rows));
}

/** A move in words: quantum pieces have no names, so it is where from and where to. @param {string} move @param {"b" | "w"} color of who makes it */
export function moveText(move, color) {
    const [from, to] = ends(move);
    const sign = color === "b" ? "▲" : "△";
    const start = from === null ? (currentLanguage() === "ja" ? "打" : " drop") : squareWord(from);
    const promoted = move.endsWith("+") ? (currentLanguage() === "ja" ? "成" : "+") : "";
    return from === null ? `${sign}${squareWord(to)}${start}` : `${sign}${start}→${squareWord(to)}${promoted}`;
}

/** All moves from a position on in words. @param {string} root @param {string[]} moves */
export function moveTexts(root, moves) {
    const first = quantumLook(root).turn;
    return moves.map((move, number) => moveText(move, number % 2 === 0 ? first : other(first)));
}

export class QuantumBoard {
    /**
     * @param {object} parts
     * @param {() => string} parts.text the position, with its moves
     * @param {() => QuantumLook} parts.seen what the rules say about it
     * @param {() => ("b" | "w" | null)} parts.mover who may move by taps
     * @param {(move: string) => void} parts.play
     */
    constructor({ text, seen, mover, play }) {
        this.text = text;
        this.seen = seen;
        this.mover = mover;
        /** The piece whose odds are shown. @type {string | null} */
        this.inspected = null;
        /** The move that is considered. @type {string | null} */
        this.considered = null;
        /** The kinds of all pieces when the board was shown last, to see what has become certain. @type {Map<string, number>} */
        this.before = new Map();
        const find = (/** @type {string} */ place) => seen().pieces.find((one) => (place.includes(":") ? one.name === place.slice(2) : one.square === place));
        /** @type {Tapping} */
        let tapping;
        this.board = new Board({ square: (square) => tapping.square(square), hand: (color, key) => tapping.hand(color, key), look: (square) => tapping.look(square), drop: (at, square) => tapping.drop(at, square) });
        // Squares are called 7g here.
        if (currentLanguage() === "en") this.board.nameRanks(RANKS);
        tapping = new Tapping(this.board, {
            moves: () => seen().moves,
            mover,
            judge: (move) => quantumJudge(text(), move),
            play,
            art: (at, promoted) => quantumArt(find(at)?.kinds ?? 0xff, promoted),
            inspect: (place) => {
                this.inspected = (place === null ? null : find(place)?.name) ?? this.inspected;
                this.considered = null;
                this.showOdds();
            },
            consider: (move) => {
                if (move === this.considered) return;
                this.considered = move;
                this.showOdds();
            },
        });
        this.odds = make("section", { class: "panel odds-panel" });
    }

    /** Another game begins: nothing was seen before. */
    forget() {
        this.inspected = null;
        this.before = new Map();
    }

    showOdds() {
        const seen = this.seen();
        let after = null;
        if (this.considered && seen.moves.includes(this.considered)) {
            after = quantumLook(withMove(this.text(), this.considered)).pieces.find((one) => one.name === this.inspected) ?? null;
        }
        const piece = seen.pieces.find((one) => one.name === this.inspected);
        const place = piece ? (piece.square ? squareWord(piece.square) : word("inHand")) : "";
        this.odds.replaceChildren(make("h2", {}, word(this.considered ? "reveals" : "mayBe")), ...(piece
            ? [make("p", { class: "piece-name" }, `${place} ${colorWord(piece.owner)} ${label(after ?? piece)}`), oddsTable(piece, after)]
            : [make("p", { class: "note" }, word("mayBeHelp"))]));
    }

    /**
     * Shows the position. What has become certain flashes, and is returned in words.
     * @param {string | undefined} last the move that led here
     * @param {{ b: string, w: string }} names
     */
    show(last, names) {
        const seen = this.seen();
        this.board.show({ ...view(seen, last, names), isFixed: this.mover() === null });
        this.board.arrows([]);
        const certain = seen.pieces.filter((piece) => kindsOf(piece.kinds).length === 1 && kindsOf(this.before.get(piece.name) ?? piece.kinds).length > 1);
        for (const [square, cell] of this.board.cells) cell.classList.toggle("flash", certain.some((piece) => piece.square === square));
        this.before = new Map(seen.pieces.map((piece) => [piece.name, piece.kinds]));
        this.showOdds();
        return certain.length === 0 ? "" : word("converged", listWord(certain.map((piece) => `${piece.square ? squareWord(piece.square) : word("inHand")} ${label(piece)}`)));
    }

    /** An arrow for a move. @param {string} move @param {boolean} [played] a bad one */
    point(move, played = false) {
        const [from, to] = ends(move);
        this.board.arrows([{ from, to, rank: 0, played }]);
    }
}
