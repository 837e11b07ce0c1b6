import { type Algorithm, KeyError } from '../../bindings/keys/index.ts'
import { type SignOptions, sign } from '../../bindings/sign.ts'
import type { Context, Outcome } from '../context.ts'
import { jsonFile, readKey } from '../keys.ts'
import { previousCard } from '../previous-card.ts'
import { save } from '../save.ts'
import { kindFor } from '../signed-kind.ts'
import { UsageError } from '../usage.ts'

/** Options that documents of one kind have. */
const OWN = { mode: 'adl', digest: 'adl', 'embed-key': 'adl', previous: 'card', kid: 'a2a' } as const

/** `blazon sign`: writes the signed document to stdout, or to a file. */
export async function run(context: Context): Promise<Outcome> {
  const { options, positionals, reader, host } = context
  const keyName = options.text('key')
  if (keyName === undefined)
    throw new UsageError('missing-option', 'sign needs --key', 'as in --key agent.key or --key env:AGENT_KEY')
  const name = reader.file(positionals, 'sign signs one document')
  const out = jsonFile(options)
  const key = await readKey('key', keyName, host, reader)
  const { file, document, diagnostics } = await reader.document(name)
  if (document === undefined) return { results: [{ file, kind: null, valid: false, diagnostics }], output: [] }
  const kind = kindFor({ document, file }, options, OWN)
  const previous = kind === 'card' ? await previousCard({ document, file }, out, context) : undefined
  if (previous !== undefined && previous.document === undefined) {
    return {
      results: [{ file: previous.file, kind: null, valid: false, diagnostics: previous.diagnostics }],
      output: [],
    }
  }
  const algorithm = options.text('algorithm') as Algorithm | undefined
  if (kind === 'card' && algorithm !== undefined && algorithm !== 'Ed25519') {
    throw new UsageError(
      'invalid-value',
      `--algorithm: cards are signed with Ed25519, not ${algorithm}`,
      'leave it out',
    )
  }
  const mode = options.text('mode') as SignOptions['mode']
  const digestAlgorithm = options.text('digest') as SignOptions['digestAlgorithm']
  const kid = options.text('kid')
  const wanted: SignOptions = {
    ...(algorithm !== undefined && { algorithm }),
    ...(mode !== undefined && { mode }),
    ...(kid !== undefined && kid !== '' && { kid }),
    ...(digestAlgorithm !== undefined && { digestAlgorithm }),
    ...(previous?.document !== undefined && { previous: previous.document }),
    embedKey: options.has('embed-key'),
  }
  const signed = await sign(document, key, wanted).catch((error: unknown) => {
    if (error instanceof KeyError)
      throw new UsageError('unusable-key', `--key: ${error.message} (${error.code})`, 'docs/keys.md has the codes')
    throw error
  })
  const findings = [...diagnostics.filter(({ rule }) => rule !== 'json/unsafe-integer'), ...signed.diagnostics]
  if (signed.bytes === undefined) return { results: [{ file, kind, valid: false, diagnostics: findings }], output: [] }
  const text = new TextDecoder().decode(signed.bytes)
  const ended = text.endsWith('\n') ? text : `${text}\n`
  const result = { file, kind, valid: true, diagnostics: findings, text: ended }
  if (out === undefined) return { results: [result], output: [ended] }
  await save(host, out, ended)
  return { results: [result], output: [], notes: [`wrote ${out}: blazon verify ${out} shows what the signature says`] }
}
