// Library, CLI and Worker agree about every document: its kind, and the findings of reading it. A new kind is covered
// by its row.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHECKED, SIGNED, VERIFIED } from '../../bindings/all-specifications.ts'
import type { Source } from '../../bindings/frame/source.ts'
import { convert, open, parse, sign, validate, verify } from '../../bindings/index.ts'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import type { Kind, KindRow } from '../../bindings/kinds.ts'
import { SPECIFICATIONS } from '../../bindings/specifications.ts'
import { KINDS } from '../../bindings/tables/kinds.ts'
import { examine } from '../../browser-demo/examine.ts'
import { blazon } from '../cli/terminal.ts'
import { type Server, startServer } from '../edge/server.ts'
import { ask } from '../support/ask.ts'
import { IS_WHOLE } from '../support/cases.ts'

/** The size limit of the Worker. */
const WORKER_BYTES = 1 << 20
/** Larger documents would take too long in a test. */
const LARGEST_TRIED = 5 << 20

interface Answer {
  readonly kind: Kind | undefined
  /** The codes and sections of the reader's findings. */
  readonly found: readonly string[]
}

/** The smallest document that its row allows, with more content in the member `more`. */
function documentOf({ tells }: KindRow, more = '1'): string {
  const { has = [], starts = {}, is = {}, each } = tells[0]!
  const empty = { array: [], object: {}, string: 'x' }
  const members = {
    ...Object.fromEntries(has.map((name) => [name, 'x'])),
    ...Object.fromEntries(Object.entries(starts).map(([name, text]) => [name, `${text}1.0`])),
    ...Object.fromEntries(Object.entries(is).map(([name, type]) => [name, empty[type]])),
    ...(each && { [each[0]]: [{ [each[1]]: 'x' }] }),
  }
  return `${JSON.stringify(members).slice(0, -1)},"more":${more}}`
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
/** With spaces: each run of letters is examined as a possible secret, which took a third of the time. */
const padded = (row: KindRow, bytes: number) => documentOf(row, `"${' '.repeat(bytes - documentOf(row, '""').length)}"`)

const MARK = ['DOC-105 RFC 8259 section 8.1']
const DEPTH = ['DOC-113 RFC 8259 section 9']
const SIZE = ['DOC-114 RFC 8259 section 9']

/** Other forms are decided by the name of a file, which the Worker does not see. */
const ROWS: readonly KindRow[] = KINDS.filter(({ form, tells }: KindRow) => form === undefined && tells.length > 0)

/** Large documents, for one kind of each limit; for all kinds in `npm run soak -- random`. */
const CASES = ROWS.flatMap((row) => {
  const { kind, bounds } = row
  const { bytes, depth } = bounds
  const all: (readonly [kind: Kind, what: string, source: string, found: readonly string[]])[] = [
    [kind, 'as it is', documentOf(row), []],
    [kind, 'with a byte order mark', `\ufeff${documentOf(row)}`, MARK],
    [kind, '33 deep', documentOf(row, nested(32)), depth < 33 ? DEPTH : []],
    [kind, '40 deep', documentOf(row, nested(39)), depth < 40 ? DEPTH : []],
    [kind, 'as deep as it may be', documentOf(row, nested(depth - 1)), []],
    [kind, 'one deeper', documentOf(row, nested(depth)), DEPTH],
  ]
  const sharesLimit = ROWS.find((other) => other.bounds.bytes === bytes) !== row
  if (sharesLimit && !IS_WHOLE) return all
  all.push([kind, 'of 1.3 MB', padded(row, 1_300_000), bytes < 1_300_000 ? SIZE : []])
  if (bytes < LARGEST_TRIED) all.push([kind, 'one byte too large', padded(row, bytes + 1), SIZE])
  return all
})

const READING = /^(?:DOC-1[01]\d|ADL-1001) /
interface Found {
  readonly code: string
  readonly spec: string
}
const ofReading = (diagnostics: readonly Found[]) =>
  diagnostics.map(({ code, spec }) => `${code} ${spec}`).filter((text) => READING.test(text))

let server: Server
let pem: string
beforeAll(async () => {
  pem = await exportKey(await generateKey('Ed25519'), 'pem')
  server = await startServer()
})
afterAll(() => server?.stop())

/** The answers of the library, for each of its verbs. */
const LIBRARY: Readonly<Record<string, (source: Source, kind: Kind) => Promise<Answer>>> = {
  open: async (source) => {
    const { kind, diagnostics } = open(source)
    return { kind, found: ofReading(diagnostics) }
  },
  validate: async (source) => {
    const { kind, diagnostics } = validate(source)
    return { kind, found: ofReading(diagnostics) }
  },
  sign: async (source, kind) => ({ kind, found: ofReading((await sign(source, pem)).diagnostics) }),
  verify: async (source, kind) => {
    const { steps } = await verify(source)
    return { kind, found: ofReading(steps.flatMap(({ diagnostic }) => diagnostic ?? [])) }
  },
  convert: async (source, kind) => {
    const { diagnostics } = convert(source, { to: kind === 'card' ? 'a2a-1.0' : 'card', id: 'agent://x' })
    return { kind, found: ofReading(diagnostics) }
  },
}

const COMMANDS: readonly (readonly string[])[] = [
  ['validate', 'x.json'],
  ['sign', 'x.json', '--key', 'k.pem'],
  ['verify', 'x.json'],
  ['convert', 'x.json', '--to', 'oasf-record'],
  ['fmt', '--check', 'x.json'],
]

/** Uses a new connection: the server may close one that was idle during the other calls. */
const worker = (path: string, body: string) =>
  ask(`${server.origin}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })

describe('all entry points agree about a document', () => {
  test.each(CASES)('%s %s', async (kind, _, source, found) => {
    const expected: Answer = { kind, found }
    for (const [verb, said] of Object.entries(LIBRARY)) {
      expect(await said(source, kind), `library: ${verb}`).toEqual(expected)
      expect(await said(Buffer.from(source), kind), `library: ${verb} of bytes`).toEqual(expected)
    }
    const { document } = parse(source, { maxDepth: 1024, bom: 'warn' })
    for (const [verb, said] of Object.entries(LIBRARY)) {
      expect(await said(document!, kind), `library: ${verb} of a document`).toEqual(expected)
    }
    for (const command of COMMANDS) {
      const files = { 'x.json': source, 'k.pem': pem }
      const { stdout } = await blazon([...command, '--format', 'json'], { files })
      const [result] = JSON.parse(stdout).results
      const isTold = command[0] === 'validate' || command[0] === 'sign' || command[0] === 'verify'
      const told = isTold ? result.kind : kind
      expect({ kind: told, found: ofReading(result.diagnostics) }, `blazon ${command[0]}`).toEqual(expected)
    }
    const page = examine(source)
    const isRead = found !== DEPTH && found !== SIZE
    expect({ kind: isRead ? page.kind : kind, found: ofReading(page.diagnostics) }, 'page').toEqual(expected)
    // The Worker cuts off a body of more than twice its limit: test/edge covers that.
    if (Buffer.byteLength(source) > 2 * WORKER_BYTES) return
    for (const path of ['/v1/validate', '/v1/verify']) {
      const answer = await worker(path, source)
      if (Buffer.byteLength(source) > WORKER_BYTES) {
        expect(answer.status, path).toBe(413)
        continue
      }
      const { text } = answer
      if (!text.startsWith('{')) throw new Error(`${path}: ${answer.status} ${text.slice(0, 500)}`)
      const { kind: told = kind, diagnostics, steps = [] } = JSON.parse(text)
      const all: Found[] = diagnostics ?? steps.flatMap(({ diagnostic }: { diagnostic?: Found }) => diagnostic ?? [])
      expect({ kind: told, found: ofReading(all) }, path).toEqual(expected)
    }
  })

  test.each([
    ['check', CHECKED, KINDS.filter(({ isChecked }) => isChecked)],
    ['sign', SIGNED.map(({ signing }) => signing), KINDS.filter(({ isSigned }) => isSigned)],
    // A container is signed when it is built.
    ['verify', VERIFIED, KINDS.filter(({ isSigned, form }: KindRow) => isSigned || form === 'archive')],
  ] as const)('the CLI loads the code of the library for each kind, to %s', async (verb, all, rows) => {
    const loaded = await Promise.all(SPECIFICATIONS.flatMap(({ load }) => load[verb]?.() ?? []))
    expect(loaded).toEqual(all)
    expect(all.map(({ kind }) => kind)).toEqual(rows.map(({ kind }) => kind))
  })
})
