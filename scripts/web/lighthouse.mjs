// What Lighthouse says about the page: scores of 100 on a phone and on a desk, and what costs points. Arguments: the root of the
// repository, the built site, the folder in which Lighthouse is installed.
import { execFileSync, spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [root, site, folder] = process.argv.slice(2);
const server = spawn("python3", [`${root}/scripts/web/serve.py`, site, "0"], { stdio: ["ignore", "pipe", "inherit"] });
const { value: address } = await createInterface({ input: server.stdout })[Symbol.asyncIterator]().next();
const SHOWN = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift", "interactive"];
try {
    for (const [place, settings] of [["phone", []], ["desk", ["--preset=desktop"]]]) {
        const args = [address.trim(), "--quiet", "--output=json", "--chrome-flags=--headless=new --no-sandbox", "--only-categories=performance,accessibility,best-practices", ...settings];
        const env = { ...process.env, CHROME_PATH: process.env.CHROMIUM ?? "/usr/bin/chromium" };
        const measure = () => JSON.parse(execFileSync(`${folder}/node_modules/.bin/lighthouse`, args, { encoding: "utf-8", env, maxBuffer: 1 << 28, stdio: "pipe" }));
        let result;
        try {
            result = measure();
        } catch (error) {
            // Now and then Chromium's trace lacks its beginning. Then the run is worth nothing, and is done again.
            if (!String(/** @type {any} */ (error).stderr).includes("NO_NAVSTART")) throw error;
            result = measure();
        }
        const { categories, audits } = result;
        console.log(`${place}: ${Object.values(categories).map(({ title, score }) => `${title} ${Math.round(100 * score)}`).join(", ")}`);
        console.log(`    ${SHOWN.map((name) => `${name} ${audits[name].displayValue}`).join(", ")}`);
        for (const { id, score, scoreDisplayMode, displayValue = "" } of Object.values(audits)) {
            if (score !== null && score < 0.9 && ["numeric", "binary", "metricSavings"].includes(scoreDisplayMode)) console.log(`    ${id} ${score} ${displayValue}`);
        }
    }
} finally {
    server.kill();
}
