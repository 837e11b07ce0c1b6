// Rules for skills, tools and constraints, and advice where the draft leaves a choice.
import { didYouMean, renameMember, replaceText } from '../../document/fixes.ts'
import { reportRepeated, reportSchema } from '../../frame/report-schema.ts'
import type { Shape } from '../../frame/shape.ts'
import { type Report, type Rule, rule } from '../../frame/subject.ts'
import { isUri } from '../../schema/formats.ts'
import { isLanguage } from '../../tables/index.ts'
import { hostOf, isScriptUrl, revealedBy } from '../../text/host-name.ts'
import {
  elements,
  escapeToken,
  isText,
  type PlacedObject,
  type PlacedValue,
  repetitions,
  textIn,
  textMember,
  textsOf,
  valueIn,
} from '../../text/members.ts'
import { mayHoldSecret, RANDOM_TEXT, REVOKE_SECRET, searchSecrets } from '../../text/secret-shapes.ts'
import { oneOf, quoted, snakeCase, suggest } from '../../text/words.ts'
import { utf8Length } from '../../wasm/instance.ts'
import { readAgentUri } from '../agent-uri.ts'
import { hasScheme, PROTOCOLS } from '../endpoints.ts'
import * as FINDINGS from '../findings.ts'
import { parseRateLimit } from '../limiter.ts'
import { type Card, cardShape } from '../subject.ts'
import { ALIASES, STANDARD_TAGS, suggestTag, TAG_CATEGORIES } from '../tags.ts'

