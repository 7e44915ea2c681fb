// Games that are left, ended, taken back and begun anew: what the clock, the engine and the device make of it.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { newGame } from "./games.mjs";

/** The seconds that the clock of the side below shows. */
async function clockBelow(person) {
    const parts = (await person.text(".stand.below .clock")).match(/\d+/g).map(Number);
    return parts.length === 2 ? parts[0] * 60 + parts[1] : parts[0];
}

/** Opens the page with a game that was kept on the device before. */
async function openKept(person, game, name = "shogi-game") {
    await person.tap("#tab-analyse");
    await person.page.evaluate(([key, value]) => localStorage.setItem(key, value), [name, typeof game === "string" ? game : JSON.stringify(game)]);
    await person.page.goto(`${person.address}#${name === "shogi-game" ? "play" : "quantum"}`);
    await person.page.reload();
    await person.ready();
}

/** Loads the page anew, and acts before the module is there. */
async function beforeModule(person, act) {
    // A service worker would bring it from the device.
    await person.page.evaluate(async () => {
        for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister();
    });
    let send = () => {};
    const sent = new Promise((resolve) => { send = resolve; });
    await person.page.route("**/engine_bg.wasm", async (route) => { await sent; await route.continue(); });
    await person.page.reload({ waitUntil: "commit" });
    await act();
    send();
    await person.ready();
    await person.page.unroute("**/engine_bg.wasm");
}

