// Many made-up agents, the same ones for the same seed: sentences of the sample set with words of a made-up language.
import { sampleSet } from '../../browser-demo/directory/sample.ts'
import { random } from '../support/random.ts'

const SYLLABLES = 'ba be bi bo da de di do ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro'.split(' ')
const WORDS = 8000

/** The cards as JSON, each about 600 bytes. */
export function manyCards(count: number, seed = 7): string[] {
  const next = random(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  const word = () => Array.from({ length: 2 + Math.floor(3 * next()) }, () => pick(SYLLABLES)).join('')
  const words = Array.from({ length: WORDS }, word)
  // The square of a number below 1 makes some words usual and most of them rare.
  const some = () => words[Math.floor(WORDS * next() ** 2)]!
  const { cards } = sampleSet()
  return Array.from({ length: count }, (_, i) => {
    const { tools, constraints, ...card } = pick(cards)
    const said = Array.from({ length: 12 }, some).join(' ')
    return JSON.stringify({
      ...card,
      id: `agent://agent-${i}`,
      name: `Agent ${i}`,
      description: `${card.description} ${said}`,
      ...(i % 2 === 0 && { constraints }),
    })
  })
}
