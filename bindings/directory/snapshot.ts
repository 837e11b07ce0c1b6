// The saved index of a directory in chunks: a head, the signals of agents, the words of the index, the
// grouping keys of its cards, and the chunks of the core.
import { isObject, member } from '../text/members.ts'
import type { AgentSignals } from './types.ts'

const FORMAT = 'blazon-directory-3'
/**
 * UTF-16 units of JSON per chunk: less than a megabyte for ASCII, and always below the two megabytes that Durable
 * Objects accept.
 */
const CHUNK_UNITS = 600_000

/** The content of a saved index. */
export interface Snapshot {
  /** The options, apart from cards, that the index depends on. With other options the snapshot is unusable. */
  readonly ranking: string
  /** The revision of the store when the index was saved. */
  readonly revision: number
  readonly removals: number
  /** Cards that had expired by this time are not in the index. */
  readonly checked: number
  /** The signals that were set for agents. */
  readonly signals: Map<string, AgentSignals>
  /** The words in the index, sorted. */
  readonly words: readonly string[]
  /** The grouping keys of cards, by id. Empty in a directory that does not group. */
  readonly groupingKeys: Map<string, string>
  /** The chunks of the core. */
  readonly index: readonly Uint8Array[]
}

/** The head of a snapshot, with the numbers of chunks of each kind that follow; then come those of the core. */
interface Head extends Pick<Snapshot, 'ranking' | 'revision' | 'removals' | 'checked'> {
  readonly format: typeof FORMAT
  readonly signals: number
  readonly words: number
  readonly groupingKeys: number
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

export function writeSnapshot({ ranking, revision, removals, checked, ...parts }: Snapshot): Uint8Array[] {
  const signals = jsonChunks([...parts.signals])
  const words = jsonChunks(parts.words)
  const keys = jsonChunks([...parts.groupingKeys])
  const counts = { signals: signals.length, words: words.length, groupingKeys: keys.length }
  const head: Head = { format: FORMAT, ranking, revision, removals, checked, ...counts }
  return [encoder.encode(JSON.stringify(head)), ...signals, ...words, ...keys, ...parts.index]
}

/** Parses a snapshot. Undefined for unusable chunks. */
export function readSnapshot([first, ...others]: readonly Uint8Array[]): Snapshot | undefined {
  try {
    const head: unknown = first && JSON.parse(decoder.decode(first))
    if (!isHead(head)) return undefined
    const next = (count: number) => fromJson(others.splice(0, count))
    return {
      ...head,
      signals: new Map(next(head.signals) as [string, AgentSignals][]),
      words: next(head.words) as string[],
      groupingKeys: new Map(next(head.groupingKeys) as [string, string][]),
      index: others,
    }
  } catch {
    // Chunks that are not valid JSON are not a snapshot.
    return undefined
  }
}

function isHead(value: unknown): value is Head {
  if (!isObject(value) || member(value, 'format') !== FORMAT) return false
  return ['revision', 'removals', 'checked', 'signals', 'words', 'groupingKeys'].every((name) =>
    Number.isSafeInteger(member(value, name)),
  )
}

/** Splits a list into JSON arrays that fit into chunks. */
function jsonChunks(list: readonly unknown[]): Uint8Array[] {
  const chunks: Uint8Array[] = []
  let items: string[] = []
  let units = 0
  const close = () => {
    if (items.length > 0) chunks.push(encoder.encode(`[${items.join(',')}]`))
    items = []
    units = 0
  }
  for (const item of list) {
    const json = JSON.stringify(item)
    if (units + json.length > CHUNK_UNITS) close()
    items.push(json)
    units += json.length + 1
  }
  close()
  return chunks
}

const fromJson = (chunks: readonly Uint8Array[]): unknown[] =>
  chunks.flatMap((chunk) => JSON.parse(decoder.decode(chunk)) as unknown[])
