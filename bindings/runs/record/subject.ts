import { canonicalizeValue } from '../../core/value.ts'
import type { Document } from '../../document/parse.ts'
import { hasShape, shapeOnce } from '../../frame/shape.ts'
import { objectAtRoot, type Reading } from '../../frame/subject.ts'
import { encodeBase64url } from '../../keys/base64.ts'
import { timeOf } from '../../schema/times.ts'
import { toHex } from '../../text/bytes.ts'
import {
  elements,
  isObject,
  isText,
  type JsonObject,
  member,
  objectMember,
  type PlacedObject,
  type PlacedValue,
} from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { sha256 } from '../../wasm/sha256.ts'
import { Verdict } from '../verdict/specification.ts'
import schema from './adp-1.json' with { type: 'json' }
import { ROOT_OBJECT, RUN_VERSION } from './findings.ts'

const TIME = { type: 'string', format: 'iso-8601' }
const { properties, $defs } = schema

/** The schema of ADP-1, and that times exist, which only Blazon knows how to check. */
export const shape = shapeOnce({
  ...schema,
  properties: { ...properties, started_at: TIME, completed_at: TIME },
  $defs: { step: { ...$defs.step, properties: { ...$defs.step.properties, timestamp: TIME } } },
})

type Part = 'action' | 'observation' | 'reflection' | 'metadata'

/** A step of a run: only its well-typed values. */
export class Step {
  readonly pointer: string
  readonly value: JsonObject
  readonly index: number | undefined
  readonly parent: number | undefined
  /** True for a step that says so, or whose output says that it is a verdict. */
  readonly isVerdict: boolean

  readonly #parts: Readonly<Record<Part, JsonObject | undefined>>

  // Rules ask for all of these again and again, and a record may have 100,000 steps.
  constructor({ pointer, value }: PlacedObject) {
    this.pointer = pointer
    this.value = value
    this.index = integer(value, 'index')
    this.parent = integer(value, 'parent_step_index')
    this.#parts = {
      action: objectIn(value, 'action'),
      observation: objectIn(value, 'observation'),
      reflection: objectIn(value, 'reflection'),
      metadata: objectIn(value, 'metadata'),
    }
    const version = member(this.#output, 'version')
    this.isVerdict =
      member(this.part('metadata'), 'kind') === 'policy_verdict' || (isText(version) && /^pvs-/i.test(version))
  }

  /** In milliseconds; undefined unless it is a moment. */
  get time(): number | undefined {
    return moment(this.value, 'timestamp')
  }

  /** A member of the step, if it is an object. */
  part(name: Part): JsonObject | undefined {
    return this.#parts[name]
  }

  get #output(): JsonObject | undefined {
    return objectIn(this.part('observation'), 'output')
  }

  /** True when a mark stands for the output. */
  get isOutputRedacted(): boolean {
    return this.#output !== undefined && isHidden(this.#output)
  }

  /** True for a step without any output, as a redaction that removes values leaves it. */
  get isOutputMissing(): boolean {
    return member(this.part('observation'), 'output') === undefined
  }

  /** The verdict in a step that has one. */
  verdict(run: Run): Verdict | undefined {
    const value = this.isVerdict && !this.isOutputRedacted ? this.#output : undefined
    return value && new Verdict(run.document, { pointer: `${this.pointer}/observation/output`, value })
  }
}

/** A run record as rules and verbs read it: only the members that are present and have the right type. */
export class Run {
  readonly root: PlacedObject
  readonly agent: PlacedObject | undefined
  readonly aip: PlacedObject | undefined
  readonly metadata: PlacedObject | undefined
  readonly steps: readonly Step[]
  readonly #document: () => Document
  #fitsSchema: boolean | undefined

  /** @param document what the record was read from; most rules do without. */
  constructor(root: PlacedObject, document: () => Document) {
    this.#document = document
    this.root = root
    this.agent = objectMember(root, 'agent')
    this.aip = objectMember(this.agent, 'aip')
    this.metadata = objectMember(root, 'metadata')
    this.steps = elements(root, 'steps', isObject).map((step) => new Step(step))
  }

