#!/usr/bin/env node
const OLDEST = 20;

// The modules of the program do not load on older versions.
if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  console.error(`settlekit needs Node ${OLDEST} or later; this is ${process.version}.`);
  process.exit(1);
}
const { main } = await import("../dist/main.js");
await main();
