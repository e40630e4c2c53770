import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

import { Failure } from "../commands/failure.js";
import { printable } from "../commands/printable.js";
import { flushFolder } from "./folder-files.js";
import { type Owner, releaseLock, takeLock } from "./lock.js";

/** What the first start printed, for later starts and for the commands in the same folder. */
export interface Credentials {
  url: string;
  org_id: string;
  api_key: string;
  signing_secret: string;
  email: string;
  password: string;
  webhook_public_key: string;
  /** Payer's page of the first payment link. */
  paylink_url?: string;
  /** Whether the data began with the demo. */
  demo: boolean;
  /** Whether the member with this sign-in exists: hashing a password takes longer than a start. */
  has_member: boolean;
}

/** The clock and the seeds of later starts. */
export interface ClockState {
  /** The service's clock less the machine's, in milliseconds. */
  offset_ms: number;
  /** A recent time of the service. */
  latest: number;
  /** Starts so far. */
  starts: number;
}

const DATABASE = "settlekit.db";
const CREDENTIALS = "credentials.json";
const CLOCK = "clock.json";
const LOCK = "lock";
const IGNORED = ".gitignore";
/** What an empty folder may have: the files of a start that was killed before it wrote the clock, and those of a new volume. */
const OF_EMPTY = /^(?:lock(?:\.(?:\d+|turn))?|clock\.json\.new|\.gitignore|\.DS_Store|lost\+found)$/;
/** All files of the data, without the lock. The database first: without it, the others count for nothing. */
const FILES = [DATABASE, `${DATABASE}-wal`, `${DATABASE}-journal`, "settlekit.state", CLOCK, CREDENTIALS];

/** The folder with the data of a local service, used by one process at a time. */
export class DataFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Opens a folder, and creates it if missing. Throws a `Failure`. */
  static open(path: string): DataFolder {
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      refuseForeign(path);
      ignore(path);
      const owner = takeLock(join(path, LOCK));
      if (owner !== undefined) throw inUse(path, owner);
      return new DataFolder(path);
    } catch (error) {
      throw failure(path, error);
    }
  }

  /** Whether there is a database. */
  get hasData(): boolean {
    return existsSync(join(this.path, DATABASE));
  }

  /** Deletes the data. */
  clear(): void {
    try {
      for (const name of FILES) rmSync(join(this.path, name), { force: true });
      flushFolder(this.path);
    } catch (error) {
      throw failure(this.path, error);
    }
  }

  get credentials(): Credentials | undefined {
    return this.#read<Credentials>(CREDENTIALS);
  }

  set credentials(credentials: Credentials | undefined) {
    this.#write(CREDENTIALS, credentials);
  }

  get clock(): ClockState | undefined {
    return this.#read<ClockState>(CLOCK);
  }

  set clock(clock: ClockState | undefined) {
    this.#write(CLOCK, clock);
  }

  /** Stores a database that was made in memory. Until its last step there is none. */
  import(image: Uint8Array): void {
    this.#replace(DATABASE, image);
  }

  release(): void {
    releaseLock(join(this.path, LOCK));
  }

  #read<T>(name: string): T | undefined {
    const path = join(this.path, name);
    if (!existsSync(path)) return undefined;
    try {
      return JSON.parse(readFileSync(path, "utf8")) as T;
    } catch (error) {
      if (error instanceof SyntaxError) throw new Failure(`${path} is damaged: --fresh deletes the data and starts over.`);
      throw failure(this.path, error);
    }
  }

  #write(name: string, value: unknown): void {
    this.#replace(name, Buffer.from(`${JSON.stringify(value, null, 2)}\n`));
  }

  /** Replaces a file as a whole, so that a kill leaves the old or the new one. */
  #replace(name: string, bytes: Uint8Array): void {
    const path = join(this.path, name);
    const next = `${path}.new`;
    try {
      rmSync(next, { force: true });
      // A new file: a link of this name would lead to another one.
      const file = openSync(next, "wx", 0o600);
      try {
        for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(next, path);
      flushFolder(this.path);
    } catch (error) {
      rmSync(next, { force: true });
      throw failure(this.path, error);
    }
  }
}

/** Refuses a folder with files of other programs: `--fresh` would delete those whose names are the same, such as a server's database. */
function refuseForeign(path: string): void {
  const names = readdirSync(path);
  const other = names.find((name) => !OF_EMPTY.test(name));
  // Each start writes the clock first.
  if (other === undefined || names.includes(CLOCK)) return;
  throw new Failure(`${path} has files of other programs (${printable(other)}): choose an empty folder with --data.`);
}

/** Keeps the secrets of a folder out of git. A file of the user stays. */
function ignore(path: string): void {
  try {
    writeFileSync(join(path, IGNORED), "*\n", { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function inUse(path: string, { pid, start }: Owner): Failure {
  let url = "";
  try {
    url = ` at ${printable((JSON.parse(readFileSync(join(path, CREDENTIALS), "utf8")) as Credentials).url)}`;
  } catch {
    // It has not written the file yet.
  }
  // Where the system does not tell when a process was started, another one may have the number by now.
  const other = start === "" ? ` If process ${pid} is another program, delete ${join(path, LOCK)}.` : "";
  return new Failure(`${path} is in use: process ${pid} serves it${url}. Stop it, or choose another folder with --data.${other}`);
}

/** The sentence for a failed call of the file system. */
export function failure(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  switch ((error as NodeJS.ErrnoException).code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new Failure(`${path} cannot be written: no permission. Choose another folder with --data.`);
    case "ENOSPC":
    case "EDQUOT":
      return new Failure(`The disk with ${path} is full: make room, or choose a folder on another disk with --data.`);
    case "EEXIST":
    case "ENOTDIR":
      return new Failure(isFile(path) ? `${path} is a file: choose a folder with --data.` : `${path} cannot be a folder: a part of its path is a file.`);
    default:
      return new Failure(`${path} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
