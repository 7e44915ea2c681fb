// Shows the report, and handles keys, taps and buttons.
const DATA = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const state = { game: 0, ply: 0, line: null, flipped: false, byWin: true, language: DATA.language, theme: "auto" };

const game = () => DATA.games[state.game];
const words = () => WORDS[state.language];
const spoken = (move) => (move ? move[state.language] : "");

function make(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function playerName(color) {
  return game()[color] || words()[color];
}

function sideName(color) {
  return words()[color];
}

// A value as a short text: +85, or the side that mates and the number of plies.
function shortValue(position) {
  if (position.winner) return `${position.winner === "black" ? "☗" : "☖"}#${Math.abs(position.mate)}`;
  return position.cp > 0 ? `+${position.cp}` : String(position.cp);
}

function longValue(position) {
  if (!position.winner) return shortValue(position);
  const side = sideName(position.winner);
  return position.mate === 0 ? words().mated(side) : words().mateIn(side, Math.abs(position.mate));
}

// The position on the board: one of the game, or one along a line.
function shownPosition() {
  const here = game().positions[state.ply];
  let position = readSfen(here.sfen);
  const before = game().positions[state.ply - 1];
  if (before && before.move) position.last = before.move.usi.slice(2, 4);
  if (state.line) for (const move of state.line.moves.slice(0, state.line.step)) position = play(position, move.usi);
  return position;
}

function goTo(ply) {
  state.ply = Math.max(0, Math.min(game().positions.length - 1, ply));
  state.line = null;
  show();
}

// One step along the game, or along the line that is shown. A step back from the first move of a
// line leaves the line.
function step(by) {
  const line = state.line;
  if (!line) return goTo(state.ply + by);
  line.step = Math.min(line.moves.length, line.step + by);
  if (line.step < 1) state.line = null;
  show();
}

function enterLine(ply, kind, index, moves, at) {
  state.ply = ply;
  state.line = { kind, index, moves, step: at };
  show();
}

function lineSteps(ply, kind, index, moves) {
  return moves.map((move, at) => {
    const here = state.line && state.ply === ply && state.line.kind === kind && state.line.index === index && state.line.step === at + 1;
    return make("button", { type: "button", className: here ? "step here" : "step", textContent: spoken(move), onclick: () => enterLine(ply, kind, index, moves, at + 1) });
  });
}

function showVerdict() {
  const here = game().positions[state.ply];
  const before = game().positions[state.ply - 1];
  $("value").textContent = longValue(here);
  $("win").textContent = `${words().winRate} ${here.win}%`;
  $("said").replaceChildren();
  if (before && before.move) {
    const said = [make("b", { textContent: spoken(before.move) })];
    if (before.note) said.push(make("span", { className: `badge ${before.note}`, textContent: words().note[before.note] }));
    const best = before.lines[0].moves[0];
    if (before.is_best) said.push(` ${words().wasBest}`);
    else if (best) said.push(` ${words().bestWas(spoken(best))}`);
    if (before.loss >= 1) said.push(` (${words().loss(before.loss)})`);
    $("said").append(...said);
  }
  $("lines").replaceChildren(
    ...here.lines.map((line, index) => make("li", {}, make("b", { textContent: shortValue(line) }), make("span", {}, ...lineSteps(state.ply, "line", index, line.moves)))),
  );
}

function showMoves() {
  const items = game().positions.map((here, ply) => {
    const before = game().positions[ply - 1];
    const what = make("span", { textContent: before ? spoken(before.move) : words().start });
    if (before && before.note) what.append(make("span", { className: `badge ${before.note}`, textContent: words().note[before.note] }));
    const button = make("button", { type: "button", onclick: () => goTo(ply) }, make("i", { textContent: ply }), what, make("i", { textContent: shortValue(here) }));
    button.classList.toggle("here", ply === state.ply);
    return make("li", {}, button);
  });
  $("moves").replaceChildren(...items);
}

function markMove() {
  const list = $("moves");
  list.querySelector(".here")?.classList.remove("here");
  const item = list.children[state.ply];
  item.firstChild.classList.add("here");
  if (list.scrollHeight > list.clientHeight + 4) list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
}

function showPlayers() {
  const [black, white] = game().summary;
  const percent = (value) => (value === null ? "–" : `${value.toFixed(1)}%`);
  const row = (left, what, right, big) => [
    make("span", { className: big ? "big" : "", textContent: left }),
    make("span", { className: "what", textContent: what }),
    make("span", { className: big ? "big" : "", textContent: right }),
  ];
  const pair = make("div", { className: "pair" });
  pair.append(make("span", { className: "who", textContent: `☗ ${playerName("black")}` }), make("span"), make("span", { className: "who", textContent: `☖ ${playerName("white")}` }));
  pair.append(...row(percent(black.accuracy), words().accuracy, percent(white.accuracy), true));
  pair.append(...row(percent(black.best_moves), words().best, percent(white.best_moves)));
  ["inaccuracy", "dubious", "mistake", "blunder"].forEach((note, index) => pair.append(...row(black.notes[index], words().note[note], white.notes[index])));
  pair.append(...row(black.missed_mates, words().note.missed_mate, white.missed_mates));
  $("players").replaceChildren(pair);
}

function showNotes() {
  const serious = game().positions.filter((here) => here.turns || ["dubious", "mistake", "blunder", "missed_mate"].includes(here.note));
  const items = serious.map((here) => {
    const ply = here.ply + 1;
    const button = make("button", { type: "button", className: "go", textContent: `${ply} ${spoken(here.move)}`, onclick: () => goTo(ply) });
    const item = make("li", {}, button);
    if (here.note) item.append(make("span", { className: `badge ${here.note}`, textContent: words().note[here.note] }));
    if (here.turns) item.append(make("span", { className: "badge", textContent: `▼ ${words().turns}` }));
    const best = here.lines[0].moves[0];
    const values = `${shortValue(here)} → ${shortValue(game().positions[ply])}`;
    item.append(make("small", { textContent: [values, words().loss(here.loss), best ? words().bestWas(spoken(best)) : ""].filter(Boolean).join(" · ") }));
    return item;
  });
  $("notes").replaceChildren(...(items.length ? items : [make("li", { textContent: words().noNotes })]));
}

function showMates() {
  const missed = game().positions.filter((here) => here.missed_mate);
  $("mates-card").hidden = missed.length === 0;
  const items = missed.map((here) => {
    const button = make("button", { type: "button", className: "go", textContent: `${here.ply + 1} ${spoken(here.move)} – ${words().mateLine(here.missed_mate.length)}: `, onclick: () => enterLine(here.ply, "mate", 0, here.missed_mate, 1) });
    return make("li", {}, button, ...lineSteps(here.ply, "mate", 0, here.missed_mate));
  });
  $("mates").replaceChildren(...items);
}

// Updates everything that depends on the step.
function show() {
  const position = shownPosition();
  drawBoard($("board"), position, state.flipped);
  drawHand($("black-hand"), position.hand.b);
  drawHand($("white-hand"), position.hand.w);
  document.querySelector(".player.black").classList.toggle("turn", position.side === "b");
  document.querySelector(".player.white").classList.toggle("turn", position.side === "w");
  const line = state.line;
  $("place").textContent = line ? `${line.kind === "mate" ? words().inMate : words().inLine} ${line.step}/${line.moves.length}` : `${state.ply} / ${game().positions.length - 1}`;
  showVerdict();
  showMates();
  markMove();
  drawGraph($("graph"), game().positions, state.ply, state.byWin);
}

// Updates everything that depends on the game and the language.
function showAll() {
  const said = words();
  document.documentElement.lang = state.language;
  const { black, white, file, ending, headers } = game();
  const header = (name) => (headers.find(([key]) => key === name) || [])[1];
  $("title").textContent = black || white ? `☗ ${playerName("black")} – ☖ ${playerName("white")}` : header("表題") || header("棋戦") || file;
  $("subtitle").textContent = [header("棋戦"), header("開始日時"), file, ending && said.ending[ending]].filter(Boolean).join(" · ");
  $("black-name").textContent = playerName("black");
  $("white-name").textContent = playerName("white");
  for (const id of ["lines", "graph", "notes", "mates", "moves"]) $(`${id}-title`).textContent = said[id];
  for (const id of ["first", "back", "forward", "last", "flip"]) Object.assign($(id), { title: said[id], ariaLabel: said[id] });
  $("hint").textContent = said.hint;
  $("footer").textContent = said.footer;
  $("language").textContent = said.other;
  $("theme").textContent = said.theme[state.theme];
  $("scale").textContent = state.byWin ? said.byWin : said.byValue;
  showMoves();
  showPlayers();
  showNotes();
  show();
}

function showTheme() {
  const dark = state.theme === "dark" || (state.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

function connect() {
  $("first").onclick = () => goTo(0);
  $("last").onclick = () => goTo(Infinity);
  $("back").onclick = () => step(-1);
  $("forward").onclick = () => step(1);
  $("flip").onclick = () => { state.flipped = !state.flipped; document.querySelector(".play").classList.toggle("flipped", state.flipped); show(); };
  $("scale").onclick = () => { state.byWin = !state.byWin; showAll(); };
  $("language").onclick = () => { state.language = state.language === "ja" ? "en" : "ja"; showAll(); };
  $("theme").onclick = () => { state.theme = { auto: "light", light: "dark", dark: "auto" }[state.theme]; showTheme(); showAll(); };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    const action = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => goTo(0), End: () => goTo(Infinity), Escape: () => goTo(state.ply) }[event.key];
    if (action) { event.preventDefault(); action(); }
  });
  const graph = $("graph");
  const follow = (event) => goTo(graphPly(graph, event, game().positions.length));
  graph.addEventListener("pointerdown", (event) => { graph.setPointerCapture(event.pointerId); follow(event); });
  graph.addEventListener("pointermove", (event) => { if (event.buttons) follow(event); });
  let startX = null;
  const board = $("board");
  board.addEventListener("pointerdown", (event) => { startX = event.clientX; });
  addEventListener("pointerup", (event) => {
    if (startX === null) return;
    const distance = event.clientX - startX;
    startX = null;
    if (Math.abs(distance) > 30) return step(distance < 0 ? 1 : -1);
    // A tap on the right half goes forward, one on the left half goes back.
    const box = board.getBoundingClientRect();
    step(event.clientX > box.left + box.width / 2 ? 1 : -1);
  });
  addEventListener("resize", () => drawGraph(graph, game().positions, state.ply, state.byWin));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);
  if (DATA.games.length > 1) {
    const select = $("game");
    select.hidden = false;
    DATA.games.forEach((one, index) => select.append(make("option", { value: index, textContent: `${one.number}. ${one.black || "☗"} – ${one.white || "☖"}` })));
    select.onchange = () => { state.game = Number(select.value); state.ply = 0; state.line = null; showAll(); };
  }
}

// A link may name a position: page.html#game=2&ply=33&lang=en&theme=dark
function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const number = (name) => Math.max(0, Number.parseInt(asked.get(name) || "0", 10) || 0);
  state.game = Math.max(0, Math.min(DATA.games.length, number("game") || 1) - 1);
  state.ply = Math.min(game().positions.length - 1, number("ply"));
  if (WORDS[asked.get("lang")]) state.language = asked.get("lang");
  if (["light", "dark"].includes(asked.get("theme"))) state.theme = asked.get("theme");
  $("game").value = state.game;
}

connect();
readAddress();
showTheme();
showAll();
