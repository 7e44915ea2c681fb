// Pictures of positions: from a game, from the editor of problems, and from quantum shogi.
import assert from "node:assert/strict";
import { copyFileSync, readFileSync } from "node:fs";
import { chooseFile } from "./analysis.mjs";
import { follow } from "./mishaps.mjs";

/** Saves the picture, and looks at it: where the board has pieces, there is ink. */
async function picture(person, name) {
    const path = await person.saves("#save-picture");
    if (person.shots) copyFileSync(path, `${person.shots}/picture-${name}-${person.width}-${person.scheme}.png`);
    const data = readFileSync(path).toString("base64");
    const seen = await person.page.evaluate(async (text) => {
        const image = new Image();
        image.src = `data:image/png;base64,${text}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.width, image.height];
        const context = canvas.getContext("2d", { willReadFrequently: true });
        context.drawImage(image, 0, 0);
        const rows = [...document.querySelectorAll("[role=row]:not([hidden])")];
        // The measures of web/picture.js, in pixels.
        const [width, height, left, top] = [120, 130.8, 352, 52];
        const wrong = [];
        rows.forEach((row, y) => [...row.children].forEach((cell, x) => {
            const { data: pixels } = context.getImageData(left + x * width + 25, top + y * height + 30, width - 50, height - 60);
            let [dark, red] = [0, 0];
            for (let at = 0; at < pixels.length; at += 4) {
                if (Math.min(pixels[at + 1], pixels[at + 2]) < 70) dark += 1;
                if (pixels[at] > 120 && pixels[at + 1] < 40) red += 1;
            }
            const [hasPiece, isPromoted] = [cell.querySelector(".piece") !== null, cell.querySelector(".red") !== null];
            if (dark > 150 !== hasPiece || red > 75 !== isPromoted) wrong.push(`${cell.dataset.square} ${dark} ${red}`);
        }));
        return { size: [image.width, image.height], rows: rows.length, wrong };
    }, data);
    assert.deepEqual(seen.size, [2 * 892, Math.round(2 * (52 + seen.rows * 65.4))].map(Math.floor), name);
    assert.deepEqual(seen.wrong, [], `${name}: pieces where the board has them`);
}

export const pictures = {
    "the board has its lines": async (person, root) => {
        await chooseFile(person, `${root}/crates/record/tests/data/real/wcsc32.csa`);
        await person.page.waitForFunction(() => document.querySelectorAll(".moves li").length > 100);
        // Nothing stands on the fifth rank: between its squares there is something darker than they are.
        const cells = [];
        for (const file of "987654321") cells.push(await person.page.locator(`[data-square="${file}e"]`).boundingBox());
        const clip = { x: Math.floor(cells[0].x), y: Math.floor(cells[0].y + cells[0].height / 2), width: Math.ceil(9 * cells[0].width), height: 1 };
        const shot = (await person.page.screenshot({ clip })).toString("base64");
        const reds = await person.page.evaluate(async (text) => {
            const image = new Image();
            image.src = `data:image/png;base64,${text}`;
            await image.decode();
            const context = Object.assign(document.createElement("canvas"), { width: image.width, height: 1 }).getContext("2d");
            context.drawImage(image, 0, 0);
            return [...context.getImageData(0, 0, image.width, 1).data].filter((_, at) => at % 4 === 0);
        }, shot);
        const [first, ...others] = cells.map(({ x }) => Math.round(x) - clip.x);
        const ground = reds[first + 9];
        assert.deepEqual(others.map((at) => Math.min(...reds.slice(at - 2, at + 3)) < ground - 50), others.map(() => true), `lines between the files: ${reds}`);
    },

    "the board is in sight on a phone that is held sideways": async (person) => {
        const sizes = [[568, 320], [667, 375], [800, 360], [932, 430]];
        for (const hash of ["#play", "#analyse=startpos", "#puzzles", "#quantum"]) {
            await follow(person, hash);
            await person.page.waitForFunction(() => document.querySelectorAll(".grid .piece").length > 1);
            for (const [width, height] of sizes) {
                await person.page.setViewportSize({ width, height });
                const place = `${hash} at ${width} x ${height}`;
                const box = await person.page.locator(".grid").boundingBox();
                assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${place}: ${JSON.stringify(box)}`);
                const stands = await Promise.all([".stand.above", ".stand.below"].map((stand) => person.page.locator(stand).boundingBox()));
                assert.ok(stands[0].x >= 0 && stands[0].x + stands[0].width <= box.x && stands[1].x >= box.x + box.width && stands[1].x + stands[1].width <= width, `${place}: the stands are beside it`);
                await person.fits(place);
            }
        }
        await person.isWell("a phone held sideways");
        await person.page.setViewportSize({ width: person.width, height: person.height });
        await follow(person, "#play");
    },

    "pictures are saved": async (person, root) => {
        await chooseFile(person, `${root}/crates/record/tests/data/real/wcsc32.csa`);
        await person.page.waitForFunction(() => document.querySelectorAll(".moves li").length > 100);
        await person.tap(person.page.locator(".moves button").nth(90));
        await picture(person, "game");
        await person.tap("#tab-puzzles");
        await person.tap("#compose");
        await person.tap("#tool-bP");
        await person.square("5c");
        await person.tap("#more-G");
        await picture(person, "problem");
        await person.page.goto(`${person.address}#quantum=startpos_moves_7g7f_3c3d_8h4d_5c5d`);
        await person.page.reload();
        await person.ready();
        await picture(person, "quantum");
    },
};
