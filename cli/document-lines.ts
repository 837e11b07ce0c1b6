import { type SourceLine, splitLines } from '../bindings/document/split-lines.ts'
import { Unreadable } from './outcome.ts'
import { cannotRead, type Reader } from './reader.ts'
import { whyUnread } from './system.ts'

/** The lines of a file with a document in each line, or of stdin for `-`, in the memory of one line. */
export async function* documentLines(reader: Reader, name: string): AsyncGenerator<SourceLine> {
  const file = reader.fileOf(name)
  try {
    yield* splitLines(reader.input(name))
  } catch (error) {
    throw new Unreadable({ file, diagnostics: [cannotRead(file, whyUnread(error))] })
  }
}
