// The solver of a page without an engine: it reads the tree that the program has computed (crates/mate/src/tsume/tree.rs).

/** @typedef {[move: string, plies: number, node: number | null]} Reply */
/** @typedef {{ m: [move: string, plies: number, replies: Reply[]][], x: [move: string, reply: string][], u: string[] }} Node */

/**
 * @param {Node[]} tree
 * @param {string[]} line the solution. Where futile interpositions do not count, the tree may go on behind its last move.
 * @returns {import("../solving.js").Solver}
 */
export function treeSolver(tree, line) {
    /** The node after some moves; null where the tree has ended. @param {string[]} moves @returns {Node | null} */
    function nodeAfter(moves) {
        let place = /** @type {number | null} */ (tree.length > 0 ? 0 : null);
        for (let at = 0; at + 1 < moves.length && place !== null; at += 2) {
            const mate = tree[place].m.find(([move]) => move === moves[at]);
            place = mate?.[2].find(([reply]) => reply === moves[at + 1])?.[2] ?? null;
        }
        return place === null ? null : tree[place];
    }

    /** Whether some moves are those of the solution, as far as they go. @param {string[]} moves */
    const followsLine = (moves) => moves.length <= line.length && moves.every((move, at) => move === line[at]);

    return {
        async answer(moves) {
            if (followsLine(moves)) {
                const reply = line[moves.length];
                return reply ? { kind: "reply", move: reply, left: line.length - moves.length - 1 } : { kind: "mate" };
            }
            const node = nodeAfter(moves.slice(0, -1));
            const check = moves.at(-1);
            const mate = node?.m.find(([move]) => move === check);
            if (mate) {
                const [, plies, replies] = mate;
                if (replies.length === 0) return { kind: "mate" };
                // The best reply; an equally long one that can be followed is as good.
                const best = replies.filter(([, left, next]) => left === replies[0][1] && next !== null)[0];
                return best ? { kind: "reply", move: best[0], left: best[1] } : { kind: "proven", plies };
            }
            const fail = node?.x.find(([move]) => move === check);
            return fail ? { kind: "wrong", reply: fail[1] } : { kind: "unknown" };
        },
        async best(moves) {
            if (followsLine(moves) && moves.length < line.length) return line[moves.length];
            return nodeAfter(moves)?.m[0]?.[0] ?? null;
        },
    };
}
