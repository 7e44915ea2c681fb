// The analysis: games from files, what the engine thinks of their positions, and judgments, which are those of `tsumero analyze`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { newFolder } from "./folders.mjs";
import { countRunning, newGame } from "./games.mjs";
import { follow } from "./mishaps.mjs";

/** The smallest budget that the page offers. */
const NODES = 10_000;
const GAME = "crates/record/tests/data/real/piyo-kyo.kif";

/** The data of the native program's report, made once. */
let native = null;
function truth(program, root) {
    if (!native) {
        const folder = newFolder("analysis");
        execFileSync(program, ["analyze", `${root}/${GAME}`, "--nodes", String(NODES), "--html", "--out", folder], { stdio: "ignore" });
        const page = readFileSync(`${folder}/piyo-kyo.html`, "utf-8");
        [native] = JSON.parse(/id="data">(.*?)<\/script>/s.exec(page)[1]).games;
    }
    return native;
}

/** Numbers to fourteen digits: the last ones of logarithms and powers may differ in WebAssembly. */
const rounded = (/** @type {string} */ _, /** @type {unknown} */ value) => typeof value === "number" ? Number(value.toPrecision(14)) : value;
/** Without what the page does not have: the name, times and comments of the file. */
const known = ({ positions, summary, opening, castles, noise, rough, ending }) => JSON.parse(JSON.stringify({
    summary, opening, castles, noise, rough, ending, positions: positions.map(({ time: _, comments: __, ...rest }) => rest),
}, rounded));

export async function chooseFile(person, path) {
    await person.tap("#tab-play");
    await person.tap("#tab-analyse");
    await person.page.setInputFiles("#file", path);
}

/** A game with a branch. */
export const BRANCHED = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n\n変化：2手\n2 ８四歩(83)\n";

/** From now on no search ends, and `report` in the page makes it tell one line for each of these moves. @param {any} person */
const reportByHand = (person) => person.page.evaluate(async () => {
    const { EngineClient } = await import("./engine-client.js");
    EngineClient.prototype.ask = function (_position, _go, info) {
        globalThis.report = (...moves) => moves.forEach((move, place) => info(`info depth 9 multipv ${place + 1} score cp 30 nodes 900 nps 900 pv ${move}`));
        return new Promise(() => {});
    };
});

