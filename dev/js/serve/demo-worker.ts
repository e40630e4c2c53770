import { parentPort, workerData } from "node:worker_threads";

import { Sandbox } from "settlekit/sandbox/slim";

import type { DemoMessage, DemoTask } from "./demo.js";
import { loadSandbox } from "./sandbox-module.js";

const { now, seed, publicUrl } = workerData as DemoTask;
const say = (message: DemoMessage): void => parentPort?.postMessage(message);

await loadSandbox();
const sandbox = await Sandbox.start({ now: new Date(now), seed, publicUrl });
const demo = sandbox.fillWithDemo((done, of) => say({ done, of }));
say({ demo, image: sandbox.snapshot().image });
