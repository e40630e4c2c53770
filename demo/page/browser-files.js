// The files of a sandbox in the origin's private file system (OPFS), for one worker at a time.

/** What the database and the sandbox open. Handles are opened beforehand, because SQLite does not wait for a promise. */
const NAMES = ["settlekit.db", "settlekit.db-journal", "settlekit.db-wal", "settlekit.state"];
/** Exists once the demo data is complete; contains its sign-in. */
const SIGN_IN = "sign-in.json";
/** The files of a tab that was just closed may still be open. */
const TRIES = 50;
const PAUSE_MS = 100;

export class BrowserFiles {
  #folder;
  #handles;

  constructor(folder, handles) {
    this.#folder = folder;
    this.#handles = handles;
  }

  /** Opens the files of a folder. Those of a demo that was not completed are deleted first. */
  static async open(name) {
    const root = await navigator.storage.getDirectory();
    let folder = await root.getDirectoryHandle(name, { create: true });
    if (!(await has(folder, SIGN_IN))) {
      await retried(() => root.removeEntry(name, { recursive: true }));
      folder = await root.getDirectoryHandle(name, { create: true });
    }
    const handles = new Map();
    for (const name of NAMES) {
      const file = await folder.getFileHandle(name, { create: true });
      handles.set(name, await retried(() => file.createSyncAccessHandle()));
    }
    return new BrowserFiles(folder, handles);
  }

  /** Sign-in of the demo; nothing before it is complete. */
  async signIn() {
    if (!(await has(this.#folder, SIGN_IN))) return undefined;
    const file = await this.#folder.getFileHandle(SIGN_IN);
    return JSON.parse(await (await file.getFile()).text());
  }

  /** Writes the image of a database. */
  fill(image) {
    writeAll(this.#handles.get(NAMES[0]), 0, image);
  }

  async complete(signIn) {
    const file = await this.#folder.getFileHandle(SIGN_IN, { create: true });
    const handle = await file.createSyncAccessHandle();
    writeAll(handle, 0, new TextEncoder().encode(JSON.stringify(signIn)));
    handle.flush();
    handle.close();
  }

  /** Closes the files. The next one to open them deletes them. */
  async abandon() {
    await this.#folder.removeEntry(SIGN_IN);
    for (const handle of this.#handles.values()) handle.close();
  }

  open(name) {
    const handle = this.#handles.get(name);
    if (handle === undefined) throw new Error(`the demo has no file ${name}`);
    return {
      size: () => handle.getSize(),
      read: (at, into) => handle.read(into, { at }),
      write: (at, bytes) => writeAll(handle, at, bytes),
      truncate: (size) => handle.truncate(size),
      flush: () => handle.flush(),
      close: () => handle.flush(),
    };
  }

  /** A file without content counts as missing: a handle can't delete its file. */
  exists(name) {
    return (this.#handles.get(name)?.getSize() ?? 0) > 0;
  }

  delete(name) {
    const handle = this.#handles.get(name);
    handle?.truncate(0);
    handle?.flush();
  }
}

/** Writes all bytes, or throws the error of a full disk, with its code in Node. */
function writeAll(handle, at, bytes) {
  let written = 0;
  try {
    written = handle.write(bytes, { at });
  } catch (error) {
    if (error.name !== "QuotaExceededError") throw error;
  }
  if (written < bytes.byteLength) throw Object.assign(new Error("the browser has no space left"), { code: "ENOSPC" });
}

const has = (folder, name) => folder.getFileHandle(name).then(() => true, () => false);

async function retried(use) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await use();
    } catch (error) {
      if (error.name !== "NoModificationAllowedError" || tries === TRIES) throw error;
      await new Promise((passed) => setTimeout(passed, PAUSE_MS));
    }
  }
}
