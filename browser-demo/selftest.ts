import { formatSelftest, runSelftest, type SelftestResult } from '../bindings/selftest/index.ts'
import { copyText } from './clipboard.ts'
import { count, element, make, plural } from './dom.ts'

/** The section that runs the published vectors here and shows the result, to read and to pass on. */
export function setUpSelftest(): void {
  const button = element<HTMLButtonElement>('selftest')
  const outcome = element('selftest-result')
  button.addEventListener('click', async () => {
    button.disabled = true
    outcome.replaceChildren('Running…')
    // One frame, so that the word shows before the work begins.
    await new Promise((resolve) => setTimeout(resolve))
    try {
      const start = performance.now()
      const result = await runSelftest()
      outcome.replaceChildren(...show(result, performance.now() - start))
    } catch (error) {
      outcome.replaceChildren(make('p', 'bad', `✕ It could not run: ${(error as Error).message}`))
    }
    button.disabled = false
  })
}

function show(result: SelftestResult, milliseconds: number): HTMLElement[] {
  const { passed, ran, mismatches, digest } = result
  const time = `in ${count(Math.round(milliseconds))} ms`
  const verdict = passed
    ? make('p', 'good', `✓ ${plural(ran, 'vector')}, all answered right, ${time}.`)
    : make('p', 'bad', `✕ ${plural(mismatches.length, 'wrong answer')} to ${plural(ran, 'vector')}, ${time}.`)
  const digestLine = make('p', '', 'Digest of all answers, the same wherever they are the same: ')
  digestLine.append(make('code', 'hex', digest))
  const copy = make('button', '', 'Copy the result') as HTMLButtonElement
  copy.type = 'button'
  copy.addEventListener('click', () =>
    copyText(`${formatSelftest(result)}\n${navigator.userAgent}`, 'The result is copied.'),
  )
  return [verdict, table(result), ...wrongAnswers(result), digestLine, copy]
}

function table({ groups }: SelftestResult): HTMLElement {
  const table = document.createElement('table')
  const head = table.createTHead().insertRow()
  for (const title of ['Vectors', 'From', 'Ran', 'Wrong']) {
    const cell = make('th', '', title)
    cell.setAttribute('scope', 'col')
    head.append(cell)
  }
  const body = table.createTBody()
  for (const { title, source, ran, failed } of groups) {
    const row = body.insertRow()
    for (const text of [title, source, count(ran), count(failed)]) row.insertCell().textContent = text
  }
  const frame = make('div', 'wide')
  frame.append(table)
  return frame
}

function wrongAnswers({ mismatches }: SelftestResult): HTMLElement[] {
  return mismatches.map(({ id, expected, got }) => make('p', 'bad', `${id}: expected ${expected}, got ${got}`))
}
