import { randomInt } from 'node:crypto'
import { isFree } from '../../scripts/address.mjs'

/** Below the ephemeral ports, which the system could assign to a client before the server listens. */
const [LOWEST, HIGHEST] = [10_240, 32_768]

/** An unused port of this machine: for servers that must know their address in advance. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    if (await isFree(port)) return port
  }
}
