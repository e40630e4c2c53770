// Exact decimals over BigInt, without wasm: a page that only adds amounts loads nothing else. Core validates amounts when they are
// sent.

import { SettlekitError } from "./errors.js";

export { SettlekitError, type ErrorKind } from "./errors.js";

/** Rounding mode. `up` is away from zero, `down` toward it; `half-…` names the direction of ties. */
export type Rounding = "up" | "down" | "ceiling" | "floor" | "half-up" | "half-down" | "half-even";

/** A decimal, or a value to parse as one: the service's text or a whole number. Never a JavaScript number. */
export type DecimalLike = Decimal | string | bigint;

/** Decimal places of a currency's smallest unit, as a number or as an asset listed by the service. */
export type Scale = number | { readonly scale: number };

const GRAMMAR = /^(-?)(\d+)(?:\.(\d+))?$/;
const PLACES_MAX = 255;

function refuse(reason: string, message: string): SettlekitError {
  return new SettlekitError("validation", message, { errors: [{ domain: "decimal", reason, message }] });
}

function places(scale: Scale): number {
  const count = typeof scale === "object" && scale !== null ? scale.scale : scale;
  if (!Number.isInteger(count) || count < 0 || count > PLACES_MAX) {
    throw refuse("OUT_OF_RANGE", `decimal places are a whole number from 0 to ${PLACES_MAX}`);
  }
  return count;
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** Rounded quotient. */
function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const down = dividend / divisor;
  const rest = dividend % divisor;
  const negative = dividend < 0n !== divisor < 0n;
  const twice = (rest < 0n ? -rest : rest) * 2n;
  const whole = divisor < 0n ? -divisor : divisor;
  let away: boolean;
  switch (rounding) {
    case "up":
      away = true;
      break;
    case "down":
      away = false;
      break;
    case "ceiling":
      away = !negative;
      break;
    case "floor":
      away = negative;
      break;
    case "half-up":
      away = twice >= whole;
      break;
    case "half-down":
      away = twice > whole;
      break;
    case "half-even":
      away = twice > whole || (twice === whole && down % 2n !== 0n);
      break;
    default:
      throw refuse("NOT_SUPPORTED", `there is no rounding ${JSON.stringify(rounding)}: name one, such as "half-even"`);
  }
  return rest !== 0n && away ? down + (negative ? -1n : 1n) : down;
}

/**
 * An exact decimal. Only operations with a rounding mode round, and `1.50` stays `1.50`.
 *
 * Write `a.lessThan(b)`, not `a < b`: JavaScript's operators would convert to numbers, so they throw.
 */
export class Decimal {
  /** All digits as an integer. */
  readonly #units: bigint;
  /** Number of decimal places. */
  readonly scale: number;

  private constructor(units: bigint, scale: number) {
    this.#units = units;
    this.scale = scale;
  }

  /** Parses `-?digits(.digits)?`. Other notations throw (`1e5`, `+1`, `.5`, `1_000`), as do numbers. */
  static from(value: DecimalLike): Decimal {
    if (value instanceof Decimal) return value;
    if (typeof value === "bigint") return new Decimal(value, 0);
    if (typeof value !== "string") {
      throw refuse("WRONG_TYPE", `a decimal is read from text: a ${typeof value} may have lost digits already`);
    }
    const [, sign, whole, fraction = ""] = GRAMMAR.exec(value) ?? [];
    if (whole === undefined) throw refuse("AMOUNT_MALFORMED", `${JSON.stringify(value.slice(0, 80))} is not a decimal: write digits, a point and digits`);
    if (fraction.length > PLACES_MAX) throw refuse("AMOUNT_TOO_PRECISE", `a decimal has at most ${PLACES_MAX} decimal places`);
    return new Decimal(BigInt(`${sign === "-" ? "-" : ""}${whole}${fraction}`), fraction.length);
  }

  /** Converts from a currency's smallest unit: `fromBaseUnits(1500000n, 6)` is `1.500000`. */
  static fromBaseUnits(units: bigint, scale: Scale): Decimal {
    if (typeof units !== "bigint") throw refuse("WRONG_TYPE", "base units are a BigInt");
    return new Decimal(units, places(scale));
  }