/** A tag or one segment: lower-case ASCII with hyphens, and the characters of names such as c++ and node.js. */
const FORM = /^[a-z0-9+#.-]+$/

const CATEGORIES = TAG_CATEGORIES.map(({ name }) => name)
const WORDS: ReadonlySet<string> = new Set([...Object.values(STANDARD_TAGS).flat(), ...CATEGORIES, ...ALIASES.keys()])

const segmentsOf = ({ value }: PlacedValue<string>) => value.split('/')

/** True for a tag that no query matches: it has empty segments, or stars, which belong in queries. */
const isBroken = (tag: PlacedValue<string>) =>
  segmentsOf(tag).some((segment) => segment.trim() === '' || segment === '*')

/** JavaScript stays one word, MachineLearning becomes two. */
function hyphenate(segment: string): string {
  const lower = segment.trim().toLowerCase()
  return WORDS.has(lower) || lower.length > LONGEST ? lower : snakeCase(segment.trim()).replaceAll('_', '-')
}

/** Longer names stay as they are, because `snakeCase` would cut them. */
const LONGEST = 60

/** A limit, because suggesting compares with the whole vocabulary, which takes as long as all other rules together. */
const MOST_SUGGESTED = 100
const LONGEST_SUGGESTED = 100
const MOST_REMEMBERED = 1000

/** A cache: agents share most tags, so each tag is looked up once for many cards. */
const remembered = new Map<string, string | undefined>()

function meantBy(tag: string): string | undefined {
  if (tag.length > LONGEST_SUGGESTED) return undefined
  if (!remembered.has(tag)) {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    remembered.set(tag, suggestTag(tag))
  }
  return remembered.get(tag)
}

export const SKILL_RULES: readonly Rule<Card>[] = [
  rule(FINDINGS.SKILL_PATH, ({ document, skills }, report) => {
    for (const tag of skills) {
      if (!isBroken(tag)) continue
      const kept = segmentsOf(tag).filter((segment) => segment.trim() !== '' && segment !== '*')
      const fix = kept.length === 0 ? {} : { fix: () => replaceText(document, tag.pointer, kept.join('/')) }
      report(tag.pointer, `Tag ${quoted(tag.value)} has a segment that is empty or a star`, fix)
    }
  }),
  rule(FINDINGS.SKILL_FORM, ({ document, skills }, report) => {
    for (const tag of skills) {
      const segments = segmentsOf(tag)
      if (isBroken(tag) || segments.every((segment) => FORM.test(segment))) continue
      const meant = segments.map(hyphenate).join('/')
      const isRight = meant.split('/').every((segment) => FORM.test(segment))
      const fix = isRight ? { fix: () => replaceText(document, tag.pointer, meant) } : {}
      report(tag.pointer, `Tag ${quoted(tag.value)} is not in lower-case ASCII with hyphens`, fix)
    }
  }),
  rule(FINDINGS.SKILL_CATEGORY, ({ skills }, report) => {
    for (const [i, tag] of skills.entries()) {
      const [first, ...more] = segmentsOf(tag)
      // A flat tag needs no category: the draft's own example has python.
      if (more.length === 0 || isBroken(tag) || CATEGORIES.includes(hyphenate(first!))) continue
      const meant = i < MOST_SUGGESTED ? meantBy(tag.value) : undefined
      const fix = didYouMean(meant && quoted(meant))
      report(tag.pointer, `${quoted(first!)} is not one of the recommended categories ${CATEGORIES.join(', ')}`, fix)
    }
  }),
  rule(FINDINGS.SKILL_SPELLING, ({ skills }, report) => {
    for (const tag of skills.slice(0, MOST_SUGGESTED)) {
      const segments = segmentsOf(tag)
      // Other rules already report these tags.
      if (isBroken(tag) || !segments.every((segment) => FORM.test(segment))) continue
      if (segments.length > 1 && !CATEGORIES.includes(segments[0]!)) continue
      const meant = meantBy(tag.value)
      if (meant === undefined) continue
      report(tag.pointer, `Tag ${quoted(tag.value)} is like ${meant}`, didYouMean(meant))
    }
  }),
  rule(FINDINGS.DUPLICATE_SKILL, ({ skills }, report) => {
    for (const [{ pointer, value }, first] of repetitions(skills, (tag) => tag.value)) {
      const related = [{ pointer: first.pointer, message: 'the first' }]
      report(pointer, `Tag ${quoted(value)} is listed already`, { related })
    }
  }),
]

const MOST_OCTETS = 255

export const TOOL_RULES: readonly Rule<Card>[] = [
  rule(FINDINGS.TOOL_NAME, ({ tools }, report) => {
    for (const { pointer, value } of textsOf(tools, 'name')) {
      // A UTF-16 unit has at most three octets in UTF-8.
      const octets = value.length * 3 <= MOST_OCTETS ? 0 : utf8Length(value)
      if (octets > MOST_OCTETS) report(pointer, `Tool name has ${octets} UTF-8 octets, ${MOST_OCTETS} at the most`)
    }
  }),
  rule(FINDINGS.DUPLICATE_TOOL, ({ tools }, report) => reportRepeated('tool', tools, report)),
  rule(FINDINGS.TOOL_SCHEMA, ({ tools }, report) => {
    for (const tool of tools) {
      reportSchema(tool, 'input_schema', report)
      reportSchema(tool, 'output_schema', report)
    }
  }),
]

const LIMITS = ['max_concurrent_tasks', 'max_input_tokens']

export const CONSTRAINT_RULES: readonly Rule<Card>[] = [
  rule(FINDINGS.LANGUAGE, ({ document, constraints }, report) => {
    for (const { pointer, value } of elements(constraints, 'supported_languages', isText)) {
      if (isLanguage(value)) continue
      const lower = value.slice(0, 10).toLowerCase()
      const primary = lower.split(/[-_]/)[0]!
      const fix = isLanguage(lower)
        ? { fix: () => replaceText(document, pointer, lower) }
        : { fix: { hint: isLanguage(primary) ? `write ${quoted(primary)}` : 'a code has two letters, such as zh' } }
      report(pointer, `${quoted(value)} is not a language of ISO 639-1`, fix)
    }
  }),
  rule(FINDINGS.RATE_LIMIT, ({ constraints }, report) => {
    const limit = textMember(constraints, 'rate_limit')
    if (limit === undefined || parseRateLimit(limit.value) !== undefined) return
    const fix = { hint: 'a count, a slash and sec, min, hour or day: 60/min' }
    report(limit.pointer, `${quoted(limit.value)} is not a limit that callers can read: it is ignored`, { fix })
  }),
  rule(FINDINGS.NO_TASK, ({ constraints }, report) => {
    for (const name of LIMITS.filter((limit) => valueIn(constraints, limit) === 0))
      report(`${constraints!.pointer}/${name}`, `'${name}' is 0: the agent takes nothing`)
  }),
]

function checkNames({ document }: Card, { pointer, value }: PlacedObject, { members }: Shape, report: Report): void {
  const taken = new Set(Object.keys(value))
  for (const name of Object.keys(value)) {
    if (members!.has(name) || !/[A-Z-]/.test(name)) continue
    const meant = snakeCase(name)
    if (!members!.has(meant) || taken.has(meant)) continue
    taken.add(meant)
    const at = `${pointer}/${escapeToken(name)}`
    const fix = () => renameMember(document, at, meant, `write '${meant}'`)
    report(at, `Member ${quoted(name)} is ignored: the draft has '${meant}'`, { atName: true, fix })
  }
}

/** A limit, because each suggestion compares the method with every tool. */
const MOST_SUGGESTED_SCHEMES = 50

const KNOWN = Object.keys(PROTOCOLS)

const MEANT: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  http: 'http+json',
  https: 'http+json',
  rest: 'http+json',
  wss: 'ws',
  websocket: 'ws',
  grpcs: 'grpc',
})

