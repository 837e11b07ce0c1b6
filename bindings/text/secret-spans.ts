// Finds credentials in a text for reports, which quote lines of untrusted files.
import { privateKeySpans } from './private-keys.ts'
import { isToken } from './secret-shapes.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** The code of an invitation (ADP/1.1 section 8.3.1): it admits anyone who has it. */
const INVITE_CODE = /(?:^|[\s,{"'])code["']?\s{0,20}:\s{0,20}["']?([^\s"',}]{1,512})/gm
const PASSWORD = /:\/\/[^\s/:@]{1,64}:([^\s/:@]{1,64})@/g
const RUN = /[\w+.-]{20,}/g

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
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (isToken(run) && !isPublic(text, index, run)) add(index, run.length)
  }
  return joined(spans)
}

/** Merges ranges that touch. */
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
