import type { Quality } from '../../bindings/discover/dns/lookup.ts'
import { LEVEL_MEANS, LEVELS, type Level, type ReachedLevel } from '../../bindings/discover/trust/levels.ts'
import { make } from '../dom.ts'

/** How well the DNS answers behind a level are verified. */
const QUALITIES: Readonly<Record<Quality, readonly [tone: string, words: string]>> = {
  checked: ['good', '✓ DNS validated: its signatures match, up to a trusted key'],
  resolver: ['care', '! DNS validated by the resolver only'],
  'not shown': ['care', '? DNS not validated: unsigned, or without its signatures'],
}

const NOT_REACHED: Readonly<Record<Level, string>> = {
  'dns-verified': '– Not reached',
  'dane-verified': '– Not reached',
  'key-verified': '– Not reached',
  'peer-verified': '– Not by discovery: needs a conversation with the agent',
}

/** The four levels of trust, the highest on top. */
export function drawLadder(levels: readonly ReachedLevel[]): HTMLElement {
  const ladder = make('ol', 'ladder')
  ladder.reversed = true
  ladder.append(...LEVELS.map((level) => rung(level, levels)).toReversed())
  return ladder
}

function rung(level: Level, levels: readonly ReachedLevel[]): HTMLLIElement {
  const quality = levels.find((one) => one.level === level)?.quality
  const [tone, words] = quality === undefined ? ['nothing', NOT_REACHED[level]] : QUALITIES[quality]
  const item = make('li')
  item.dataset['level'] = level
  item.dataset['quality'] = quality ?? 'none'
  item.append(make('strong', '', level), make('p', '', LEVEL_MEANS[level]), make('p', `quality ${tone}`, words))
  return item
}
