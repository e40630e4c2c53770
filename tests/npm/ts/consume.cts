import { Settlekit } from "settlekit";
import { bodySchema, type StandardSchemaV1 } from "settlekit/core";
import { Decimal } from "settlekit/decimal";
import { ENGLISH } from "settlekit/reasons";
import { Sandbox } from "settlekit/sandbox";
import { init } from "settlekit/slim";
import { verify } from "settlekit/webhooks";

export async function client(): Promise<Settlekit> {
  const sandbox = await Sandbox.start();
  return new Settlekit(sandbox.settings(sandbox.createOrganisation({ name: "Tea House" })));
}
export const type: string = verify("", {}, "").type;
export const sum: string = Decimal.from("0.1").plus("0.2").toString();
export const ready: Promise<void> = init();
export const schema: StandardSchemaV1 = bodySchema("CreatePaylink");
export const text: string = ENGLISH.REQUIRED;