const AUTH = ['none', 'bearer', 'mutual_tls', 'aitp_signed']

/** The endpoints whose protocol the draft defines, with their URIs. Other protocols define their `uri` themselves. */
function* knownEndpoints(
  card: Card,
): Generator<{ protocol: string; schemes: readonly string[]; uri: PlacedValue<string> }> {
  for (const endpoint of card.endpoints) {
    const protocol = textIn(endpoint, 'protocol') ?? ''
    const uri = textMember(endpoint, 'uri')
    // A separate rule covers URIs that run as a script.
    if (!Object.hasOwn(PROTOCOLS, protocol) || uri === undefined || uri.value === '' || isScriptUrl(uri.value)) continue
    yield { protocol, schemes: PROTOCOLS[protocol]!, uri }
  }
}

/** Schemes without encryption: the network can read the traffic. */
const CLEARTEXT = /^(?:http|ws):\/\//i

const secretOf = (endpoint: PlacedObject) =>
  valueIn(endpoint, 'auth') === 'bearer' ? ', and everybody in transit reads the token' : ''

const LONGEST_HOST = 255

export const ENDPOINT_RULES: readonly Rule<Card>[] = [
  rule(FINDINGS.ENDPOINT_PROTOCOL, ({ endpoints }, report) => {
    for (const { pointer, value } of textsOf(endpoints, 'protocol')) {
      if (value === '' || KNOWN.includes(value)) continue
      const lower = value.toLowerCase()
      const fix = didYouMean(KNOWN.includes(lower) ? lower : MEANT[lower])
      report(pointer, `${quoted(value)} is not in the draft, which has ${oneOf(KNOWN)}: others may ignore it`, fix)
    }
  }),
  rule(FINDINGS.ENDPOINT_URI, (card, report) => {
    for (const { protocol, uri } of knownEndpoints(card)) {
      if (protocol === 'aitp' && uri.value.startsWith('agent://')) {
        const read = readAgentUri(uri.value)
        if ('detail' in read) report(uri.pointer, `${quoted(uri.value)} is not an agent:// URI: ${read.detail}`)
      } else if (!isUri(uri.value)) report(uri.pointer, `${quoted(uri.value)} is not a URI (RFC 3986)`)
    }
  }),
  rule(FINDINGS.ENDPOINT_SCHEME, (card, report) => {
    for (const { protocol, schemes, uri } of knownEndpoints(card)) {
      if (hasScheme(uri.value, schemes) || !isUri(uri.value)) continue
      const wanted = oneOf(schemes.map((scheme) => `${scheme}://`))
      report(uri.pointer, `A URI of ${protocol} begins with ${wanted}, found ${quoted(uri.value)}`)
    }
  }),
  rule(FINDINGS.SCRIPT_ENDPOINT, ({ endpoints }, report) => {
    for (const { pointer, value } of textsOf(endpoints, 'uri').filter((uri) => isScriptUrl(uri.value)))
      report(pointer, `${quoted(value)} is run or read where it is opened: it leads to no agent`)
  }),
  rule(FINDINGS.ENDPOINT_METHOD, ({ tools, endpoints }, report) => {
    const names = new Set(tools.map((tool) => valueIn(tool, 'name')).filter(isText))
    const known = [...names].slice(0, MOST_SUGGESTED_SCHEMES)
    for (const endpoint of endpoints) {
      for (const [i, { pointer, value }] of elements(endpoint, 'methods', isText).entries()) {
        if (names.has(value)) continue
        const meant = i < MOST_SUGGESTED_SCHEMES && value.length < 256 ? suggest(value, known) : undefined
        report(pointer, `No tool has the name ${quoted(value)}`, didYouMean(meant && quoted(meant)))
      }
    }
  }),
  rule(FINDINGS.NO_METHODS, ({ endpoints }, report) => {
    for (const endpoint of endpoints) {
      const methods = valueIn(endpoint, 'methods')
      if (!Array.isArray(methods) || methods.length > 0) continue
      const fix = { hint: "leave 'methods' out when all tools can" }
      report(`${endpoint.pointer}/methods`, 'No method can be reached at this endpoint', { fix })
    }
  }),
  rule(FINDINGS.ENDPOINT_AUTH, ({ endpoints }, report) => {
    for (const { pointer, value } of textsOf(endpoints, 'auth')) {
      if (AUTH.includes(value)) continue
      const meant = suggest(value.slice(0, 40).toLowerCase().replaceAll('-', '_'), AUTH)
      report(pointer, `${quoted(value)} is not in the draft: expected ${oneOf(AUTH)}`, didYouMean(meant))
    }
  }),
  rule(FINDINGS.CLEARTEXT_ENDPOINT, ({ endpoints }, report) => {
    for (const endpoint of endpoints) {
      const uri = textMember(endpoint, 'uri')
      if (uri === undefined || !CLEARTEXT.test(uri.value)) continue
      report(uri.pointer, `${quoted(uri.value)} is not encrypted${secretOf(endpoint)}`)
    }
  }),
  rule(FINDINGS.PRIVATE_HOST, ({ endpoints }, report) => {
    for (const { pointer, value } of textsOf(endpoints, 'uri')) {
      const host = hostOf(value) ?? ''
      const what = host === '' || host.length > LONGEST_HOST ? undefined : revealedBy(host)
      if (what !== undefined) report(pointer, `Host ${quoted(host)} is ${what}`)
    }
  }),
]

