import { alias, roomCommand } from "./room.js";

export const events = roomCommand("events", [alias("events", "list", "list"), alias("events", "get", "show"), alias("events", "retry", "resend")]);
