// What goes wrong around the page: kept values of another form, searches that are interrupted, and games that would be lost.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { countRunning, newGame } from "./games.mjs";

/** A game with all that a file may have. */
const KIF = `先手：甲
後手：乙
手合割：平手
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:16/00:00:16)
*角を使う
&序盤
   2 ３四歩(33)   ( 0:05/00:00:05)+
   3 ２二角成(88) ( 0:04/00:00:20)
   4 投了
まで3手で先手の勝ち

変化：2手
   2 ８四歩(83)
*こちらも
   3 ７八金(69)
`;

/** Opens the page anew with a link. */
export async function follow(person, hash) {
    await person.page.goto("about:blank");
    await person.page.goto(`${person.address}${hash}`);
    await person.ready();
}

export const mishaps = {
    "a game is saved with its branches, comments and times": async (person) => {
        await follow(person, "#analyse");
        await person.paste(KIF);
        await person.tap("#next");
        const kif = readFileSync(await person.saves("#save-kif"), "utf-8");
        for (const part of ["先手：甲", "後手：乙", "*角を使う", "&序盤", "( 0:16/00:00:16)", "変化：2手", "8四歩(83)", "*こちらも", "投了"]) assert.ok(kif.replaceAll("８", "8").includes(part), `${part} in ${kif}`);
        // A move that was tried is a branch, too.
        await person.move("8c8d");
        await person.move("2g2f");
        assert.match(readFileSync(await person.saves("#save-kif"), "utf-8"), /変化：3手/);
    },

    "a game ends where a branch goes on": async (person) => {
        await follow(person, "#analyse");
        await person.paste("先手：\n後手：\n手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n*角が向かい合う\n3 投了\n*早い投了\n\n変化：3手\n3 ２二角成(88)\n4 同　銀(31)\n");
        const [list, ways] = [".moves li", ".branches button"].map((one) => person.page.locator(one));
        assert.equal(await list.count(), 3, "the game has two moves");
        assert.match(await person.text(".stand.below .name"), /先手|Black/, "empty headers name nobody");
        await person.tap("#last");
        assert.match(await person.text(".status"), /^2 .*(投了|resign)/);
        assert.equal(await person.text(".comments"), "角が向かい合う\n早い投了", "the comments on the move and on the end");
        await person.tap(ways.last());
        assert.equal(await list.count(), 5, "the branch");
        await person.tap("#previous");
        assert.doesNotMatch(await person.text(".status"), /投了|resign/);
        await person.tap(ways.first());
        assert.match(await person.text(".status"), /^2 .*(投了|resign)/, "back to the end of the game");
        assert.equal(await list.count(), 3);
    },

    "an open game stays": async (person) => {
        await follow(person, "#analyse=startpos");
        await person.paste(KIF);
        await person.tap("#next");
        await person.page.selectOption("#budget", "10000");
        await person.tap("#whole");
        await person.page.waitForSelector(".judgments .totals", { timeout: 120_000 });
        await person.tap("#flip");
        const isThere = async (when) => {
            assert.equal(await person.page.locator(".moves li").count(), 4, `${when}: the later moves`);
            assert.equal(await person.text(".comments"), "角を使う", `${when}: the comment`);
            assert.ok(await person.page.locator(".judgments .totals").isVisible(), `${when}: the analysis`);
            assert.match(await person.text(".analyse .main"), /甲/, `${when}: the names`);
            const [below, above] = await Promise.all(["5a", "5i"].map((square) => person.page.locator(`[data-square="${square}"]`).boundingBox()));
            assert.ok(below.y > above.y, `${when}: the side of the board`);
            await person.tap("#next");
            assert.match(await person.text(".status"), /^2 /, `${when}: the place`);
            await person.tap("#previous");
            assert.equal(await person.page.locator(".branches button").count(), 2, `${when}: the branch`);
        };
        await isThere("opened");
        for (const again of [1, 2]) {
            await person.tap("#language");
            await isThere(`the language button, ${again}`);
        }
        await person.tap("#tab-play");
        await person.tap("#tab-analyse");
        await isThere("another tab");
        await person.page.reload();
        await person.ready();
        await isThere("loaded again");
        // A link leads to its own game, and what is kept of another form to none.
        await follow(person, "#analyse=startpos_moves_2g2f");
        assert.equal(await person.page.locator(".moves li").count(), 2);
        await follow(person, "#play");
        for (const kept of ["5", "{}", '{"game":{"initial":"x","headers":[],"nodes":[]}}', "{"]) {
            await person.page.evaluate((text) => sessionStorage.setItem("analyzed", text), kept);
            await person.page.reload();
            await person.ready();
            await person.tap("#tab-analyse");
            assert.equal(await person.page.locator("[data-square] .ink").count(), 40);
            await follow(person, "#play");
        }
    },

    "what is no game leaves the games that are open": async (person, root) => {
        await follow(person, "#analyse");
        await person.page.setInputFiles("#file", `${root}/crates/record/tests/data/real/three-games.sfen`);
        const games = person.page.locator("[role=group] button", { hasText: /棋譜 \d|Game \d/ });
        await person.page.waitForFunction(() => document.querySelectorAll("[role=group] button").length >= 3);
        const count = await games.count();
        const none = /^(棋譜がありません|There is no game in it)$/;
        for (const [text, said] of [["startpos moves 7g7e", /^(1行目|Line 1): .*7g7e/], [" ", none], ["", none], ["hello", none], ["<!doctype html>", /^(1行目|Line 1): .*markup/]]) {
            await person.paste(text);
            await person.says(said);
            // The next step shows the page anew.
            await person.tap("#next");
            assert.equal(await games.count(), count);
        }
        // What is wrong with a file of another encoding is named.
        await person.page.setInputFiles("#file", { name: "game.kif", mimeType: "text/plain", buffer: Buffer.from("\ufeff手合割：平手\n", "utf16le") });
        await person.says(/^(1行目|Line 1): .*UTF-16/);
        assert.equal(await games.count(), count);
    },

    "a file is chosen again, and dropped beside the page": async (person) => {
        const shown = (count) => person.page.waitForFunction((wanted) => document.querySelectorAll(".moves li").length === wanted, count);
        const choose = (name, count, prefix) => person.page.setInputFiles(name, { name: "game.usi", mimeType: "text/plain", buffer: Buffer.from(`${prefix} moves ${["7g7f", "3c3d", "2g2f"].slice(0, count).join(" ")}`) });
        for (const [hash, name, prefix] of [["#analyse", "#file", "startpos"], ["#quantum=record", "#record-file", "quantum startpos"]]) {
            await follow(person, hash);
            await choose(name, 2, prefix);
            await shown(3);
            assert.equal(await person.page.locator(name).evaluate((input) => input.files.length), 0, "the same file may be chosen again");
        }
        // A file that is read when its page was left is for nobody.
        await person.page.evaluate(() => {
            const { arrayBuffer } = Blob.prototype;
            Blob.prototype.arrayBuffer = async function () {
                await new Promise((resolve) => { setTimeout(resolve, 500); });
                return arrayBuffer.call(this);
            };
        });
        await choose("#record-file", 1, "quantum startpos");
        await person.tap("#tab-play");
        await person.page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 700); }));
        assert.equal(await person.page.evaluate(() => location.hash), "#play");
        // The header is no part of the mode. A file is opened in the analysis, that of a record where records are opened.
        const drop = (text, name) => person.page.evaluate(([content, file]) => {
            const data = new DataTransfer();
            if (file) data.items.add(new File([content], file));
            else data.items.add(content, "text/plain");
            return ["dragover", "drop"].every((kind) => !document.querySelector("header").dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true })));
        }, [text, name]);
        for (const [hash, prefix] of [["#analyse", ""], ["#play", ""], ["#puzzles", ""], ["#quantum", ""], ["#quantum=record", "quantum "]]) {
            await follow(person, hash);
            assert.ok(await drop(`${prefix}startpos moves 7g7f 3c3d 2g2f`, "game.usi"), `${hash}: the browser does not leave the page`);
            await shown(4);
            assert.equal(await person.page.locator("#live").count(), prefix ? 0 : 1, hash);
        }
        // A text is for who opens games.
        await follow(person, "#analyse");
        assert.ok(await drop("startpos moves 7g7f"));
        await shown(2);
        await follow(person, "#play");
        assert.equal(await drop("startpos moves 7g7f"), false);
        await person.page.evaluate(() => sessionStorage.clear());
    },

    "no problem is left out": async (person) => {
        await follow(person, "#play");
        await person.page.evaluate(() => { for (const name of ["problem-progress", "problem-plies"]) localStorage.removeItem(name); });
        await follow(person, "#puzzles");
        await person.page.selectOption("#length", "1");
        const bundle = await person.page.evaluate(async () => (await fetch("problems.json")).json());
        const number = async () => Number(/\d+/.exec(await person.text(".side h2"))[0]);
        await person.status(/1手詰です|Mate in 1\./);
        assert.equal(await number(), 1);
        person.attacker = bundle[1][0][0].split(" ")[1];
        await person.move(bundle[1][0][1]);
        await person.status(/詰みました|Mate!/);
        assert.equal(await number(), 1, "the one on the board");
        await person.tap("#restart");
        await person.status(/1手詰です|Mate in 1\./);
        await person.tap("#next-problem");
        await person.page.waitForFunction(() => /2/.test(document.querySelector(".side h2")?.textContent ?? ""));
        await person.page.reload();
        await person.ready();
        await person.status(/1手詰です|Mate in 1\./);
        assert.equal(await number(), 2);
        await person.tap("#next-problem");
        await person.page.waitForFunction(() => /3/.test(document.querySelector(".side h2")?.textContent ?? ""));
        // What another tab has reached meanwhile stays.
        await person.page.evaluate(() => localStorage.setItem("problem-progress", '{"next":{"1":5,"3":7},"solved":{"1":4},"day":"20260131","streak":9}'));
        await person.tap("#next-problem");
        await person.page.waitForFunction(() => /6/.test(document.querySelector(".side h2")?.textContent ?? ""));
        assert.deepEqual(await person.kept("problem-progress"), { next: { 1: 5, 3: 7 }, solved: { 1: 4 }, day: "20260131", streak: 9 });
    },

    "what the browser does not keep lasts as long as the page": async (person) => {
        await follow(person, "#play");
        await newGame(person, { side: "both" });
        await person.move("7g7f");
        // The storage is full from now on. What it holds is old.
        await person.page.evaluate(() => { Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }; });
        await person.move("3c3d");
        for (const _ of [1, 2]) {
            await person.tap("#language");
            assert.equal(await person.page.locator(".moves li").count(), 3, "the game");
        }
        const note = person.page.locator("#no-room");
        assert.ok(await note.isVisible(), "it is told");
        await person.isWell("a page without room on the device");
        // A browser may forbid it altogether.
        await person.page.evaluate(() => Object.defineProperty(globalThis, "localStorage", { get: () => { throw new DOMException("forbidden", "SecurityError"); } }));
        await person.tap("#tab-puzzles");
        await person.tap("details.style summary");
        await person.page.locator("#bothKings").check();
        assert.equal(await person.page.locator("#bothKings").isChecked(), true, "a choice");
        await follow(person, "#play");
        // An earlier state of the game would be wrong. An earlier list of games is only shorter.
        assert.equal(await person.kept("shogi-game"), null);
        assert.equal(await person.page.locator(".moves li").count(), 0, "no game");
        assert.equal(await note.isVisible(), false);
        await person.page.evaluate(() => localStorage.removeItem("games"));
        await newGame(person, { side: "both" });
        for (const move of ["7g7f", "3c3d", "2g2f", "8c8d"]) await person.move(move);
        await newGame(person, { side: "both" });
        const list = await person.kept("games");
        assert.equal(list.length, 1);
        for (const move of ["2g2f", "8c8d", "7g7f", "3c3d"]) await person.move(move);
        await person.page.evaluate(() => {
            const { setItem } = Storage.prototype;
            Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
            globalThis.makeRoom = () => { Storage.prototype.setItem = setItem; };
        });
        await newGame(person, { side: "both" });
        assert.deepEqual(await person.kept("games"), list);
        assert.ok(await note.isVisible());
        // As soon as there is room, all is kept again.
        await person.page.evaluate(() => globalThis.makeRoom());
        for (const move of ["1g1f", "9c9d", "1f1e", "9d9e"]) await person.move(move);
        await newGame(person, { side: "both" });
        assert.equal((await person.kept("games")).length, 3);
        assert.equal((await person.kept("shogi-game")).moves.length, 0);
        assert.equal(await note.isVisible(), false);
        await person.page.evaluate(() => { for (const name of ["shogi-game", "games"]) localStorage.removeItem(name); });
        await follow(person, "#play");
    },

    "kept values of another form are ignored": async (person) => {
        const forms = ["5", '"x"', "[]", "{}", '{"a":1}', "[1]", "[null]", "{", "[[]]", '{"next":5,"solved":5,"day":5,"streak":"x"}', '{"board":5}', '{"board":"?","pieces":{}}', '{"area":"toString"}',
            '[{"root":"startpos","moves":["7g7f"],"date":"x","b":"","w":"","result":""}]', '[{"root":"startpos","moves":["7g7f"],"date":1e99,"b":"","w":"","result":""}]', '[{"root":"x","moves":[5],"date":1}]',
            '[{"root":"startpos","moves":["7g7f"],"date":1,"b":"","w":"","result":"","headers":[5]}]', '[{"sfen":"x","line":["7g7f"]}]', '[{"sfen":"4k4/9/4P4/9/9/9/9/9/9 b G 1","line":["P*5a"]}]'];
        const names = ["games", "problem-progress", "problem-plies", "made-problems", "problem-style", "quantum-solved", "quantum-plies", "analysis-nodes"];
        for (const form of forms) {
            await person.page.evaluate(([all, text]) => { for (const name of all) localStorage.setItem(name, text); }, [names, form]);
            for (const [tab, sign] of [["play", ".games summary"], ["analyse", "#live"], ["puzzles", "#progress"], ["quantum", "#part-problems"]]) {
                await person.tap(`#tab-${tab}`);
                await person.page.waitForSelector(sign, { state: "attached", timeout: 10_000 });
            }
            await person.tap("#part-problems");
            await person.status(/必ず玉を|by force/);
            assert.deepEqual(person.faults, [], form);
        }
        // What is right beside it stays: a made problem, a game.
        const good = { sfen: "4k4/9/4P4/9/9/9/9/9/9 b G 1", line: ["G*5b"] };
        await person.page.evaluate((text) => localStorage.setItem("made-problems", text), JSON.stringify([5, good]));
        await person.tap("#tab-puzzles");
        await person.status(/手詰です|Mate in/);
        assert.equal(await person.page.locator("[id^=made-]:not(#made-count)").count(), 1);
        await person.tap("#made-0");
        await person.status(/1手詰です|Mate in 1\./);
        await person.page.evaluate((all) => { for (const name of all) localStorage.removeItem(name); }, names);
        await follow(person, "#play");
    },

    "the first steps in quantum shogi: the step that was chosen last": async (person) => {
        await follow(person, "#play");
        await person.page.evaluate(() => {
            const { fetch } = globalThis;
            // The problems come late.
            globalThis.fetch = async (...given) => {
                if (String(given[0]).includes("quantum-problems")) await new Promise((resolve) => { setTimeout(resolve, 800); });
                return fetch(...given);
            };
            location.hash = "#quantum=lessons";
        });
        await person.status(/動かしてみましょう|Move any piece/);
        await person.tap("#step-3");
        await person.tap("#step-1");
        await person.page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 1200); }));
        await person.status(/動かしてみましょう|Move any piece/, 1000);
        assert.equal(await person.page.getAttribute("#step-1", "aria-pressed"), "true");
        await person.tap("#step-3");
        await person.status(/玉を取りましょう|Take the king/);
        assert.equal(await person.page.getAttribute("#step-3", "aria-pressed"), "true");
    },

    "quantum problems cannot be loaded": async (person) => {
        await follow(person, "#play");
        await person.page.evaluate(() => {
            const { fetch } = globalThis;
            globalThis.fetch = (...given) => (String(given[0]).includes("quantum-problems") ? Promise.reject(new TypeError("no network")) : fetch(...given));
            location.hash = "#quantum=lessons";
        });
        await person.status(/動かしてみましょう|Move any piece/);
        await person.tap("#step-3");
        await person.says(/読み込めません|could not be loaded/);
        assert.equal(await person.page.getAttribute("#step-1", "aria-pressed"), "true", "the step stays");
        await person.page.evaluate(() => { location.hash = "#quantum=problems"; });
        await person.status(/読み込めません|could not be loaded/);
        await person.isWell("quantum problems without problems");
    },

    "problems are made late, or not at all": async (person) => {
        await follow(person, "#play");
        // The problems are made by hand.
        await person.page.evaluate(async () => {
            const { Workshop } = await import("./workshop.js");
            globalThis.given = [];
            Workshop.prototype.ask = function (...question) {
                return new Promise((resolve) => {
                    globalThis.given.push({ question: question.slice(0, 4).join(" "), resolve });
                    this.waiting.set(`${globalThis.given.length}`, resolve);
                });
            };
            localStorage.setItem("problem-progress", '{"next":{"1":90000},"solved":{}}');
            localStorage.setItem("made-problems", '[{"sfen":"4k4/9/4P4/9/9/9/9/9/9 b G 1","line":["G*5b"]}]');
            localStorage.setItem("problem-plies", "1");
        });
        const answer = async (question, problem) => {
            await person.page.waitForFunction((wanted) => globalThis.given.some((one) => one.question.startsWith(wanted)), question);
            await person.page.evaluate(([wanted, made]) => globalThis.given.findLast((one) => one.question.startsWith(wanted)).resolve(made), [question, problem]);
        };
        const made = { sfen: "4k4/9/4P4/9/9/9/9/9/9 b G 1", line: ["G*5b"] };
        await person.tap("#tab-puzzles");
        await person.status(/作っています|Making/);
        await answer("make 1 1 90000", made);
        await person.status(/1手詰です|Mate in 1\./);
        // The next one is being made already. To stop others does not stop it.
        await person.tap("#next-problem");
        await person.tap("#make-ten");
        await person.tap("#stop-making");
        await person.says(/0問できました|0 made/);
        assert.equal(await person.page.locator("#made-0").count(), 1, "those from before stay");
        await person.status(/作っています|Making/);
        // Nobody has seen it yet, so it is not skipped.
        const { next } = await person.kept("problem-progress");
        await person.tap("#next-problem");
        assert.deepEqual((await person.kept("problem-progress")).next, next);
        await answer("make 1 1 90001", made);
        await person.status(/1手詰です|Mate in 1\./);
        // A worker that fails says so.
        await person.tap("#next-problem");
        await person.status(/作っています|Making/);
        await answer("make 1 1 90002", null);
        await person.status(/答えませんでした|did not answer/);
        await person.tap("#make-ten");
        await answer("make", null);
        await person.says(/答えませんでした|did not answer/);
        await person.page.waitForSelector("#make-ten");
        await person.tap("#compose");
        await person.page.waitForFunction(() => globalThis.given.at(-1).question.startsWith("check"));
        await answer("check", null);
        await person.page.waitForFunction(() => /答えませんでした|did not answer/.test(document.querySelector("#verdict").textContent));
        await person.tap("#close-editor");
        // Nor does an answer speak that comes when the problem was left, for the editor or for another tab.
        for (const [button, back] of [["#edit-this", "#close-editor"], ["#tab-play", "#tab-puzzles"]]) {
            await answer("make 1 1 90002", made);
            await person.status(/1手詰です|Mate in 1\./);
            await person.tap("#hint");
            await person.page.waitForFunction(() => globalThis.given.at(-1).question.startsWith("mate"));
            await person.tap(button);
            await person.page.evaluate(() => { document.querySelector("#message").textContent = ""; });
            await answer("mate", null);
            await person.page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 500); }));
            assert.equal(await person.text("#message"), "", button);
            await person.tap(back);
        }
        // A problem that comes when the page was left is not shown.
        await person.tap("#tab-play");
        const count = await person.page.evaluate(() => globalThis.given.length);
        await answer("make 1 1 90002", made);
        await person.page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 100); }));
        assert.equal(await person.page.evaluate(() => globalThis.given.length), count);
        assert.equal(await person.page.evaluate(() => location.hash), "#play");
        await person.page.evaluate(() => { for (const name of ["problem-progress", "problem-plies", "made-problems"]) localStorage.removeItem(name); });
        await follow(person, "#play");
    },

    "thinking ends with the game, and what fails says so": async (person) => {
        await follow(person, "#analyse=sfen_4k4/9/4P4/9/9/9/9/9/4K4_b_G_1_moves_G*5b");
        await countRunning(person);
        await person.tap("#previous");
        await person.tap("#live");
        await person.page.waitForFunction(() => globalThis.running === 1 && document.querySelector(".pv li"));
        await person.tap("#next");
        await person.page.waitForFunction(() => globalThis.running === 0);
        await person.tap("#live");
        await person.tap("#previous");
        await person.page.evaluate(async () => {
            const { EngineClient } = await import("./engine-client.js");
            EngineClient.prototype.ask = async () => "bestmove none";
        });
        const hears = async (button) => {
            await person.page.evaluate(() => { document.querySelector("#message").textContent = ""; });
            await person.tap(button);
            await person.says(/答えませんでした|did not answer/);
        };
        await hears("#live");
        assert.equal(await person.page.getAttribute("#live", "aria-pressed"), "false", "nothing thinks any more");
        for (const tab of ["play", "quantum"]) {
            await person.tap(`#tab-${tab}`);
            const form = person.page.locator("details").filter({ has: person.page.locator("#start") });
            if ((await form.getAttribute("open")) === null) await person.tap(form.locator("summary"));
            await person.page.selectOption("#side", "both");
            await person.tap("#start");
            await hears("#hint");
        }
        await person.page.evaluate(() => { for (const name of ["shogi-game", "quantum-game"]) localStorage.removeItem(name); });
        await follow(person, "#play");
    },

    "a composed position stays, and has a link": async (person) => {
        await follow(person, "#puzzles");
        await person.tap("#compose");
        await person.tap("#clear");
        const isThere = async (when) => {
            await person.page.waitForFunction(() => document.querySelector("#verdict") !== null);
            assert.match(await person.label("5c"), /歩|pawn/, when);
            assert.equal(await person.text("#count-G"), "1", when);
        };
        await person.tap("#tool-bP");
        await person.square("5c");
        // One that is taken from the stand leaves the focus there.
        await person.tap("#more-G");
        await person.tap("#more-G");
        await person.page.focus("#held-b-G");
        await person.page.keyboard.press("Enter");
        await person.page.waitForFunction(() => document.querySelector("#count-G")?.textContent === "1");
        assert.equal(await person.page.evaluate(() => document.activeElement?.id), "held-b-G");
        for (const again of [1, 2]) {
            await person.tap("#language");
            await isThere(`the language button, ${again}`);
        }
        await person.tap("#tab-play");
        await person.tap("#tab-puzzles");
        await isThere("another tab");
        await person.page.reload();
        await person.ready();
        await isThere("loaded again");
        // Not even the king is needed.
        await person.tap("#tool-erase");
        await person.square("5a");
        await person.tap("#language");
        await isThere("without a king");
        await person.tap("#language");
        // Nor need the position be one that could arise: the rook could take the king.
        await person.tap("#tool-wK");
        await person.square("5a");
        await person.tap("#tool-bR");
        await person.square("4a");
        for (const _ of [1, 2]) {
            await person.tap("#language");
            await isThere("a king that could be taken");
        }
        await person.tap("#copy-kif");
        await person.says(/コピーできません.*玉を取れる|Could not copy.*could capture the king/);
        // Its link leads to the editor, too.
        await follow(person, "#puzzles=4k4/4R4/4P4/9/9/9/9/9/9_b_G_1");
        await isThere("a link to it");
        await person.tap("#tool-erase");
        for (const square of ["5a", "5b"]) await person.square(square);
        await person.tap("#tool-wK");
        await person.square("5a");
        if (person.isChromium) await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
        await person.isWell("the editor with a link");
        await person.tap("#copy-link");
        await person.says(/コピーしました|Copied/);
        const link = await person.page.evaluate(() => navigator.clipboard.readText());
        await person.tap("#close-editor");
        await person.status(/手詰です|Mate in/);
        await person.tap("#tab-play");
        await person.tap("#tab-puzzles");
        await person.status(/手詰です|Mate in/);
        await follow(person, link.slice(person.address.length));
        await person.status(/1手詰です|Mate in 1\./);
        await person.move("G*5b");
        await person.status(/詰みました|Mate!/);
        // In the editor Black attacks: a problem in which White does is turned around.
        await follow(person, "#puzzles=9/9/9/9/9/9/4p4/9/4K4_w_g_1");
        await person.status(/1手詰です|Mate in 1\./);
        await person.tap("#edit-this");
        await isThere("turned around");
        await person.page.waitForFunction(() => /余詰なし|Sound/.test(document.querySelector("#verdict")?.textContent ?? ""), null, { timeout: 60_000 });
        // Without a mate it opens in the editor.
        await follow(person, "#puzzles=4k4/9/9/9/9/9/9/9/4K4_b_G_1");
        await person.page.waitForFunction(() => /詰みません|no mate/.test(document.querySelector("#verdict")?.textContent ?? ""), null, { timeout: 60_000 });
        // The defender has one king, also where the attacker has one.
        await person.tap("#tool-wK");
        await person.square("5i");
        await person.says(/玉 はもうありません|No king is left/);
        assert.match(await person.label("5i"), /攻方|Attacker/);
        await person.tap("#close-editor");
    },

    "days in a row": async (person) => {
        const day = (past) => { const date = new Date(); date.setDate(date.getDate() - past); return `${date.getFullYear() * 10_000 + (date.getMonth() + 1) * 100 + date.getDate()}`; };
        const set = (progress) => person.page.evaluate((text) => localStorage.setItem("problem-progress", text), JSON.stringify({ next: {}, solved: {}, ...progress }));
        const row = async () => Number(/(\d+)(?:日| days?)/.exec(await person.text("#progress"))[1]);
        for (const [past, streak] of [[0, 5], [1, 5], [2, 0], [3000, 0]]) {
            await follow(person, "#play");
            await set({ day: day(past), streak: 5 });
            await follow(person, "#puzzles");
            assert.equal(await row(), streak, `${past} days ago`);
        }
        // The problem of the day, solved from its solution, then without it. One of the day before adds nothing to the row of today, nor does it end it.
        for (const [isSeen, past, streak] of [[true, 0, 5], [false, 1, 5], [false, 0, 6]]) {
            await follow(person, "#play");
            await set({ day: day(1 - past), streak: 5 });
            await person.page.evaluate((days) => {
                const { Date: Now } = globalThis;
                globalThis.Date = class extends Now { constructor(...given) { super(...(given.length > 0 ? given : [Now.now() - days * 24 * 3_600_000])); } };
                globalThis.today = () => { globalThis.Date = Now; };
                location.hash = "#puzzles=daily";
            }, past);
            await person.status(/手詰です|Mate in/, 120_000);
            await person.page.evaluate(() => globalThis.today());
            if (isSeen) for (const _ of [1, 2]) await person.tap("#solution");
            // Every move mates.
            await person.page.evaluate(async () => {
                const { Workshop } = await import("./workshop.js");
                Workshop.prototype.ask = async (call) => ({ kind: call === "answer" ? "mate" : null });
            });
            const check = await person.page.evaluate(async () => {
                const { Solving } = await import("./solving.js");
                const { legalMoves, givesCheck } = await import("./moves.js");
                const { say } = Solving.prototype;
                // The position is that of the next word that is said.
                return new Promise((resolve) => {
                    Solving.prototype.say = function (said) {
                        say.call(this, said);
                        Solving.prototype.say = say;
                        resolve(legalMoves(this.position).find((move) => givesCheck(this.position, move)));
                    };
                    document.getElementById("restart").click();
                });
            });
            await person.move(check);
            await person.status(/詰みました|Mate!/);
            assert.equal(await row(), streak, `${isSeen} ${past}`);
        }
        // The next day comes while the page is open.
        await person.page.evaluate(() => {
            const { Date: Now } = globalThis;
            globalThis.Date = class extends Now { constructor(...given) { super(...(given.length > 0 ? given : [Now.now() + 24 * 3_600_000])); } };
            document.getElementById("endless").click();
        });
        await person.page.waitForFunction(() => document.querySelector("#daily.primary") !== null);
        assert.equal(await row(), 6);
        await person.page.evaluate(() => localStorage.removeItem("problem-progress"));
        await follow(person, "#play");
    },

    "a search for mate is interrupted": async (person) => {
        // The answers that the engine gave in place of a mate.
        const answers = (line) => person.page.evaluate(async (given) => {
            const { EngineClient } = await import("./engine-client.js");
            const { ask } = EngineClient.prototype;
            globalThis.ask ??= ask;
            EngineClient.prototype.ask = given === null ? globalThis.ask : async (_, go) => (go.startsWith("go mate") ? given : null);
        }, line);
        await follow(person, "#analyse");
        await answers("bestmove none");
        await person.tap("#mate");
        await person.says(/答えませんでした|did not answer/);
        await answers("checkmate timeout");
        await person.tap("#mate");
        await person.says(/^(0\.\d秒では|Not found in 0\.\d s)/);
        await answers(null);
        // It ends the thinking, and the button says so.
        await person.tap("#live");
        await person.page.waitForFunction(() => document.querySelectorAll(".pv li").length === 3, null, { timeout: 30_000 });
        assert.equal(await person.page.getAttribute("#live", "aria-pressed"), "true");
        await person.tap("#mate");
        assert.equal(await person.page.getAttribute("#live", "aria-pressed"), "false");
        // What was asked for twice, or on a page that was left, is not said to be unknown.
        await follow(person, "#analyse=sfen_l6+P1/g1B2kS2/1p1N1B3/1P7/4N4/1S7/9/5r3/6+R2_b_L2P3g2s2n2l13p_1");
        await person.page.evaluate(async () => {
            const { EngineClient } = await import("./engine-client.js");
            // Each answer comes when the next question does, as from an engine that is stopped.
            let answer = () => {};
            EngineClient.prototype.ask = () => {
                answer("checkmate timeout");
                return new Promise((resolve) => { answer = resolve; });
            };
            EngineClient.prototype.cancel = () => answer("checkmate timeout");
        });
        const said = () => person.page.evaluate(() => `${document.querySelector("#message")?.textContent} ${document.querySelector(".mate")?.textContent}`);
        await person.tap("#mate");
        await person.tap("#mate");
        await person.page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 100); }));
        assert.doesNotMatch(await said(), /秒では|Not found/, "pressed twice");
        await person.tap("#tab-puzzles");
        await person.status(/手詰です|Mate in/);
        assert.doesNotMatch(await said(), /秒では|Not found/, "left");
        await follow(person, "#play");
    },
};
