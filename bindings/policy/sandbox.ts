// A runner that runs commands in a sandbox, which limits files and hosts, and no programs.
import type { Document } from '../document/parse.ts'
import type { JsonObject, PlacedValue } from '../text/members.ts'
import { quoted } from '../text/words.ts'
import { insideAddress, insideName, normalizeHost } from './host.ts'
import { type Answer, type Granting, hostSubject, narrower, type Subject, subjectOf } from './matrix.ts'
import { normalizeProtocol, PatternList, Unusable } from './part.ts'
import { absolute, normalizePath, type Places, pathFault } from './path.ts'
import { checkRequest, type FilesystemRequest, type NetworkRequest } from './request.ts'

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
  /** `all` for a sandbox without a proxy, which limits nothing. */
  readonly by: 'name' | 'pattern' | 'all'
  matches(host: string): boolean
}

/** What one file says. In each list the first rule that matches decides. */
export interface Sandbox {
  readonly name: string
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
  /** The members that no answer depends on, and which of these decide nothing that runs. */
  readonly rest: JsonObject
  readonly harmless: RegExp
}

export interface SandboxGranting extends Granting, Pick<Sandbox, 'globs' | 'rest' | 'harmless'> {
  readonly value: unknown
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
    .map((name) => (name === '**' ? name : name.replaceAll(/\[[^\]]*\]|[?[\]]/g, '*').replaceAll(/\*+/g, '*')))
    .join('/')
}

/** A rule for `name`, `*`, `*.name` or `**.name`, with a port or without. Other patterns grant nothing, and deny more. */
export function hostRule(text: string, answer: Answer): HostRule[] {
  const [, whole = text, given] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text.trim()) ?? []
  const [stars] = /^\*{0,2}/.exec(whole)!
  const rest = whole.slice(stars === '' ? 0 : stars.length + 1)
  const isPlain = /^(?:\[[\da-f:.]+\]|[^[\]*?{}\\:.][^[\]*?{}\\:]*)$/i.test(rest)
  const isKnown = whole === '*' || (isPlain && (stars === '' || whole[stars.length] === '.'))
  if (!isKnown && answer.outcome === 'allow') return []
  const name = normalizeHost(rest) ?? rest.toLowerCase()
  const end = isKnown
    ? rest === ''
      ? ''
      : `.${name}`
    : whole
        .split(/[[\]*?{}\\:]/)
        .at(-1)!
        .toLowerCase()
  return [
    {
      answer,
      subjects: [hostSubject(whole), ...(stars === '**' && isKnown ? [hostSubject(rest)] : [])],
      by: isKnown && stars === '' ? 'name' : 'pattern',
      port: given === undefined ? undefined : Number(given),
      matches: (host) =>
        (isKnown && stars !== '*' && host === name) || (!(isKnown && stars === '') && host.endsWith(end)),
    },
  ]
}

/** A rule for a sandbox that limits no hosts. */
export const anyHost = (answer: Answer): HostRule => ({
  answer,
  subjects: [],
  port: undefined,
  by: 'all',
  matches: () => true,
})

export function sandboxGranting(sandbox: Sandbox, places: Places, { value, bytes }: Document): SandboxGranting {
  const { name, hosts, otherwise, doubts, globs, rest, harmless } = sandbox
  const doubted = (of: (typeof doubts)[number][0], answer: Answer) =>
    doubts.reduce((sum, [one, doubt]) => (one === of ? narrower(sum, doubt) : sum), answer)
  const unmatched = (what: string): Answer => ({ ...otherwise, reason: `no rule matches ${what}${otherwise.reason}` })
  const files = ({ path: given, access }: FilesystemRequest): Answer => {
    const path = placeOf(given, places)
    const fault = path.startsWith(':') ? undefined : pathFault(path || '/')
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
      (rule?.by === 'pattern' && insideName(host) !== undefined)
    const isLimited = rule?.answer.outcome === 'allow' && rule.by !== 'all'
    if (isLimited && (isInside || !/^https?$/.test(normalizeProtocol(protocol))))
      return { ...otherwise, reason: `the proxy passes on HTTP to public addresses${otherwise.reason}` }
    return doubted('host', rule?.answer ?? unmatched(quoted(host)))
  }
  const subjects = (rules: readonly SandboxRule[]) => rules.flatMap((rule) => rule.subjects)
  return {
    value,
    bytes: bytes.length,
    globs,
    rest,
    harmless,
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
        case 'execution':
          return doubted('line', sandbox.line([request.command, request.args].filter(Boolean).join(' ')))
        case 'tool':
          return unmatched(`the tool ${quoted(request.name)}`)
        default:
          return { ...DENIED, reason: `${name} does not limit this: ${request.domain}` }
      }
    },
  }
}

const DENIED = { outcome: 'deny', decidedBy: undefined } as const
