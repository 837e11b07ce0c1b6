// Where `npm start` serves: this machine alone, at a port that nobody else has. And the tool that it tells people to run.
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

export const HOST = '127.0.0.1'
/** What serve.mjs ends with when somebody took its port after start.mjs had found it free. */
export const PORT_TAKEN = 75

/** The terminal tool of this checkout, as a shell takes it in any folder. Its name alone could be another package's. */
export const TOOL_PATH = new URL('../dist/cli/blazon.js', import.meta.url)
export const TOOL = `node ${quoted(fileURLToPath(TOOL_PATH))}`

export function quoted(path) {
  return /^[\w./:-]+$/.test(path) ? path : `"${path.replace(/["$`\\]/g, '\\$&')}"`
}

export function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, HOST, () => probe.close(() => resolve(true)))
  })
}
