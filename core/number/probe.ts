// A separate compiler entry, for tests and benchmarks only: internals that the module does not export.

import { power, readDouble } from "./read";
import { formatDouble } from "./write";

export { formatDouble, readDouble };

/** The address of the upper 128 bits of 5^k. */
export function powerAt(k: i32): usize { return power(k); }
