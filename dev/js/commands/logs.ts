import { FAILED } from "./failure.js";
import { group } from "./room.js";
import { simple } from "./simple.js";

const tail = simple({
  name: "logs tail",
  summary: "Shows the requests that the service answers.",
  options: [],
  async run(_, io) {
    io.err("The service has no request log yet. Its events are in `settlekit events list`, the deliveries of one in `settlekit events list-attempts`.");
    return FAILED;
  },
});

export const logs = group("logs", "The log of requests.", [tail]);
