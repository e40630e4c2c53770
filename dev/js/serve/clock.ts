import { createHash, randomBytes } from "node:crypto";

import { Failure } from "../commands/failure.js";
import type { DataFolder } from "./data-folder.js";

/** How often the time is stored. */
const SAVE_EVERY_MS = 10_000;

/** The service's clock: the machine's plus an offset, which is kept over restarts. */
export class Clock {
  readonly #folder: DataFolder;
  readonly #offset: number;
  readonly #starts: number;
  #saved = 0;

  /** Starts the clock, at a time if it is given. Throws a `Failure` if the data is of a later time. */
  constructor(folder: DataFolder, at: number | undefined) {
    const { offset_ms = 0, latest = 0, starts = 0 } = folder.clock ?? {};
    if (at !== undefined && at < latest) {
      throw new Failure(`--now cannot go back: the data is of ${new Date(latest).toISOString()}. --fresh deletes it and starts over.`);
    }
    this.#folder = folder;
    this.#offset = at === undefined ? offset_ms : at - Date.now();
    this.#starts = starts + 1;
    this.save();
  }

  /** Unix milliseconds. */
  now(): number {
    return Date.now() + this.#offset;
  }

  /** Number of this start, from 1. */
  get starts(): number {
    return this.#starts;
  }

  /** Stores the time. */
  save(): void {
    this.#saved = Date.now();
    this.#folder.clock = { offset_ms: this.#offset, latest: this.now(), starts: this.#starts };
  }

  /** Stores the time, unless that was done just now. */
  saveSometimes(): void {
    if (Math.abs(Date.now() - this.#saved) > SAVE_EVERY_MS) this.save();
  }
}

/** Returns 32 bytes in hex for each call: random, or by a seed and the number of the start, and then the same each time. */
export function seedsOf(seed: number | undefined, start: number): () => string {
  if (seed === undefined) return () => randomBytes(32).toString("hex");
  let calls = 0;
  return () => {
    calls += 1;
    return createHash("sha256").update(`${seed} ${start} ${calls}`).digest("hex");
  };
}
