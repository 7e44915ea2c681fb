// How strong the engine plays: by level, where the engine has levels, otherwise by the positions that it looks at.
import { countWord, word } from "./words.js";

/** Values of the choice and what they mean to the engine. */
const LIMITS = ["nodes 10", "nodes 100", "nodes 1000", "nodes 10000", "nodes 100000", "movetime 1000", "movetime 3000", "movetime 10000"];
const LEVELS = 20;
/** How long a level thinks at most where there is no clock, in milliseconds. */
const LEVEL_TIME = 2000;

/** @param {boolean} hasLevels @returns {[string, string][]} */
export function strengths(hasLevels) {
    if (hasLevels) return Array.from({ length: LEVELS }, (_, at) => [`level ${at + 1}`, word(at === 0 ? "weakest" : at + 1 === LEVELS ? "strongest" : "level", at + 1)]);
    return LIMITS.map((limit) => {
        const [kind, value] = limit.split(" ");
        return [limit, kind === "nodes" ? word("nodes", countWord(Number(value))) : word("seconds", Number(value) / 1000)];
    });
}

/** What a search is asked for. @param {string} limit @param {string} [clock] the words of a clock that runs */
export function goFor(limit, clock = "") {
    const [kind] = limit.split(" ");
    if (kind === "level" || (clock && kind === "movetime")) return `go ${clock || `movetime ${LEVEL_TIME}`}`;
    return `go ${LIMITS.includes(limit) ? limit : LIMITS[2]}`;
}

/** The options that a search needs. @param {string} limit @returns {[string, string][]} */
export const optionsFor = (limit) => (limit.startsWith("level ") ? [["SkillLevel", limit.slice(6)]] : []);
