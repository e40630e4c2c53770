// Parts of a drawing. Colours come from the page's style sheet, so a drawing follows light and dark.

/** Width of a letter of the drawing's font at 13 pixels; letters differ little enough for boxes. */
const LETTER = 6.9;
export const LINE = 18;

export const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Lines of a label: at `<br/>`, and where a line would be longer than `width`. */
export function wrapped(text, width = Infinity) {
  const letters = Math.max(8, Math.floor(width / LETTER));
  return text.split(/<br\s*\/?>/).flatMap((part) => {
    const lines = [""];
    for (const word of part.trim().split(/\s+/)) {
      const last = lines.at(-1);
      if (last !== "" && last.length + 1 + word.length > letters) lines.push(word);
      else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
    }
    return lines;
  });
}

export const widthOf = (lines) => Math.max(...lines.map((line) => line.length)) * LETTER;

/** Lines of text, centred at a point. */
export function label(lines, x, y, kind = "") {
  const top = y - ((lines.length - 1) * LINE) / 2;
  return lines.map((line, at) => `<text x="${round(x)}" y="${round(top + at * LINE)}" class="label ${kind}">${escaped(line)}</text>`).join("");
}

export const round = (number) => Math.round(number * 10) / 10;

export const box = ({ x, y, width, height, kind = "", radius = 6 }) =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${radius}" class="box ${kind}"/>`;

/** A line through points, rounded at its bends, with an arrow at its end. */
export function arrow(points, kind = "") {
  const [first, ...rest] = points;
  const middle = (one, other) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
  let path = `M${round(first.x)} ${round(first.y)}`;
  rest.forEach((point, at) => {
    const next = rest[at + 1];
    if (next === undefined) path += `L${round(point.x)} ${round(point.y)}`;
    else if (at === rest.length - 2) path += `Q${round(point.x)} ${round(point.y)} ${round(next.x)} ${round(next.y)}`;
    else {
      const half = middle(point, next);
      path += `Q${round(point.x)} ${round(point.y)} ${round(half.x)} ${round(half.y)}`;
    }
  });
  // The last bend has drawn up to the end.
  if (rest.length > 1) path = path.replace(/L[^LQ]*$/, "");
  return `<path d="${path}" class="edge ${kind}"/>${head(points.at(-2), points.at(-1))}`;
}

function head(from, to) {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const at = (turn) => `${round(to.x - 8 * Math.cos(angle + turn))},${round(to.y - 8 * Math.sin(angle + turn))}`;
  return `<polygon points="${round(to.x)},${round(to.y)} ${at(0.4)} ${at(-0.4)}" class="head"/>`;
}

/** A drawing up to this width is made smaller on a screen, where its text stays readable; a wider one scrolls. */
const SHRINKS_MAX = 900;

/** The whole drawing, with its content as text for those who do not see it. */
export function drawing({ width, height, title, description, body }) {
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  const named = `<title>${escaped(title)}</title><desc>${escaped(description)}</desc>`;
  return `<figure class="diagram${w <= SHRINKS_MAX ? " shrinks" : ""}" tabindex="0"><svg viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img" aria-label="${escaped(`${title}. ${description}`)}">${named}${body}</svg></figure>`;
}
