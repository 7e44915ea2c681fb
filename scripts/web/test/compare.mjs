// The engine in the page beside the native program, one thread and tables of 32 MB each: nodes a second, and the time to the mate of
// each classic that the program solves within a second. Arguments: the root of the repository, the built site, the program. It belongs
// on an idle machine, and asserts nothing but that the page finds every mate.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const [root, site, program] = process.argv.slice(2);
const ROUNDS = 3;
const SEARCHED = [
    "position sfen l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
    "position startpos moves 7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i6h 2b7g+ 6h7g 3a2b",
    "position quantum startpos moves 7g7f 3c3d 2g2f 8c8d",
];

/** A conversation: `until` reads on to the first line that begins with a word, and also returns the last line with a count of nodes. */
function conversation(send, next) {
    const until = async (/** @type {string} */ word) => {
        let info = "";
        for (;;) {
            const line = await next();
            if (/ nps \d/.test(line)) info = line;
            if (line.startsWith(word)) return { line, info };
        }
    };
    return { send, until };
}

function nativeEngine() {
    const child = spawn(program, [], { stdio: ["pipe", "pipe", "ignore"] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return conversation((line) => { child.stdin.write(`${line}\n`); }, async () => (await lines.next()).value);
}

async function pageEngine(page) {
    const lines = [];
    let wake = () => {};
    await page.exposeFunction("told", (text) => { lines.push(...String(text).split("\n").filter(Boolean)); wake(); });
    await page.evaluate(async () => {
        const { load } = await import("./rules.js");
        window.engine = new Worker("engine-worker.js", { type: "module" });
        window.engine.onmessage = ({ data }) => window.told(data);
        window.engine.postMessage({ module: await load(), stopped: null });
    });
    const next = async () => {
        while (lines.length === 0) await new Promise((resolve) => { wake = resolve; });
        return lines.shift();
    };
    return conversation((line) => page.evaluate((line) => window.engine.postMessage({ line, stops: 0 }), line), next);
}

const server = spawn("python3", [`${root}/scripts/web/serve.py`, site, "0"], { stdio: ["ignore", "pipe", "inherit"] });
const { value: address } = await createInterface({ input: server.stdout })[Symbol.asyncIterator]().next();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
    const page = await (await browser.newContext()).newPage();
    await page.goto(address.trim());
    await page.waitForSelector("html[data-ready]");
    const native = nativeEngine();
    const web = await pageEngine(page);
    for (const engine of [native, web]) {
        await engine.send("usi");
        await engine.until("usiok");
        for (const option of ["USI_Hash value 32", "Threads value 1", "MateShortest value false"]) await engine.send(`setoption name ${option}`);
        await engine.send("isready");
        await engine.until("readyok");
    }
    const asks = async (engine, position, go, word) => {
        await engine.send("usinewgame");
        await engine.send(position);
        const begun = performance.now();
        await engine.send(go);
        const answer = await engine.until(word);
        return { ...answer, time: performance.now() - begun };
    };
    for (const position of SEARCHED) {
        const shares = [];
        for (let round = 0; round < ROUNDS; round++) {
            const [here, there] = [await asks(native, position, "go movetime 3000", "bestmove"), await asks(web, position, "go movetime 3000", "bestmove")].map(({ info }) => Number(/ nps (\d+)/.exec(info)?.[1]));
            shares.push(`${there} of ${here} (${(there / here).toFixed(2)})`);
        }
        console.log(`${position.slice(9, 40)}…: nodes a second ${shares.join(", ")}`);
    }
    const isMate = (line) => !/^checkmate (timeout|nomate|notimplemented)/.test(line);
    const classics = readFileSync(`${root}/tests/data/tsume/classics.csv`, "utf-8").trim().split("\n").slice(1).map((row) => row.split(",")[0]);
    const ratios = [];
    for (const sfen of classics) {
        const here = await asks(native, `position sfen ${sfen}`, "go mate 1000", "checkmate");
        if (!isMate(here.line)) continue;
        const there = await asks(web, `position sfen ${sfen}`, "go mate 20000", "checkmate");
        assert.ok(isMate(there.line), `the page finds the mate of ${sfen}`);
        ratios.push(there.time / here.time);
    }
    ratios.sort((a, b) => a - b);
    console.log(`${ratios.length} of ${classics.length} classics: time against native median ${ratios[ratios.length >> 1].toFixed(2)}, at most ${ratios.at(-1)?.toFixed(2)}`);
    console.log(execFileSync("bash", ["-c", "ps -C chromium -o rss=,args= --sort=-rss | grep -m 1 type=renderer | awk '{ print \"memory of the page: \" int($1 / 1000) \" MB\" }'"], { encoding: "utf-8" }).trim());
    native.send("quit");
} finally {
    await browser.close();
    server.kill();
}
