/** A number in its own digits. */
export class RawNumber {
  constructor(readonly text: string) {}
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SPACE = /[ \t\n\r]*/y;

/**
 * Parses JSON and keeps the digits of numbers, which `JSON.parse` rounds: an integer that a number holds exactly is a number, any
 * other is a `RawNumber`.
 */
export function parseExact(text: string): unknown {
  let at = 0;
  const fail = (): never => {
    throw new SyntaxError(`not JSON at character ${at + 1}`);
  };
  const match = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return fail();
    at += found.length;
    return found;
  };
  const take = (sign: string): boolean => {
    match(SPACE);
    if (text[at] !== sign) return false;
    at += 1;
    return true;
  };
  const value = (): unknown => {
    match(SPACE);
    const sign = text[at];
    if (sign === '"') return JSON.parse(match(STRING)) as string;
    if (take("{")) {
      const object: Record<string, unknown> = {};
      if (take("}")) return object;
      do {
        match(SPACE);
        const name = JSON.parse(match(STRING)) as string;
        if (!take(":")) fail();
        // `__proto__` is a field like any other.
        Object.defineProperty(object, name, { value: value(), enumerable: true, writable: true, configurable: true });
      } while (take(","));
      if (!take("}")) fail();
      return object;
    }
    if (take("[")) {
      const list: unknown[] = [];
      if (take("]")) return list;
      do list.push(value());
      while (take(","));
      if (!take("]")) fail();
      return list;
    }
    for (const [word, known] of [["true", true], ["false", false], ["null", null]] as const) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return known;
      }
    }
    const digits = match(NUMBER);
    const number = Number(digits);
    return Number.isSafeInteger(number) && String(number) === digits ? number : new RawNumber(digits);
  };
  const parsed = value();
  match(SPACE);
  return at === text.length ? parsed : fail();
}

/** Writes what `parseExact` returned, with the same digits and order. */
export function writeExact(value: unknown): string {
  if (value instanceof RawNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeExact).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value).map(([name, value]) => `${JSON.stringify(name)}:${writeExact(value)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** What `parseExact` returned, with each exact number as text, as the client takes it. */
export function withTexts(value: unknown): unknown {
  if (value instanceof RawNumber) return value.text;
  if (Array.isArray(value)) return value.map(withTexts);
  if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value).map(([name, value]) => [name, withTexts(value)]));
  return value;
}
