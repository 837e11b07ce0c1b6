// The timeline of a run as text: a line a step, and one about the whole.
import { durationText, runInWords, type TimelineStep, type TimelineSummary } from '../../bindings/runs/timeline.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { counted, phrase, shorten } from '../report/words.ts'

/** What the hooks of a runner do not see, by `agent.framework`. */
const UNSEEN: Readonly<Record<string, string>> = {
  codex: 'the hooks of Codex do not see whether a tool failed, and calls inside its Code Mode may reach no hook',
  'claude-code': 'the hooks of Claude Code do not see what the model thought, nor calls while hooks are switched off',
}

/** One line: index, start, time, and the step, indented by its depth. */
export function stepLine({ index, depth, type, name, after, took, ...facts }: TimelineStep): string {
  const times = [after === undefined ? '' : `+${durationText(after)}`, took === undefined ? '' : durationText(took)]
  const what = name === undefined ? type : `${type} ${oneLine(shorten(name))}`
  return `${[String(index), ...times].map((cell, i) => cell.padStart(WIDTHS[i]!)).join(' ')}  ${'  '.repeat(depth)}${phrase([what, ...factsOf(facts)])}\n`
}

const WIDTHS = [5, 12, 10]

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

/** What the record of a runner cannot contain. */
export function unseenBy({ runner }: TimelineSummary): readonly string[] {
  const unseen = runner !== undefined && Object.hasOwn(UNSEEN, runner) ? UNSEEN[runner] : undefined
  return unseen === undefined ? [] : [`note: ${unseen}`]
}

const oneLine = (text: string) => visible(text.replace(/\s+/g, ' '))
