// Uses the page as a person does: with taps at 390 px and clicks at 1280 px, in light and dark, with and without a network.
// Arguments: the root of the repository, the built site, the program, and a folder for screenshots. With BROWSER set to firefox, in
// Firefox. With ONLY set to a word, only the parts whose names contain it. Ends with 1 at the first thing that is wrong.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { cpSync, mkdirSync } from "node:fs";
import { open } from "./browsers.mjs";
import { newFolder } from "./folders.mjs";
import { Person } from "./person.mjs";
import { newVersion, pageBeside, twoSites } from "./versions.mjs";
import { analyses } from "./analysis.mjs";
import { games } from "./games.mjs";
import { keyboard } from "./keyboard.mjs";
import { leaving } from "./leaving.mjs";
import { links } from "./links.mjs";
import { brokenOff, failing, matches } from "./matches.mjs";
import { problems, reports, sameRules } from "./pages.mjs";
import { pictures } from "./pictures.mjs";
import { mishaps } from "./mishaps.mjs";
import { moments } from "./moments.mjs";
import { quantum } from "./quantum.mjs";
import { atAnyLook, thinking } from "./thinking.mjs";
import { bench, slowPhone, speed } from "./speed.mjs";

const [root, site, program, shots] = process.argv.slice(2);
const only = process.env.ONLY ?? "";
const parts = { ...games, ...matches, ...analyses, ...quantum, ...pictures, ...mishaps, ...moments, ...leaving, ...links, ...keyboard, ...thinking };
let count = 0;
const isAsked = (name) => {
    if (!name.includes(only)) return false;
    count += 1;
    return true;
};
if (shots) mkdirSync(shots, { recursive: true });

/** Serves the site, or another folder. With `plain`, as a server does that sends no special headers. */
async function serve(plain, folder = site) {
    const command = plain ? ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder] : [`${root}/scripts/web/serve.py`, folder, "0"];
    const server = spawn("python3", command, { stdio: ["ignore", "pipe", "ignore"] });
    const gone = new Promise((ended) => { server.once("exit", ended); });
    for await (const line of createInterface({ input: server.stdout })) {
        const address = /http:\/\/[\d.:]+\//.exec(line)?.[0];
        if (address) return { address, end: () => { server.kill(); return gone; } };
    }
    throw new Error("the server did not start");
}

/** What a person does after the server is gone: plays, analyzes, solves and makes problems. */
const OFFLINE = ["a game is played for some moves", "a game file is read and stepped through", "thinking is heard, seen and stopped", "problems of a style are made, and stopping keeps them",
    "a problem is composed", "quantum shogi is played to its end", "quantum shogi: problems are solved", "both languages"];

const servers = [await serve(false), await serve(true)];
const [server, plainServer] = servers;
const browser = await open(process.env.BROWSER);
const begun = Date.now();
const say = (text) => console.log(`${((Date.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}`);

try {
    const { page: rulesPage } = await Person.meets(browser, server.address, { width: 1280, height: 800, touch: false, scheme: "light", locale: "ja-JP" });
    if (isAsked("pages of one file: rules")) say(`the rules of pages without an engine: ${await sameRules(rulesPage)}`);
    if (isAsked("pages of one file: reports")) await reports(browser, root, program, rulesPage, shots, say);
    if (isAsked("pages of one file: problems")) await problems(browser, program, rulesPage, shots, say);

    for (const size of [{ width: 390, height: 844, touch: true, scheme: "light", locale: "ja-JP" }, { width: 1280, height: 800, touch: false, scheme: "dark", locale: "en-GB" }]) {
        const person = await Person.meets(browser, server.address, size, shots);
        assert.equal(await person.page.evaluate(() => crossOriginIsolated), true, "the page shares memory with its worker");
        for (const [name, play] of Object.entries(parts).filter(([one]) => isAsked(one))) {
            const told = await play(person, root, program);
            say(`${size.width} px: ${name}${told ? `: ${told}` : ""}`);
        }
        await person.leave();
    }

    // Loaded once; then there is no server any more.
    if (isAsked("without a server")) {
        const own = await serve(false);
        servers.push(own);
        const person = await Person.meets(browser, own.address, { width: 390, height: 844, touch: true, scheme: "light", locale: "ja-JP" }, shots);
        await person.offline(own);
        for (const name of OFFLINE) {
            await parts[name](person, root, program);
            say(`without a server: ${name}`);
        }
        await person.leave();
    }

    if (isAsked("a new version")) {
        const folder = newFolder("site");
        cpSync(site, folder, { recursive: true });
        servers.push(await serve(false, folder));
        const person = await Person.meets(browser, servers.at(-1).address, { width: 1280, height: 800, touch: false, scheme: "light", locale: "ja-JP" }, shots);
        await newVersion(person, folder);
        say("a new version of the site waits for pages of the old one");
        await person.leave();
    }

    if (isAsked("two sites on one server")) {
        const folder = newFolder("sites");
        for (const name of ["one", "two"]) cpSync(site, `${folder}/${name}`, { recursive: true });
        servers.push(await serve(false, folder));
        const { address } = servers.at(-1);
        const person = await Person.meets(browser, `${address}one/`, { width: 1280, height: 800, touch: false, scheme: "light", locale: "ja-JP" }, shots);
        await twoSites(person, `${folder}/one`, `${address}two/`);
        say("two sites on one server: a new version of one leaves the files of the other");
        await person.leave();
    }

    if (isAsked("a page beside the site")) {
        const folder = newFolder("beside");
        cpSync(site, folder, { recursive: true });
        servers.push(await serve(true, folder));
        const person = await Person.meets(browser, servers.at(-1).address, { width: 1280, height: 800, touch: false, scheme: "light", locale: "ja-JP" }, shots);
        await pageBeside(person, folder, plainServer.address);
        say("a page beside the site shows pictures of other servers");
        await person.leave();
    }

    if (browser.isChromium && isAsked("a slow phone")) say(await slowPhone(browser, server.address));
    if (!only) {
        // A server that sends no headers: the service worker adds them.
        const later = await Person.meets(browser, plainServer.address, { width: 1280, height: 800, touch: false, scheme: "light", locale: "ja-JP" }, shots);
        await later.page.waitForFunction(() => crossOriginIsolated && document.documentElement.dataset.ready, null, { timeout: 20_000 });
        await games["thinking is heard, seen and stopped"](later, root);
        say("a plain server: the page becomes isolated, and a search is stopped");
        await later.leave();
    }
    if (isAsked("no shared memory")) {
        // Without a service worker, too, nothing is shared: a stop starts the engine anew.
        const alone = await Person.meets(browser, plainServer.address, { width: 1280, height: 800, touch: false, scheme: "light", locale: "ja-JP", serviceWorkers: "block" }, shots);
        assert.equal(await alone.page.evaluate(() => crossOriginIsolated), false);
        await games["thinking is heard, seen and stopped"](alone, root);
        await thinking["thinking waits where nothing is left to search"](alone);
        await matches["a search that is past plays no move"](alone);
        await brokenOff(alone);
        await atAnyLook(alone);
        await failing(alone);
        say("no shared memory: a search is stopped all the same");
        await alone.leave();
    }
    if (!only) {
        say(await bench(browser, server.address, root));
        say(await speed(browser, server.address, root));
    }
    assert.ok(count > 0, `no part has "${only}" in its name`);
    say("all is well");
} finally {
    await browser.close();
    await Promise.all(servers.map(({ end }) => end()));
}
