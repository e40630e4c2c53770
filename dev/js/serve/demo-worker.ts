import { parentPort, workerData } from "node:worker_threads";

import { Sandbox } from "settlekit/sandbox/slim";

import type { DemoMessage, DemoTask } from "./demo.js";
import { loadSandbox } from "./sandbox-module.js";

const { now, seed, publicUrl } = workerData as DemoTask;
const say = (message: DemoMessage, moved: ArrayBuffer[] = []): void => parentPort?.postMessage(message, moved);

await loadSandbox();
const sandbox = await Sandbox.start({ now: new Date(now), seed, publicUrl });
const demo = sandbox.fillWithDemo((done, of) => say({ done, of }));
const image = sandbox.snapshot().image as Uint8Array<ArrayBuffer>;
say({ demo, image }, [image.buffer]);
