// A runner that runs commands in a sandbox, which limits files and hosts, and no programs.
import type { Document } from '../document/parse.ts'
import { escapeToken, type JsonObject, type PlacedValue } from '../text/members.ts'
import { cut, quoted } from '../text/words.ts'
import { isWellFormed } from '../wasm/instance.ts'
import type { ChangeKind } from './diff/change.ts'
import { isEqual } from './diff/members.ts'
import { insideAddress, insideName, normalizeHost } from './host.ts'
import {
  type Answer,
  differs,
  type Granting,
  hostSubject,
  type MatrixRow,
  OUTCOME_WORDS,
  permissionMatrix,
  type Subject,
  subjectOf,
} from './matrix.ts'
import { normalizeProtocol, PatternList, Unusable } from './part.ts'
import { absolute, normalizePath, type Places, pathFault } from './path.ts'
import { checkRequest, type FilesystemRequest, type NetworkRequest, narrower, widening } from './request.ts'

type Access = 'read' | 'write'

/** A rule about paths or hosts. */
interface SandboxRule {
  readonly answer: Answer
  readonly subjects: readonly Subject[]
}

export interface PathRule extends SandboxRule {
  matches(path: string): boolean
}

export interface HostRule extends SandboxRule {
  readonly port: number | undefined
  readonly isProxied: boolean
  /** True for a single host. */
  readonly isName: boolean
  matches(host: string): boolean
}

/** What one file says. In each list the first rule that matches decides. */
export interface Sandbox {
  readonly read: readonly PathRule[]
  readonly write: readonly PathRule[]
  readonly hosts: readonly HostRule[]
  /** The answer to a command. */
  line(text: string): Answer
  /** The answer when no rule matches. */
  readonly otherwise: Answer
  /** What makes grants uncertain: the narrower answer counts. */
  readonly doubts: readonly (readonly [of: Access | 'host' | 'line', Answer])[]
  /** The denied patterns whose paths a single example does not stand for. */
  readonly globs: readonly PlacedValue<string>[]
  /** The members that no answer depends on. */
  readonly rest: JsonObject
}

export interface SandboxGranting extends Granting {
  readonly value: unknown
  readonly sandbox: Sandbox
}

export const isGlob = (path: string): boolean => /[*?[\]{}\\]/.test(path)

/** How narrow a folder is: of two, the one with more names counts first. */
export const depthOf = (folder: string): number => folder.split('/').filter(Boolean).length

/** A path as rules have it. A symbolic place such as `:tmpdir` stands for itself. */
export function placeOf(path: string, places: Places): string {
  const place = /^:\w+(?:\/|$)/.test(path) ? normalizePath(`/${path}`).slice(1) : absolute(path, places)
  return place.replace(/\/$/, '')
}

/** A rule for a folder and what is in it; the empty one is the root. One that another rule implies has no subject. */
export function inFolder(folder: string, answer: Answer, isImplied = false): PathRule {
  return {
    answer,
    subjects: isImplied ? [] : [subjectOf(`${folder}/**`)],
    matches: (path) => path === folder || path.startsWith(`${folder}/`),
  }
}

/** Denies what absolute patterns match, and what is below it: in doubt more, and everything when that takes too long. */
export function deniedGlobs(globs: readonly PlacedValue<string>[], words: string): PathRule[] {
  if (globs.length === 0) return []
  const value = globs.flatMap(({ value: glob, pointer }) => {
    const pattern = patternOf(glob)
    return [pattern, `${pattern}/**`].map((one) => ({ value: one, pointer }))
  })
  const answer = { outcome: 'deny', reason: words, decidedBy: globs[0]!.pointer } as const
  let list: PatternList | undefined
  const matches = (path: string) => {
    try {
      list ??= new PatternList('path', { pointer: '', value })
      return list.find(path, true) !== undefined
    } catch (error) {
      if (error instanceof Unusable || error instanceof RangeError) return true
      throw error
    }
  }
  return [{ answer, matches, subjects: globs.map(({ value: glob }) => subjectOf(glob, patternOf(glob))) }]
}

