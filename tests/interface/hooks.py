"""Signs what has to be signed and signs in where a session is needed, so that those operations are really carried out: see `core/src/sign.rs`.

Schemathesis loads this by `SCHEMATHESIS_HOOKS`, once, before it calls anything. The signature is made over the request as it is sent, whatever it holds.
"""

import hashlib
import hmac
import os
import time
from datetime import datetime
from urllib.parse import urlsplit

import requests
import schemathesis

SECRET = os.environ["SETTLEKIT_SIGNING_SECRET"].encode()

# How far the server's clock runs ahead: one of the operations moves it.
ahead = 0.0


def nonce() -> str:
    """A UUIDv7 of the server's moment."""
    millis = int((time.time() + ahead) * 1000) & (1 << 48) - 1
    rest = int.from_bytes(os.urandom(10), "big")
    number = millis << 80 | 7 << 76 | (rest >> 64 & 0xFFF) << 64 | 2 << 62 | rest & (1 << 62) - 1
    text = f"{number:032x}"
    return "-".join([text[:8], text[8:12], text[12:16], text[16:20], text[20:]])


class Signed(requests.auth.AuthBase):
    """Adds nonce and signature to a request that has everything else."""

    def __call__(self, request):
        body = request.body or b""
        if isinstance(body, str):
            body = body.encode()
        url = urlsplit(request.url)
        once = nonce()
        organisation = request.headers.get("X-ORG-ID", "")
        if isinstance(organisation, bytes):
            organisation = organisation.decode("latin-1")
        lines = ["v1", request.method, url.path, url.query, once, organisation, hashlib.sha256(body).hexdigest()]
        request.headers["X-API-Nonce"] = once
        signature = hmac.new(SECRET, "\n".join(lines).encode(), hashlib.sha256)
        request.headers["X-API-Signature"] = signature.hexdigest()
        return request


class Session:
    """Somebody who is signed in and has just proven who they are. What ends it is found out by being refused."""

    def __init__(self) -> None:
        # Another password is sent by a call of its own, and which of them counts is known when it has been answered.
        self.passwords = [os.environ["SETTLEKIT_PASSWORD"]]
        self.headers = None

    def begin(self) -> dict:
        # Of two workers one may change the password while the other signs in: that ends the session before it is proven.
        for _ in range(5):
            base, email = os.environ["SETTLEKIT_URL"] + "/v1/sessions", os.environ["SETTLEKIT_EMAIL"]
            for password in reversed(self.passwords):
                begun = requests.post(base, json={"email": email, "password": password}, timeout=30)
                if begun.ok:
                    break
            if not begun.ok:
                refused = f"signing in: {begun.status_code} {begun.text}"
                continue
            cookies = "; ".join(f"{name}={value}" for name, value in begun.cookies.items())
            headers = {"Cookie": cookies, "X-CSRF-Token": begun.json()["data"]["csrf_token"]}
            proven = requests.post(base + "/step-up", json={"password": password}, headers=headers, timeout=30)
            if proven.ok:
                return {**headers, "X-Step-Up": proven.json()["data"]["token"]}
            refused = f"proving who it is: {proven.status_code} {proven.text}"
        raise AssertionError(refused)

    def __call__(self, request):
        self.headers = self.headers or self.begin()
        request.headers.update(self.headers)
        return request

    def before(self, case) -> None:
        password = case.body.get("new_password") if isinstance(case.body, dict) else None
        if isinstance(password, str) and len(password) >= 12:
            self.passwords.append(password)

    def after(self, case, response) -> None:
        ended = response.status_code < 300 and case.operation.label.startswith("DELETE")
        if response.status_code == 401 or ended:
            self.headers = None


session = Session()


def prepare() -> None:
    """The account that the description's examples name, with money in it."""
    base, key = os.environ["SETTLEKIT_URL"] + "/v1", {"X-API-KEY": os.environ["SETTLEKIT_API_KEY"]}
    chains = [{"chain_id": 8453, "currencies": ["USDC", "ETH"]}]
    deposit = {"account": "shop-eu", "chain_id": 8453, "currency": "USDC", "amount": "100000"}
    for path, body in [
        ("/accounts/virtual", {"reference": "shop-eu", "chains": chains}),
        ("/sandbox/deposits", deposit),
        ("/sandbox/clock", {"advance_seconds": 60}),
    ]:
        answer = requests.post(base + path, json=body, headers=key, timeout=30)
        assert answer.ok, f"{path}: {answer.status_code} {answer.text}"


prepare()


def is_signed(case) -> bool:
    ways = case.operation.definition.raw.get("security") or []
    return any("ApiSignature" in way for way in ways)


def needs_session(case) -> bool:
    ways = case.operation.definition.raw.get("security") or []
    return bool(ways) and all("Session" in way for way in ways)


@schemathesis.hook
def before_call(context, case, kwargs):
    if is_signed(case):
        kwargs["auth"] = Signed()
    elif needs_session(case):
        session.before(case)
        kwargs["auth"] = session


@schemathesis.hook
def after_call(context, case, response):
    # Told with everything that is signed; the clock may have been moved since the last time.
    global ahead
    if needs_session(case):
        session.after(case, response)
    told = response.headers.get("x-server-time")
    if told:
        told = told[0] if isinstance(told, list) else told
        ahead = datetime.fromisoformat(told.replace("Z", "+00:00")).timestamp() - time.time()
