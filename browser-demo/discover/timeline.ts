import type { TraceStep } from '../../bindings/discover/trust/trace.ts'
import { button, count, cut, make, plural } from '../dom.ts'
import { answerOf, line } from './answer.ts'

/** A trace may have 10,000 steps. */
const SHOWN = 100

/** The requests in their order, each of which can be opened. A button shows more of them. */
export function drawTimeline(steps: readonly TraceStep[]): HTMLElement[] {
  if (steps.length === 0) return [make('p', 'nothing', 'There were no requests.')]
  const total = steps.reduce((most, { after, took }) => Math.max(most, after + took), 1)
  const inOrder = [...steps].sort((a, b) => a.after - b.after)
  const list = make('ol', 'timeline')
  const rest = make('div')
  const more = () => {
    const from = list.children.length
    list.append(...inOrder.slice(from, from + SHOWN).map((step) => itemOf(step, total)))
    const left = inOrder.length - list.children.length
    const next = button(`Show ${Math.min(left, SHOWN)} more`, () => {
      more()
      list.children[from + SHOWN]?.querySelector('summary')?.focus()
    })
    rest.replaceChildren(...(left > 0 ? [next, make('p', 'hint', `${plural(left, 'more step')}`)] : []))
  }
  more()
  return [list, rest]
}

function itemOf(step: TraceStep, total: number): HTMLLIElement {
  const { after, took, section } = step
  const { request, summary, isSigned, draw } = answerOf(step)
  const item = make('li')
  item.dataset['kind'] = step.kind
  const details = make('details', 'stack')
  const head = make('summary')
  const fromCache = step.kind === 'http' && step.fromCache === true
  head.append(
    make('span', 'when', `+${milliseconds(after)}`),
    make('span', 'request', request),
    make('span', 'took', fromCache ? 'from the cache' : milliseconds(took)),
    make('span', 'summary', summary),
    make('span', `vouched ${isSigned ? 'good' : 'care'}`, isSigned ? '✓ anyone can check it' : '! only as recorded'),
    barOf(after, took, total),
  )
  details.append(head)
  const fill = () => details.append(...draw(), make('p', 'where', `Required by ${line(section)}`))
  details.addEventListener('toggle', fill, { once: true })
  item.append(details)
  return item
}

const milliseconds = (n: number) => `${cut(count(Math.round(n)), 12)} ms`

/** A bar that shows when the request began and ended. */
function barOf(after: number, took: number, total: number): HTMLElement {
  const bar = make('span', 'lane')
  bar.setAttribute('aria-hidden', 'true')
  const part = make('span')
  part.style.left = `${(100 * after) / total}%`
  part.style.width = `${(100 * took) / total}%`
  bar.append(part)
  return bar
}
