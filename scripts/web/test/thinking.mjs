// What the engine thinks of a position as long as nobody stops it.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { follow } from "./mishaps.mjs";

/** A worker with a clock that jumps at each look at it, so that the host is asked every time. */
const JUMPING = `
    import { begin, hear, initSync } from "./engine.js";
    let [time, looks, last, begun] = [0, 0, Infinity, Infinity];
    const said = [];
    const now = () => {
        if (performance.now() > begun + 20_000) throw new Error("search " + last + " does not hear its stop");
        return (time += 20);
    };
    globalThis.tsumeroHost = { say: (line) => said.push(line), now, stops: () => { looks += 1; return looks >= last ? 1 : 0; }, pause: () => {} };
    addEventListener("message", ({ data }) => {
        initSync({ module: data });
        begin();
        for (const line of ["usi", "isready", "position startpos"]) hear(line, 0);
        // Each search is stopped one look later than the one before. Later ones would take minutes.
        for (last = 1; last <= 20; last += 1) {
            [looks, begun] = [0, performance.now()];
            hear("go infinite", 0);
        }
        postMessage(said);
    });`;

/** A stop may come at any look at the clock, also while a report is passed on. The person has no service worker, which would keep the worker away. */
export async function atAnyLook(person) {
    await person.page.route("**/jumping-worker.js", (route) => route.fulfill({ contentType: "text/javascript", body: JUMPING }));
    const said = await person.page.evaluate(async () => {
        const { load } = await import("./rules.js");
        const module = await load();
        return new Promise((resolve, reject) => {
            const worker = new Worker("jumping-worker.js", { type: "module" });
            worker.addEventListener("message", ({ data }) => { worker.terminate(); resolve(data); });
            worker.addEventListener("error", ({ message }) => reject(new Error(message)));
            worker.postMessage(module);
        });
    });
    assert.equal(said.filter((line) => line.startsWith("bestmove ")).length, 20);
}

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

    "a position that the engine refuses is told": async (person) => {
        await follow(person, "#analyse");
        await person.paste("4k4/9/9/4P4/9/4P4/9/9/4K4 b - 1");
        for (const button of ["#live", "#mate"]) {
            await person.page.evaluate(() => { document.querySelector("#message").textContent = ""; });
            await person.tap(button);
            await person.says(/(答えませんでした|did not answer).*two pawns/);
            assert.equal(await person.page.getAttribute("#live", "aria-pressed"), "false");
        }
        assert.match(await person.text(".mate"), /two pawns/);
        await person.isWell("a position that is refused");
        await follow(person, "#play");
    },

    "an engine that fails in a search for a mate has not searched to the end": async (person) => {
        await follow(person, "#analyse");
        const answer = await person.page.evaluate(async () => {
            const { EngineClient } = await import("./engine-client.js");
            const { load } = await import("./rules.js");
            const engine = new EngineClient(await load());
            const asked = engine.ask("sfen l3+P2B+p/k2+rpg+P2/3+p+rPS1n/PP1s4p/3l+p+B1pP/L2n4g/+p4p+N2/5S1s+P/+PL+P+pg+N1G1 b - 1", "go mate 20000");
            await engine.ready;
            engine.worker.dispatchEvent(new ErrorEvent("error"));
            return asked;
        });
        assert.equal(answer, "bestmove none");
        await follow(person, "#play");
    },
};
