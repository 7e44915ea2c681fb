// How long the engine thinks about a move. Fewer positions are a weaker opponent; there are no other levels yet.
import { countWord, word } from "./words.js";

/** Values of the choice and what they mean to the engine. */
const LIMITS = ["nodes 10", "nodes 100", "nodes 1000", "nodes 10000", "nodes 100000", "movetime 1000", "movetime 3000", "movetime 10000"];

/** @returns {[string, string][]} */
export const strengths = () =>
    LIMITS.map((limit) => {
        const [kind, value] = limit.split(" ");
        return [limit, kind === "nodes" ? word("nodes", countWord(Number(value))) : word("seconds", Number(value) / 1000)];
    });

/** What a search is asked for. @param {string} limit */
export const goFor = (limit) => `go ${LIMITS.includes(limit) ? limit : LIMITS[2]}`;
