// Positions: reading SFEN, playing USI moves, drawing.
const KANJI = { P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉", "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍" };
const HAND_ORDER = ["R", "B", "G", "S", "N", "L", "P"];
const RANKS = "abcdefghi";
const SVG = "http://www.w3.org/2000/svg";

function readSfen(sfen) {
  const [rows, side, hands] = sfen.split(" ");
  const cells = {};
  rows.split("/").forEach((row, y) => {
    let file = 9;
    for (const [, empty, piece] of row.matchAll(/(\d)|(\+?[A-Za-z])/g)) {
      if (empty) file -= Number(empty);
      else cells[`${file--}${RANKS[y]}`] = piece;
    }
  });
  const hand = { b: {}, w: {} };
  if (hands !== "-") {
    for (const [, count, letter] of hands.matchAll(/(\d*)([A-Za-z])/g)) {
      const owner = letter === letter.toUpperCase() ? "b" : "w";
      hand[owner][letter.toUpperCase()] = Number(count || 1);
    }
  }
  return { cells, hand, side, last: null };
}

// The position after a move. The old one is not changed.
function play(position, usi) {
  const next = { cells: { ...position.cells }, hand: { b: { ...position.hand.b }, w: { ...position.hand.w } }, side: position.side === "b" ? "w" : "b", last: usi.slice(2, 4) };
  const hand = next.hand[position.side];
  const to = usi.slice(2, 4);
  if (usi[1] === "*") {
    hand[usi[0]] -= 1;
    next.cells[to] = position.side === "b" ? usi[0] : usi[0].toLowerCase();
    return next;
  }
  const from = usi.slice(0, 2);
  const taken = next.cells[to];
  if (taken) {
    const kind = taken.replace("+", "").toUpperCase();
    hand[kind] = (hand[kind] || 0) + 1;
  }
  const piece = next.cells[from];
  delete next.cells[from];
  next.cells[to] = usi[4] === "+" ? `+${piece}` : piece;
  return next;
}

function element(name, attributes, parent, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

function drawBoard(svg, position, flipped) {
  svg.replaceChildren();
  const [left, top, size] = [12, 22, 50];
  element("rect", { x: left, y: top, width: 9 * size, height: 9 * size, fill: "var(--board)", stroke: "var(--board-line)", "stroke-width": 2 }, svg);
  const place = (square) => {
    const file = Number(square[0]);
    const rank = RANKS.indexOf(square[1]);
    return flipped ? [left + (file - 1) * size, top + (8 - rank) * size] : [left + (9 - file) * size, top + rank * size];
  };
  if (position.last) {
    const [x, y] = place(position.last);
    element("rect", { x, y, width: size, height: size, fill: "var(--last)" }, svg);
  }
  for (let i = 1; i < 9; i++) {
    element("line", { x1: left + i * size, y1: top, x2: left + i * size, y2: top + 9 * size, stroke: "var(--board-line)", "stroke-width": 1 }, svg);
    element("line", { x1: left, y1: top + i * size, x2: left + 9 * size, y2: top + i * size, stroke: "var(--board-line)", "stroke-width": 1 }, svg);
  }
  for (let i = 0; i < 9; i++) {
    const file = flipped ? i + 1 : 9 - i;
    const rank = flipped ? 8 - i : i;
    element("text", { x: left + (i + 0.5) * size, y: 15, "text-anchor": "middle", "font-size": 14, fill: "var(--dim)" }, svg, String(file));
    element("text", { x: left + 9 * size + 14, y: top + (i + 0.5) * size + 5, "text-anchor": "middle", "font-size": 14, fill: "var(--dim)" }, svg, "一二三四五六七八九"[rank]);
  }
  for (const [square, piece] of Object.entries(position.cells)) {
    const [x, y] = place(square);
    const isBlack = piece === piece.toUpperCase();
    const group = element("g", { transform: `translate(${x + size / 2} ${y + size / 2})${isBlack === flipped ? " rotate(180)" : ""}`, "data-square": square, "data-piece": piece }, svg);
    element("path", { d: "M0 -22 L14 -17 L19 21 L-19 21 L-14 -17 Z", fill: isBlack ? "#fff3d6" : "#f3e2bb", stroke: "var(--board-line)", "stroke-width": 0.8 }, group);
    const promoted = piece.startsWith("+");
    element("text", { y: 12, "text-anchor": "middle", "font-size": 30, "font-weight": 600, fill: promoted ? "var(--promoted)" : "var(--piece)" }, group, piece === "k" ? "王" : KANJI[piece.toUpperCase()]);
  }
}

function drawHand(target, hand) {
  target.replaceChildren();
  for (const kind of HAND_ORDER.filter((kind) => hand[kind])) {
    target.append(KANJI[kind]);
    if (hand[kind] > 1) {
      const count = document.createElement("small");
      count.textContent = hand[kind];
      target.append(count);
    }
    target.append(" ");
  }
  if (!target.firstChild) target.append("–");
}
