import { type Decision, decide } from '../../bindings/adl/permissions/policy.ts'
import { type PermissionRequest, REQUEST_DOMAINS } from '../../bindings/adl/permissions/request.ts'
import { suggest } from '../../bindings/document/suggest.ts'
import { visible } from '../../bindings/document/wording.ts'
import type { Context, Outcome } from '../context.ts'
import { EXIT } from '../exit.ts'
import { verifier } from '../proof.ts'
import { UsageError } from '../usage.ts'

const USAGE = 'as in blazon decide agent.adl.json network host=api.example.com port=443 protocol=https'

const DOMAINS: readonly string[] = REQUEST_DOMAINS
const NUMBERS = ['port', 'memoryMb', 'cpuPercent', 'durationSec', 'concurrent']
const FLAGS = ['shell', 'confirmed']

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
    try {
      return JSON.parse(json) as PermissionRequest
    } catch {
      throw new UsageError(
        'invalid-value',
        '--request: expected JSON',
        `as in --request '{"domain": "tool", "name": "search"}'`,
      )
    }
  }
  if (domain === undefined || !DOMAINS.includes(domain)) {
    const nearest = domain === undefined ? undefined : suggest(domain, DOMAINS)
    const hint = nearest === undefined ? USAGE : `did you mean ${nearest}?`
    throw new UsageError('missing-argument', `decide: expected one of ${DOMAINS.join(', ')} behind FILE`, hint)
  }
  const request: unknown = Object.fromEntries([['domain', domain], ...pairs.map(readPair)])
  return request as PermissionRequest
}

function readPair(pair: string): [name: string, value: string | number | boolean] {
  const at = pair.indexOf('=')
  if (at < 1) throw new UsageError('wrong-arguments', `decide: expected NAME=VALUE, got "${pair}"`, USAGE)
  const [name, text] = [pair.slice(0, at), pair.slice(at + 1)]
  if (NUMBERS.includes(name) && text.trim() !== '') return [name, Number(text)]
  return [name, FLAGS.includes(name) && /^(true|false)$/.test(text) ? text === 'true' : text]
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
