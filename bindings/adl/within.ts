import type { Document } from '../document/document.ts'
import { type Parsed, parse } from '../document/parse.ts'
import type { Limits } from './limits.ts'

/** A document that was read before, perhaps with other limits, held against those of definitions (ADL 18.5). */
export function withinLimits(document: Document, { depth, documentBytes }: Limits): Parsed {
  const { bytes, tape, file } = document
  if (bytes.length <= documentBytes && !tape.isDeeperThan(depth)) return { document, diagnostics: [] }
  const { diagnostics } = parse(bytes, {
    ...(file !== undefined && { file }),
    maxDepth: depth,
    maxBytes: documentBytes,
  })
  return { document: undefined, diagnostics }
}
