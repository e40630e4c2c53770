// `cargo xtask run --live-demo`: a live server beside a local EVM node, with a token and a funded hot wallet.
//
// Arguments: the program settlekit, the program anvil, the creation codes of tokens as JSON, the folder for the data, and if others are
// wanted the ports of node and server.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const [settlekit, anvil, tokensFile, folder, nodePort = "8545", serverPort = "8080"] = process.argv.slice(2);
const CHAIN = 31337;
/** The key of every Anvil's second account. Everybody knows it. */
const PAYER_KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";
const NODE = `http://127.0.0.1:${nodePort}`;
const LISTEN = `127.0.0.1:${serverPort}`;
/** The deterministic deployment proxy's address is on every Anvil from the start. */
const ETHER = "0x8ac7230489e80000"; // 10 ETH

// The node starts a new chain each time, so the books start empty, too.
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const database = `sqlite:${join(folder, "live.db")}`;

const children = [];
const end = (code) => {
  for (const child of children) child.kill("SIGTERM");
  process.exit(code);
};
process.on("SIGINT", () => end(0));
process.on("SIGTERM", () => end(0));

function start(program, args) {
  const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
  children.push(child);
  child.on("exit", (code) => end(code ?? 1));
}

async function rpc(method, ...params) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = await fetch(NODE, { method: "POST", headers: { "content-type": "application/json" }, body });
  const { result, error } = await answer.json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

async function until(what, isSo) {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = await isSo().catch(() => null);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`not in time: ${what}`);
}

async function mined(transaction) {
  const hash = await rpc("eth_sendTransaction", transaction);
  return until("a transaction", () => rpc("eth_getTransactionReceipt", hash));
}

function run(...args) {
  const text = execFileSync(settlekit, [...args, "--database", database, "--json"], { encoding: "utf8" });
  return JSON.parse(text);
}

const word = (value) => value.replace(/^0x/, "").toLowerCase().padStart(64, "0");

try {
  if (!existsSync(anvil)) throw new Error(`${anvil} is missing`);
  // The node would write the states of old blocks to the home folder.
  const states = ["--prune-history", "256"];
  start(anvil, ["--silent", "--chain-id", String(CHAIN), "--block-time", "1", "--port", nodePort, ...states]);
  const accounts = await until("the node", () => rpc("eth_accounts"));
  const [issuer, payer] = accounts;
  const deployed = await mined({ from: issuer, data: JSON.parse(readFileSync(tokensFile, "utf8")).Stablecoin, gas: "0x2dc6c0" });
  const token = deployed.contractAddress;
  // mint(address,uint256): 10 000 USDC
  await mined({ from: issuer, to: token, data: `0x40c10f19${word(payer)}${word((10_000_000_000).toString(16))}` });

  const shop = run("org", "create", "--name", "Blue Bottle Books");
  const member = run("member", "add", "--org", shop.org_id, "--email", "ada@shop.example", "--name", "Ada", "--operator");
  const wallet = run("wallet", "create");
  await mined({ from: issuer, to: wallet.address, value: ETHER });
  run(
    ...["chain", "connect", "--chain", String(CHAIN), "--name", "Local Anvil", "--native", "ETH", "--block-seconds", "1", "--test-network"],
    ...["--confirmations", "3", "--rpc", NODE, "--public-rpc", NODE, "--token", `USDC=${token}`, "--deploy"],
  );
  // Payers may also sign a transfer that the hot wallet sends (EIP-3009).
  execFileSync(settlekit, ["chain", "payer-fees", "--chain", String(CHAIN), "--per-day", "0.1", "--database", database]);
  console.log(`
Node:         ${NODE} (chain ${CHAIN}, a block every second)
Token USDC:   ${token}
Payer:        ${payer} has 10 000 USDC and ETH
Payer’s key:  ${PAYER_KEY} (public: test money only)
Hot wallet:   ${wallet.address}
Organisation: ${shop.org_id}
API key:      ${shop.api_key}
Signing:      ${shop.signing_secret}
Sign-in:      ada@shop.example ${member.password}
Comparison:   ${settlekit} verify --database ${database} --chain
`);
  start(settlekit, ["serve", "--database", database, "--listen", LISTEN, "--allow-private-webhooks"]);
} catch (error) {
  console.error(`live demo: ${error.message}`);
  end(1);
}
