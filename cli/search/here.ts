// Searches cards in files, with the directory that servers run.

import { createDirectory } from '../../bindings/directory/directory.ts'
import { createMemoryStore } from '../../bindings/directory/memory-store.ts'
import type { SearchQuery } from '../../bindings/directory/types.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import type { Key } from '../../bindings/keys/key.ts'
import type { Factors } from '../../bindings/wasm/rank.ts'
import { type Result, unreadable } from '../outcome.ts'
import type { Reader } from '../reader.ts'
import { counted, phrase } from '../report/words.ts'
import type { SearchOutcome } from './found.ts'

interface Options {
  readonly keys: readonly Key[]
  readonly weights: Partial<Factors> | undefined
}

/**
 * Searches the cards of files and folders. Documents of other kinds are skipped in folders, and are problems if named
 * one by one. The user's own files need no proof of origin: unsigned cards are found, and marked.
 */
export async function searchFiles(
  names: readonly string[],
  query: SearchQuery,
  reader: Reader,
  { keys, weights }: Options,
): Promise<SearchOutcome> {
  // A stopped clock: no card expires during the search.
  const now = new Date()
  const directory = createDirectory({
    store: createMemoryStore(),
    clock: () => now,
    acceptUnverified: true,
    ...(keys.length > 0 && { keys: () => keys }),
  })
  const problems: Result[] = []
  const files = new Map<string, string>()
  let others = 0
  let passedOver = 0
  for await (const read of reader.documents(await reader.inputs(names, { names: 'all' }))) {
    const { file, kind, document } = read
    if (kind !== 'card' && !names.includes(file)) others++
    else if (document === undefined) problems.push(unreadable(read))
    else {
      const { status, stored, diagnostics: found } = await directory.advertise(document.bytes)
      if (status !== 'OK') problems.push({ file, kind: 'card', valid: false, diagnostics: errorsIn(document, found) })
      else if (stored) files.set((document.value as { id: string }).id, file)
      else passedOver++
    }
  }
  const { results, corrections } = directory.discover(query, { explain: true, ...(weights && { weights }) })
  return {
    hits: results.map((result) => ({ ...result, file: files.get(result.agent_card.id) ?? null })),
    corrections,
    problems,
    notes: [
      phrase([
        `${counted(directory.size, 'card')} searched`,
        others > 0 && `${counted(others, 'file')} of another kind`,
        passedOver > 0 && `${counted(passedOver, 'card')} not newer than another of the same agent`,
      ]),
    ],
  }
}

/** The errors at their places in the file: the directory got the card as JSON. */
function errorsIn(document: Document, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map((diagnostic) => ({ ...diagnostic, source: document.source(diagnostic.source.pointer) }))
}
