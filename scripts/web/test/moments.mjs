// What a person does while something else happens, and what the browser refuses meanwhile.
import assert from "node:assert/strict";
import { follow, paste } from "./mishaps.mjs";

/** A game with a branch. */
const BRANCHED = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n\n変化：2手\n2 ８四歩(83)\n";

export const moments = {
    "the browser takes no more addresses": async (person) => {
        await follow(person, "#analyse=startpos");
        await paste(person, BRANCHED);
        await person.tap("#next");
        if (person.isChromium) await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
        await person.page.evaluate(() => {
            const { replaceState } = history;
            history.replaceState = () => { throw new DOMException("too many", "SecurityError"); };
            globalThis.allow = () => { history.replaceState = replaceState; };
        });
        await person.tap("#next");
        assert.match(await person.text(".status"), /^2 /, "the next step is shown");
        await person.tap("#copy-link");
        await person.says(/コピーしました|Copied/);
        assert.match(await person.page.evaluate(() => navigator.clipboard.readText()), /#analyse=startpos_moves_7g7f_3c3d$/);
        // The address still names the step before, which is no other game.
        for (const _ of [1, 2]) await person.tap("#language");
        await person.tap("#previous");
        assert.equal(await person.page.locator(".branches button").count(), 2, "the branch");
        await person.page.evaluate(() => globalThis.allow());
        await person.page.waitForFunction(() => location.hash === "#analyse=startpos_moves_7g7f");
    },

    "long words of a file": async (person) => {
        await follow(person, "#analyse=startpos");
        const address = `https://example.org/${"x".repeat(150)}`;
        await paste(person, `先手：${"W".repeat(80)}\n後手：${"あ".repeat(60)}\n手合割：平手\n1 ７六歩(77)\n*${address}\n`);
        await person.tap("#next");
        assert.equal(await person.text(".comments"), address);
        await person.isWell("long words");
        await person.page.selectOption("#budget", "10000");
        await person.tap("#whole");
        await person.page.waitForSelector(".judgments .totals", { timeout: 60_000 });
        await person.fits("long words in judgments");
    },
};
