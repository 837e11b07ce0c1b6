import { decide } from '../../bindings/adl/policy.ts'
import { parse } from '../../bindings/document/parse.ts'
import { OUTCOME_WORDS } from '../../bindings/policy/matrix.ts'
import type { Decision } from '../../bindings/policy/policy.ts'
import { type PermissionRequest, REQUEST_DOMAINS, REQUESTS, type RequestMember } from '../../bindings/policy/request.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { type Outcome as CommandOutcome, defineCommand, EXIT, nearestOr, type Tools, UsageError } from '../command.ts'
import { TRUSTED_KEYS } from '../keys.ts'
import { verifier } from '../proof.ts'
import type { Readable } from '../reader.ts'
import { GRANTING, placesOf, type Runner, refusedSettings, runnerOf } from '../settings.ts'

const USAGE = 'as in blazon decide agent.adl.json network host=api.example.com port=443 protocol=https'

export const command = defineCommand({
  options: {
    request: { value: 'JSON', about: 'the request as a JSON object' },
    bash: { value: 'LINE', about: 'the request: a line for a shell' },
    project: { value: 'FOLDER', about: 'for settings: the folder of the project (default: that of FILE)' },
    key: TRUSTED_KEYS,
    windows: { about: 'read paths and programs as on Windows' },
    'ignore-case': { about: 'the file system ignores case' },
  },
  async run(context) {
    const { options, positionals, reader, print } = context
    const [name, ...words] = positionals
    if (name === undefined) throw new UsageError('missing-argument', 'decide: expected a FILE', USAGE)
    const request = readRequest(words, options)
    const read = await reader.document(name, { ...GRANTING, names: 'definitions' })
    const runner = await runnerOf(read)
    if (runner !== undefined) return decideSettings(read, runner, request, options.project, context)
    const { file, document, diagnostics } = read
    const prove = await verifier(options.key, false, context)
    const wanted = { proof: await prove(document), windows: options.windows, caseInsensitive: options['ignore-case'] }
    const decision = orRequestError(() => decide(document, request, wanted))
    // The result already holds the diagnostics of the document.
    const { decidedBy = null, diagnostics: _, ...others } = decision
    print(describeDecision(decision))
    return {
      results: [{ file, kind: 'adl', valid: true, diagnostics, request, decision: { ...others, decidedBy } }],
      ...(!decision.allowed && { exit: EXIT.findings, reason: `denied: ${decision.reason}` }),
    }
  },
})

/** Decides by the settings of a runner. Only an allowed call runs without a person. */
async function decideSettings(
  read: Readable,
  runner: Runner,
  request: PermissionRequest,
  project: string | undefined,
  { host, print }: Tools,
): Promise<CommandOutcome> {
  const { file, document, kind = null } = read
  const refused = await refusedSettings(read)
  if (refused !== undefined) return { results: [{ ...refused, request }] }
  const granting = await runner.granting(document, placesOf(file, project, host))
  const { outcome, reason, decidedBy = null } = orRequestError(() => granting.decide(request))
  const head = `${OUTCOME_WORDS[outcome]}: ${reason}`
  print(`${visible(head)}\n${decidedBy === null ? '' : `  decided by ${visible(decidedBy)}\n`}`)
  const decision = { allowed: outcome === 'allow', outcome, reason, decidedBy, obligations: [], trace: [] }
  return {
    results: [{ file, kind, valid: true, diagnostics: [], request, decision }],
    notes: ['by this file alone: other settings and hooks count as well'],
    ...(outcome !== 'allow' && { exit: EXIT.findings, reason: head }),
  }
}

/** Turns an error of `decide` about the request into a usage error. */
function orRequestError<Made>(make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError)
      throw new UsageError('wrong-request', error.message, USAGE)
    throw error
  }
}

