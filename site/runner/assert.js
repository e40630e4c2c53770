// `node:assert/strict` for examples that run in a page: the functions that tests of a merchant need.

import { inspect } from "./inspect.js";

export class AssertionError extends Error {
  name = "AssertionError";
  code = "ERR_ASSERTION";

  constructor({ message, actual, expected, operator }) {
    super(message);
    Object.assign(this, { actual, expected, operator });
  }
}

function fails(message, otherwise, actual, expected, operator) {
  if (message instanceof Error) throw message;
  throw new AssertionError({ message: message ?? otherwise, actual, expected, operator });
}

const isObject = (value) => typeof value === "object" && value !== null;

/** Whether two values are equal in all their parts. */
export function isDeepEqual(one, other) {
  if (Object.is(one, other)) return true;
  if (!isObject(one) || !isObject(other) || Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (one instanceof Date) return one.getTime() === other.getTime();
  if (one instanceof RegExp) return String(one) === String(other);
  if (one instanceof Map || one instanceof Set) return one.size === other.size && isDeepEqual([...one], [...other]);
  const [names, others] = [Reflect.ownKeys(one), Reflect.ownKeys(other)];
  return names.length === others.length && names.every((name) => Object.hasOwn(other, name) && isDeepEqual(one[name], other[name]));
}

export function ok(value, message) {
  if (!value) fails(message, `${inspect(value)} is not true`, value, true, "==");
}

export function equal(actual, expected, message) {
  if (!Object.is(actual, expected)) fails(message, `expected ${inspect(expected)}, got ${inspect(actual)}`, actual, expected, "strictEqual");
}

export function notEqual(actual, expected, message) {
  if (Object.is(actual, expected)) fails(message, `got ${inspect(actual)}, which it must not be`, actual, expected, "notStrictEqual");
}

export function deepEqual(actual, expected, message) {
  if (!isDeepEqual(actual, expected)) fails(message, `expected ${inspect(expected)}, got ${inspect(actual)}`, actual, expected, "deepStrictEqual");
}

export function notDeepEqual(actual, expected, message) {
  if (isDeepEqual(actual, expected)) fails(message, `got ${inspect(actual)}, which it must not be`, actual, expected, "notDeepStrictEqual");
}

export function match(text, pattern, message) {
  if (!pattern.test(text)) fails(message, `${inspect(text)} does not match ${pattern}`, text, pattern, "match");
}

export function doesNotMatch(text, pattern, message) {
  if (pattern.test(text)) fails(message, `${inspect(text)} matches ${pattern}`, text, pattern, "doesNotMatch");
}

export const fail = (message) => fails(message, "failed");

/** Whether an error is the expected one: by class, pattern, predicate or fields. */
function accept(error, expected, message) {
  if (expected === undefined || typeof expected === "string") return;
  if (expected instanceof RegExp) return match(String(error), expected, message);
  if (typeof expected === "function") {
    const isClass = expected.prototype !== undefined && (expected === Error || expected.prototype instanceof Error);
    return ok(isClass ? error instanceof expected : expected(error) === true, message ?? `unexpected error: ${error}`);
  }
  for (const [field, value] of Object.entries(expected)) {
    if (value instanceof RegExp) match(String(error[field]), value, message);
    else deepEqual(error[field], value, message ?? `the error's ${field} is ${inspect(error[field])}, not ${inspect(value)}`);
  }
}

export function throws(call, expected, message) {
  try {
    call();
  } catch (error) {
    return accept(error, expected, message);
  }
  fails(message, "nothing was thrown");
}

export async function rejects(promise, expected, message) {
  try {
    await (typeof promise === "function" ? promise() : promise);
  } catch (error) {
    return accept(error, expected, message);
  }
  fails(message, "the promise was not rejected");
}

const assert = Object.assign((value, message) => ok(value, message), {
  AssertionError, ok, equal, notEqual, strictEqual: equal, notStrictEqual: notEqual, deepEqual, notDeepEqual, deepStrictEqual: deepEqual,
  notDeepStrictEqual: notDeepEqual, match, doesNotMatch, fail, throws, rejects,
});
export const strict = assert;
export const strictEqual = equal;
export const deepStrictEqual = deepEqual;
export default assert;
