import { type SourceLine, type SplitOptions, splitLines } from '../bindings/document/split-lines.ts'
import { Unreadable } from './outcome.ts'
import { cannotRead, type Reader } from './reader.ts'
import { whyUnread } from './system.ts'

interface LineOptions extends SplitOptions {
  /** The bytes of the file, if not those that it has now. */
  readonly source?: ReturnType<Reader['input']>
}

/** The lines of a file with a document in each line, or of stdin for `-`, in the memory of one line. */
export async function* documentLines(
  reader: Reader,
  name: string,
  { source = reader.input(name), ...options }: LineOptions = {},
): AsyncGenerator<SourceLine> {
  const file = reader.fileOf(name)
  try {
    yield* splitLines(source, options)
  } catch (error) {
    throw new Unreadable({ file, diagnostics: [cannotRead(file, whyUnread(error))] })
  }
}
