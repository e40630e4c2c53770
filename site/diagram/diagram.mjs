// Draws the subset of Mermaid that the documents use, at build time. GitHub draws the same text with Mermaid itself.

import { graph } from "./graph.mjs";
import { sequence } from "./sequence.mjs";

/** The SVG of a diagram. An unknown line is an error, so that nothing is left out silently. */
export function diagram(text) {
  const [kind, ...lines] = text.split("\n").map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("%%"));
  if (kind === "sequenceDiagram") return sequence(lines);
  if (kind === "stateDiagram-v2" || /^graph (TD|TB|LR)$/.test(kind)) return graph(kind, lines);
  throw new Error(`a diagram of kind ${kind} cannot be drawn`);
}
