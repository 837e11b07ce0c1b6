// Runs for a browser: a list of them, and the steps of one in the rows that the terminal and the page show as well.
import { parseJson } from 'blazon/document'
import type { Line } from 'blazon/runs'
import {
  BeginOrder,
  durationText,
  factsOf,
  labelOf,
  runInWords,
  Timeline,
  type TimelineStep,
} from '../../bindings/runs/record/timeline.ts'
import type { RunRow } from '../contracts/runs.ts'
import { apiHeaders, streamOf } from '../http/answer.ts'
import { escapeHtml, htmlPage, htmlTable, PAGE_POLICY } from '../http/html.ts'

/** A browser draws no more rows at once; `blazon runs show` reads all. */
const MOST_ROWS = 5000
/** Stands in a page for the rows that follow. */
const MARK = '<!-- rows -->'

async function pageAnswer(texts: AsyncGenerator<string>): Promise<Response> {
  const own = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': PAGE_POLICY,
    'cache-control': 'no-store',
  }
  return new Response(await streamOf(texts), { headers: apiHeaders(own) })
}

/** The runs of a page of the list. */
export function listPage(rows: readonly RunRow[], next: string | undefined): Promise<Response> {
  const cells = rows.map(({ run_id: id, agent_id: agent, started_at: start, status }) => [
    `<a href="/runs/${encodeURIComponent(id)}">${escapeHtml(id)}</a>`,
    ...[agent, start, status].map(escapeHtml),
  ])
  const table = htmlTable(['Run', 'Agent', 'Started', 'Status'], cells)
  const more = next === undefined ? '' : `<p><a href="${escapeHtml(next)}">More</a></p>`
  return pageAnswer(onlyOf(htmlPage('Runs', { body: `<main><h1>Runs</h1>${table}${more}</main>` })))
}

async function* onlyOf(text: string): AsyncGenerator<string> {
  yield text
}

/** The steps of a run, in the memory of those that wait for others. */
export function runPage(id: string, lines: AsyncIterable<string>): Promise<Response> {
  const heads = ['Step', 'Began', 'What it did', 'What came of it', 'Time and cost']
  const table = htmlTable(heads, []).replace('</tbody>', `${MARK}</tbody>`)
  const body = `<main><p><a href="/runs">Runs</a></p><h1>${escapeHtml(id)}</h1>${table}`
  return pageAnswer(rowsIn(htmlPage(id, { body }), lines))
}

async function* rowsIn(page: string, lines: AsyncIterable<string>): AsyncGenerator<string> {
  const [before, behind] = page.split(MARK) as [string, string]
  const [timeline, order] = [new Timeline(), new BeginOrder()]
  yield before
  let count = 0
  for await (const text of lines) {
    const row = timeline.take(parseJson(text).document!.value as Line)
    for (const one of row === undefined ? [] : order.take(row)) if (count++ < MOST_ROWS) yield rowHtml(one)
  }
  for (const one of order.rest()) if (count++ < MOST_ROWS) yield rowHtml(one)
  const [table, end] = behind.split('</body>') as [string, string]
  const rest =
    count > MOST_ROWS
      ? `<p>Only the first ${MOST_ROWS} of ${count} steps. <code>blazon runs show</code> shows all.</p>`
      : ''
  yield `${table}<p>${escapeHtml(runInWords(timeline.summary))}</p>${rest}</main></body>${end}`
}

function rowHtml(row: TimelineStep): string {
  const { index, depth, what = '', result, rule, state, after } = row
  const tone = row.verdict === 'allow' ? 'good' : row.verdict === undefined ? '' : 'bad'
  const did = `${'&emsp;'.repeat(Math.min(depth, 12))}<strong class="${tone}">${escapeHtml(labelOf(row))}</strong> ${escapeHtml(what)}`
  const came = escapeHtml(state === 'failed' ? `✕ ${result ?? 'failed'}` : (result ?? rule ?? ''))
  const cells = [
    String(index),
    after === undefined ? '' : `+${durationText(after)}`,
    did,
    state === 'failed' ? `<span class="bad">${came}</span>` : came,
    factsOf(row).join(', '),
  ]
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>\n`
}
