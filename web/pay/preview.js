// The payer's page as a preview in the dashboard's settings: a made-up product in the merchant's unsaved look. It asks the service for
// nothing, has no address to pay to, and nothing on it can be pressed.

const CHAINS = ["Ethereum", "Base"];

/** A checkout that no service offers. */
const sample = (t, { merchant, style }) => ({
  state: "Open",
  name: t("Sample product"),
  amount: "48.00",
  currency: "USD",
  merchant,
  style,
  options: CHAINS.map((name) => ({ chain: { name }, currency: "USDC", amount: "48.00" })),
  collect: {},
});

/** Shows what the dashboard sends; only a page of this origin may frame this one, and only that page is heard. */
export function start(t, show) {
  document.getElementById("card").inert = true;
  const tell = () => {
    const banner = document.getElementById("sandbox");
    banner.textContent = t("Preview. Nothing can be paid on this page.");
    banner.hidden = false;
  };
  addEventListener("message", async ({ source, origin, data }) => {
    if (parent === window || source !== parent || origin !== location.origin || data?.settlekit !== "preview") return;
    await show(sample(t, data), data.scheme === "dark" ? "dark" : "light");
    tell();
    document.querySelector("input[name=option]").checked = true;
  });
  tell();
  parent.postMessage({ settlekit: "preview" }, location.origin);
}
