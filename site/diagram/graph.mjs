// State diagrams and graphs: boxes and arrows, laid out in layers.

import dagre from "@dagrejs/dagre";

import { arrow, box, drawing, label, LINE, widthOf, wrapped } from "./svg.mjs";

const MARGIN = 8;
const START = "[*]";

/** The nodes and edges of a state diagram. */
function readStates(lines) {
  const edges = lines.map((line) => {
    const [, from, to] = line.match(/^(\S+) --> (\S+)$/) ?? unknown(line);
    return { from, to };
  });
  const names = new Set(edges.flatMap(({ from, to }) => [from, to]));
  return { nodes: [...names].map((id) => ({ id, text: id })), edges };
}

/** The nodes and edges of `graph`. */
function readGraph(lines) {
  const nodes = new Map();
  const node = (text) => {
    const [, id, , quoted] = text.match(/^(\w+)(\["(.*)"\])?$/) ?? unknown(text);
    if (quoted !== undefined || !nodes.has(id)) nodes.set(id, { id, text: quoted ?? nodes.get(id)?.text ?? id });
    return id;
  };
  const edges = [];
  for (const line of lines) {
    const [, from, , text, to] = line.match(/^(\w+(?:\[".*?"\])?)(?: --> | -->(\|(.*?)\| ))(\w+(?:\[".*?"\])?)$/) ?? [];
    if (from === undefined) node(line);
    else edges.push({ from: node(from), to: node(to), text });
  }
  return { nodes: [...nodes.values()], edges };
}

function unknown(line) {
  throw new Error(`this line of a diagram cannot be drawn: ${line}`);
}

/** Draws a state diagram or a graph. */
export function graph(kind, lines) {
  const isStates = kind === "stateDiagram-v2";
  const { nodes, edges } = isStates ? readStates(lines) : readGraph(lines);
  const layout = new dagre.graphlib.Graph({ multigraph: true });
  layout.setGraph({ rankdir: kind.endsWith("LR") ? "LR" : "TB", nodesep: 28, ranksep: isStates ? 40 : 48, edgesep: 14, marginx: MARGIN, marginy: MARGIN });
  layout.setDefaultEdgeLabel(() => ({}));
  const sized = new Map(nodes.map(({ id, text }) => {
    const rows = wrapped(text, 190);
    return [id, id === START ? { rows: [], width: 14, height: 14 } : { rows, width: Math.max(60, widthOf(rows) + 24), height: rows.length * LINE + 16 }];
  }));
  for (const [id, { width, height }] of sized) layout.setNode(id, { width, height });
  edges.forEach(({ from, to, text }, at) => {
    const rows = text ? wrapped(text, 120) : [];
    layout.setEdge(from, to, text ? { width: widthOf(rows) + 8, height: rows.length * LINE, labelpos: "c", rows } : {}, String(at));
  });
  dagre.layout(layout);
  const drawn = layout.edges().map((edge) => {
    const { points, rows, x, y } = layout.edge(edge);
    return arrow(points) + (rows ? box({ x: x - widthOf(rows) / 2 - 4, y: y - (rows.length * LINE) / 2, width: widthOf(rows) + 8, height: rows.length * LINE, kind: "back", radius: 2 }) + label(rows, x, y, "soft") : "");
  });
  const boxes = nodes.map(({ id }) => {
    const { x, y, width, height } = layout.node(id);
    if (id === START) return `<circle cx="${x}" cy="${y}" r="7" class="start"/>`;
    return box({ x: x - width / 2, y: y - height / 2, width, height }) + label(sized.get(id).rows, x, y);
  });
  const { width, height } = layout.graph();
  const described = edges.map(({ from, to, text }) => `${from === START ? "start" : from} to ${to}${text ? `: ${text}` : ""}`).join(", ");
  return drawing({ width, height, title: isStates ? "State diagram" : "Diagram", description: described, body: [...drawn, ...boxes].join("") });
}