  /** Sum of all values; `0` if there are none. */
  static sum(values: Iterable<DecimalLike>): Decimal {
    let sum = new Decimal(0n, 0);
    for (const value of values) sum = sum.plus(value);
    return sum;
  }

  plus(other: DecimalLike): Decimal {
    const [left, right, scale] = this.#aligned(other);
    return new Decimal(left + right, scale);
  }

  minus(other: DecimalLike): Decimal {
    const [left, right, scale] = this.#aligned(other);
    return new Decimal(left - right, scale);
  }

  /** Exact product, with the decimal places of both factors. */
  times(other: DecimalLike): Decimal {
    const by = Decimal.from(other);
    return new Decimal(this.#units * by.#units, this.scale + by.scale);
  }

  /** Quotient with `scale` decimal places, rounded. */
  dividedBy(other: DecimalLike, scale: Scale, rounding: Rounding): Decimal {
    const by = Decimal.from(other);
    if (by.#units === 0n) throw refuse("OUT_OF_RANGE", "nothing can be divided by zero");
    const to = places(scale);
    return new Decimal(divide(this.#units * power(to + by.scale), by.#units * power(this.scale), rounding), to);
  }

  negated(): Decimal {
    return new Decimal(-this.#units, this.scale);
  }

  absolute(): Decimal {
    return this.#units < 0n ? this.negated() : this;
  }

  /** This value with exactly `scale` decimal places, rounded. */
  round(scale: Scale, rounding: Rounding): Decimal {
    const to = places(scale);
    const grown = this.#units * power(Math.max(to - this.scale, 0));
    return new Decimal(divide(grown, power(Math.max(this.scale - to, 0)), rounding), to);
  }

  /** -1, 0 or 1 if this is less than, equal to or greater than the other: `1.50` equals `1.5`. */
  compare(other: DecimalLike): -1 | 0 | 1 {
    const [left, right] = this.#aligned(other);
    return left < right ? -1 : left > right ? 1 : 0;
  }

  equals(other: DecimalLike): boolean {
    return this.compare(other) === 0;
  }

  lessThan(other: DecimalLike): boolean {
    return this.compare(other) < 0;
  }

  greaterThan(other: DecimalLike): boolean {
    return this.compare(other) > 0;
  }

  /** Sign: -1, 0 or 1. */
  get sign(): -1 | 0 | 1 {
    return this.#units < 0n ? -1 : this.#units > 0n ? 1 : 0;
  }

  /** Converts to a currency's smallest unit. Throws if that is not a whole number, unless a rounding mode is given. */
  toBaseUnits(scale: Scale, rounding?: Rounding): bigint {
    const rounded = this.round(scale, rounding ?? "down");
    if (rounding === undefined && !rounded.equals(this)) {
      throw refuse("AMOUNT_TOO_MANY_DECIMALS", `${this.toString()} has more than the ${rounded.scale} decimal places of the smallest unit: name a rounding`);
    }
    return rounded.#units;
  }

  /** The same value without trailing zeros. */
  normalized(): Decimal {
    let [units, scale] = [this.#units, this.scale];
    while (scale > 0 && units % 10n === 0n) [units, scale] = [units / 10n, scale - 1];
    return new Decimal(units, scale);
  }

  /** Text in the service's format. */
  toString(): string {
    const digits = (this.#units < 0n ? -this.#units : this.#units).toString().padStart(this.scale + 1, "0");
    const sign = this.#units < 0n ? "-" : "";
    return this.scale === 0 ? sign + digits : `${sign}${digits.slice(0, -this.scale)}.${digits.slice(-this.scale)}`;
  }

  /** Text, so that a decimal can be passed as an amount. */
  toJSON(): string {
    return this.toString();
  }

  /** Text in templates; throws for arithmetic and `<`. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === "string") return this.toString();
    throw new TypeError("operators would make a number of a decimal: use plus, minus, times, compare, lessThan, equals");
  }

  #aligned(other: DecimalLike): [bigint, bigint, number] {
    const right = Decimal.from(other);
    const scale = Math.max(this.scale, right.scale);
    return [this.#units * power(scale - this.scale), right.#units * power(scale - right.scale), scale];
  }
}
