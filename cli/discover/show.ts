// Shows a discovery to people: its steps, one per line, and the levels of trust that they reach.
import { LEVEL_MEANS, LEVELS } from '../../bindings/discover/trust/levels.ts'
import type { DiscoveryProof } from '../../bindings/discover/trust/run.ts'
import type { Step } from '../../bindings/frame/source.ts'
import { visible } from '../../bindings/text/hidden.ts'

export const stepLine = ({ outcome, title, detail }: Step): string =>
  `  ${outcome.padEnd(7)}  ${title}: ${visible(detail)}\n`

/** The levels of trust, highest first, each with the quality of the DNS answers that it rests on. */
export function ladder({ levels }: DiscoveryProof): string {
  const rungs = LEVELS.map((level) => {
    const reached = levels.find((one) => one.level === level)
    const quality = reached === undefined ? '' : `  [DNS ${reached.quality}]`
    return `  ${reached === undefined ? '|   |' : '|===|'}  ${level.padEnd(13)}  ${LEVEL_MEANS[level]}${quality}\n`
  })
  return rungs.toReversed().join('')
}

/** The conclusions: what the discovery shows, and what it does not. */
export function conclusions({ shows, doesNotShow }: DiscoveryProof): string {
  const list = (head: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `${head}\n${lines.map((line) => `  - ${visible(line)}\n`).join('')}`
  return list('shows', shows) + list('does not show', doesNotShow)
}
