"""Makes decimal.json with Python's `decimal`: another implementation than ours.

    python3 tests/vectors/make_decimal.py

The seed is fixed, so the file comes out the same every time.
"""

import decimal
import json
import pathlib
import random
from decimal import Decimal

decimal.setcontext(decimal.Context(prec=500, Emax=9999, Emin=-9999, traps=[decimal.Inexact, decimal.InvalidOperation]))
ROUNDED = decimal.Context(prec=500, Emax=9999, Emin=-9999, traps=[decimal.InvalidOperation])
ROUNDINGS = {
    "up": decimal.ROUND_UP,
    "down": decimal.ROUND_DOWN,
    "ceiling": decimal.ROUND_CEILING,
    "floor": decimal.ROUND_FLOOR,
    "half-up": decimal.ROUND_HALF_UP,
    "half-down": decimal.ROUND_HALF_DOWN,
    "half-even": decimal.ROUND_HALF_EVEN,
}
chance = random.Random(2026)


def text(value):
    # There is no negative zero in money.
    return format(abs(value) if value == 0 else value, "f")


def any_decimal():
    sign = chance.choice(["", "", "-"])
    whole = str(chance.randrange(10 ** chance.choice([1, 1, 3, 10, 20])))
    places = chance.choice([0, 0, 1, 2, 2, 6, 8, 18, 28])
    digits = "".join(chance.choice("0000123456789") for _ in range(places))
    return sign + whole + ("." + digits if places else "")


def divided(left, right, places, rounding):
    """The integer quotient first, so that the rounding happens once."""
    scaled = (abs(left) * Decimal(10) ** (places + 1)) // abs(right)
    exact = scaled * abs(right) == abs(left) * Decimal(10) ** (places + 1)
    # One digit more than wanted, and a last one that says whether anything was left.
    sticky = scaled * 10 + (0 if exact else 1)
    quotient = sticky.scaleb(-(places + 2))
    if (left < 0) != (right < 0):
        quotient = -quotient
    return quotient.quantize(Decimal(1).scaleb(-places), rounding=rounding, context=ROUNDED)


EDGES = ["0", "0.00", "-1", "1", "1.50", "1.5", "0.1", "0.2", "-0.000000000000000001", "79228162514264337593543950335",
         "0.5", "-0.5", "1.5", "-1.5", "2.5", "-2.5", "2.4999999999999999999", "99.995", "-99.995", "100"]
pairs = [(left, right) for left in EDGES[:10] for right in EDGES[:10]] + [(any_decimal(), any_decimal()) for _ in range(200)]
operations = []
for left, right in pairs:
    a, b = Decimal(left), Decimal(right)
    operations.append({"left": left, "right": right, "plus": text(a + b), "minus": text(a - b), "times": text(a * b), "compare": int(a.compare(b))})

roundings = []
for value in EDGES + [any_decimal() for _ in range(100)]:
    for places in (0, chance.randrange(1, 9)):
        quantum = Decimal(1).scaleb(-places)
        results = {name: text(Decimal(value).quantize(quantum, rounding=mode, context=ROUNDED)) for name, mode in ROUNDINGS.items()}
        roundings.append({"value": value, "places": places, **results})

quotients = []
for left, right in [("1", "3"), ("-1", "3"), ("2", "3"), ("1", "-8"), ("0", "7"), ("10", "4"), ("5", "2"), ("-5", "2"), ("7", "2")] + pairs[-80:]:
    a, b = Decimal(left), Decimal(right)
    if b == 0:
        continue
    for places in (0, 2):
        results = {name: text(divided(a, b, places, mode)) for name, mode in ROUNDINGS.items()}
        quotients.append({"left": left, "right": right, "places": places, **results})

base_units = []
for _ in range(60):
    scale = chance.choice([0, 2, 6, 8, 18])
    units = chance.choice([-1, 1, 1]) * chance.randrange(10 ** chance.choice([1, 6, 18, 28]))
    base_units.append({"units": str(units), "scale": scale, "value": text(Decimal(units).scaleb(-scale))})

vectors = {"operations": operations, "roundings": roundings, "quotients": quotients, "base_units": base_units}
path = pathlib.Path(__file__).with_name("decimal.json")
lines = ",\n".join(f'  "{name}": [\n' + ",\n".join("    " + json.dumps(row) for row in rows) + "\n  ]" for name, rows in vectors.items())
path.write_text("{\n" + lines + "\n}\n")
