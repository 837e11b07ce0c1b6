// The timeline of a run as text: a line a step, and one about the whole.

import { dirname } from 'node:path'
import {
  durationText,
  runInWords,
  type Timeline,
  type TimelineStep,
  type TimelineSummary,
} from '../../bindings/runs/record/timeline.ts'
import type { LineChecker } from '../../bindings/runs/stream/lines.ts'
import { visible } from '../../bindings/text/hidden.ts'
import type { Host } from '../host.ts'
import { counted, phrase, shorten } from '../report/report.ts'

/** One line: index, start, time, and the step, indented by its depth. */
export function stepLine({ index, depth, type, name, after, took, ...facts }: TimelineStep): string {
  const times = [after === undefined ? '' : `+${durationText(after)}`, took === undefined ? '' : durationText(took)]
  const what = name === undefined ? type : `${type} ${oneLine(shorten(name))}`
  return `${[String(index), ...times].map((cell, i) => cell.padStart(WIDTHS[i]!)).join(' ')}  ${'  '.repeat(depth)}${phrase([what, ...factsOf(facts)])}\n`
}

const WIDTHS = [5, 12, 10]
/** A record may claim any number. */
const MOST_NOTES = 20

function factsOf({
  state,
  verdict,
  tokens,
  uncertainty,
}: Pick<TimelineStep, 'state' | 'verdict' | 'tokens' | 'uncertainty'>) {
  return [
    verdict !== undefined && (/^(?:invalid|hidden)$/.test(verdict) ? `${verdict} verdict` : verdict),
    state === 'failed' && 'failed',
    state === 'open' && 'did not end',
    tokens !== undefined && counted(tokens, 'token'),
    uncertainty !== undefined && `uncertainty ${uncertainty}`,
  ]
}

/** The run in one line. */
export const summaryLine = (summary: TimelineSummary) => oneLine(runInWords(summary))

/** What the recorder could not see. */
export const notSeenLines = ({ notSeen }: TimelineSummary) =>
  notSeen.slice(0, MOST_NOTES).map((text) => `not seen: ${oneLine(shorten(text))}`)

/** What a command says at the end of a stream. */
export function endOfStream(file: string, checker: LineChecker, { summary }: Timeline) {
  checker.finish()
  const { diagnostics } = checker
  const valid = !diagnostics.some(({ severity }) => severity === 'error')
  return { results: [{ file, kind: 'stream', valid, diagnostics, run: summary }], notes: [summaryLine(summary)] }
}

const oneLine = (text: string) => visible(text.replace(/\s+/g, ' '))

/** The bytes of a file, and then those that other programs append to it. Never ends while the folder is watched. */
export async function* growing(path: string, host: Host): AsyncGenerator<Uint8Array> {
  for (let offset = 0; ; ) {
    // Begun before the file is read, so that nothing in between is missed.
    const watch = await host.watch([dirname(path)])
    try {
      for await (const chunk of host.open(path, offset)) {
        offset += chunk.length
        yield chunk
      }
      if (watch === undefined) return
      await watch.event
    } finally {
      watch?.close()
    }
  }
}
