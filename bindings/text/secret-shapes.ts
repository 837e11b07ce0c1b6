// Detects texts that look like credentials: long runs of the characters that tokens are made of.
import { escapeToken } from './members.ts'
import { privateKeySpans } from './private-keys.ts'

/**
 * Prefixes of tokens with their minimal length, as documented by the issuers: the entries with a fixed prefix in
 * GitHub's "supported secret scanning patterns" and gitleaks' default rules (8.x). The last one is our own
 * (docs/guide/edge.md).
 */
const PREFIXES: readonly (readonly [begin: string, least: number, what: string])[] = [
  ['AKIA', 20, 'an access key of AWS'],
  ['ASIA', 20, 'a temporary access key of AWS'],
  ['AIza', 35, 'an API key of Google'],
  ['GOCSPX-', 30, 'a client secret of Google'],
  ['ya29.', 30, 'an access token of Google'],
  ['ghp_', 36, 'a personal access token of GitHub'],
  ['gho_', 36, 'an OAuth token of GitHub'],
  ['ghu_', 36, 'a user token of GitHub'],
  ['ghs_', 36, 'a server token of GitHub'],
  ['ghr_', 36, 'a refresh token of GitHub'],
  ['github_pat_', 40, 'a personal access token of GitHub'],
  ['glpat-', 26, 'a personal access token of GitLab'],
  ['npm_', 36, 'a token of npm'],
  ['pypi-', 40, 'a token of PyPI'],
  ['xoxb-', 20, 'a bot token of Slack'],
  ['xoxp-', 20, 'a user token of Slack'],
  ['xoxa-', 20, 'a token of Slack'],
  ['xapp-', 20, 'an app token of Slack'],
  ['sk_live_', 24, 'a secret key of Stripe'],
  ['rk_live_', 24, 'a restricted key of Stripe'],
  ['whsec_', 24, 'a webhook secret of Stripe'],
  ['sk-ant-', 24, 'an API key of Anthropic'],
  ['sk-proj-', 24, 'an API key of OpenAI'],
  ['sk-', 40, 'an API key of OpenAI'],
  ['hf_', 30, 'a token of Hugging Face'],
  ['SG.', 50, 'an API key of SendGrid'],
  ['dop_v1_', 60, 'a token of DigitalOcean'],
  ['shpat_', 32, 'an access token of Shopify'],
  ['PMAK-', 40, 'an API key of Postman'],
  ['eyJhbGci', 60, 'a JSON Web Token'],
  ['blazon1.', 60, 'a token of Blazon'],
]

/** The shortest length of a token. */
const LEAST = 20

/**
 * Bits per character: a little below the limit of Yelp's detect-secrets for base64, because 24 characters have at most
 * 4.58.
 */
const LEAST_ENTROPY = 4.4
/** In longer texts entropy does not distinguish a token from data: an image in base64 is not a secret. */
const LONGEST_TOKEN = 256

/** Describes a text without a known prefix that looks random. */
export const RANDOM_TEXT = 'a random text, as keys and passwords are'

const BEGINNING = new RegExp(`^(?:${PREFIXES.map(([begin]) => begin.replaceAll('.', '\\.')).join('|')})`)
/**
 * Where a token may begin within a run of its characters: after a mark, an escape in a string or a URI (`\\n`, `%3D`)
 * whose last characters are in the run, or the letter of an option. Only for prefixes that no word has.
 */
const WITHIN =
  /(?:^[bfnrt]|^[\dA-Fa-f]{2}|^-[A-Za-z]|[^A-Za-z\d])((?:AKIA|ASIA|AIza|gh[oprsu]_|github_pat_|glpat-|[rs]k_live_|sk-ant-|sk-proj-|xox[abp]-|blazon1\.).*)/
const RUN = new RegExp(`[\\w+.-]{${LEAST},}`, 'g')

