import { sourcePath } from '../../bindings/agentlang/container/archive.ts'
import { diffAgents } from '../../bindings/agentlang/diff.ts'
import { visible } from '../../bindings/text/hidden.ts'
import type { Tools } from '../command.ts'
import type { Outcome, Result } from '../outcome.ts'
import { isReadable, type ReadResult } from '../reader.ts'
import { counted } from '../report/report.ts'
import { EXIT } from '../usage.ts'
import { readAgent } from './agent.ts'

/** Shows what changed between two agents. Exits 1 if one asks for more. */
export async function compareAgents(a: ReadResult, b: ReadResult, { print }: Tools): Promise<Outcome> {
  if (!isReadable(a) || !isReadable(b)) return { results: [a, b].map(resultOf) }
  const [old, now] = [await readAgent(a, []), await readAgent(b, [])]
  const results = [old, now].map(({ agent, diagnostics }, i): Result => {
    return { ...resultOf([a, b][i]!), valid: agent !== undefined, diagnostics }
  })
  if (old.agent === undefined || now.agent === undefined) return { results }
  const encrypted = [old, now].flatMap(({ container }) => container?.encrypted ?? [])
  const agentChanges = diffAgents(old.agent, now.agent, encrypted.map(sourcePath))
  print(...agentChanges.map(({ kind, area, detail }) => `${kind}, ${area}: ${visible(detail)}\n`))
  const widened = agentChanges.filter(({ kind }) => kind === 'widened').length
  const notes = [
    ...(encrypted.length > 0 ? ['encrypted prompts were not compared'] : []),
    `${counted(agentChanges.length, 'change')}, ${widened} of them wider`,
  ]
  const compared = [results[0]!, { ...results[1]!, agentChanges }]
  return { results: compared, notes, ...(widened > 0 && { exit: EXIT.findings }) }
}

const resultOf = ({ file, kind, document, diagnostics }: ReadResult): Result => ({
  file,
  kind: kind ?? null,
  valid: document !== undefined,
  diagnostics,
})
