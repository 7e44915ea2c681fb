// Reads game files with tsshogi and json-kifu-format. Takes a JSON line {"reader", "format", "text"} and answers with
// {"initial", "moves", "branches"} or {"error"}.
import { createInterface } from "node:readline";
import * as tsshogi from "tsshogi";
import jkf from "json-kifu-format";

const IMPORT = {
    kif: tsshogi.importKIF,
    ki2: tsshogi.importKI2,
    csa: tsshogi.importCSA,
    jkf: tsshogi.importJKFString,
    usi: (text) => tsshogi.Record.newByUSI(text.trim()),
};

function withTsshogi(format, text) {
    const record = IMPORT[format](text);
    if (record instanceof Error) throw record;
    const moves = [];
    let branches = 0;
    for (let node = record.first.next; node; node = node.next) {
        if (node.move instanceof tsshogi.Move) moves.push(node.move.usi);
    }
    record.forEach((node) => {
        if (!node.isFirstBranch) branches += 1;
    });
    return { initial: record.initialPosition.sfen, moves, branches };
}

const PLAYER = {
    kif: jkf.JKFPlayer.parseKIF,
    ki2: jkf.JKFPlayer.parseKI2,
    csa: jkf.JKFPlayer.parseCSA,
    jkf: jkf.JKFPlayer.parseJKF,
};

const LETTERS = { FU: "P", KY: "L", KE: "N", GI: "S", KI: "G", KA: "B", HI: "R" };

function withJkf(format, text) {
    const player = PLAYER[format](text);
    const square = ({ x, y }) => `${x}${"abcdefghi"[y - 1]}`;
    const toUsi = (move) =>
        move.from
            ? square(move.from) + square(move.to) + (move.promote ? "+" : "")
            : `${LETTERS[move.piece]}*${square(move.to)}`;
    const moves = player.kifu.moves.filter((entry) => entry.move).map((entry) => toUsi(entry.move));
    let branches = 0;
    const count = (entries) =>
        entries.forEach((entry) => {
            (entry.forks ?? []).forEach((fork) => {
                branches += 1;
                count(fork);
            });
        });
    count(player.kifu.moves);
    player.goto(0);
    return { initial: player.shogi.toSFENString(1), moves, branches };
}

const READERS = { tsshogi: withTsshogi, "json-kifu-format": withJkf };

for await (const line of createInterface({ input: process.stdin })) {
    const { reader, format, text } = JSON.parse(line);
    let answer;
    try {
        answer = READERS[reader](format, text);
    } catch (error) {
        answer = { error: String(error.message ?? error).split("\n")[0] };
    }
    console.log(JSON.stringify(answer));
}
