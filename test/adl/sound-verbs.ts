// What every verb must guarantee for any document. Used by the short run in npm test and the long run in test/soak.
import { readdirSync, readFileSync } from 'node:fs'
import { parse as parseYaml } from 'yaml'
import * as adl from '../../bindings/adl/index.ts'
import { convert, FORMATS, resolveOperations } from '../../bindings/convert/index.ts'
import { DocumentError } from '../../bindings/document/finding.ts'
import { parse } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { generateKey } from '../../bindings/keys/index.ts'
import { parsePointer } from '../../bindings/text/members.ts'
import { processorTime } from '../support/effort.ts'
import { placesOf } from './profiles/odd-values.ts'

const now = new Date('2026-02-18T00:00:00Z')
const url = 'https://agents.example.com/a'

/** A definition, and the one before it. */
interface Case {
  readonly source: Uint8Array
  readonly before: Uint8Array
}

const REQUESTS: readonly adl.PermissionRequest[] = [
  { domain: 'network', host: 'api.example.com', port: 443, protocol: 'https' },
  { domain: 'filesystem', path: '/data/a', access: 'read_write' },
  { domain: 'environment', variable: 'APP_PORT' },
  { domain: 'execution', command: 'bash -c true', shell: true },
  { domain: 'resource', memoryMb: 1 },
  { domain: 'tool', name: 'add' },
]
const API = { openapi: '3.1.0', paths: { '/a': { get: { operationId: 'searchInvoices', responses: {} } } } }

/** For verbs that need a document: without one, there is nothing to do. */
const read = (source: Uint8Array) => parse(source, { maxDepth: 64 }).document

/** Runs a verb that may only throw documented errors. */
function _mayRefuse(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    if (error instanceof DocumentError) return { diagnostics: error.diagnostics }
    throw error
  }
}

/** Some names of prompts or tools, if there are any. */
function names(source: Uint8Array, list: 'prompts' | 'tools'): string[] {
  const value = read(source)?.value as Record<string, unknown> | null | undefined
  const found = typeof value === 'object' && value !== null ? value[list] : undefined
  return (Array.isArray(found) ? found : [])
    .map((item: { name?: unknown } | null) => item?.name)
    .filter((name) => typeof name === 'string')
    .slice(0, 3)
}

const VERBS: Readonly<Record<string, (given: Case) => unknown>> = {
  formatErrors: ({ source }) => adl.formatErrors(adl.validate(source, { now })),
  verify: ({ source }) => adl.verify(source, { now, expect: { provider: 'acme.example.com' } }),
  sign: async ({ source }) => adl.sign(source, await KEY, { embedKey: true }),
  decide: ({ source }) => REQUESTS.map((request) => adl.decide(source, request, { now })),
  compile({ source }) {
    const policy = adl.compile(source, { now })
    for (const request of REQUESTS) {
      if (policy.allows(request) !== policy.decide(request).allowed) throw new Error('allows and decide do not agree')
    }
  },
  grants: ({ source }) => adl.grants(source, { now }),
  diff: ({ source, before }) => adl.diff(before, source),
  checkVersion: ({ source, before }) => adl.checkVersion(before, source),
  renderPrompt: ({ source }) =>
    [undefined, ...names(source, 'prompts')].map((prompt) => {
      const variables = { reviewer_role: 'a', company_name: 'b' }
      return adl.renderPrompt(source, { now, variables, ...(prompt !== undefined && { prompt }) })
    }),
  review: ({ source }) => adl.review(source),
  publicCopy: ({ source }) => adl.publicCopy(source),
  redact: ({ source }) => adl.redact(source),
  mayProvision: ({ source }) => adl.mayProvision(source, { now, enforces: ['network'], source: { trusted: true } }),
  mayPublish: ({ source }) => and(read(source), (document) => adl.mayPublish(document)),
  checkMediaType: ({ source }) =>
    and(read(source), (document) => adl.checkMediaType(document, 'application/adl+json; profile="urn:a:b"')),
  checkInventory: ({ source }) =>
    and(read(source), (document) => ({ diagnostics: adl.checkInventory({ version: 1, agents: [] }, document) })),
  approve: ({ source }) => adl.approve(source, { now }),
  classificationOf: ({ source }) =>
    and(read(source), (document) =>
      ['', '/tools/0', '/tools/00', '/resources/0/x', '/tools/__proto__', '/-'].map((at) =>
        adl.classificationOf(document, at),
      ),
    ),
  runtimePolicy({ source }) {
    const policy = adl.runtimePolicy(source)
    return [policy.checkInput('<b>a'), policy.checkOutput('{}'), policy.delays(), policy.afterFailure(1)]
  },
  compileTools({ source }) {
    const tools = adl.compileTools(source)
    return names(source, 'tools').map((name) => [tools.checkInput(name, { a: 1 }), tools.checkOutput(name, [{}])])
  },
  resolveOperations: ({ source }) =>
    resolveOperations(source, {
      allow: ['https://api.acme.example.com/'],
      documents: new Map<string, unknown>([['https://api.acme.example.com/openapi.json', API]]),
    }),
  ...Object.fromEntries(
    FORMATS.map((to) => [
      `convert to ${to}`,
      ({ source }: Case) => {
        const made = convert(source, { to, url, carry: 'all', command: 'a' })
        if (to === 'adl' || made.document === undefined) return made
        return [made, convert(made.document, { to: 'adl', from: to })]
      },
    ]),
  ),
}

const KEY = generateKey('Ed25519')

function and<Value, Result>(value: Value | undefined, use: (value: Value) => Result): Result | undefined {
  return value === undefined ? undefined : use(value)
}

