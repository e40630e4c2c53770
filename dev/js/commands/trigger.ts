import { clientOf, connectionOf, isSandbox } from "./connection.js";
import { Failure, FAILED, MISUSED, suggestion } from "./failure.js";
import { end, events } from "./listen/log.js";
import { CONNECTION } from "./options.js";
import { printable } from "./printable.js";
import { simple } from "./simple.js";
import { Scene } from "./trigger/scene.js";
import { STEPS } from "./trigger/steps.js";

export const trigger = simple({
  name: "trigger",
  summary: "Makes a real event happen in sandbox mode: a payment, an expiry, a refund.",
  takes: "EVENT",
  text: [
    "Calls the public API as a merchant and a payer would, and names everything that it creates. The clock of the sandbox, which all its organisations share, is advanced where time must pass.",
    "Events: settlekit trigger --list",
  ],
  options: [{ name: "list", description: "lists the events and how each is made to happen" }, ...CONNECTION],
  words: Object.keys(STEPS),
  most: 1,
  async run(options, io) {
    const names = Object.keys(STEPS);
    const [given] = options.positionals;
    if (options.flag("list") || given === undefined) {
      const width = Math.max(...names.map((name) => name.length));
      for (const [name, { how }] of Object.entries(STEPS)) io.out(`${name.padEnd(width)}  ${how}`);
      return options.flag("list") ? 0 : MISUSED;
    }
    const event = given.toLowerCase();
    const steps = Object.hasOwn(STEPS, event) ? STEPS[event] : undefined;
    if (steps === undefined) {
      io.err(`${given} is not an event of the service${suggestion(event, names)}`);
      io.err("Events: settlekit trigger --list");
      return MISUSED;
    }
    const client = clientOf(connectionOf(options, io));
    if (!(await isSandbox(client))) throw new Failure("The service is in live mode, where nothing is simulated: trigger works in sandbox mode only.");
    const before = await end(client, io.signal);
    const again = await steps.run(new Scene(client, (line) => io.out(`  ${printable(line)}`), io.signal));
    if (again) {
      io.out(`${event} ${again.id}`);
      return 0;
    }
    for await (const found of events(client, before, io.signal)) {
      if (found.type !== event) continue;
      io.out(`${event} ${found.id}`);
      return 0;
    }
    io.err(`The service recorded no ${event}.`);
    return FAILED;
  },
});