/** A pattern with `*` alone, that matches as much or more. */
function patternOf(glob: string): string {
  const names = glob.split('/')
  const open = names.findIndex((name) => /[{}\\]/.test(name) || (name.includes('**') && name !== '**'))
  if (open >= 0) names.splice(open, names.length, '**')
  return names
    .map((name) => (name === '**' ? name : name.replaceAll(/\[[^[\]]*\]|[?[\]]/g, '*').replaceAll(/\*+/g, '*')))
    .join('/')
}

/**
 * A rule for `name`, `*`, `*.name` or `**.name`, with a port or without. Other patterns grant nothing, and deny more. A
 * proxy passes on HTTP to public addresses; without one, the sandbox limits nothing.
 */
export function hostRule(text: string, answer: Answer, isProxied = true): HostRule[] {
  const [, whole = text, given] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text.trim()) ?? []
  const [stars] = /^\*{0,2}/.exec(whole)!
  const rest = whole.slice(stars === '' ? 0 : stars.length + 1)
  const isPlain = /^(?:\[[\da-f:.]+\]|[^[\]*?{}\\:.][^[\]*?{}\\:]*)$/i.test(rest)
  const isKnown = whole === '*' || (isPlain && (stars === '' || whole[stars.length] === '.'))
  if (!isKnown && answer.outcome === 'allow') return []
  const name = normalizeHost(rest) ?? rest.toLowerCase()
  const below = rest === '' ? '' : `.${name}`
  const end = isKnown
    ? below
    : whole
        .toLowerCase()
        .split(/[[\]*?{}\\:]/)
        .at(-1)!
  const isName = isKnown && stars === ''
  return [
    {
      answer,
      isProxied,
      isName,
      port: given === undefined ? undefined : Number(given),
      subjects: [whole, ...(stars === '**' && isKnown ? [rest] : [])].map(hostSubject),
      matches: (host) => (isKnown && stars !== '*' && host === name) || (!isName && host.endsWith(end)),
    },
  ]
}

export function sandboxGranting(sandbox: Sandbox, places: Places, { value, bytes }: Document): SandboxGranting {
  const { hosts, otherwise, doubts } = sandbox
  const doubted = (of: (typeof doubts)[number][0], answer: Answer) =>
    doubts.reduce((sum, [one, doubt]) => (one === of ? narrower(sum, doubt) : sum), answer)
  const unmatched = (what: string): Answer => ({ ...otherwise, reason: `no rule matches ${what}${otherwise.reason}` })
  const files = ({ path: given, access }: FilesystemRequest): Answer => {
    const path = placeOf(given, places)
    const isOdd = !isWellFormed(path) && 'the path has half of a character'
    const fault = isOdd || (path.startsWith(':') ? undefined : pathFault(path || '/'))
    if (fault !== undefined) return { ...DENIED, reason: fault }
    const accesses = access === 'read_write' ? (['read', 'write'] as const) : [access]
    return accesses
      .map((one) => doubted(one, sandbox[one].find((rule) => rule.matches(path))?.answer ?? unmatched(quoted(path))))
      .reduce(narrower)
  }
  const connect = ({ host: given, port, protocol = 'https', address }: NetworkRequest): Answer => {
    const host = normalizeHost(given)
    if (host === undefined) return { ...DENIED, reason: `${quoted(given)} is neither a host name nor an address` }
    const rule = hosts.find(
      (one) =>
        one.matches(host) &&
        (one.port === undefined || one.port === port || (port === undefined && one.answer.outcome === 'deny')),
    )
    const isInside =
      (address !== undefined && insideAddress(address) !== undefined) ||
      (rule?.isName === false && insideName(host) !== undefined)
    if (
      rule?.answer.outcome === 'allow' &&
      rule.isProxied &&
      (isInside || !/^https?$/.test(normalizeProtocol(protocol)))
    )
      return { ...otherwise, reason: `the proxy passes on HTTP to public addresses${otherwise.reason}` }
    return doubted('host', rule?.answer ?? unmatched(quoted(host)))
  }
  const subjects = (rules: readonly SandboxRule[]) => rules.flatMap((rule) => rule.subjects)
  return {
    value,
    sandbox,
    bytes: bytes.length,
    names: {
      tools: [],
      paths: subjects([...sandbox.read, ...sandbox.write]),
      hosts: subjects(hosts),
      ports: hosts.flatMap(({ port }) => port ?? []),
      lines: [],
    },
    decide(request) {
      checkRequest(request)
      switch (request.domain) {
        case 'filesystem':
          return files(request)
        case 'network':
          return connect(request)
        case 'execution': {
          const line = [request.command, request.args].filter(Boolean).join(' ')
          return line.trim() === '' ? { ...DENIED, reason: 'there is no command' } : doubted('line', sandbox.line(line))
        }
        case 'tool':
          return unmatched(`the tool ${quoted(request.name)}`)
        default:
          return { ...DENIED, reason: `the file does not limit this: ${request.domain}` }
      }
    },
  }
}