/** No document of a few kilobytes takes a hundredth of this. */
const SLOWEST_MS = 5000

/** A description of how some verb mishandled a document; undefined if none did. */
export async function flawOfVerbs(given: Case): Promise<string | undefined> {
  for (const [name, verb] of Object.entries(VERBS)) {
    const start = processorTime()
    let result: unknown
    try {
      result = await verb(given)
    } catch (error) {
      return `${name} threw ${error instanceof Error ? error.stack : String(error)}`
    }
    const took = processorTime() - start
    if (took > SLOWEST_MS) return `${name} took ${took} ms`
    for (const part of [result].flat()) {
      const { diagnostics = [] } = (part ?? {}) as { diagnostics?: readonly Diagnostic[] }
      const flaw = diagnostics.map(flawOf).find((found) => found !== undefined)
      if (flaw !== undefined) return `${name}: ${flaw}`
    }
  }
  return undefined
}

function flawOf({ code, rule, detail, source }: Diagnostic): string | undefined {
  if (parsePointer(source.pointer) === undefined) return `${code} ${rule}: pointer ${source.pointer}`
  if (detail.length > 600 || /[\p{Cc}\u202e]|undefined|\[object/u.test(detail)) return `${code} ${rule}: ${detail}`
  return undefined
}

/** The documents of the catalogues, including those that break a rule, and conversions of some. */
export function catalogue(): object[] {
  const files = readdirSync('fixtures/adl', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(json|yaml)$/.test(file),
  )
  const documents = files.flatMap((file) => definitionsIn(parseYaml(readFileSync(`fixtures/adl/${file}`, 'utf8'))))
  const cards = FORMATS.filter((to) => to !== 'adl').flatMap((to) =>
    documents.slice(-5).flatMap((document) => convert(JSON.stringify(document), { to, url }).document?.value ?? []),
  )
  return [...documents, ...(cards as object[])].filter((document) => placesOf(document).length > 1)
}

/** The definitions in a fixture file of any form. Cases that only give some members are completed. */
function definitionsIn(file: unknown, base: object = {}): object[] {
  if (typeof file !== 'object' || file === null) return []
  if (Array.isArray(file)) return file.flatMap((item) => definitionsIn(item, base))
  if ('adl_spec' in file) return [file]
  const { base: own = base, bad, good, ...rest } = file as Record<string, unknown>
  // Cases of profiles change a document by pointers.
  if (typeof own !== 'object' || own === null) return []
  const cases = [bad, good].filter((members): members is object => typeof members === 'object' && members !== null)
  return [
    ...cases.map((members) => ({ ...own, ...members })),
    ...Object.values(rest).flatMap((part) => definitionsIn(part, own)),
  ]
}

/** As many elements as fit into this many bytes. */
function fill(bytes: number, item: (i: number) => string): string {
  const count = Math.floor(bytes / (item(100_000).length + 1))
  return Array.from({ length: count }, (_, i) => item(i)).join()
}

/** Two documents of about this many bytes for each way to be slow; `i` makes the second one differ from the first. */
export function slowCases(bytes: number): readonly (readonly [title: string, given: Case])[] {
  const list = (item: (n: number) => string) => `[${fill(bytes, item)}]`
  const long = (text: string) => text.repeat(bytes / text.length)
  const makers: Readonly<Record<string, (i: number) => string>> = {
    'members that nobody defines': (i) => `"a":0,${fill(bytes, (n) => `"m${n}":${i}`)}`,
    'extension members': (i) => `"provider":{${fill(bytes, (n) => `"x_${n}":"a${i}"`)}}`,
    tools: (i) => `"tools":${list((n) => `{"name":"t${n + i}","description":"${i}"}`)}`,
    'tools of one name': () => `"tools":${list(() => '{"name":"t"}')}`,
    examples: (i) => `"tools":[{"name":"t","parameters":{},"examples":${list(() => `{"input":{"a":${i}}}`)}}]`,
    prompts: (i) => `"prompts":${list((n) => `{"name":"p${n}","template":"{{a${i}}}"}`)}`,
    references: (i) => `"system_prompt":{"template":"${long('{{a}} ')}","variables":{"a":"${i}"}}`,
    categories: (i) => `"data_classification":{"categories":${list((n) => `"c${n + i}"`)}}`,
    hosts: (i) => `"permissions":{"network":{"allowed_hosts":${list((n) => `"*.h${n + i}.example"`)}}}`,
    stars: () => `"permissions":{"network":{"allowed_hosts":${list(() => '"*"')}}}`,
    'long patterns': (i) =>
      `"permissions":{"filesystem":{"denied_paths":${list((n) => `"/${'**/a/'.repeat(100)}${n + i}"`)}}}`,
    'patterns of many stars': (i) =>
      `"permissions":{"environment":{"denied_variables":${list((n) => `"${'A*'.repeat(200)}${n + i}"`)}}}`,
    authors: (i) => `"metadata":{"authors":${list((n) => `{"name":"n${n}${i}","email":"a@b.example"}`)}}`,
    tags: (i) => `"metadata":{"tags":${list((n) => `"t${n + i}"`)}}`,
    'types of content': (i) => `"runtime":{"input_handling":{"content_types":${list((n) => `"a/b${n + i}"`)}}}`,
    profiles: (i) => `"profiles":${list((n) => `"urn:p:${n + i}"`)}`,
    'a long text': (i) => `"description":"${long('<a ')}${i}"`,
  }
  return Object.entries(makers).map(([title, make]) => {
    const [before, source] = [0, 1].map((i) => new TextEncoder().encode(`{"adl_spec":"0.1.0",${make(i)}}`))
    return [title, { source: source!, before: before! }]
  })
}
