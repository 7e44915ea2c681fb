// What goes wrong around the page: bad links, kept values of another form, searches that are interrupted, and games that would be lost.
import assert from "node:assert/strict";

/** Opens the page anew with a link. */
async function follow(person, hash) {
    await person.page.goto("about:blank");
    await person.page.goto(`${person.address}${hash}`);
    await person.ready();
}

export const mishaps = {
    "bad links are named": async (person) => {
        for (const [hash, more] of [["#analyse=%", ""], ["#analyse=startpos_moves_7g7e", "7g7e"], ["#puzzles=%", ""], ["#puzzles=a_b_c", ""], [`#puzzles=${"9/".repeat(10)}9_b_-_1`, ""]]) {
            await follow(person, hash);
            await person.says(/このリンクは|This link/);
            assert.ok((await person.text("#message")).includes(more), "what is wrong with it");
            if (hash.startsWith("#puzzles")) await person.status(/手詰です|Mate in/);
            else assert.equal(await person.page.locator("[data-square] .ink").count(), 40, "the first position");
            await person.isWell("a bad link");
        }
    },
};
