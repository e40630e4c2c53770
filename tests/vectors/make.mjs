// Makes the vectors with Node's own crypto and BigInt, and with OpenSSL's command line: other implementations than ours.
//
//   node tests/vectors/make.mjs
//
// Keys and nonces are fixed, so the files come out the same every time.
import { createHash, createHmac, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const write = (name, value) => writeFileSync(new URL(name, import.meta.url), `${JSON.stringify(value, null, 2)}\n`);

// What OpenSSL says to a text on its standard input: the hex behind the last space.
const openssl = (words, input) => execFileSync("openssl", ["dgst", ...words], { input, encoding: "utf8" }).trim().split(" ").at(-1);
const secret = "ss_0123456789abcdef0123456789abcdef";
const nonce = "019aa0b5-c3f0-7c0d-9f2e-3b6a7d8c9e01";
const requests = [
  { name: "a read", method: "GET", path: "/v1/partners/accounts/shop-eu/balances", query: "", organisation: "", body: "" },
  { name: "a read for a sub-merchant", method: "GET", path: "/v1/partners/accounts/shop-eu/balances", query: "", organisation: "org_019aa0b5c3f07c0d9f2e3b6a7d8c9e01", body: "" },
  { name: "a query as sent", method: "GET", path: "/v1/accounts/7/movement", query: "limit=5&since=2026-11-21T00%3A00%3A00Z", organisation: "", body: "" },
  { name: "an encoded path", method: "GET", path: "/v1/accounts/caf%C3%A9%20%2F%20bar/movement", query: "", organisation: "", body: "" },
  { name: "a body", method: "POST", path: "/v1/paylinks", query: "", organisation: "", body: "{\"amount\":\"12.50\",\"currency\":\"USDC\",\"name\":\"Tea\"}" },
  { name: "a body beyond ASCII", method: "POST", path: "/v1/paylinks", query: "", organisation: "", body: "{\"name\":\"Café ☕ 茶\"}" },
];
write("signing.json", {
  secret,
  nonce,
  nonce_at_ms: Number.parseInt(nonce.replaceAll("-", "").slice(0, 12), 16),
  requests: requests.map((request) => {
    const digest = createHash("sha256").update(request.body, "utf8").digest("hex");
    const message = ["v1", request.method, request.path, request.query, nonce, request.organisation, digest].join("\n");
    const signature = createHmac("sha256", secret).update(message, "utf8").digest("hex");
    const again = message.replace(digest, openssl(["-sha256"], request.body));
    if (openssl(["-sha256", "-hmac", secret], again) !== signature) throw new Error(`Node and OpenSSL differ: ${request.name}`);
    return { ...request, message, signature };
  }),
});

// RFC 8410: a PKCS#8 private key of Ed25519 is a fixed beginning and the 32 secret bytes.
const spki = (key) => createPublicKey({
  key: Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), key]), format: "der", type: "spki",
}).export({ type: "spki", format: "pem" });
const seed = Buffer.alloc(32, 7);
const privateKey = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]), format: "der", type: "pkcs8",
});
const pem = createPublicKey(privateKey).export({ type: "spki", format: "pem" });
const deliveries = [
  { name: "a payment", id: "evt_019aa0b5c3f07c0d9f2e3b6a7d8c9e01", timestamp: 1763718000, body: "{\"type\":\"payment.settled\"}" },
  { name: "an empty body", id: "evt_019aa0b5c3f07c0d9f2e3b6a7d8c9e02", timestamp: 1763718001, body: "" },
  { name: "a body beyond ASCII", id: "evt_019aa0b5c3f07c0d9f2e3b6a7d8c9e03", timestamp: 1763718002, body: "{\"name\":\"Café ☕ 茶\"}" },
];
// The signature that the Standard Webhooks specification 1.0 shows for `v1a`, with the key, id, time and body behind it.
const published = {
  secret_hex: Buffer.from("6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbc=", "base64").toString("hex"),
  public_key: spki(Buffer.from("1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=", "base64")),
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1614265330, body: "{\"test\": 2432232314}",
  signature: "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==",
};
if (!verify(null, Buffer.from(`${published.id}.${published.timestamp}.${published.body}`), published.public_key, Buffer.from(published.signature.slice(4), "base64"))) {
  throw new Error("the published signature does not fit");
}
const lines = pem.trim().split("\n");
write("webhook.json", {
  secret_hex: seed.toString("hex"),
  public_key: pem,
  published,
  // What became of the key on its way through environment variables, JSON and other systems.
  public_key_variants: [
    pem.replaceAll("\n", "\\n"), pem.replaceAll("\n", "\r\n"), pem.replaceAll("\n", "\\r\\n"), lines.join(""), `"${pem.replaceAll("\n", "\\n")}"`,
    `\n\n${pem}\n\n`, lines.map((line) => `  ${line}  `).join("\n"), pem.replaceAll("\n", "\\\\n"),
  ],
  not_keys: ["", "not a key", pem.replace("PUBLIC", "PRIVATE"), pem.slice(0, 60), lines.toSpliced(1, 1, "AAAA").join("\n"), lines.toSpliced(1, 1, "%%%").join("\n")],
  deliveries: deliveries.map((delivery) => {
    const signed = Buffer.from(`${delivery.id}.${delivery.timestamp}.${delivery.body}`, "utf8");
    return { ...delivery, signature: `v1a,${sign(null, signed, privateKey).toString("base64")}` };
  }),
});

