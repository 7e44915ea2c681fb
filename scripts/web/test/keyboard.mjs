// Where the keyboard is after each action: on what was pressed or on its result, never nowhere, and never on something else.
import assert from "node:assert/strict";
import { newGame } from "./games.mjs";
import { follow } from "./mishaps.mjs";

/** What has the focus: a square, an element with a name, or the kind of one without. */
const focused = (person) => person.page.evaluate(() => document.activeElement.dataset.square ?? (document.activeElement.id || document.activeElement.tagName));

/** Presses a button by the keyboard. */
async function press(person, button) {
    await person.page.focus(button);
    await person.page.keyboard.press("Enter");
}

export const keyboard = {
    "keyboard: a button that switches itself off does nothing else": async (person) => {
        await follow(person, "#analyse=startpos_moves_7g7f_3c3d");
        await person.tap("#previous");
        await press(person, "#next");
        assert.match(await person.text(".status"), /^2 /);
        assert.equal(await focused(person), "next");
        for (const key of ["Enter", "Space"]) await person.page.keyboard.press(key);
        assert.match(await person.text(".status"), /^2 /, "the next key goes nowhere else");
        await person.isWell("a button that has switched itself off");
        // Another window takes the keyboard, and gives it back.
        await person.page.evaluate(() => new Promise((shown) => {
            document.activeElement.dispatchEvent(new FocusEvent("blur"));
            requestAnimationFrame(() => requestAnimationFrame(shown));
        }));
        assert.equal(await focused(person), "next", "the window was left");
        await person.page.keyboard.press("Shift+Tab");
        assert.equal(await focused(person), "previous");
        assert.equal(await person.page.locator("#next").getAttribute("disabled"), "", "the Tab key passes over it");
        await person.page.keyboard.press("Enter");
        await press(person, "#next");
        assert.match(await person.text(".status"), /^2 /, "it is switched on again");
        // In a game.
        await follow(person, "#play");
        await newGame(person, { side: "both" });
        await person.move("7g7f");
        await press(person, "#undo");
        assert.equal(await focused(person), "undo");
        await person.page.evaluate(async () => {
            const { EngineClient } = await import("./engine-client.js");
            const { ask } = EngineClient.prototype;
            globalThis.questions = 0;
            EngineClient.prototype.ask = function (...question) {
                globalThis.questions += 1;
                return ask.apply(this, question);
            };
        });
        const questions = () => person.page.evaluate(() => globalThis.questions);
        await person.page.keyboard.press("Enter");
        assert.deepEqual((await person.kept("shogi-game")).moves, []);
        assert.equal(await questions(), 0, "no hint");
        await person.tap("#hint");
        assert.equal(await questions(), 1, "a hint");
        await press(person, "#resign");
        await person.page.waitForFunction(() => document.activeElement?.closest(".confirm"));
        for (const key of ["Tab", "Enter"]) await person.page.keyboard.press(key);
        assert.equal(await focused(person), "resign", "who does not resign");
        await person.page.evaluate(() => localStorage.removeItem("shogi-game"));
        // In the editor.
        await follow(person, "#puzzles");
        await person.tap("#compose");
        await person.tap("#more-P");
        for (const _ of [1, 2]) await press(person, "#less-P");
        assert.equal(await focused(person), "less-P");
        await person.tap("#undo");
        for (const _ of [1, 2]) await press(person, "#undo");
        assert.equal(await focused(person), "undo");
        assert.deepEqual(await person.page.locator("output").allInnerTexts(), Array(7).fill("0"));
        await person.tap("#close-editor");
        await follow(person, "#play");
    },

    "keyboard: a key that is held answers no question": async (person) => {
        const { keyboard } = person.page;
        await follow(person, "#play");
        await newGame(person, { side: "both" });
        for (const move of ["7g7f", "3c3d"]) await person.move(move);
        await person.square("8h");
        await person.page.focus('[data-square="2b"]');
        for (const _ of [1, 2, 3]) await keyboard.down("Enter");
        assert.equal(await person.page.locator(".ask").count(), 1);
        await keyboard.up("Enter");
        await keyboard.press("Enter");
        assert.equal((await person.kept("shogi-game")).moves.at(-1), "8h2b+", "a key that is pressed once more");
        await person.page.focus("#resign");
        await keyboard.down("Enter");
        await person.page.waitForFunction(() => document.activeElement?.closest(".confirm"));
        for (const _ of [1, 2]) await keyboard.down("Enter");
        assert.equal((await person.kept("shogi-game")).end, null);
        await keyboard.up("Enter");
        await keyboard.press("Enter");
        assert.equal((await person.kept("shogi-game")).end.why, "resignation", "a key that is pressed once more");
        await person.page.evaluate(() => localStorage.removeItem("shogi-game"));
        await follow(person, "#play");
    },

    "keyboard: it is never lost": async (person) => {
        for (const [tab, name] of [["play", "shogi-game"], ["quantum", "quantum-game"]]) {
            await follow(person, `#${tab}`);
            await newGame(person, { side: "both" });
            await person.tap(person.page.locator("details").filter({ has: person.page.locator("#start") }).locator("summary"));
            await press(person, "#start");
            assert.match(await focused(person), /^\d[a-i]$/, `${tab}: the board`);
            await person.page.evaluate((key) => localStorage.removeItem(key), name);
        }
        await follow(person, "#puzzles");
        await person.status(/手詰です|Mate in/);
        for (const [button, place] of [["#next-problem", "next-problem"], ["#daily", "daily"], ["#endless", "endless"], ["#compose", "view"], ["#close-editor", "view"], ["#edit-this", "view"], ["#close-editor", "view"]]) {
            await person.page.waitForSelector(button);
            await press(person, button);
            assert.equal(await focused(person), place, button);
            if (button !== "#compose" && button !== "#edit-this") await person.status(/手詰です|Mate in/);
        }
        await person.page.evaluate(() => localStorage.removeItem("problem-progress"));
        await follow(person, "#play");
    },
};
