import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** The process that holds a lock. */
export interface Owner {
  pid: number;
  /** When it was started, in ticks since the boot; empty where the system does not tell. Another process may get its number. */
  start: string;
}

const ATTEMPTS = 100;
/** Pause while another process deletes the lock of one that has ended. */
const PAUSE_MS = 5;

/**
 * Takes a lock file for this process; returns the owner instead if another process holds it.
 *
 * The file names its owner, so a killed process holds nothing. It appears complete or not at all.
 */
export function takeLock(path: string): Owner | undefined {
  const own = `${path}.${process.pid}`;
  rmSync(own, { force: true });
  writeFileSync(own, `${process.pid} ${startOf(process.pid)}\n`, { flag: "wx", mode: 0o600 });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (create(own, path)) return undefined;
      const owner = readOwner(path);
      if (owner !== undefined && isRunning(owner)) return owner;
      // The owner has ended.
      if (!deleteEnded(own, path)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
    return readOwner(path) ?? { pid: 0, start: "" };
  } finally {
    rmSync(own, { force: true });
  }
}

export function releaseLock(path: string): void {
  rmSync(path, { force: true });
}

/**
 * Deletes a lock whose owner has ended; returns false if another process is about to. One at a time looks again and deletes: after an
 * earlier look, the file may be the new one of another process.
 */
function deleteEnded(own: string, path: string): boolean {
  const turn = `${path}.turn`;
  if (!create(own, turn)) {
    const other = readOwner(turn);
    if (other !== undefined && !isRunning(other)) rmSync(turn, { force: true });
    return false;
  }
  try {
    const owner = readOwner(path);
    // A missing file has been released: another process may be creating its own.
    if (owner !== undefined && !isRunning(owner)) rmSync(path, { force: true });
    return true;
  } finally {
    rmSync(turn, { force: true });
  }
}

/** Gives a file a second name, unless the name exists. */
function create(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    // A file system without links.
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP" && code !== "ENOSYS") throw error;
  }
  try {
    writeFileSync(name, readFileSync(file), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function readOwner(path: string): Owner | undefined {
  try {
    const [pid = "", start = ""] = readFileSync(path, "utf8").trim().split(" ");
    return { pid: Number(pid), start };
  } catch {
    return undefined;
  }
}

function isRunning({ pid, start }: Owner): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = startOf(pid);
  // In a container every first process has the same number.
  return start === "" || now === "" ? pid !== process.pid : start === now;
}

/** Field 22 of /proc/PID/stat. The second field, a name in parentheses, may contain anything. */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
