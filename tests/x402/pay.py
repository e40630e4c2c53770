"""The unmodified client of x402 for Python pays a paylink. Prints what it got.

SETTLEKIT_URL, PAYLINK and PAYER_KEY are in the environment.
"""

import json
import os

from eth_account import Account
from x402 import x402ClientSync
from x402.http.clients.requests import x402_requests
from x402.mechanisms.evm.exact import ExactEvmScheme
from x402.mechanisms.evm.signers import EthAccountSigner

payer = Account.from_key(os.environ["PAYER_KEY"])
client = x402ClientSync()
client.register("eip155:*", ExactEvmScheme(signer=EthAccountSigner(payer)))
answer = x402_requests(client).get(f"{os.environ['SETTLEKIT_URL']}/v1/x402/{os.environ['PAYLINK']}", timeout=90)
print(json.dumps({"status": answer.status_code, "body": answer.json()}))
