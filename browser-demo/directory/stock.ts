import { button, count, cut, make, plural } from '../dom.ts'
import type { LeftOut, Problem, Stock } from './library.ts'
import { MOST_BYTES, MOST_DOCUMENTS } from './limits.ts'

const MEGABYTE = 1_000_000

/** The reasons for which documents are left out, each as a row of the document and its reason. */
const REASONS: Readonly<Record<keyof LeftOut, readonly [noun: string, why: string]>> = {
  invalid: ['card', 'cannot be read, not valid, or with a signature that does not hold'],
  older: ['card', 'of which another one of the same agent is here'],
  large: ['document', `larger than ${MOST_BYTES >> 20} MiB, and no list`],
  beyond: ['document', `beyond the ${count(MOST_DOCUMENTS)} that this page takes, or its memory`],
  broken: ['list', 'broken off: what stands before that place is here'],
  unreadable: ['file', 'that this browser could not read'],
  foreign: ['file', 'neither JSON nor YAML by the name'],
}

/** The number of cards, and the memory that they take. */
export function sizeOf({ cards, others, bytes }: Stock): string {
  const passedOver = others === 0 ? '' : `, ${plural(others, 'document')} of another kind`
  if (cards === 0) return `no cards yet${passedOver}`
  const memory = (bytes.cards + bytes.index) / MEGABYTE
  return `${plural(cards, 'card')}${passedOver}; cards and index take ${memory.toFixed(memory < 10 ? 1 : 0)} MB`
}

/** Everything that was left out, by reason, and the first documents of these; `open` shows one of them by its index. */
export function leftOutOf({ leftOut, problems }: Stock, open: (index: number) => void): HTMLElement[] {
  const rows = (Object.keys(REASONS) as (keyof LeftOut)[]).filter((reason) => leftOut[reason] > 0)
  if (rows.length === 0) return []
  const reasons = rows.map((reason) => {
    const [noun, why] = REASONS[reason]
    return make(
      'p',
      reason === 'older' || reason === 'foreign' ? 'care' : 'bad',
      `✕ ${plural(leftOut[reason], noun)} left out: ${why}.`,
    )
  })
  if (problems.length === 0) return reasons
  const details = make('details', 'stack')
  const list = make('ul', 'problems')
  list.append(...problems.map((problem, index) => itemOf(problem, () => open(index))))
  const rest = rows.reduce((sum, reason) => sum + leftOut[reason], 0) - problems.length
  details.append(make('summary', '', rest > 0 ? `The first ${problems.length}` : 'Which ones'), list)
  return [...reasons, details]
}

function itemOf({ name, hasText, reasons }: Problem, open: () => void): HTMLLIElement {
  const item = make('li')
  item.append(make('strong', '', name))
  if (hasText) item.append(' ', button('Open', open))
  item.append(...reasons.map((words) => make('p', 'bad', cut(words, 300))))
  return item
}
