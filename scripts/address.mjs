// Where `npm start` serves: this machine alone, at a port that nobody else has.
import { createServer } from 'node:net'

export const HOST = '127.0.0.1'
/** What serve.mjs ends with when somebody took its port after start.mjs had found it free. */
export const PORT_TAKEN = 75

export function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, HOST, () => probe.close(() => resolve(true)))
  })
}
