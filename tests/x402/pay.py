"""The unmodified client of x402 for Python pays a paylink and two routes, whose URLs are its arguments. Prints what it got.

PAYER_KEY is in the environment.
"""

import json
import os
import sys

from eth_account import Account
from x402 import x402ClientSync
from x402.http.clients.requests import x402_requests
from x402.mechanisms.evm.exact import ExactEvmScheme
from x402.mechanisms.evm.signers import EthAccountSigner

payer = Account.from_key(os.environ["PAYER_KEY"])
client = x402ClientSync()
client.register("eip155:*", ExactEvmScheme(signer=EthAccountSigner(payer)))
got = {}
for name, url in zip(["python", "pythonExpress", "pythonHono"], sys.argv[1:], strict=True):
    answer = x402_requests(client).get(url, timeout=90)
    got[name] = {"status": answer.status_code, "body": answer.json()}
print(json.dumps(got))