function readRequest(
  [domain, ...pairs]: readonly string[],
  { request: json, bash }: { readonly request: string | undefined; readonly bash: string | undefined },
): PermissionRequest {
  if (json !== undefined || bash !== undefined) {
    if (domain !== undefined || (json !== undefined && bash !== undefined))
      throw new UsageError('wrong-arguments', 'decide: the request was given twice', USAGE)
    if (json === undefined) return { domain: 'execution', command: bash!, shell: true }
    const request = readJson(json)
    if (isDomain(request?.domain))
      for (const name of Object.keys(request)) if (name !== 'domain') typeOf(request.domain, name)
    return request
  }
  if (!isDomain(domain)) {
    const hint = nearestOr(USAGE, domain, REQUEST_DOMAINS)
    throw new UsageError('missing-argument', `decide: expected one of ${REQUEST_DOMAINS.join(', ')} after FILE`, hint)
  }
  const read = new Map(pairs.map((pair) => readPair(domain, pair)))
  const missing = Object.entries(membersOf(domain)).find(([name, { needed }]) => needed && !read.has(name))
  if (missing !== undefined) throw new UsageError('missing-argument', `decide: ${domain} needs ${missing[0]}=`, USAGE)
  const request: unknown = { domain, ...Object.fromEntries(read) }
  return request as PermissionRequest
}

function readJson(json: string): PermissionRequest {
  const { document, diagnostics } = parse(json)
  if (document !== undefined) return document.value as PermissionRequest
  const hint = `as in --request '{"domain": "tool", "name": "search"}'`
  throw new UsageError('invalid-value', `--request: expected JSON, ${diagnostics[0]!.detail}`, hint)
}

const isDomain = (text: string | undefined): text is PermissionRequest['domain'] =>
  (REQUEST_DOMAINS as readonly (string | undefined)[]).includes(text)

const membersOf = (domain: PermissionRequest['domain']): Readonly<Record<string, RequestMember>> => REQUESTS[domain]

function typeOf(domain: PermissionRequest['domain'], name: string): RequestMember['type'] {
  const members = membersOf(domain)
  if (Object.hasOwn(members, name)) return members[name]!.type
  const names = Object.keys(members)
  const hint = nearestOr(USAGE, name, names)
  throw new UsageError('wrong-request', `decide: ${domain} has ${names.join(', ')}, not "${name}"`, hint)
}

function readPair(domain: PermissionRequest['domain'], pair: string): [string, string | number | boolean] {
  const at = pair.indexOf('=')
  if (at < 1) throw new UsageError('wrong-arguments', `decide: expected NAME=VALUE, got "${pair}"`, USAGE)
  const [name, text] = [pair.slice(0, at), pair.slice(at + 1)]
  const expect = (what: string) =>
    new UsageError('wrong-request', `decide: ${name}: expected ${what}, got "${text}"`, USAGE)
  switch (typeOf(domain, name)) {
    case 'port':
    case 'amount':
      if (!/^\d+(\.\d+)?$/.test(text)) throw expect('a number')
      return [name, Number(text)]
    case 'flag':
      if (text !== 'true' && text !== 'false') throw expect('true or false')
      return [name, text === 'true']
    default:
      return [name, text]
  }
}

const WORDS = {
  'check-address': 'check-address: decide again with address=, and connect to that address',
  'resolve-command': 'resolve-command: run it only if its bare name starts the same program',
  'resolve-short-names': 'resolve-short-names: decide again with the long form of the path',
}

function describeDecision({ allowed, reason, decidedBy, obligations, trace }: Decision): string {
  const by = decidedBy === undefined ? [] : [`  decided by ${visible(decidedBy) || 'the whole document'}`]
  // The head line shows this step, with its section.
  const last = trace.find(({ detail }) => detail === reason)
  const steps = trace
    .filter((step) => step !== last)
    .map(({ outcome, section, detail }) => `  ${outcome}  ${section}: ${visible(detail)}`)
  const head = `${allowed ? 'allowed' : 'denied'}: ${visible(reason)}${last === undefined ? '' : ` (${last.section})`}`
  return `${[head, ...by, ...steps, ...obligations.map((name) => `  to do   ${WORDS[name]}`)].join('\n')}\n`
}
