// The index of a directory in chunks: a head, what was told of agents, the words in the index, and the chunks of the core.
import { isObject, member } from '../document/members.ts'
import type { Settings } from './settings.ts'
import type { Shelf } from './shelf.ts'
import type { AgentSignals } from './types.ts'

const FORMAT = 'blazon-directory-1'
/** UTF-16 units of JSON in a chunk: a megabyte at the most for ASCII, and never two of what Durable Objects take. */
const CHUNK_UNITS = 600_000

interface Head {
  readonly format: typeof FORMAT
  /** What the index depends on besides cards: another one of these makes another index. */
  readonly ranking: string
  /** Of the store, when the index was saved. */
  readonly revision: number
  /** Cards that had expired by then are not in the index. */
  readonly checked: number
  /** Chunks with signals, and with words, which follow; then come those of the core. */
  readonly signals: number
  readonly words: number
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

const rankingOf = ({ fields, coldStart }: Settings) => JSON.stringify([fields, coldStart])

export function saveShelf(shelf: Shelf, settings: Settings): Uint8Array[] {
  const { chunks, words } = shelf.index.save()
  const signals = jsonChunks([...shelf.told])
  const wordChunks = jsonChunks(words)
  const head: Head = {
    format: FORMAT,
    ranking: rankingOf(settings),
    revision: shelf.store.revision,
    checked: shelf.checked,
    signals: signals.length,
    words: wordChunks.length,
  }
  return [encoder.encode(JSON.stringify(head)), ...signals, ...wordChunks, ...chunks]
}

/** Takes over a saved index; undefined, and nothing changed, when the chunks are not of use. */
export function loadShelf(
  chunks: readonly Uint8Array[],
  shelf: Shelf,
  settings: Settings,
): Pick<Head, 'revision' | 'checked'> | undefined {
  try {
    const [first, ...others] = chunks
    const head: unknown = first && JSON.parse(decoder.decode(first))
    if (!isHead(head) || head.ranking !== rankingOf(settings) || head.revision > shelf.store.revision) return undefined
    const signals = fromJson(others.slice(0, head.signals)) as [string, AgentSignals][]
    const words = fromJson(others.slice(head.signals, head.signals + head.words)) as string[]
    if (!shelf.index.load(others.slice(head.signals + head.words), words)) return undefined
    for (const [id, told] of signals) shelf.told.set(id, told)
    return head
  } catch {
    // What is no JSON is no snapshot either.
    return undefined
  }
}

function isHead(value: unknown): value is Head {
  if (!isObject(value) || member(value, 'format') !== FORMAT) return false
  return ['revision', 'signals', 'words'].every((name) => Number.isSafeInteger(member(value, name)))
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
