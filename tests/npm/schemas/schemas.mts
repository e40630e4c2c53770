import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type Arguments, bodySchema, canMove, type Operations, type QueryOf, querySchema, schema, validateField, type Values, valueSchema } from "settlekit/core";

type Body = Operations["CreatePaylink"]["body"];

export const body: StandardSchemaV1<Body> = bodySchema("CreatePaylink");
export const all: StandardSchemaV1<Arguments<"GetPaylink">> = schema("GetPaylink");
export const query: StandardSchemaV1<QueryOf<"ListPayments">> = querySchema("ListPayments");
// Each parameter may be text, as in a URL, and goes into a request as it is.
export const listed: Arguments<"ListPayments"> = { limit: "10", sort: "asc" } satisfies QueryOf<"ListPayments">;
export const value: StandardSchemaV1<string | number, Values["EvmAddress"]> = valueSchema("EvmAddress");
// @ts-expect-error: the body of another operation.
export const other: StandardSchemaV1<Operations["CreatePayout"]["body"]> = bodySchema("CreatePaylink");

const paylink = bodySchema("CreatePaylink");
type Input = StandardSchemaV1.InferInput<typeof paylink>;
type Output = StandardSchemaV1.InferOutput<typeof paylink>;
export const tea: Input = { amount: "12.50", currency: "USDC", name: "Tea", after_completion: { type: "redirect" } };
export const name: string = ({} as Output).name;
// @ts-expect-error: an amount is text.
export const number: Input = { amount: 12.5, currency: "USDC", name: "Tea" };
// @ts-expect-error: a name is required.
export const nameless: Input = { amount: "12.50", currency: "USDC" };
// @ts-expect-error: the output has no such field.
export const colour = ({} as Output).colour;
const address = valueSchema("EvmAddress");
export const canonical: Values["EvmAddress"] = {} as StandardSchemaV1.InferOutput<typeof address>;

// @ts-expect-error: there is no such operation.
bodySchema("SellPaylink");
// @ts-expect-error: there is no such type.
valueSchema("Colour");
// @ts-expect-error: the operation has no such field.
validateField("CreatePaylink", "colour", "red");
// @ts-expect-error: there is no such record.
canMove("paylink", "Processing", "Canceled");
