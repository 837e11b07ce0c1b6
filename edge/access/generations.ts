// Only the tokens of a holder's current generation are valid: that of the map, or a higher one in the setting
// TOKEN_GENERATIONS.
import { directoryMap, type Env, gatewayStub } from '../env.ts'
import { Problem } from '../http/problem.ts'
import { isHolder, nameOfHolder } from './holders.ts'

/** `HOLDER=N`; the holder may contain a `=`. */
const ENTRY = /^(.+)=(\d{1,9})$/

export async function generationOf(env: Env, holder: string): Promise<number> {
  const least = leastOf(env, holder)
  return Math.max(await directoryMap(env).tokenGeneration(holder), least)
}

/** Once this has answered, no earlier token of these holders is valid, and who speaks to their agents with one has to come again. */
export async function withdraw(env: Env, holders: readonly string[]): Promise<void> {
  await directoryMap(env).withdrawTokens(holders.map((holder) => [holder, leastOf(env, holder)] as const))
  const names = new Set(holders.map(nameOfHolder).filter((name) => name !== undefined))
  await Promise.all([...names].map((name) => gatewayStub(env, name).dismissInvited()))
}

/** An entry that cannot be read is a withdrawal that did not happen: no token is valid until it is corrected. */
function leastOf({ TOKEN_GENERATIONS: setting = '' }: Env, holder: string): number {
  let least = 0
  for (const text of setting.split(/\s+/).filter((entry) => entry !== '')) {
    const [, of, generation] = ENTRY.exec(text) ?? []
    if (of === undefined || !isHolder(of)) {
      console.error(`TOKEN_GENERATIONS: expected HOLDER=NUMBER, got ${text}`)
      throw new Problem('unavailable', 'No token counts here: the operator has to mend TOKEN_GENERATIONS.')
    }
    if (of === holder) least = Math.max(least, Number(generation))
  }
  return least
}