/** A variable, or a word that examples have, is not a password. */
const URI_PASSWORD =
  /:\/\/[^\s/:@]{0,64}:(?!(?:pass(?:w(?:or)?d)?|pwd|secret|changeme|postgres|root|x+|\*+|\.+)@|[$<{%[])[^\s/@]{1,256}@/i

/** The kind of credential in a text; undefined if it contains none. */
export function secretIn(text: string): string | undefined {
  if (text.length < LEAST) return undefined
  RUN.lastIndex = 0
  for (let match = RUN.exec(text); match !== null; match = RUN.exec(text)) {
    const what = tokenIn(match[0])
    if (what !== undefined) return what
  }
  if (text.includes('PRIVATE KEY-----') && /PRIVATE KEY-----[\r\n]+\w{20}/.test(text)) return 'a private key'
  return text.includes('@') && URI_PASSWORD.test(text) ? 'a password in a URI' : undefined
}

const BACKSLASH = 0x5c
const QUOTE = 0x22
const U = 0x75
const AT = 0x40

/**
 * 1: characters of tokens and of the escapes that may adjoin them. 3: those among them that plain words do not contain.
 */
const kindOfByte = kindsOfBytes()

/**
 * False when `secretIn` would find nothing in any string of a JSON text. Most texts have no long run, and outside such
 * runs hardly one byte in twenty is read: 4 KB take 1 us, while checking their strings one by one takes 10. `known`
 * contains texts that look like secrets but are not.
 */
export function mayHoldSecret(json: Uint8Array, known: string): boolean {
  for (let window = LEAST - 1; window < json.length; window += LEAST) {
    // Every run of sufficient length has a byte in each window.
    let kind = kindOfByte[json[window]!]!
    if (kind === 0) continue
    let start = window
    let end = window + 1
    for (let of = 1; start > 0 && of !== 0; kind |= of) {
      of = kindOfByte[json[start - 1]!]!
      if (of !== 0) start--
    }
    for (let of = 1; end < json.length && of !== 0; kind |= of) {
      of = kindOfByte[json[end]!]!
      if (of !== 0) end++
    }
    if (kind === 3 && end - start >= LEAST && isSuspicious(json, start, end, known)) return true
    // Continues after this run.
    window = end - 1
  }
  for (let at = json.indexOf(AT); at >= 0; at = json.indexOf(AT, at + 1)) if (followsPassword(json, at)) return true
  // Any character may be written as a \u escape.
  for (let at = json.indexOf(BACKSLASH); at >= 0; at = json.indexOf(BACKSLASH, at + 2))
    if (json[at + 1] === U) return true
  return false
}

function isSuspicious(json: Uint8Array, start: number, end: number, known: string): boolean {
  if (end - start > LONGEST_TOKEN) return true
  let text = ''
  for (let i = start; i < end; i++) text += String.fromCharCode(json[i]!)
  return !known.includes(text) && (text.includes('\\') || tokenIn(text) !== undefined)
}

/** True when `://` or an escape precedes an `@` in the same string. */
function followsPassword(json: Uint8Array, at: number): boolean {
  for (let i = at - 1; i > 0 && i > at - 400 && json[i] !== QUOTE; i--) {
    if (json[i] === BACKSLASH || (json[i] === 0x3a && json[i + 1] === 0x2f)) return true
  }
  return false
}

/** True when a run of characters looks like a token and not like a word. */
const isToken = (run: string): boolean => tokenIn(run) !== undefined

function tokenIn(run: string): string | undefined {
  const token = BEGINNING.test(run) ? run : WITHIN.exec(run)?.[1]
  if (token !== undefined) {
    for (const [begin, least, what] of PREFIXES) if (token.length >= least && token.startsWith(begin)) return what
  }
  return /[A-Z]/.test(run) && /\d/.test(run) && run.split('.').some(isRandom) ? RANDOM_TEXT : undefined
}

/** True when a text mixes all kinds of characters and repeats few of them, unlike words and names. */
function isRandom(text: string): boolean {
  if (text.length < 24 || text.length > LONGEST_TOKEN) return false
  if (!/[A-Z]/.test(text) || !/[a-z]/.test(text) || !/\d.*\d/.test(text)) return false
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits >= LEAST_ENTROPY
}

function kindsOfBytes(): Uint8Array {
  const kinds = new Uint8Array(256)
  for (const character of 'abcdefghijklmnopqrstuvwxyz_-.') kinds[character.charCodeAt(0)] = 1
  for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+\\') kinds[character.charCodeAt(0)] = 3
  return kinds
}

/** The hint for a credential in a document. */
export const REVOKE_SECRET = {
  hint: 'name an environment variable or a secret manager in its place, and revoke it if it is one',
}

interface Path {
  readonly parent: Path | undefined
  readonly token: string | number
}

/** Reports every string in a value that looks like a credential. Builds pointers only for those. */
export function searchSecrets(value: unknown, tell: (pointer: string, what: string) => void, path?: Path): void {
  if (typeof value === 'string') {
    const what = secretIn(value)
    if (what !== undefined) tell(pointerOf(path), what)
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) searchSecrets(value[i], tell, { parent: path, token: i })
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      searchSecrets((value as Record<string, unknown>)[name], tell, { parent: path, token: name })
    }
  }
}