export const matches = {
    "the clock goes on when the page is opened again": async (person) => {
        await person.tap("#tab-play");
        await newGame(person, { clock: "0 30" });
        await person.turn("shogi-game");
        const ways = [
            ["the other language", () => person.tap("#language")],
            ["another tab", async () => { await person.tap("#tab-puzzles"); await person.tap("#tab-play"); }],
            ["a reload", async () => { await person.page.reload(); await person.ready(); }],
            ["the first language", () => person.tap("#language")],
        ];
        for (const [way, enter] of ways) {
            await pause(1500);
            const before = await clockBelow(person);
            await enter();
            const here = await clockBelow(person);
            assert.ok(here <= before, `${way} gives no time back: ${before} s, then ${here} s`);
            await pause(1500);
            const later = await clockBelow(person);
            assert.ok(later < here, `after ${way}, the clock runs: ${here} s, then ${later} s`);
        }
        // What another page has kept meanwhile stays.
        const other = { ...(await person.kept("shogi-game")), moves: ["7g7f", "3c3d"] };
        await openKept(person, other);
        assert.deepEqual((await person.kept("shogi-game")).moves, other.moves);
    },

    "two pages show one game": async (person) => {
        await person.tap("#tab-play");
        await newGame(person, { side: "both", clock: "600 30" });
        await person.move("7g7f");
        const other = await person.context.newPage();
        await other.goto(`${person.address}#play`);
        // A page that is behind another one paints rarely.
        const polling = 100;
        const hasMoves = (page, count) => page.waitForFunction((wanted) => document.querySelectorAll(".moves li").length === wanted + 1, count, { polling });
        await hasMoves(other, 1);
        for (const square of ["3c", "3d"]) await other.locator(`[data-square="${square}"]`).click();
        // A move in the page that was opened first is one of the game as it is now.
        await hasMoves(person.page, 2);
        await person.page.bringToFront();
        await person.move("2g2f");
        await hasMoves(other, 3);
        assert.deepEqual((await person.kept("shogi-game")).moves, ["7g7f", "3c3d", "2g2f"]);
        // So is a new game; and its end is one end on the list.
        await newGame(person, { side: "both" });
        await other.waitForFunction(() => document.querySelector(".moves") === null, null, { polling });
        // A side that is White sits below, here and there, also in the other language.
        await newGame(person, { side: "w" });
        const turned = () => other.waitForFunction(() => document.querySelector("[data-square]").dataset.square === "1i", null, { polling });
        await turned();
        await other.locator("#language").click();
        await newGame(person, { side: "both" });
        await other.waitForFunction(() => document.querySelector("[data-square]").dataset.square === "9a", null, { polling });
        await newGame(person, { side: "w" });
        await turned();
        await newGame(person, { side: "both" });
        await other.locator("#language").click();
        // One that differs in its clock alone is another one, too.
        await newGame(person, { side: "both", clock: "0 30" });
        await other.waitForFunction(() => /30/.test(document.querySelector(".stand.below .clock")?.textContent ?? ""), null, { polling });
        for (const move of ["7g7f", "3c3d", "2g2f", "8c8d"]) await person.move(move);
        await hasMoves(other, 4);
        const listed = () => person.page.evaluate(() => JSON.parse(localStorage.getItem("games") ?? "[]").length);
        const before = await listed();
        await person.tap("#resign");
        await person.tap(person.page.locator(".confirm button").first());
        await other.waitForFunction(() => /投了|resignation/.test(document.querySelector(".status")?.textContent ?? ""), null, { polling });
        assert.equal(await listed(), before + 1);
        await other.close();
    },

    "of two pages with one game, one thinks": async (person) => {
        const polling = 100;
        /** Counts what a page asks its engine. With `sleeps`, no answer comes any more. */
        const watch = (page) => page.evaluate(async () => {
            const { EngineClient } = await import("./engine-client.js");
            const { ask } = EngineClient.prototype;
            Object.assign(globalThis, { asked: 0, sleeps: false });
            EngineClient.prototype.ask = async function (...question) {
                globalThis.asked += 1;
                return globalThis.sleeps ? new Promise(() => {}) : ask.apply(this, question);
            };
        });
        const asked = (page) => page.evaluate(() => globalThis.asked);
        const hasMoves = (page, count) => page.waitForFunction((wanted) => document.querySelectorAll(".moves li").length === wanted + 1, count, { polling, timeout: 60_000 });
        await person.tap("#tab-play");
        await newGame(person, { limit: "level 20" });
        const other = await person.context.newPage();
        await other.goto(`${person.address}#play`);
        await other.waitForSelector("html[data-ready]");
        await person.page.bringToFront();
        for (const page of [person.page, other]) await watch(page);
        await person.move("7g7f");
        await hasMoves(other, 1);
        assert.match(await other.locator(".status").innerText(), /考え|Thinking/, "both say that it thinks");
        for (const page of [person.page, other]) await hasMoves(page, 2);
        assert.deepEqual([await asked(person.page), await asked(other)], [1, 0], "the page with the move thinks");
        // It falls asleep, and the person turns to the other page.
        await person.page.evaluate(() => { globalThis.sleeps = true; });
        await person.move("2g2f");
        await hasMoves(other, 3);
        await pause(500);
        assert.equal(await asked(other), 0, "the other page waits");
        await other.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
        for (const page of [other, person.page]) await hasMoves(page, 4);
        assert.equal(await asked(other), 1);
        // It falls asleep again: the other page is loaded anew.
        await person.move("6i7h");
        await hasMoves(other, 5);
        await other.reload();
        for (const page of [other, person.page]) await hasMoves(page, 6);
        // It is closed.
        await person.page.evaluate(() => { globalThis.sleeps = false; });
        await watch(other);
        await other.evaluate(() => { globalThis.sleeps = true; });
        await other.locator('[data-square="3i"]').click();
        await other.locator('[data-square="4h"]').click();
        await hasMoves(person.page, 7);
        await pause(500);
        assert.equal((await person.kept("shogi-game")).moves.length, 7, "nobody else has moved");
        await other.close();
        await hasMoves(person.page, 8);
        await person.isWell("two pages");
    },

    "a page that takes the game over has the time of the turn": async (person) => {
        await openKept(person, { root: "startpos", moves: [], person: "b", limit: "level 1", rate: { main: 600, byoyomi: 0 }, left: { b: 100, w: 3 }, end: null });
        const other = await person.context.newPage();
        await other.goto(`${person.address}#play`);
        await other.waitForSelector("html[data-ready]");
        // The page with the move falls asleep.
        await person.page.evaluate(async () => {
            const { Clock } = await import("./clock.js");
            const { EngineClient } = await import("./engine-client.js");
            Clock.prototype.tick = () => {};
            EngineClient.prototype.ask = () => new Promise(() => {});
        });
        await other.evaluate(async () => {
            const { EngineClient } = await import("./engine-client.js");
            const { ask } = EngineClient.prototype;
            EngineClient.prototype.ask = function (position, go, ...more) {
                globalThis.asked = go;
                return ask.call(this, position, go, ...more);
            };
        });
        await person.page.bringToFront();
        await person.move("7g7f");
        const polling = 100;
        await other.waitForFunction(() => document.querySelectorAll(".moves li").length === 3, null, { polling, timeout: 20_000 });
        assert.match(await other.evaluate(() => globalThis.asked), / wtime 3000 /);
        assert.equal((await person.kept("shogi-game")).end, null);
        await other.close();
        // Awake again.
        await person.page.reload();
        await person.ready();
    },

    "a page that takes the game over thinks to the end of the turn": async (person) => {
        await openKept(person, { root: "startpos", moves: [], person: "b", limit: "level 20", rate: { main: 0, byoyomi: 5 }, left: { b: 0, w: 0 }, end: null });
        const opened = async () => {
            const page = await person.context.newPage();
            await page.goto(`${person.address}#play`);
            await page.waitForSelector("html[data-ready]");
            return page;
        };
        // One page waits from the beginning of the engine's turn on. Another one is opened in the middle of it.
        const first = await opened();
        await person.page.bringToFront();
        await person.move("7g7f");
        await pause(2000);
        const second = await opened();
        const hasMoves = (count, timeout) => second.waitForFunction((wanted) => document.querySelectorAll(".moves li").length === wanted + 1, count, { polling: 100, timeout });
        await hasMoves(2, 10_000);
        for (const square of ["2g", "2f"]) await second.locator(`[data-square="${square}"]`).click();
        await hasMoves(4, 8_000);
        for (const page of [first, second]) await page.close();
        assert.equal((await person.kept("shogi-game")).end, null);
        await person.page.evaluate(() => localStorage.removeItem("shogi-game"));
    },

    "the device sleeps while the engine thinks": async (person) => {
        await openKept(person, { root: "startpos", moves: [], person: "b", limit: "level 20", rate: { main: 600, byoyomi: 0 }, left: { b: 100, w: 100 }, end: null });
        await person.page.evaluate(async () => {
            const { EngineClient } = await import("./engine-client.js");
            const { ask } = EngineClient.prototype;
            const now = performance.now.bind(performance);
            let slept = 0;
            performance.now = () => now() + slept;
            const sleep = () => { slept += 3_600_000; };
            // For an hour in the middle of the search, and again before its answer is heard.
            EngineClient.prototype.ask = async function (...question) {
                const nap = setTimeout(sleep, 300);
                const answer = await ask.apply(this, question);
                clearTimeout(nap);
                sleep();
                return answer;
            };
        });
        await person.move("7g7f");
        const { moves, left, end } = await person.turn("shogi-game");
        assert.deepEqual([moves.length, end], [2, null]);
        assert.ok(left.w > 50, `${left.w} s are left`);
        await person.page.evaluate(() => localStorage.removeItem("shogi-game"));
        await person.page.goto("about:blank");
        await person.page.goto(`${person.address}#play`);
        await person.ready();
    },

    "without locks, and with locks that are refused, the engine thinks": async (person) => {
        await person.tap("#tab-play");
        for (const has of [false, true]) {
            await person.page.evaluate((isThere) => {
                const value = isThere ? { request: () => Promise.reject(new DOMException("refused", "SecurityError")) } : undefined;
                Object.defineProperty(navigator, "locks", { configurable: true, value });
            }, has);
            await newGame(person);
            await person.move("7g7f");
            assert.equal((await person.turn("shogi-game")).moves.length, 2);
        }
        await person.page.evaluate(() => { delete navigator.locks; });
    },

    "a search that is past plays no move": async (person) => {
        await person.tap("#tab-play");
        // The old game and the new one have the same text, but the engine thinks for the old one.
        for (const side of ["b", "both"]) {
            await newGame(person, { side: "w", limit: "level 20" });
            await pause(400);
            await newGame(person, { side, limit: "level 20" });
            await pause(1500);
            assert.deepEqual((await person.kept("shogi-game")).moves, [], `a new game, ${side}`);
            assert.equal(await person.page.locator("#again").count(), 0);
            assert.match(await person.text(".status"), /あなたの番|先手の番|Your move|Black to move/);
        }
        await newGame(person, { side: "w", limit: "level 20" });
        await pause(400);
        await person.tap("#tab-puzzles");
        await pause(1500);
        assert.deepEqual((await person.kept("shogi-game")).moves, [], "the game is left");
    },

    "the engine's move is told": async (person) => {
        for (const [tab, name] of [["play", "shogi-game"], ["quantum", "quantum-game"]]) {
            await person.tap(`#tab-${tab}`);
            await person.page.evaluate(() => { document.querySelector("#message").textContent = ""; });
            await newGame(person, { side: "w" });
            assert.equal((await person.turn(name)).moves.length, 1);
            const [, move] = /^1 (.+)$/.exec(await person.text(".moves li:last-child"));
            assert.ok((await person.text("#message")).startsWith(move), `${tab}: ${move}`);
            await person.page.evaluate((key) => localStorage.removeItem(key), name);
        }
    },

    "only who is asked resigns": async (person) => {
        for (const [tab, name] of [["play", "shogi-game"], ["quantum", "quantum-game"]]) {
            await person.tap(`#tab-${tab}`);
            if (tab === "quantum") await person.tap("#part-game");
            const yes = person.page.locator(".confirm button").first();
            // A move takes the question away, and so does a new game.
            await newGame(person);
            await person.turn(name);
            await person.tap("#resign");
            await yes.waitFor();
            await person.move("2g2f");
            assert.equal(await yes.count(), 0);
            await person.turn(name);
            assert.equal(await yes.count(), 0);
            await person.tap("#resign");
            await yes.waitFor();
            await newGame(person, { side: "both" });
            assert.equal(await yes.count(), 0);
            assert.equal((await person.kept(name)).end, null);
            await person.move("2g2f");
            await person.tap("#resign");
            await person.tap(yes);
            assert.deepEqual((await person.kept(name)).end, { why: "resignation", winner: "b" }, "White is asked and loses");
        }
    },

    "the rules that come with the module": async (person) => {
        // A draw by repetition, as an earlier version has kept it: without its end.
        const shuffle = ["2h3h", "8b7b", "3h2h", "7b8b"];
        const drawn = { root: "startpos", moves: [...shuffle, ...shuffle, ...shuffle], person: "both", limit: "level 1", end: null };
        await openKept(person, drawn);
        await person.status(/千日手|repetition/);
        await person.page.reload();
        await person.status(/千日手|repetition/);
        assert.deepEqual((await person.kept("shogi-game")).end, { why: "repetition", winner: null });
        const root = "sfen 1KG6/PPPPPPPPP/+R+B7/9/9/9/9/9/8k b RB3G3S4N4L9P 1";
        await openKept(person, { ...drawn, root, moves: [], person: "b" });
        await person.tap("#hint");
        await person.says(/候補: 宣言勝ち|Try Declare/);
        await person.tap(person.page.locator(".actions button", { hasText: /宣言勝ち|Declare/ }));
        await person.status(/入玉宣言|declaration/);
        // Somebody touches the page before the module is there, and chooses in the form.
        await person.page.evaluate(() => localStorage.removeItem("shogi-game"));
        await beforeModule(person, async () => {
            await person.page.waitForSelector("#handicap");
            await person.page.selectOption("#side", "both");
            await person.page.locator("#flip").click();
            assert.equal(await person.page.locator("#handicap option").count(), 1);
        });
        assert.equal(await person.page.locator("#handicap option").count(), 16);
        assert.equal(await person.page.locator("#side").inputValue(), "both");
        // Which of two golds moved is told before the module is there, too.
        await openKept(person, { ...drawn, moves: ["7g7f", "3c3d", "4i5h"] });
        const isNamed = async () => assert.match(await person.text(".moves li:last-child"), /^3 (▲５八金右|☗G49-58)$/);
        await beforeModule(person, isNamed);
        await isNamed();
        // Somebody plays, and opens the game in the analysis; there it waits, in either language.
        await beforeModule(person, async () => {
            await newGame(person, { side: "both", limit: "level 1" });
            await person.move("7g7f");
            await person.tap(person.page.locator("button", { hasText: /この対局を検討|Analyze this game/ }));
            for (const _ of [1, 2]) await person.tap("#language");
            assert.equal(await person.page.locator("#loading").count(), 1);
        });
        await person.page.waitForFunction(() => document.querySelectorAll(".analyse .moves li").length === 2);
    },

    "the engine's time begins when the engine is there": async (person) => {
        // On a slow line somebody begins a game, and it is the engine's turn when a page is loaded.
        const standsStill = async () => {
            await pause(2500);
            assert.match(await person.text(".stand.above .clock"), /10/);
        };
        const moves = async () => {
            const { moves: played, end } = await person.turn("shogi-game");
            assert.deepEqual([played.length, end], [1, null]);
        };
        await person.tap("#tab-play");
        await person.page.evaluate(() => localStorage.removeItem("shogi-game"));
        await beforeModule(person, async () => {
            await person.page.waitForSelector("#handicap");
            await newGame(person, { side: "w", clock: "0 10" });
            await standsStill();
        });
        await moves();
        await person.page.evaluate((game) => localStorage.setItem("shogi-game", JSON.stringify({ ...game, moves: [] })), await person.kept("shogi-game"));
        await beforeModule(person, standsStill);
        await moves();
    },

    "time is taken back with the move": async (person) => {
        const game = { root: "startpos", moves: ["7g7f", "3c3d"], person: "both", limit: "level 1", rate: { main: 600, byoyomi: 0 }, left: { b: 100, w: 2 }, end: null };
        await openKept(person, game);
        await person.move("2g2f");
        await person.status(/時間切れ|out of time/, 10_000);
        // White had no more before this move, but Black's move is what is taken back.
        await person.tap("#undo");
        assert.deepEqual(await person.kept("shogi-game").then(({ moves, left, end }) => [moves.length, Math.round(left.b), left.w, end]), [2, 100, 2, null]);
        await pause(2500);
        assert.equal((await person.kept("shogi-game")).end, null);
        // The clock of White begins anew, too.
        await openKept(person, { ...game, moves: ["7g7f"], left: { b: 100, w: 4 } });
        await person.move("3c3d");
        await person.move("2g2f");
        await person.status(/時間切れ|out of time/, 10_000);
        await person.tap("#undo");
        await person.tap("#undo");
        assert.ok((await person.kept("shogi-game")).left.w > 3);
        // Byoyomi begins anew.
        await newGame(person, { side: "both", clock: "0 30" });
        await person.move("7g7f");
        await pause(2500);
        assert.ok((await clockBelow(person)) === 30 && /2[5-8]/.test(await person.text(".stand.above .clock")));
        await person.tap("#undo");
        await pause(2500);
        await person.move("7g7f");
        assert.equal(await clockBelow(person), 30);
        await person.tap("#undo");
        assert.ok((await clockBelow(person)) >= 29);
    },

    "what is kept of another form is set aside": async (person) => {
        const game = { root: "startpos", moves: [], person: "b", limit: "level 1", end: null };
        for (const bad of [
            { root: "startpos", moves: [] }, "5", "{", "[]", { ...game, root: "no position" }, { ...game, moves: ["5e5d"] }, { ...game, moves: ["zzz"] }, { ...game, moves: [5] },
            { ...game, moves: ["7g7f", "3c7d"] }, { ...game, root: "sfen 9/9/9/9/9/9/9/9/9/9 b - 1" }, { ...game, person: "x" },
        ]) {
            for (const name of ["shogi-game", "quantum-game"]) {
                await openKept(person, bad, name);
                assert.ok(await person.page.locator("#start").isVisible(), `${name}: ${JSON.stringify(bad)}`);
                assert.equal(await person.page.locator("#resign").isDisabled(), true, `${name}: ${JSON.stringify(bad)}`);
            }
        }
        await openKept(person, { ...game, rate: { main: 600, byoyomi: 0 }, left: {}, lefts: 5, thought: "x", end: 7 });
        assert.match(await person.text(".stand.below .clock"), /^(9:5\d|10:00)$/);
        assert.equal(await person.page.locator("#resign").isDisabled(), false);
        await person.isWell("set aside");
        await openKept(person, { ...game, moves: ["7g7f"], end: { why: "toString", winner: "b" } });
        await person.status(/先手の勝ち|Black wins/);
    },

    "an end that is taken back leaves the list": async (person) => {
        await person.tap("#tab-play");
        await newGame(person, { side: "both" });
        const listed = () => person.page.evaluate(() => JSON.parse(localStorage.getItem("games") ?? "[]").map(({ moves }) => moves.join(" ")));
        const resign = async () => { await person.tap("#resign"); await person.tap(person.page.locator(".confirm button").first()); };
        const before = await listed();
        const [first, second] = [["1g1f", "9c9d", "1f1e", "9d9e"], ["1g1f", "9c9d", "1f1e", "3c3d", "7g7f"]];
        for (const move of first) await person.move(move);
        await resign();
        assert.deepEqual(await listed(), [first.join(" "), ...before]);
        await person.tap("#undo");
        await person.page.reload();
        await person.ready();
        for (const move of second.slice(3)) await person.move(move);
        await resign();
        assert.deepEqual(await listed(), [second.join(" "), ...before]);
        // What was only taken back is no other game, and no game, either, if too few moves are left. The game that has ended stays.
        for (const count of [1, 2]) {
            for (let back = 0; back < count; back += 1) await person.tap("#undo");
            if (count === 2) await resign();
            assert.deepEqual(await listed(), [second.join(" "), ...before], `${count} taken back`);
            await newGame(person, { side: "both" });
            assert.deepEqual(await listed(), [second.join(" "), ...before], `a new game after ${count}`);
            for (const move of second) await person.move(move);
            await resign();
            assert.deepEqual(await listed(), [second.join(" "), ...before], "the same game once more");
        }
        // One that goes on in another way, and is left, is in its place.
        await person.tap("#undo");
        await person.move("2g2f");
        await newGame(person, { side: "both" });
        assert.deepEqual(await listed(), [[...second.slice(0, 4), "2g2f"].join(" "), ...before]);
    },
};

