// Compiled contracts, the committed files made from them, and the arithmetic of addresses.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import sha3 from "js-sha3";

const folder = fileURLToPath(new URL("../..", import.meta.url));

/** The deterministic deployment proxy: deploys its input after the first 32 bytes, which are the salt. */
export const DEPLOYER = "0x4e59b44847b379578588920ca78fbf26c0b4956c";
export const SALT = `0x${"00".repeat(32)}`;

/** The code around the implementation's address in the code that deploys a proxy wallet. */
const PROXY = ["0x60278060093d393df336600557005b363d3d373d3d363d73", "0x5af43df3"];
const CONSTRUCTOR_BYTES = 9;

/** Compiles the files below `source` with the settings of `foundry.toml` into `out/<name>`, without what forge has in its cache. */
export function compile(source, name) {
  const out = `out/${name}`;
  const options = ["--force", "--quiet", "--out", out, "--cache-path", `${out}/cache`];
  execFileSync("node_modules/.bin/forge", ["build", source, ...options], { cwd: folder, stdio: "inherit" });
  return (contract) => JSON.parse(readFileSync(join(folder, out, `${contract}.sol/${contract}.json`), "utf8"));
}

/** What the forge tests have run. */
export function tested(contract) {
  return JSON.parse(readFileSync(join(folder, `out/${contract}.sol/${contract}.json`), "utf8"));
}

export const concat = (...parts) => `0x${parts.map((part) => part.slice(2)).join("")}`;
export const keccak = (hex) => `0x${sha3.keccak256(Buffer.from(hex.slice(2), "hex"))}`;
export const word = (value) => `0x${BigInt(value).toString(16).padStart(64, "0")}`;

/** The address that CREATE2 gives, in lower case. */
export function create2(deployer, salt, initCodeHash) {
  return `0x${keccak(concat("0xff", deployer, salt, initCodeHash)).slice(26)}`;
}

/** The address of a proxy wallet of a factory, of which `address` and `proxyInitCodeHash` are used. */
export function walletAddress(factory, destination, salt) {
  return create2(factory.address, keccak(concat(word(destination), salt)), factory.proxyInitCodeHash);
}

/** A destination and a salt to compare other implementations with. */
const EXAMPLE = { destination: `0x${"d0".repeat(20)}`, salt: keccak("0x70726f7879") };

/** The code of a deployed contract: the compiled code with the values of its immutables, in the order of their declaration. */
function runtimeCode({ object, immutableReferences }, values) {
  const code = Buffer.from(object.slice(2), "hex");
  const ids = Object.keys(immutableReferences).sort((left, right) => left - right);
  assert.equal(ids.length, values.length);
  ids.forEach((id, i) => {
    for (const { start } of immutableReferences[id]) code.set(Buffer.from(values[i].slice(2), "hex"), start);
  });
  return `0x${code.toString("hex")}`;
}

/** What stands in `factory.json`. */
export function describeFactory(contract) {
  const creationCode = contract.bytecode.object;
  const address = create2(DEPLOYER, SALT, keccak(creationCode));
  // The first contract that the factory creates: RLP of its address and nonce 1.
  const implementation = `0x${keccak(concat("0xd694", address, "0x01")).slice(26)}`;
  const proxyInitCode = concat(PROXY[0], implementation, PROXY[1]);
  const proxyInitCodeHash = keccak(proxyInitCode);
  const runtime = runtimeCode(contract.deployedBytecode, [word(implementation), proxyInitCodeHash]);
  return {
    compiler: contract.metadata.compiler.version,
    deployer: DEPLOYER,
    salt: SALT,
    address,
    implementation,
    proxyInitCode,
    proxyInitCodeHash,
    proxyCode: `0x${proxyInitCode.slice(2 + 2 * CONSTRUCTOR_BYTES)}`,
    runtimeCodeHash: keccak(runtime),
    example: { ...EXAMPLE, wallet: walletAddress({ address, proxyInitCodeHash }, EXAMPLE.destination, EXAMPLE.salt) },
    creationCode,
    abi: contract.abi,
  };
}

export const read = (name) => readFileSync(join(folder, name), "utf8");
export const readJson = (name) => JSON.parse(read(name));

/** Compares a text with the committed file, or updates the file. */
export function check(name, printed) {
  if (process.env.UPDATE !== undefined) writeFileSync(join(folder, name), printed);
  assert.ok(read(name) === printed, `contracts/${name} is not current: UPDATE=1 npm run test:node, and look at what changed`);
}
