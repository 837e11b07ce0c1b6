import type { Quality } from '../../bindings/discover/dns/lookup.ts'
import { LEVEL_MEANS, LEVELS, type Level, type ReachedLevel } from '../../bindings/discover/trust/levels.ts'
import { make } from '../dom.ts'

/** The quality of the answers from the DNS that a level rests on. */
const QUALITIES: Readonly<Record<Quality, readonly [tone: string, words: string]>> = {
  checked: ['good', '✓ DNS checked: its signatures hold, up to a key that is trusted'],
  resolver: ['care', '! DNS by the word of the resolver: it says that it checked'],
  'not shown': ['care', '? DNS not shown: nobody signed it, or nobody shows it'],
}

const NOT_REACHED: Readonly<Record<Level, string>> = {
  'dns-verified': '– Not shown',
  'dane-verified': '– Not shown',
  'key-verified': '– Not shown',
  'peer-verified': '– Not by discovery: it takes a conversation',
}

/** The four levels as rungs, the highest on top. */
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
