import { type SourceLine, type SplitOptions, splitLines } from '../bindings/document/split-lines.ts'
import type { Reader } from './reader.ts'

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
  return splitLines(reader.stream(name, source), options)
}
