import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** A port of this machine that nobody has right now: for servers that have to know their address before they have it. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