/**
 * True for random text that is meant to be public: ids that are keys, and signatures. Extensions may hold any random
 * text.
 */
function isPublic(pointer: string, what: string): boolean {
  if (/^\/(id|did|signature|endpoints\/\d+\/uri)$/.test(pointer)) return what === RANDOM_TEXT
  return what === RANDOM_TEXT && pointer.startsWith('/extensions/')
}

export const ADVICE_RULES: readonly Rule<Card>[] = [
  rule(FINDINGS.HARD_TO_FIND, ({ root }, report) => {
    if (Object.hasOwn(root.value, 'description') || Object.hasOwn(root.value, 'skills')) return
    report('', "The card has neither 'description' nor 'skills': nobody finds the agent by what it can do")
  }),
  rule(FINDINGS.MEMBER_SPELLING, (card, report) => {
    const { members } = cardShape()
    const rows: readonly (readonly [Shape | undefined, readonly (PlacedObject | undefined)[]])[] = [
      [cardShape(), [card.root]],
      [members?.get('tools')?.items, card.tools],
      [members?.get('endpoints')?.items, card.endpoints],
      [members?.get('constraints'), [card.constraints]],
      [members?.get('metadata'), [card.metadata]],
    ]
    for (const [shape, objects] of rows)
      for (const object of objects) if (object !== undefined) checkNames(card, object, shape!, report)
  }),
  rule(FINDINGS.SECRET, ({ document, root, id, did, signature }, report) => {
    const known = [id, did, signature].map((text) => text?.value ?? '').join(' ')
    if (!mayHoldSecret(document.bytes, known)) return
    searchSecrets(root.value, (pointer, what) => {
      if (!isPublic(pointer, what)) report(pointer, `The text looks like ${what}`, { fix: REVOKE_SECRET })
    })
  }),
]
