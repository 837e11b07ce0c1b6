// Finds the credentials in a text for reports, which quote lines of files that others may have written.
import { isToken } from './secret-shapes.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** From a PEM label (RFC 7468) to the next one, or to the end of the text. */
const PEM = /(-----BEGIN [^\n-]{1,60}-----)([\s\S]*?)(?:-----END |$)/g
/**
 * The private members of a JWK (RFC 7518 sections 6.2.2, 6.3.2, 6.4.1), in JSON or YAML, also where what stands before the value
 * is wrong: of such lines reports quote the most. A number is a count or a time.
 */
const PRIVATE_MEMBER =
  /(?:^|[\s,{"'])(?:d|p|q|dp|dq|qi|k)["']?(?=[\s"':=,;[({])([\s:=,;[({]{0,40})["']?(?!-?\d+(?![\w-]))([\w-]{16,})/gm
/** Without a colon it may be the next of a list, which is a word more often than a key: 128 bits are 22 digits. */
const isPrivateValue = (between: string, value: string) =>
  /[:=]/.test(between) || (value.length >= 22 && /[a-z]/.test(value) && /[A-Z]/.test(value))
/** The code of an invitation (ADP/1.1 section 8.3.1): whoever has it is let in. */
const INVITE_CODE = /(?:^|[\s,{"'])code["']?\s{0,20}:\s{0,20}["']?([^\s"',}]{1,512})/gm
const PASSWORD = /:\/\/[^\s/:@]{1,64}:([^\s/:@]{1,64})@/g
const RUN = /[\w+.-]{20,}/g

/** What names a key as the thumbprint that it is (RFC 7638), right before it. */
const NAMES_KEY = /\b(?:kid|thumbprint)["']?[\s:]{1,3}["']?$/
/**
 * The name of a key in ADP/1.1 (section 2) and elsewhere, and a key that is its own name: to compare two, people have to see
 * them.
 */
const isPublic = (text: string, at: number, run: string) =>
  (run.length === 43 && (text.endsWith('ed25519:', at) || NAMES_KEY.test(text.slice(Math.max(0, at - 16), at)))) ||
  (run.startsWith('z') && (text.endsWith('did:key:', at) || text.endsWith(`did:key:${run}#`, at)))

/** The spans of a text that hold credentials, in order and without overlaps. */
export function secretSpans(text: string): Span[] {
  const spans: Span[] = []
  const add = (start: number, length: number) => spans.push({ start, end: start + length })
  for (const { index, 1: label, 2: body } of text.matchAll(PEM)) add(index + label!.length, body!.length)
  for (const { 0: whole, 1: between, 2: value, index } of text.matchAll(PRIVATE_MEMBER)) {
    if (isPrivateValue(between!, value!)) add(index + whole.length - value!.length, value!.length)
  }
  for (const { 0: whole, 1: code, index } of /\binvite\b/.test(text) ? text.matchAll(INVITE_CODE) : []) {
    add(index + whole.length - code!.length, code!.length)
  }
  for (const { 0: whole, 1: password, index } of text.matchAll(PASSWORD)) {
    add(index + whole.length - 1 - password!.length, password!.length)
  }
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (isToken(run) && !isPublic(text, index, run)) add(index, run.length)
  }
  return joined(spans)
}

/** Merges spans that touch. */
function joined(spans: readonly Span[]): Span[] {
  const result: { start: number; end: number }[] = []
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}

/**
 * The text with a star for each character of its credentials. Line ends stay, so that positions do not move.
 *
 * @example
 * withoutSecrets('{"d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}') // '{"d": "*******************************************"}'
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
