import { validate } from '../card/validate.ts'
import { parse } from '../document/parse.ts'
import { Directory } from './directory.ts'
import { Indexes } from './indexes.ts'
import { type DirectoryOptions, type Settings, settingsOf } from './settings.ts'

/** A directory that was given no card of its own answers for itself with this one (section 4.1). */
const NAMELESS = '{"id":"agent://directory","name":"directory"}'

/**
 * A directory of the cards in a store, all of which it indexes.
 *
 * @example
 * const directory = createDirectory({ store: createMemoryStore() })
 * await directory.advertise(card)
 * directory.discover({ tags: ['nlp'] }).results
 *
 * @throws {TypeError | RangeError} for options that are wrong, or an own card that is no valid card.
 */
export function createDirectory(options: DirectoryOptions): Directory {
  const { settings, own } = readOptions(options)
  const indexes = new Indexes(settings)
  indexes.build(settings.clock().getTime())
  return new Directory(settings, indexes, own)
}

export interface RestoredDirectory {
  readonly directory: Directory
  /** The origin of the index: the store, when the chunks were not of use. */
  readonly from: 'snapshot' | 'store'
}

/**
 * A directory whose index was saved: loaded, and brought up to the store, which is the truth. Chunks that are damaged, of
 * another version or of other options are not of use; the index is built anew then.
 *
 * @example
 * const { directory, from } = restoreDirectory(chunks, { store }) // from: 'snapshot'
 *
 * @throws {TypeError | RangeError} as `createDirectory` does.
 */
export function restoreDirectory(chunks: readonly Uint8Array[], options: DirectoryOptions): RestoredDirectory {
  const { settings, own } = readOptions(options)
  const indexes = new Indexes(settings)
  const now = settings.clock().getTime()
  const isLoaded = indexes.load(chunks, now)
  if (!isLoaded) indexes.build(now)
  return { directory: new Directory(settings, indexes, own), from: isLoaded ? 'snapshot' : 'store' }
}

function readOptions(options: DirectoryOptions): { settings: Settings; own: Uint8Array } {
  const settings = settingsOf(options)
  const { document, diagnostics } = parse(options.own ?? NAMELESS)
  const problems = document === undefined ? diagnostics : validate(document, { now: settings.clock() }).diagnostics
  const fault = problems.find(({ severity }) => severity === 'error')
  if (fault !== undefined) throw new RangeError(`own: expected a valid Agent Card, got one with ${fault.detail}`)
  return { settings, own: document!.bytes }
}
