"""A second service that speaks the contract: a few operations, kept in memory.

Written from the contract alone. Where the contract leaves a point open, it decides otherwise than Settlekit: see README.md.
"""

import argparse
import base64
import hashlib
import hmac
import json
import os
import secrets
import socket
import sys
import threading
import time
import urllib.request
import uuid
from datetime import datetime, timezone
from email.utils import formatdate

import uvicorn
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route

NONCE_SECONDS = 30
HOUR = 3600


class Refused(Exception):
    """An error of the contract's envelope."""

    def __init__(self, code, message, domain, reason, headers=None):
        super().__init__(message)
        self.code, self.message = code, message
        self.detail = {"domain": domain, "reason": reason}
        self.headers = headers or {}


class Book:
    """The data of one organisation."""

    def __init__(self, ahead, busy):
        self.ahead = ahead
        self.busy = busy
        self.api_key = secrets.token_urlsafe(24)
        self.signing_secret = secrets.token_urlsafe(32)
        self.webhook_key = ec.generate_private_key(ec.SECP256R1())
        self.webhook_url = None
        self.nonces = {}
        self.paylinks = {}
        self.events = 0
        # Requests run in threads.
        self.lock = threading.Lock()
        self.org_id = "merchant-0042"
        self.customers = [self.customer(number) for number in range(1, 6)]

    def now(self):
        return time.time() + self.ahead

    def at(self, seconds=None):
        moment = datetime.fromtimestamp(self.now() if seconds is None else seconds, timezone.utc)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def public_key(self):
        form = serialization.PublicFormat.SubjectPublicKeyInfo
        return self.webhook_key.public_key().public_bytes(serialization.Encoding.PEM, form).decode()

    def organisation(self):
        return {
            "id": self.org_id,
            "name": "Corner Shop",
            "logo_url": None,
            "owner_user_id": "ada",
            "partner_id": None,
            "webhook_url": self.webhook_url,
            "webhook_public_key": self.public_key().replace("\n", "\\n"),
            "v1": {"legacy": True},
            "created_at": self.at(0),
            "updated_at": self.at(0),
            "region": "eu-central",
        }

    def customer(self, number):
        created = self.at(self.now() - HOUR + number)
        return {
            "id": f"cus_{number:06d}",
            "customer_ident": f"visitor-{number}",
            "name": f"Customer {number}",
            "email": f"customer{number}@shop.example",
            "phone": None,
            "wallet_address": None,
            "guest": False,
            "is_deleted": False,
            "last_payment_date": None,
            "payments_count": number,
            "organisation_id": self.org_id,
            "metadata": {},
            "properties": {},
            "created_at": created,
            "updated_at": created,
            "loyalty": {"tier": "gold", "points": 9007199254740993},
        }

    def paylink(self, body):
        link, plan, now = str(uuid.uuid4()), f"price-{secrets.token_hex(6)}", self.at()
        dates = {"created_at": now, "updated_at": now}
        return {
            "id": link,
            "plan_id": plan,
            "plan": {
                "id": plan,
                "name": body["name"],
                "org_id": self.org_id,
                "currency": body["currency"],
                "price": body["amount"],
                "available_quantity": body.get("available_quantity"),
                "billing_scheme": "Tiered",
                "type": "Donation",
                "recurring_interval": "Unknown",
                "recurring_usage_type": "Unknown",
                "enabled": True,
                "source": "Kiosk",
                **dates,
            },
            "url": f"https://pay.second.example/{link}",
            "enabled": True,
            "customer_ident_collection": False,
            "shipping_address_collection": False,
            "tax_ident_collection": False,
            "metadata": body.get("metadata", {}),
            "source": "Kiosk",
            "accent_colour": "#226655",
            **dates,
        }


book: Book


def wrapped(data, message="done"):
    return JSONResponse({"data": data, "error": False, "message": message})


