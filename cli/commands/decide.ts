import { type Decision, decide } from '../../bindings/adl/permissions/policy.ts'
import {
  AMOUNTS,
  type PermissionRequest,
  REQUEST_DOMAINS,
  REQUEST_MEMBERS,
} from '../../bindings/adl/permissions/request.ts'
import { visible } from '../../bindings/document/hidden.ts'
import { parse } from '../../bindings/document/parse.ts'
import { suggest } from '../../bindings/document/suggest.ts'
import type { Context, Outcome } from '../context.ts'
import { EXIT } from '../exit.ts'
import { verifier } from '../proof.ts'
import { UsageError } from '../usage.ts'

const USAGE = 'as in blazon decide agent.adl.json network host=api.example.com port=443 protocol=https'

const NUMBERS: readonly string[] = ['port', ...AMOUNTS]
const FLAGS = ['shell', 'confirmed']
const NEEDED: readonly string[] = ['host', 'path', 'access', 'variable', 'command', 'name']

/** `blazon decide`: whether a definition permits something, and every step that led there. */
export async function run(context: Context): Promise<Outcome> {
  const { options, positionals, reader } = context
  const [name, ...words] = positionals
  if (name === undefined) throw new UsageError('missing-argument', 'decide: expected a FILE', USAGE)
  const request = readRequest(words, options.text('request'))
  const prove = await verifier(context)
  const { file, document, diagnostics } = await reader.document(name)
  if (document === undefined) return { results: [{ file, kind: null, valid: false, diagnostics }], output: [] }
  const windows = options.has('windows')
  const caseInsensitive = options.has('ignore-case')
  const proof = await prove(document)
  const decision = asked(() => decide(document, request, { proof, windows, caseInsensitive }))
  const { decidedBy = null, ...others } = decision
  return {
    results: [{ file, kind: 'adl', valid: true, diagnostics, request, decision: { ...others, decidedBy } }],
    output: [describe(decision)],
    exit: decision.allowed ? EXIT.clean : EXIT.findings,
  }
}

/** What `decide` throws is about the request, which the user wrote. */
function asked<Answer>(answer: () => Answer): Answer {
  try {
    return answer()
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError)
      throw new UsageError('wrong-request', error.message, USAGE)
    throw error
  }
}

function readRequest([domain, ...pairs]: readonly string[], json: string | undefined): PermissionRequest {
  if (json !== undefined) {
    if (domain !== undefined) throw new UsageError('wrong-arguments', 'decide: the request was given twice', USAGE)
    const request = readJson(json)
    if (isDomain(request?.domain))
      for (const name of Object.keys(request)) if (name !== 'domain') expectName(request.domain, name)
    return request
  }
  if (!isDomain(domain)) {
    const nearest = domain === undefined ? undefined : suggest(domain, REQUEST_DOMAINS)
    const hint = nearest === undefined ? USAGE : `did you mean ${nearest}?`
    throw new UsageError('missing-argument', `decide: expected one of ${REQUEST_DOMAINS.join(', ')} behind FILE`, hint)
  }
  const read = new Map(pairs.map((pair) => readPair(domain, pair)))
  const missing = REQUEST_MEMBERS[domain].find((name) => NEEDED.includes(name) && !read.has(name))
  if (missing !== undefined) throw new UsageError('missing-argument', `decide: ${domain} needs ${missing}=`, USAGE)
  const request: unknown = { domain, ...Object.fromEntries(read) }
  return request as PermissionRequest
}

function readJson(json: string): PermissionRequest {
  const { document, diagnostics } = parse(json)
  if (document !== undefined) return document.value as PermissionRequest
  const hint = `as in --request '{"domain": "tool", "name": "search"}'`
  throw new UsageError('invalid-value', `--request: expected JSON, ${diagnostics[0]!.detail}`, hint)
}

function isDomain(text: string | undefined): text is PermissionRequest['domain'] {
  return (REQUEST_DOMAINS as readonly (string | undefined)[]).includes(text)
}

function expectName(domain: PermissionRequest['domain'], name: string): void {
  const names: readonly string[] = REQUEST_MEMBERS[domain]
  if (names.includes(name)) return
  const nearest = suggest(name, names)
  const hint = nearest === undefined ? USAGE : `did you mean ${nearest}?`
  throw new UsageError('wrong-request', `decide: ${domain} has ${names.join(', ')}, not "${name}"`, hint)
}

function readPair(domain: PermissionRequest['domain'], pair: string): [string, string | number | boolean] {
  const at = pair.indexOf('=')
  if (at < 1) throw new UsageError('wrong-arguments', `decide: expected NAME=VALUE, got "${pair}"`, USAGE)
  const [name, text] = [pair.slice(0, at), pair.slice(at + 1)]
  expectName(domain, name)
  const expect = (what: string) =>
    new UsageError('wrong-request', `decide: ${name}: expected ${what}, got "${text}"`, USAGE)
  if (NUMBERS.includes(name)) {
    if (!/^\d+(\.\d+)?$/.test(text)) throw expect('a number')
    return [name, Number(text)]
  }
  if (!FLAGS.includes(name)) return [name, text]
  if (text !== 'true' && text !== 'false') throw expect('true or false')
  return [name, text === 'true']
}

const WORDS = {
  'check-address': 'check-address: ask again with address=, and connect to that one',
  'resolve-command': 'resolve-command: run it only when its name alone would run the same',
  'resolve-short-names': 'resolve-short-names: ask again with the long form of the path',
}

function describe({ allowed, reason, decidedBy, obligations, trace }: Decision): string {
  const by = decidedBy === undefined ? [] : [`  decided by ${visible(decidedBy) || 'the whole document'}`]
  const steps = trace.map(({ outcome, section, detail }) => `  ${outcome}  ${section}: ${visible(detail)}`)
  const head = `${allowed ? 'allowed' : 'denied'}: ${visible(reason)}`
  return `${[head, ...by, ...steps, ...obligations.map((name) => `  to do   ${WORDS[name]}`)].join('\n')}\n`
}
