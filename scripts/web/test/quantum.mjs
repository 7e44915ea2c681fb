// Quantum shogi besides games: first steps, problems, records.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { newGame } from "./games.mjs";
import { follow } from "./mishaps.mjs";

/** A move by taps. A quantum piece in hand is called by its name, and its drop needs no promotion. */
async function play(person, move) {
    if (move[1] === "*") {
        await person.tap(`.stand [data-hand="${move[0]}"]`);
        await person.square(move.slice(2, 4));
    } else {
        await person.move(move);
    }
}

const open = async (person, part) => {
    await person.tap("#tab-quantum");
    await person.tap(`#part-${part}`);
};

/** A move that does not win by force, for the problem that is shown. */
const wrongMove = (person, text, plies) => person.page.evaluate(async ([position, most]) => {
    const { Workshop } = await import("./workshop.js");
    const { load, quantumLook } = await import("./rules.js");
    globalThis.asked ??= new Workshop(await load());
    for (const move of quantumLook(position).moves.filter((one) => one[1] !== "*").slice(0, 40)) {
        const answer = await globalThis.asked.ask("quantumAnswer", `${position} moves ${move}`, most);
        if (answer.kind === "wrong") return move;
    }
    return null;
}, [text, plies]);

const bestMove = (person, text, plies) => person.page.evaluate(async ([position, most]) => {
    const { Workshop } = await import("./workshop.js");
    const { load } = await import("./rules.js");
    globalThis.asked ??= new Workshop(await load());
    return globalThis.asked.ask("quantumBest", position, most);
}, [text, plies]);

/** The pieces on the board with their sides, to find the reply that was played. */
const squares = (person) => person.page.locator("[data-square]").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")).sort().join());

