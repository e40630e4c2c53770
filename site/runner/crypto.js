// The part of `node:crypto` that the examples use, for a page.

import { ed25519 } from "@noble/curves/ed25519";
import { hmac } from "@noble/hashes/hmac";
import { sha256 } from "@noble/hashes/sha2";
import { Buffer } from "buffer";

// Programs for Node have it as a global.
globalThis.Buffer ??= Buffer;

const HASHES = { sha256 };
/** Bytes before the key in the SPKI form of an Ed25519 key. */
const SPKI_HEAD = 12;

const bytesOf = (data, encoding) => (typeof data === "string" ? Buffer.from(data, encoding) : data);

function named(name) {
  const hash = HASHES[name];
  if (hash === undefined) throw new Error(`this page has no ${name}`);
  return hash;
}

/** A hash in progress, with Node's methods. */
const wrap = (state) => ({
  update(data, encoding) {
    state.update(bytesOf(data, encoding));
    return this;
  },
  digest: (encoding) => (encoding === undefined ? Buffer.from(state.digest()) : Buffer.from(state.digest()).toString(encoding)),
});

export const createHash = (name) => wrap(named(name).create());
export const createHmac = (name, key) => wrap(hmac.create(named(name), bytesOf(key)));
export const randomBytes = (length) => Buffer.from(crypto.getRandomValues(new Uint8Array(length)));
export const randomUUID = () => crypto.randomUUID();

export function timingSafeEqual(one, other) {
  if (one.length !== other.length) throw new RangeError("Input buffers must have the same byte length");
  return one.reduce((differs, byte, at) => differs | (byte ^ other[at]), 0) === 0;
}

/** An Ed25519 key in PEM. */
export function createPublicKey(pem) {
  const base64 = pem.replace(/-----[A-Z ]+-----|\s/g, "");
  return { bytes: Buffer.from(base64, "base64").subarray(SPKI_HEAD) };
}

/** Whether a signature is the key's. */
export function verify(algorithm, data, key, signature) {
  if (algorithm !== null && algorithm !== undefined) throw new Error("this page verifies Ed25519 only");
  try {
    return ed25519.verify(signature, data, key.bytes);
  } catch {
    return false;
  }
}
