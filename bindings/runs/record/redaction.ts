// What a policy takes out of a record or a part of it, as edits (ADP-1 section 7.2).
import { cuts, withEdits } from '../../document/edit.ts'
import { type Document, parse } from '../../document/parse.ts'
import { ARRAY, OBJECT, STRING } from '../../document/tape.ts'
import type { Edit } from '../../document/types.ts'
import { encodeBase64url } from '../../keys/base64.ts'
import { formatPointer, parsePointer, valueAt } from '../../text/members.ts'
import { withoutSecrets } from '../../text/secret-shapes.ts'
import { placeInLine } from '../stream/lines.ts'
import { commitmentTo, committedObject, committedText, MASK, REDACTED } from './subject.ts'

export const MODES = ['remove', 'mask', 'digest'] as const

/** `remove`: the member goes. `mask`: a mark stands for it. `digest`: a salted digest does, so it can be shown later. */
export type RedactionMode = (typeof MODES)[number]

/** What ADP-1 section 7.2 calls sensitive. `*` stands for each element. */
export const SENSITIVE: readonly string[] = [
  '/context/task_description',
  '/steps/*/action/input',
  '/steps/*/observation/output',
  '/final_output/content',
]

/** Without these, the record would not be valid. */
const NEEDED = [
  ['version', 'run_id', 'tenant_id', 'agent', 'steps', 'status', 'started_at', 'completed_at', 'metadata'],
  ['agent/agent_id', 'agent/aip', 'agent/aip/cert_fingerprint', `metadata/${REDACTED}`],
  ['steps/*', 'steps/*/index', 'steps/*/timestamp', 'steps/*/action', 'steps/*/observation'],
  ['steps/*/action/type', 'steps/*/observation/type'],
].flatMap((paths) => paths.map((path) => path.split('/')))

/** How often a pointer of the policy matched. For credentials, the pointer is empty and the mode is `secret`. */
export interface RemovedContent {
  readonly pointer: string
  readonly mode: RedactionMode | 'secret'
  readonly count: number
}

export interface RedactionPolicy {
  /** JSON Pointers, in which `*` stands for each element. Default: `SENSITIVE`. */
  readonly pointers?: readonly string[]
  /** Default: `remove`. */
  readonly mode?: RedactionMode
  /** False keeps texts that look like credentials. Default: each one is replaced by stars. */
  readonly secrets?: boolean
  /** Returns 16 bytes for each salt. Default: random. */
  readonly salt?: () => Uint8Array
}

/** A part of a record that is still growing: redacted as the whole record would be. `place` is where the part stands. */
export function redactPart(part: Document, place: readonly string[], runId: string, policy: RedactionPolicy) {
  const { pointers = SENSITIVE, mode = 'remove', secrets = true, salt = randomSalt } = policy
  const walk = new RedactionWalk(part, pointers.map(readPattern), { mode, secrets, salt, runId }, place)
  return { document: withEdits(part, walk.edits), removed: walk.removed(), salts: walk.salts }
}

/** Where a line of a stream holds what `SENSITIVE` names. */
const SENSITIVE_IN_LINES = SENSITIVE.map((pointer) => placeInLine(parsePointer(pointer)!)).flatMap((place) =>
  place[0] === 'step' ? [place, ['intent', ...place.slice(1)]] : [place],
)

/** Takes the sensitive content and the credentials out of a line of a stream. It stays canonical. */
export function redactLine(line: string): string {
  const document = parse(line).document!
  const walk = new RedactionWalk(document, SENSITIVE_IN_LINES, {
    mode: 'remove',
    secrets: true,
    salt: randomSalt,
    runId: '',
  })
  return new TextDecoder().decode(withEdits(document, walk.edits).bytes)
}

export const randomSalt = () => crypto.getRandomValues(new Uint8Array(16))

type Pattern = readonly string[]

export function readPattern(pointer: string): Pattern {
  const tokens = parsePointer(pointer)
  if (tokens === undefined || tokens.length === 0)
    throw new RangeError(`pointers: expected a JSON Pointer such as /context/user_id, got ${JSON.stringify(pointer)}`)
  const needed = NEEDED.find((path) => path.length === tokens.length && path.every((name, i) => fits(name, tokens[i]!)))
  if (needed !== undefined) throw new RangeError(`pointers: every record needs ${pointer}, so it cannot be removed`)
  return tokens
}

