// Prints the gas of the factory's transactions, for the benchmarks.

import { gasTable } from "../test/node/gas.mjs";

console.log(await gasTable());
