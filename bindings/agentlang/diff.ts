// What changed between two versions of an agent, and what of it asks for more than before.
import type { ChangeKind } from '../policy/diff/change.ts'
import { isEqual } from '../policy/diff/members.ts'
import { sameBytes } from '../text/bytes.ts'
import { quoted } from '../text/words.ts'
import type { CapabilityAsk } from './ask/ask.ts'
import { grantable } from './ask/host.ts'
import { LOCK_FILE } from './files.ts'
import type { Agent } from './folder.ts'
import { folderOf } from './folder-of.ts'
import { type AgentInspection, agentsOf, inspectAgent, partsOf } from './inspect.ts'
import { compareLocks } from './lock/lock.ts'

export declare namespace diffAgents {
  interface Change {
    /** `widened`: the agent asks for more than before, or is bounded less. */
    readonly kind: ChangeKind
    readonly area: 'capability' | 'limit' | 'secret' | 'sub-agent' | 'file' | Part['kind']
    readonly detail: string
  }
}

type Part = ReturnType<typeof partsOf>[number]
type Add = (kind: ChangeKind, area: diffAgents.Change['area'], detail: string) => void

/**
 * Compares two agents, with the files of their folders.
 *
 * @param encrypted the paths of source files that one of them has only encrypted: they are not compared.
 */
export function diffAgents(
  before: Agent,
  after: Agent,
  encrypted: readonly string[] = [],
): readonly diffAgents.Change[] {
  const changes: diffAgents.Change[] = []
  const add: Add = (kind, area, detail) => void changes.push({ kind, area, detail })
  const [old, now] = [inspectAgent(before), inspectAgent(after)]
  compareCapabilities(old, now, add)
  compareParts(allParts(before), allParts(after), add)
  compareBounds(old, now, add)
  for (const name of missingIn(now.secrets, old.secrets)) add('widened', 'secret', `wants ${quoted(name)}`)
  for (const name of missingIn(old.secrets, now.secrets)) add('narrowed', 'secret', `no longer wants ${quoted(name)}`)
  for (const path of missingIn(now.unread, old.unread)) add('widened', 'sub-agent', `${quoted(path)} was not read`)
  compareFiles(before, after, new Set(encrypted), add)
  compareLockfiles(before, after, add)
  return changes
}

/** The names of the first list that the second one does not have. */
function missingIn(names: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others)
  return names.filter((name) => !known.has(name))
}

/** Calls `compare` for each key of two lists, in order. */
function inPairs<Item>(
  before: readonly Item[],
  after: readonly Item[],
  keyOf: (item: Item) => string,
  compare: (old: Item | undefined, now: Item | undefined) => void,
): void {
  const [old, now] = [before, after].map((items) => new Map(items.map((item) => [keyOf(item), item])))
  for (const key of new Set([...old!.keys(), ...now!.keys()])) compare(old!.get(key), now!.get(key))
}

function compareCapabilities(before: AgentInspection, after: AgentInspection, add: Add): void {
  const keyOf = ({ capability, mode }: CapabilityAsk) => `${mode === 'scheduled'} ${capability}`
  const change = (kind: ChangeKind, detail: string) => add(kind, 'capability', detail)
  inPairs(before.capabilities, after.capabilities, keyOf, (old, now) => {
    if (now === undefined) return change('narrowed', `no longer asks for ${quoted(old!.capability)} ${old!.mode}`)
    const name = quoted(now.capability)
    if (old === undefined) return change('widened', `asks for ${name} ${now.mode}`)
    if (old.mode !== now.mode) {
      const isMore = grantable(now.capability, now.mode).includes(old.mode)
      change(isMore ? 'widened' : 'narrowed', `${name}: ${now.mode} instead of ${old.mode}`)
    }
    for (const time of missingIn(now.schedules, old.schedules)) change('widened', `${name}: also at ${quoted(time)}`)
    for (const one of missingIn(now.channels ?? [], old.channels ?? []))
      change('widened', `${name}: also by ${quoted(one)}`)
    compareNumbers(old.max_runtime, now.max_runtime, (kind, detail) => change(kind, `${name}: max_runtime ${detail}`))
    if (old.isRequired !== now.isRequired) change('changed', `${name} is ${now.isRequired ? 'required' : 'optional'}`)
  })
}

/** An absent number is unlimited. */
function compareNumbers(
  old: number | undefined,
  now: number | undefined,
  change: (kind: ChangeKind, detail: string) => void,
): void {
  if (old === now) return
  const isMore = (now ?? Number.POSITIVE_INFINITY) > (old ?? Number.POSITIVE_INFINITY)
  change(isMore ? 'widened' : 'narrowed', `${now ?? 'no limit'} instead of ${old ?? 'no limit'}`)
}

const allParts = (agent: Agent) => agentsOf(agent).flatMap(partsOf)

