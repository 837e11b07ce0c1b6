import { type SplitOptions, splitLines } from '../bindings/document/split-lines.ts'
import type { SourceLine } from '../bindings/document/types.ts'
import { Unreadable } from './outcome.ts'
import { cannotRead, type Reader } from './reader.ts'
import { whyUnread } from './system.ts'

interface LineOptions extends SplitOptions {
  /** The bytes of the file, if not those that it has now. */
  readonly source?: ReturnType<Reader['input']>
}

/** The lines of a file with a document in each line, or of stdin for `-`, in the memory of one line. */
export function documentLines(
  reader: Reader,
  name: string,
  { source, ...options }: LineOptions = {},
): AsyncGenerator<SourceLine> {
  return splitLines(bytesOf(reader, name, source), options)
}

/** The bytes of a file that the command cannot do without, as they arrive. */
export async function* bytesOf(reader: Reader, name: string, source = reader.input(name)): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (error) {
    const file = reader.fileOf(name)
    throw new Unreadable({ file, diagnostics: [cannotRead(file, whyUnread(error))] })
  }
}
