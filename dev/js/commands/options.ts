import { parseArgs } from "node:util";

import { suggestion, UsageError } from "./failure.js";

/** An option of a command. */
export interface Option {
  name: string;
  /** Placeholder of its value; absent for a flag. */
  value?: string;
  /** Whether it may be repeated. */
  multiple?: boolean;
  /** Its possible values, for completion. */
  values?: readonly string[];
  description: string;
}

/** The values of options, and the other arguments. */
export interface Parsed {
  text(name: string): string | undefined;
  all(name: string): string[];
  flag(name: string): boolean;
  positionals: string[];
}

/** Options of every command that calls the service. */
export const CONNECTION: readonly Option[] = [
  { name: "url", value: "URL", description: "address of the service; default: SETTLEKIT_URL, or the one of `settlekit login`" },
  { name: "api-key", value: "KEY", description: "API key; default: SETTLEKIT_API_KEY, or the one of `settlekit login`" },
  { name: "signing-secret", value: "SECRET", description: "signing secret; default: SETTLEKIT_SIGNING_SECRET, or the one of `settlekit login`" },
  { name: "profile", value: "NAME", description: "profile of `settlekit login`; default: default" },
];

/** How an answer is printed. */
export const OUTPUT: Option = { name: "output", value: "FORMAT", values: ["json", "table"], description: "json or table; default: table in a terminal, else json" };

export const HELP: Option = { name: "help", description: "shows this help" };

/** Parses arguments. Throws a `UsageError` that names an unknown option and the nearest known one. */
export function parseOptions(args: readonly string[], options: readonly Option[]): Parsed {
  const config = Object.fromEntries(
    options.map(({ name, value }) => [name, { type: value === undefined ? ("boolean" as const) : ("string" as const), multiple: true, ...(name === "help" ? { short: "h" } : {}) }]),
  );
  const given = new Map<string, (string | boolean)[]>();
  const positionals: string[] = [];
  // Not strict: the errors of strict parsing name no near option.
  const { tokens } = parseArgs({ args: [...args], options: config, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = options.find(({ name }) => name === token.name);
    if (option === undefined) throw unknownOption(token.rawName, options);
    if (option.value === undefined && token.value !== undefined) throw new UsageError(`${token.rawName} takes no value`);
    const isForgotten = token.value === undefined || (token.inlineValue === false && token.value.startsWith("--"));
    if (option.value !== undefined && isForgotten) throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${option.value}`);
    const values = given.get(option.name) ?? [];
    if (values.length > 0 && !option.multiple && option.value !== undefined) throw new UsageError(`${token.rawName} is given twice`);
    values.push(token.value ?? true);
    given.set(option.name, values);
  }
  return {
    text: (name) => given.get(name)?.[0] as string | undefined,
    all: (name) => (given.get(name) ?? []) as string[],
    flag: (name) => given.has(name),
    positionals,
  };
}

function unknownOption(written: string, options: readonly Option[]): UsageError {
  const known = options.map(({ name }) => `--${name}`);
  return new UsageError(`${written} is not an option of this command${suggestion(written, known)}`);
}

/** Width of a help text. */
const WIDTH = 110;

/** Aligned lines of options for a help text. */
export function describeOptions(options: readonly Option[]): string[] {
  const left = options.map(({ name, value }) => `--${name}${value === undefined ? "" : ` ${value}`}`);
  const width = Math.min(34, Math.max(...left.map((text) => text.length)));
  return options.flatMap(({ description }, index) => {
    const option = left[index] as string;
    const [first = "", ...rest] = wrapped(description, WIDTH - width - 4);
    const more = rest.map((line) => `  ${"".padEnd(width)}  ${line}`);
    if (option.length > width) return [`  ${option}`, `  ${"".padEnd(width)}  ${first}`.trimEnd(), ...more];
    return [`  ${option.padEnd(width)}  ${first}`.trimEnd(), ...more];
  });
}

/** A text in lines of at most `width` characters. */
export function wrapped(text: string, width = WIDTH): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
