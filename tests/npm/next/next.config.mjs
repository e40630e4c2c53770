import { join } from "node:path";

// Next and React are found above the folder of the consumers.
const root = join(import.meta.dirname, "../..");
export default { turbopack: { root }, outputFileTracingRoot: root };
