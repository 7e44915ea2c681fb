// The graph: Black's win rate, or the value up to a limit.
const GRAPH = { width: 600, height: 220, left: 34, right: 8, top: 8, bottom: 18, limit: 3000 };

// The height of a position in the graph, from 0 (White has won) to 1 (Black has won).
function graphHeight(position, byWin) {
  if (position.winner) return position.winner === "black" ? 1 : 0;
  if (byWin) return position.win / 100;
  const cp = Math.max(-GRAPH.limit, Math.min(GRAPH.limit, position.cp));
  return 0.5 + cp / (2 * GRAPH.limit);
}

function graphX(index, count) {
  const width = GRAPH.width - GRAPH.left - GRAPH.right;
  return GRAPH.left + (count > 1 ? (index * width) / (count - 1) : 0);
}

function drawGraph(svg, positions, current, byWin) {
  // The drawing has the width of its element, so that letters are not distorted.
  GRAPH.width = Math.max(280, svg.clientWidth || 600);
  svg.setAttribute("viewBox", `0 0 ${GRAPH.width} ${GRAPH.height}`);
  svg.replaceChildren();
  const y = (height) => GRAPH.top + (1 - height) * (GRAPH.height - GRAPH.top - GRAPH.bottom);
  const right = GRAPH.width - GRAPH.right;
  element("rect", { x: GRAPH.left, y: y(1), width: right - GRAPH.left, height: y(0) - y(1), fill: "var(--white-side)" }, svg);
  const points = positions.map((position, index) => [graphX(index, positions.length), y(graphHeight(position, byWin))]);
  const line = points.map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`).join(" L");
  element("path", { d: `M${GRAPH.left} ${y(0)} L${line} L${points[points.length - 1][0].toFixed(1)} ${y(0)} Z`, fill: "var(--black-side)", opacity: 0.82 }, svg);
  element("path", { d: `M${line}`, fill: "none", stroke: "var(--accent)", "stroke-width": 1.8, "stroke-linejoin": "round" }, svg);
  for (const height of [0, 0.25, 0.5, 0.75, 1]) {
    element("line", { x1: GRAPH.left, x2: right, y1: y(height), y2: y(height), stroke: "var(--dim)", "stroke-width": height === 0.5 ? 1 : 0.4, "stroke-dasharray": height === 0.5 ? "none" : "2 4" }, svg);
    const label = byWin ? `${height * 100}%` : String((height - 0.5) * 2 * GRAPH.limit);
    element("text", { x: GRAPH.left - 4, y: y(height) + 4, "text-anchor": "end" }, svg, label);
  }
  const step = [10, 20, 50, 100, 200, 500, 1000, 2000].find((step) => positions.length / step <= GRAPH.width / 60) || 5000;
  for (let index = 0; index < positions.length; index += step) {
    element("text", { x: graphX(index, positions.length), y: GRAPH.height - 4, "text-anchor": "middle" }, svg, String(index));
  }
  positions.forEach((position, index) => {
    const before = positions[index - 1];
    const note = before && before.note;
    const [cx, cy] = points[index];
    const attributes = { cx, cy, r: note ? 4 : 0.01, class: "point", "data-ply": index, "data-height": graphHeight(position, byWin).toFixed(4) };
    if (position.cp !== null) attributes["data-cp"] = position.cp;
    if (position.mate !== null) attributes["data-mate"] = position.mate;
    if (note) Object.assign(attributes, { fill: `var(--${note === "missed_mate" ? "missed" : note})`, stroke: "var(--card)", "stroke-width": 1 });
    element("circle", attributes, svg);
    if (before && before.turns) {
      element("path", { d: `M${cx - 5} ${GRAPH.top} L${cx + 5} ${GRAPH.top} L${cx} ${GRAPH.top + 8} Z`, fill: "var(--accent)" }, svg);
    }
  });
  const [x] = points[current];
  element("line", { x1: x, x2: x, y1: y(1), y2: y(0), stroke: "var(--accent)", "stroke-width": 1.5, class: "cursor" }, svg);
}

// The position under a finger or pointer.
function graphPly(svg, event, count) {
  const box = svg.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * GRAPH.width;
  const share = (x - GRAPH.left) / (GRAPH.width - GRAPH.left - GRAPH.right);
  return Math.max(0, Math.min(count - 1, Math.round(share * (count - 1))));
}
