// The index of a directory in chunks: a head, what was told of agents, the words in the index, and the chunks of the core.
import { isObject, member } from '../text/members.ts'
import type { AgentSignals } from './types.ts'

const FORMAT = 'blazon-directory-2'
/** UTF-16 units of JSON in a chunk: a megabyte at the most for ASCII, and never two of what Durable Objects take. */
const CHUNK_UNITS = 600_000

/** An index of cards, as it is saved. */
export interface Snapshot {
  /** The options that the index depends on besides cards: others make another index. */
  readonly ranking: string
  /** Of the store, when the index was saved. */
  readonly revision: number
  readonly removals: number
  /** Cards that had expired by then are not in the index. */
  readonly checked: number
  /** The signals that were told of agents. */
  readonly signals: ReadonlyMap<string, AgentSignals>
  /** The words in the index, sorted. */
  readonly words: readonly string[]
  /** The chunks of the core. */
  readonly index: readonly Uint8Array[]
}

/** As in the snapshot, and how many chunks with signals and with words follow; then come those of the core. */
interface Head extends Pick<Snapshot, 'ranking' | 'revision' | 'removals' | 'checked'> {
  readonly format: typeof FORMAT
  readonly signals: number
  readonly words: number
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

export function writeSnapshot({ ranking, revision, removals, checked, ...parts }: Snapshot): Uint8Array[] {
  const signals = jsonChunks([...parts.signals])
  const words = jsonChunks(parts.words)
  const counts = { signals: signals.length, words: words.length }
  const head: Head = { format: FORMAT, ranking, revision, removals, checked, ...counts }
  return [encoder.encode(JSON.stringify(head)), ...signals, ...words, ...parts.index]
}

/** Undefined for chunks that are of no use. */
export function readSnapshot([first, ...others]: readonly Uint8Array[]): Snapshot | undefined {
  try {
    const head: unknown = first && JSON.parse(decoder.decode(first))
    if (!isHead(head)) return undefined
    const behind = head.signals + head.words
    return {
      ...head,
      signals: new Map(fromJson(others.slice(0, head.signals)) as [string, AgentSignals][]),
      words: fromJson(others.slice(head.signals, behind)) as string[],
      index: others.slice(behind),
    }
  } catch {
    // Chunks that are no JSON are no snapshot either.
    return undefined
  }
}

function isHead(value: unknown): value is Head {
  if (!isObject(value) || member(value, 'format') !== FORMAT) return false
  return ['revision', 'removals', 'checked', 'signals', 'words'].every((name) =>
    Number.isSafeInteger(member(value, name)),
  )
}

/** A list as JSON arrays, none of which is too large. */
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
