// The navigation beside the pages.

import { pageOf, titleOf as roomTitle } from "../reference/pages.mjs";
import { addressOf } from "./links.mjs";
import { read } from "./parts.mjs";
import { titleOf } from "./sections.mjs";
import { sources } from "./sources.mjs";

const GUIDES = [
  ["Take payments", ["payment-links", "payers-page", "embedded", "subscriptions", "refunds"]],
  ["Send and trade", ["payouts", "trading", "partners"]],
  ["Programs that pay", ["x402-paylink", "x402-facilitator"]],
  ["Integrate", ["authentication", "signing", "webhooks", "idempotency", "lists", "errors"]],
  ["Test and go live", ["testing", "tutorial", "going-live"]],
];

/** Short names where the title is a sentence. */
const NAMES = {
  "guides/payers-page.md": "The payer's page", "guides/embedded.md": "In your own page", "guides/x402-paylink.md": "Pay a link by x402",
  "guides/x402-facilitator.md": "Your own routes by x402", "guides/testing.md": "Testing in the sandbox", "guides/tutorial.md": "Tutorial: test a checkout", "guides/going-live.md": "Going live",
  "settlekit-dev.md": "On your machine", "javascript.md": "JavaScript client", "languages.md": "Other languages", "readme.md": "The project", "operating.md": "Operating",
  "changelog.md": "Changelog", "changelog-javascript.md": "Changelog of the package",
};

export function sidebar(rooms) {
  const byPage = new Map([...sources()].map(([source, page]) => [page, source]));
  const item = (page) => ({ text: NAMES[page] ?? titleOf(read(byPage.get(page))), link: addressOf(page) });
  const placed = new Set(["guides/quickstart.md", "settlekit-dev.md", "command-line.md", "agents.md", "javascript.md", "languages.md", "changelog.md", "changelog-javascript.md", "readme.md", "security.md"]);
  const guides = GUIDES.map(([text, names]) => ({ text, items: names.map((name) => item(placed.add(`guides/${name}.md`) && `guides/${name}.md`)) }));
  const all = [...byPage.keys()].sort();
  const rest = (folder) => all.filter((page) => page.startsWith(folder) && !placed.has(page)).map(item);
  // A new document of `docs/` is found, even if nobody has placed it.
  const others = all.filter((page) => !page.includes("/") && !placed.has(page)).map(item);
  const left = rest("guides/");
  const start = { text: "Start", items: ["guides/quickstart.md", "settlekit-dev.md", "command-line.md", "agents.md", "javascript.md", "languages.md"].map(item) };
  const project = { text: "Project", items: [...others, ...["readme.md", "changelog.md", "changelog-javascript.md", "security.md"].map(item)] };
  const common = [start, ...guides, ...(left.length > 0 ? [{ text: "More guides", items: left }] : []), { text: "Concepts", items: rest("concepts/") }, project];
  const reference = [
    { text: "Reference", items: [{ text: "All operations", link: "/reference/" }, { text: "Records", link: "/reference/records" }, { text: "Errors", link: "/reference/errors" }] },
    { text: "Resources", items: rooms.map(({ name }) => ({ text: roomTitle(name), link: `/${pageOf(name)}` })) },
  ];
  const decisions = [{ text: "Decisions", items: [{ text: "All decisions", link: "/decisions/" }, ...all.filter((page) => /^decisions\/\d/.test(page)).map(item)] }];
  return { "/reference/": reference, "/decisions/": decisions, "/": common };
}
