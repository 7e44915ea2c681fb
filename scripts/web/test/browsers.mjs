// The browsers that the page is used in: Chromium and Firefox, both as Debian has them. Playwright speaks to this Firefox by WebDriver
// BiDi. So it has no taps (they are clicks), no print view, no slow network there; what BiDi cannot ask for otherwise is a preference.
import { chromium, firefox } from "playwright-core";
import { newFolder } from "./folders.mjs";

class Firefox {
    isChromium = false;
    /** Where files are saved. */
    downloads = newFolder("downloads");
    /** One process for each color scheme. */
    opened = new Map();

    async newContext({ colorScheme = "light", hasTouch: _, isMobile: __, ...options } = {}) {
        if (!this.opened.has(colorScheme)) {
            this.opened.set(colorScheme, await firefox.launch({
                channel: "moz-firefox",
                executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
                downloadsPath: this.downloads,
                firefoxUserPrefs: {
                    "layout.css.prefers-color-scheme.content-override": colorScheme === "dark" ? 0 : 1,
                    // Scrollbars take no room, as on a phone.
                    "ui.useOverlayScrollbars": 1,
                    // No list of saved files opens, which takes the focus from the page.
                    "browser.download.alwaysOpenPanel": false,
                    // Reading the clipboard needs no permission.
                    "dom.events.testing.asyncClipboard": true,
                },
            }));
        }
        return this.opened.get(colorScheme).newContext(options);
    }

    async close() {
        await Promise.all([...this.opened.values()].map((one) => one.close()));
    }
}

/** Opens a browser by its name. */
export async function open(name) {
    if (name === "firefox") return new Firefox();
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
    return Object.assign(browser, { isChromium: true });
}
