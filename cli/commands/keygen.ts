import {
  type Algorithm,
  encodeBase64,
  exportKey,
  fingerprint,
  generateKey,
  type Key,
} from '../../bindings/keys/index.ts'
import type { Context, Outcome } from '../context.ts'
import { save } from '../save.ts'
import { UsageError } from '../usage.ts'

/** Only who made a key may read it. */
const PRIVATE = { create: true, mode: 0o600 }

/** `blazon keygen`: makes a key; a private one never goes over a file that is there. */
export async function run({ options, positionals, host }: Context): Promise<Outcome> {
  if (positionals.length > 0) {
    throw new UsageError(
      'unexpected-argument',
      `unexpected argument "${positionals[0]}"`,
      'as in blazon keygen --out agent.key',
    )
  }
  const algorithm = (options.text('algorithm') ?? 'Ed25519') as Algorithm
  const [secretFile, publicFile] = [options.text('out'), options.text('public')]
  const key = await generateKey(algorithm)
  const write = (half: Key) => (options.has('jwk') ? jwkText(half, algorithm) : exportKey(half, 'pem'))
  const [secret, open] = [await write(key), await write(key.publicKey)]
  const notes: string[] = []
  if (secretFile !== undefined) {
    await save(host, secretFile, secret, PRIVATE)
    notes.push(`wrote the private key to ${secretFile}, which nobody else can read`)
  }
  if (publicFile !== undefined) {
    await save(host, publicFile, open, { create: true })
    notes.push(`wrote the public key to ${publicFile}`)
  }
  const print = await fingerprint(key)
  const result = {
    file: null,
    kind: null,
    valid: true,
    diagnostics: [],
    key: {
      algorithm,
      fingerprint: print,
      // As cryptographic_identity.public_key of ADL has it.
      publicKey: { algorithm, value: encodeBase64(await exportKey(key.publicKey, 'spki')) },
      ...(secretFile === undefined && { privateKey: secret }),
    },
  }
  const output = [
    ...(secretFile === undefined ? [secret] : []),
    ...(secretFile !== undefined && publicFile === undefined ? [open] : []),
  ]
  return { results: [result], output, notes: [...notes, `thumbprint (RFC 7638): ${print}`] }
}

async function jwkText(key: Key, algorithm: Algorithm): Promise<string> {
  return `${JSON.stringify({ ...(await exportKey(key, 'jwk')), alg: algorithm }, null, 2)}\n`
}
