// What a person does with the page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** Numbers that are the same in every run. */
function random(seed) {
    let state = seed;
    return (bound) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * bound);
    };
}

/** All legal moves, asked of the page's own rules, for choosing only: whether a tap makes them is what is tested. */
const legal = (person, kind, text) => person.page.evaluate(async ([one, position]) => {
    const rules = await import("./rules.js");
    return (one === "quantum" ? rules.quantumLook(position) : rules.look(position)).moves;
}, [kind, text]);

const textOf = ({ root, moves }) => (moves.length > 0 ? `${root} moves ${moves.join(" ")}` : root);

/** A move as a better player would choose it: a second engine in the page thinks a little longer. */
const advice = (person, text, go = "go nodes 8000") => person.page.evaluate(async ([position, limit]) => {
    const { EngineClient } = await import("./engine-client.js");
    const { load } = await import("./rules.js");
    globalThis.adviser ??= new EngineClient(await load());
    return (await globalThis.adviser.ask(position, limit)).split(" ")[1];
}, [text, go]);

/** Counts the searches that run: in `running` of the page. */
export const countRunning = (person) => person.page.evaluate(async () => {
    const { EngineClient } = await import("./engine-client.js");
    const { ask } = EngineClient.prototype;
    globalThis.running = 0;
    EngineClient.prototype.ask = async function (...question) {
        globalThis.running += 1;
        const answer = await ask.apply(this, question);
        globalThis.running -= 1;
        return answer;
    };
});

/** The weakest opponent that is offered: a level, or a number of positions. */
export async function newGame(person, { side = "b", limit, handicap, clock = "0 0" } = {}) {
    const open = person.page.locator("details").filter({ has: person.page.locator("#start") });
    if (!(await open.getAttribute("open").then((value) => value !== null))) await person.tap(open.locator("summary"));
    await person.page.selectOption("#side", side);
    await person.page.selectOption("#strength", limit ? { value: limit } : { index: 0 });
    await person.page.selectOption("#clock", clock);
    if (handicap) await person.page.selectOption("#handicap", handicap);
    await person.tap("#start");
}

/** The first move of the shortest mate: a second engine in the page is asked. */
const mateMove = (person, text) => person.page.evaluate(async (position) => {
    const { EngineClient } = await import("./engine-client.js");
    const { load } = await import("./rules.js");
    globalThis.adviser ??= new EngineClient(await load());
    return (await globalThis.adviser.ask(position, "go mate 20000")).split(" ")[1];
}, text);

/** Solves the problem on the board, the moves of which are known to begin at `sfen`. Its replies are read from the board. */
async function solveShown(person, sfen) {
    let moves = [];
    person.attacker = sfen.split(" ")[1];
    for (let count = 0; count < 12; count += 1) {
        const text = textOf({ root: `sfen ${sfen}`, moves });
        const move = await mateMove(person, text);
        await person.move(move);
        await person.page.waitForFunction(() => /と応じ|The defense plays|詰みました|Mate!/.test(document.querySelector(".status")?.textContent ?? ""), null, { timeout: 60_000 });
        if (/詰みました|Mate!/.test(await person.text(".status"))) return moves.length + 1;
        const seen = await person.page.locator("[data-square]").evaluateAll((cells) => cells.map((cell) => `${cell.dataset.square}${cell.querySelector(".ink")?.getAttribute("href") ?? ""}${cell.querySelector(".turned") ? "v" : ""}`).sort().join());
        const replies = await legal(person, "shogi", textOf({ root: `sfen ${sfen}`, moves: [...moves, move] }));
        const boards = await person.page.evaluate(async ([position, given]) => {
            const { readSfen, after } = await import("./position.js");
            const start = readSfen(position.root.slice(5));
            const before = position.moves.reduce(after, start);
            const flipped = start.turn === "w";
            return given.map((reply) => {
                const { squares } = after(before, reply);
                const all = [..."123456789"].flatMap((file) => [..."abcdefghi"].map((rank) => file + rank));
                return all.map((square) => {
                    const piece = squares.get(square);
                    if (!piece) return square;
                    const name = piece.kind === "K" && piece.color === "w" ? "k" : `${piece.promoted ? "+" : ""}${piece.kind}`;
                    return `${square}#letter-${name}${(piece.color === "w") !== flipped ? "v" : ""}`;
                }).sort().join();
            });
        }, [{ root: `sfen ${sfen}`, moves: [...moves, move] }, replies]);
        const reply = replies[boards.indexOf(seen)];
        assert.ok(reply, `a legal reply to ${move} in ${text}`);
        moves = [...moves, move, reply];
    }
    assert.fail("no end");
}

