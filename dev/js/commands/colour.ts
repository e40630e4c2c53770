import type { Io } from "../command.js";

/** Colours of a terminal; without one, or with NO_COLOR, texts stay as they are. */
export interface Paint {
  green(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  bold(text: string): string;
  dim(text: string): string;
}

export function paintOf({ env, isTty }: Pick<Io, "env" | "isTty">): Paint {
  const isPlain = !isTty || (env["NO_COLOR"] ?? "") !== "";
  const paint = (on: number, off: number) => (text: string): string => (isPlain ? text : `\u001b[${on}m${text}\u001b[${off}m`);
  return { green: paint(32, 39), red: paint(31, 39), yellow: paint(33, 39), bold: paint(1, 22), dim: paint(2, 22) };
}
