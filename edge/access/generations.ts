// Only tokens of a holder's current generation are valid. It is stored in the directory map, but the setting
// TOKEN_GENERATIONS may raise it.
import { directoryMap, type Env, gatewayStub } from '../env.ts'
import { Problem } from '../http/problem.ts'
import { isHolder, nameOfHolder } from './holders.ts'

/** `HOLDER=N`; the holder may contain a `=`. */
const ENTRY = /^(.+)=(\d{1,9})$/

export async function generationOf(env: Env, holder: string): Promise<number> {
  const least = leastOf(env, holder)
  return Math.max(await directoryMap(env).tokenGeneration(holder), least)
}

/**
 * Withdraws the tokens of these holders. Once this returns, their earlier tokens are invalid, and peers that connected
 * with one are disconnected.
 */
export async function withdraw(env: Env, holders: readonly string[]): Promise<void> {
  await directoryMap(env).withdrawTokens(holders.map((holder) => [holder, leastOf(env, holder)] as const))
  const names = new Set(holders.map(nameOfHolder).filter((name) => name !== undefined))
  await Promise.all([...names].map((name) => gatewayStub(env, name).dismissInvited()))
}

/** Throws for an invalid entry: it may be a withdrawal, so no token is valid until it is corrected. */
function leastOf({ TOKEN_GENERATIONS: setting = '' }: Env, holder: string): number {
  let least = 0
  for (const text of setting.split(/\s+/).filter((entry) => entry !== '')) {
    const [, of, generation] = ENTRY.exec(text) ?? []
    if (of === undefined || !isHolder(of)) {
      console.error(`TOKEN_GENERATIONS: expected HOLDER=NUMBER, got ${text}`)
      throw new Problem('unavailable', 'This server accepts no tokens until its operator fixes TOKEN_GENERATIONS.')
    }
    if (of === holder) least = Math.max(least, Number(generation))
  }
  return least
}
