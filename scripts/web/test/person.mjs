// Somebody who uses the page: taps or clicks, sees what is there, and notices what is wrong.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as pause } from "node:timers/promises";

/** Playwright adds the style `body {}` before a screenshot, and Firefox says that the policy of the page blocks it. This is its hash. */
const SCREENSHOT_STYLE = "sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA=";
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf-8");

export class Person {
    /** Opens the page in a browser of its own. */
    static async meets(browser, address, { width, height, touch, scheme, locale, serviceWorkers = "allow", hasScript = true }, shots) {
        const context = await browser.newContext({ viewport: { width, height }, hasTouch: touch, isMobile: touch, colorScheme: scheme, locale, serviceWorkers, bypassCSP: false });
        const page = await context.newPage();
        const person = new Person();
        Object.assign(person, { context, page, address, touch, isChromium: browser.isChromium, downloads: browser.downloads, width, height, scheme, locale, shots, faults: [] });
        page.on("console", (message) => {
            // The test itself keeps service workers away from one of its browsers.
            const isOurs = message.text().includes("registration blocked by Playwright");
            if (["error", "warning"].includes(message.type()) && !isOurs) person.faults.push(message.text());
        });
        page.on("pageerror", (error) => {
            if (!error.message.includes(SCREENSHOT_STYLE)) person.faults.push(error.message);
        });
        page.on("request", (request) => {
            if (!request.url().startsWith(address) && !request.url().startsWith("blob:") && !request.url().startsWith("data:")) person.faults.push(`a request to ${request.url()}`);
        });
        // Firefox says nothing of it on the console.
        page.on("response", (response) => {
            if (response.status() >= 400) person.faults.push(`${response.status()} for ${response.url()}`);
        });
        await page.goto(address);
        if (hasScript) await person.ready();
        return person;
    }

    async ready() {
        await this.page.waitForSelector("html[data-ready]", { timeout: 20_000 });
    }

    async tap(what) {
        const target = typeof what === "string" ? this.page.locator(what) : what;
        await (this.touch && this.isChromium ? target.tap({ timeout: 10_000 }) : target.click({ timeout: 10_000 }));
    }

    /** Taps or clicks twice at one place, as fast as it can. @param {[x: number, y: number]} at where, in shares of the width and height */
    async tapTwice(what, [across, down] = [0.5, 0.5]) {
        await this.page.locator(what).scrollIntoViewIfNeeded();
        const { x, y, width, height } = await this.page.locator(what).boundingBox();
        const place = [x + across * width, y + down * height];
        if (this.touch && this.isChromium) for (const _ of [1, 2]) await this.page.touchscreen.tap(...place);
        else await this.page.mouse.dblclick(...place);
        return place;
    }

    async tapAt(x, y) {
        if (this.touch && this.isChromium) await this.page.touchscreen.tap(x, y);
        else await this.page.mouse.click(x, y);
    }

    /** The file that a button saves. */
    async saves(button) {
        if (this.isChromium) {
            const [download] = await Promise.all([this.page.waitForEvent("download"), this.tap(button)]);
            return download.path();
        }
        // Playwright does not hear of files from Firefox that the page itself has made. They are found in their folder.
        for (const name of readdirSync(this.downloads)) rmSync(`${this.downloads}/${name}`);
        await this.tap(button);
        for (let waited = 0; waited < 100; waited += 1) {
            const [name, ...more] = readdirSync(this.downloads);
            if (name && more.length === 0 && !name.endsWith(".part")) return `${this.downloads}/${name}`;
            await pause(100);
        }
        throw new Error(`${button} saves no file`);
    }

    /** Drags a piece on the board to another square. */
    async drag(usi) {
        const [from, to] = await Promise.all([usi.slice(0, 2), usi.slice(2, 4)].map((square) => this.page.locator(`[data-square="${square}"]`).boundingBox()));
        const { mouse } = this.page;
        await mouse.move(from.x + from.width / 2, from.y + from.height / 2);
        await mouse.down();
        await mouse.move((from.x + to.x + to.width) / 2, (from.y + to.y + to.height) / 2, { steps: 4 });
        await mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
        await mouse.up();
        await this.answerPromotion(usi);
    }

