// Small helpers to make elements. Text is always text, never markup.
import { word } from "./words.js";

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | boolean | ((event: any) => void)>} [settings] attributes; functions are listeners
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, settings = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(settings)) {
        if (typeof value === "function") element.addEventListener(key, value);
        else if (value === true) element.setAttribute(key, "");
        else if (value !== false) element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
}

/** Texts one after another, none of which is broken over two lines. @param {string[]} texts @param {string} [between] */
export const wholes = (texts, between = " ") => texts.flatMap((text, number) => [...(number > 0 ? [between] : []), make("span", { class: "whole" }, text)]);

/**
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number>} [settings]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function draw(name, settings = {}, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(settings)) element.setAttribute(key, String(value));
    element.append(...children);
    return element;
}

/**
 * @param {string} key of the word on it
 * @param {() => void} act
 * @param {Record<string, string | boolean>} [settings]
 */
export const button = (key, act, settings = {}) => make("button", { type: "button", ...settings, click: act }, word(key));

/**
 * A choice with its label.
 * @param {string} key
 * @param {[value: string, text: string][]} options
 * @param {string} chosen
 */
export function choice(key, options, chosen) {
    const select = make("select", {}, ...options.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));
    return { label: make("label", {}, make("span", {}, word(key)), select), select };
}

/** The last press of the mouse or a finger. @type {PointerEvent | null} */
let pressed = null;
addEventListener("pointerdown", (event) => { pressed = event; }, { capture: true });

/** The second press of a double click follows within so many milliseconds, that of a finger within so many pixels. */
const TWICE = { time: 500, distance: 24 };

/**
 * Guards what has just appeared from what brought it: the second click of a double click would press whatever is under the pointer by then,
 * and a key that is held whatever has the focus. Who presses once more later, elsewhere, or a key anew, gets through.
 * @template {HTMLElement} Shown
 * @param {Shown} shown
 */
export function guarded(shown) {
    const before = pressed;
    let isHeld = true;
    shown.addEventListener("click", (event) => {
        // A click without a pointer comes from a key.
        if (!before || !pressed || event.detail === 0 || pressed.timeStamp - before.timeStamp > TWICE.time) return;
        // Browsers count the clicks of a mouse. Of fingers, some count all, and some none.
        const isSecond = pressed.pointerType === "mouse" ? event.detail > 1 : Math.hypot(pressed.clientX - before.clientX, pressed.clientY - before.clientY) < TWICE.distance;
        if (isSecond) event.stopPropagation();
    }, { capture: true });
    shown.addEventListener("keydown", (event) => {
        isHeld &&= event.repeat;
        if (isHeld && event.key === "Enter") event.preventDefault();
    }, { capture: true });
    return shown;
}

let clearing = 0;

/** Says something to the person, also to one who listens to the page. @param {string} text */
export function tell(text) {
    const place = /** @type {HTMLElement} */ (document.getElementById("message"));
    // What a line on the page says already is not read out twice.
    const isSaid = [...document.querySelectorAll(".status[role=status]")].some((line) => line.textContent === text);
    place.setAttribute("aria-live", isSaid ? "off" : "polite");
    place.textContent = text;
    place.classList.add("shown");
    clearTimeout(clearing);
    clearing = window.setTimeout(() => place.classList.remove("shown"), 4000);
}

/**
 * A button that switches itself off while the keyboard is on it keeps the focus until the keyboard goes elsewhere: the next key would
 * press something else.
 * @param {HTMLElement} button
 */
function holdFocus(button) {
    button.removeAttribute("disabled");
    button.setAttribute("aria-disabled", "true");
    button.addEventListener("click", (event) => event.stopImmediatePropagation(), { capture: true });
    const end = () => {
        // The whole window is left for another one: the keyboard comes back to the button.
        if (document.activeElement === button) return;
        button.removeEventListener("blur", end);
        button.setAttribute("disabled", "");
        button.removeAttribute("aria-disabled");
    };
    button.addEventListener("blur", end);
}

/**
 * Puts new children in the place of the old ones. The focus stays on the new element with the id of the old one, or in a list on its
 * current entry. Without these, it goes to the view as a whole; it never falls back to the page, nor on what does something else.
 * @param {HTMLElement} host
 * @param {...Node} children
 */
export function replace(host, ...children) {
    const active = document.activeElement;
    const had = active instanceof HTMLElement && host.contains(active) ? active : null;
    const inList = had?.closest("ol") !== null && had !== null;
    host.replaceChildren(...children);
    if (!had) return;
    const again = host.contains(had) ? had : had.id ? document.getElementById(had.id) : null;
    if (again?.hasAttribute("disabled")) holdFocus(again);
    const next = again ?? (inList ? host.querySelector("[aria-current]") : null);
    if (next instanceof HTMLElement) next.focus();
    // What is in a closed panel, or away, takes no focus.
    if (document.activeElement !== next) document.getElementById("view")?.focus();
}
