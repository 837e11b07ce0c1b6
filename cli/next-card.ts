// The next version of a card, signed when there is a key: what bump and revoke write.

import { type Document, detectKind } from '../bindings/document/index.ts'
import type { Signed } from '../bindings/document/signed.ts'
import { type Key, KeyError } from '../bindings/keys/index.ts'
import type { Context, Outcome } from './context.ts'
import { jsonFile, readKey } from './keys.ts'
import { save } from './save.ts'
import { UsageError } from './usage.ts'

/** Reads one card, makes the next of it, and writes that to stdout or to the file of --out. */
export async function writeNext(
  { command, options, positionals, reader, host }: Context,
  next: (card: Document) => Signed,
): Promise<Outcome> {
  const name = reader.file(positionals, `${command.name} takes one card`)
  const out = jsonFile(options)
  const keyName = options.text('key')
  const key = keyName === undefined ? undefined : await readKey('key', keyName, host, reader)
  const { file, document, diagnostics } = await reader.document(name)
  if (document === undefined) return { results: [{ file, kind: null, valid: false, diagnostics }], output: [] }
  if (detectKind(document) !== 'card') {
    throw new UsageError('wrong-kind', `${file} is no Agent Card`, 'a card has an id that begins with agent://')
  }
  const made = next(document)
  const signed = made.document === undefined || key === undefined ? made : await sign(made.document, key)
  const found = signed === made ? made.diagnostics : [...made.diagnostics, ...signed.diagnostics]
  if (signed.bytes === undefined) {
    return { results: [{ file, kind: 'card', valid: false, diagnostics: found }], output: [] }
  }
  const text = new TextDecoder().decode(signed.bytes)
  const ended = text.endsWith('\n') ? text : `${text}\n`
  const result = { file, kind: 'card', valid: true, diagnostics: found, text: ended }
  const notes = key === undefined ? ['it is not signed: give --key, or blazon sign'] : []
  if (out === undefined) return { results: [result], output: [ended], notes }
  await save(host, out, ended)
  return { results: [result], output: [], notes: [`wrote ${out}`, ...notes] }
}

async function sign(document: Document, key: Key): Promise<Signed> {
  const { signCard } = await import('../bindings/card/sign.ts')
  try {
    return await signCard(document, key)
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    throw new UsageError('unusable-key', `--key: ${error.message} (${error.code})`, 'docs/keys.md has the codes')
  }
}