/** True when a pattern, in which `*` stands for each element, names a place. */
export const isPlaceOf = (pattern: readonly string[], place: readonly string[]): boolean =>
  pattern.length === place.length && pattern.every((token, at) => token === '*' || token === place[at])

const fits = (a: string, b: string) => a === b || a === '*' || b === '*'

type WalkPolicy = Required<Pick<RedactionPolicy, 'mode' | 'secrets' | 'salt'>> & { readonly runId: string }

/** One walk through a record: the edits that redact it, and what they remove. */
export class RedactionWalk {
  readonly salts: Record<string, string> = {}
  readonly #document: Document
  readonly #patterns: readonly Pattern[]
  readonly #policy: WalkPolicy
  readonly #place: readonly string[]
  readonly #replacements: Edit[] = []
  readonly #cut = new Map<number, Set<number>>()
  readonly #counts: number[]
  #secrets = 0

  constructor(document: Document, patterns: readonly Pattern[], policy: WalkPolicy, place: readonly string[] = []) {
    this.#document = document
    this.#patterns = patterns
    this.#policy = policy
    this.#place = place
    this.#counts = patterns.map(() => 0)
    this.#visit(0, place)
  }

  get edits(): readonly Edit[] {
    const cut = Array.from(this.#cut, ([container, gone]) =>
      cuts(this.#document, container, (child) => !gone.has(child)),
    )
    return [...this.#replacements, ...cut.flat()]
  }

  removed(): RemovedContent[] {
    const rows = this.#patterns.map((tokens, i) => ({
      pointer: formatPointer(tokens),
      mode: this.#policy.mode,
      count: this.#counts[i]!,
    }))
    return [...rows, { pointer: '', mode: 'secret' as const, count: this.#secrets }].filter(({ count }) => count > 0)
  }

  #visit(entry: number, path: readonly string[]): void {
    const { tape } = this.#document
    const kind = tape.kind(entry)
    if (kind === STRING) this.#hideSecrets(entry)
    if (kind !== OBJECT && kind !== ARRAY) return
    for (const [i, child] of tape.children(entry).entries()) {
      const value = kind === OBJECT ? child + 1 : child
      const place = [...path, kind === OBJECT ? tape.text(child) : String(i)]
      const pattern = this.#patterns.findIndex((tokens) => isPlaceOf(tokens, place))
      if (pattern < 0) this.#visit(value, place)
      else this.#redact(pattern, entry, child, value, place)
    }
  }

  #redact(pattern: number, container: number, child: number, value: number, path: readonly string[]): void {
    this.#counts[pattern]!++
    const kind = this.#document.tape.kind(value)
    // No mark can stand for a number or a list without changing the type.
    if (this.#policy.mode === 'remove' || (kind !== OBJECT && kind !== STRING)) {
      const gone = this.#cut.get(container) ?? new Set()
      this.#cut.set(container, gone.add(child))
    } else this.#replace(value, this.#policy.mode === 'mask' ? mark(kind) : this.#commit(kind, path))
  }

  #commit(kind: number, path: readonly string[]): unknown {
    const [salt, pointer] = [this.#policy.salt(), formatPointer(path)]
    this.salts[pointer] = encodeBase64url(salt)
    const value = valueAt(this.#document.value, formatPointer(path.slice(this.#place.length)))
    const digest = commitmentTo(value, this.#policy.runId, pointer, salt)
    return kind === OBJECT ? committedObject(digest) : committedText(digest)
  }

  #hideSecrets(entry: number): void {
    if (!this.#policy.secrets) return
    const text = this.#document.tape.text(entry)
    const shown = withoutSecrets(text)
    if (shown === text) return
    this.#secrets++
    this.#replace(entry, shown)
  }

  #replace(entry: number, value: unknown): void {
    const { tape } = this.#document
    this.#replacements.push({ offset: tape.start(entry), endOffset: tape.end(entry), text: JSON.stringify(value) })
  }
}

const mark = (kind: number) => (kind === OBJECT ? { [REDACTED]: true } : MASK)
