// Writes the Rust examples of the reference as a crate, so that the compiler checks them: `node build/rust_crate.mjs FOLDER`.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { rooms } from "../reference/operations.mjs";
import { rust } from "../reference/rust.mjs";
import { shopIds } from "./shop_ids.mjs";
import { root } from "./parts.mjs";

const MANIFEST = `[package]
name = "settlekit-site-examples"
version = "0.0.0"
edition = "2024"
publish = false

[dependencies]
settlekit = { path = "${fileURLToPath(new URL("client", root))}" }
serde_json = { version = "1", features = ["arbitrary_precision"] }

[workspace]
`;

const snake = (name) => name.replace(/[A-Z]/g, (letter, at) => (at === 0 ? "" : "_") + letter.toLowerCase());

const folder = process.argv[2];
const ids = await shopIds();
const operations = rooms(ids).rooms.flatMap((room) => room.operations);
const examples = operations.map((operation) => ({ name: snake(operation.id), code: rust(operation, ids) })).filter(({ code }) => code !== undefined);
const functions = examples.map(({ name, code }) => `pub async fn ${name}() -> Result<(), Box<dyn std::error::Error>> {\n${code}\nOk(())\n}\n`);
mkdirSync(join(folder, "src"), { recursive: true });
writeFileSync(join(folder, "Cargo.toml"), MANIFEST);
writeFileSync(join(folder, "src/lib.rs"), functions.join("\n"));
console.log(`${examples.length} Rust examples`);