export const analyses = {
    "the judgments of a game are those of the program": async (person, root, program) => {
        const expected = truth(program, root);
        await chooseFile(person, `${root}/${GAME}`);
        await person.page.selectOption("#budget", String(NODES));
        await person.page.evaluate(async () => {
            const { Workshop } = await import("./workshop.js");
            const { ask } = Workshop.prototype;
            Workshop.prototype.ask = async function (...given) {
                const found = await ask.apply(this, given);
                if (given[0] === "analyze") globalThis.found = found;
                return found;
            };
        });
        // Stopped and begun again.
        await person.tap("#whole");
        await person.page.waitForFunction(() => /: ([2-9]|\d\d)\d* (\/|of) /.test(document.querySelector("#analysis-progress")?.textContent ?? ""));
        await person.tap("#whole");
        assert.equal(await person.page.locator("#analysis-progress").count(), 0);
        await person.tap("#whole");
        await person.page.waitForSelector(".judgments .totals", { timeout: 300_000 });
        // All values, notes, lines, castles and openings.
        assert.deepEqual(known(await person.page.evaluate(() => globalThis.found)), known(expected));
        // And what is shown of them.
        const notes = expected.positions.map(({ note }) => note);
        const shown = await person.page.locator(".moves li").evaluateAll((items) => items.map((item) => [...(item.querySelector(".badge")?.classList ?? [])].at(-1) ?? null));
        assert.deepEqual(shown, [null, ...notes.slice(0, -1)]);
        // The English names of moves are written twice: by the page and by the program.
        const names = await person.page.locator(".moves .move").allInnerTexts();
        if (person.locale !== "ja-JP") assert.deepEqual(names.slice(1), expected.positions.flatMap(({ ply, move }) => (move ? [`${ply + 1} ${move.en}`] : [])));
        const serious = expected.positions.filter(({ note, turns, move }) => move && (["dubious", "mistake", "blunder", "missed_mate"].includes(note) || turns));
        assert.ok(serious.length > 0, "the game has mistakes");
        assert.equal(await person.page.locator(".mistakes li").count(), serious.length);
        assert.equal(await person.page.locator(`.graph circle[class*="mark-"]`).count(), notes.slice(0, -1).filter(Boolean).length);
        const name = await person.page.evaluate(() => document.documentElement.lang);
        if (expected.opening.name) assert.ok((await person.text(".judgments")).includes(expected.opening.name[name]), "the opening is named");
        await person.tap(person.page.locator(".mistakes button").first());
        assert.match(await person.text(".status"), new RegExp(`^${serious[0].ply + 1} `));
        await person.isWell("judgments");
        // The better line leads into a branch.
        const before = await person.page.locator(".moves li").count();
        await person.tap("#why-0");
        assert.match(await person.text(".status"), new RegExp(`^${serious[0].ply + 1} `));
        assert.ok((await person.page.locator(".moves li").count()) < before, "another line is shown");
        return `${notes.filter(Boolean).length} notes`;
    },

    "a line is pressed while the engine reports": async (person) => {
        await follow(person, "#analyse=startpos");
        await reportByHand(person);
        const line = person.page.locator("#line-2");
        const report = async (...moves) => {
            await person.page.evaluate((given) => globalThis.report(...given), moves);
            await person.page.waitForFunction((count) => document.querySelectorAll(".pv li").length === count, moves.length);
            await person.page.evaluate(() => new Promise((painted) => { requestAnimationFrame(() => setTimeout(painted)); }));
        };
        await person.tap("#live");
        await report("7g7f", "2g2f");
        await line.scrollIntoViewIfNeeded();
        const box = await line.locator("span").first().boundingBox();
        await person.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await person.page.mouse.down();
        await report("2g2f", "7g7f", "5g5f");
        await person.page.mouse.up();
        const hasMoves = (count) => person.page.waitForFunction((wanted) => document.querySelectorAll(".moves li").length === wanted + 1, count, { timeout: 5_000 });
        await hasMoves(1);
        assert.match(await person.text(".moves li:last-child"), /７六歩|P-76/, "what stands on the line");
        // The keyboard presses a key, and then lets it go.
        await report("3c3d", "8c8d");
        await line.focus();
        await person.page.keyboard.down("Space");
        await report("3c3d", "8c8d", "4a3b");
        await person.page.keyboard.up("Space");
        await hasMoves(2);
        await person.isWell("a line that was pressed");
        await follow(person, "#play");
    },

    "the best line is walked by the keyboard": async (person) => {
        await follow(person, "#analyse=startpos");
        await reportByHand(person);
        await person.tap("#live");
        for (const [number, move] of ["7g7f", "3c3d", "2g2f"].entries()) {
            await person.page.evaluate((best) => globalThis.report(best), move);
            await person.page.waitForSelector("#line-1");
            if (number === 0) await person.page.focus("#line-1");
            await person.page.keyboard.press("Enter");
            await person.page.waitForFunction((count) => document.querySelectorAll(".moves li").length === count, number + 2, { timeout: 5_000 });
        }
        // Somebody who has gone elsewhere stays there.
        await person.page.focus("#flip");
        await person.page.evaluate(() => globalThis.report("8c8d"));
        await person.page.waitForSelector("#line-1");
        assert.equal(await person.page.evaluate(() => document.activeElement.id), "flip");
        await follow(person, "#play");
    },

    "an analysis ends while a question about promotion is open": async (person) => {
        await follow(person, "#analyse=sfen_8k/9/9/4P4/9/9/9/9/4K4_b_-_1_moves_5i5h");
        await person.page.evaluate(async () => {
            const { Workshop } = await import("./workshop.js");
            const { ask } = Workshop.prototype;
            const ready = new Promise((resolve) => { globalThis.finish = resolve; });
            Workshop.prototype.ask = async function (...question) {
                const found = await ask.apply(this, question);
                await ready;
                return found;
            };
        });
        await person.tap("#previous");
        await person.page.selectOption("#budget", "10000");
        await person.tap("#whole");
        await person.square("5d");
        await person.square("5c");
        await person.page.waitForSelector(".ask");
        await person.page.evaluate(() => globalThis.finish());
        await person.page.waitForSelector(".judgments .totals", { timeout: 30_000 });
        await person.tap('.ask [data-value="5d5c+"]');
        assert.match(await person.label("5c"), /と金|promoted pawn/);
        await follow(person, "#play");
    },

    "a step comes between a report and the screen": async (person) => {
        await follow(person, "#analyse=startpos_moves_7g7f");
        await reportByHand(person);
        await person.tap("#live");
        // Nothing is painted meanwhile, and the engine falls silent.
        await person.page.evaluate(() => {
            globalThis.report("3c3d");
            document.querySelector("#previous").click();
            globalThis.report("2g2f");
        });
        await person.page.waitForSelector(".pv li", { timeout: 5_000 });
        assert.match(await person.text(".pv li"), /２六歩|P-26/);
        await follow(person, "#play");
    },

    "a search for a mate ends with its position": async (person) => {
        // 1525 plies: not found at once.
        await follow(person, "#analyse=sfen_l3+P2B+p/k2+rpg+P2/3+p+rPS1n/PP1s4p/3l+p+B1pP/L2n4g/+p4p+N2/5S1s+P/+PL+P+pg+N1G1_b_-_1");
        await countRunning(person);
        const moves = await person.page.evaluate(async () => {
            const { look } = await import("./rules.js");
            return look(decodeURIComponent(location.hash).replace("#analyse=", "").replaceAll("_", " ")).moves;
        });
        await person.tap("#mate");
        await pause(300);
        const running = () => person.page.evaluate(() => globalThis.running);
        assert.equal(await running(), 1);
        await person.move(moves.find((move) => /^\d/.test(move)));
        await person.page.waitForFunction(() => globalThis.running === 0, null, { timeout: 3_000 });
        await follow(person, "#play");
    },

    "a game ends with a mate": async (person) => {
        await follow(person, "#analyse=sfen_4k4/9/4P4/9/9/9/9/9/4K4_b_G_1_moves_G*5b");
        await person.page.selectOption("#budget", "10000");
        await person.tap("#whole");
        await person.page.waitForSelector(".judgments .totals", { timeout: 60_000 });
        const said = () => person.page.locator(".ahead").getAttribute("aria-label");
        assert.match(await said(), /^(先手勝ち（詰み）|Black has mated)$/);
        await person.tap("#previous");
        assert.match(await said(), /^(1手詰（先手）|mate 1 \(Black\))$/);
        // Another analysis that is stopped does not take this one away, nor does a reload in between.
        const unanswered = () => person.page.evaluate(async () => {
            const { Workshop } = await import("./workshop.js");
            const { ask } = Workshop.prototype;
            Workshop.prototype.ask = function (...given) { return given[0] === "analyze" ? new Promise((resolve) => { this.waiting.set(0, resolve); }) : ask.apply(this, given); };
        });
        await unanswered();
        await person.tap("#whole");
        await person.page.waitForSelector("#analysis-progress");
        assert.equal(await person.page.locator(".judgments .totals").count(), 0);
        await person.tap("#whole");
        await person.page.waitForSelector(".judgments .totals");
        await person.tap("#whole");
        await person.page.waitForSelector("#analysis-progress");
        await person.page.reload();
        await person.ready();
        await person.page.waitForSelector(".judgments .totals");
        // Who may declare mates nobody.
        await follow(person, "#analyse=sfen_1KG6/PPPPPPPPP/+R+B7/9/9/9/9/9/8k_w_RB3G3S4N4L9P_1_moves_1i1h");
        await person.tap("#whole");
        await person.page.waitForSelector(".judgments .totals", { timeout: 60_000 });
        assert.match(await said(), /^(先手の宣言勝ち|Black wins by declaration)$/);
        await follow(person, "#play");
    },

    "games of one file": async (person) => {
        await follow(person, "#analyse=startpos");
        const kif = (black, date) => `開始日時：${date}\n手合割：平手\n先手：${black}\n後手：${"乙".repeat(60)}\n手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n`;
        await person.paste(`${kif("甲", "2024/01/02")}\n${kif("丙", "2024/03/04")}`);
        const open = person.page.locator("details").filter({ has: person.page.locator("#paste") });
        const games = open.locator("[role=group] button");
        const choose = async (number) => {
            if ((await open.getAttribute("open")) === null) await person.tap(open.locator("summary"));
            await person.tap(games.nth(number));
        };
        const isCurrent = async (number, count = 2) => assert.deepEqual(await games.evaluateAll((all) => all.map((one) => one.getAttribute("aria-current"))), Array.from({ length: count }, (_, one) => (one === number ? "true" : null)));
        await isCurrent(0);
        assert.match(await games.nth(0).textContent(), /甲 – 乙+ · 2024\/01\/02/);
        assert.match(await games.nth(1).textContent(), /丙 – 乙+ · 2024\/03\/04/);
        // A move is tried, and the game is judged.
        await person.page.selectOption("#budget", "10000");
        await person.tap("#whole");
        await person.page.waitForSelector(".judgments .totals", { timeout: 60_000 });
        await person.move("2g2f");
        const isThere = async (when, count) => {
            assert.equal(await person.page.locator(".moves li").count(), 2, `${when}: the move that was tried`);
            assert.ok(await person.page.locator(".judgments .totals").isVisible(), `${when}: the judgments`);
            await isCurrent(0, count);
        };
        await isThere("at first");
        await choose(1);
        await isCurrent(1);
        assert.equal(await person.page.locator(".moves li").count(), 3);
        assert.equal(await person.page.locator(".judgments .totals").count(), 0);
        await person.isWell("games of a file");
        for (const _ of [1, 2]) await person.tap("#language");
        await isCurrent(1);
        await choose(0);
        await isThere("chosen again");
        await choose(0);
        await isThere("chosen while it is shown");
        // A game from elsewhere leaves those of the file.
        await person.tap("#tab-play");
        await newGame(person, { side: "both" });
        await person.move("7g7f");
        await person.tap(person.page.locator(".moves button").nth(1));
        await person.status(/^1 /);
        await isCurrent(-1);
        await person.page.evaluate(() => { location.hash = "#analyse=startpos_moves_7g7f_8c8d_2g2f"; });
        await person.status(/^3 /);
        // The game that was played here has no more than its first move.
        await isCurrent(-1);
        await person.tap("#whole");
        await person.page.waitForSelector(".judgments .totals", { timeout: 60_000 });
        await choose(0);
        await isThere("after another game", 3);
        await choose(2);
        assert.equal(await person.page.locator(".moves li").count(), 4, "the game of the link");
        assert.ok(await person.page.locator(".judgments .totals").isVisible(), "its judgments");
        // Nor does a link that is pasted take anything away.
        await person.paste(`${person.address}#analyse=startpos_moves_2g2f`);
        await person.status(/^1 /);
        await isCurrent(-1, 3);
        await choose(0);
        await isThere("after a link was pasted", 4);
        for (const _ of [1, 2]) await person.tap("#language");
        await isThere("in the other language", 4);
        await person.page.evaluate(() => localStorage.removeItem("shogi-game"));
        // Another file has other games.
        await person.paste("startpos moves 7g7f");
        assert.equal(await person.page.locator(".judgments .totals").count(), 0);
        await follow(person, "#play");
        await person.page.evaluate(() => sessionStorage.clear());
    },

    "the browser has room for less than the games of a file": async (person) => {
        await follow(person, "#analyse=startpos");
        await person.paste("startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d");
        await person.page.selectOption("#budget", "10000");
        const judged = ".judgments .totals";
        const judge = async () => {
            await person.tap("#whole");
            await person.page.waitForSelector(judged, { timeout: 60_000 });
        };
        const open = person.page.locator("details").filter({ has: person.page.locator("#paste") });
        const games = open.locator("[role=group] button");
        const choose = async (number) => {
            if ((await open.getAttribute("open")) === null) await person.tap(open.locator("summary"));
            await person.tap(games.nth(number));
        };
        await judge();
        await person.move("6g6f");
        await choose(1);
        await judge();
        // The browser refuses what has more than a part, and later even less: judgments of others, moves that were tried, other games.
        for (const [too, lines, isJudged, count] of [['"others":.*"data":\\{', 2, false, 2], ['"others":\\[\\[', 3, false, 2], ['"games":\\[\\{', 0, false, 0]]) {
            await person.page.evaluate((refused) => {
                const { setItem } = Storage.prototype;
                Storage.prototype.setItem = function (name, text) {
                    if (name === "analyzed" && new RegExp(refused).test(text)) throw new DOMException("no room", "QuotaExceededError");
                    setItem.call(this, name, text);
                };
            }, too);
            // What the page itself knows stays.
            for (const _ of [1, 2]) await person.tap("#language");
            assert.equal(await games.count(), 2, too);
            await person.page.reload();
            await person.ready();
            assert.equal(await person.page.locator(".moves li").count(), 3, `${too}: the game that was open`);
            assert.ok(await person.page.locator(judged).isVisible(), `${too}: its judgments`);
            assert.equal(await games.count(), count, too);
            if (count === 0) break;
            await choose(0);
            assert.equal(await person.page.locator(".moves li").count(), lines, `${too}: the moves of another one`);
            assert.equal(await person.page.locator(judged).isVisible(), isJudged, `${too}: its judgments`);
            await choose(1);
        }
        await follow(person, "#play");
        await person.page.evaluate(() => sessionStorage.clear());
    },

    "the end of a game is named": async (person) => {
        await follow(person, "#analyse=sfen_4k4/9/4P4/9/9/9/9/9/4K4_b_G_1_moves_G*5b");
        const status = () => person.text(".status");
        assert.match(await status(), /^1 .* · (終局: 詰み|End: checkmate)$/);
        await person.tap("#live");
        const note = () => person.text(".lines .note");
        assert.equal(await note(), "", "nothing is to be pressed");
        await person.tap("#live");
        assert.match(await note(), /検討する|Think/);
        await person.tap("#previous");
        assert.doesNotMatch(await status(), /終局|End/);
        const shuffle = ["2h3h", "8b7b", "3h2h", "7b8b"];
        await follow(person, `#analyse=startpos_moves_${[...shuffle, ...shuffle, ...shuffle].join("_")}`);
        assert.match(await status(), /^12 .* · (終局: 千日手|End: repetition)$/);
        await follow(person, "#play");
    },

    "the board comes into sight when a move is chosen": async (person) => {
        const shuffle = ["2h3h", "8b7b", "3h2h", "7b8b"];
        await follow(person, `#analyse=startpos_moves_${[...shuffle, ...shuffle].join("_")}`);
        const isInSight = () => person.page.locator(".grid").evaluate((grid) => grid.getBoundingClientRect().top >= 0 && grid.getBoundingClientRect().bottom <= innerHeight);
        // A window so low that the list is below the board on any device.
        await person.page.setViewportSize({ width: 390, height: 640 });
        const move = person.page.locator(".moves button").nth(3);
        await move.scrollIntoViewIfNeeded();
        await person.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        assert.equal(await isInSight(), false);
        await person.tap(move);
        await person.status(/^3 /);
        assert.ok(await isInSight());
        // Who steps on the board itself stays where he is, once he sees the button.
        await person.page.locator("#previous").scrollIntoViewIfNeeded();
        const before = await person.page.evaluate(() => scrollY);
        await person.tap("#previous");
        assert.equal(await person.page.evaluate(() => scrollY), before);
        await person.page.setViewportSize({ width: person.width, height: person.height });
        await follow(person, "#play");
    },

    "long words of a file": async (person) => {
        await follow(person, "#analyse=startpos");
        const address = `https://example.org/${"x".repeat(150)}`;
        await person.paste(`先手：${"W".repeat(80)}\n後手：${"あ".repeat(60)}\n手合割：平手\n1 ７六歩(77)\n*${address}\n`);
        await person.tap("#next");
        assert.equal(await person.text(".comments"), address);
        await person.isWell("long words");
        await person.page.selectOption("#budget", "10000");
        await person.tap("#whole");
        await person.page.waitForSelector(".judgments .totals", { timeout: 60_000 });
        await person.fits("long words in judgments");
    },

    "a file cannot be read": async (person) => {
        for (const [hash, name] of [["#analyse", "#file"], ["#quantum=record", "#record-file"]]) {
            await follow(person, hash);
            // So it is with a folder that is dropped, and with a file that is gone.
            await person.page.evaluate(() => { Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotFoundError")); });
            await person.page.setInputFiles(name, { name: "game.usi", mimeType: "text/plain", buffer: Buffer.from("startpos") });
            await person.says(/ファイルを読めませんでした|could not be read/);
            assert.equal(await person.page.locator(name).evaluate((input) => input.files.length), 0, "it may be chosen again");
        }
        await follow(person, "#play");
    },

    "two files are chosen one after the other": async (person) => {
        await follow(person, "#analyse=startpos");
        // The first one is on a slow disk.
        await person.page.evaluate(() => {
            const { arrayBuffer } = Blob.prototype;
            Blob.prototype.arrayBuffer = async function () {
                const bytes = await arrayBuffer.call(this);
                if (this.name === "slow.usi") await new Promise((read) => { setTimeout(read, 500); });
                globalThis.filesRead = (globalThis.filesRead ?? 0) + 1;
                return bytes;
            };
        });
        for (const [name, moves] of [["slow.usi", "7g7f 3c3d 2g2f"], ["quick.usi", "2g2f"]]) {
            await person.page.setInputFiles("#file", { name, mimeType: "text/plain", buffer: Buffer.from(`startpos moves ${moves}`) });
        }
        await person.page.waitForFunction(() => globalThis.filesRead === 2);
        await person.page.evaluate(() => new Promise((later) => { setTimeout(later, 50); }));
        // The start, and its one move.
        assert.equal(await person.page.locator(".moves li").count(), 2);
        await follow(person, "#play");
    },

    "what is wrong in a file that is opened": async (person) => {
        await follow(person, "#analyse=startpos");
        await person.paste(BRANCHED);
        const notes = person.page.locator("#file-notes");
        assert.equal(await notes.count(), 0, "nothing is");
        await person.paste("▲７六歩 △３四歩\nまで99手で中断\n");
        assert.match(await notes.innerText(), /^(棋譜の不審な点|Unusual in this file): line 2: the number of moves is 2, not 99$/);
        for (const _ of [1, 2]) {
            await person.tap("#language");
            assert.match(await notes.innerText(), /not 99$/, "it stays with the game");
        }
        const saved = readFileSync(await person.saves("#save-kif"), "utf-8");
        assert.match(saved, /７六歩/, "the game can be written");
        await person.paste("4k4/9/9/4P4/9/4P4/9/9/4K4 b - 1");
        assert.match(await notes.innerText(), /the first position: two pawns of Black on file 5$/);
        await person.isWell("a note on a file");
        await follow(person, "#play");
        await person.page.evaluate(() => sessionStorage.clear());
    },

    "a large file": async (person) => {
        const choose = (text) => person.page.evaluate((content) => {
            const data = new DataTransfer();
            data.items.add(new File([content], "games.sfen"));
            document.querySelector("header").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }, text);
        await follow(person, "#analyse=startpos");
        await choose("startpos moves 7g7f\n".repeat(600_000));
        await person.says(/大きすぎます|too large/);
        // A step does not make all buttons anew.
        await choose("startpos moves 7g7f 3c3d\n".repeat(20_000));
        const games = person.page.locator("[role=group] button", { hasText: /棋譜 \d|Game \d/ });
        await person.page.waitForFunction(() => document.querySelectorAll("[role=group] button").length >= 20_000);
        const last = await games.last().elementHandle();
        await person.tap("#next");
        assert.ok(await last.evaluate((button) => button.isConnected), "the same buttons");
        await follow(person, "#play");
        await person.page.evaluate(() => sessionStorage.clear());
    },
};
