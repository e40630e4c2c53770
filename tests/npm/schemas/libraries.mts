import { sValidator } from "@hono/standard-validator";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { FormApi } from "@tanstack/form-core";
import { type inferRouterInputs, initTRPC } from "@trpc/server";
import { Hono } from "hono";
import type { Resolver } from "react-hook-form";
import { type Amount, bodySchema, type Operations, querySchema } from "settlekit/core";

type Body = Operations["CreatePaylink"]["body"];

export const resolver: Resolver<Body, unknown, Body> = standardSchemaResolver(bodySchema("CreatePaylink"));
// @ts-expect-error: the values of another operation.
export const other: Resolver<Body, unknown, Body> = standardSchemaResolver(bodySchema("CreatePayout"));

// The form's own values: TanStack lists the paths of every field, which never ends for free-form JSON such as `metadata`.
const defaultValues = { amount: "", currency: "USDC", name: "" };
export const form = new FormApi({ defaultValues, validators: { onChange: bodySchema("CreatePaylink") } });
form.setFieldValue("amount", "12.50");
// @ts-expect-error: an amount is text.
export const numeric = new FormApi({ defaultValues: { ...defaultValues, amount: 12.5 }, validators: { onChange: bodySchema("CreatePaylink") } });
// @ts-expect-error: the form has no such field.
form.setFieldValue("colour", "red");

export const app = new Hono()
  .post("/paylinks", sValidator("json", bodySchema("CreatePaylink")), (context) => {
    const { amount }: { amount: Amount } = context.req.valid("json");
    // @ts-expect-error: the body has no such field.
    const { colour } = context.req.valid("json");
    return context.json({ amount, colour });
  })
  .get("/payments", sValidator("query", querySchema("ListPayments")), (context) => {
    const { sort }: { sort?: string } = context.req.valid("query");
    return context.json({ sort });
  });

const { procedure, router } = initTRPC.create();
const routes = router({ createPaylink: procedure.input(bodySchema("CreatePaylink")).mutation(({ input }): Amount => input.amount) });
export const tea: inferRouterInputs<typeof routes>["createPaylink"] = { amount: "12.50", currency: "USDC", name: "Tea" };
// @ts-expect-error: a name is required.
export const nameless: inferRouterInputs<typeof routes>["createPaylink"] = { amount: "12.50", currency: "USDC" };
