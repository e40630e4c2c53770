export {
  Listing,
  Settlekit,
  type Options,
  type Page,
  type RawRequest,
  type RequestSeen,
  type ResponseSeen,
  type RetrySeen,
  type Settings,
} from "./client.js";
export { SettlekitError, type ErrorDetail, type ErrorKind } from "./errors.js";
export type * from "./operations.js";
export type { RequestToSign, Scheme, Signature } from "./scheme.js";
