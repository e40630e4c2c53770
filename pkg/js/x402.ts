// The facilitator of the official middleware of x402, without a dependency on it: any `fetch`, so that of a sandbox, too.

/** A network by its CAIP-2 id, `eip155:8453`. */
export type X402Network = `${string}:${string}`;

/** Whether a payment can be settled. */
export interface X402Verification {
  isValid: boolean;
  invalidReason?: string;
  invalidMessage?: string;
  payer?: string;
}

/** How a payment was settled, or why not. */
export interface X402Settlement {
  success: boolean;
  errorReason?: string;
  errorMessage?: string;
  payer?: string;
  /** Hash of the transaction; empty if none was sent. */
  transaction: string;
  network: X402Network;
}

/** The payments that can be settled. */
export interface X402Supported {
  kinds: { x402Version: number; scheme: string; network: X402Network }[];
  extensions: string[];
  signers: Record<string, string[]>;
}

/** Checks and settles payments; the `FacilitatorClient` of the official packages. */
export interface X402Facilitator {
  verify(payment: object, requirements: object): Promise<X402Verification>;
  settle(payment: object, requirements: object): Promise<X402Settlement>;
  getSupported(): Promise<X402Supported>;
}

/** Where the facilitator is. `sandbox.settings(organisation)` fits. */
export interface X402Settings {
  baseUrl: string;
  apiKey: string;
  fetch?: (input: string, init?: RequestInit) => Promise<Response>;
}

/** The facilitator of a service, for `x402ResourceServer` of the official packages. */
export function facilitator({ baseUrl, apiKey, fetch: send = fetch }: X402Settings): X402Facilitator {
  async function call<Answer>(endpoint: string, init: RequestInit = {}): Promise<Answer> {
    const headers = { "X-API-KEY": apiKey, "Content-Type": "application/json" };
    const response = await send(`${baseUrl}/v1/x402/${endpoint}`, { ...init, headers });
    const json = (await response.json()) as Answer & { error?: { message?: string } };
    if (!response.ok) throw new Error(`${endpoint}: ${response.status} ${json.error?.message ?? ""}`.trim());
    return json;
  }
  const post = <Answer>(endpoint: string, payment: object, requirements: object): Promise<Answer> => {
    const { x402Version } = payment as { x402Version?: unknown };
    return call(endpoint, { method: "POST", body: JSON.stringify({ x402Version, paymentPayload: payment, paymentRequirements: requirements }) });
  };
  return {
    verify: (payment, requirements) => post("verify", payment, requirements),
    settle: (payment, requirements) => post("settle", payment, requirements),
    getSupported: () => call("supported"),
  };
}