// Amounts against BigInt: `units` is the amount in the smallest unit of an asset with `scale` places, null where it does not fit.
const MAX = (1n << 96n) - 1n;
const units = (text, scale) => {
  const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const trimmed = fraction.replace(/0+$/, "");
  if (trimmed.length > scale) return null;
  const value = BigInt(whole + trimmed.padEnd(scale, "0")) * (sign ? -1n : 1n);
  return value > MAX || value < -MAX ? null : String(value);
};
const amounts = ["0", "0.0", "-0", "1", "1.50", "12.50", "007", "0.000001", "0.0000001", "123456789.123456789", "999999999999.999999", "79228162514264337593543950335", "79228162514.264337593543950335", "-3.25", "0.000000000000000001", "589000.000000000000000001"];
// Any amount, from a sequence that is the same every time (xorshift), and sums of two of them.
let state = 0x9e3779b97f4a7c15n;
const below = (count) => {
  state ^= (state << 13n) & 0xffffffffffffffffn; state ^= state >> 7n; state ^= (state << 17n) & 0xffffffffffffffffn;
  return Number(state % BigInt(count));
};
const digits = (count) => Array.from({ length: count }, () => below(10)).join("");
const any = () => `${below(4) ? "" : "-"}${digits(1 + below(12))}${below(5) ? `.${digits(1 + below(16))}` : ""}`;
for (let count = 0; count < 60; count += 1) amounts.push(any());
const decimal = (value, scale) => {
  const text = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  return `${value < 0n ? "-" : ""}${text.slice(0, text.length - scale)}${scale ? `.${text.slice(-scale)}` : ""}`;
};
const places = (text) => text.split(".")[1]?.length ?? 0;
const sum = (left, right) => {
  const scale = Math.max(places(left), places(right));
  const total = exact(left, scale) + exact(right, scale);
  return total > MAX || total < -MAX ? null : decimal(total, scale);
};
const exact = (text, scale) => {
  const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  return BigInt(whole + fraction.padEnd(scale, "0")) * (sign ? -1n : 1n);
};
const sums = Array.from({ length: 60 }, () => [any(), any()]);
write("amount.json", {
  sums: sums.map(([left, right]) => ({ left, right, sum: sum(left, right) })),
  read: amounts.flatMap((text) => [0, 2, 6, 18].map((scale) => ({ text, scale, units: units(text, scale) }))),
  refused: ["", "-", ".", ".5", "5.", "+1", "1e5", "1E5", "1_000", "1,000", " 1", "1 ", "0x1", "NaN", "Infinity", "--1", "1.2.3", "١", "1.5\n", "9".repeat(40), `0.${"1".repeat(40)}`, "79228162514264337593543950336", "589000000000000.000000000000000001"],
});