/** From whatever is shown. */
async function paste(person, text) {
    await person.tap("#tab-analyse");
    await person.paste(text);
}

export const games = {
    "a game is played for some moves": async (person) => {
        await person.tap("#tab-play");
        await newGame(person);
        const pick = random(7);
        let game = await person.turn("shogi-game");
        while (game.moves.length < 24 && !/手まで|after \d/.test(await person.text(".status"))) {
            const moves = await legal(person, "shogi", textOf(game));
            const move = moves[pick(moves.length)];
            await person.move(move);
            const before = game.moves.length;
            game = await person.turn("shogi-game");
            assert.equal(game.moves[before], move, `the tapped move ${move}`);
            // Where the piece now stands, the page says so, unless it was taken at once.
        }
        await person.isWell("play");
        // Taken back: the person's move and the answer.
        await person.tap("#undo");
        const back = await person.turn("shogi-game");
        assert.equal(back.moves.length, game.moves.length - (game.moves.length % 2 === 0 ? 2 : 1));
        await person.tap("#hint");
        await person.says(/候補|Try/);
        assert.equal(await person.page.locator(".overlay .arrow").count(), 1);
        // The game is still there when the page is opened again.
        await person.page.reload();
        await person.ready();
        assert.deepEqual((await person.turn("shogi-game")).moves, back.moves);
        await person.tap("#resign");
        await person.tap(person.page.locator(".confirm button").first());
        await person.status(/投了|resignation/);
        return `${game.moves.length} plies`;
    },

    "a game is played to its end": async (person) => {
        await person.tap("#tab-play");
        await newGame(person, { side: "b" });
        let game = await person.turn("shogi-game");
        while (!/手まで|after \d/.test(await person.text(".status")) && game.moves.length < 300) {
            await person.move(await advice(person, textOf(game)));
            game = await person.turn("shogi-game");
        }
        const status = await person.text(".status");
        assert.match(status, /先手の勝ち|Black wins/, "the better player wins");
        await person.isWell("won");
        await person.tap(person.page.locator("button.primary", { hasText: /この対局を検討|Analyze this game/ }));
        assert.equal(await person.page.locator(".moves li").count(), game.moves.length + 1);
        assert.match(await person.text(".status"), /終局|End/);
        assert.match(await person.text(".stand.above .name"), /Tsumero/);
        return `${status}`;
    },

    "White in a handicap game, the board turned": async (person) => {
        await person.tap("#tab-play");
        const handicaps = await person.page.locator("#handicap option").allTextContents();
        const isJapanese = (name) => /[一-龯]/.test(name);
        assert.ok(handicaps.length === 16 && handicaps.every((name) => isJapanese(name) === (person.locale === "ja-JP")), `${handicaps}`);
        await newGame(person, { side: "b", handicap: "六枚落ち" });
        let game = await person.turn("shogi-game");
        assert.equal(game.moves.length, 1, "White, who gives the handicap, moves first");
        const isChosen = async () => assert.equal(await person.page.locator("#handicap").inputValue(), "六枚落ち", "also for the next game");
        await isChosen();
        await person.page.reload();
        await person.ready();
        await isChosen();
        // 先手 may mean either of them. So the names are others, also where the game is analyzed.
        assert.match(await person.label("5i"), /^(５九 下手 玉|5i Black \(weaker\) king)$/);
        await person.tap("#resign");
        await person.tap(person.page.locator(".confirm button").first());
        await person.status(/1手まで、上手の勝ち|White \(giver\) wins after 1 move/);
        await person.tap(person.page.locator("button.primary", { hasText: /この対局を検討|Analyze this game/ }));
        assert.match(await person.label("5i"), /^(５九 下手 玉|5i Black \(weaker\) king)$/);
        assert.match(await person.text(".stand.below .name"), /下手|weaker/);
        await person.tap("#tab-quantum");
        assert.match(await person.label("5i"), /^(５九 先手|5i Black)/);
        await person.tap("#tab-play");
        await newGame(person, { side: "w", handicap: "平手" });
        game = await person.turn("shogi-game");
        assert.equal(game.moves.length, 1);
        const box = await person.page.locator('[data-square="5a"]').boundingBox();
        const other = await person.page.locator('[data-square="5i"]').boundingBox();
        assert.ok(box.y > other.y, "White sits below");
        await person.move("3c3d");
        game = await person.turn("shogi-game");
        assert.equal(game.moves[1], "3c3d");
    },

    "broken rules are named": async (person) => {
        for (const [sfen, hand, square, words] of [
            ["4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P", "5e", /二歩|nifu/],
            ["8k/9/6N1G/9/9/9/9/9/4K4 b P 1", "P", "1b", /打ち歩詰め|uchifuzume/],
            ["4r2k1/9/9/9/9/9/4P4/9/4K4 b N 1", "N", "2b", /行き所|never move/],
        ]) {
            await paste(person, sfen);
            await person.tap(`[data-hand="${hand}"]`);
            await person.square(square);
            await person.says(words);
            await person.square(square).catch(() => {});
        }
        await paste(person, "4r2k1/9/9/9/9/9/4G4/9/4K4 b - 1");
        await person.square("5g");
        await person.square("4g");
        await person.says(/玉を取られ|left in check/);
    },

    "promotion is asked on the square": async (person) => {
        await paste(person, "8k/9/9/4P4/9/9/9/9/4K4 b - 1");
        await person.square("5d");
        assert.equal(await person.page.locator(".target").count(), 1);
        await person.square("5c");
        const ask = await person.page.locator(".ask").boundingBox();
        const cell = await person.page.locator('[data-square="5c"]').boundingBox();
        assert.ok(Math.abs(ask.x + ask.width / 2 - (cell.x + cell.width / 2)) < cell.width, "the question is at the square");
        await person.isWell("promotion");
        // Somebody thinks better of it.
        await person.square("5i");
        assert.equal(await person.page.locator(".ask").count(), 0, "another piece takes the question away");
        assert.equal(await person.page.locator(".chosen").getAttribute("data-square"), "5i");
        await person.square("5d");
        await person.square("5c");
        await person.tap('.ask [data-value="5d5c+"]');
        assert.match(await person.label("5c"), /と金|promoted pawn/);
    },

    "a game file is read and stepped through": async (person, root) => {
        const truth = readFileSync(`${root}/crates/record/tests/data/truth.jsonl`, "utf-8").trim().split("\n").map((line) => JSON.parse(line));
        for (const name of ["real/plain.ki2", "real/denryusen-kachi.csa", "real/shogihome.jkf", "real/shogidokoro-sjis.kif"]) {
            const [expected] = truth.find(({ file }) => file === name).games;
            await person.tap("#tab-play");
            await person.tap("#tab-analyse");
            await person.page.setInputFiles("#file", `${root}/crates/record/tests/data/${name}`);
            await person.page.waitForFunction((count) => document.querySelectorAll(".moves li").length === count, expected.moves.length + 1, { timeout: 10_000 });
            for (let step = 0; step < 5; step += 1) await person.tap("#next");
            await person.tap("#last");
            const address = decodeURIComponent(await person.page.evaluate(() => location.hash)).replaceAll("_", " ");
            assert.ok(address.endsWith(expected.moves.join(" ")), `${name}: the moves of the file`);
            await person.tap("#first");
        }
        await person.page.locator(".moves button").nth(10).scrollIntoViewIfNeeded();
        await person.tap(person.page.locator(".moves button").nth(10));
        assert.equal(await person.page.locator(".moves [aria-current]").innerText().then((text) => text.startsWith("10 ")), true);
        await person.page.keyboard.press("ArrowRight");
        assert.ok((await person.text(".status")).startsWith("11 "), "the arrow keys step");
        await paste(person, "startpos moves 7g7f 7g7e");
        await person.says(/1行目|Line 1/);
    },

    "thinking is heard, seen and stopped": async (person) => {
        await paste(person, "position startpos moves 7g7f 3c3d 2g2f 4c4d 3i4h 8b4b");
        await person.tap("#next");
        await countRunning(person);
        await person.tap("#live");
        await person.page.waitForFunction(() => document.querySelectorAll(".pv li").length === 3 && document.querySelectorAll(".overlay .arrow").length >= 2, null, { timeout: 30_000 });
        // Another position: the search of the old one has to end for it.
        await person.tap("#next");
        await person.page.waitForFunction(() => document.querySelectorAll(".pv li").length === 3, null, { timeout: 30_000 });
        await person.isWell("thinking");
        // The button ends the search: nobody else has asked for anything, and then the engine answers to what comes next.
        await person.page.waitForFunction(() => globalThis.running === 1);
        await person.tap("#live");
        await person.page.waitForFunction(() => globalThis.running === 0, null, { timeout: 3_000 });
        await person.tap("#mate");
        await person.says(/詰みはありません|no mate/);
        await person.tap("#whole");
        await person.page.waitForFunction(() => document.querySelector(".graph .values")?.getAttribute("points")?.split(" ").length === 7, null, { timeout: 60_000 });
        await person.isWell("graph");
    },

    "a mate is found": async (person) => {
        await paste(person, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
        await person.tap("#mate");
        await person.says(/1手詰|Mate in 1/);
        await paste(person, "startpos");
        await person.tap("#mate");
        await person.says(/詰みはありません|no mate/);
    },

    "quantum shogi is played to its end": async (person) => {
        await person.tap("#tab-quantum");
        await newGame(person, { side: "b", limit: "nodes 1000" });
        let game = await person.turn("quantum-game");
        const pick = random(3);
        // What a piece may be is told at a tap, and shrinks by its move.
        await person.square("5g");
        assert.equal(await person.page.locator(".odds tr:not(.impossible)").count(), 8);
        await person.square("5f");
        game = await person.turn("quantum-game");
        await person.square("5f");
        assert.equal(await person.page.locator(".odds tr.impossible").count(), 2, "a step forward: neither knight nor bishop");
        await person.square("5f");
        await person.isWell("quantum");
        assert.equal(await person.page.locator("#save-picture").count(), 0, "no picture in a running game");
        while (!/手まで|after \d/.test(await person.text(".status")) && game.moves.length < 400) {
            const moves = await legal(person, "quantum", textOf(game));
            const move = moves[pick(moves.length)];
            const before = game.moves.length;
            await person.move(move);
            game = await person.turn("quantum-game");
            assert.equal(game.moves[before], move);
        }
        await person.isWell("quantum over");
        assert.equal(await person.page.locator("#save-picture").count(), 1);
        const status = await person.text(".status");
        assert.match(status, /玉を取った|king is taken/);
        await person.tap("#undo");
        assert.ok((await person.turn("quantum-game")).moves.length < game.moves.length);
        return status;
    },

    "a hint does not help a weak quantum opponent": async (person) => {
        await person.tap("#tab-quantum");
        // What the hint will say, and so the move whose reply the hint has looked at.
        const move = await advice(person, "quantum startpos", "go nodes 100000");
        const replies = [];
        for (const hint of [false, true]) {
            await newGame(person, { side: "b", limit: "nodes 10" });
            await person.turn("quantum-game");
            if (hint) {
                await person.tap("#hint");
                await person.says(/候補:|Try/);
            }
            await person.move(move);
            replies.push((await person.turn("quantum-game")).moves[1]);
        }
        assert.equal(replies[1], replies[0]);
    },

    "the keyboard is enough": async (person) => {
        await person.tap("#tab-play");
        await newGame(person);
        await person.turn("shogi-game");
        await person.page.focus('[data-square="5i"]');
        for (const key of ["ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowUp", "Enter", "ArrowUp", "Enter"]) await person.page.keyboard.press(key);
        const game = await person.turn("shogi-game");
        assert.equal(game.moves[0], "7g7f");
        assert.equal(await person.page.evaluate(() => document.activeElement?.getAttribute("data-square")), "7f", "the focus stays on the board");
    },

    "the clock runs, and runs out": async (person) => {
        await person.tap("#tab-play");
        await newGame(person, { clock: "300 10" });
        await person.turn("shogi-game");
        await person.move("7g7f");
        const game = await person.turn("shogi-game");
        assert.ok(game.left.b < 300 && game.left.b > 240, `${game.left.b} s are left`);
        assert.match(await person.text(".stand.below .clock"), /^[45]:\d\d$/);
        await newGame(person, { clock: "0 10" });
        await person.turn("shogi-game");
        await person.status(/時間切れ|out of time/, 15_000);
        assert.equal((await person.kept("shogi-game")).end.winner, "w");
        await person.isWell("out of time");
    },

    "games stay on the device": async (person) => {
        await person.tap("#tab-play");
        await newGame(person, { side: "both" });
        for (const move of ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e"]) await person.move(move);
        // A move of the list is shown in the analysis.
        await person.tap(person.page.locator(".moves button").nth(2));
        assert.match(await person.text(".status"), /^2 (△３四歩|☖P-34)$/);
        assert.equal(await person.page.locator(".moves li").count(), 6);
        await person.tap("#tab-play");
        await person.tap("#resign");
        await person.tap(person.page.locator(".confirm button").first());
        await person.tap(".games summary");
        await person.isWell("games");
        assert.match(await person.text("#game-0"), /5手|5 moves/);
        await person.tap("#game-0");
        assert.equal(await person.page.locator(".moves li").count(), 6);
        assert.match(await person.text(".status"), /投了|resign/);
        await person.tap("#tab-play");
        const before = await person.page.evaluate(() => JSON.parse(localStorage.getItem("games")).length);
        await person.tap(".games summary");
        await person.tap("#forget-0");
        assert.equal(await person.page.evaluate(() => JSON.parse(localStorage.getItem("games")).length), before - 1);
    },

    "problems are solved, one after another": async (person) => {
        await person.tap("#tab-puzzles");
        const bundle = await person.page.evaluate(async () => (await fetch("problems.json")).json());
        let solved = 0;
        for (const length of [1, 3, 5]) {
            await person.page.selectOption("#length", String(length));
            for (let count = 0; count < 3; count += 1) {
                await person.status(new RegExp(`${length}手詰です|Mate in ${length}\\.`));
                const number = Number(/\d+/.exec(await person.text(".side h2"))[0]);
                const [sfen] = bundle[length][number - 1];
                if (count === 0) {
                    // A check that does not mate is named, and taken back.
                    const wrong = await person.page.evaluate(async (position) => {
                        const { legalMoves, givesCheck } = await import("./moves.js");
                        const { readSfen } = await import("./position.js");
                        const start = readSfen(position);
                        return legalMoves(start).filter((move) => givesCheck(start, move));
                    }, sfen);
                    const right = await mateMove(person, `sfen ${sfen}`);
                    const visible = new Set(await person.page.locator("[role=row]:not([hidden]) [data-square]").evaluateAll((cells) => cells.map((cell) => cell.dataset.square)));
                    const bad = wrong.find((move) => move !== right && visible.has(move.slice(2, 4)));
                    if (bad) {
                        await person.move(bad);
                        await person.status(/詰みません|does not mate/);
                    }
                }
                assert.equal(await solveShown(person, sfen), length);
                solved += 1;
                if (count === 2) await person.isWell("problem solved");
                await person.tap("#next-problem");
            }
        }
        await person.tap("#daily");
        await person.page.waitForFunction(() => /今日の|of the day/.test(document.querySelector(".side h2")?.textContent ?? ""), null, { timeout: 120_000 });
        await person.tap("#hint");
        await person.status(/ヒント|Hint/);
        await person.tap("#solution");
        await person.tap("#next");
        await person.isWell("problem of the day");
        assert.ok((await person.page.evaluate(() => JSON.parse(localStorage.getItem("problem-progress")).solved["3"])) >= 3);
        return `${solved} problems`;
    },

    "ten problems are made": async (person) => {
        await person.tap("#tab-puzzles");
        await person.page.selectOption("#make-length", "3");
        await person.tap("#make-ten");
        await person.page.waitForFunction(() => /^(10問できました|10 made)$/.test(document.querySelector("#made-count")?.textContent ?? ""), null, { timeout: 240_000 });
        assert.equal(await person.page.locator(".numbers li").count(), 10);
        await person.tap("#made-4");
        const sfen = decodeURIComponent(await person.page.evaluate(() => location.hash)).replace("#puzzles=", "").replaceAll("_", " ");
        assert.equal(await solveShown(person, sfen), 3);
        // A problem of a seed is the same everywhere: the bundled ones come from the native program.
        const [bundled, here] = await person.page.evaluate(async () => {
            const { Workshop } = await import("./workshop.js");
            const { load } = await import("./rules.js");
            const all = await (await fetch("problems.json")).json();
            return [all[3][2][0], (await new Workshop(await load()).ask("make", 3, 1, 2, "")).sfen];
        });
        assert.equal(here, bundled);
        await person.isWell("problems made");
    },

    "problems of a style are made, and stopping keeps them": async (person) => {
        await person.tap("#tab-puzzles");
        await person.page.selectOption("#make-length", "3");
        if (!(await person.page.locator("details.style").getAttribute("open").then((value) => value !== null))) await person.tap("details.style summary");
        for (const kind of ["R", "+R", "B", "+B", "L", "+L"]) await person.tap(`[id="kindsOnBoard-${kind}"]`);
        await person.tap("#kindsInHand-R");
        await person.page.selectOption("#problemArea", "1-5,1-5");
        await person.page.selectOption("#pieceCount", "4-6");
        await person.isWell("style of problems");
        const kept = () => person.page.evaluate(() => JSON.parse(localStorage.getItem("made-problems") ?? "[]"));
        const before = (await kept()).map(({ sfen }) => sfen).join();
        await person.tap("#make-ten");
        await person.page.waitForFunction(() => /^(10問できました|10 made)$/.test(document.querySelector("#made-count")?.textContent ?? ""), null, { timeout: 300_000 });
        const made = await kept();
        assert.notEqual(made.map(({ sfen }) => sfen).join(), before);
        assert.equal(made.length, 10);
        for (const { sfen, line } of made) {
            const [board, , hands] = sfen.split(" ");
            const rows = board.split("/").map((row) => row.replace(/\d/g, (count) => ".".repeat(Number(count))).replace(/\+(.)/g, "$1"));
            assert.ok(!/[rbl]/i.test(board), `${sfen}: no rook, bishop or lance on the board`);
            assert.ok(!hands.includes("R"), `${sfen}: no rook in hand`);
            assert.ok(rows.slice(5).join("") === ".".repeat(36) && rows.every((row) => row.startsWith("....")), `${sfen}: in the corner`);
            // At the start a problem has at least as many; what is idle is taken away.
            assert.ok(rows.join("").replaceAll(".", "").length <= 6 && line.length === 3, sfen);
        }
        // Both kings: the attacker has one, too. Stopped after the first one.
        await person.page.selectOption("#problemArea", "");
        await person.page.selectOption("#pieceCount", "");
        await person.page.locator("#bothKings").check();
        await person.page.selectOption("#make-length", "5");
        await person.tap("#make-ten");
        await person.page.waitForFunction(() => document.querySelectorAll("[id^=made-]:not(#made-count)").length > 0, null, { timeout: 120_000 });
        await person.tap("#stop-making");
        await person.page.waitForFunction(() => document.querySelector("#make-ten") !== null);
        const stopped = await kept();
        assert.ok(stopped.length > 0 && stopped.length < 10, `${stopped.length}`);
        assert.ok(stopped.every(({ sfen }) => sfen.includes("K") && sfen.includes("k")), "both kings");
        await person.page.reload();
        await person.ready();
        assert.equal(await person.page.locator(".numbers li").count(), stopped.length, "they stay");
        await person.tap("#made-0");
        assert.equal(await solveShown(person, stopped[0].sfen), 5);
        await person.tap("details.style summary");
        await person.page.locator("#bothKings").uncheck();
        await person.isWell("problems of a style");
    },

    "a problem is composed": async (person) => {
        // The editor stays although the problem of the page's address is found after it was opened.
        await person.page.evaluate(() => {
            history.replaceState(null, "", "#puzzles=4k4/9/4P4/9/9/9/9/9/9_b_G_1");
            for (const id of ["tab-puzzles", "compose"]) document.getElementById(id)?.click();
        });
        const hasNoMate = () => person.page.waitForFunction(() => /詰みません|no mate/.test(document.querySelector("#verdict")?.textContent ?? ""), null, { timeout: 60_000 });
        await person.tap("#clear");
        await hasNoMate();
        await person.tap("#close-editor");
        await person.tap("#compose");
        await person.tap("#clear");
        await hasNoMate();
        await person.tap("#tool-bP");
        await person.square("5c");
        await person.tap("#more-G");
        await person.page.waitForFunction(() => /1手詰、余詰なし|Sound: mate in 1/.test(document.querySelector("#verdict")?.textContent ?? ""), null, { timeout: 60_000 });
        await person.isWell("composed");
        // What cannot be judged is said in the language of the page.
        await person.tap("#tool-bR");
        await person.square("4a");
        await person.page.waitForFunction(() => /調べられません（攻方が玉を取れる局面です）|checked \(the attacker could capture the king\)/.test(document.querySelector("#verdict")?.textContent ?? ""), null, { timeout: 60_000 });
        await person.tap("#undo");
        // With a gold in place of the pawn, four other drops mate later: each is an arrow.
        await person.tap("#tool-bG");
        await person.square("5c");
        await person.tap("#more-G");
        await person.page.waitForFunction(() => document.querySelectorAll(".overlay .played").length === 4, null, { timeout: 60_000 });
        assert.equal(await person.page.locator("#second li").count(), 4);
        await person.isWell("second solutions");
        await person.tap("#undo");
        await person.tap("#undo");
        await person.page.waitForFunction(() => /余詰なし|Sound/.test(document.querySelector("#verdict")?.textContent ?? ""), null, { timeout: 60_000 });
        await person.tap("#solve-this");
        await person.move("G*5b");
        await person.status(/詰みました|Mate!/);
    },

    "both languages": async (person) => {
        const before = await person.text("#tab-play");
        await person.tap("#language");
        assert.notEqual(await person.text("#tab-play"), before);
        await person.isWell("other language");
        for (const width of person.touch ? [320, 360, 375, person.width] : []) {
            await person.page.setViewportSize({ width, height: 740 });
            for (const name of ["analyse", "puzzles", "quantum", "play"]) {
                await person.tap(`#tab-${name}`);
                await person.fits(`${name} in the other language`);
            }
        }
        await person.tap("#language");
        assert.equal(await person.text("#tab-play"), before);
    },
};
