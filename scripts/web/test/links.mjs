// Links to the page: good and bad ones, and those that the browser does not take.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { BRANCHED } from "./analysis.mjs";
import { follow } from "./mishaps.mjs";

export const links = {
    "bad links are named": async (person) => {
        // A game that is open stays open.
        await follow(person, "#analyse=startpos");
        for (const [hash, more] of [["#analyse=%", ""], ["#analyse=startpos_moves_7g7e", "7g7e"], ["#puzzles=%", ""], ["#puzzles=a_b_c", ""], [`#puzzles=${"9/".repeat(10)}9_b_-_1`, ""]]) {
            await follow(person, hash);
            await person.says(/このリンクは|This link/);
            assert.ok((await person.text("#message")).includes(more), "what is wrong with it");
            if (hash.startsWith("#puzzles")) await person.status(/手詰です|Mate in/);
            else assert.equal(await person.page.locator("[data-square] .ink").count(), 40, "the game that was open");
            await person.isWell("a bad link");
        }
    },

    "links in another spelling": async (person) => {
        for (const [hash, sign] of [["#analyze=startpos_moves_7g7f", ".moves li:nth-child(2)"], ["#Analyse", "#live"], ["#ANALYZE", "#live"], ["#Puzzles", "#progress"], ["#Quantum=lessons", "#lesson"]]) {
            await follow(person, hash);
            await person.page.waitForSelector(sign, { timeout: 10_000 });
            assert.equal(await person.text("#message"), "", hash);
        }
        await follow(person, "#play");
    },

    "a link to the page is pasted": async (person) => {
        await follow(person, "#analyse=startpos");
        const status = () => person.text(".status");
        await person.paste(` ${person.address}#analyse=startpos_moves_7g7f_3c3d\n`);
        assert.match(await status(), /^2 /, "its position");
        await person.paste(`${person.address}#analyse=startpos_moves_7g7e`);
        await person.says(/(このリンクは|This link).*7g7e/);
        await person.paste("https://example.org/#analyse=%");
        await person.says(/^(このリンクは|This link)[^:]*$/);
        assert.match(await status(), /^2 /, "the game that was open");
        // A comment is no link.
        await person.paste(`手合割：平手\n1 ７六歩(77)\n*${person.address}#analyse=startpos_moves_7g7f_3c3d\n`);
        await person.tap("#last");
        assert.match(await status(), /^1 /);
        await person.paste("#analyse=startpos_moves_7g7f_3c3d");
        assert.match(await status(), /^2 /, "an address without the page");
        await person.paste(JSON.stringify({ header: {}, moves: [{}, { move: { from: { x: 2, y: 7 }, to: { x: 2, y: 6 }, piece: "FU" }, comments: [`${person.address}#analyse=startpos_moves_7g7f_3c3d`] }] }));
        await person.tap("#last");
        assert.match(await status(), /^1 /, "a game in JSON");
        await follow(person, "#play");
    },

    "the browser takes no more addresses": async (person) => {
        await follow(person, "#analyse=startpos");
        await person.paste(BRANCHED);
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
        // Somebody follows a link while the page waits to give an address.
        await person.page.evaluate(() => {
            const { replaceState } = history;
            history.replaceState = () => { history.replaceState = replaceState; throw new DOMException("too many", "SecurityError"); };
        });
        await person.tap("#next");
        await person.page.evaluate(() => { location.hash = "#play"; });
        await person.page.waitForSelector(".play");
        await pause(1500);
        assert.equal(await person.page.evaluate(() => location.hash), "#play");
    },

    "the browser refuses the address of another tab": async (person) => {
        await follow(person, "#analyse=startpos_moves_2g2f");
        await person.page.evaluate(() => {
            const { replaceState } = history;
            history.replaceState = () => { throw new DOMException("too many", "SecurityError"); };
            globalThis.allow = () => { history.replaceState = replaceState; };
        });
        const badLink = /このリンクは|This link/;
        for (const [tab, sign] of [["puzzles", "#progress"], ["quantum", "#part-problems"], ["analyse", "#live"], ["quantum", "#part-problems"], ["puzzles", "#progress"]]) {
            await person.tap(`#tab-${tab}`);
            await person.page.waitForSelector(sign);
            assert.doesNotMatch(await person.text("#message"), badLink, tab);
            for (const _ of [1, 2]) await person.tap("#language");
            await person.page.waitForSelector(sign);
            assert.doesNotMatch(await person.text("#message"), badLink, `${tab} in the other language`);
            if (tab === "analyse") assert.equal(await person.page.locator(".moves li").count(), 2, "the game that was open");
        }
        await person.page.evaluate(() => globalThis.allow());
        await person.page.waitForFunction(() => location.hash === "#puzzles");
        await follow(person, "#play");
    },

    "another link in the same tab": async (person) => {
        await follow(person, "#analyse=startpos_moves_7g7f_3c3d");
        for (const moves of ["2g2f", "7g7f_3c3d", "7g7f"]) {
            await person.page.evaluate((hash) => { location.hash = hash; }, `#analyse=startpos_moves_${moves}`);
            await person.page.waitForFunction((count) => document.querySelectorAll(".moves li").length === count, moves.split("_").length + 1, { timeout: 5_000 });
        }
        await follow(person, "#play");
    },
};
