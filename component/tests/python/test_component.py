"""The component run from Python, with the same table as `tests/host`. Signatures come from other implementations: Python's standard
library (HMAC) and `cryptography` (Ed25519)."""

import hashlib
import hmac
import json
import re
import time
from base64 import b64encode
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from settlekit import Settlekit, SettlekitError

COMPONENT = Path(__file__).parents[2]
VECTORS = COMPONENT.parent / "tests" / "vectors"
TABLE = json.loads((COMPONENT / "tests" / "table.json").read_text())

SECRET = "a secret"
CREDENTIALS = {
    "base-url": "https://pay.example/v1/",
    "api-key": "sk_1",
    "signing-secret": SECRET,
    "org-id": None,
    "idempotency-key": None,
}
SEED = {"now-ms": 1_780_000_000_000, "random": bytes([7] * 10)}
PAYOUT = json.dumps({"account": "till", "amount": "1", "currency": "USDC", "external_account_id": 7})


def lines(name):
    return [json.loads(line) for line in (VECTORS / f"{name}.jsonl").read_text().splitlines()]


@pytest.fixture(scope="session")
def core():
    return Settlekit(COMPONENT / "dist" / "settlekit-core.wasm")


def error_of(function, *arguments):
    with pytest.raises(SettlekitError) as caught:
        function(*arguments)
    return caught.value.error


def details(error):
    return [{name: value for name, value in detail.items() if value is not None} for detail in error["details"]]


def test_the_component_imports_nothing(core):
    assert list(core.component.type.imports(core.engine)) == []


def test_every_recorded_refusal_of_the_service_is_made_by_validate_and_by_request(core):
    refusals = lines("refusals")
    assert len(refusals) > 1500
    for line in refusals:
        operation, arguments = line["operation"], json.dumps(line["arguments"])
        error = error_of(core.calls, "validate", operation, arguments)
        assert details(error) == line["errors"], line
        error = error_of(core.calls, "request", operation, arguments, CREDENTIALS, SEED)
        assert details(error) == line["errors"], line
        assert (error["kind"], error["status"]) == ("validation", None)


def test_every_recorded_call_gives_the_recorded_request_with_a_signature_that_verifies(core):
    signed = 0
    for line in lines("operations"):
        given = line["arguments"]
        arguments = json.dumps({**(given["path"] or {}), **(given["query"] or {}), **(given["body"] or {})})
        assert core.calls("validate", line["operation"], arguments) is None
        request = core.calls("request", line["operation"], arguments, CREDENTIALS, SEED)
        made = {
            "method": request["method"],
            "target": request["url"].removeprefix("https://pay.example"),
            "body": request["body"] and json.loads(request["body"]),
        }
        assert made == line["request"]
        headers = dict(request["headers"])
        assert headers["x-api-key"] == "sk_1"
        if "x-api-signature" in headers:
            signed += 1
            assert headers["x-api-signature"] == signature(request, headers)
    assert signed > 10


def signature(request, headers):
    """The signature by `docs/decisions/0001-signed-message.md`."""
    url = urlsplit(request["url"])
    digest = hashlib.sha256((request["body"] or "").encode()).hexdigest()
    parts = ["v1", request["method"], url.path, url.query, headers["x-api-nonce"], headers.get("x-org-id", ""), digest]
    return hmac.new(SECRET.encode(), "\n".join(parts).encode(), hashlib.sha256).hexdigest()


def test_a_request_for_a_sub_merchant_is_signed(core):
    credentials = {**CREDENTIALS, "org-id": "org_019aa0b5c3f07c0d9f2e3b6a7d8c9e01"}
    body = json.dumps({"name": "Café ☕ 茶"})
    request = core.calls("raw-request", "POST", "/paylinks?x=%20", body, False, credentials, SEED)
    headers = dict(request["headers"])
    assert headers["x-org-id"] == credentials["org-id"]
    assert headers["x-api-signature"] == signature(request, headers)
    assert not request["repeatable"]


def test_every_recorded_response_is_read_as_its_record(core):
    pages = 0
    for line in lines("operations"):
        answer = line["answer"]
        body = b"" if answer["body"] is None else json.dumps(answer["body"]).encode()
        record = json.loads(core.calls("read", line["operation"], answer["status"], [], body))
        expected = answer["body"] and answer["body"].get("data", answer["body"])
        assert with_texts(record) == with_texts(expected), line["operation"]
        pages += isinstance(record, dict) and isinstance(record.get("items"), list)
    assert pages > 10


def with_texts(value):
    """Exact numbers of records are strings, so that no digit is lost."""
    if isinstance(value, dict):
        return {name: with_texts(field) for name, field in value.items()}
    if isinstance(value, list):
        return [with_texts(item) for item in value]
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return str(value) if is_number else value


def test_an_error_has_its_kind_reason_and_headers(core):
    for case in TABLE["errors"]:
        details = [{"domain": "x", "reason": case["reason"], "message": "no"}]
        body = json.dumps({"error": {"code": case["status"], "message": "no", "errors": details}}).encode()
        headers = list(case.get("headers", {}).items())
        read = error_of(core.calls, "read", "ListPaylinks", case["status"], headers, body)
        for error in [read, core.calls("read-error", case["status"], headers, body)]:
            assert error["kind"] == case["kind"], case
            assert error["status"] == case["status"]
            assert error["details"][0]["reason"] == case["reason"]
            for field in ["transient", "request_id", "retry_after_seconds", "server_time_ms"]:
                assert error[field.replace("_", "-")] == case.get(field), case
    for case in TABLE["unreadable"]:
        error = error_of(core.calls, "read", "ListPaylinks", case["status"], [], case["body"].encode())
        assert error["kind"] == case["kind"], case


