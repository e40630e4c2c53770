import { Settlekit } from "settlekit";
import { Sandbox } from "settlekit/sandbox";
import { verify } from "settlekit/webhooks";

export const settlekit: Settlekit = new Settlekit({ baseUrl: "http://sandbox.test", fetch: new Sandbox().fetch });
export const type: string = verify("", {}, "").type;
