// The pages of one file that the program writes: reports on games and mate problems, opened from the disk.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { newFolder } from "./folders.mjs";
import { Person } from "./person.mjs";

/** What the rules of the engine say about positions; the other page with the engine inside is asked. */
const asksRules = (rulesPage) => (texts) => rulesPage.evaluate(async (positions) => {
    const { look } = await import("./rules.js");
    return positions.map(look);
}, texts);

const run = (program, args) => execFileSync(program, args, { encoding: "utf-8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });

async function copied(person, button) {
    await person.tap(button);
    return person.page.evaluate(() => navigator.clipboard.readText());
}

/** The focus has gone nowhere. */
async function keepsFocus(person, what) {
    assert.notEqual(await person.page.evaluate(() => document.activeElement?.tagName), "BODY", `the focus after ${what}`);
}

/** Parts of the page are wholly in sight in a window of this size, and nothing has to be scrolled for them. */
async function inSight(page, [width, height], parts) {
    await page.setViewportSize({ width, height });
    for (const part of parts) {
        const box = await page.locator(part).first().boundingBox();
        assert.ok(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${part} is in sight at ${width} x ${height}: ${JSON.stringify(box)}`);
    }
    // A name may be long, a side is not.
    const cut = await page.evaluate(() => [...document.querySelectorAll(".stand .name")].filter((one) => /^[☗☖] (先手|後手|Black|White)$/.test(one.textContent.trim()) && (one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)).map((one) => `${one.textContent}: ${one.scrollWidth} px in ${one.clientWidth}`));
    assert.deepEqual(cut, [], `${width} x ${height}: the sides`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth), `${width} x ${height} needs no scrolling`);
}

async function report(person, positions, look) {
    const { page } = person;
    const shown = () => page.evaluate(() => Number(new URLSearchParams(location.hash.slice(1)).get("ply")));
    assert.equal(await page.locator(".graph .point").count(), positions.length);
    const tab = (name) => person.tap(`#tab-${name}`);
    if (person.touch) {
        // Board, graph, buttons and a line are in sight together: on small phones, held sideways, and in the language with longer words.
        const parts = [".grid", ".graph", "#first", "#flip", ".walks li"];
        for (const size of [[360, 640], [844, 390], [person.width, person.height]]) {
            await inSight(page, size, parts);
            await person.tap("#language");
            assert.equal(await page.getAttribute(".grid", "aria-label"), "Shogi board");
            await inSight(page, size, parts);
            await person.isWell(`report ${size.join(" x ")}`);
            await person.tap("#language");
        }
    }
    // By button, keys, wheel and a tap on the board; and the board is that of the analysis.
    await person.tap("#next");
    await keepsFocus(person, "a step");
    await person.tap("#next");
    assert.equal(await shown(), 2);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowUp");
    assert.equal(await shown(), 3, "the arrow keys step");
    // F turns the board, also under the focus.
    await page.locator('[data-square="5i"]').focus();
    for (const key of ["f", "F"]) {
        await page.keyboard.press(key);
        assert.equal(await page.locator(".table.flipped").count(), key === "f" ? 1 : 0, `the key ${key}`);
        assert.equal(await page.evaluate(() => document.activeElement?.dataset.square), "5i");
    }
    const grid = await page.locator(".grid").boundingBox();
    await page.mouse.move(grid.x + 20, grid.y + 20);
    await page.mouse.wheel(0, 100);
    await page.waitForFunction(() => location.hash.includes("ply=4"));
    await person.tapAt(grid.x + grid.width * 0.8, grid.y + grid.height / 2);
    assert.equal(await shown(), 5, "a tap on the right half steps forward");
    // A swipe that begins on a piece lifts none.
    const piece = await page.locator('[data-square="5g"], [data-square="5i"], [data-square="5c"]').filter({ has: page.locator(".piece") }).first().boundingBox();
    await person.swipe(piece.x + piece.width / 2, piece.y + piece.height / 2, 60, async () => {
        assert.equal(await page.locator(".dragged").count(), 0);
        assert.equal(await page.locator(".movable").count(), 0);
    });
    assert.equal(await shown(), 4, "a swipe to the right steps back");
    await person.tap("#next");
    await page.mouse.click(grid.x + grid.width * 0.8, grid.y + grid.height / 2, { button: "right" });
    assert.equal(await shown(), 5, "the other button of the mouse has a menu of its own");
    await tab("summary");
    for (const ply of [5, 6]) {
        assert.equal(await copied(person, "#copy-sfen"), positions[ply].sfen);
        await page.keyboard.press("ArrowRight");
    }
    assert.match(await copied(person, "#copy-link"), /ply=7/);
    // While a key is held down, browsers take no more addresses: Safari says so, Chromium does not.
    for (const refuse of [() => { throw new DOMException("too many", "SecurityError"); }, () => {}]) {
        await page.evaluate(`{ const { replaceState } = history; history.replaceState = ${refuse}; globalThis.allow = () => { history.replaceState = replaceState; }; }`);
        await page.keyboard.press("ArrowRight");
        assert.match(await copied(person, "#copy-link"), /ply=8/, "the link leads to what is shown");
        await page.evaluate(() => globalThis.allow());
        await page.waitForFunction(() => location.hash.includes("ply=8"));
        await page.keyboard.press("ArrowLeft");
    }
    const kif = await copied(person, "#copy-kif");
    await person.isWell("report summary");
    await tab("moves");
    await person.tap(page.locator(".moves button").nth(9));
    assert.equal(await shown(), 9);
    await keepsFocus(person, "a move of the list");
    await person.isWell("report moves");
    // The next mistake is one, and its better line is stepped through.
    const plies = positions.filter(({ note }) => ["dubious", "mistake", "blunder", "missed_mate"].includes(note)).map(({ ply }) => ply + 1);
    await page.keyboard.press("Home");
    await page.keyboard.press("n");
    const turned = await shown();
    await page.keyboard.press("Home");
    await page.keyboard.press("N");
    assert.equal(await shown(), turned, "with Shift or Caps Lock");
    assert.ok(turned <= (plies[0] ?? 0) && (plies.length === 0 || turned > 0), `the first mistake is at ${plies[0]}, not ${turned}`);
    const mistake = positions.find(({ ply, note, pv, move }) => plies.includes(ply + 1) && note !== "missed_mate" && pv.length > 2 && pv[0] !== move);
    if (mistake) {
        await page.evaluate((ply) => { location.hash = `ply=${ply}&lang=ja`; }, mistake.ply + 1);
        await page.waitForSelector(".compared");
        if (person.touch) {
            await tab("explained");
            await inSight(page, [person.width, person.height], [".grid", ".graph", ".compared li"]);
        }
        // The move that is shown is marked in its line, also in the one that was played.
        const played = (await page.locator(".compared li").count()) - 1;
        await person.tap(`#why-${played}-0`);
        assert.equal(await page.getAttribute(`#why-${played}-0`, "aria-current"), "step");
        await person.tap("#why-0-2");
        await keepsFocus(person, "a move of a line");
        const [expected] = await look([`sfen ${mistake.sfen} moves ${mistake.pv.slice(0, 3).join(" ")}`]);
        const [bar, value] = await page.evaluate(() => [document.querySelector(".ahead")?.getAttribute("aria-label"), document.querySelector(".branch-point") !== null]);
        assert.ok(value && bar, "value and graph follow into the line");
        await tab("summary");
        assert.equal(await copied(person, "#copy-sfen"), expected.sfen);
        await tab(person.touch ? "explained" : "mistakes");
        await person.isWell("report line");
        await page.keyboard.press("Escape");
        assert.equal(await shown(), mistake.ply, "the line leaves the game before the mistake");
    }
    return { kif, isWalked: mistake !== undefined };
}

async function drill(person, positions) {
    const { page } = person;
    const serious = positions.filter(({ note, turns }) => ["dubious", "mistake", "blunder", "missed_mate"].includes(note) || turns);
    const side = serious.some(({ sfen }) => sfen.split(" ")[1] === "b") ? "b" : "w";
    await page.evaluate(() => { location.hash = "ply=0&lang=ja"; });
    await person.tap("#tab-mistakes");
    await person.isWell("report mistakes");
    // Another address ends the drill, and Back returns to the place before.
    await person.tap(`#drill-${side}`);
    await page.evaluate(() => { location.hash = "ply=1&lang=ja"; });
    await page.waitForSelector("#drill-end", { state: "detached" });
    await person.status(/^1 \//);
    await page.goBack();
    await person.status(/^0 \//);
    await person.tap("#tab-mistakes");
    await person.tap(`#drill-${side}`);
    let solved = 0;
    for (let asked = 0; asked < 4 && (await page.locator("#drill-next").count()) > 0; asked += 1) {
        const ply = Number(/^\d+/.exec(await person.text(".status"))[0]) - 1;
        const here = positions[ply];
        assert.equal(here.sfen.split(" ")[1], side);
        if (here.move !== here.pv[0]) {
            await person.move(here.move);
            await person.status(/実戦の手|劣ります/);
        }
        if (asked === 0) {
            await person.tap("#drill-hint");
            await person.isWell("report drill");
        }
        await person.move(here.missed_mate?.[0] ?? here.pv[0]);
        await person.status(/正解/);
        // No button is there that does nothing.
        for (const name of ["first", "previous", "next", "last"]) assert.ok(await page.locator(`#${name}`).isDisabled(), `${name} in a drill`);
        // What is explained is the mistake: its lines leave the game here, and Back and Escape lead here.
        const explains = async () => assert.match(await page.locator(".explained .said").textContent(), new RegExp(`^${ply + 1} `));
        await explains();
        for (const leave of [() => person.tap("#previous"), () => page.keyboard.press("Escape")]) {
            await person.tap("#why-0-0");
            assert.match(await person.label(here.pv[0].slice(2, 4)), side === "b" ? /先手|下手/ : /後手|上手/, "the first move of the better line");
            assert.ok(await page.locator("#previous").isEnabled(), "out of the line");
            for (const name of ["first", "last"]) assert.ok(await page.locator(`#${name}`).isDisabled(), `${name} in a line of a drill`);
            await leave();
            await person.status(/正解/);
            await explains();
        }
        solved += 1;
        await person.tap("#drill-next");
    }
    assert.ok(solved > 0);
    if (await page.locator("#drill-end").count()) await person.tap("#drill-end");
    return solved;
}

/** All mates and one refuted check in a position, as the native program finds them. */
function truth(program, folder, sfen, moves, answers) {
    const rows = answers.map(([check, reply]) => `sfen ${sfen} moves ${[...moves, check, reply].join(" ")}`);
    if (rows.length === 0) return [];
    const file = `${folder}/asked.txt`;
    writeFileSync(file, `${rows.join("\n")}\n`);
    return spawnSync(program, ["mate", "--file", file, "--nodes", "200000"], { encoding: "utf-8" }).stdout.trim().split("\n");
}

async function solve(person, program, folder, problem, look, pick, told) {
    const { page } = person;
    const { sfen } = problem;
    /** @type {string[]} */
    let moves = [];
    let isFirst = true;
    person.attacker = sfen.split(" ")[1];
    while (moves.length < 40) {
        const behind = (more) => `sfen ${sfen} moves ${[...moves, ...more].join(" ")}`;
        const [here] = await look([moves.length > 0 ? behind([]) : `sfen ${sfen}`]);
        const next = await look(here.moves.map((move) => behind([move])));
        const attacks = here.moves.flatMap((move, at) => (next[at].in_check ? [[move, next[at].moves]] : []));
        const quiet = here.moves.find((_, at) => !next[at].in_check);
        const pairs = attacks.flatMap(([move, replies]) => replies.map((reply) => [move, reply]));
        const found = truth(program, folder, sfen, moves, pairs);
        const of = (move) => pairs.flatMap(([one], at) => (one === move ? [found[at]] : []));
        const right = attacks.map(([move]) => move).filter((move) => of(move).every((line) => line.startsWith("mate")));
        const wrong = attacks.map(([move]) => move).filter((move) => of(move).some((line) => line === "nomate"));
        assert.ok(right.length > 0, `${sfen} ${moves}`);
        // Only what stands on the shown part of the board can be tapped.
        const visible = new Set(await page.locator("[role=row]:not([hidden]) [data-square]").evaluateAll((cells) => cells.map((cell) => cell.dataset.square)));
        const canBeTapped = (move) => visible.has(move.slice(2, 4));
        if (isFirst && quiet && canBeTapped(quiet)) {
            await person.move(quiet);
            await person.status(/王手ではありません/);
            told.quiet += 1;
        }
        const bad = wrong.find(canBeTapped);
        if (isFirst && bad) {
            await person.move(bad);
            await person.status(/詰みません/);
            told.wrong += 1;
        }
        isFirst = false;
        const shown = right.filter(canBeTapped);
        const chosen = shown[pick(shown.length)];
        if (person.touch || chosen[1] === "*") await person.move(chosen);
        else await person.drag(chosen);
        const before = moves;
        await page.waitForFunction(() => /と応じました|詰みました|正解です/.test(document.querySelector(".status")?.textContent ?? ""));
        if (/詰みました|正解です/.test(await person.text(".status"))) {
            if (/詰みました/.test(await person.text(".status"))) assert.equal((await look([behind([chosen])]))[0].end?.why, "checkmate");
            else told.proven += 1;
            return;
        }
        // The reply is read from the board: it is the legal one that leads there.
        const board = await page.locator("[data-square]").evaluateAll((cells) => cells.map((cell) => `${cell.dataset.square}${cell.getAttribute("aria-label").replace(/^\S+ /, "")}`).sort().join());
        const [mated] = await look([behind([chosen])]);
        const after = await look(mated.moves.map((reply) => behind([chosen, reply])));
        const at = after.findIndex(({ sfen: one }) => person.labels(one) === board);
        if (at >= 0) moves = [...before, chosen, mated.moves[at]];
        assert.equal(moves.length, before.length + 2, "the reply is legal");
        // It lasts as long as any other.
        const lengths = truth(program, folder, sfen, [...before], mated.moves.map((reply) => [chosen, reply])).map((line) => Number(line.split(" ")[1]));
        const mine = lengths[mated.moves.indexOf(moves.at(-1))];
        assert.equal(mine, Math.max(...lengths), `${sfen} ${moves}: the best reply`);
    }
    assert.fail("no end");
}

const SIZES = [{ width: 390, height: 844, touch: true, scheme: "light", locale: "ja-JP" }, { width: 1280, height: 800, touch: false, scheme: "dark", locale: "ja-JP" }, { width: 1920, height: 1080, touch: false, scheme: "light", locale: "ja-JP" }];

/** Reports on two games, one of them with a handicap. */
export async function reports(browser, root, program, rulesPage, shots, say) {
    const folder = newFolder("pages");
    const look = asksRules(rulesPage);
    const data = `${root}/crates/record/tests/data/real`;
    const names = ["piyo-kyo", "plain"];
    run(program, ["analyze", `${data}/piyo-kyo.kif`, `${data}/plain.ki2`, "--nodes", "3000", "--multipv", "3", "--out", folder, "--html", "--json", "--lang", "ja"]);
    for (const size of SIZES) {
        let walked = 0;
        for (const name of names) {
            const positions = readFileSync(`${folder}/${name}.json`, "utf-8").trim().split("\n").map((line) => JSON.parse(line)).filter(({ game }) => game === 1);
            const person = await Person.meets(browser, pathToFileURL(`${folder}/${name}.html`).href, size, shots && `${shots}/${name}`);
            if (person.isChromium) await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
            const { kif, isWalked } = await report(person, positions, look);
            walked += Number(isWalked);
            writeFileSync(`${folder}/copied.kif`, kif);
            const [read] = run(program, ["record", `${folder}/copied.kif`]).trim().split("\n").map((line) => JSON.parse(line));
            assert.deepEqual(read.moves, positions.flatMap(({ move }) => move ?? []));
            const isHandicap = name === "piyo-kyo";
            // Without players it is called by its file.
            assert.match(await person.page.title(), isHandicap ? /^☗.*ひよな.* – ☖.*ピヨ.* – Tsumero$/ : /^plain\.ki2 – Tsumero$/);
            if (isHandicap) assert.match(await person.label("5i"), /^５九 (下手|空き)/);
            const solved = await drill(person, positions);
            if (person.isChromium) {
                await person.page.emulateMedia({ media: "print" });
                assert.equal(await person.page.locator(".printed").isVisible(), true);
                // As printing does, whichever panel was opened last.
                for (const tab of ["summary", "mistakes"]) {
                    await person.page.evaluate((name) => {
                        document.querySelector(`#tab-${name}`).click();
                        dispatchEvent(new Event("beforeprint"));
                    }, tab);
                    assert.equal(await person.page.locator(".totals:visible").count(), 1, `${tab}: the totals are printed once`);
                }
                if (shots) await person.page.screenshot({ path: `${shots}/${name}-print-${size.width}.png`, fullPage: true });
            }
            await person.leave();
            say(`${size.width} px: the report on ${name}: steps, lines, mistakes, ${solved} of them solved again`);
        }
        assert.ok(walked > 0, "a better line was stepped through");
    }
    await special(browser, root, program, folder);
    say("the reports on a declaration and on several games, and the list of a folder");
}

/** What single games have that others have not: a win by declaration from a diagram, and a choice of games. */
async function special(browser, root, program, folder) {
    const data = `${root}/crates/record/tests/data/real`;
    run(program, ["analyze", `${data}/shogihome-declaration.kifu`, `${data}/three-games.sfen`, "--nodes", "300", "--out", folder, "--html", "--lang", "ja"]);
    const declared = await Person.meets(browser, pathToFileURL(`${folder}/shogihome-declaration.html`).href, SIZES[0]);
    assert.equal(await declared.text(".value strong"), "後手の宣言勝ち", "no mate, and no handicap");
    await declared.leave();
    const several = await Person.meets(browser, pathToFileURL(`${folder}/three-games.html`).href, SIZES[0]);
    const choice = await several.page.locator("#game").boundingBox();
    assert.ok(choice.x < 20 && choice.width > several.width / 2, `the choice of games has the header: ${JSON.stringify(choice)}`);
    await several.page.selectOption("#game", "1");
    await several.isWell("report several");
    // The choice follows the address, also back; so does the language, and an address that names one names the one that holds.
    const choiceIs = (wanted) => several.page.waitForFunction((value) => document.querySelector("#game").value === value, wanted);
    await several.page.evaluate(() => { location.hash = "game=3&ply=1&lang=en"; });
    await choiceIs("2");
    assert.equal(await several.page.evaluate(() => document.documentElement.lang), "en");
    await several.tap("#language");
    assert.match(await several.page.evaluate(() => location.hash), /lang=ja/);
    await several.page.goBack();
    await choiceIs("1");
    await several.leave();
    // A game has its number in the file, also behind one that cannot be read.
    writeFileSync(`${folder}/gap.usi`, "startpos moves 7g7f\nstartpos moves 7g7e\nstartpos moves 2g2f\n");
    spawnSync(program, ["analyze", `${folder}/gap.usi`, "--nodes", "300", "--out", folder, "--html", "--lang", "ja"]);
    const gap = await Person.meets(browser, pathToFileURL(`${folder}/gap.html`).href, SIZES[0]);
    await gap.page.evaluate(() => { location.hash = "game=3&ply=1&lang=ja"; });
    await gap.status(/^1 .*▲２六歩/);
    await gap.tap("#previous");
    assert.match(await gap.page.evaluate(() => location.hash), /game=3&ply=0/);
    await gap.leave();
    // The list of the games of a folder has tables that are wider than a phone.
    cpSync(`${data}/plain.ki2`, `${folder}/games/plain.ki2`);
    run(program, ["analyze", `${folder}/games`, "--nodes", "300", "--html", "--lang", "ja"]);
    for (const size of SIZES) {
        const list = await Person.meets(browser, pathToFileURL(`${folder}/games/index.analysis.html`).href, { ...size, hasScript: false });
        await list.isWell("list of games");
        await list.page.locator(".wide").first().focus();
        await list.page.keyboard.press("ArrowRight");
        if (size === SIZES[0]) await list.page.waitForFunction(() => document.querySelector(".wide").scrollLeft > 0);
        await list.leave();
    }
}

/** Thirty problems of one, three and five plies, solved by taps and by dragging. */
export async function problems(browser, program, rulesPage, shots, say) {
    const folder = newFolder("pages");
    const look = asksRules(rulesPage);
    const rows = [[1, 6], [3, 14], [5, 10]].flatMap(([plies, count]) => run(program, ["tsume", "generate", "--plies", String(plies), "--count", String(count), "--seed", "11"]).trim().split("\n").slice(1));
    writeFileSync(`${folder}/problems.csv`, `${rows.join("\n")}\n`);
    run(program, ["tsume", "check", "--file", `${folder}/problems.csv`, "--html", `${folder}/problems.html`, "--lang", "ja"]);
    for (const size of SIZES.slice(0, 2)) {
        const person = await Person.meets(browser, pathToFileURL(`${folder}/problems.html`).href, size, shots);
        const told = { quiet: 0, wrong: 0, proven: 0 };
        let state = 5;
        const pick = (bound) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor((state / 2 ** 32) * bound); };
        for (const [number, row] of rows.entries()) {
            const [sfen] = row.split(",");
            await solve(person, program, folder, { sfen }, look, pick, told);
            if (number === 3) await person.isWell("problems");
            // Enter works again and again on the button that leads on.
            if (number % 2 === 0) await person.tap("#next-problem");
            else {
                await person.page.focus("#next-problem");
                await person.page.keyboard.press("Enter");
            }
            await keepsFocus(person, "the next problem");
        }
        assert.match(await person.text("#solved-count"), /30問中30問/);
        await person.page.reload();
        await person.ready();
        assert.match(await person.text("#solved-count"), /30問中30問/, "the marks stay");
        assert.equal(await person.page.locator("[role=row][hidden]").count() > 0, true, "empty ranks are not drawn");
        const isOpen = (number) => person.page.waitForFunction((id) => document.querySelector(".numbers [aria-current]")?.id === id, `problem-${number}`);
        await person.page.evaluate(() => { location.hash = "problem=7"; });
        await isOpen(7);
        await person.page.evaluate(() => { location.hash = "problem=3"; });
        await isOpen(3);
        await person.page.goBack();
        await isOpen(7);
        // The step of a solution is that of the problem which the address names.
        await person.page.evaluate(() => { location.hash = "problem=7&step=2"; });
        await person.page.waitForFunction(() => document.querySelector("#step-2")?.getAttribute("aria-current") === "step");
        await person.tap("#problem-8");
        await person.page.waitForFunction(() => location.hash === "#problem=8");
        await person.tap("#problem-7");
        await person.tap("#order");
        await person.tap("#hint");
        await person.status(/ヒント/);
        await person.tap("#solution");
        for (let step = 0; step < 1; step += 1) await person.tap("#next");
        await person.isWell("problem solution");
        await person.leave();
        for (const [what, count] of Object.entries(told)) assert.ok(count > 0, `some were ${what}`);
        say(`${size.width} px: 30 problems solved, ${told.quiet} quiet moves and ${told.wrong} wrong checks named, ${told.proven} other mates accepted`);
    }
    await solveByTradition(browser, program, folder);
    say("problems solved by tradition");
}

/** By tradition, a problem ends where its solution does: what the defense could still put between does not count. */
async function solveByTradition(browser, program, folder) {
    const rows = [
        ["9/9/6Bnl/8k/R6p1/9/9/9/9 b rb4g4s3n3l17p 1", "9e9d"],
        ["9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 b b3g2s4n4l18p 1", "3d1d 1c1d 3f3c+"],
        ["6p2/8k/9/6P2/8+P/9/9/9/8L b G2r2b3g4s4n3l15p 1", "1e2d 1b2a G*2b 2a2b 3d3c+ 2b2a 1i1b+ 2a1b 2d2c 1b1a 2c2b"],
    ];
    writeFileSync(`${folder}/tradition.usi`, rows.map(([sfen, line]) => `sfen ${sfen} moves ${line}\n`).join(""));
    run(program, ["tsume", "check", "--file", `${folder}/tradition.usi`, "--rules", "traditional", "--html", `${folder}/tradition.html`, "--lang", "ja"]);
    const person = await Person.meets(browser, pathToFileURL(`${folder}/tradition.html`).href, SIZES[1]);
    for (const [number, [, line]] of rows.entries()) {
        const moves = line.split(" ");
        assert.match(await person.text("#problem-title"), new RegExp(`${moves.length}手詰`));
        for (let at = 0; at < moves.length; at += 2) {
            await person.move(moves[at]);
            const left = moves.length - at - 2;
            await person.status(left > 0 ? new RegExp(`と応じました。残り${left}手`) : /^詰みました/);
        }
        if (number + 1 === rows.length) break;
        await person.tap("#next-problem");
    }
    // After the first reply, which is the longest by tradition alone, a wrong check is named, and the hint is the solution's.
    await person.tap("#problem-3");
    await person.tap("#restart");
    await person.move("1e2d");
    await person.status(/残り9手/);
    await person.move("1i1b+");
    await person.status(/詰みません/);
    await person.tap("#hint");
    await person.status(/ヒント: ▲２二金/);
    await person.leave();
}

/** The rules that pages without an engine have are those of the engine. */
export async function sameRules(rulesPage) {
    return rulesPage.evaluate(async () => {
        const { look, judge: engineJudge, moveNames } = await import("./rules.js");
        const { lineNames } = await import("./move-name.js");
        const { judge, legalMoves } = await import("./moves.js");
        const { readSfen, writeSfen, after, RANKS } = await import("./position.js");
        let state = 1;
        const pick = (/** @type {number} */ bound) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor((state / 2 ** 32) * bound); };
        const squares = [..."123456789"].flatMap((file) => [...RANKS].map((rank) => file + rank));
        let [positions, judged] = [0, 0];
        const rules = new Set();
        let named = 0;
        // The Japanese names of moves, which the module writes, too. 同 is written after the last move of the text.
        const sameNames = (/** @type {string} */ text, /** @type {any} */ seen) => {
            const position = readSfen(seen.sfen);
            const last = text.split(" ").at(-1);
            for (const move of seen.moves) {
                const [mine, theirs] = [lineNames(position, [move], last)[0], moveNames(text, [move])[0]];
                if (mine !== theirs) throw new Error(`${text} ${move}: ${mine} instead of ${theirs}`);
                named += 1;
            }
        };
        // Several pieces of a kind around one square, for each side, some of them pinned; and drops where such a piece could go.
        const crowds = ["4k4/9/3+P+P+P3/3+P1+P3/3+P+P+P3/9/9/9/4K4 b G 1", "k8/9/3S1S3/9/3S1S3/9/9/4K4/9 b - 1", "k8/9/9/9/3SSS3/9/9/4K4/9 b S 1", "4k4/9/4r4/9/4G4/3G1G3/4K4/9/9 b G 1",
            "k8/4+B4/9/+B8/9/9/9/9/4K3L b - 1", "4k4/+R8/9/9/8+R/9/9/9/4K4 b - 1", "4k4/9/9/9/3n1n3/9/4P4/9/4K4 w n 1", "k8/9/9/3+p+p+p3/3+p1+p3/3+p+p+p3/9/9/4K4 w g 1",
            "k8/9/9/3ggg3/9/5g3/9/9/4K4 w - 1", "k8/9/9/3gg4/9/9/9/9/4K4 w g 1", "k8/3r1r3/9/3+b1+b3/9/9/9/9/4K4 w - 1"];
        for (const sfen of crowds) sameNames(`sfen ${sfen}`, look(`sfen ${sfen}`));
        for (let game = 0; game < 12; game += 1) {
            let text = "startpos";
            for (let ply = 0; ply < 110; ply += 1) {
                const seen = look(text);
                const position = readSfen(seen.sfen);
                if (writeSfen(position, ply + 1).split(" ").slice(0, 3).join() !== seen.sfen.split(" ").slice(0, 3).join()) throw new Error(`${text}: ${writeSfen(position)}`);
                const [mine, theirs] = [legalMoves(position).sort().join(" "), [...seen.moves].sort().join(" ")];
                if (mine !== theirs) throw new Error(`${seen.sfen}: ${mine} instead of ${theirs}`);
                positions += 1;
                sameNames(text, seen);
                for (let tried = 0; tried < 6; tried += 1) {
                    const from = pick(3) === 0 ? `${"PLNSGBR"[pick(7)]}*` : squares[pick(81)];
                    const move = `${from}${squares[pick(81)]}${pick(4) === 0 && from[1] !== "*" ? "+" : ""}`;
                    if (move.slice(0, 2) === move.slice(2, 4)) continue;
                    const [a, b] = [judge(position, move) === "", engineJudge(text, move) === ""];
                    if (a !== b) throw new Error(`${seen.sfen} ${move}: ${judge(position, move)} instead of ${engineJudge(text, move)}`);
                    rules.add(judge(position, move));
                    judged += 1;
                }
                if (seen.end || seen.moves.length === 0) break;
                const move = seen.moves[pick(seen.moves.length)];
                text += ply === 0 ? ` moves ${move}` : ` ${move}`;
                const next = writeSfen(after(position, move)).split(" ").slice(0, 3).join();
                if (next !== look(text).sfen.split(" ").slice(0, 3).join()) throw new Error(`${seen.sfen} ${move}`);
            }
        }
        // Random moves break all rules but the two that need a rare position.
        for (const rule of ["CannotPromote", "DeadPiece", "LeavesKingInCheck", "NoPiece", "NotAlongVector", "NotInHand", "OccupiedDropSquare", "OwnPieceOnTarget", "TwoPawns", "WrongSide"]) {
            if (!rules.has(rule)) throw new Error(`no move breaks ${rule}`);
        }
        return `${positions} positions, ${judged} moves, ${rules.size} rules, ${named} names`;
    });
}
