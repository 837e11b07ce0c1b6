import { validate } from '../card/verbs.ts'
import { parse } from '../document/parse.ts'
import { CardIndex } from './card-index.ts'
import { Directory } from './directory.ts'
import { type DirectoryOptions, type Settings, settingsOf } from './settings.ts'

/** The card of a directory that was given none of its own (section 4.1). */
const NAMELESS = '{"id":"agent://directory","name":"directory"}'

/**
 * Creates a directory from the cards in a store, and indexes all of them.
 *
 * @example
 * const directory = createDirectory({ store: createMemoryStore() })
 * await directory.advertise(card)
 * directory.discover({ tags: ['nlp'] }).results
 *
 * @throws {TypeError | RangeError} for invalid options, or an invalid own card.
 */
export function createDirectory(options: DirectoryOptions): Directory {
  const { settings, own } = readOptions(options)
  const index = new CardIndex(settings)
  index.build(settings.clock().getTime())
  return new Directory(settings, index, own)
}

export interface RestoredDirectory {
  readonly directory: Directory
  /** Where the index came from. `store` when the chunks could not be used. */
  readonly from: 'snapshot' | 'store'
}

/**
 * Creates a directory from a saved index, and applies later changes of the store, which is authoritative. Chunks that
 * are damaged or come from another version or other options cannot be used. The index is then rebuilt from the store.
 *
 * @example
 * const { directory, from } = restoreDirectory(chunks, { store }) // from: 'snapshot'
 *
 * @throws {TypeError | RangeError} as `createDirectory` does.
 */
export function restoreDirectory(chunks: readonly Uint8Array[], options: DirectoryOptions): RestoredDirectory {
  const { settings, own } = readOptions(options)
  const index = new CardIndex(settings)
  const now = settings.clock().getTime()
  const isLoaded = index.load(chunks, now)
  if (!isLoaded) index.build(now)
  return { directory: new Directory(settings, index, own), from: isLoaded ? 'snapshot' : 'store' }
}

function readOptions(options: DirectoryOptions): { settings: Settings; own: Uint8Array } {
  const settings = settingsOf(options)
  const { document, diagnostics } = parse(options.own ?? NAMELESS)
  const problems = document === undefined ? diagnostics : validate(document, { now: settings.clock() }).diagnostics
  const fault = problems.find(({ severity }) => severity === 'error')
  if (fault !== undefined) throw new RangeError(`own: expected a valid Agent Card, got one with ${fault.detail}`)
  return { settings, own: document!.bytes }
}
