// The next version of a card, as bump and revoke write it; signed if there is a key.

import { revoke, update } from '../../bindings/card/supersede.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { SignResult } from '../../bindings/frame/source.ts'
import type { Key } from '../../bindings/keys/key.ts'
import { type Context, defineCommand, type Options, type Outcome, UsageError } from '../command.ts'
import { jsonFile, PRIVATE_KEY, readKey, signedWith } from '../keys.ts'
import { word } from '../report/report.ts'
import { saveOrPrint, textFile } from '../save.ts'

const NEXT_OPTIONS = {
  key: PRIVATE_KEY,
  out: { value: 'FILE', about: 'write the card to this file' },
} as const satisfies Options

async function writeNext(
  context: Context<typeof NEXT_OPTIONS>,
  next: (card: Document) => SignResult,
): Promise<Outcome> {
  const { name, options, positionals, reader } = context
  const given = reader.file(positionals, `${name} takes one card`)
  const out = jsonFile(options.out)
  const key = options.key === undefined ? undefined : await readKey(options.key, context)
  const { file, kind, document } = await reader.document(given, { only: ['card'], names: 'cards' })
  if (kind !== 'card')
    throw new UsageError('wrong-kind', `${file} is not an Agent Card`, 'a card has an id that begins with agent://')
  const made = next(document)
  const signed = made.document === undefined || key === undefined ? made : await sign(made.document, key)
  const diagnostics = signed === made ? made.diagnostics : [...made.diagnostics, ...signed.diagnostics]
  if (signed.bytes === undefined) return { results: [{ file, kind: 'card', valid: false, diagnostics }] }
  const text = textFile(signed.bytes)
  await saveOrPrint(out, text, context, { over: file })
  const notes = [
    ...(out === undefined ? [] : [`wrote ${out}`]),
    ...(key === undefined
      ? ['it is not signed: give --key, or run blazon sign']
      : out === undefined
        ? []
        : [`then publish it: blazon publish ${word(out)} --server URL`]),
  ]
  return { results: [{ file, kind: 'card', valid: true, diagnostics, text }], notes }
}

async function sign(document: Document, key: Key): Promise<SignResult> {
  const card = await import('../../bindings/card/verbs.ts')
  return signedWith(card.sign(document, key))
}

export const bumpCard = defineCommand({
  options: NEXT_OPTIONS,
  run: (context) => writeNext(context, (card) => update(card)),
})

export const revokeCard = defineCommand({
  options: NEXT_OPTIONS,
  run: (context) => writeNext(context, (card) => revoke(card)),
})