const DENIED = { outcome: 'deny', decidedBy: undefined } as const

// What a new file lets a runner do that the old one did not. In doubt, a change is wider.

/** A change of what a runner does by its settings. */
export interface RunnerChange<Area extends string = MatrixRow['what'] | 'member'> {
  readonly kind: ChangeKind
  readonly area: Area
  readonly pointer: string
  readonly document: 'old' | 'new'
  readonly detail: string
}

/** Compares the answers about everything that one of the files names, and the members on which no answer depends. */
export function diffSandboxes(old: SandboxGranting, now: SandboxGranting): readonly RunnerChange[] {
  if (isEqual(old.value, now.value)) return []
  const { rows, leftOut } = permissionMatrix([old, now])
  const changes = rows.filter(differs).map(({ what: area, subject, cells }): RunnerChange => {
    const [before, after] = [cells[0]!, cells[1]!]
    const document = after.decidedBy === undefined && before.decidedBy !== undefined ? 'old' : 'new'
    return {
      kind: widening(before, after) > 0 ? 'widened' : 'narrowed',
      area,
      pointer: (document === 'old' ? before : after).decidedBy ?? '',
      document,
      detail: `${subject}: ${OUTCOME_WORDS[before.outcome]} before, ${OUTCOME_WORDS[after.outcome]} now`,
    }
  })
  // One example does not show every path that a pattern denies.
  const kept = new Set(now.sandbox.globs.map(({ value }) => value))
  for (const { value, pointer } of old.sandbox.globs)
    if (!kept.has(value))
      changes.push({ ...WIDER, pointer, document: 'old', detail: `no longer denies ${quoted(cut(value, 200))}` })
  if (leftOut > 0)
    changes.push({ ...WIDER, pointer: '', document: 'new', detail: `${leftOut} more answers are not compared` })
  return [...changes, ...memberChanges(old.sandbox.rest, now.sandbox.rest, (name) => HARMLESS.test(name))]
}

/** Members of any runner that say how it looks, what it keeps, and which model it uses. */
const HARMLESS =
  /^(?:model(?!_provider)\w*|review_model|tui|history|notice|personality|file_opener|analytics|feedback|project_doc_\w+|tool_output_token_limit|ignoreViolations|\$schema)$/
const WIDER = { kind: 'widened', area: 'member' } as const

/** The members that differ. All but the harmless ones count as wider. */
export function memberChanges(
  old: JsonObject,
  now: JsonObject,
  isHarmless: (name: string) => boolean,
): RunnerChange<'member'>[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) => {
    if (isEqual(old[name], now[name])) return []
    const document = Object.hasOwn(now, name) ? 'new' : 'old'
    const [kind, why] = isHarmless(name) ? (['changed', ''] as const) : (['widened', ': it decides what runs'] as const)
    return { kind, area: 'member', pointer: `/${escapeToken(name)}`, document, detail: `${quoted(name)} differs${why}` }
  })
}
