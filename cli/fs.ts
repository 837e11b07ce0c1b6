/** `node:fs` as it is. To import it costs 4 ms of a start: the loader reads all of its exports, and loads streams for some. */
export const fs = process.getBuiltinModule('node:fs')
