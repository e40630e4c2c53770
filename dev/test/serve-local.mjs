// Local services for tests: in this process, and as processes of their own.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { readOptions } from "../dist/serve/options.js";
import { startSession } from "../dist/serve/session.js";

export const PROGRAM = fileURLToPath(new URL("../bin/settlekit.js", import.meta.url));

/** An empty folder, which is removed after the test. */
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), "settlekit-dev-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A session in this process on a free port, with what it told its terminal. */
export async function session(t, { data = join(folder(t), "data"), files, options = [] } = {}) {
  const told = { progress: [], delivered: [], failed: [], recovered: [] };
  const listener = Object.fromEntries(Object.entries(told).map(([name, list]) => [name, (item) => void list.push(item)]));
  const port = options.includes("--port") ? [] : ["--port", "0"];
  const started = await startSession(readOptions(["--data", data, ...port, ...options]), listener, files && { filesOf: files });
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await started.stop();
    isStopped = true;
  };
  t.after(stop);
  const { url, api_key } = started.credentials;
  const call = async (method, path, body) => {
    const headers = { "x-api-key": api_key, "content-type": "application/json" };
    const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return { ...started, stop, data, told, url, call };
}

/** Waits until `find` finds something. */
export async function until(find, what = "it", seconds = 20) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await find();
    if (found) return found;
    if (Date.now() > end) throw new Error(`${what} did not come within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A receiver of webhooks, with what it received; `receiver.status` is its answer. */
export async function receiver(t) {
  const receiver = { status: 200, received: [] };
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    receiver.received.push({ headers: request.headers, body, path: request.url, ...JSON.parse(body) });
    response.statusCode = receiver.status;
    response.end("taken");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  receiver.url = `http://127.0.0.1:${server.address().port}/hook`;
  return receiver;
}

/** A URL at which nobody listens. */
export async function unusedUrl() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/hook`;
}

/** The program as a process. `output()` is what it has printed so far, `ended` its exit code or signal. */
export function program(t, args, { cwd, env = {}, terminal = false, file: script = PROGRAM, user } = {}) {
  const command = [process.execPath, script, ...args];
  // `script` gives it a pseudo terminal.
  const [file, words] = terminal ? ["script", ["-qec", command.map((word) => `'${word}'`).join(" "), "/dev/null"]] : [command[0], command.slice(1)];
  const child = spawn(file, words, { cwd: cwd ?? folder(t), env: { ...process.env, NO_COLOR: "", ...env }, ...(user === undefined ? {} : { uid: user, gid: user }) });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (err += text));
  const ended = new Promise((resolve) => child.on("close", (code, signal) => resolve(signal ?? code)));
  t.after(() => child.kill("SIGKILL"));
  return { child, ended, output: () => out, errors: () => err, says: (text) => until(() => (typeof text === "string" ? out.includes(text) : text.exec(out)), `${text} in ${out}${err}`) };
}

/** A value that a start has printed. */
export function printed(output, label) {
  return new RegExp(`^${label} +(.*?)\\r?$`, "m").exec(output.replace(/\u001b\[\d+m/g, ""))?.[1];
}
