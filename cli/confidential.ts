// No report shows what is confidential (ADL 18.9), whatever command it is of.
import type { Diagnostic, Lines } from '../bindings/document/index.ts'
import type { Outcome } from './context.ts'
import { parseDocument } from './parse.ts'

/** An agent definition has 1 MiB at most; what is larger is none. */
const LARGEST = 1 << 20

/** The outcome as it may be shown; the lines of files are masked in their place. Documents without findings cost nothing. */
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
    const { document } = await parseDocument(bytes, { file, bom: 'warn' })
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
