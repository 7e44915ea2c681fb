// What stays when a page is left for a moment: for another tab, for the editor, or for the other language.
import assert from "node:assert/strict";
import { newGame } from "./games.mjs";
import { follow } from "./mishaps.mjs";

export const leaving = {
    "the language changes in a quantum problem and in a record": async (person) => {
        await follow(person, "#quantum=problems");
        const stays = async (number) => {
            await person.tap(`#problem-${number}`);
            for (const _ of [1, 2]) {
                await person.tap("#language");
                await person.page.waitForSelector(`#problem-${number}[aria-current="true"]`);
            }
        };
        await stays(5);
        // Its moves stay, too, but not one that has no answer yet.
        await person.page.selectOption("#quantum-length", "3");
        const root = await person.page.evaluate(async () => {
            const { Workshop } = await import("./workshop.js");
            const { quantumLook } = await import("./rules.js");
            const [text, begun] = (await (await fetch("quantum-problems.json")).json())[3][0];
            globalThis.ask = Workshop.prototype.ask;
            Workshop.prototype.ask = async () => ({ kind: "reply", move: quantumLook(`${text} moves ${begun}`).moves[0], left: 1 });
            return [text, begun];
        });
        await person.move(root[1]);
        await person.status(/残り1手|1 move left/);
        for (const _ of [1, 2]) {
            await person.tap("#language");
            await person.status(/残り1手|1 move left/);
            assert.ok(await person.page.isEnabled("#restart"));
        }
        await person.page.evaluate(async () => { (await import("./workshop.js")).Workshop.prototype.ask = globalThis.ask; });
        await person.tap("#restart");
        // One that was solved before may be solved again.
        const solved = await person.page.evaluate(() => localStorage.getItem("quantum-solved"));
        await person.page.evaluate(() => localStorage.setItem("quantum-solved", JSON.stringify([1, 3, 5].map((plies) => `${plies}-2`))));
        await follow(person, "#quantum=problems");
        await stays(2);
        // After a new one that is solved here, the next one comes.
        await person.page.evaluate(async () => {
            const { Workshop } = await import("./workshop.js");
            Workshop.prototype.ask = async () => ({ kind: "mate" });
        });
        await person.tap("#problem-0");
        const first = await person.page.evaluate(async () => (await (await fetch("quantum-problems.json")).json())[document.querySelector("#quantum-length").value][0][1]);
        await person.move(first);
        await person.page.waitForSelector(".status.good");
        await person.tap("#part-lessons");
        await person.tap("#part-problems");
        await person.page.waitForSelector('#problem-1[aria-current="true"]');
        await person.page.evaluate((before) => { if (before === null) localStorage.removeItem("quantum-solved"); else localStorage.setItem("quantum-solved", before); }, solved);
        await follow(person, "#quantum=startpos_moves_7g7f_3c3d_2g2f");
        assert.match(await person.text(".status"), /^3 /);
        await person.tap("#previous");
        await person.tap("#flip");
        const isTurned = async () => (await person.page.locator("[data-square]").first().getAttribute("data-square")) === "1i";
        for (const _ of [1, 2]) {
            await person.tap("#language");
            assert.match(await person.text(".status"), /^2 /);
            assert.ok(await isTurned(), "the board stays turned");
        }
        // Another record is shown at its end, and what is kept of another form nowhere else.
        await follow(person, "#quantum=startpos_moves_7g7f_3c3d");
        await person.tap("#first");
        await follow(person, "#quantum=startpos_moves_2g2f");
        assert.match(await person.text(".status"), /^1 /);
        assert.ok(!await isTurned(), "another record");
        for (const at of [5, -1, "x", null]) {
            await follow(person, "#play");
            await person.page.evaluate((place) => sessionStorage.setItem("quantum-record", JSON.stringify({ whole: "startpos moves 2g2f", at: place })), at);
            await follow(person, "#quantum=startpos_moves_2g2f");
            assert.match(await person.text(".status"), /^1 /, String(at));
        }
        await follow(person, "#play");
    },

    "the language changes while a mate problem is solved": async (person) => {
        await follow(person, "#puzzles=4k4/9/4P4/9/9/9/9/9/9_b_G_1");
        await person.status(/1手詰です|Mate in 1\./);
        const language = async () => { for (const _ of [1, 2]) await person.tap("#language"); };
        // The replies are made up; one that does not come before the change of the language is asked for again.
        await person.page.evaluate(async () => {
            const { Workshop } = await import("./workshop.js");
            const { ask } = Workshop.prototype;
            globalThis.answers = [];
            globalThis.asked = [];
            Workshop.prototype.ask = function (call, ...given) {
                if (call !== "answer") return ask.call(this, call, ...given);
                globalThis.asked.push(given[0].split(" moves ")[1]);
                return globalThis.answers.shift() ?? new Promise(() => {});
            };
        });
        const answer = (...given) => person.page.evaluate((next) => { globalThis.answers = next; }, given);
        await answer({ kind: "wrong", reply: null }, { kind: "reply", move: "5a6a", left: 1 });
        await person.move("G*5b");
        await person.status(/では詰みません|does not mate/);
        await person.move("G*5b");
        await person.status(/６一玉.*残り1手|K-61.*1 move left/);
        await language();
        await person.status(/６一玉.*残り1手|K-61.*1 move left/);
        assert.match(await person.label("5b"), /攻方 金|Attacker gold/);
        // A look at another tab does no more.
        await person.tap("#tab-play");
        await person.tap("#tab-puzzles");
        await person.status(/６一玉.*残り1手|K-61.*1 move left/);
        await person.move("5b6b");
        await person.status(/考え|Thinking/);
        await answer(null, { kind: "mate" });
        await language();
        await person.page.waitForFunction(() => globalThis.asked.length === 5);
        assert.deepEqual(await person.page.evaluate(() => globalThis.asked.slice(2)), Array(3).fill("G*5b 5a6a 5b6b"));
        await person.status(/詰みました.*誤り1回|Mate!.*1 wrong/);
        await language();
        await person.status(/詰みました.*誤り1回|Mate!.*1 wrong/);
        await person.tap("#restart");
        await person.tap("#solution");
        await person.tap("#next");
        await language();
        await person.status(/(解答|Solution) 1\/1/);
        // Another address leads to another problem.
        await person.page.evaluate(() => { location.hash = "#puzzles=5k3/9/5P3/9/9/9/9/9/9_b_G_1"; });
        await person.status(/1手詰です|Mate in 1\./);
        assert.match(await person.label("4a"), /玉方|Defender/);
        // So it is with those that come one after the other: what is solved is counted once, and the next one comes when it is asked for.
        const progress = () => person.page.evaluate(() => JSON.parse(localStorage.getItem("problem-progress") ?? "{}"));
        await person.page.evaluate(() => localStorage.setItem("problem-progress", '{"next":{"3":2},"solved":{"3":2}}'));
        await follow(person, "#puzzles");
        await person.status(/手詰です|Mate in/);
        assert.match(await person.text(".side h2"), /3/);
        await person.tap("#hint");
        await person.status(/ヒント|Hint/);
        await language();
        await person.status(/ヒント|Hint/);
        await person.page.evaluate(async () => {
            const { Workshop } = await import("./workshop.js");
            const { ask } = Workshop.prototype;
            Workshop.prototype.ask = function (call, ...given) { return call === "answer" ? Promise.resolve({ kind: "mate" }) : ask.call(this, call, ...given); };
        });
        const solve = async (number) => person.move(await person.page.evaluate(async (place) => (await (await fetch("problems.json")).json())[3][place][1].split(" ")[0], number - 1));
        await solve(3);
        await person.status(/詰みました|Mate!/);
        const counted = await progress();
        await language();
        await person.status(/詰みました|Mate!/);
        assert.match(await person.text(".side h2"), /3/);
        assert.deepEqual(await progress(), counted);
        await person.tap("#next-problem");
        await person.status(/手詰です|Mate in/);
        assert.match(await person.text(".side h2"), /4/);
        await solve(4);
        await person.status(/詰みました|Mate!/);
        const once = await progress();
        assert.equal(once.solved[3], 3);
        await person.tap("#restart");
        await language();
        await solve(4);
        await person.status(/詰みました|Mate!/);
        assert.deepEqual(await progress(), once, "solved twice");
        await person.page.evaluate(() => localStorage.removeItem("problem-progress"));
        await follow(person, "#play");
    },

    "the language changes in the first steps in quantum shogi": async (person) => {
        await follow(person, "#quantum=lessons");
        await person.status(/動かしてみましょう|Move any piece/);
        await person.tap("#step-2");
        await person.status(/飛車か角に|rook or a bishop/);
        const language = async () => { for (const _ of [1, 2]) await person.tap("#language"); };
        await language();
        await person.status(/飛車か角に|rook or a bishop/);
        await person.move("8h6h");
        await person.status(/飛車 に決まりました|It is the rook/);
        await language();
        await person.status(/飛車 に決まりました|It is the rook/);
        await person.tap("#restart");
        await person.status(/飛車か角に|rook or a bishop/);
        await language();
        assert.match(await person.label("8h"), /未定|anything/, "the move was taken back");
        await follow(person, "#play");
    },

    "the language changes beside the form of a new game": async (person) => {
        for (const [tab, name] of [["play", "shogi-game"], ["quantum", "quantum-game"]]) {
            await follow(person, `#${tab}`);
            await newGame(person, { side: "both" });
            await person.move("7g7f");
            await person.tap("#flip");
            const first = () => person.page.locator("[data-square]").first().getAttribute("data-square");
            assert.equal(await first(), "1i");
            const form = person.page.locator("details").filter({ has: person.page.locator("#start") });
            await person.tap(form.locator("summary"));
            const chosen = { side: "random", clock: "600 30", ...(tab === "play" ? { handicap: "六枚落ち", strength: "level 7" } : { strength: "movetime 1000" }) };
            for (const [box, value] of Object.entries(chosen)) await person.page.selectOption(`#${box}`, value);
            for (const leave of [() => person.tap("#language"), () => person.tap("#language"), async () => { await person.tap("#tab-analyse"); await person.tap(`#tab-${tab}`); }]) {
                await leave();
                assert.equal(await first(), "1i", `${tab}: the board stays turned`);
                assert.notEqual(await form.getAttribute("open"), null, `${tab}: the form stays open`);
                for (const [box, value] of Object.entries(chosen)) assert.equal(await person.page.locator(`#${box}`).inputValue(), value, `${tab}: ${box}`);
            }
            // Another page has begun a game as White.
            await person.tap("#flip");
            await person.tap("#tab-analyse");
            await person.page.evaluate((key) => localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key)), person: "w" })), name);
            await person.tap(`#tab-${tab}`);
            assert.equal(await first(), "1i", `${tab}: White sits below`);
            await person.page.evaluate((key) => localStorage.removeItem(key), name);
        }
        await follow(person, "#play");
    },

    "what is stopped by a look at another tab is told": async (person) => {
        await follow(person, "#analyse=startpos_moves_7g7f_3c3d_2g2f_8c8d");
        await person.page.selectOption("#budget", "300000");
        await person.tap("#whole");
        await person.page.waitForSelector("#analysis-progress");
        await person.tap("#language");
        await person.says(/解析を中止しました|The analysis was stopped/);
        await person.tap("#language");
        // Another game ends it, too.
        await person.page.evaluate(() => { document.querySelector("#message").textContent = ""; });
        await person.tap("#whole");
        await person.page.waitForSelector("#analysis-progress");
        await person.paste("startpos moves 2g2f");
        await person.says(/解析を中止しました|The analysis was stopped/);
        await person.tap("#tab-puzzles");
        await person.page.selectOption("#make-length", "9");
        await person.tap("#make-ten");
        await person.page.waitForSelector("#stop-making");
        await person.tap("#tab-play");
        await person.says(/^(\d問で作るのを止めました|Making was stopped: \d made)$/);
        await follow(person, "#play");
    },

    "the clock of a problem runs while it is seen and not solved": async (person) => {
        await follow(person, "#puzzles=4k4/9/4P4/9/9/9/9/9/9_b_G_1");
        await person.status(/1手詰です|Mate in 1\./);
        // Time goes by at once.
        await person.page.evaluate(() => {
            const { now } = performance;
            globalThis.passed = 0;
            performance.now = () => now.call(performance) + globalThis.passed;
        });
        const pass = (seconds) => person.page.evaluate((more) => { globalThis.passed += more * 1000; }, seconds);
        const shows = (pattern) => person.page.waitForFunction(([source]) => new RegExp(source).test(document.querySelector(".timer").textContent), [pattern.source], { timeout: 5_000 });
        await pass(100);
        await shows(/ 1:4\d$/);
        await person.tap("#tab-play");
        await pass(1000);
        await person.tap("#tab-puzzles");
        await shows(/ 1:4\d$/);
        // The page is behind another one, or the phone is locked.
        const hide = (isHidden) => person.page.evaluate((hidden) => {
            Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
            document.dispatchEvent(new Event("visibilitychange"));
        }, isHidden);
        await hide(true);
        await pass(1000);
        await hide(false);
        await shows(/ 1:4\d$/);
        await pass(10);
        await shows(/ 1:5\d$/);
        await person.move("G*5b");
        await person.status(/詰みました|Mate!/);
        await hide(true);
        await hide(false);
        await pass(1000);
        for (const _ of [1, 2]) await person.tap("#language");
        await shows(/ 1:5\d$/);
        await person.tap("#take-back");
        await shows(/ 1:5\d$/);
        await pass(100);
        await shows(/ 3:3\d$/);
        await person.tap("#restart");
        await shows(/ 0:0\d$/);
        await follow(person, "#play");
    },

    "the editor is closed above a problem": async (person) => {
        await follow(person, "#puzzles=daily");
        await person.status(/手詰です|Mate in/);
        await person.tap("#hint");
        await person.status(/ヒント|Hint/);
        for (const open of ["#edit-this", "#compose"]) {
            await person.tap(open);
            // Also after a change of the language.
            if (open === "#compose") for (const _ of [1, 2]) await person.tap("#language");
            await person.page.waitForSelector(".composer");
            await person.tap("#close-editor");
            await person.status(/ヒント|Hint/);
            assert.match(await person.text(".side h2"), /今日の詰将棋|The problem of the day/);
            assert.equal(await person.page.evaluate(() => location.hash), "#puzzles=daily");
        }
        await follow(person, "#play");
    },
};