function pointerOf(path: Path | undefined): string {
  return path === undefined ? '' : `${pointerOf(path.parent)}/${escapeToken(String(path.token))}`
}

// Finds credentials in a text for reports, which quote lines of untrusted files.

export interface Span {
  readonly start: number
  readonly end: number
}

/** The code of an invitation (ADP/1.1 section 8.3.1): it admits anyone who has it. */
const INVITE_CODE = /(?:^|[\s,{"'])code["']?\s{0,20}:\s{0,20}["']?([^\s"',}]{1,512})/gm
const PASSWORD = /:\/\/[^\s/:@]{0,64}:([^\s/@]{1,256})@/g
/** The credentials of a request (RFC 9110 section 11.4), and the keys of AWS, which have no marks of their own. */
const NAMED =
  /(?:\bauthorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?:bearer|basic|token)\s{1,3}|secret_?access_?key\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)([\w+/=.~-]{8,})/gi
const LONG_RUN = /[\w+.-]{20,}/g

/** The text right before a key that marks it as a thumbprint (RFC 7638). */
const NAMES_KEY = /\b(?:kid|thumbprint)["']?[\s:]{1,3}["']?$/
/**
 * True for public identifiers: key names of ADP/1.1 (section 2) and thumbprints, and keys that are their own name
 * (did:key). They stay visible, so that people can compare them.
 */
const isPublic = (text: string, at: number, run: string) =>
  (run.length === 43 && (text.endsWith('ed25519:', at) || NAMES_KEY.test(text.slice(Math.max(0, at - 16), at)))) ||
  (run.startsWith('z') && (text.endsWith('did:key:', at) || text.endsWith(`did:key:${run}#`, at)))

/** The ranges of credentials in a text, in order and without overlaps. */
export function secretSpans(text: string): Span[] {
  const spans: Span[] = privateKeySpans(text)
  const add = (start: number, length: number) => spans.push({ start, end: start + length })
  for (const { 0: whole, 1: code, index } of /\binvite\b/.test(text) ? text.matchAll(INVITE_CODE) : []) {
    add(index + whole.length - code!.length, code!.length)
  }
  for (const { 0: whole, 1: password, index } of text.matchAll(PASSWORD)) {
    add(index + whole.length - 1 - password!.length, password!.length)
  }
  for (const { 0: whole, 1: value, index } of text.matchAll(NAMED)) {
    add(index + whole.length - value!.length, value!.length)
  }
  for (const { 0: run, index } of text.matchAll(LONG_RUN)) {
    if (isToken(run) && !isPublic(text, index, run)) add(index, run.length)
  }
  return mergeSpans(spans)
}

/** Merges ranges that touch. */
function mergeSpans(spans: readonly Span[]): Span[] {
  const result: { start: number; end: number }[] = []
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}

/**
 * Replaces each character of a credential with a star. Line ends stay, so that positions remain valid.
 *
 * @example
 * withoutSecrets('{"d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}') // '{"d":
 * "*******************************************"}'
 */
export function withoutSecrets(text: string): string {
  let shown = ''
  let done = 0
  for (const { start, end } of secretSpans(text)) {
    shown += text.slice(done, start) + text.slice(start, end).replace(/[^\r\n]/g, '*')
    done = end
  }
  return done === 0 ? text : shown + text.slice(done)
}
