// How fast the engine is in the page: nodes a second, and the mate problems of tests/data. And that it is the same engine: its search
// has the signature that the last commit states.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** So many problems of each file. */
const EACH = 6;

/** The problems of a file that its other sources agree on. */
function problems(root, name) {
    const lines = readFileSync(`${root}/tests/data/tsume/${name}.csv`, "utf-8").trim().split("\n").slice(1);
    const known = lines.map((line) => line.split(",")).filter(([, plies]) => plies !== "").map(([sfen, plies]) => [sfen, Number(plies)]);
    return known.filter((_, number) => number % Math.ceil(known.length / EACH) === 0);
}

/** Searches the fixed list of positions. The node count is the same on every machine. */
export async function bench(browser, address, root) {
    const messages = execFileSync("git", ["log", "--format=%B"], { cwd: root, encoding: "utf-8", maxBuffer: 1 << 28 });
    const stated = Number(/^Bench: (\d+)$/m.exec(messages)?.[1]);
    const page = await (await browser.newContext()).newPage();
    await page.goto(address);
    await page.waitForSelector("html[data-ready]");
    const said = await page.evaluate(async () => {
        const { load } = await import("./rules.js");
        const worker = new Worker("engine-worker.js", { type: "module" });
        worker.postMessage({ module: await load(), stopped: null });
        return new Promise((resolve, reject) => {
            worker.onmessage = ({ data }) => { if (/nodes/.test(data)) resolve(data); };
            worker.onerror = ({ message }) => reject(new Error(message));
            worker.postMessage({ line: "bench", stops: 0 });
        });
    });
    await page.close();
    assert.ok(said.includes(String(stated)), `stated ${stated}, the page: ${said}`);
    return said;
}

/** A slow phone, as Lighthouse has it. */
const [LATENCY, BITS_A_SECOND, SLOWDOWN] = [150, 1_638_400, 4];

/** How soon a game can begin on a slow phone: the engine comes later, and answers the move that was made before. */
export async function slowPhone(browser, address) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: "ja-JP", serviceWorkers: "block" });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.emulateNetworkConditions", { offline: false, latency: LATENCY, downloadThroughput: BITS_A_SECOND / 8, uploadThroughput: BITS_A_SECOND / 8 });
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    const started = performance.now();
    const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
    const going = page.goto(address, { timeout: 60_000 });
    await page.locator("#start").tap({ timeout: 60_000 });
    await page.locator('[data-square="7g"]').tap();
    await page.waitForSelector(".target");
    const usable = seconds();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.ready), undefined, "the engine is not there yet");
    await page.locator('[data-square="7f"]').tap();
    await going;
    await page.waitForSelector("html[data-ready]", { timeout: 60_000 });
    const whole = seconds();
    await page.waitForFunction(() => JSON.parse(localStorage.getItem("shogi-game")).moves.length === 2, null, { timeout: 60_000 });
    await context.close();
    return `a slow phone: a game begins after ${usable} s, the engine is there after ${whole} s`;
}

export async function speed(browser, address, root) {
    const page = await (await browser.newContext()).newPage();
    await page.goto(address);
    await page.waitForSelector("html[data-ready]");
    const given = ["mate1", "mate3", "mate5", "mate7", "mate9", "mate11plus"].flatMap((name) => problems(root, name));
    const found = await page.evaluate(async (asked) => {
        const { EngineClient, readInfo } = await import("./engine-client.js");
        const { load } = await import("./rules.js");
        const engine = new EngineClient(await load());
        let last = null;
        await engine.ask("startpos moves 7g7f 3c3d 2g2f 4c4d", "go movetime 5000", (line) => { last = readInfo(line) ?? last; });
        const mates = [];
        for (const [sfen, plies] of asked) {
            engine.say("usinewgame");
            const started = performance.now();
            const answer = await engine.ask(`sfen ${sfen}`, "go mate 30000");
            mates.push({ sfen, plies, time: Math.round(performance.now() - started), answer });
        }
        return { nps: last.nps, mates };
    }, given);
    await page.close();
    for (const { sfen, plies, answer } of found.mates) {
        assert.equal(answer.split(" ").length - 1, plies, `${sfen}: ${answer}`);
    }
    const times = found.mates.map(({ time }) => time).sort((a, b) => a - b);
    return `${found.nps} nodes a second; ${times.length} mates of 1 to ${Math.max(...given.map(([, plies]) => plies))} plies: median ${times[times.length >> 1]} ms, longest ${times.at(-1)} ms`;
}
