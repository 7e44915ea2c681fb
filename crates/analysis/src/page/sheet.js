// Problems to be solved. Each has its own board, and its solution is shown move by move.
const WORDS = {
  ja: {
    title: (count) => `詰将棋 ${count}問`, number: (number) => `第${number}問`, length: (plies) => `${plies}手詰`,
    subtitle: "「次の手」で一手ずつ、「解答」で手順をすべて表示します。", attacker: "攻方 持駒", defender: "玉方", rest: "残り全部", none: "なし",
    back: "戻る", next: "次の手", all: "解答", hide: "隠す", mate: "まで", print: "印刷", other: "English", answers: "解答",
    theme: { auto: "自動", light: "明", dark: "暗" }, footer: "Tsumero による作成・検討。",
  },
  en: {
    title: (count) => (count === 1 ? "A mate problem" : `${count} mate problems`), number: (number) => `Problem ${number}`, length: (plies) => `mate in ${plies}`,
    subtitle: "“Next” shows the solution move by move, “Solution” all of it.", attacker: "Attacker's hand", defender: "Defender's hand", rest: "all the rest", none: "none",
    back: "Back", next: "Next", all: "Solution", hide: "Hide", mate: "mate", print: "Print", other: "日本語", answers: "Solutions",
    theme: { auto: "auto", light: "light", dark: "dark" }, footer: "Made and checked by Tsumero.",
  },
};
const DATA = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
// For each problem: the move shown on the board, and how many moves have been revealed.
const state = { language: DATA.language, theme: "auto", problems: DATA.problems.map(() => ({ step: 0, seen: 0 })) };
const words = () => WORDS[state.language];
const FULL_SET = { R: 2, B: 2, G: 4, S: 4, N: 4, L: 4, P: 18 };

function make(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// Whether a side holds all pieces that are neither on the board nor in the other's hand.
function holdsTheRest(position, side) {
  const count = { ...position.hand.b };
  for (const [kind, held] of Object.entries(position.hand.w)) count[kind] = (count[kind] || 0) + held;
  for (const piece of Object.values(position.cells)) {
    const kind = piece.replace("+", "").toUpperCase();
    count[kind] = (count[kind] || 0) + 1;
  }
  return HAND_ORDER.every((kind) => (count[kind] || 0) === FULL_SET[kind]) && HAND_ORDER.some((kind) => position.hand[side][kind]);
}

function holder(who, fill) {
  const hand = make("span", { className: "hand" });
  fill(hand);
  return make("div", { className: "holder" }, make("span", { className: "who", textContent: who }), hand);
}

function showHand(target, hand) {
  drawHand(target, hand);
  if (!HAND_ORDER.some((kind) => hand[kind])) target.textContent = words().none;
}

function goTo(index, step) {
  const one = state.problems[index];
  one.step = Math.max(0, Math.min(DATA.problems[index].moves.length, step));
  one.seen = Math.max(one.seen, one.step);
  show(index);
}

function reveal(index) {
  const one = state.problems[index];
  const all = DATA.problems[index].moves.length;
  if (one.seen === all) Object.assign(one, { seen: 0, step: 0 });
  else one.seen = all;
  show(index);
}

function show(index) {
  const problem = DATA.problems[index];
  const { step, seen } = state.problems[index];
  const start = readSfen(problem.sfen);
  const [attacker, defender] = start.side === "b" ? ["b", "w"] : ["w", "b"];
  const position = problem.moves.slice(0, step).reduce((before, move) => play(before, move.usi), start);
  const said = words();
  const svg = element("svg", { viewBox: "0 0 490 490", role: "img", "aria-label": said.number(problem.number) });
  drawBoard(svg, position, attacker === "w");
  const defended = (target) => (holdsTheRest(position, defender) ? (target.textContent = said.rest) : showHand(target, position.hand[defender]));
  const button = (text, className, disabled, onclick) => make("button", { type: "button", textContent: text, className, disabled, onclick });
  const moves = problem.moves.slice(0, seen).map((move, at) =>
    make("li", {}, button(move[state.language], at + 1 === step ? "step here" : "step", false, () => goTo(index, at + 1))),
  );
  if (seen === problem.moves.length) moves.push(make("li", { className: "mate", textContent: said.mate }));
  const card = $("problems").children[index];
  card.replaceChildren(
    make("header", {}, make("h2", { textContent: [said.number(problem.number), problem.name].filter(Boolean).join(" ") }), make("span", { className: "length", textContent: said.length(problem.moves.length) })),
    holder(said.defender, defended),
    svg,
    holder(said.attacker, (target) => showHand(target, position.hand[attacker])),
    make(
      "div",
      { className: "controls" },
      button(said.back, "back", step === 0, () => goTo(index, step - 1)),
      make("output", { textContent: `${step} / ${problem.moves.length}` }),
      button(said.next, "next", step === problem.moves.length, () => goTo(index, step + 1)),
      button(seen === problem.moves.length ? said.hide : said.all, "all", false, () => reveal(index)),
    ),
    make("ol", { className: "solution" }, ...moves),
  );
}

function showAll() {
  const said = words();
  document.documentElement.lang = state.language;
  $("title").textContent = said.title(DATA.problems.length);
  document.title = `${said.title(DATA.problems.length)} – Tsumero`;
  $("subtitle").textContent = said.subtitle;
  $("footer").textContent = said.footer;
  $("print").textContent = said.print;
  $("language").textContent = said.other;
  $("theme").textContent = said.theme[state.theme];
  $("answers-title").textContent = said.answers;
  $("problems").replaceChildren(...DATA.problems.map(() => make("article", { className: "card problem" })));
  // This list is only shown in print.
  $("answers-list").replaceChildren(...DATA.problems.map((problem) => make("li", { value: problem.number, textContent: problem.moves.map((move) => move[state.language]).join(" ") })));
  DATA.problems.forEach((_, index) => show(index));
}

function showTheme() {
  const dark = state.theme === "dark" || (state.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

$("print").onclick = () => print();
$("language").onclick = () => { state.language = state.language === "ja" ? "en" : "ja"; showAll(); };
$("theme").onclick = () => { state.theme = { auto: "light", light: "dark", dark: "auto" }[state.theme]; showTheme(); showAll(); };
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);

// A link may contain settings: sheet.html#lang=en&theme=dark&step=2, which reveals two moves of each problem.
const asked = new URLSearchParams(location.hash.slice(1));
if (WORDS[asked.get("lang")]) state.language = asked.get("lang");
if (["light", "dark"].includes(asked.get("theme"))) state.theme = asked.get("theme");
showTheme();
showAll();
const first = Number.parseInt(asked.get("step") || "0", 10) || 0;
if (first > 0) DATA.problems.forEach((_, index) => goTo(index, first));
