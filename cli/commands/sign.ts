import type { DigestAlgorithm } from '../../bindings/adl/signature/signed.ts'
import { NAMES as ALGORITHMS } from '../../bindings/keys/algorithms.ts'
import { sign } from '../../bindings/sign.ts'
import { defineCommand } from '../command.ts'
import { given } from '../given.ts'
import { jsonFile, PRIVATE_KEY, readKey, signedWith } from '../keys.ts'
import { placeholdersIn } from '../placeholders.ts'
import { previousCard } from '../previous-card.ts'
import { word } from '../report/words.ts'
import { saveOrPrint, textFile } from '../save.ts'
import { expectOptionsFor } from '../signed-kind.ts'
import { UsageError } from '../usage.ts'

/** The digests of bindings/adl, whose list has the type of any strings. */
export const DIGESTS = ['SHA-256', 'SHA-384', 'SHA-512'] as const satisfies readonly DigestAlgorithm[]

/** Options for documents of one kind. */
const OWN = { mode: 'adl', digest: 'adl', 'embed-key': 'adl', previous: 'card', kid: 'a2a' } as const

/** `blazon sign`: writes the signed document to stdout, or to a file. */
export const command = defineCommand({
  usage: '[FILE|-] --key KEY [--mode MODE] [--embed-key] [--out FILE]',
  details: [
    'Signs the canonical form (RFC 8785) of everything but the signature itself, and',
    'writes the signed JSON to stdout or to the file of --out; what was there stays',
    'as it is. KEY is a file, env:NAME (a variable of the environment), or - (stdin).',
    'A card is signed once under its seq: bump raises it for another content. A card',
    'of A2A gets a JWS, and a second one where SDKs leave members out. Warns about',
    'texts of the template of blazon init that are still there.',
  ],
  options: {
    key: { ...PRIVATE_KEY, needed: 'as in --key agent.key or --key env:AGENT_KEY' },
    algorithm: { value: 'ALGORITHM', choices: ALGORITHMS, about: 'that of the key when absent; PS256 for RSA' },
    mode: { value: 'MODE', choices: ['canonical', 'digest'], about: 'sign the canonical form (default) or its digest' },
    digest: { value: 'HASH', choices: DIGESTS, about: 'of which kind the digest is (default SHA-256)' },
    'embed-key': { about: 'write the public key into a definition without one' },
    previous: { value: 'FILE', about: 'the card that was signed before this one' },
    kid: { value: 'NAME', about: 'what an A2A card calls the key' },
    out: { value: 'FILE', about: 'where the signed document goes' },
  },
  examples: [
    'blazon sign agent.adl.yaml --key agent.key --embed-key --out agent.adl.json',
    'blazon sign agent.adl.json --key env:AGENT_KEY --mode digest > signed.adl.json',
  ],
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
    const wanted = given({ algorithm, mode, kid, digestAlgorithm, previous, embedKey: options['embed-key'] })
    const signed = await signedWith(sign(document, key, wanted))
    if (signed.bytes === undefined)
      return { results: [{ file, kind: kind ?? null, valid: false, diagnostics: signed.diagnostics }] }
    const left = await placeholdersIn(document, kind)
    const text = textFile(signed.bytes)
    await saveOrPrint(out, text, context, given({ over: out }))
    return {
      results: [{ file, kind: kind ?? null, valid: true, diagnostics: [...signed.diagnostics, ...left], text }],
      notes: out === undefined ? [] : [`wrote ${out}: blazon verify ${word(out)} shows what the signature says`],
    }
  },
})
