import type { SelftestResult } from '../bindings/selftest/index.ts'
import { button, copyText, count, element, make, plural, table } from './dom.ts'

/** Sets up the section that runs the published vectors in this browser, and shows the result. */
export function setUpSelftest(): void {
  const start = element<HTMLButtonElement>('selftest')
  const outcome = element('selftest-result')
  start.addEventListener('click', async () => {
    start.disabled = true
    outcome.replaceChildren('Running…')
    // Waits for a frame, so that the label is drawn before the work begins.
    await new Promise((resolve) => setTimeout(resolve))
    try {
      const began = performance.now()
      const { formatSelftest, runSelftest } = await import('../bindings/selftest/index.ts')
      const result = await runSelftest()
      outcome.replaceChildren(...show(result, formatSelftest(result), performance.now() - began))
    } catch (error) {
      outcome.replaceChildren(make('p', 'bad', `✕ The self-test did not run: ${(error as Error).message}`))
    }
    start.disabled = false
  })
}

function show(result: SelftestResult, words: string, milliseconds: number): HTMLElement[] {
  const { passed, ran, mismatches, digest } = result
  const time = `in ${count(Math.round(milliseconds))} ms`
  const verdict = passed
    ? make('p', 'good', `✓ ${plural(ran, 'vector')}, all answers correct, ${time}.`)
    : make('p', 'bad', `✕ ${plural(mismatches.length, 'wrong answer')} to ${plural(ran, 'vector')}, ${time}.`)
  const digestLine = make('p', '', [
    'Digest of all answers, to compare with other browsers: ',
    make('code', 'hex', digest),
  ])
  const copy = button('Copy the result', () => copyText(`${words}\n${navigator.userAgent}`, 'The result is copied.'))
  const rows = result.groups.map(({ title, source, ran, failed }) => [title, source, count(ran), count(failed)])
  return [
    verdict,
    table('Vectors', ['Vectors', 'From', 'Ran', 'Wrong'], rows),
    ...wrongAnswers(result),
    digestLine,
    copy,
  ]
}

function wrongAnswers({ mismatches }: SelftestResult): HTMLElement[] {
  return mismatches.map(({ id, expected, got }) => make('p', 'bad', `${id}: expected ${expected}, got ${got}`))
}
