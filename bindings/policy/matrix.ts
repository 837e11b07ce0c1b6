// What several documents permit, side by side: a row for each thing that one of them names, a cell for each document.
// Cells are decisions about the same request, so they never differ from what `decide` answers.
import { normalizeProtocol, type PatternList, Unusable } from './part.ts'
import type { Permissions, Policy } from './policy.ts'
import { AMOUNTS, type PermissionRequest, type Tools } from './request.ts'

export interface Answer {
  readonly outcome: 'allow' | 'ask' | 'deny'
  /** The deciding reason, in one sentence. */
  readonly reason: string
  /** The value in the document that decided; undefined if none did. */
  readonly decidedBy: string | undefined
}

export const OUTCOME_WORDS: Readonly<Record<Answer['outcome'], string>> = {
  allow: 'allowed',
  ask: 'asks',
  deny: 'denied',
}

/** A name or pattern, and a text that it matches. */
export interface Subject {
  readonly text: string
  readonly example: string
}

/** What a document names, or undefined for what it does not limit. */
interface Names {
  readonly tools: readonly Subject[]
  readonly paths: readonly Subject[]
  readonly hosts: readonly Subject[]
  readonly ports?: readonly number[]
  readonly protocols?: readonly string[]
  /** Programs that no shell runs. */
  readonly commands?: readonly Subject[]
  /** Lines for a shell. */
  readonly lines: readonly Subject[]
  readonly variables?: readonly Subject[]
  readonly amounts?: readonly (readonly [name: (typeof AMOUNTS)[number], limit: number])[]
}

/** A document that grants something. */
export interface Granting {
  /** The size of the document: it limits the number of rows. */
  readonly bytes: number
  readonly names: Names
  decide(request: PermissionRequest): Answer
}

export interface MatrixRow {
  readonly what: 'tool' | 'read' | 'write' | 'host' | 'command' | 'line' | 'variable' | 'limit'
  /** The name or pattern; `*` stands for what no other row names. */
  readonly subject: string
  /** The request that the cells answer. */
  readonly request: PermissionRequest
  /** One for each document. */
  readonly cells: readonly Answer[]
}

export interface Matrix {
  readonly rows: readonly MatrixRow[]
  /** The number of rows beyond the bounds. */
  readonly leftOut: number
}

const MOST_ROWS = 500
/** The most rows, times bytes of all documents: a few seconds of work. */
const MOST_WORK = 25_000_000
/** A longer subject is left out. */
export const LONGEST_SUBJECT = 256
/** More ports and protocols are not combined. */
const MOST_COMBINED = 8

/** Stands for text that no rule has. A host cannot have it. */
export const ANY = '…'
const ANY_HOST = 'z-any'

/** A pattern in which each wildcard stands for any text. */
export function subjectOf(text: string, example = text): Subject {
  return { text, example: example.replaceAll(/\*+/g, ANY) }
}

export function hostSubject(text: string): Subject {
  return { text, example: text === '*' ? `${ANY_HOST}.example` : text.replaceAll(/\*+/g, ANY_HOST) }
}

const pathSubject = (text: string): Subject => subjectOf(text, text.startsWith('*') ? `/${text}` : text)

type Question = Omit<MatrixRow, 'cells'>

/** Asks each document about everything that one of them names. */
export function permissionMatrix(documents: readonly Granting[]): Matrix {
  const bytes = documents.reduce((sum, one) => sum + one.bytes, 0)
  const most = Math.min(MOST_ROWS, Math.max(1, Math.floor(MOST_WORK / bytes)))
  const rows: MatrixRow[] = []
  const hosts = hostVariants(documents)
  let leftOut = hosts.leftOut * [...union(documents, 'hosts')].length
  for (const question of questions(documents, hosts.variants)) {
    if (rows.length === most || question.subject.length > LONGEST_SUBJECT) leftOut++
    else rows.push({ ...question, cells: documents.map((one) => one.decide(question.request)) })
  }
  return { rows, leftOut }
}

function* questions(documents: readonly Granting[], variants: readonly HostVariant[]): Generator<Question> {
  for (const { text, example } of union(documents, 'tools'))
    yield { what: 'tool', subject: text, request: { domain: 'tool', name: example } }
  for (const { text, example: path } of union(documents, 'paths', '/**'))
    for (const access of ['read', 'write'] as const)
      yield { what: access, subject: text, request: { domain: 'filesystem', path, access } }
  for (const { text, example: host } of union(documents, 'hosts'))
    for (const { words, ...more } of variants)
      yield { what: 'host', subject: text + words, request: { domain: 'network', host, ...more } }
  for (const { text, example: command } of union(documents, 'commands'))
    yield { what: 'command', subject: text, request: { domain: 'execution', command } }
  for (const { text, example: command } of union(documents, 'lines'))
    yield { what: 'line', subject: text, request: { domain: 'execution', command, shell: true } }
  for (const { text, example: variable } of union(documents, 'variables'))
    yield { what: 'variable', subject: text, request: { domain: 'environment', variable } }
  for (const name of AMOUNTS) {
    const limits = documents.flatMap(({ names }) => names.amounts?.filter(([one]) => one === name) ?? [])
    // One more than a limit shows whether another document allows more.
    for (const amount of new Set(limits.flatMap(([, limit]) => [limit, limit + 1])))
      yield { what: 'limit', subject: `${name} ${amount}`, request: { domain: 'resource', [name]: amount } }
  }
}

