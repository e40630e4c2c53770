import { closeSync, constants, fdatasyncSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

import type { SandboxFile, SandboxFiles } from "settlekit/sandbox";

/** A link of a file's name would lead to a file of another program. Windows has no such flag. */
const FLAGS = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/** Told of a failed call, and of the first that succeeds again. */
export type Watcher = (failure: NodeJS.ErrnoException | undefined) => void;

/** The files of a sandbox in a folder. Only their owner can read them. */
export class FolderFiles implements SandboxFiles {
  readonly #folder: string;
  readonly #watcher: Watcher;
  #isFailing = false;

  constructor(folder: string, watcher: Watcher = () => {}) {
    this.#folder = folder;
    this.#watcher = watcher;
  }

  open(name: string): SandboxFile {
    const path = join(this.#folder, name);
    const isNew = !existsSync(path);
    const file = this.#watch(() => openSync(path, FLAGS, 0o600));
    if (isNew) flushFolder(this.#folder);
    return {
      size: () => this.#watch(() => fstatSync(file).size),
      read: (at, into) => this.#watch(() => readAll(file, at, into)),
      write: (at, bytes) => this.#watch(() => writeAll(file, at, bytes), true),
      truncate: (size) => this.#watch(() => ftruncateSync(file, size)),
      flush: () => this.#watch(() => fdatasyncSync(file)),
      close: () => closeSync(file),
    };
  }

  exists(name: string): boolean {
    return existsSync(join(this.#folder, name));
  }

  delete(name: string): void {
    this.#watch(() => rmSync(join(this.#folder, name), { force: true }));
    flushFolder(this.#folder);
  }

  /** Runs a call; only a successful write shows that a full disk has room again. */
  #watch<T>(call: () => T, isWrite = false): T {
    let result: T;
    try {
      result = call();
    } catch (error) {
      this.#isFailing = true;
      this.#watcher(error as NodeJS.ErrnoException);
      throw error;
    }
    if (this.#isFailing && isWrite) {
      this.#isFailing = false;
      this.#watcher(undefined);
    }
    return result;
  }
}

function readAll(file: number, at: number, into: Uint8Array): number {
  let done = 0;
  while (done < into.length) {
    const read = readSync(file, into, done, into.length - done, at + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}

function writeAll(file: number, at: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
}

/** Makes the names in a folder durable. Windows does so itself and opens no folders. */
export function flushFolder(folder: string): void {
  if (process.platform === "win32") return;
  const file = openSync(folder, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
