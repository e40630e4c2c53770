/**
 * Files that keep a sandbox's database. All calls are synchronous. After an exception nothing is changed; its `code` may be one of Node's
 * file system: `ENOSPC`, `EDQUOT`, `EACCES`, `EPERM`, `EROFS`, or `EBUSY` for files in use.
 */
export interface SandboxFiles {
  /** Opens a file, and creates it if missing. */
  open(name: string): SandboxFile;
  exists(name: string): boolean;
  /** Deletes a file; does nothing if it is missing. */
  delete(name: string): void;
}

/** An open file. The arrays are views into memory that changes after the call. */
export interface SandboxFile {
  size(): number;
  /** Reads from an offset; returns the number of bytes, less than the array has at the end of the file only. */
  read(at: number, into: Uint8Array): number;
  /** Writes all bytes at an offset. */
  write(at: number, bytes: Uint8Array): void;
  truncate(size: number): void;
  /** Returns when what was written is on the disk. */
  flush(): void;
  close(): void;
}

/** Why a sandbox does not start from its files. `newer`: a later version has written them. */
export type SandboxFilesReason = "damaged" | "newer" | "locked" | "full" | "read_only" | "wrong_mode" | "unreachable" | "failed";

/** A sandbox does not start from its files. */
export class SandboxFilesError extends Error {
  override readonly name = "SandboxFilesError";
  readonly reason: SandboxFilesReason;

  /** @internal */
  constructor(reason: SandboxFilesReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Runs the start of a service, which throws a reason, a line feed and a message. @internal */
export function opening<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    const [reason, message] = String(error).split("\n");
    if (message === undefined) throw new SandboxFilesError("failed", String(error));
    throw new SandboxFilesError(reason as SandboxFilesReason, message);
  }
}

const REASONS: Record<string, SandboxFilesReason> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EACCES: "read_only",
  EPERM: "read_only",
  EROFS: "read_only",
  EBUSY: "locked",
};
const STATE = "settlekit.state";
/** Time and number of starts, each a float of 64 bits: one sector, which a disk writes as a whole. */
const STATE_BYTES = 16;

/** Time and number of starts of a sandbox, beside its database. @internal */
export class SandboxState {
  readonly #file: SandboxFile;
  readonly #bytes = new Uint8Array(STATE_BYTES);
  readonly #view = new DataView(this.#bytes.buffer);
  /** Starts before this one. */
  readonly starts: number = 0;
  /** Time of the latest change; absent at the first start. */
  readonly now: number | undefined;

  constructor(files: SandboxFiles) {
    this.#file = attempt(() => files.open(STATE));
    const read = attempt(() => this.#file.read(0, this.#bytes));
    if (read === 0) return;
    [this.now, this.starts] = [this.#view.getFloat64(0), this.#view.getFloat64(8)];
    if (read === STATE_BYTES && Number.isSafeInteger(this.starts) && Number.isFinite(this.now)) return;
    throw new SandboxFilesError("damaged", `${STATE} is damaged`);
  }

  /** Stores a time, and that this start was made. */
  save(now: number): void {
    this.#view.setFloat64(0, now);
    this.#view.setFloat64(8, this.starts + 1);
    attempt(() => this.#file.write(0, this.#bytes));
    attempt(() => this.#file.flush());
  }

  close(): void {
    this.#file.close();
  }
}

/** Uses the file of the state; an exception gets its reason. */
function attempt<T>(use: () => T): T {
  try {
    return use();
  } catch (cause) {
    const reason = REASONS[String((cause as { code?: unknown } | undefined)?.code)] ?? "failed";
    throw new SandboxFilesError(reason, `${STATE}: ${String(cause)}`, { cause });
  }
}
