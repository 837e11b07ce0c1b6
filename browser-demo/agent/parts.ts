// What the page shows of an agent. Every text in it is the agent's, and not trusted.

import { HOSTS } from '../../bindings/agentlang/asks/host.ts'
import { type Agent, folderOf } from '../../bindings/agentlang/folder.ts'
import { declaredActions, targetOf } from '../../bindings/agentlang/functions/ui/components.ts'
import { ASK_HEAD, askRows, hostVerdict, inspectAgent } from '../../bindings/agentlang/inspect.ts'
import type { PromptTarget } from '../../bindings/agentlang/prompt/specification.ts'
import { compilePrompt } from '../../bindings/agentlang/verbs.ts'
import { counted } from '../../bindings/text/words.ts'
import { cut, make, paragraph, plural, type Row, table } from '../dom.ts'
import { findingItem, findingLists, restOf } from '../views/findings.ts'
import type { OpenedAgent } from './opened.ts'

const SHOWN_ROWS = 200
const SHOWN_CHARACTERS = 20_000
const LONGEST = 400

type Inspection = ReturnType<typeof inspectAgent>

/** The findings of all files, each with its file and line. */
export function findingsPart({ diagnostics, files }: OpenedAgent): Node[] {
  if (diagnostics.length === 0) return [make('p', 'good', '✓ The files follow every rule.')]
  const rest = restOf(diagnostics)
  return [
    ...findingLists(diagnostics, (diagnostic) => {
      const { file = '', line, column } = diagnostic.source
      const { fix } = diagnostic
      return findingItem(diagnostic, {
        place: make('span', 'where', `${cut(file, LONGEST)}:${line}:${column}`),
        line: lineOf(files.get(file), line),
        more: fix === undefined ? [] : [paragraph('fix', fix.hint)],
      })
    }),
    ...(rest === '' ? [] : [make('p', 'hint', rest)]),
  ]
}

const lineOf = (bytes: Uint8Array | undefined, line: number) =>
  new TextDecoder().decode(bytes).split(/\r\n|\n|\r/, line)[line - 1] ?? ''

/** What the agent asks for, as `blazon grants` prints it. */
export function asksPart(inspection: Inspection): Node[] {
  const rows = askRows(inspection).map(([what = '', name = '', asks = '', ...others]) => [
    what,
    make('code', '', cut(name, LONGEST)),
    asks === 'UNPINNED' ? make('span', 'bad', '✕ unpinned') : asks,
    ...others.map((text) => cut(text, LONGEST)),
  ])
  return limited('What it asks for', ASK_HEAD, rows)
}

const HOST_TONES = { starts: ['good', '✓'], 'starts with less': ['care', '!'], refuses: ['bad', '✕'] } as const

/** The verdict of every host that is known. */
export function hostsPart(agent: Agent): Node[] {
  const rows = HOSTS.map((host): Row => {
    const { verdict, reasons } = hostVerdict(inspectAgent(agent, { host }).host!)
    const [tone, sign] = HOST_TONES[verdict]
    const lines = make('ul', 'lines')
    lines.append(...reasons.slice(0, SHOWN_ROWS).map((reason) => make('li', '', cut(reason, LONGEST))))
    return [make('code', '', host.name), make('span', tone, `${sign} ${verdict}`), lines]
  })
  return [table('Hosts', ['host', 'verdict', 'why'], rows)]
}

/** The prompts as a model reads them. */
export function promptsPart(agent: Agent, target: PromptTarget): Node[] {
  const prompts = folderOf(agent)?.prompts ?? []
  if (prompts.length === 0) return [make('p', 'nothing', 'It has no prompt that can be read.')]
  return prompts.slice(0, SHOWN_ROWS).flatMap(({ path, parsed: { document } }) => {
    const { compiled } = document === undefined ? {} : compilePrompt(document, { target })
    const heading = make('h4', '', cut(path, LONGEST))
    if (compiled === undefined) return [heading, make('p', 'bad', '✕ It cannot be compiled: see the findings.')]
    const { role, sections, text, unresolved } = compiled
    const bytes = sections.reduce((sum, section) => sum + section.bytes, 0)
    const left = unresolved.length === 0 ? '' : `; without a value: ${unresolved.join(', ')}`
    const about = `For ${role}: ${plural(sections.length, 'section')}, ${plural(bytes, 'byte')}${left}`
    const frame = make('pre', 'frame', cut(text, SHOWN_CHARACTERS))
    // It scrolls, so it must be reachable by keyboard (WCAG 2.1.1).
    frame.tabIndex = 0
    return [heading, make('p', 'where', cut(about, LONGEST)), frame]
  })
}

/** Each action of its user interface, and where it leads. */
export function actionsPart({ root: { value } }: Agent): Node[] {
  const rows = declaredActions(value).map((action): Row => {
    const target = targetOf(value, action)
    const { component, tool = '', status = '' } = action
    const from = make('code', '', cut(component ?? `${tool} ${status}`, LONGEST))
    if ('reason' in target)
      return [from, cut(action.action, LONGEST), make('span', 'bad', '✕ no path'), cut(target.reason, LONGEST)]
    const params = cut(JSON.stringify(target.params), LONGEST)
    const [path, to] = target.tool === undefined ? ['agent', 'the model decides'] : ['sync', cut(target.tool, LONGEST)]
    return [from, cut(action.action, LONGEST), path, `${to} ${params}`]
  })
  if (rows.length === 0) return [make('p', 'nothing', 'It declares no action.')]
  return limited('Actions', ['shown by', 'action', 'path', 'leads to'], rows)
}

function limited(label: string, heads: readonly string[], rows: readonly Row[]): Node[] {
  const rest = rows.length - SHOWN_ROWS
  const more = rest > 0 ? [make('p', 'hint', `and ${counted(rest, 'more row')}`)] : []
  return [table(label, heads, rows.slice(0, SHOWN_ROWS)), ...more]
}
