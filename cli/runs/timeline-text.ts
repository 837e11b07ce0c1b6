// The timeline of a run as text: a line a step, and one about the whole.
import { durationText, type TimelineStep, type TimelineSummary } from '../../bindings/runs/timeline.ts'
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
  const what = name === undefined ? type : `${type} ${oneLine(name)}`
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
    verdict !== undefined && (verdict === 'invalid' ? 'invalid verdict' : verdict),
    state === 'failed' && 'failed',
    state === 'open' && 'did not end',
    tokens !== undefined && counted(tokens, 'token'),
    uncertainty !== undefined && `uncertainty ${uncertainty}`,
  ]
}

/** The run in one line. */
export function summaryLine({ agent, task, status, startedAt, took, ...sums }: TimelineSummary): string {
  const { steps, failed, open, denied, escalated, tokens, costUsd } = sums
  const end = status === undefined ? 'not ended' : took === undefined ? status : `${status} after ${durationText(took)}`
  return phrase([
    agent === '' ? 'an unnamed agent' : oneLine(agent),
    task !== undefined && oneLine(task),
    startedAt !== undefined && oneLine(startedAt),
    oneLine(end),
    counted(steps, 'step'),
    failed > 0 && `${failed} failed`,
    open > 0 && `${open} did not end`,
    denied > 0 && `${denied} denied`,
    escalated > 0 && `${escalated} escalated`,
    tokens > 0 && counted(tokens, 'token'),
    costUsd !== undefined && `$${costUsd}`,
  ])
}

/** What the record of a runner cannot contain. */
export function unseenBy({ runner }: TimelineSummary): readonly string[] {
  const unseen = runner !== undefined && Object.hasOwn(UNSEEN, runner) ? UNSEEN[runner] : undefined
  return unseen === undefined ? [] : [`note: ${unseen}`]
}

const oneLine = (text: string) => visible(shorten(text.replace(/\s+/g, ' ')))
