// What a person does while something else happens, and what the browser refuses meanwhile.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { newGame } from "./games.mjs";
import { follow } from "./mishaps.mjs";

export const moments = {
    "the engine moves while somebody fills in the form of a new game": async (person) => {
        for (const [tab, name, limit] of [["play", "shogi-game", "level 20"], ["quantum", "quantum-game", "movetime 1000"]]) {
            await person.tap(`#tab-${tab}`);
            await newGame(person, { limit });
            await person.move("7g7f");
            await person.tap(person.page.locator("details").filter({ has: person.page.locator("#start") }).locator("summary"));
            const chosen = { side: "w", clock: "600 30", ...(tab === "play" ? { handicap: "六枚落ち" } : {}) };
            for (const [box, value] of Object.entries(chosen)) await person.page.selectOption(`#${box}`, value);
            await person.page.waitForFunction((key) => JSON.parse(localStorage.getItem(key)).moves.length === 2, name, { timeout: 20_000 });
            await person.status(/あなたの番|Your move/);
            for (const [box, value] of Object.entries(chosen)) assert.equal(await person.page.locator(`#${box}`).inputValue(), value, `${tab}: ${box}`);
            await person.tap("#start");
            const { person: side, rate, root } = await person.kept(name);
            assert.deepEqual([side, rate, root === "startpos"], ["w", { main: 600, byoyomi: 30 }, tab !== "play"], tab);
            await person.page.evaluate((key) => localStorage.removeItem(key), name);
        }
        await follow(person, "#play");
    },

    "a game is forgotten while another tab adds one": async (person) => {
        await follow(person, "#analyse");
        const game = (b, ...more) => ({ root: "startpos", moves: ["7g7f", "3c3d", "2g2f", "8c8d", ...more], date: 1000 * b.length, b, w: "B", result: "" });
        const keep = (games) => person.page.evaluate((text) => localStorage.setItem("games", text), JSON.stringify(games));
        const [first, second, third] = [game("A"), game("AA", "2f2e"), game("AAA", "6a5b")];
        await keep([second, first]);
        await follow(person, "#play");
        await person.tap(".games summary");
        await keep([third, second, first]);
        await person.tap("#forget-0");
        assert.deepEqual((await person.kept("games")).map(({ b }) => b), ["AAA", "A"]);
        assert.ok(await person.page.locator("#forget-1").isVisible(), "the list stays open");
        // It can be put back, by a key pressed once more, too.
        assert.equal(await person.page.evaluate(() => document.activeElement.id), "put-back");
        await person.isWell("a game that was forgotten");
        await person.page.keyboard.press("Enter");
        assert.deepEqual((await person.kept("games")).map(({ b }) => b), ["AAA", "AA", "A"]);
        assert.equal(await person.page.locator("#put-back").count(), 0);
        await person.tap("#forget-2");
        await person.tap("#forget-0");
        await person.tap("#forget-0");
        assert.deepEqual(await person.kept("games"), []);
        await person.tap("#put-back");
        assert.deepEqual((await person.kept("games")).map(({ b }) => b), ["AA"], "the last one");
        await person.page.evaluate(() => localStorage.removeItem("games"));
        await follow(person, "#play");
    },

    "what appears under a double click is not pressed by it": async (person) => {
        // In English, the question is where the button was.
        const isEnglish = (await person.text("#language")) !== "English";
        if (!isEnglish) await person.tap("#language");
        for (const [tab, name] of [["play", "shogi-game"], ["quantum", "quantum-game"]]) {
            await follow(person, `#${tab}`);
            await newGame(person, { side: "both" });
            await person.move("7g7f");
            const yes = person.page.locator(".confirm button").first();
            const place = await person.tapTwice("#resign");
            assert.equal(await yes.count(), 1, `${tab}: it still asks`);
            assert.equal((await person.kept(name)).end, null, tab);
            // Later, a tap at the same place is an answer.
            await pause(600);
            await person.tapAt(...place);
            assert.equal((await person.kept(name)).end.why, "resignation", tab);
            await person.page.evaluate((key) => localStorage.removeItem(key), name);
        }
        if (!isEnglish) await person.tap("#language");
        // Both halves of a square.
        for (const across of [0.25, 0.75]) {
            await follow(person, "#play");
            await newGame(person, { side: "both" });
            for (const move of ["7g7f", "3c3d"]) await person.move(move);
            await person.square("8h");
            await person.tapTwice('[data-square="2b"]', [across, 0.8]);
            assert.equal(await person.page.locator(".ask").count(), 1, "it still asks for promotion");
            assert.equal((await person.kept("shogi-game")).moves.length, 2);
            await person.answerPromotion("8h2b+");
            assert.equal((await person.kept("shogi-game")).moves[2], "8h2b+");
        }
        // A game that was forgotten can be put back, later.
        await person.move("3a2b");
        await newGame(person, { side: "both" });
        await person.tap(".games summary");
        await person.tapTwice("#forget-0");
        assert.deepEqual(await person.kept("games"), []);
        await person.tap("#put-back");
        assert.equal((await person.kept("games")).length, 1);
        await person.page.evaluate(() => { for (const name of ["shogi-game", "games"]) localStorage.removeItem(name); });
        // The editor opens with the problem as it is.
        await follow(person, "#puzzles=4k4/9/4P4/9/9/9/9/9/9_b_G_1");
        await person.status(/1手詰です|Mate in 1\./);
        await person.tapTwice("#edit-this");
        await person.page.waitForSelector("#close-editor");
        assert.equal(await person.page.locator(".composer .grid .piece").count(), 2);
        await person.tap("#close-editor");
        await follow(person, "#play");
    },

    "the module does not come": async (person) => {
        const page = await person.context.newPage();
        await page.addInitScript(() => {
            const { fetch } = globalThis;
            const begin = [0, 0x61, 0x73, 0x6d];
            const type = { "Content-Type": "application/wasm" };
            const ways = {
                offline: () => Promise.reject(new TypeError("Failed to fetch")),
                refused: () => Promise.resolve(new Response("", { status: 503 })),
                midway: () => Promise.resolve(new Response(new ReadableStream({
                    start(body) {
                        body.enqueue(new Uint8Array([...begin, 1, 0, 0, 0]));
                        setTimeout(() => body.error(new TypeError("network error")), 50);
                    },
                }), { headers: type })),
                // A network that asks for a name first answers with a page of its own.
                login: () => Promise.resolve(new Response("<!doctype html>", { headers: { "Content-Type": "text/html" } })),
                short: () => Promise.resolve(new Response("", { headers: { "Content-Type": "application/octet-stream" } })),
                tooNew: () => Promise.resolve(new Response(new Uint8Array([...begin, 9, 0, 0, 0]), { headers: type })),
            };
            globalThis.way = location.search.slice(1);
            globalThis.fetch = (what, ...more) => (/engine_bg/.test(what.url ?? what) && globalThis.way ? ways[globalThis.way]() : fetch(what, ...more));
        });
        const words = /読み込めませんでした|could not be loaded/;
        for (const tab of ["puzzles", "play"]) {
            await page.goto("about:blank");
            await page.goto(`${person.address}?offline#${tab}`);
            for (const way of ["refused", "midway", "login", "short", ""]) {
                await page.waitForSelector("#load-again");
                assert.match(await page.locator("#view").innerText(), words, `before ${way}`);
                // It is said wherever somebody looks, and in either language.
                await page.click("#tab-quantum");
                for (const _ of [1, 2]) await page.click("#language");
                await page.click(`#tab-${tab}`);
                assert.match(await page.locator("#view").innerText(), words);
                const box = await page.locator("#load-again").boundingBox();
                assert.ok(box.y + box.height <= person.height, "the button is in sight");
                await page.evaluate((next) => { globalThis.way = next; }, way);
                await page.click("#load-again");
            }
            await page.waitForSelector("html[data-ready]");
            await page.waitForSelector(tab === "play" ? "#handicap" : "#progress");
            assert.equal(await page.locator("#load-again").count(), 0);
        }
        // A browser that does not understand the module gets it no better the second time.
        await page.goto(`${person.address}?tooNew#play`);
        await page.waitForFunction(() => /cannot run/.test(document.querySelector("#view").textContent));
        assert.equal(await page.locator("#load-again").count(), 0);
        await page.close();
    },

    "a server does not know the type of the module": async (person) => {
        for (const type of ["application/octet-stream", "application/wasm; charset=utf-8", ""]) {
            const page = await person.context.newPage();
            await page.addInitScript((sent) => {
                const { fetch } = globalThis;
                globalThis.fetch = async (what, ...more) => {
                    const response = await fetch(what, ...more);
                    return /engine_bg/.test(what.url ?? what) ? new Response(response.body, { headers: sent ? { "Content-Type": sent } : {} }) : response;
                };
            }, type);
            await page.goto(`${person.address}#analyse`);
            await page.waitForSelector("#live", { timeout: 20_000 });
            await page.close();
        }
    },

    "a page that is refused the clipboard copies all the same": async (person) => {
        await follow(person, "#analyse=startpos");
        if (person.isChromium) await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
        // As on a server without encryption.
        await person.page.evaluate(() => Object.defineProperty(navigator, "clipboard", { configurable: true, value: undefined }));
        await person.tap("#copy-sfen");
        await person.says(/コピーしました|Copied/);
        assert.equal(await person.page.evaluate(() => document.activeElement?.id), "copy-sfen");
        const text = await person.page.evaluate(() => { delete navigator.clipboard; return navigator.clipboard.readText(); });
        assert.match(text, /^lnsgkgsnl\//);
        await follow(person, "#play");
    },

    "a picture that cannot be drawn leaves nothing behind": async (person) => {
        await follow(person, "#analyse=startpos");
        await person.page.evaluate(() => {
            globalThis.held = new Set();
            const { createObjectURL, revokeObjectURL } = URL;
            URL.createObjectURL = (blob) => { const url = createObjectURL.call(URL, blob); globalThis.held.add(url); return url; };
            URL.revokeObjectURL = (url) => { globalThis.held.delete(url); revokeObjectURL.call(URL, url); };
            Image.prototype.decode = () => Promise.reject(new DOMException("no picture", "EncodingError"));
        });
        await person.tap("#save-picture");
        await person.says(/保存できません|Could not save/);
        assert.equal(await person.page.evaluate(() => globalThis.held.size), 0);
        await follow(person, "#play");
    },

    "a hint without a move": async (person) => {
        await follow(person, "#puzzles=4k4/9/4P4/9/9/9/9/9/9_b_G_1");
        await person.status(/1手詰です|Mate in 1\./);
        await person.page.evaluate(async () => {
            const { Workshop } = await import("./workshop.js");
            Workshop.prototype.ask = async () => null;
        });
        await person.tap("#hint");
        await person.status(/^(手順はわかりません|No line is known)$/);
        await follow(person, "#play");
    },

    "a defense leads down the board": async (person) => {
        await follow(person, "#puzzles=4k4/9/4P4/9/9/9/9/9/9_b_G_1");
        await person.status(/1手詰です|Mate in 1\./);
        const isShown = (rank) => person.page.locator(`[data-square="5${rank}"]`).isVisible();
        assert.deepEqual([await isShown("e"), await isShown("f")], [true, false]);
        // The reply is made up.
        await person.page.evaluate(async () => {
            const { Workshop } = await import("./workshop.js");
            Workshop.prototype.ask = async () => ({ kind: "reply", move: "5a5g", left: 1 });
        });
        await person.move("G*5b");
        await person.status(/と応じました|The defense plays/);
        assert.equal(await person.page.locator(".grid [tabindex='0']").getAttribute("data-square"), "5b", "the keyboard stays where it was");
        assert.deepEqual([await isShown("g"), await isShown("h"), await isShown("i")], [true, true, false], "the king, and one rank more");
        await person.tap("#take-back");
        assert.ok(await isShown("h"), "the board does not jump back");
        await follow(person, "#play");
    },

    "the keyboard goes on from where the mouse was": async (person) => {
        await follow(person, "#play");
        await newGame(person, { side: "both" });
        const focused = () => person.page.evaluate(() => document.activeElement?.dataset.square ?? document.activeElement?.id);
        const press = async (...keys) => {
            for (const key of keys) await person.page.keyboard.press(key);
            return focused();
        };
        const isOne = async () => assert.deepEqual(await person.page.locator(".grid [tabindex='0']").evaluateAll((cells) => cells.map((cell) => cell.dataset.square)), [await focused()]);
        await person.square("7g");
        await isOne();
        assert.equal(await press("ArrowLeft"), "8g");
        assert.doesNotMatch(await press("Tab"), /^\d/, "the Tab key leaves the board");
        assert.equal(await press("Shift+Tab"), "8g", "and comes back to the same square");
        // Pressed on one square, released on another one: no click.
        const [from, to] = await Promise.all(["5e", "4e"].map((square) => person.page.locator(`[data-square="${square}"]`).boundingBox()));
        const { mouse } = person.page;
        await mouse.move(from.x + from.width / 2, from.y + from.height / 2);
        await mouse.down();
        await mouse.move(to.x + to.width / 2, to.y + to.height / 2);
        await mouse.up();
        await isOne();
        assert.equal(await press("ArrowUp"), "5d");
        await person.drag("2g2f");
        await isOne();
        assert.equal(await press("ArrowUp"), "2e");
        await person.page.evaluate(() => localStorage.removeItem("shogi-game"));
        await follow(person, "#play");
    },

    "a check is no order": async (person) => {
        await follow(person, "#play");
        await newGame(person, { side: "both" });
        for (const move of ["7g7f", "3c3d", "8h3c+"]) await person.move(move);
        assert.match(await person.text(".status"), /^(王手 · 後手の番です|Check · White to move)$/);
        await person.page.evaluate(() => localStorage.removeItem("shogi-game"));
        await follow(person, "#play");
    },

    "what is kept of a game that was resigned": async (person) => {
        await follow(person, "#play");
        const lived = (selector) => person.page.locator(selector).evaluate((line) => [line.textContent, line.getAttribute("aria-live") ?? "polite"]);
        const resign = async () => {
            await newGame(person, { side: "both" });
            for (const move of ["7g7f", "3c3d", "2g2f"]) await person.move(move);
            assert.equal((await lived("#message"))[1], "polite", "a move is read out");
            await person.tap("#resign");
            await person.tap(person.page.locator(".confirm button").first());
            await person.status(/投了|resignation/);
            const [[text, live], [line]] = [await lived("#message"), await lived(".status")];
            assert.deepEqual([text, live], [line, "off"], "the same sentence is read out once");
        };
        const before = Date.now();
        await resign();
        await person.tap(person.page.locator("button.primary", { hasText: /この対局を検討|Analyze this game/ }));
        const kif = readFileSync(await person.saves("#save-kif"), "utf-8");
        const begun = Date.parse(/^開始日時：(\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d)$/m.exec(kif)?.[1]);
        assert.ok(begun >= before - 1000 && begun <= Date.now(), kif);
        await person.tap("#tab-quantum");
        await resign();
        await person.tap("#open-record");
        const ended = /(投了|resignation)/;
        assert.match(await person.text(".status"), ended);
        for (const _ of [1, 2]) await person.tap("#language");
        assert.match(await person.text(".status"), ended);
        await person.tap("#previous");
        assert.doesNotMatch(await person.text(".status"), ended);
        await person.page.evaluate(() => {
            sessionStorage.clear();
            for (const name of ["shogi-game", "quantum-game", "games"]) localStorage.removeItem(name);
        });
        await follow(person, "#play");
    },

    "pieces are dragged by who may move": async (person) => {
        await follow(person, "#play");
        await newGame(person, { side: "both" });
        const movable = person.page.locator(".movable");
        await person.drag("7g7f");
        assert.deepEqual((await person.kept("shogi-game")).moves, ["7g7f"]);
        assert.equal(await movable.count(), 20, "the pieces of White");
        await person.tap("#resign");
        await person.tap(person.page.locator(".confirm button").first());
        await person.status(/投了|resignation/);
        assert.equal(await movable.count(), 0, "the game is over");
        await newGame(person, { side: "w", limit: "level 20" });
        await person.status(/考え|Thinking/);
        assert.equal(await movable.count(), 0, "the engine thinks");
        await person.turn("shogi-game");
        assert.equal(await movable.count(), 20);
        await person.page.evaluate(() => localStorage.removeItem("shogi-game"));
        // On the other boards, too.
        await person.tap("#tab-quantum");
        await newGame(person, { side: "both" });
        assert.equal(await movable.count(), 20);
        await person.tap("#resign");
        await person.tap(person.page.locator(".confirm button").first());
        await person.status(/投了|resignation/);
        assert.equal(await movable.count(), 0, "the quantum game is over");
        await person.page.evaluate(() => localStorage.removeItem("quantum-game"));
        await follow(person, "#quantum=startpos_moves_7g7f");
        assert.equal(await movable.count(), 0, "a quantum record");
        await follow(person, "#puzzles=4k4/9/4P4/9/9/9/9/9/9_b_G_1");
        await person.status(/1手詰です|Mate in 1\./);
        assert.equal(await movable.count(), 2, "the pawn, and the gold in hand");
        await person.tap("#solution");
        assert.equal(await movable.count(), 0, "the solution is shown");
        await person.tap("#solution");
        assert.equal(await movable.count(), 2);
        await person.page.evaluate(async () => {
            const { Workshop } = await import("./workshop.js");
            Workshop.prototype.ask = () => new Promise(() => {});
        });
        await person.move("G*5b");
        await person.status(/考え|Thinking/);
        assert.equal(await movable.count(), 0, "the defense thinks");
        await person.tap("#restart");
        assert.equal(await movable.count(), 2);
        await person.tap("#daily");
        await person.status(/作っています|Making/);
        assert.equal(await movable.count(), 0, "the next problem is made");
        await follow(person, "#play");
    },
};
