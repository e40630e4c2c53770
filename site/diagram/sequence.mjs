// Sequence diagrams.

import { arrow, box, drawing, label, LINE, round, widthOf, wrapped } from "./svg.mjs";

const MARGIN = 10;
const HEAD = { width: 150, padding: 14 };
const GAP = 30;
const TEXT_MAX = 180;

function read(lines) {
  const participants = [];
  const steps = [];
  for (const line of lines) {
    const named = line.match(/^participant (\w+)(?: as (.*))?$/);
    const message = line.match(/^(\w+)(-->>|->>)(\w+): (.*)$/);
    const note = line.match(/^Note over (\w+)(?:,(\w+))?: (.*)$/);
    const frame = line.match(/^(alt|else|opt|loop|end)(?: (.*))?$/);
    if (named) participants.push({ id: named[1], text: named[2] ?? named[1] });
    else if (message) steps.push({ kind: "message", from: message[1], isAnswer: message[2] === "-->>", to: message[3], text: message[4] });
    else if (note) steps.push({ kind: "note", from: note[1], to: note[2] ?? note[1], text: note[3] });
    else if (frame) steps.push({ kind: frame[1], text: frame[2] ?? "" });
    else throw new Error(`this line of a diagram cannot be drawn: ${line}`);
  }
  return { participants, steps };
}

/** Columns with room for the texts between them. */
function columns(participants, steps) {
  const place = new Map(participants.map(({ id }, at) => [id, at]));
  const gaps = participants.slice(1).map(() => 110);
  for (const { kind, from, to, text } of steps) {
    if (kind !== "message") continue;
    const [one, other] = [place.get(from), place.get(to)].sort((first, second) => first - second);
    const need = Math.min(TEXT_MAX, widthOf(wrapped(text, TEXT_MAX))) + 28;
    if (one === other) gaps[Math.min(one, gaps.length - 1)] = Math.max(gaps[Math.min(one, gaps.length - 1)], need + 20);
    else if (other - one === 1) gaps[one] = Math.max(gaps[one], need);
  }
  const heads = participants.map(({ text }) => wrapped(text, HEAD.width));
  const widths = heads.map((rows) => widthOf(rows) + 2 * HEAD.padding);
  let x = MARGIN + widths[0] / 2;
  const centres = participants.map((_, at) => {
    if (at > 0) x += Math.max(gaps[at - 1], (widths[at - 1] + widths[at]) / 2 + 16);
    return x;
  });
  return { heads, widths, at: (id) => centres[place.get(id)], centres };
}

export function sequence(lines) {
  const { participants, steps } = read(lines);
  const { heads, widths, at, centres } = columns(participants, steps);
  const headHeight = Math.max(...heads.map((rows) => rows.length)) * LINE + 14;
  const [parts, frames, open] = [[], [], []];
  let y = MARGIN + headHeight + 12;
  // A message of a column to itself needs room at its right.
  const loops = steps.filter(({ kind, from, to }) => kind === "message" && from === to).map(({ from, text }) => at(from) + 34 + widthOf(wrapped(text, TEXT_MAX)) + 8);
  const right = Math.max(centres.at(-1) + widths.at(-1) / 2, ...loops) + MARGIN;
  for (const step of steps) {
    if (step.kind === "message") {
      const rows = wrapped(step.text, step.from === step.to ? TEXT_MAX : Math.max(90, Math.abs(at(step.to) - at(step.from)) - 20));
      y += rows.length * LINE;
      if (step.from === step.to) {
        const x = at(step.from);
        parts.push(rows.map((row, index) => label([row], x + 34 + widthOf([row]) / 2, y - (rows.length - 1 - index) * LINE, "start-at")).join(""));
        parts.push(arrow([{ x, y: y - 8 }, { x: x + 26, y: y - 8 }, { x: x + 26, y: y + 8 }, { x: x + 3, y: y + 8 }]));
        y += 16;
      } else {
        const [from, to] = [at(step.from), at(step.to)];
        parts.push(label(rows, (from + to) / 2, y - ((rows.length - 1) * LINE) / 2 - 4));
        y += 6;
        parts.push(arrow([{ x: from, y }, { x: to + (to > from ? -3 : 3), y }], step.isAnswer ? "answer" : ""));
        y += 8;
      }
    } else if (step.kind === "note") {
      const [from, to] = [at(step.from), at(step.to)].sort((one, other) => one - other);
      const width = Math.max(140, to - from + 60);
      const rows = wrapped(step.text, width - 16);
      const height = rows.length * LINE + 10;
      parts.push(box({ x: (from + to) / 2 - width / 2, y: y + 4, width, height, kind: "note" }) + label(rows, (from + to) / 2, y + 4 + height / 2));
      y += height + 12;
    } else if (step.kind === "end") {
      const { top, dividers } = open.pop();
      y += 10;
      frames.push(box({ x: MARGIN / 2, y: top, width: right - MARGIN, height: y - top, kind: "frame" }));
      frames.push(...dividers.map((at) => `<path d="M${MARGIN / 2} ${round(at)}H${round(right - MARGIN / 2)}" class="edge answer"/>`));
      y += 8;
    } else {
      y += 10;
      if (step.kind === "else") open.at(-1).dividers.push(y);
      else open.push({ top: y, dividers: [] });
      const text = `${step.kind === "else" ? "else" : step.kind} ${step.text}`.trim();
      y += LINE;
      parts.push(label([text], MARGIN + 6 + widthOf([text]) / 2, y - 4, "soft"));
      y += 2;
    }
  }
  const bottom = y + GAP / 2;
  const lifelines = centres.map((x) => `<path d="M${round(x)} ${MARGIN + headHeight}V${round(bottom)}" class="lifeline"/>`);
  const tops = heads.map((rows, index) => box({ x: centres[index] - widths[index] / 2, y: MARGIN, width: widths[index], height: headHeight }) + label(rows, centres[index], MARGIN + headHeight / 2));
  const name = new Map(participants.map(({ id, text }) => [id, text]));
  const described = steps.filter(({ kind }) => kind === "message").map(({ from, to, text }) => `${name.get(from)} to ${name.get(to)}: ${text}`).join("; ");
  return drawing({ width: right, height: bottom + 6, title: "Sequence diagram", description: described, body: [...lifelines, ...frames, ...parts, ...tops].join("") });
}