def test_malformed_input_gives_an_error_and_no_trap(core):
    for arguments in TABLE["malformed_arguments"]:
        for error in [
            error_of(core.calls, "validate", "CreatePayout", arguments),
            error_of(core.calls, "request", "CreatePayout", arguments, CREDENTIALS, SEED),
        ]:
            assert error["kind"] == "validation", arguments
    for operation in TABLE["unknown_operations"]:
        assert error_of(core.calls, "validate", operation, "{}")["kind"] == "validation"
        assert error_of(core.calls, "read", operation, 200, [], b"{}")["kind"] == "validation"
    for length in TABLE["wrong_random_lengths"]:
        seed = {**SEED, "random": bytes(length)}
        error = error_of(core.calls, "request", "CreatePayout", PAYOUT, CREDENTIALS, seed)
        assert error["message"] == "a nonce needs ten random bytes"
    for body in [b"\xff\xfe", b"\x00", b'{"data":"\xc3"}', b"[" * 100_000]:
        assert error_of(core.calls, "read", "GetPayment", 200, [], body)["kind"] == "api"
    # The component still answers.
    assert core.calls("validate", "CreatePayout", PAYOUT) is None


def test_values_have_one_canonical_form(core):
    for case in TABLE["values"]:
        if "canonical" in case:
            assert core.values("parse-value", case["kind"], case["text"]) == case["canonical"]
        else:
            error = error_of(core.values, "parse-value", case["kind"], case["text"])
            assert [detail["reason"] for detail in error["details"]] == [case["reason"]] * bool(case["reason"])


class Service(BaseHTTPRequestHandler):
    """Answers as recorded."""

    def do_POST(self):
        [line] = [line for line in lines("operations") if line["operation"] == "CreatePaylink"]
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        found = (self.path, self.headers["x-api-key"], body["amount"]) == ("/v1/paylinks", "sk_1", "12.50")
        detail = {"domain": "paylink", "reason": "OUT_OF_RANGE", "field": "amount", "message": "is too much"}
        refusal = {"error": {"code": 422, "message": "`amount` is too much", "errors": [detail]}}
        self.send_response(line["answer"]["status"] if found else 422)
        self.end_headers()
        self.wfile.write(json.dumps(line["answer"]["body"] if found else refusal).encode())

    def log_message(self, *arguments):
        pass


def test_the_example_of_the_readme_runs(capsys, monkeypatch):
    readme = (COMPONENT / "README.md").read_text()
    [example] = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    monkeypatch.setenv("SETTLEKIT_API_KEY", "sk_1")
    monkeypatch.chdir(COMPONENT / "dist")
    with HTTPServer(("127.0.0.1", 0), Service) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        here = example.replace("127.0.0.1:8080", f"127.0.0.1:{server.server_port}")
        # Accepted, refused before it is sent, and refused by the service.
        for amount in ["12.50", "12.", "99"]:
            exec(here.replace('"12.50"', f'"{amount}"'), {})
        server.shutdown()
    identifier, malformed, refused = capsys.readouterr().out.splitlines()
    assert identifier.startswith("pl_")
    assert malformed.startswith("amount AMOUNT_MALFORMED ")
    assert refused == "amount OUT_OF_RANGE is too much"


def test_a_webhook_signed_elsewhere_is_verified_and_a_forged_one_refused(core):
    private = Ed25519PrivateKey.generate()
    pem = private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    now = int(time.time())
    body = json.dumps({"type": "payment.updated", "data": {"name": "Café"}}).encode()
    signed = b64encode(private.sign(f"evt_1.{now}.".encode() + body)).decode()
    headers = {"id": "evt_1", "timestamp": str(now), "signature": f"v1,AAAA v1a,{signed}"}

    def verify(headers=headers, body=body, keys=(pem,), at=now, tolerance=None):
        return core.webhooks("verify", headers, body, list(keys), at * 1000, tolerance)

    def reason(**changes):
        return error_of(lambda: verify(**changes))["reason"]

    assert verify() is None
    assert verify(at=now + 299) is None
    other = Ed25519PrivateKey.generate().public_key()
    other = other.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    assert verify(keys=[other, pem]) is None
    assert reason(keys=[other]) == "signature-invalid"
    assert reason(keys=[]) == "signature-invalid"
    assert reason(keys=["no key"]) == "key-malformed"
    assert reason(body=body + b" ") == "signature-invalid"
    assert reason(headers={**headers, "id": "evt_2"}) == "signature-invalid"
    assert reason(headers={**headers, "signature": "v1a,AAAA"}) == "signature-invalid"
    assert reason(headers={**headers, "timestamp": "yesterday"}) == "header-malformed"
    assert reason(at=now + 301) == "too-old"
    assert reason(at=now - 301) == "too-new"
    assert reason(at=now + 31, tolerance=30) == "too-old"
