import { publicCopy } from '../../bindings/adl/public-copy.ts'
import { review } from '../../bindings/adl/review.ts'
import type { Document } from '../../bindings/document/index.ts'
import type { Context, Outcome, Result } from '../context.ts'
import { save } from '../save.ts'
import { UsageError } from '../usage.ts'

/** `blazon review`: what publishing a definition reveals, or a copy of it without that. */
export async function run({ options, positionals, reader, host }: Context): Promise<Outcome> {
  const out = options.text('public')
  const inputs = await reader.inputs(positionals)
  if (out !== undefined && inputs.length > 1) {
    throw new UsageError(
      'unexpected-argument',
      'review --public: expected one document',
      'each copy is a file of its own',
    )
  }
  const results: Result[] = []
  const output: string[] = []
  const notes: string[] = []
  for await (const { file, document, diagnostics } of reader.documents(inputs)) {
    if (document === undefined) results.push({ file, kind: null, valid: false, diagnostics })
    else if (out === undefined) {
      const { publishable, diagnostics: found } = review(document)
      results.push({ file, kind: 'adl', valid: publishable, diagnostics: [...diagnostics, ...found], publishable })
    } else {
      const { result, text, lines } = copy(file, document)
      results.push({ ...result, diagnostics: [...diagnostics, ...result.diagnostics] })
      notes.push(...lines)
      if (text !== undefined && out === '-') output.push(text)
      else if (text !== undefined) await save(host, out, text)
    }
  }
  return { results, output, notes }
}

function copy(file: string, document: Document) {
  const { document: made, removed, diagnostics } = publicCopy(document)
  const result = { file, kind: 'adl', valid: made !== undefined, diagnostics, removed }
  if (made === undefined) return { result, text: undefined, lines: [] }
  const lines = removed.map(({ pointer, why }) => `left out ${pointer}: ${why}`)
  return { result, text: new TextDecoder().decode(made.bytes), lines: [...lines, 'the copy is not signed'] }
}