/** The subjects of all documents, after one for what none of them names. Empty if no document limits such things. */
function union(
  documents: readonly Granting[],
  member: 'tools' | 'paths' | 'hosts' | 'commands' | 'lines' | 'variables',
  all = '*',
): Iterable<Subject> {
  const lists = documents.flatMap(({ names }) => names[member] ?? [])
  if (documents.every(({ names }) => names[member] === undefined)) return []
  const other = member === 'hosts' ? hostSubject(all) : subjectOf(all)
  return new Map([other, ...lists].map((one) => [`${one.text}\n${one.example}`, one])).values()
}

interface HostVariant {
  readonly words: string
  readonly port?: number
  readonly protocol?: string
}

/** Each combination of the named ports and protocols, and of another port or protocol if a document limits them. */
function hostVariants(documents: readonly Granting[]): { variants: readonly HostVariant[]; leftOut: number } {
  const ports = new Set(documents.flatMap(({ names }) => names.ports ?? []))
  const protocols = new Set(documents.flatMap(({ names }) => names.protocols ?? []))
  const other = Array.from({ length: 65_535 }, (_, i) => i + 1).find((port) => !ports.has(port))
  const byPort = [...ports].slice(0, MOST_COMBINED).map((port) => ({ port, words: `:${port}` }))
  const byProtocol = [...protocols]
    .slice(0, MOST_COMBINED)
    .map((protocol) => ({ protocol, words: ` ${protocol.slice(0, LONGEST_SUBJECT)}` }))
  const named = combined(orAny(byPort), orAny(byProtocol))
  const variants = [
    ...named,
    ...combined(byPort.length === 0 || other === undefined ? [] : [{ port: other, words: ':*' }], orAny(byProtocol)),
    ...combined(orAny(byPort), byProtocol.length === 0 ? [] : [{ protocol: ANY_HOST, words: ' *' }]),
  ]
  return { variants, leftOut: (ports.size || 1) * (protocols.size || 1) - named.length }
}

const orAny = (list: readonly HostVariant[]): readonly HostVariant[] => (list.length === 0 ? [{ words: '' }] : list)

const combined = (ports: readonly HostVariant[], protocols: readonly HostVariant[]): HostVariant[] =>
  ports.flatMap((port) => protocols.map((protocol) => ({ ...port, ...protocol, words: port.words + protocol.words })))

/** Paths below the folder of a project, or of a user, in a short form. */
export function shortPaths(root: string, home: string): (text: string) => string {
  const folders = [[root, '.'] as const, [home, '~'] as const].filter(([folder]) => folder !== '/')
  return (text) => {
    const [folder, sign] = folders.find(([one]) => text.startsWith(`${one}/`)) ?? ['', '']
    return sign + text.slice(folder.length)
  }
}

/** Whether documents answer differently. */
export const differs = ({ cells }: MatrixRow): boolean => cells.some(({ outcome }) => outcome !== cells[0]!.outcome)

/** A definition as one of the documents. A tool that needs a confirmation is asked for. */
export function grantingBy(policy: Policy, names: Names, bytes: number): Granting {
  return {
    bytes,
    names,
    decide(request) {
      const { allowed, reason, decidedBy } = policy.decide(request)
      const needsPerson = !allowed && request.domain === 'tool' && policy.allows({ ...request, confirmed: true })
      return { outcome: allowed ? 'allow' : needsPerson ? 'ask' : 'deny', reason, decidedBy }
    },
  }
}

/** Everything that permissions and tools name. An unusable domain names nothing, and grants nothing. */
export function namesOf(permissions: Permissions, tools: Tools): Names {
  const [network, filesystem, environment, execution, limits] = [
    usable(permissions.network),
    usable(permissions.filesystem),
    usable(permissions.environment),
    usable(permissions.execution),
    usable(permissions.resourceLimits),
  ]
  return {
    tools: Array.from(tools.keys(), (text) => ({ text, example: text })),
    paths: [...(filesystem?.allowed.map(({ path }) => path) ?? []), ...(filesystem?.denied.entries ?? [])].map(
      ({ value }) => pathSubject(value),
    ),
    hosts: [
      ...(network?.hosts.entries.map(({ value }) => hostSubject(value)) ?? []),
      ...(network?.denyPrivate === undefined ? [] : [hostSubject('127.0.0.1')]),
    ],
    ports: network?.ports?.value.map(({ value }) => value).filter(Number.isInteger) ?? [],
    protocols: network?.protocols?.value.map(({ value }) => normalizeProtocol(value)) ?? [],
    commands: patterns(execution),
    lines: [],
    variables: patterns(environment),
    amounts: AMOUNTS.flatMap((name) => (limits?.[name] === undefined ? [] : [[name, limits[name].value] as const])),
  }
}

const usable = <Part>(part: Part | Unusable): Part | undefined => (part instanceof Unusable ? undefined : part)

const patterns = (part: { readonly allowed: PatternList; readonly denied: PatternList } | undefined) =>
  [...(part?.allowed.entries ?? []), ...(part?.denied.entries ?? [])].map(({ value }) => subjectOf(value))
