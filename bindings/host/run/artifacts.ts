// The built-in tool `artifacts`: named texts that all agents of a run share.
import { isText, type JsonObject } from '../../text/members.ts'
import { PathSet, pathRisk } from '../../text/safe-path.ts'
import { quoted } from '../../text/words.ts'
import type { Journal } from './journal.ts'
import type { RunTool } from './model.ts'
import { failed } from './tools.ts'

const MOST_ARTIFACTS = 10_000
/** In bytes, without a `disk_quota`. */
const DEFAULT_QUOTA = 1 << 30

export interface ArtifactOptions {
  /** In bytes. */
  readonly quota?: number
  /** Stores an artifact outside of memory, before the model hears that it is saved. */
  readonly store?: (name: string, bytes: Uint8Array) => Promise<void>
}

/** The artifacts of a run. */
export class Artifacts {
  readonly #files = new Map<string, Uint8Array>()
  readonly #paths = new PathSet()
  readonly #options: ArtifactOptions
  #size = 0

  constructor(options: ArtifactOptions = {}) {
    this.#options = options
  }

  get names(): readonly string[] {
    return [...this.#files.keys()]
  }

  read(name: string): string | undefined {
    const bytes = this.#files.get(name)
    return bytes && new TextDecoder().decode(bytes)
  }

  /** Saves a text; returns the reason if it cannot. */
  async save(name: string, content: string): Promise<string | undefined> {
    const risk = pathRisk(name)
    if (risk !== undefined) return `the name is refused: ${risk}`
    const before = this.#files.get(name)
    const bytes = new TextEncoder().encode(content)
    const size = this.#size + bytes.length - (before?.length ?? 0)
    const { quota = DEFAULT_QUOTA, store } = this.#options
    if (size > quota) return `the disk quota of ${quota} bytes is used up`
    if (before === undefined) {
      if (this.#files.size === MOST_ARTIFACTS) return `there are ${MOST_ARTIFACTS} artifacts already`
      const other = this.#paths.add(name)
      if (other !== undefined) return `the name collides with ${quoted(other)}`
    }
    // Calls of the same turn count before any of them is stored.
    this.#size = size
    this.#files.set(name, bytes)
    await store?.(name, bytes)
    return undefined
  }
}

const INPUT: JsonObject = {
  type: 'object',
  properties: {
    action: { enum: ['save', 'read', 'list'] },
    name: { type: 'string', description: 'A path such as report.md' },
    content: { type: 'string' },
  },
  required: ['action'],
  additionalProperties: false,
}

export function artifactsTool(artifacts: Artifacts, journal: Journal): RunTool {
  const description = 'Saves, reads and lists reports and findings for the user.'
  return {
    definition: { name: 'artifacts', description, input_schema: INPUT },
    async call(input) {
      const { action, name, content } = journal.withoutSecrets(input)
      if (action === 'list') return { kind: 'ok', value: { names: artifacts.names } }
      if (!isText(name)) return failed('name: expected a text')
      if (action === 'read') {
        const text = artifacts.read(name)
        return text === undefined
          ? failed(`no artifact is called ${quoted(name)}`)
          : { kind: 'ok', value: { content: text } }
      }
      if (!isText(content)) return failed('content: expected a text')
      const fault = await artifacts.save(name, content)
      return fault === undefined ? { kind: 'ok', value: { saved: name } } : failed(fault)
    },
  }
}
