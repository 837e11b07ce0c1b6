import { publicCopy } from '../../bindings/adl/publication.ts'
import { review } from '../../bindings/adl/review.ts'
import { defineCommand, UsageError } from '../command.ts'
import type { Readable } from '../reader.ts'
import { saveOrPrint } from '../save.ts'

export const command = defineCommand({
  options: { public: { value: 'OUT', about: 'write a public copy to this file' } },
  async run(context) {
    const { options, positionals, reader } = context
    const out = options.public
    const inputs = await reader.inputs(positionals)
    if (out !== undefined && inputs.length > 1) {
      const message = 'review --public: expected one document'
      throw new UsageError('unexpected-argument', message, 'review one document per run')
    }
    const notes: string[] = []
    const look = async ({ file, document, diagnostics }: Readable) => {
      if (out === undefined) {
        const { publishable, diagnostics: found } = review(document)
        return { file, kind: 'adl', valid: publishable, diagnostics: [...diagnostics, ...found], publishable }
      }
      const { document: made, removed, diagnostics: found } = publicCopy(document)
      const result = { file, kind: 'adl', valid: made !== undefined, diagnostics: [...diagnostics, ...found], removed }
      if (made === undefined) return result
      for (const { pointer, why } of removed) notes.push(`left out ${pointer}: ${why}`)
      notes.push('the copy is not signed')
      await saveOrPrint(out === '-' ? undefined : out, made.bytes, context)
      return result
    }
    return { results: await reader.results(inputs, look, { only: ['adl'] }), notes }
  },
})