/** Without shared memory, a search that is broken off ends with the worker. Its answer is of its kind. */
export async function brokenOff(person) {
    const answers = await person.page.evaluate(async () => {
        const { EngineClient } = await import("./engine-client.js");
        const { load } = await import("./rules.js");
        const engine = new EngineClient(await load());
        const asked = [];
        // 1525 plies: not found at once.
        for (const go of ["go mate 20000", "go infinite"]) {
            asked.push(engine.ask("sfen l3+P2B+p/k2+rpg+P2/3+p+rPS1n/PP1s4p/3l+p+B1pP/L2n4g/+p4p+N2/5S1s+P/+PL+P+pg+N1G1 b - 1", go));
            await new Promise((resolve) => { setTimeout(resolve, 700); });
        }
        engine.cancel();
        return Promise.all(asked);
    });
    assert.equal(answers[0], "checkmate timeout");
    assert.match(answers[1], /^bestmove [1-9PLNSGBR]/);
}

/** A worker that cannot start is given up, and tried once more for each question. */
export async function failing(person) {
    let tries = 0;
    await person.page.route("**/engine-worker.js", (route) => { tries += 1; return route.fulfill({ contentType: "text/javascript", body: "throw new Error('no engine');" }); });
    await person.page.goto("about:blank");
    await person.page.goto(`${person.address}#play`);
    await newGame(person, { side: "w" });
    await person.page.waitForSelector("#again");
    await pause(1000);
    assert.ok(tries >= 3 && tries <= 5, `${tries} tries`);
    const before = tries;
    await person.tap("#again");
    await person.page.waitForFunction(() => document.querySelector("#again") !== null);
    await pause(500);
    assert.equal(tries, before + 1);
    await person.page.unroute("**/engine-worker.js");
    await person.tap("#again");
    await person.page.waitForFunction(() => JSON.parse(localStorage.getItem("shogi-game")).moves.length === 1);
    // The errors of the worker were meant.
    person.faults = person.faults.filter((fault) => !/no engine/.test(fault));
}
