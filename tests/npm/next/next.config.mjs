import { join } from "node:path";

// Next and React are resolved from a parent folder.
const root = join(import.meta.dirname, "../..");
export default { turbopack: { root }, outputFileTracingRoot: root };
