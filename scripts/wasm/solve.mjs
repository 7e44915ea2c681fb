// Solves mate problems with the solver built for WebAssembly: node solve.mjs WASM CSV… Each row of a file is a position and the
// length of its mate, as in tests/data/tsume. In the file nomate.csv no row may be answered by a mate.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const [program, ...files] = process.argv.slice(2);
let solver;
const load = async () => {
    const clock = { env: { milliseconds: () => performance.now() } };
    solver = (await WebAssembly.instantiate(readFileSync(program), clock)).instance.exports;
};
const ask = (sfen, { hash = 16, nodes = 0, time = 0 } = {}) => {
    for (const letter of sfen) solver.put(letter.charCodeAt(0));
    const length = solver.solve(hash, nodes, time);
    return Array.from({ length }, (_, place) => String.fromCharCode(solver.get(place))).join('');
};
const check = (is, what) => {
    if (!is) throw new Error(what);
};

await load();
check(ask('4k4/9/4P4/9/9/9/9/9/9 b G 1') === 'mate 1 G*5b', 'the gold mates at once');
check(ask('nonsense').startsWith('error '), 'what is no position is refused');

for (const file of files) {
    const none = basename(file) === 'nomate.csv';
    let [asked, decided] = [0, 0];
    for (const row of readFileSync(file, 'utf8').trim().split('\n').slice(1)) {
        const [sfen, plies] = row.split(',');
        const [kind, length, ...line] = ask(sfen, { nodes: 20_000 }).split(' ');
        if (kind === 'error') continue;
        asked += 1;
        check(kind !== 'unknown' || length === 'nodes', `${sfen}: unknown ${length}`);
        check(kind !== 'mate' || (!none && length === String(line.length) && Number(length) >= Number(plies)),
            `${sfen}: mate ${length}, not ${plies}`);
        check(kind !== 'nomate' || none, `${sfen}: no mate, but ${plies}`);
        decided += kind === 'nomate' || length === plies ? 1 : 0;
    }
    check(decided > asked / 10, `${file}: only ${decided} of ${asked} decided`);
    console.log(`${basename(file)}: ${asked} problems, ${decided} decided, none wrongly`);
}

// Microcosmos, a mate of 1,525 plies, so deep that no call stack here would hold its lines: the clock ends the search.
const deep = 'g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1';
const before = performance.now();
check(ask(deep, { hash: 64, time: 1000 }) === 'unknown time', 'the time ends the search');
const took = performance.now() - before;
check(took >= 1000, `${took} ms of 1000`);
check(ask(deep, { hash: 64, nodes: 300_000 }) === 'unknown nodes', 'the nodes end the search');
// With more memory than there can be, the table is as large as there is room for.
check(ask(deep, { hash: 1 << 20, nodes: 20_000 }) === 'unknown nodes', 'a table that does not fit is smaller');
console.log(`the clock of the host ended a search after ${Math.round(took)} ms`);
