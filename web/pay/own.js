// The payer's own currency, in which the price is shown beside: the one that the payer chose, else that of the region.

/** Local storage key of the choice, at any link of this service. */
const CHOICE = "settlekit.pay.currency";

/** Currencies that every payer can choose, beside that of the region. */
const OFFERED = ["EUR", "USD", "GBP", "CAD", "CHF"];

/** Currencies, each with its regions (ISO 3166). */
const REGIONS = {
  EUR: "AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM VA XK YT",
  USD: "AS EC GU MP PA PR SV US VI", GBP: "GB GG IM JE", CAD: "CA", CHF: "CH LI", AUD: "AU", BRL: "BR", CNY: "CN", CZK: "CZ", DKK: "DK GL", HKD: "HK", HUF: "HU",
  IDR: "ID", ILS: "IL", INR: "IN", ISK: "IS", JPY: "JP", KRW: "KR", MXN: "MX", MYR: "MY", NOK: "NO", NZD: "NZ", PHP: "PH", PLN: "PL",
  RON: "RO", SEK: "SE", SGD: "SG", THB: "TH", TRY: "TR", ZAR: "ZA",
};

/** The currency of a locale's region; none if it is unknown. */
export function currencyOf(locale) {
  let region;
  try {
    region = new Intl.Locale(locale).maximize().region;
  } catch {
    return null;
  }
  const found = Object.entries(REGIONS).find(([, regions]) => regions.split(" ").includes(region));
  return found?.[0] ?? null;
}

function stored() {
  try {
    return localStorage.getItem(CHOICE);
  } catch {
    // The browser stores nothing.
    return null;
  }
}

/** The currencies to ask prices for: the payer's first. */
export function currencies(locale) {
  const own = [stored(), currencyOf(locale)].filter((one) => /^[A-Z]{3}$/.test(one ?? ""));
  return [...new Set([...own, ...OFFERED])];
}

export function choose(currency) {
  try {
    localStorage.setItem(CHOICE, currency);
  } catch {
    // The payer chooses again next time.
  }
}

/** The amount in the payer's currency; none if it has no price. */
export function shown(amounts, locale) {
  const own = stored() ?? currencyOf(locale);
  return amounts.find(({ currency }) => currency === own) ?? null;
}

/** An approximate amount with the currency's usual decimal places. */
export function text({ currency, amount }, locale) {
  const { maximumFractionDigits: places } = new Intl.NumberFormat(locale, { style: "currency", currency }).resolvedOptions();
  const number = new Intl.NumberFormat(locale, { minimumFractionDigits: places, maximumFractionDigits: places });
  return `${number.format(Number(amount))}\u00a0${currency}`;
}