export const quantum = {
    "quantum shogi: the first steps": async (person) => {
        await open(person, "lessons");
        await person.status(/動かしてみましょう|Move any piece/);
        await person.isWell("quantum first step");
        await person.move("2g2f");
        await person.status(/になりました|It is now/);
        await person.tap("#next-step");
        await person.status(/飛車か角に|rook or a bishop/);
        await person.move("8h8g").catch(() => {});
        // Neither is a rook or a bishop, and the last one does not stand on 8h.
        for (const wrong of ["6g6f", "8h9f", "2h4h"]) {
            await person.move(wrong);
            await person.says(/それでは|That leaves/);
        }
        await person.move("8h6h");
        await person.status(/飛車 に決まりました|It is the rook/);
        // Another piece can no longer be the rook.
        await person.square("5g");
        assert.ok(await person.page.locator(".odds tr").nth(6).evaluate((row) => row.classList.contains("impossible")));
        await person.isWell("quantum second step");
        await person.tap("#next-step");
        const [text, first] = (await person.page.evaluate(async () => (await fetch("quantum-problems.json")).json()))[1][0];
        await person.status(/玉を取りましょう|Take the king/);
        assert.ok(text.length > 0);
        await play(person, first);
        await person.status(/玉を取りました|The king is taken/);
        await person.isWell("quantum third step");
        await person.tap("#to-problems");
        await person.status(/必ず玉を|by force/);
    },

    "quantum shogi: problems are solved": async (person) => {
        await open(person, "problems");
        const all = await person.page.evaluate(async () => (await fetch("quantum-problems.json")).json());
        // Another tab solves one meanwhile, which stays.
        await person.page.evaluate(() => localStorage.setItem("quantum-solved", '["5-11"]'));
        let solved = 1;
        for (const plies of [1, 3, 5]) {
            await person.page.selectOption("#quantum-length", String(plies));
            for (let number = 0; number < 2; number += 1) {
                await person.tap(`#problem-${number}`);
                await person.status(/必ず玉を|by force/);
                const [root, first] = all[plies][number];
                if (number === 0) {
                    const wrong = await wrongMove(person, root, plies);
                    if (wrong) {
                        await play(person, wrong);
                        await person.status(/逃れる|fails/);
                    }
                    await person.tap("#hint");
                    // With the sign of the side to move, on the moving stand.
                    const sign = (await person.text(".stand.moving .sign")) === "☗" ? "▲" : "△";
                    await person.says(new RegExp(`(候補:|Try) ${sign}`));
                    assert.equal(await person.page.locator(".overlay .arrow").count(), 1);
                }
                let text = `${root} moves ${first}`;
                await play(person, first);
                for (let left = plies; ;) {
                    await person.status(/応じました|The reply is|玉を取りました|is taken/, 60_000);
                    if (/玉を取りました|is taken/.test(await person.text(".status"))) break;
                    // The reply is the one that leads to the position on the board.
                    const seen = await squares(person);
                    const reply = await person.page.evaluate(async ([position, shown]) => {
                        const { quantumLook } = await import("./rules.js");
                        const { label } = await import("./quantum-board.js");
                        const { colorWord, squareWord, word } = await import("./words.js");
                        const files = [..."123456789"].flatMap((file) => [..."abcdefghi"].map((rank) => file + rank));
                        return quantumLook(position).moves.find((move) => {
                            const { pieces } = quantumLook(`${position} ${move}`);
                            const at = new Map(pieces.map((piece) => [piece.square, piece]));
                            return files.map((square) => {
                                const piece = at.get(square);
                                return piece ? `${squareWord(square)} ${colorWord(piece.owner)} ${label(piece)}` : `${squareWord(square)} ${word("empty")}`;
                            }).sort().join() === shown;
                        });
                    }, [text, seen]);
                    assert.ok(reply, `a legal reply in ${text}`);
                    text += ` ${reply}`;
                    left -= 2;
                    const move = await bestMove(person, text, left);
                    assert.ok(move, `a forced win in ${text}`);
                    text += ` ${move}`;
                    await play(person, move);
                }
                solved += 1;
                if (number === 1) await person.isWell(`quantum problem of ${plies}`);
            }
        }
        assert.equal((await person.page.evaluate(() => JSON.parse(localStorage.getItem("quantum-solved")))).length, solved);
        return `${solved - 1} problems`;
    },

    "quantum shogi: a record is shared": async (person) => {
        const moves = ["7g7f", "3c3d", "8h4d", "5c5d"];
        await open(person, "record");
        await person.page.fill("#record-text", `position quantum startpos moves ${moves.join(" ")}`);
        await person.tap("#read");
        assert.equal(await person.page.locator(".moves li").count(), moves.length + 1);
        for (let step = 0; step < 3; step += 1) await person.tap("#next");
        await person.says(/確定|certain/);
        await person.isWell("quantum record");
        // By a file.
        const saved = readFileSync(await person.saves("#save-record"), "utf-8");
        assert.equal(saved, `position quantum startpos moves ${moves.join(" ")}\n`);
        // What is read in part only is no record.
        for (const [text, fault] of [["no record", /棋譜ではありません|Not a record/], ["startpos moves 7g7f moves 3c3d", /(棋譜ではありません|Not a record).*2: moves/]]) {
            await person.page.fill("#record-text", text);
            await person.tap("#read");
            await person.says(fault);
        }
        await person.page.setInputFiles("#record-file", { name: "quantum.usi", mimeType: "text/plain", buffer: Buffer.from(saved) });
        await person.page.waitForFunction(() => document.querySelectorAll(".moves li").length === 5);
        // White may be the first to move; and a drop is told from its square.
        const { signs, drop } = await person.page.evaluate(async () => {
            const { moveText, moveTexts } = await import("./quantum-board.js");
            const { quantumLook } = await import("./rules.js");
            return { signs: moveTexts(quantumLook("startpos moves 7g7f").position, ["3c3d", "2g2f"]).map((text) => text[0]).join(""), drop: moveText("A*6h", "w") };
        });
        assert.equal(signs, "△▲");
        assert.match(drop, /^△(６八打|6h drop)$/);
        // It stays, with the place in it, while the person looks at something else.
        await person.tap("#next");
        for (const other of ["#part-problems", "#tab-play"]) {
            await person.tap(other);
            if (other === "#tab-play") await person.tap("#tab-quantum");
            await person.tap("#part-record");
            assert.equal(await person.page.locator(".moves li").count(), moves.length + 1, other);
            assert.match(await person.text(".status"), /^1 /, other);
        }
        // By a link.
        const link = await person.page.evaluate(() => location.href);
        await person.tap("#tab-play");
        await person.page.goto(link);
        await person.page.reload();
        await person.ready();
        assert.equal(await person.page.locator(".moves li").count(), moves.length + 1);
        await person.page.keyboard.press("Home");
        await person.page.keyboard.press("ArrowRight");
        assert.match(await person.text(".status"), /^1 /);
    },

    "quantum shogi: a record stays when the page is loaded anew": async (person) => {
        await open(person, "game");
        await newGame(person, { side: "both" });
        for (const move of ["7g7f", "3c3d", "2g2f"]) await play(person, move);
        await person.tap("#resign");
        await person.tap(person.page.locator(".confirm button").first());
        await person.tap("#open-record");
        const ended = /投了|resignation/;
        assert.match(await person.text(".status"), ended);
        for (const _ of [1, 2]) await person.tap("#previous");
        await person.tap("#flip");
        await person.page.reload();
        await person.ready();
        assert.match(await person.text(".status"), /^1 /, "the place");
        assert.equal(await person.page.locator(".table.flipped").count(), 1, "the board is turned");
        await person.tap("#last");
        assert.match(await person.text(".status"), ended);
        await person.page.evaluate(() => { sessionStorage.clear(); localStorage.removeItem("quantum-game"); });
        await follow(person, "#play");
    },

    "quantum shogi: a record is dropped beside it": async (person) => {
        for (const part of ["#quantum", "#quantum=lessons", "#quantum=problems", "#play"]) {
            await follow(person, part);
            await person.page.evaluate(() => {
                const data = new DataTransfer();
                data.items.add(new File(["position quantum startpos moves 7g7f 3c3d\n"], "quantum.usi"));
                document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
            });
            await person.page.waitForFunction(() => document.querySelectorAll(".moves li").length === 3);
            assert.equal(await person.page.evaluate(() => location.hash), "#quantum=startpos_moves_7g7f_3c3d", part);
            await person.page.evaluate(() => sessionStorage.clear());
        }
        await follow(person, "#play");
    },

    "quantum shogi: a bad link is named": async (person) => {
        for (const [link, words] of [["%zz", /このリンクは|This link/], ["no_record", /棋譜ではありません|Not a record/]]) {
            await person.page.goto("about:blank");
            await person.page.goto(`${person.address}#quantum=${link}`);
            await person.ready();
            await person.says(words);
            assert.equal(await person.page.locator('#part-game[aria-pressed="true"]').count(), 1);
        }
    },
};
