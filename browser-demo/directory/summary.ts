import { button, count, cut, make, plural } from '../dom.ts'
import type { CollectionSummary, SkippedCounts, SkippedDocument } from './card-collection.ts'
import { MOST_BYTES, MOST_DOCUMENTS } from './limits.ts'

const MEGABYTE = 1_000_000

/** For each reason to skip a document: what was skipped, and why. */
const REASONS: Readonly<Record<keyof SkippedCounts, readonly [noun: string, why: string]>> = {
  invalid: ['card', 'unreadable, invalid, or with a signature that does not match'],
  older: ['card', 'another card of the same agent is kept'],
  large: ['document', `larger than ${MOST_BYTES >> 20} MiB, and not a list`],
  beyond: ['document', `over the limit of ${count(MOST_DOCUMENTS)} documents, or of the browser's memory`],
  malformed: ['list', 'malformed; the cards before that place were added'],
  unreadable: ['file', 'this browser could not read it'],
  foreign: ['file', 'the name is not that of a JSON or YAML file'],
}

/** The number of cards, and the memory that they take. */
export function sizeOf({ cards, others, bytes }: CollectionSummary): string {
  const ofOthers = others === 0 ? '' : `, ${plural(others, 'document')} of another kind`
  if (cards === 0) return `no cards yet${ofOthers}`
  const memory = (bytes.cards + bytes.index) / MEGABYTE
  return `${plural(cards, 'card')}${ofOthers}; cards and index take ${memory.toFixed(memory < 10 ? 1 : 0)} MB`
}

/** Shows the number of skipped documents by reason, and the first of them; `open` shows one of them by its index. */
export function skippedIn({ skipped, examples }: CollectionSummary, open: (index: number) => void): HTMLElement[] {
  const rows = (Object.keys(REASONS) as (keyof SkippedCounts)[]).filter((reason) => skipped[reason] > 0)
  if (rows.length === 0) return []
  const reasons = rows.map((reason) => {
    const [noun, why] = REASONS[reason]
    return make(
      'p',
      reason === 'older' || reason === 'foreign' ? 'care' : 'bad',
      `✕ ${plural(skipped[reason], noun)} skipped: ${why}.`,
    )
  })
  if (examples.length === 0) return reasons
  const details = make('details', 'stack')
  const list = make('ul', 'problems')
  list.append(...examples.map((example, index) => itemOf(example, () => open(index))))
  const rest = rows.reduce((sum, reason) => sum + skipped[reason], 0) - examples.length
  details.append(make('summary', '', rest > 0 ? `The first ${examples.length}` : 'Show them'), list)
  return [...reasons, details]
}

function itemOf({ name, hasText, reasons }: SkippedDocument, open: () => void): HTMLLIElement {
  const item = make('li')
  item.append(make('strong', '', name))
  if (hasText) item.append(' ', button('Open', open))
  item.append(...reasons.map((words) => make('p', 'bad', cut(words, 300))))
  return item
}
