// No report of any command shows confidential parts of a document (ADL 18.9).

import type { Lines } from '../bindings/document/diagnose.ts'
import type { Diagnostic } from '../bindings/document/types.ts'
import { parseFile } from './open.ts'
import type { Outcome } from './outcome.ts'

/** The limit of a document that can carry an agent definition; larger files cannot. */
const LARGEST = 4 << 20

/** Masks confidential parts in an outcome and in the lines of its files. Documents without findings cost nothing. */
export async function hideConfidential(outcome: Outcome, sources: Map<string, Lines>): Promise<Outcome> {
  const found = new Map<string, Diagnostic[]>()
  for (const diagnostic of outcome.results.flatMap(({ diagnostics }) => diagnostics)) {
    const { file } = diagnostic.source
    if (file === undefined || !sources.has(file)) continue
    const list = found.get(file)
    if (list === undefined) found.set(file, [diagnostic])
    else list.push(diagnostic)
  }
  if (found.size === 0) return outcome
  const { mask, maskUnreadable } = await import('./validate/mask.ts')
  const hidden = new Map<Diagnostic, Diagnostic>()
  for (const [file, diagnostics] of found) {
    const { bytes } = sources.get(file)!
    if (bytes.length > LARGEST) continue
    const { document } = await parseFile(bytes, { file, bom: 'warn' })
    const masked = document ? mask(bytes, document, diagnostics) : maskUnreadable(bytes, diagnostics)
    if (masked === undefined) continue
    sources.set(file, masked.lines)
    for (const [i, diagnostic] of diagnostics.entries()) hidden.set(diagnostic, masked.diagnostics[i]!)
  }
  const results = outcome.results.map((result) => {
    return { ...result, diagnostics: result.diagnostics.map((diagnostic) => hidden.get(diagnostic) ?? diagnostic) }
  })
  return { ...outcome, results }
}
