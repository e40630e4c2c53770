import type { Command } from "../command.js";
import { ROOMS } from "./catalogue.js";
import { completion } from "./completion.js";
import { events } from "./events.js";
import { listen } from "./listen.js";
import { login } from "./login.js";
import { logout } from "./logout.js";
import { logs } from "./logs.js";
import { mcp } from "./mcp.js";
import { roomCommand } from "./room.js";
import { status } from "./status.js";
import { trigger } from "./trigger.js";

const rooms = Object.keys(ROOMS).filter((room) => room !== "events").map((room) => roomCommand(room));

/** All commands but the one that serves: first those of the program, then one for each resource. */
export const COMMANDS: readonly Command[] = [login, logout, status, listen, trigger, events, logs, mcp, completion, ...rooms];
