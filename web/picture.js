// A picture of the board as it is shown, for a file: pieces, stands, last move and arrows.
import { button, draw, tell } from "./elements.js";
import { word } from "./words.js";

/** @typedef {import("./board.js").Board} Board */

/** In the units of the picture: a square, the space for its letters, and a stand. */
const [WIDTH, HEIGHT, EDGE, STAND] = [60, 65.4, 26, 150];
/** How many pixels a unit has in the file. */
const SCALE = 2;
/** What a style sheet says about shapes; in a file of its own it has to stand at each of them. */
const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "font-family", "font-weight"];

/** A copy that looks the same without a style sheet. @param {Element} shown @returns {Element} */
function copied(shown) {
    const copy = /** @type {Element} */ (shown.cloneNode(true));
    const all = (/** @type {Element} */ one) => [one, ...one.querySelectorAll("*")];
    const sources = all(shown);
    all(copy).forEach((one, place) => {
        const style = getComputedStyle(sources[place]);
        for (const name of STYLES) one.setAttribute(name, style.getPropertyValue(name));
        one.removeAttribute("class");
    });
    return copy;
}

/** A piece of the page in a place of the picture. @param {Element} piece @param {number} x @param {number} y @param {number} width @param {number} height */
function placed(piece, x, y, width, height) {
    const copy = copied(piece);
    for (const [name, value] of Object.entries({ x, y, width, height })) copy.setAttribute(name, String(value));
    const turn = piece.classList.contains("turned") ? 180 : 0;
    return draw("g", { transform: `rotate(${turn} ${x + width / 2} ${y + height / 2})` }, copy);
}

/** @param {string} text @param {number} x @param {number} y @param {number} size @param {string} color @param {string} anchor */
const lettering = (text, x, y, size, color, anchor = "middle") =>
    draw("text", { x, y, "font-size": size, fill: color, "text-anchor": anchor, "font-family": getComputedStyle(document.body).fontFamily }, text);

/** @param {Board} board */
export function picture(board) {
    const of = (/** @type {Element} */ element) => getComputedStyle(element);
    const rows = [...board.grid.children].filter((row) => row instanceof HTMLElement && !row.hidden);
    const [width, height] = [2 * STAND + 2 * EDGE + 9 * WIDTH, 2 * EDGE + rows.length * HEIGHT];
    const ground = of(document.body);
    const [left, top] = [STAND + EDGE, EDGE];
    const line = of(board.grid).borderTopColor;
    /** @type {Element[]} */
    const shapes = [draw("rect", { width, height, fill: ground.backgroundColor }), draw("rect", { x: left, y: top, width: 9 * WIDTH, height: rows.length * HEIGHT, fill: of(board.grid).backgroundColor, stroke: line, "stroke-width": 3 })];
    rows.forEach((row, y) => [...row.children].forEach((cell, x) => {
        const [at, down] = [left + x * WIDTH, top + y * HEIGHT];
        // Only these colors last; others belong to what a person is about to do.
        const isMarked = cell.classList.contains("last") || cell.classList.contains("from");
        shapes.push(draw("rect", { x: at, y: down, width: WIDTH, height: HEIGHT, fill: isMarked ? of(cell).backgroundColor : "none", stroke: line, "stroke-width": 1 }));
        const piece = cell.querySelector(".piece");
        if (piece) shapes.push(placed(piece, at + 2, down + 2, WIDTH - 4, HEIGHT - 4));
    }));
    [...board.files.children].forEach((file, x) => shapes.push(lettering(file.textContent ?? "", left + (x + 0.5) * WIDTH, top - 8, 15, ground.color)));
    [...board.ranks.children].forEach((rank, y) => shapes.push(lettering(rank.textContent ?? "", left + 9 * WIDTH + EDGE / 2, top + (y + 0.5) * HEIGHT + 5, 15, ground.color)));
    const arrows = copied(board.overlay);
    for (const [name, value] of Object.entries({ x: left, y: top, width: 9 * WIDTH, height: rows.length * HEIGHT })) arrows.setAttribute(name, String(value));
    shapes.push(arrows);
    for (const stand of Object.values(board.stands)) {
        const isBelow = stand.classList.contains("below");
        const x = isBelow ? width - STAND + 8 : 8;
        const held = [...stand.querySelectorAll(".held button")];
        const columns = held.length > 14 ? 4 : 2;
        const size = (STAND - 16) / columns;
        const lines = Math.ceil(held.length / columns);
        const start = isBelow ? Math.max(height - EDGE - lines * size * 1.09, EDGE + 30) : EDGE + 30;
        // The name without the clock behind it.
        const name = [...(stand.querySelector(".name")?.childNodes ?? [])].filter((node) => !(node instanceof Element && node.classList.contains("clock"))).map((node) => node.textContent).join("");
        shapes.push(lettering(name, x, start - 10, 14, ground.color, "start"));
        held.forEach((one, number) => {
            const piece = one.querySelector(".piece");
            const [at, down] = [x + (number % columns) * size, start + Math.floor(number / columns) * size * 1.09];
            if (piece) shapes.push(placed(piece, at, down, size - 4, (size - 4) * 1.09));
            const count = one.querySelector(".count")?.textContent;
            if (count) shapes.push(draw("circle", { cx: at + size - 9, cy: down + size - 7, r: 10, fill: "#2c200f" }), lettering(count, at + size - 9, down + size - 2, 14, "#ffffff"));
        });
    }
    // Letters take their color and typeface from where they are used.
    const defs = document.querySelector(".shapes defs")?.cloneNode(true);
    return draw("svg", { viewBox: `0 0 ${width} ${height}`, width: width * SCALE, height: height * SCALE }, ...(defs ? [defs] : []), ...shapes);
}

/** The picture as a file. @param {Board} board @returns {Promise<Blob>} */
async function asPng(board) {
    const svg = picture(board);
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }));
    await image.decode().finally(() => URL.revokeObjectURL(image.src));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Number(svg.getAttribute("width")), Number(svg.getAttribute("height"))];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) => {
        canvas.toBlob((blob) => { if (blob) resolve(blob); else reject(new Error("no room for the picture")); }, "image/png");
    });
}

/** Lets the browser save something. @param {Blob} blob @param {string} name */
export function saveFile(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A button that saves the picture. @param {Board} board */
export function pictureButton(board) {
    const save = async () => {
        try {
            saveFile(await asPng(board), "tsumero.png");
        } catch {
            tell(word("notSaved"));
        }
    };
    return button("savePicture", save, { id: "save-picture" });
}
