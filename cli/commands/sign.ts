import { resolve } from 'node:path'
import type { DigestAlgorithm } from '../../bindings/adl/signature/signed.ts'
import { Card } from '../../bindings/card/subject.ts'
import { type Document, parse } from '../../bindings/document/parse.ts'
import { signOpened } from '../../bindings/frame/sign.ts'
import { NAMES as ALGORITHMS } from '../../bindings/keys/key.ts'
import type { sign } from '../../bindings/sign.ts'
import { specificationOf } from '../../bindings/specifications.ts'
import { isObject } from '../../bindings/text/members.ts'
import { counted } from '../../bindings/text/words.ts'
import { compact, defineCommand, type Tools, UsageError } from '../command.ts'
import { jsonFile, PRIVATE_KEY, readKey, signedWith } from '../keys.ts'
import { placeholdersIn } from '../open.ts'
import { expectOptionsFor } from '../proof.ts'
import type { Readable } from '../reader.ts'
import { word } from '../report/report.ts'
import { saveOrPrint, textFile } from '../save.ts'

/** The digests of bindings/adl, where the type is a list of any strings. */
export const DIGESTS = ['SHA-256', 'SHA-384', 'SHA-512'] as const satisfies readonly DigestAlgorithm[]

/** Options for documents of one kind. */
const OWN = { mode: 'adl', digest: 'adl', 'embed-key': 'adl', previous: 'card', kid: 'a2a' } as const

export const command = defineCommand({
  options: {
    key: { ...PRIVATE_KEY, needed: 'as in --key agent.key or --key env:AGENT_KEY' },
    algorithm: {
      value: 'ALGORITHM',
      choices: ALGORITHMS,
      about: 'the algorithm (default: that of the key; PS256 for RSA)',
    },
    mode: { value: 'MODE', choices: ['canonical', 'digest'], about: 'sign the canonical form (default) or its digest' },
    digest: { value: 'HASH', choices: DIGESTS, about: 'the digest to sign (default SHA-256)' },
    'embed-key': { about: 'add the public key to a definition without one' },
    previous: { value: 'FILE', about: 'the previously signed card' },
    force: { about: 'sign an invalid document' },
    kid: { value: 'NAME', about: 'the key id in an A2A card' },
    out: { value: 'FILE', about: 'write the signed document to this file' },
  },
  async run(context) {
    const { options, positionals, reader } = context
    const name = reader.file(positionals, 'sign signs one document')
    const out = jsonFile(options.out)
    const key = await readKey(options.key, context)
    const read = await reader.document(name)
    const { file, kind, document } = read
    expectOptionsFor(read, options, OWN)
    const previous = kind === 'card' ? await previousCard(read, options.previous, out, context) : undefined
    const { algorithm, mode, digest: digestAlgorithm } = options
    if (kind === 'card' && algorithm !== undefined && algorithm !== 'Ed25519') {
      const message = `--algorithm: cards are signed with Ed25519, not ${algorithm}`
      throw new UsageError('invalid-value', message, 'leave it out')
    }
    const kid = options.kid === '' ? undefined : options.kid
    const wanted: sign.Options = compact({
      algorithm,
      mode,
      kid,
      digestAlgorithm,
      previous,
      embedKey: options['embed-key'],
      force: options.force,
    })
    const { sign, check } = specificationOf(kind ?? 'adl')!.load
    const signer = sign && { signing: await sign(), specification: await check!() }
    const opened = { document, kind, diagnostics: document.warnings }
    const signed = await signedWith(signOpened(signer, opened, key, wanted))
    const { errors, diagnostics } = signed
    if (signed.bytes === undefined) {
      const notes = errors === undefined ? [] : ['not signed: with --force, blazon signs a document with errors']
      return { results: [{ file, kind: kind ?? null, valid: false, diagnostics }], notes }
    }
    const left = await placeholdersIn(document, kind)
    const text = textFile(signed.bytes)
    await saveOrPrint(out, text, context, compact({ over: out }))
    return {
      results: [{ file, kind: kind ?? null, valid: true, diagnostics: [...diagnostics, ...left], text }],
      notes: [
        ...(errors === undefined ? [] : [`--force: the signed document has ${counted(errors, 'error')}`]),
        ...(out === undefined
          ? []
          : [`wrote ${out}: blazon verify ${word(out)}${keyWords(options.key)} checks the signature`]),
      ],
    }
  },
})

/** The private key shows its public half. The one of stdin cannot be read a second time. */
const keyWords = (key: string) => ` --key ${key === '-' ? 'KEY' : word(key)}`

/** Returns the previously signed card: that of --previous, or a signed one of the same agent that --out overwrites. */
async function previousCard(
  { document, file }: Readable,
  name: string | undefined,
  out: string | undefined,
  { reader, host }: Tools,
): Promise<Document | undefined> {
  if (name !== undefined) return (await reader.document(name)).document
  if (out === undefined || resolve(host.cwd, out) === resolve(host.cwd, file)) return undefined
  const { bytes } = await reader.tryBytes(out)
  const read = bytes && parse(bytes, { file: out })
  if (read?.document === undefined || !isObject(read.document.value)) return undefined
  const [before, after] = [new Card(read.document), new Card(document)]
  const isBefore = before.signature !== undefined && before.id?.value === after.id?.value
  return isBefore ? read.document : undefined
}