def page(request, rows):
    """The shared list parameters."""
    query = request.query_params
    limit, number = int(query.get("limit", 100)), int(query.get("page", 1))
    if not 1 <= limit <= 100 or number < 1:
        raise Refused(400, "limit is 1 to 100, page is 1 or more", "request", "range")
    since, until = query.get("since"), query.get("until")
    moment = datetime.fromisoformat
    if since:
        rows = [row for row in rows if moment(row["created_at"]) >= moment(since)]
    if until:
        rows = [row for row in rows if moment(row["created_at"]) <= moment(until)]
    if query.get("sort", "desc") == "desc":
        rows = rows[::-1]
    items = rows[(number - 1) * limit : number * limit]
    data = {"items": items, "total": len(rows)}
    if number * limit < len(rows):
        data["next"] = number + 1
    if items:
        data["last_update"] = max(row["updated_at"] for row in items)
    return JSONResponse({"data": data, "error": False})


def check_key(request):
    if not hmac.compare_digest(request.headers.get("x-api-key", ""), book.api_key):
        raise Refused(401, "unknown API key", "auth", "key")


async def check_signature(request):
    """The signed message is nonce, method, path with query, and body, without separators; the nonce is Unix microseconds."""
    nonce = request.headers.get("x-api-nonce", "")
    if not nonce.isdigit():
        raise Refused(401, "the nonce is an integer", "auth", "nonce.form")
    target = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    message = f"{nonce}{request.method}{target}".encode() + await request.body()
    expected = hmac.new(book.signing_secret.encode(), message, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(request.headers.get("x-api-signature", ""), expected):
        raise Refused(401, "the signature does not match", "auth", "signature")
    now = book.now()
    if abs(int(nonce) / 1e6 - now) > NONCE_SECONDS:
        raise Refused(401, "the nonce is not of now", "auth", "nonce.time")
    with book.lock:
        if nonce in book.nonces:
            raise Refused(401, "the nonce was used before", "auth", "nonce.used")
        book.nonces = {old: at for old, at in book.nonces.items() if at > now - 2 * NONCE_SECONDS}
        book.nonces[nonce] = now
        if book.busy > 0:
            book.busy -= 1
            raise Refused(503, "one moment", "service", "busy", {"retry-after": "0"})


def signed(handler):
    async def checked(request):
        check_key(request)
        await check_signature(request)
        return await handler(request)

    return checked


def keyed(handler):
    async def checked(request):
        check_key(request)
        return await handler(request)

    return checked


def record(rows, key, domain):
    if key not in rows:
        raise Refused(404, f"there is no such {domain}", domain, "missing")
    return rows[key]


async def get_organisation(request):
    return wrapped({**book.organisation(), "properties": {"currency": "EUR", "fee_payer": "payer"}})


async def update_organisation(request):
    book.webhook_url = (await request.json()).get("webhook_url", book.webhook_url)
    return wrapped(book.organisation())


async def get_signing_secret(request):
    return wrapped({**book.organisation(), "signing_secret": book.signing_secret})


async def create_paylink(request):
    body = await request.json()
    missing = [name for name in ("amount", "currency", "name") if not body.get(name)]
    if missing:
        raise Refused(422, f"{missing[0]} is required", "paylink", "missing_field")
    link = book.paylink(body)
    book.paylinks[link["id"]] = link
    notify("Created", link)
    return wrapped(link)


async def update_paylinks(request):
    links = []
    for item in (await request.json())["items"]:
        link = record(book.paylinks, item["id"], "paylink")
        link["enabled"] = item.get("enabled", link["enabled"])
        links.append(link)
    return wrapped(links)


async def delete_paylink(request):
    link = record(book.paylinks, request.path_params["id"], "paylink")
    link["deleted_at"] = book.at()
    return wrapped(link["id"])


async def list_customers(request):
    return page(request, book.customers)


async def cancel_payment(request):
    record({}, request.path_params["id"], "payment")


async def list_instruments(request):
    pair = {
        "id": 7,
        "venue_id": 1,
        "venue_name": "Second Exchange",
        "base": "BTC",
        "base_chain": 1,
        "quote": "USDC",
        "quote_chain": 8453,
        "last_price": 64250.125,
        "min_size": 0.0001,
        "max_size": 25,
        "spread_bps": 4.5,
        "estimated_cost_bps": 1,
        "estimated_delay_ms": 250,
        "maker": "desk",
    }
    return wrapped([pair])


async def list_balances(request):
    chain = {"id": 8453, "name": "Base", "native_currency_symbol": "ETH", "explorer": "https://base.example"}
    balance = {"account_id": 31, "currency": "USDC", "token_address": None, "chain": chain, "amount": "120.50"}
    return wrapped({"balances": [balance]})


async def maintain_balance(request):
    body = await request.json()
    account = {"account_type": "CryptoPayIn", "chain_id": 8453, "currencies": ["USDC"], "enabled": True}
    thresholds = {name: body[name] for name in ("minimum_threshold_amount", "payout_threshold_amount")}
    if not all(type(value) in (int, float) for value in thresholds.values()):
        raise Refused(400, "thresholds are numbers", "automation", "type")
    return wrapped(
        {
            "account": {"id": 31, "reference": request.path_params["account"], **account},
            "currency": body["currency"],
            "payout_account": {"id": 32, "address": body["payout_address"], **account},
            **thresholds,
        }
    )


def notify(action, data):
    """Sends a webhook: an event record, signed with ECDSA over P-256 and SHA-256."""
    if not book.webhook_url:
        return
    book.events += 1
    event = {
        "id": f"event/{book.events}",
        "event_id": book.events,
        "type": "MerchantContract",
        "action": action,
        "timestamp": book.at(),
        "data": data,
    }
    body = json.dumps(event).encode()
    at = str(int(book.now()))
    der = book.webhook_key.sign(f"{at}.".encode() + body, ec.ECDSA(hashes.SHA256()))
    r, s = decode_dss_signature(der)
    signature = base64.b64encode(r.to_bytes(32, "big") + s.to_bytes(32, "big")).decode()
    headers = {"content-type": "application/json", "x-signature": f"t={at},es256={signature}"}
    call = urllib.request.Request(book.webhook_url, body, headers, method="POST")
    threading.Thread(target=lambda: urllib.request.urlopen(call, timeout=10).close(), daemon=True).start()


def refuse(request, error):
    envelope = {"error": {"code": error.code, "message": error.message, "errors": [error.detail]}}
    return JSONResponse(envelope, status_code=error.code, headers=error.headers)


def plain(request, error):
    """An unknown path is answered by the framework's router, not by the service."""
    return JSONResponse({"detail": error.detail}, status_code=error.status_code)


class Dated:
    """Every answer has the service's time in `Date`."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        async def dated(message):
            if message["type"] == "http.response.start":
                date = formatdate(book.now(), usegmt=True)
                message["headers"] = [*message["headers"], (b"date", date.encode())]
            await send(message)

        await self.app(scope, receive, dated)


ROUTES = [
    Route("/orgs", keyed(get_organisation), methods=["GET"]),
    Route("/orgs", keyed(update_organisation), methods=["PUT"]),
    Route("/orgs/signing-secret", keyed(get_signing_secret), methods=["GET"]),
    Route("/paylinks", keyed(create_paylink), methods=["POST"]),
    Route("/paylinks/batch", keyed(update_paylinks), methods=["PATCH"]),
    Route("/paylinks/{id}", keyed(delete_paylink), methods=["DELETE"]),
    Route("/customers", keyed(list_customers), methods=["GET"]),
    Route("/payments/{id}", keyed(cancel_payment), methods=["DELETE"]),
    Route("/trade/instruments", keyed(list_instruments), methods=["GET"]),
    Route("/partners/accounts/{account}/balances", signed(list_balances), methods=["GET"]),
    Route(
        "/partners/accounts/id/{account}/automations/maintain-balance",
        signed(maintain_balance),
        methods=["POST"],
    ),
]


def end_with_parent():
    """The test that started this program holds its input open."""
    sys.stdin.read()
    os._exit(0)


def main():
    global book
    options = argparse.ArgumentParser()
    options.add_argument("--ahead", type=float, default=0, help="seconds that its clock is ahead")
    options.add_argument("--busy", type=int, default=0, help="number of signed requests answered with 503")
    given = options.parse_args()
    book = Book(given.ahead, given.busy)
    app = Starlette(
        routes=[Mount("/v1", routes=ROUTES)],
        exception_handlers={Refused: refuse, HTTPException: plain},
    )
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(Dated(app), lifespan="off", log_level="warning", date_header=False)
    facts = {
        "base_url": f"http://127.0.0.1:{listener.getsockname()[1]}",
        "api_key": book.api_key,
        "signing_secret": book.signing_secret,
    }
    # Connections wait in the listener's queue until the server accepts them.
    print(json.dumps(facts), flush=True)
    threading.Thread(target=end_with_parent, daemon=True).start()
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
