// What the browser keeps of the site: a page of an old version that is open gets no files of the new one, and what else lies on the server
// stays as it is.
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** A file that an open page asks for later. */
const FILE = "engine-worker.js";

const isKept = (page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 20_000 });

/** Puts a new version of the site into its folder, and waits until the browser has it. @param {import("./person.mjs").Person} person @param {string} folder */
async function install({ page }, folder) {
    appendFileSync(`${folder}/${FILE}`, "// new\n");
    const worker = `${folder}/service-worker.js`;
    writeFileSync(worker, readFileSync(worker, "utf-8").replace(/const VERSION = "/, "$&new-"));
    await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        await registration.update();
        const { installing } = registration;
        while (installing && !["installed", "activated"].includes(installing.state)) await new Promise((resolve) => { setTimeout(resolve, 50); });
    });
}

/** @param {import("./person.mjs").Person} person with a page of the site @param {string} folder of the site */
export async function newVersion(person, folder) {
    const isNew = (page) => page.evaluate(async (name) => (await (await fetch(name)).text()).includes("// new"), FILE);
    await isKept(person.page);
    await install(person, folder);
    // It would be in charge soon if it did not wait.
    await pause(1000);
    assert.equal(await isNew(person.page), false, "the open page has the old files");
    // The next page that is opened alone has the new ones. Firefox keeps a page that is only left, and with it the old files.
    await person.page.close();
    for (let tries = 0; ; tries += 1) {
        const page = await person.context.newPage();
        await page.goto(person.address);
        await page.waitForSelector("html[data-ready]", { timeout: 20_000 });
        if (await isNew(page)) break;
        assert.ok(tries < 5, "the new version is used when the old page is closed");
        await page.close();
        await pause(1000);
    }
}

/**
 * A new version of one site takes the files of its old one from the device, and those of no other.
 * @param {import("./person.mjs").Person} person with a page of the site
 * @param {string} folder of the site
 * @param {string} other the address of another site on the same server, of the same version
 */
export async function twoSites(person, folder, other) {
    await isKept(person.page);
    const page = await person.context.newPage();
    await page.goto(other);
    await isKept(page);
    await install(person, folder);
    await person.page.close();
    /** What is kept of a file, whichever version it is of. */
    const kept = (name) => page.evaluate(async (url) => (await caches.match(url))?.text(), name);
    // The old version goes when the new one is in charge.
    for (let tries = 0; !(await kept(`${person.address}${FILE}`)).includes("// new"); tries += 1) {
        assert.ok(tries < 50, "the new version is in charge");
        await pause(200);
    }
    assert.ok(await kept(`${other}${FILE}`), "the other site is still on the device");
    assert.equal(await page.evaluate(async () => (await caches.keys()).length), 2, "and nothing else");
}

/**
 * A page in a folder of the site that is not of it, such as a blog, shows pictures of other servers.
 * @param {import("./person.mjs").Person} person with a page of the site, from a server that sends no special headers
 * @param {string} folder of the site
 * @param {string} other the address of another server
 */
export async function pageBeside(person, folder, other) {
    mkdirSync(`${folder}/blog`);
    writeFileSync(`${folder}/blog/index.html`, `<!doctype html><title>Blog</title><img src="${other}icon.svg">`);
    await isKept(person.page);
    const page = await person.context.newPage();
    await page.goto(`${person.address}blog/index.html`);
    const width = await page.locator("img").evaluate((image) => image.decode().then(() => image.naturalWidth, () => 0));
    assert.ok(width > 0, "the picture is shown");
    await page.goto(`${person.address}?from=blog`);
    await page.waitForSelector("html[data-ready]", { timeout: 20_000 });
    assert.ok(await page.evaluate(() => crossOriginIsolated), "the page of the site still shares memory");
}