    /** Moves a finger, or the mouse with its button down, to the side. @param {() => Promise<void>} midway looks before it is lifted */
    async swipe(x, y, distance, midway) {
        const way = Array.from({ length: 6 }, (_, step) => [x + (distance * (step + 1)) / 6, y]);
        if (this.touch && this.isChromium) {
            // The mouse never scrolls the page, a finger does.
            const session = await this.context.newCDPSession(this.page);
            const send = (type, touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
            await send("touchStart", [{ x, y }]);
            for (const [left, top] of way) await send("touchMove", [{ x: left, y: top }]);
            await midway();
            // A finger that is lifted in motion lets the page roll on, and the next tap would only stop it.
            await pause(200);
            await send("touchEnd", []);
            return session.detach();
        }
        const { mouse } = this.page;
        await mouse.move(x, y);
        await mouse.down();
        for (const [left, top] of way) await mouse.move(left, top);
        await midway();
        await mouse.up();
    }

    async answerPromotion(usi) {
        const ask = this.page.locator(".ask");
        if (await ask.count()) await this.tap(ask.locator(`[data-value="${usi}"]`));
    }

    /** Opens a game in the analysis, which is shown. */
    async paste(text) {
        const open = this.page.locator("details").filter({ has: this.page.locator("#paste") });
        if ((await open.getAttribute("open")) === null) await this.tap(open.locator("summary"));
        await this.page.fill("#paste", text);
        await this.tap("#read");
    }

    square(name) {
        return this.tap(`[data-square="${name}"]`);
    }

    /** Makes a move by taps; the question about promotion is answered. */
    async move(usi) {
        if (usi[1] === "*") {
            // The kind of an ordinary drop is in capitals for both sides.
            await this.tap(this.page.locator(`.stand [data-hand="${usi[0]}"]`).and(this.page.locator(`.stand.moving [data-hand]`)));
        } else {
            await this.square(usi.slice(0, 2));
        }
        const to = usi.slice(2, 4);
        await this.square(to);
        await this.answerPromotion(usi);
    }

    text(selector) {
        return this.page.locator(selector).first().innerText();
    }

    /** What all squares would be called in a position. The names of kinds are written out here once more. */
    labels(sfen) {
        const kinds = { P: "歩", L: "香車", N: "桂馬", S: "銀", G: "金", B: "角", R: "飛車", K: "玉", "+P": "と金", "+L": "成香", "+N": "成桂", "+S": "成銀", "+B": "馬", "+R": "竜" };
        const attacker = this.attacker;
        const all = [];
        sfen.split(" ")[0].split("/").forEach((row, y) => {
            let file = 9;
            for (const [, empty, piece] of row.matchAll(/(\d)|(\+?[A-Za-z])/g)) {
                const at = () => `${file--}${"abcdefghi"[y]}`;
                if (empty) for (let count = 0; count < Number(empty); count += 1) all.push(`${at()}空き`);
                else all.push(`${at()}${(piece === piece.toUpperCase()) === (attacker === "b") ? "攻方" : "玉方"} ${kinds[piece.toUpperCase()]}`);
            }
        });
        return all.sort().join();
    }

    label(square) {
        return this.page.locator(`[data-square="${square}"]`).getAttribute("aria-label");
    }

    async says(pattern) {
        await this.page.waitForFunction(([source]) => new RegExp(source).test(document.querySelector("#message")?.textContent ?? ""), [pattern.source], { timeout: 15_000 });
    }

    async status(pattern, timeout = 30_000) {
        await this.page.waitForFunction(([source]) => new RegExp(source).test(document.querySelector(".status")?.textContent ?? ""), [pattern.source], { timeout });
    }

    /** What is kept of the game on the device: moves and end. */
    kept(name) {
        return this.page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? "null"), name);
    }

    /** Waits until it is the person's turn, or the game is over. */
    async turn(name) {
        await this.page.waitForFunction(() => /あなた|Your move|手まで|after \d+ moves?/.test(document.querySelector(".status")?.textContent ?? ""), null, { timeout: 60_000 });
        return this.kept(name);
    }

    /** Nothing wrong so far: no errors on the console, no faults of accessibility, nothing too small to tap, no scrolling sideways. */
    async isWell(place) {
        assert.deepEqual(this.faults, [], place);
        await this.page.evaluate(axe);
        const { violations } = await this.page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
        assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary}`).join(" | ")}`), [], place);
        const small = await this.page.evaluate(() => [...document.querySelectorAll("button, select, summary, .button")].filter((one) => one.getAttribute("role") !== "gridcell").map((one) => ({ box: one.getBoundingClientRect(), text: one.outerHTML.slice(0, 80) })).filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44)).map(({ text }) => text));
        assert.deepEqual(small, [], `${place}: too small to tap`);
        await this.fits(place);
        // What is chosen, and what else may be chosen, is not cut off. The browser's arrow is some 20 px wide.
        const cut = await this.page.evaluate(() => [...document.querySelectorAll("select")].filter((one) => one.getBoundingClientRect().width > 0).flatMap((one) => {
            const style = getComputedStyle(one);
            const pen = Object.assign(document.createElement("canvas").getContext("2d"), { font: `${style.fontWeight} ${style.fontSize} ${style.fontFamily}` });
            const room = one.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight) - 20;
            return [...one.options].map(({ text }) => [text, pen.measureText(text).width]).filter(([, width]) => width > room).map(([text, width]) => `${text}: ${Math.round(width)} px in ${Math.round(room)}`);
        }));
        assert.deepEqual(cut, [], `${place}: cut off`);
        if (this.shots) await this.page.screenshot({ path: `${this.shots}/${place.replaceAll(" ", "-")}-${this.width}-${this.scheme}.png`, fullPage: this.touch });
    }

    /** Whether the page is as narrow as the screen. On a phone, the window grows with a page that is not. */
    async fits(place) {
        const { width } = this.page.viewportSize();
        const wide = await this.page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${place}: ${wide} px on a screen of ${width}`);
    }

    /** Waits until the page is kept on the device, ends its server, and loads the page again. */
    async offline(server) {
        await this.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
        await this.page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 20_000 });
        await server.end();
        await assert.rejects(fetch(this.address), "the server is gone");
        await this.page.goto(this.address);
        // Firefox complains of a service worker whose files nobody waits for any more.
        await this.ready();
        await this.page.reload();
        await this.ready();
    }

    async leave() {
        assert.deepEqual(this.faults, []);
        await this.context.close();
    }
}
