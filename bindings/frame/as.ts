// Reads documents of a kind that the caller states, for the entry of a specification.
import type { Format, ParseResult } from '../document/parse.ts'
import { read } from '../document/read.ts'
import type { Bounds } from '../kinds.ts'
import { open } from './open.ts'
import type { Source } from './source.ts'
import { type Reading, type SubjectResult, subjectOf } from './subject.ts'

interface NamedSource {
  readonly file?: string | undefined
  readonly format?: Format | undefined
}

/** Reads a source as a document of this kind, within its bounds or those of the caller. */
export function parseAs(
  { kind }: Pick<Reading<unknown>, 'kind'>,
  source: Source,
  named: NamedSource = {},
  bounds?: Bounds,
): ParseResult {
  const { file, format } = named
  return open(read, source, {
    as: kind,
    ...(file !== undefined && { file }),
    ...(format !== undefined && { format }),
    ...(bounds !== undefined && { bounds: { [kind]: bounds } }),
  })
}

/** Reads a source of this kind to the subject that verbs work on. */
export function readAs<Subject>(reading: Reading<Subject>, source: Source, file?: string): SubjectResult<Subject> {
  return subjectOf(reading, parseAs(reading, source, { file }))
}