  get document(): Document {
    return this.#document()
  }

  /** True when the schema of ADP-1 accepts the record. */
  get fitsSchema(): boolean {
    this.#fitsSchema ??= hasShape(shape(), this.root.value, () => false)
    return this.#fitsSchema
  }

  get(name: string): unknown {
    return member(this.root.value, name)
  }

  /** In milliseconds; undefined unless it is a moment. */
  time(name: 'started_at' | 'completed_at'): number | undefined {
    return moment(this.root.value, name)
  }

  get capabilities(): readonly PlacedValue<string>[] {
    return elements(this.aip, 'capabilities', isText)
  }
}

export const RUN_READING: Reading<Run> = {
  kind: 'run',
  rootObject: ROOT_OBJECT,
  subject: (document) => new Run(objectAtRoot(document), () => document),
  otherVersion(run) {
    const version = run.get('version')
    if (!isText(version) || version === 'adp-1') return undefined
    const detail = `Expected adp-1, found ${quoted(version)}, whose rules Blazon does not know`
    return { rule: RUN_VERSION, pointer: '/version', detail }
  },
}

export function objectIn(of: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = member(of, name)
  return isObject(value) ? value : undefined
}

function integer(of: JsonObject, name: string): number | undefined {
  const value = member(of, name)
  return Number.isSafeInteger(value) ? (value as number) : undefined
}

/** A time in milliseconds; undefined unless it is a moment. */
export function moment(of: JsonObject, name: string): number | undefined {
  const value = member(of, name)
  return isText(value) ? timeOf(value) : undefined
}

// What stands in a record instead of a value: its digest, or a mark (docs/guide/runs.md).

/** The member of a step's metadata with the digest that binds its verdict to the draft that was judged. */
export const CONTENT_DIGEST = 'pvs.content_digest'
/** The member of an object that stands for a value, and the prefix of a text that does. */
const COMMIT = 'adp.commit'
export const REDACTED = 'adp.redacted'
export const MASK = '[redacted]'

/** `sha256:` and the digest of canonical bytes. */
export const digestOfBytes = (canonical: Uint8Array): string => `sha256:${toHex(sha256(canonical))}`

/** True for a value that stands for another one, or is missing. */
export function isHidden(value: unknown): boolean {
  if (isText(value)) return value === MASK || value.startsWith(`${COMMIT}:`)
  return value === undefined || (typeof value === 'object' && value !== null && (COMMIT in value || REDACTED in value))
}

/** True when a record lists outputs among its removed values: a verdict step without an output had one. */
export function listsRemovedOutputs(metadata: JsonObject | undefined): boolean {
  const list = metadata && member(metadata, REDACTED)
  return Array.isArray(list) && list.some((one) => isObject(one) && /\/output$/.test(String(member(one, 'pointer'))))
}

// Salted digests of values: without the salt, nobody can guess the value (docs/guide/runs.md).

/** `sha256:` and the digest of a value's canonical bytes. */
export const digestOf = (value: unknown): string => digestOfBytes(canonicalizeValue(value))

/** A commitment to a value at a place of a run. */
export function commitmentTo(value: unknown, runId: string, pointer: string, salt: Uint8Array): string {
  return digestOf([`${COMMIT}/1`, runId, pointer, encodeBase64url(salt), value])
}

/** What stands for an object, or for a text where the schema requires one. */
export const committedObject = (digest: string) => ({ [COMMIT]: digest })
export const committedText = (digest: string) => `${COMMIT}:${digest}`

/** The member of a step's metadata with the id of its tool call: the same in traces, sessions and hooks. */
export const CALL_ID = 'adp.call_id'

/** The member of a run's metadata with what its recorder could not see. */
export const NOT_SEEN = 'adp.not_seen'
