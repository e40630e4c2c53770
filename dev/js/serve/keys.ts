import type { Io } from "../command.js";
import { printable } from "../commands/printable.js";

/** What a key does: returns a line to show. */
export type Act = () => Promise<string> | string;

/** A key of the terminal. */
export interface Key {
  key: string;
  description: string;
  act: Act;
}

const END_OF_TEXT = "\u0003";
const END_OF_TRANSMISSION = "\u0004";

/**
 * Reads keys from a terminal until one ends the program. Returns a function that gives the terminal back.
 *
 * Keys wait for each other: a second `p` pays when the first has paid.
 */
export function readKeys({ stdin }: Pick<Io, "stdin">, keys: readonly Key[], show: (line: string) => void, quit: () => void): () => void {
  let last: Promise<void> = Promise.resolve();
  const press = (name: string): void => {
    const key = keys.find(({ key }) => key === name);
    if (key === undefined) return;
    last = last.then(async () => {
      try {
        show(await key.act());
      } catch (error) {
        show(printable(error instanceof Error ? error.message : String(error)));
      }
    });
  };
  const read = (text: string): void => {
    for (const letter of text) {
      if (letter === "q" || letter === END_OF_TEXT || letter === END_OF_TRANSMISSION) return quit();
      press(letter);
    }
  };
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.on("data", read);
  stdin.resume();
  return () => {
    stdin.off("data", read);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
