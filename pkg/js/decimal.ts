// Exact decimals over BigInt: no wasm, so that a page that only adds up a basket downloads nothing else. What may be sent is
// core's to say, when it is sent.

import { SettlekitError } from "./errors.js";

export { SettlekitError, type ErrorKind } from "./errors.js";

/** How what does not fit is rounded. `up` is away from zero, `down` toward it; `half-…` says what becomes of a tie. */
export type Rounding = "up" | "down" | "ceiling" | "floor" | "half-up" | "half-down" | "half-even";

/** What can be read as a decimal: text as the service writes it, a whole number, or a decimal. Never a number. */
export type DecimalLike = Decimal | string | bigint;

/** How many decimal places the smallest unit of a currency has, itself or as the service lists it. */
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

/** The quotient, rounded. */
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
 * An exact decimal. Nothing is rounded unless a rounding is named, and `1.50` stays `1.50`.
 *
 * Write `a.lessThan(b)`, not `a < b`: the operators of JavaScript would make numbers of them, and are refused.
 */
export class Decimal {
  /** The digits as a whole number. */
  readonly #units: bigint;
  /** How many of the digits are decimal places. */
  readonly scale: number;

  private constructor(units: bigint, scale: number) {
    this.#units = units;
    this.scale = scale;
  }

  /** Reads `-?digits(.digits)?`; what is anything else is refused: `1e5`, `+1`, `.5`, `1_000`, and every number. */
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

  /** So many of a currency's smallest unit: `fromBaseUnits(1500000n, 6)` is `1.500000`. */
  static fromBaseUnits(units: bigint, scale: Scale): Decimal {
    if (typeof units !== "bigint") throw refuse("WRONG_TYPE", "base units are a BigInt");
    return new Decimal(units, places(scale));
  }

  /** All of them together; `0` of none. */
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

  /** The exact product, with the decimal places of both. */
  times(other: DecimalLike): Decimal {
    const by = Decimal.from(other);
    return new Decimal(this.#units * by.#units, this.scale + by.scale);
  }

  /** The quotient to so many decimal places, rounded as named. */
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

  /** To exactly so many decimal places, rounded as named. */
  round(scale: Scale, rounding: Rounding): Decimal {
    const to = places(scale);
    const grown = this.#units * power(Math.max(to - this.scale, 0));
    return new Decimal(divide(grown, power(Math.max(this.scale - to, 0)), rounding), to);
  }

  /** Less than 0, 0 or more, as this is less than, as much as or more than the other: `1.50` is as much as `1.5`. */
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

  /** -1, 0 or 1. */
  get sign(): -1 | 0 | 1 {
    return this.#units < 0n ? -1 : this.#units > 0n ? 1 : 0;
  }

  /** How many of a currency's smallest unit this is. What is no whole number of them is refused unless a rounding is named. */
  toBaseUnits(scale: Scale, rounding?: Rounding): bigint {
    const rounded = this.round(scale, rounding ?? "down");
    if (rounding === undefined && !rounded.equals(this)) {
      throw refuse("AMOUNT_TOO_MANY_DECIMALS", `${this.toString()} has more than the ${rounded.scale} decimal places of the smallest unit: name a rounding`);
    }
    return rounded.#units;
  }

  /** The same value without zeros at its end. */
  normalized(): Decimal {
    let [units, scale] = [this.#units, this.scale];
    while (scale > 0 && units % 10n === 0n) [units, scale] = [units / 10n, scale - 1];
    return new Decimal(units, scale);
  }

  /** As the service takes it. */
  toString(): string {
    const digits = (this.#units < 0n ? -this.#units : this.#units).toString().padStart(this.scale + 1, "0");
    const sign = this.#units < 0n ? "-" : "";
    return this.scale === 0 ? sign + digits : `${sign}${digits.slice(0, -this.scale)}.${digits.slice(-this.scale)}`;
  }

  /** Text, so that a decimal can stand where the client takes an amount. */
  toJSON(): string {
    return this.toString();
  }

  /** In templates a decimal is its text; arithmetic and `<` are refused. */
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
