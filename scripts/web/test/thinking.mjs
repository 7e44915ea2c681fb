// What the engine thinks of a position as long as nobody stops it.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { follow } from "./mishaps.mjs";

export const thinking = {
    "thinking waits where nothing is left to search": async (person) => {
        for (const [link, words, goOn] of [
            // Black may declare: there is nothing to search.
            ["sfen_1KG6/PPPPPPPPP/+R+B7/9/9/9/9/9/8k_b_RB3G3S4N4L9P_1", /先手の宣言勝ち|Black wins by declaration/, () => person.move("G*5e")],
            // One evasion, and mate behind it: at every depth the search is done at once.
            ["sfen_l8/9/2Bg+R2pl/kSGp4p/ppP1s1+N2/8P/PP3GPP1/L7L/1G4+rNK_b_3Pb2s2n4p_1_moves_8d8c", /深さ126|Depth 126/, () => person.tap("#previous")],
        ]) {
            await follow(person, `#analyse=${link}`);
            await person.page.evaluate(() => {
                const { terminate } = Worker.prototype;
                globalThis.ended = 0;
                Worker.prototype.terminate = function () { globalThis.ended += 1; terminate.call(this); };
            });
            const isLive = async (when) => assert.equal(await person.page.getAttribute("#live", "aria-pressed"), "true", `${link}: ${when}`);
            await person.tap("#live");
            await pause(2000);
            await isLive("it waits");
            assert.match(await person.text(".lines .note"), words);
            // Nobody has to begin anew for the next position, and what the engine has learned stays.
            await goOn();
            await person.page.waitForSelector(".pv li", { timeout: 10_000 });
            await isLive("the next position");
            if (await person.page.evaluate(() => crossOriginIsolated)) assert.equal(await person.page.evaluate(() => globalThis.ended), 0);
            await person.tap("#live");
            await person.isWell("thinking that waits");
        }
        await follow(person, "#play");
    },
};
