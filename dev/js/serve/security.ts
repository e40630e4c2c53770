/** Headers of every answer, as of the server (`server/src/security.rs`). No inline script or style, no other origin except images, no frames. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
  "img-src 'self' https: data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; " +
  "base-uri 'none'; form-action 'self'";

/** The part of the policy that a page with `frame-ancestors` of its own replaces. */
const NOT_FRAMED = "frame-ancestors 'none'; ";

const CONTENT_SECURITY_POLICY = "content-security-policy";
const FRAME_OPTIONS = "x-frame-options";

const ALWAYS: Record<string, string> = {
  "x-content-type-options": "nosniff",
  [FRAME_OPTIONS]: "DENY",
  // The URL of a payer's page contains the payment.
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), clipboard-read=()",
};

/** Adds the headers. A page's own policy applies in addition, and its other own headers instead. */
export function secure(headers: Record<string, string>): Record<string, string> {
  const own = headers[CONTENT_SECURITY_POLICY];
  const isFramed = own?.includes("frame-ancestors") === true;
  const general = isFramed ? POLICY.replace(NOT_FRAMED, "") : POLICY;
  const { [FRAME_OPTIONS]: frameOptions = "", ...others } = ALWAYS;
  return {
    ...others,
    ...(isFramed ? {} : { [FRAME_OPTIONS]: frameOptions }),
    ...headers,
    [CONTENT_SECURITY_POLICY]: own === undefined ? general : `${general}; ${own}`,
  };
}
