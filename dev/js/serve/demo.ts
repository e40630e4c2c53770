import { Worker } from "node:worker_threads";

import type { SandboxDemo } from "settlekit/sandbox";

import { Failure } from "../commands/failure.js";

/** What the worker is asked for. */
export interface DemoTask {
  now: number;
  seed: number;
  publicUrl: string;
}

/** What the worker says. */
export type DemoMessage = { done: number; of: number } | { demo: SandboxDemo; image: Uint8Array };

/** A year of demo data. */
export interface MadeDemo {
  demo: SandboxDemo;
  /** Database. */
  image: Uint8Array;
}

/** Makes a year of demo data on a thread of its own, so that the server answers, and the memory is free afterwards. */
export function makeDemo(task: DemoTask, progress: (percent: number) => void, signal?: AbortSignal): Promise<MadeDemo> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./demo-worker.js", import.meta.url), { workerData: task });
    worker.on("message", (message: DemoMessage) => {
      if ("image" in message) resolve(message);
      else progress(Math.floor((100 * message.done) / message.of));
    });
    signal?.addEventListener("abort", () => {
      reject(new Failure("Ended before the demo was made."));
      void worker.terminate();
    });
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the demo was not made")));
  });
}
