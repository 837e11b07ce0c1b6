// The answer to every example of the project: kind, findings with their places, canonical bytes, proofs and conversions
// without their prose. A commit that changes one of them names the change, and updates the list with `--update`.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { catalogue } from '../../bindings/catalogue.ts'
import { FORMATS } from '../../bindings/convert/formats.ts'
import {
  canonicalize,
  convert,
  type Diagnostic,
  type Kind,
  sign,
  type ValidationReport,
  validate,
  verify,
} from '../../bindings/index.ts'
import { isObject } from '../../bindings/text/members.ts'
import { filesOf } from '../../scripts/files.mjs'
import { KEY } from '../card/support.ts'
import { blazon } from '../cli/terminal.ts'
import { sampleOf } from '../support/cases.ts'
import { workersOf } from '../support/workers.ts'

const ANSWERS = 'fixtures/frozen/answers.txt'
const NOW = new Date('2026-02-18T00:00:00Z')
const SAMPLES = ['fixtures/adl', 'fixtures/card', '../shared/data/adl', '../shared/data/interop', '../shared/data/runs']
/** Larger files are schemas and lists, which say nothing about agents. */
const MOST = 100_000
const JSON_BODY = { 'content-type': 'application/json' }

/** Examples are often parts of a document, so their kind follows from the code of their finding, or from their folder. */
const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/^B?ADL-|adl\//, 'adl'],
  [/a2a/, 'a2a'],
  [/^CARD-|^fixtures\/card/, 'card'],
  [/^CAT-/, 'ai-catalog'],
  [/^CCS-/, 'claude-settings'],
  [/^CDX-/, 'codex-config'],
  [/^SRV-/, 'mcp-server'],
  [/^WK-/, 'wellknown'],
  [/^INV-/, 'invite'],
  [/^(RUN|CTX)-1/, 'run'],
  [/^PVS-/, 'verdict'],
  [/^AL-13/, 'prompt'],
  [/^AL-17/, 'lock'],
  [/^AL-2[56]/, 'events'],
  [/^AL-(?:1[0-6]|18|22|23)/, 'agentlang'],
]

interface Example {
  readonly name: string
  readonly as?: Kind
  readonly text: string
}

/** An example that several rows share counts once. */
function collectExamples(): Example[] {
  const named = new Map<string, Example>()
  const add = (name: string, value: unknown) => {
    const written = typeof value === 'string' ? value : JSON.stringify(value)
    const text = written.startsWith('"') ? `{${written}}` : written
    const as = KINDS.find(([pattern]) => pattern.test(name))?.[1]
    if (!named.has(text)) named.set(text, { name, text, ...(as !== undefined && { as }) })
  }
  // Those of keys, of the DNS and of messages describe a situation and are not documents.
  const rows = catalogue().filter((row) => !/^(KEY|DNS|AGP)-/.test(row.code))
  const ofRows = rows.flatMap(({ code, id, bad, good }) => [
    [`${code} ${id} bad`, bad] as const,
    [`${code} ${id} good`, good] as const,
  ])
  for (const [name, text] of inOrder(ofRows)) add(name, text)
  for (const path of SAMPLES.flatMap((folder) => (existsSync(folder) ? filesOf(folder) : [])).sort()) {
    if (!/\.(json|yaml)$/.test(path)) continue
    const text = readFileSync(path, 'utf8')
    if (text.length > MOST) continue
    const pairs = pairsIn(parse(text))
    if (pairs.length === 0) add(path, text)
    for (const [i, { bad, good }] of pairs.entries()) {
      add(`${path} ${i} bad`, bad)
      add(`${path} ${i} good`, good)
    }
  }
  return [...named.values()]
}

/** In the order of the list, and new ones last: a finding that moves to another folder changes no line. */
function inOrder<Row extends readonly [name: string, text: string]>(rows: readonly Row[]): readonly Row[] {
  const names = readFileSync(ANSWERS, 'utf8')
    .split('\n')
    .map((line) => line.slice(0, line.indexOf(':')))
  const placeOf = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length)
  return [...rows].sort(([a], [b]) => placeOf(a) - placeOf(b))
}