function compareParts(before: readonly Part[], after: readonly Part[], add: Add): void {
  inPairs(
    before,
    after,
    ({ kind, file, name }) => JSON.stringify([kind, file, name]),
    (old, now) => {
      const { kind, name, file, detail } = (now ?? old)!
      const title = `${quoted(name)} of ${file}`
      if (now === undefined) add('removed', kind, title)
      else if (old === undefined)
        add(kind === 'model' ? 'added' : 'widened', kind, `${title} is new: ${quoted(detail)}`)
      else if (!isEqual(old.source, now.source))
        comparePart(old, now, (how, what) => add(how, kind, `${title} ${what}`))
    },
  )
}

function comparePart(old: Part, now: Part, change: (kind: ChangeKind, detail: string) => void): void {
  const floating = ({ packages }: Part) => packages.flatMap(({ name, isPinned }) => (isPinned ? [] : [name]))
  for (const name of missingIn(floating(now), floating(old)))
    change('widened', `fetches ${quoted(name)} without a version`)
  if (old.tools !== undefined && now.tools === undefined) change('widened', 'may use all tools of the server')
  for (const tool of old.tools && now.tools ? missingIn(now.tools, old.tools) : [])
    change('widened', `may use ${quoted(tool)}`)
  const isOtherProgram = !['tool', 'model'].includes(now.kind) && withoutVersions(old) !== withoutVersions(now)
  if (isOtherProgram) change('widened', `is ${quoted(now.detail)} instead of ${quoted(old.detail)}`)
  else if (old.detail !== now.detail) change('changed', `is ${quoted(now.detail)} instead of ${quoted(old.detail)}`)
  else change('changed', 'has other settings')
}

/** What a part starts, whatever the version. */
function withoutVersions({ detail, packages }: Part): string {
  const names = new Set(packages.map(({ name }) => name))
  return detail
    .split(' ')
    .map((word) => (names.has(word) ? bareName(word) : word))
    .join(' ')
}

function bareName(name: string): string {
  const at = Math.max(name.lastIndexOf('@'), name.lastIndexOf('=='))
  return at > 0 ? name.slice(0, at) : name
}

function compareBounds(before: AgentInspection, after: AgentInspection, add: Add): void {
  inPairs(
    before.agents,
    after.agents,
    ({ file }) => file,
    (old, now) => {
      const { file } = (now ?? old)!
      if (now === undefined) return add('removed', 'sub-agent', file)
      if (old === undefined) return add('widened', 'sub-agent', `${file} is new`)
      const [a, b] = [old, now].map(
        ({ limits, cost }): Record<string, number | undefined> => ({
          ...limits,
          cost: cost.most === undefined ? undefined : Number(cost.most),
        }),
      )
      for (const name of new Set([...Object.keys(a!), ...Object.keys(b!)]))
        compareNumbers(a![name], b![name], (kind, detail) => add(kind, 'limit', `${name} of ${file}: ${detail}`))
      for (const list of ['paths', 'urls'] as const) {
        const [were, are] = [old[list], now[list]]
        const limit = (kind: ChangeKind, detail: string) => add(kind, 'limit', detail)
        if (were && are) {
          for (const one of missingIn(are, were)) limit('widened', `allows ${quoted(one)} in ${file}`)
          for (const one of missingIn(were, are)) limit('narrowed', `no longer allows ${quoted(one)} in ${file}`)
        } else if (were) limit('widened', `allowed_${list} of ${file}: no limit`)
        else if (are) limit('narrowed', `allowed_${list} of ${file} is new`)
      }
    },
  )
}

function compareFiles(before: Agent, after: Agent, encrypted: ReadonlySet<string>, add: Add): void {
  const [old, now] = [before, after].map((agent) => {
    const { paths = [], files } = folderOf(agent) ?? {}
    return new Map(paths.map((path) => [path, files!.get(path)!]))
  })
  for (const path of new Set([...old!.keys(), ...now!.keys()])) {
    if (encrypted.has(path)) continue
    const [a, b] = [old!.get(path), now!.get(path)]
    if (b === undefined) add('removed', 'file', quoted(path))
    else if (a === undefined) add('added', 'file', quoted(path))
    else if (!sameBytes(a, b)) add('changed', 'file', quoted(path))
  }
}

/** Compares what lockfiles pin. Their hashes of files are left out: a container has keyed ones for its prompts. */
function compareLockfiles(before: Agent, after: Agent, add: Add): void {
  const [old, now] = [before, after].map((agent) => folderOf(agent)?.lock)
  const [a, b] = [old, now].map((lock) => lock?.parsed.document?.value)
  if (old !== undefined && now === undefined) add('widened', 'file', quoted(LOCK_FILE))
  else if (old === undefined && now !== undefined) add('added', 'file', quoted(LOCK_FILE))
  else if (compareLocks(a, b).some(({ path }) => !/^\/(?:files|agents)\//.test(path)))
    add('changed', 'file', quoted(LOCK_FILE))
}
