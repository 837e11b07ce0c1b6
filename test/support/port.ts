import { randomInt } from 'node:crypto'
import { isFree } from '../../scripts/address.mjs'

/** Below those that the system gives to whoever connects, which would take one before its server has it. */
const [LOWEST, HIGHEST] = [10_240, 32_768]

/** A port of this machine that nobody listens on: for servers that have to know their address before they have it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    if (await isFree(port)) return port
  }
}
