// The address and the port of `npm start`: only this machine, at a free port. And the command line tool that it tells
// people to run.
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

export const HOST = '127.0.0.1'
/** The exit code of serve.mjs when another program took its port after start.mjs had found it free. */
export const PORT_TAKEN = 75

/**
 * The command line tool of this checkout, quoted for a shell in any folder. The bare name could be another package's.
 */
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
