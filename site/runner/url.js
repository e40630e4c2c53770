// The function of `node:url` that a package of x402 imports, for a page.

export const domainToASCII = (domain) => (URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : "");