/** The rows with a bad and a good example, at any depth. */
function pairsIn(value: unknown): { readonly bad: unknown; readonly good: unknown }[] {
  if (Array.isArray(value)) return value.flatMap(pairsIn)
  if (!isObject(value)) return []
  const { bad, good } = value
  return bad !== undefined && good !== undefined ? [{ bad, good }] : Object.values(value).flatMap(pairsIn)
}

const digest = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex').slice(0, 8)
const listed = (findings: readonly Pick<Diagnostic, 'severity' | 'code' | 'rule' | 'source'>[]) =>
  findings.map(({ severity, code, rule, source }) => `${severity} ${code} ${rule} ${source.pointer}`)

function canonical(text: string): string {
  try {
    return digest(canonicalize(text))
  } catch (error) {
    return (error as Error).name
  }
}

/** The digest of the conversions of an example to every format. */
function conversionsOf(text: string): string {
  const conversions = FORMATS.map((to) => {
    const options = { to, now: NOW, url: 'https://agent.example/', id: 'agent://a/b' }
    const { document, loss, diagnostics } = convert(text, options)
    const rows = loss.map(({ pointer, target, outcome }) => [pointer, target, outcome])
    return JSON.stringify([document && digest(document.canonical), rows, listed(diagnostics)])
  })
  return digest(conversions.join())
}

/** One line: what a reader wants to see changed in a commit stands there, the rest as digests. */
async function answerTo({ name, text, ...as }: Example, converted: string): Promise<string> {
  const options = { ...as, now: NOW }
  const report = validate(text, options)
  const proof = await verify(text, options)
  const signed = await sign(text, KEY, { ...options, force: true })
  return [
    `${name}: ${report.kind ?? 'unknown'}, ${report.valid ? 'valid' : 'invalid'}, ${proof.verdict}`,
    `canonical ${canonical(text)}`,
    `proof ${digest(proof.steps.map((step) => `${step.name} ${step.outcome}`).join())}`,
    `signed ${digest(JSON.stringify([signed.bytes && digest(signed.bytes), listed(signed.diagnostics)]))}`,
    `converted ${converted}`,
    ...listed(report.diagnostics),
  ].join('; ')
}

const examples = collectExamples()

/** The digests of conversions in the list, by the name of their example. */
const frozen = new Map(
  readFileSync(ANSWERS, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const found = /^(.*?): .*?; converted (\w+)/.exec(line)
      return found === null ? [] : [[found[1]!, found[2]!] as const]
    }),
)

// Conversions take most of the time, so `npm test` makes those of new examples and of a fifth of the others. Update the
// list with `BLAZON_CASES=whole`.
test('the library answers as it did', async () => {
  const converted = new Set(sampleOf(examples))
  const answers: string[] = []
  for (const example of examples) {
    const known = converted.has(example) ? undefined : frozen.get(example.name)
    answers.push(await answerTo(example, known ?? conversionsOf(example.text)))
  }
  await expect(`${answers.join('\n')}\n`).toMatchFileSnapshot(`../../${ANSWERS}`)
})

/** The answer of another host must have the kind, the findings and their places that the library gives now. */
function expectAnswer({ name, text, ...as }: Example, { valid, kind, diagnostics }: ValidationReport): void {
  const report = validate(text, as)
  const expected = [report.valid, report.kind ?? null, listed(report.diagnostics)]
  expect([valid, kind ?? null, listed(diagnostics)], name).toEqual(expected)
}

test('the command line answers as the library', async () => {
  for (const example of sampleOf(examples, 1)) {
    const { as, text } = example
    const { stdout } = await blazon(['validate', '--format', 'json', ...(as ? ['--as', as] : []), '-'], { stdin: text })
    expectAnswer(example, JSON.parse(stdout).results[0])
  }
})

const workers = workersOf()

test('the Worker answers as the library', async () => {
  const { origin } = await workers.start()
  for (const example of sampleOf(examples)) {
    const { as, text } = example
    const address = `${origin}/v1/validate${as ? `?as=${as}` : ''}`
    const response = await fetch(address, { method: 'POST', body: text, headers: JSON_BODY })
    expectAnswer(example, (await response.json()) as ValidationReport)
  }
})
