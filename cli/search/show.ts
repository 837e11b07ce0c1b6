import type { FactorShare } from '../../bindings/directory/types.ts'
import { visible } from '../../bindings/text/hidden.ts'
import type { Hit } from './found.ts'

const BAR = 20
const NAME = 13

/** A line for each hit, with tabs between columns; with `why`, a bar for each factor of the score below it. */
export function showHits(hits: readonly Hit[], why: boolean): string {
  return hits.map((hit) => [lineOf(hit), ...(why ? (hit.why ?? []).map(showShare) : [])].join('')).join('')
}

function lineOf({ score, agent_card: { id, name }, matched_tags: tags, verified, equivocations }: Hit): string {
  const marks = [...(verified ? [] : ['unverified']), ...(equivocations > 0 ? ['equivocal'] : [])]
  const columns = [score.toFixed(6), id, name, tags.join(', '), marks.join(', ')]
  return `${columns.map(visible).join('\t').trimEnd()}\n`
}

/** The bar shows the factor from 0 to 1, the numbers its contribution. */
function showShare({ factor, value, weight, contribution, reason }: FactorShare): string {
  const filled = Math.round(BAR * Math.min(1, Math.max(0, value)))
  const bar = '#'.repeat(filled).padEnd(BAR, '.')
  const sum = `${contribution.toFixed(3)} = ${weight.toFixed(3)} * ${value.toFixed(3)}`
  return `  ${visible(factor).slice(0, NAME).padEnd(NAME)}${bar}  ${sum}  ${visible(reason)}\n`
}
