// The judgments on a game: what the page says is what `tsumero analyze` says.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { newFolder } from "./folders.mjs";

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
};
