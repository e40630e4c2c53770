import { Settlekit } from "settlekit";
import { Decimal } from "settlekit/decimal";

export const dynamic = "force-dynamic";

export default async function Page() {
  const settlekit = new Settlekit({ baseUrl: process.env.SETTLEKIT_URL, apiKey: process.env.SETTLEKIT_API_KEY });
  const { name } = await settlekit.organisation.get();
  return (
    <p>
      {name}: {Decimal.from("0.1").plus("0.2").toString()}
    </p>
  );
}
